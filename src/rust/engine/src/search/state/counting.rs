//! What a move would do to the class counts: who leaves which position, who arrives where. Nothing is written but counts.

use super::State;
use crate::bitset::blocks::Column;
use crate::bitset::kernel::Takers;
use crate::search::moves::Move;
use std::ops::Range;

/// Where a move's effect on the counts is worked out; kept to save allocations.
#[derive(Debug, Clone, Default)]
pub(super) struct Trial {
    /// The move whose effect `leaving` and `arriving` hold.
    pub(super) of: Option<Move>,
    /// Class counts of one position, and of all that change.
    pub(super) row: Vec<u64>,
    pub(super) new_rows: Vec<u64>,
    /// Per position: rows that would leave it; the first `n_leaving` numbers count.
    pub(super) leaving: Vec<u64>,
    pub(super) n_leaving: usize,
    /// Per position: rows that would come down to it; the first `n_arriving` numbers count.
    pub(super) arriving: Vec<u64>,
    pub(super) n_arriving: usize,
    /// Per position: log posterior with a rule put in there.
    pub(super) scores: Vec<f64>,
    /// Per position: rows on their way down that the rule put in would take.
    pub(super) passing: Vec<u64>,
    /// Rows on their way down, and those of them that a rule put in would take.
    pub(super) free: Column,
    pub(super) crossing: Column,
}

impl State<'_> {
    /// Count who would leave and who would arrive where: all that `change` does to the class counts.
    #[inline(always)]
    pub(super) fn count_changes(&mut self, change: Move, classes: impl Classes) {
        let m = self.rules.len();
        self.trial.of = Some(change);
        match change {
            Move::Add { candidate, at } => self.count_leaving(candidate, at..m + 1, classes),
            Move::Remove { at } => self.count_arriving(at, None, m, classes),
            Move::Swap { first, second } => {
                self.count_leaving(self.rules[second], first..second, classes);
                self.count_arriving(first, Some(self.rules[second]), second, classes);
            }
            Move::Replace { candidate, at } => {
                self.count_leaving(candidate, at..m + 1, classes);
                self.count_arriving(at, Some(candidate), m, classes);
            }
        }
    }

    /// Show the class counts of the changed positions, in the new list's order, as long as `see` wants them; whether it wanted
    /// all. `count_changes` came before.
    #[inline(always)]
    pub(super) fn see_new_rows(
        &mut self,
        change: Move,
        classes: impl Classes,
        mut see: impl FnMut(&[u64]) -> bool,
    ) -> bool {
        let k = classes.n();
        let trial = &mut self.trial;
        let row = grown(&mut trial.row, k);
        let (leaving, arriving) = (&trial.leaving[..trial.n_leaving], &trial.arriving[..trial.n_arriving]);
        // rows that stay in order: what they have, what leaves them, what comes down to them
        let (old, gone, new): (_, &[u64], &[u64]) = match change {
            Move::Add { at, .. } => (&self.counts[at * k..], leaving, &[]),
            Move::Remove { at } => (&self.counts[(at + 1) * k..], &[], arriving),
            Move::Swap { first, second } => {
                (&self.counts[(first + 1) * k..second * k], &leaving[k..], arriving)
            }
            Move::Replace { at, .. } => (&self.counts[(at + 1) * k..], &leaving[k..], arriving),
        };
        let fill = |row: &mut [u64], index: usize| {
            let range = index * k..(index + 1) * k;
            if index * k == old.len() {
                // swap: the rule that goes down is left with what nobody between took
                row.copy_from_slice(&new[range]);
                return;
            }
            row.copy_from_slice(&old[range.clone()]);
            if !gone.is_empty() {
                subtract(row, &gone[range.clone()]);
            }
            if !new.is_empty() {
                add(row, &new[range]);
            }
        };
        let n_rows = old.len() / k + usize::from(matches!(change, Move::Swap { .. }));
        let mut index = 0;
        match change {
            Move::Remove { .. } => {
                fill(row, 0);
                index = 1;
            }
            // the rule that comes in, or up, takes all that leaves
            Move::Swap { second, .. } => row.copy_from_slice(&self.counts[second * k..(second + 1) * k]),
            _ => row.fill(0),
        }
        if index == 0 {
            leaving.chunks_exact(k).for_each(|gone| add(row, gone));
        }
        loop {
            if !see(row) {
                return false;
            }
            if index == n_rows {
                return true;
            }
            fill(row, index);
            index += 1;
        }
    }

    /// Per position in `range`: captured rows that `candidate` covers.
    #[inline(always)]
    pub(super) fn count_leaving(&mut self, candidate: u32, range: Range<usize>, classes: impl Classes) {
        let n = range.len() * classes.n();
        let cover = self.problem.covers().get(candidate as usize);
        let leaving = grown(&mut self.trial.leaving, n);
        self.trial.n_leaving = n;
        self.problem.pool.rows.common(&self.captures[range], cover, leaving);
    }

    /// Per position after `from` and before `until`, then for who takes the rest: rows of `from`'s capture, less those
    /// that `except` covers, that would come down to it. With `except`, `trial.leaving` begins with how many it covers.
    #[inline(always)]
    pub(super) fn count_arriving(
        &mut self,
        from: usize,
        except: Option<u32>,
        until: usize,
        classes: impl Classes,
    ) {
        let k = classes.n();
        let rows = &self.problem.pool.rows;
        let covers = self.problem.covers();
        let Trial { leaving, arriving, n_arriving, free, .. } = &mut self.trial;
        let except_cover = except.map(|candidate| covers.get(candidate as usize));
        free.copy_from(rows.blocks(), &self.captures[from], except_cover);
        let takers = Takers { covers, rules: &self.rules[from + 1..until] };
        let n = (takers.rules.len() + 1) * k;
        *n_arriving = n;
        let (taken, rest) = grown(arriving, n).split_at_mut(n - k);
        rows.hand_down(free, &takers, taken);
        rest.copy_from_slice(&self.counts[from * k..(from + 1) * k]);
        if except.is_some() {
            subtract(rest, &leaving[..k]);
        }
        taken.chunks_exact(k).for_each(|row| subtract(rest, row));
    }
}

/// The number of classes. Two classes get a copy of the code that knows they are two.
pub(super) trait Classes: Copy {
    fn n(self) -> usize;
}

#[derive(Clone, Copy)]
pub(super) struct Two;

impl Classes for Two {
    #[inline(always)]
    fn n(self) -> usize {
        2
    }
}

#[derive(Clone, Copy)]
pub(super) struct Many(pub(super) usize);

impl Classes for Many {
    #[inline(always)]
    fn n(self) -> usize {
        self.0
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

#[inline(always)]
pub(super) fn add(row: &mut [u64], other: &[u64]) {
    row.iter_mut().zip(other).for_each(|(n, other)| *n += other);
}

#[inline(always)]
pub(super) fn subtract(row: &mut [u64], other: &[u64]) {
    row.iter_mut().zip(other).for_each(|(n, other)| *n -= other);
}
