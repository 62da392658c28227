//! Rows per class. Two classes are by far the most common: code generic over `Classes` is compiled once more for exactly two,
//! whose counts stay in registers.

use crate::posterior::{BinaryLikelihood, Likelihood};

/// The number of classes, and the types that hold counts per class and their likelihood.
pub(super) trait Classes: Copy {
    type Counts: AsRef<[u64]> + AsMut<[u64]>;
    type Tables<'a>: Copy;

    fn n(self) -> usize;
    fn zeros(self) -> Self::Counts;
    fn tables(self, likelihood: &Likelihood) -> Self::Tables<'_>;
    fn log_marginal(tables: Self::Tables<'_>, counts: &Self::Counts) -> f64;

    /// Buffers for the counts of one move, reusing `kept` if they are on the heap.
    fn borrow(self, kept: &mut Option<Transfer<Vec<u64>>>) -> Transfer<Self::Counts>;
    fn give_back(transfer: Transfer<Self::Counts>, kept: &mut Option<Transfer<Vec<u64>>>);
}

/// Class counts that one move transfers between rules.
#[derive(Debug, Clone, Default)]
pub(super) struct Transfer<C> {
    /// Captured by the rule that is inserted: so far, or still to come (see `delta.rs`).
    pub(super) inserted: C,
    /// Released and not yet captured again.
    pub(super) released: C,
    /// Moved away from or to the current position.
    pub(super) moved: C,
    /// Left at the current position after the move.
    pub(super) remaining: C,
}

#[derive(Clone, Copy)]
pub(super) struct Binary;

impl Classes for Binary {
    type Counts = [u64; 2];
    type Tables<'a> = BinaryLikelihood<'a>;

    #[inline(always)]
    fn n(self) -> usize {
        2
    }

    #[inline(always)]
    fn zeros(self) -> [u64; 2] {
        [0; 2]
    }

    #[inline(always)]
    fn tables(self, likelihood: &Likelihood) -> BinaryLikelihood<'_> {
        likelihood.binary()
    }

    #[inline(always)]
    fn log_marginal(tables: BinaryLikelihood<'_>, counts: &[u64; 2]) -> f64 {
        tables.log_marginal(*counts)
    }

    #[inline(always)]
    fn borrow(self, _: &mut Option<Transfer<Vec<u64>>>) -> Transfer<[u64; 2]> {
        Transfer::default()
    }

    #[inline(always)]
    fn give_back(_: Transfer<[u64; 2]>, _: &mut Option<Transfer<Vec<u64>>>) {}
}

#[derive(Clone, Copy)]
pub(super) struct Multiclass(pub(super) usize);

impl Classes for Multiclass {
    type Counts = Vec<u64>;
    type Tables<'a> = &'a Likelihood;

    #[inline(always)]
    fn n(self) -> usize {
        self.0
    }

    fn zeros(self) -> Vec<u64> {
        vec![0; self.0]
    }

    #[inline(always)]
    fn tables(self, likelihood: &Likelihood) -> &Likelihood {
        likelihood
    }

    #[inline(always)]
    fn log_marginal(tables: &Likelihood, counts: &Vec<u64>) -> f64 {
        tables.log_marginal(counts)
    }

    fn borrow(self, kept: &mut Option<Transfer<Vec<u64>>>) -> Transfer<Vec<u64>> {
        let mut transfer = kept.take().unwrap_or_else(|| Transfer {
            inserted: self.zeros(),
            released: self.zeros(),
            moved: self.zeros(),
            remaining: self.zeros(),
        });
        transfer.inserted.fill(0);
        transfer
    }

    fn give_back(transfer: Transfer<Vec<u64>>, kept: &mut Option<Transfer<Vec<u64>>>) {
        *kept = Some(transfer);
    }
}

#[inline(always)]
pub(super) fn add(counts: &mut [u64], other: &[u64]) {
    counts.iter_mut().zip(other).for_each(|(n, other)| *n += other);
}

#[inline(always)]
pub(super) fn subtract(counts: &mut [u64], other: &[u64]) {
    counts.iter_mut().zip(other).for_each(|(n, other)| *n -= other);
}
