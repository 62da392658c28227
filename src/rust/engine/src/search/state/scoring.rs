//! What a move would make of the likelihood: each changed position is counted and scored in one go, from the top down,
//! until it is clear that the list would be too unlikely. Captures are only read.

use super::captured::{Captured, Task};
use super::classes::{add, subtract, Classes, Hands};
use super::List;
use crate::posterior::Likelihood;
use crate::search::moves::Move;
use std::ops::Range;

/// The changed positions after a move, in the new list's order.
#[derive(Debug, Clone, Default)]
pub(super) struct NewRows {
    /// Rows per position and class.
    pub(super) counts: Vec<u64>,
    /// log f of each position.
    pub(super) log_marginals: Vec<f64>,
    /// Patterns of each position, where `tabled.rs` does the work; it leaves the counts to be made.
    pub(super) words: Vec<u64>,
}

impl NewRows {
    /// Make room for `n` positions of `k` classes.
    pub(super) fn reserve(&mut self, n: usize, k: usize) {
        if self.log_marginals.len() < n {
            self.counts.resize(n * k, 0);
            self.log_marginals.resize(n, 0.0);
            self.words.resize(n, 0);
        }
    }
}

/// Scores `change`: what the changed positions add to the log likelihood, or `None` as soon as it lies below `least`.
pub(super) struct Scoring<'s> {
    pub(super) list: &'s List,
    /// Sum of the rules' log f before each position, and of all of them.
    pub(super) above: &'s [f64],
    pub(super) likelihood: &'s Likelihood,
    pub(super) new: &'s mut NewRows,
    pub(super) hands: &'s mut Option<Hands<Vec<u64>>>,
    pub(super) change: Move,
    pub(super) least: f64,
}

impl Task for Scoring<'_> {
    type Output = Option<f64>;

    #[inline(always)]
    fn run<G: Captured, C: Classes>(self, captured: &mut G, classes: C) -> Option<f64> {
        let mut hands = classes.borrow(self.hands);
        let mut walk = Walk {
            k: classes.n(),
            rules: &self.list.rules,
            counts: &self.list.counts,
            above: self.above,
            tables: classes.tables(self.likelihood),
            new_counts: &mut self.new.counts,
            new_log_marginals: &mut self.new.log_marginals,
            next: 0,
            sum: 0.0,
            least: self.least,
        };
        let is_seen = walk.follow::<G, C>(captured, &mut hands, self.change);
        let sum = walk.sum;
        C::give_back(hands, self.hands);
        is_seen.then_some(sum)
    }
}

struct Walk<'s, T> {
    k: usize,
    rules: &'s [u32],
    counts: &'s [u64],
    above: &'s [f64],
    tables: T,
    new_counts: &'s mut [u64],
    new_log_marginals: &'s mut [f64],
    /// The place in the new rows of what is seen next.
    next: usize,
    sum: f64,
    least: f64,
}

impl<T: Copy> Walk<'_, T> {
    /// Whether the changed positions are likely enough.
    #[inline(always)]
    fn follow<'t, G: Captured, C: Classes<Tables<'t> = T>>(
        &mut self,
        captured: &mut G,
        hands: &mut Hands<C::Counts>,
        change: Move,
    ) -> bool {
        let m = self.rules.len();
        match change {
            Move::Add { candidate, at } => {
                let cover = captured.cover(candidate);
                self.begin::<G, C>(captured, hands, cover, at)
                    && self.pass::<G, C, true, false>(captured, hands, Some(cover), at..m)
                    && self.end::<G, C, true, false>(captured, hands, Some(cover))
                    && self.finish::<G, C>(hands)
            }
            Move::Remove { at } => {
                captured.set_free(at, None);
                hands.free.as_mut().copy_from_slice(self.row(at));
                self.pass::<G, C, false, true>(captured, hands, None, at + 1..m)
                    && self.end::<G, C, false, true>(captured, hands, None)
            }
            Move::Replace { candidate, at } => self.exchange::<G, C>(captured, hands, (candidate, at), None),
            Move::Swap { first, second } => {
                let rising = (self.rules[second], first);
                self.exchange::<G, C>(captured, hands, rising, Some(second))
            }
        }
    }

    /// `candidate` comes to stand at `at`. The rule that stood there goes to the place `candidate` came `from`, if any.
    #[inline(always)]
    fn exchange<'t, G: Captured, C: Classes<Tables<'t> = T>>(
        &mut self,
        captured: &mut G,
        hands: &mut Hands<C::Counts>,
        (candidate, at): (u32, usize),
        from: Option<usize>,
    ) -> bool {
        let cover = captured.cover(candidate);
        if !self.begin::<G, C>(captured, hands, cover, at) {
            return false;
        }
        if G::SEES_LEFT && from == Some(at + 1) {
            // no one between
            let (taken, row) = (hands.taken.as_ref(), hands.row.as_mut());
            row.copy_from_slice(self.row(at));
            add(row, self.row(at + 1));
            subtract(row, taken);
            return self.see::<C>(&hands.row);
        }
        self.lose::<G, C, true>(captured, hands, Some(cover), at);
        hands.free.as_mut().copy_from_slice(hands.row.as_ref());
        captured.set_free(at, Some(cover));
        let until = from.unwrap_or(self.rules.len());
        if !self.pass::<G, C, true, true>(captured, hands, Some(cover), at + 1..until) {
            return false;
        }
        if let Some(from) = from {
            // it takes along what it had; the rule that goes down is left with what nobody between took
            add(hands.taken.as_mut(), self.row(from));
            hands.row.as_mut().copy_from_slice(hands.free.as_ref());
            return self.see::<C>(&hands.row) && self.finish::<G, C>(hands);
        }
        self.end::<G, C, true, true>(captured, hands, Some(cover)) && self.finish::<G, C>(hands)
    }

    /// The rule that comes in or up at `at`, with what it will take if that is known beforehand.
    #[inline(always)]
    fn begin<'t, G: Captured, C: Classes<Tables<'t> = T>>(
        &mut self,
        captured: &mut G,
        hands: &mut Hands<C::Counts>,
        cover: G::Cover,
        at: usize,
    ) -> bool {
        self.next = 1;
        if !G::SEES_LEFT {
            return true;
        }
        captured.left(at, cover, hands.taken.as_mut());
        self.see_at::<C>(0, &hands.taken)
    }

    /// The same rule, with what it has taken if only that tells.
    #[inline(always)]
    fn finish<'t, G: Captured, C: Classes<Tables<'t> = T>>(&mut self, hands: &Hands<C::Counts>) -> bool {
        G::SEES_LEFT || self.see_at::<C>(0, &hands.taken)
    }

    #[inline(always)]
    fn row(&self, at: usize) -> &[u64] {
        &self.counts[at * self.k..][..self.k]
    }

    /// Positions that lose rows to `cover` (if they are `LOSING`) and gain some of those on their way down (if `GAINING`).
    #[inline(always)]
    fn pass<'t, G: Captured, C: Classes<Tables<'t> = T>, const LOSING: bool, const GAINING: bool>(
        &mut self,
        captured: &mut G,
        hands: &mut Hands<C::Counts>,
        cover: Option<G::Cover>,
        positions: Range<usize>,
    ) -> bool {
        for at in positions {
            self.lose::<G, C, LOSING>(captured, hands, cover, at);
            if GAINING {
                let given = hands.given.as_mut();
                given.fill(0);
                captured.take(captured.cover(self.rules[at]), given);
                add(hands.row.as_mut(), given);
                subtract(hands.free.as_mut(), given);
            }
            if !self.see::<C>(&hands.row) {
                return false;
            }
            if !LOSING && self.sum + (self.above[self.rules.len() + 1] - self.above[at + 1]) < self.least {
                // positions that only gain become no more likely
                return false;
            }
            if G::IS_DEAR && LOSING && self.sum + C::log_marginal(self.tables, &hands.taken) < self.least {
                // what is taken already
                return false;
            }
        }
        true
    }

    /// The default rule gains all that is left.
    #[inline(always)]
    fn end<'t, G: Captured, C: Classes<Tables<'t> = T>, const LOSING: bool, const GAINING: bool>(
        &mut self,
        captured: &mut G,
        hands: &mut Hands<C::Counts>,
        cover: Option<G::Cover>,
    ) -> bool {
        if G::SEES_LEFT && LOSING {
            hands.row.as_mut().copy_from_slice(self.row(self.rules.len()));
            subtract(hands.row.as_mut(), hands.taken.as_ref());
        } else {
            self.lose::<G, C, LOSING>(captured, hands, cover, self.rules.len());
        }
        if GAINING {
            add(hands.row.as_mut(), hands.free.as_ref());
        }
        self.see::<C>(&hands.row)
    }

    #[inline(always)]
    fn lose<G: Captured, C: Classes, const LOSING: bool>(
        &mut self,
        captured: &mut G,
        hands: &mut Hands<C::Counts>,
        cover: Option<G::Cover>,
        at: usize,
    ) {
        let row = hands.row.as_mut();
        row.copy_from_slice(self.row(at));
        if let (true, Some(cover)) = (LOSING, cover) {
            let given = hands.given.as_mut();
            given.fill(0);
            captured.common(at, cover, given);
            if G::SEES_LEFT {
                // what it will take from those below
                subtract(hands.taken.as_mut(), given);
            } else {
                add(hands.taken.as_mut(), given);
            }
            subtract(row, given);
        }
    }

    /// Score the next position; whether the list may still be likely enough: no rule adds to the likelihood.
    #[inline(always)]
    fn see<'t, C: Classes<Tables<'t> = T>>(&mut self, row: &C::Counts) -> bool {
        let at = self.next;
        self.next += 1;
        self.see_at::<C>(at, row)
    }

    #[inline(always)]
    fn see_at<'t, C: Classes<Tables<'t> = T>>(&mut self, at: usize, row: &C::Counts) -> bool {
        let log_marginal = C::log_marginal(self.tables, row);
        self.new_counts[at * self.k..][..self.k].copy_from_slice(row.as_ref());
        self.new_log_marginals[at] = log_marginal;
        self.sum += log_marginal;
        self.sum >= self.least
    }
}
