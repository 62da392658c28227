//! Who would leave which position and who would come down where, for all positions at once.

use super::captured::{Captured, Task};
use super::classes::{subtract, Classes};
use super::State;
use std::ops::Range;

/// Where counts are worked out; kept to save allocations.
#[derive(Debug, Clone, Default)]
pub(super) struct Trial {
    /// Class counts of one position or two.
    pub(super) row: Vec<u64>,
    /// Per position: rows that would leave it.
    pub(super) leaving: Vec<u64>,
    /// Per position: rows that would come down to it.
    pub(super) arriving: Vec<u64>,
    /// Per position: rows on their way down that the rule put in would take.
    pub(super) passing: Vec<u64>,
    /// Per position: log posterior with a rule put in there.
    pub(super) scores: Vec<f64>,
}

impl State<'_> {
    /// Per position in `range`: captured rows that `candidate` covers, into `trial.leaving`.
    pub(super) fn count_leaving(&mut self, candidate: u32, range: Range<usize>) {
        let k = self.n_classes();
        let out = grown(&mut self.trial.leaving, range.len() * k);
        self.captures.run(k, Leaving { candidate, range, out });
    }

    /// Per position after `from` and before `until`, then for who takes the rest: rows of `from`'s capture that would come
    /// down to it, into `trial.arriving`.
    pub(super) fn count_arriving(&mut self, from: usize, until: usize) {
        let k = self.n_classes();
        let rules = &self.list.rules[from + 1..until];
        let out = grown(&mut self.trial.arriving, (rules.len() + 1) * k);
        let all = &self.list.counts[from * k..(from + 1) * k];
        self.captures.run(k, Arriving { from, only: None, all, rules, out });
    }

    /// Of the rows that come down once the rule at `from` is gone: those that `candidate` covers, per position, into
    /// `trial.passing`. `count_leaving` came before, for all positions.
    pub(super) fn count_passing(&mut self, from: usize, candidate: u32) {
        let k = self.n_classes();
        let rules = &self.list.rules[from + 1..];
        let out = grown(&mut self.trial.passing, (rules.len() + 1) * k);
        let all = &self.trial.leaving[from * k..(from + 1) * k];
        if all.iter().all(|&n| n == 0) {
            out.fill(0);
            return;
        }
        self.captures.run(k, Arriving { from, only: Some(candidate), all, rules, out });
    }
}

struct Leaving<'s> {
    candidate: u32,
    range: Range<usize>,
    out: &'s mut [u64],
}

impl Task for Leaving<'_> {
    type Output = ();

    #[inline(always)]
    fn run<G: Captured, C: Classes>(self, captured: &mut G, classes: C) {
        let cover = captured.cover(self.candidate);
        for (at, out) in self.range.zip(self.out.chunks_exact_mut(classes.n())) {
            out.fill(0);
            captured.common(at, cover, out);
        }
    }
}

/// Rows of the capture at `from`, `all` in number, or `only` those a candidate covers, come down to `rules`.
struct Arriving<'s> {
    from: usize,
    only: Option<u32>,
    all: &'s [u64],
    rules: &'s [u32],
    out: &'s mut [u64],
}

impl Task for Arriving<'_> {
    type Output = ();

    #[inline(always)]
    fn run<G: Captured, C: Classes>(self, captured: &mut G, classes: C) {
        match self.only {
            None => captured.set_free(self.from, None),
            Some(candidate) => captured.set_free_common(self.from, captured.cover(candidate)),
        }
        let k = classes.n();
        let (taken, rest) = self.out.split_at_mut(self.rules.len() * k);
        rest.copy_from_slice(self.all);
        for (&rule, out) in self.rules.iter().zip(taken.chunks_exact_mut(k)) {
            out.fill(0);
            captured.take(captured.cover(rule), out);
            subtract(rest, out);
        }
    }
}

/// The first `n` numbers of a buffer that only grows.
#[inline(always)]
pub(super) fn grown(buffer: &mut Vec<u64>, n: usize) -> &mut [u64] {
    if buffer.len() < n {
        buffer.resize(n, 0);
    }
    &mut buffer[..n]
}
