//! Score one candidate at every position of a list, by one count per position.
//!
//! Insertions are the fold of `fold.rs`, where the candidate covers `leaving_q = |captured_q ∩ cover|` at position q.
//!
//! Exchanges are the same after the rule at `from` is removed: position q then also has the rows `arriving_q` that fall to
//! it, of which the candidate covers `arriving_covered_q`.

use super::capture_store::{CaptureStore, WithStore};
use super::captures::Captures;
use super::fold::{fold_from_below, grown};
use crate::leaf::counts::{add, subtract};
use crate::leaf::form::{AnySums, Form};
use crate::leaf::LeafFamily;

/// Buffers, kept between calls to save allocations. All but the first and the last hold class counts per position.
#[derive(Debug, Clone, Default)]
pub(super) struct Scratch {
    /// Class counts of two positions.
    row: Vec<u64>,
    /// Captured rows that the candidate covers.
    leaving: Vec<u64>,
    /// Rows that fall to the position once the rule at `from` is gone, and those of them that the candidate covers.
    arriving: Vec<u64>,
    arriving_covered: Vec<u64>,
    /// Log likelihood, then log posterior, with the candidate at each position.
    pub(super) scores: Vec<f64>,
}

impl Scratch {
    /// What the candidate covers at each position, after `PositionScorer::insertions()`.
    pub(super) fn leaving(&self) -> &[u64] {
        &self.leaving
    }

    /// The sums at each position without the rule at `from`, and what the candidate covers there, after
    /// `PositionScorer::exchanges()`; `counts` are those with the rule, `k` sums each.
    pub(super) fn without(&self, counts: &[u64], from: usize, k: usize) -> (Vec<u64>, Vec<u64>) {
        let rest = |all: &[u64], arriving: &[u64]| {
            let mut rest = [&all[..from * k], &all[(from + 1) * k..counts.len()]].concat();
            add(&mut rest[from * k..], arriving);
            rest
        };
        (rest(counts, &self.arriving), rest(&self.leaving, &self.arriving_covered))
    }
}

/// The list whose positions are scored.
pub(super) struct PositionScorer<'s, 'a> {
    pub(super) leaf: &'s LeafFamily,
    pub(super) rules: &'s [u32],
    pub(super) counts: &'s [u64],
    /// Sum of the log marginals before each position, and of all.
    pub(super) prefix_sums: &'s [f64],
    pub(super) captures: &'s mut Captures<'a>,
    pub(super) scratch: &'s mut Scratch,
}

impl PositionScorer<'_, '_> {
    /// `scratch.scores` become the log likelihoods after inserting an unused candidate, for each position.
    pub(super) fn insertions(mut self, candidate: u32) {
        // two classes get code compiled for two
        match self.leaf.two_classes() {
            Some(two) => self.score_insertions(two, candidate),
            None => self.score_insertions(AnySums::of(self.leaf), candidate),
        }
    }

    /// The same after removing the rule at `from` and inserting `candidate`, for each position of the shorter list.
    pub(super) fn exchanges(mut self, from: usize, candidate: u32) {
        match self.leaf.two_classes() {
            Some(two) => self.score_exchanges(two, from, candidate),
            None => self.score_exchanges(AnySums::of(self.leaf), from, candidate),
        }
    }

    #[inline(always)]
    fn score_insertions(&mut self, form: impl Form, candidate: u32) {
        let (k, m) = (form.n(), self.rules.len());
        self.count_leaving(candidate);
        let Scratch { row, leaving, scores, .. } = &mut *self.scratch;
        scores.resize(m + 1, 0.0);
        let sums = |position: usize, i: usize| (self.counts[position * k + i], leaving[position * k + i]);
        fold_from_below(form, m + 1, row, sums, |position, taken, left| {
            scores[position] = self.prefix_sums[position] + taken + left;
        });
    }

    #[inline(always)]
    fn score_exchanges(&mut self, form: impl Form, from: usize, candidate: u32) {
        let (k, m) = (form.n(), self.rules.len());
        self.count_leaving(candidate);
        self.count_arriving(from, candidate);
        let Scratch { row, leaving, arriving, arriving_covered, scores } = &mut *self.scratch;
        let remaining = grown(row, k);
        scores.resize(m, 0.0);
        // first the sums above each position, once the rule is gone
        let mut above = self.prefix_sums[from];
        scores[..from].copy_from_slice(&self.prefix_sums[..from]);
        for position in from..m {
            scores[position] = above;
            for class in 0..k {
                remaining[class] =
                    self.counts[(position + 1) * k + class] + arriving[(position - from) * k + class];
            }
            above += form.log_marginal(remaining);
        }
        let sums = |position: usize, class: usize| {
            if position < from {
                return (self.counts[position * k + class], leaving[position * k + class]);
            }
            let (old, fallen) = ((position + 1) * k + class, (position - from) * k + class);
            (self.counts[old] + arriving[fallen], leaving[old] + arriving_covered[fallen])
        };
        fold_from_below(form, m, row, sums, |position, taken, left| scores[position] += taken + left);
    }

    /// Count the rows captured at each position that `candidate` covers.
    fn count_leaving(&mut self, candidate: u32) {
        let out = grown(&mut self.scratch.leaving, (self.rules.len() + 1) * self.leaf.n_sums());
        self.captures.run(self.leaf, CountLeaving { candidate, out });
    }

    /// Count the rows that fall to each position after `from`, and those of them that `candidate` covers. `count_leaving()`
    /// must come first.
    fn count_arriving(&mut self, from: usize, candidate: u32) {
        let (k, rules) = (self.leaf.n_sums(), &self.rules[from + 1..]);
        let Scratch { leaving, arriving, arriving_covered, .. } = &mut *self.scratch;
        let (n, range) = ((rules.len() + 1) * k, from * k..(from + 1) * k);
        let (all, covered) = (&self.counts[range.clone()], &leaving[range]);
        let out = grown(arriving, n);
        self.captures.run(self.leaf, CountArriving { from, only: None, all, rules, out });
        let out = grown(arriving_covered, n);
        if covered.iter().all(|&n| n == 0) {
            out.fill(0);
            return;
        }
        self.captures.run(self.leaf, CountArriving { from, only: Some(candidate), all: covered, rules, out });
    }
}

struct CountLeaving<'s> {
    candidate: u32,
    out: &'s mut [u64],
}

impl WithStore for CountLeaving<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: CaptureStore>(self, store: &mut S) {
        let cover = store.cover(self.candidate);
        for (position, out) in self.out.chunks_exact_mut(store.form().n()).enumerate() {
            out.fill(0);
            store.count_captured(position, cover, out);
        }
    }
}

/// Rows captured at `from`, `all` in number, or `only` those that a candidate covers, fall to `rules`.
struct CountArriving<'s> {
    from: usize,
    only: Option<u32>,
    all: &'s [u64],
    rules: &'s [u32],
    out: &'s mut [u64],
}

impl WithStore for CountArriving<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: CaptureStore>(self, store: &mut S) {
        match self.only {
            None => store.release(self.from, None),
            Some(candidate) => store.release_covered(self.from, store.cover(candidate)),
        }
        let k = store.form().n();
        let (taken, rest) = self.out.split_at_mut(self.rules.len() * k);
        rest.copy_from_slice(self.all);
        for (&rule, out) in self.rules.iter().zip(taken.chunks_exact_mut(k)) {
            out.fill(0);
            store.take(store.cover(rule), out);
            subtract(rest, out);
        }
    }
}
