//! Score one move: class counts and log marginals of the changed positions, top down, given up as soon as the list cannot
//! reach a threshold. Captures are only read.
//!
//! # What is computed
//!
//! The log likelihood of a list is Σ log f(N_p) over its positions p, the default rule last; N_p are the class counts of
//! the rows captured there. A move leaves the captures before its first changed position as they are (and, for a swap, those
//! after its second), so only the terms between are computed anew:
//!
//! ```text
//! Add c at p           inserted = 0                            rows that c takes from those after it
//!                      for q = p, …, m:                        (m: the default rule)
//!                          moved = |captured_q ∩ cover(c)|
//!                          N'_q  = N_q − moved;  inserted += moved
//!                      N'_c = inserted
//!
//! Remove r_p           released = captured_p                   rows that fall to the rules below
//!                      for q = p + 1, …, m − 1:
//!                          moved = |released ∩ cover(r_q)|;  released −= cover(r_q)
//!                          N'_q  = N_q + moved
//!                      N'_m = N_m + |released|
//!
//! Replace r_p by c     both at once: released = captured_p \ cover(c); each position first loses to c, then gains
//! Swap r_p and r_q     the same with c = r_q, up to q: c keeps what it had there, and r_p is left with what is released
//! any other move       recompute: released = rows captured from the first changed position on; each rule of the new list
//!                      takes its cover from them in turn
//! ```
//!
//! Rows are conserved: what the changed positions have after the move is what they had before. Where the rows that no
//! earlier rule captures are stored per position (`STORES_UNCAPTURED`), one count gives all that c will take. It is scored
//! first, which is where most proposals fail; `inserted` then counts *down* to what c takes from the default rule,
//! which need not be counted.
//!
//! # Why giving up early is exact
//!
//! 1. f(N) is the probability of a sequence of labels, so log f ≤ 0 and any partial sum of the terms bounds the whole sum.
//! 2. f(N + e_l) = f(N) · P(label l | N) ≤ f(N): log f does not increase as rows are added. Hence after a removal, where
//!    positions only gain rows, the old terms of the positions to come bound the new ones; and log f of what c
//!    has taken so far bounds its final term.
//!
//! The caller lowers the threshold by `ROUNDING`, which exceeds any difference in rounding between two orders of summation;
//! so no move is given up that would have been accepted.

use super::capture_store::{CaptureStore, WithStore};
use super::moves::Move;
use super::transfer::{Buffered, Transfer};
use crate::leaf::counts::{add, at, subtract};
use crate::leaf::form::Form;
use std::mem::take;
use std::ops::Range;

/// The changed positions after a move, in the order of the new list.
#[derive(Debug, Clone, Default)]
pub(super) struct Proposed {
    /// Class counts per position.
    pub(super) counts: Vec<u64>,
    /// Log marginal of each position.
    pub(super) log_marginals: Vec<f64>,
}

impl Proposed {
    /// Make room for `n` positions of `k` sums.
    pub(super) fn reserve(&mut self, n: usize, k: usize) {
        if self.log_marginals.len() < n {
            self.counts.resize(n * k, 0);
            self.log_marginals.resize(n, 0.0);
        }
    }
}

/// Scores `change`: the sum of the log marginals of the changed positions, or `None` once it is below `threshold`.
pub(super) struct ScoreMove<'s> {
    pub(super) rules: &'s [u32],
    pub(super) counts: &'s [u64],
    /// Sum of the log marginals before each position, and of all.
    pub(super) prefix_sums: &'s [f64],
    pub(super) proposed: &'s mut Proposed,
    pub(super) transfer: &'s mut Option<Transfer<Vec<u64>>>,
    pub(super) change: Move,
    pub(super) threshold: f64,
}

impl WithStore for ScoreMove<'_> {
    type Output = Option<f64>;

    #[inline(always)]
    fn run<S: CaptureStore>(self, store: &mut S) -> Option<f64> {
        let form = store.form();
        let mut scorer = DeltaScorer::<S> {
            k: form.n(),
            transfer: form.borrow(self.transfer),
            form: form.open(),
            store,
            rules: self.rules,
            counts: self.counts,
            prefix_sums: self.prefix_sums,
            new_counts: &mut self.proposed.counts,
            new_log_marginals: &mut self.proposed.log_marginals,
            next: 0,
            sum: 0.0,
            threshold: self.threshold,
        };
        let reaches = scorer.score(self.change);
        let sum = scorer.sum;
        S::Form::give_back(scorer.transfer, self.transfer);
        reaches.then_some(sum)
    }
}

type Sums<S> = <<S as CaptureStore>::Form as Form>::Sums;

/// Every function that returns `bool` returns whether the list may still reach the threshold.
///
/// The fields of a scorer are registers as long as no address of one is passed to a function that is not inlined. Hence
/// what the store adds counts to is taken out of `transfer` meanwhile.
struct DeltaScorer<'s, S: CaptureStore> {
    k: usize,
    store: &'s mut S,
    form: <S::Form as Form>::Open,
    transfer: Transfer<Sums<S>>,
    rules: &'s [u32],
    counts: &'s [u64],
    prefix_sums: &'s [f64],
    new_counts: &'s mut [u64],
    new_log_marginals: &'s mut [f64],
    /// Index of the next changed position to be scored.
    next: usize,
    sum: f64,
    threshold: f64,
}

impl<S: CaptureStore> DeltaScorer<'_, S> {
    #[inline(always)]
    fn score(&mut self, change: Move) -> bool {
        let m = self.rules.len();
        match change {
            Move::Add { candidate, position } => {
                let cover = self.store.cover(candidate);
                self.insert(cover, position)
                    && self.shift_down(position..m, Some(cover), false)
                    && self.default_rule(Some(cover), false)
                    && self.score_inserted()
            }
            Move::Remove { position } => {
                self.store.release(position, None);
                self.transfer.released.as_mut().copy_from_slice(at(self.counts, position, self.k));
                self.shift_down(position + 1..m, None, true) && self.default_rule(None, true)
            }
            Move::Replace { candidate, position } => self.replace(candidate, position, None),
            Move::Swap { first, second } => self.replace(self.rules[second], first, Some(second)),
            _ => self.recompute(change),
        }
    }

    /// The default way to score a move: capture again from its first changed position on.
    fn recompute(&mut self, change: Move) -> bool {
        let (k, first) = (self.k, change.first_position());
        let mut rules = self.rules.to_vec();
        change.apply_to(&mut rules);
        self.store.release_from(first);
        let released = self.transfer.released.as_mut();
        released.fill(0);
        self.counts[first * k..].chunks_exact(k).for_each(|counts| add(released, counts));
        for &rule in &rules[first..] {
            let cover = self.store.cover(rule);
            let mut remaining = take(&mut self.transfer.remaining);
            remaining.as_mut().fill(0);
            self.store.take(cover, remaining.as_mut());
            subtract(self.transfer.released.as_mut(), remaining.as_ref());
            self.transfer.remaining = remaining;
            if !self.push() {
                return false;
            }
        }
        self.transfer.remaining.as_mut().copy_from_slice(self.transfer.released.as_ref());
        self.push()
    }

    /// `candidate` replaces the rule at `position`, which takes the place `candidate` comes `from`, if any.
    #[inline(always)]
    fn replace(&mut self, candidate: u32, position: usize, from: Option<usize>) -> bool {
        let cover = self.store.cover(candidate);
        if !self.insert(cover, position) {
            return false;
        }
        if S::STORES_UNCAPTURED && from == Some(position + 1) {
            // neighbours: the rule that goes down has what the two had, less what the other takes
            let remaining = self.transfer.remaining.as_mut();
            remaining.copy_from_slice(at(self.counts, position, self.k));
            add(remaining, at(self.counts, position + 1, self.k));
            subtract(remaining, self.transfer.inserted.as_ref());
            return self.push();
        }
        self.subtract_captured(Some(cover), position);
        self.transfer.released.as_mut().copy_from_slice(self.transfer.remaining.as_ref());
        self.store.release(position, Some(cover));
        let until = from.unwrap_or(self.rules.len());
        if !self.shift_down(position + 1..until, Some(cover), true) {
            return false;
        }
        let Some(from) = from else {
            return self.default_rule(Some(cover), true) && self.score_inserted();
        };
        // the rule that moves up keeps what it had; the one that moves down is left with what is released
        add(self.transfer.inserted.as_mut(), at(self.counts, from, self.k));
        self.transfer.remaining.as_mut().copy_from_slice(self.transfer.released.as_ref());
        self.push() && self.score_inserted()
    }

    /// A rule is inserted at `position`: score it now if one count gives all it will take.
    #[inline(always)]
    fn insert(&mut self, cover: S::Cover, position: usize) -> bool {
        self.next = 1;
        if !S::STORES_UNCAPTURED {
            return true;
        }
        let mut inserted = take(&mut self.transfer.inserted);
        self.store.count_uncaptured(position, cover, inserted.as_mut());
        self.transfer.inserted = inserted;
        self.push_inserted()
    }

    /// Score the inserted rule last, where its captures are only known at the end.
    #[inline(always)]
    fn score_inserted(&mut self) -> bool {
        S::STORES_UNCAPTURED || self.push_inserted()
    }

    /// Score `positions`, which lose the rows of `cover`, if there is one, and then gain released rows if `gains`.
    #[inline(always)]
    fn shift_down(&mut self, positions: Range<usize>, cover: Option<S::Cover>, gains: bool) -> bool {
        for position in positions {
            self.subtract_captured(cover, position);
            if gains {
                let rule = self.store.cover(self.rules[position]);
                let mut moved = take(&mut self.transfer.moved);
                moved.as_mut().fill(0);
                self.store.take(rule, moved.as_mut());
                add(self.transfer.remaining.as_mut(), moved.as_ref());
                subtract(self.transfer.released.as_mut(), moved.as_ref());
                self.transfer.moved = moved;
            }
            if !self.push() {
                return false;
            }
            if cover.is_none() {
                // after a removal: the old terms bound those to come
                let to_come = self.prefix_sums[self.rules.len() + 1] - self.prefix_sums[position + 1];
                if self.sum + to_come < self.threshold {
                    return false;
                }
            } else if S::IS_EXPENSIVE {
                // what is inserted so far bounds its final term
                let inserted = self.form.log_marginal(self.transfer.inserted.as_ref());
                if self.sum + inserted < self.threshold {
                    return false;
                }
            }
        }
        true
    }

    /// Score the default rule, which loses the rows of `cover` and gains all that are still released if `gains`.
    #[inline(always)]
    fn default_rule(&mut self, cover: Option<S::Cover>, gains: bool) -> bool {
        let m = self.rules.len();
        if S::STORES_UNCAPTURED && cover.is_some() {
            // what is inserted by now is what it takes from here
            let remaining = self.transfer.remaining.as_mut();
            remaining.copy_from_slice(at(self.counts, m, self.k));
            subtract(remaining, self.transfer.inserted.as_ref());
        } else {
            self.subtract_captured(cover, m);
        }
        if gains {
            add(self.transfer.remaining.as_mut(), self.transfer.released.as_ref());
        }
        self.push()
    }

    /// `remaining` becomes the old counts at `position`, less the rows of `cover`, which the inserted rule takes.
    #[inline(always)]
    fn subtract_captured(&mut self, cover: Option<S::Cover>, position: usize) {
        self.transfer.remaining.as_mut().copy_from_slice(at(self.counts, position, self.k));
        let Some(cover) = cover else { return };
        let mut moved = take(&mut self.transfer.moved);
        moved.as_mut().fill(0);
        self.store.count_captured(position, cover, moved.as_mut());
        if S::STORES_UNCAPTURED {
            subtract(self.transfer.inserted.as_mut(), moved.as_ref());
        } else {
            add(self.transfer.inserted.as_mut(), moved.as_ref());
        }
        subtract(self.transfer.remaining.as_mut(), moved.as_ref());
        self.transfer.moved = moved;
    }

    /// Score the next position, which has `remaining`.
    #[inline(always)]
    fn push(&mut self) -> bool {
        let index = self.next;
        self.next += 1;
        let log_marginal = self.form.log_marginal(self.transfer.remaining.as_ref());
        self.new_counts[index * self.k..][..self.k].copy_from_slice(self.transfer.remaining.as_ref());
        self.add_term(index, log_marginal)
    }

    /// Score the inserted rule, which comes first among the changed positions.
    #[inline(always)]
    fn push_inserted(&mut self) -> bool {
        let log_marginal = self.form.log_marginal(self.transfer.inserted.as_ref());
        self.new_counts[..self.k].copy_from_slice(self.transfer.inserted.as_ref());
        self.add_term(0, log_marginal)
    }

    #[inline(always)]
    fn add_term(&mut self, index: usize, log_marginal: f64) -> bool {
        self.new_log_marginals[index] = log_marginal;
        self.sum += log_marginal;
        self.sum >= self.threshold
    }
}
