//! The number of classes. Two classes get a copy of the code that knows they are two.

use crate::posterior::{BinaryLikelihood, Likelihood};

/// How many classes there are, and what rows per class and their likelihood are kept in.
pub(super) trait Classes: Copy {
    type Counts: AsRef<[u64]> + AsMut<[u64]>;
    type Tables<'a>: Copy;

    fn n(self) -> usize;
    fn zeros(self) -> Self::Counts;
    fn tables(self, likelihood: &Likelihood) -> Self::Tables<'_>;
    fn log_marginal(tables: Self::Tables<'_>, counts: &Self::Counts) -> f64;

    /// Room for the counts of a move, out of `kept` if they would have to be allocated.
    fn borrow(self, kept: &mut Option<Hands<Vec<u64>>>) -> Hands<Self::Counts>;
    fn give_back(hands: Hands<Self::Counts>, kept: &mut Option<Hands<Vec<u64>>>);
}

/// Rows per class that change hands.
#[derive(Debug, Clone, Default)]
pub(super) struct Hands<C> {
    /// Taken so far by the rule that comes in or up.
    pub(super) taken: C,
    /// Still on their way down.
    pub(super) free: C,
    /// What the position at hand gives or gets, and what it will have.
    pub(super) given: C,
    pub(super) row: C,
}

#[derive(Clone, Copy)]
pub(super) struct Two;

impl Classes for Two {
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
    fn borrow(self, _: &mut Option<Hands<Vec<u64>>>) -> Hands<[u64; 2]> {
        Hands::default()
    }

    #[inline(always)]
    fn give_back(_: Hands<[u64; 2]>, _: &mut Option<Hands<Vec<u64>>>) {}
}

#[derive(Clone, Copy)]
pub(super) struct Many(pub(super) usize);

impl Classes for Many {
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

    fn borrow(self, kept: &mut Option<Hands<Vec<u64>>>) -> Hands<Vec<u64>> {
        let mut hands = kept.take().unwrap_or_else(|| Hands {
            taken: self.zeros(),
            free: self.zeros(),
            given: self.zeros(),
            row: self.zeros(),
        });
        hands.taken.fill(0);
        hands
    }

    fn give_back(hands: Hands<Vec<u64>>, kept: &mut Option<Hands<Vec<u64>>>) {
        *kept = Some(hands);
    }
}

#[inline(always)]
pub(super) fn add(row: &mut [u64], other: &[u64]) {
    row.iter_mut().zip(other).for_each(|(n, other)| *n += other);
}

#[inline(always)]
pub(super) fn subtract(row: &mut [u64], other: &[u64]) {
    row.iter_mut().zip(other).for_each(|(n, other)| *n -= other);
}
