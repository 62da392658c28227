//! The forms of a leaf that scoring is compiled for. Two classes are by far the most common: code generic over `Form` is compiled
//! once more for exactly two, whose counts stay in registers.

use super::family::LeafFamily;
use super::two_classes::{TwoClassTables, TwoClasses};

/// A leaf, and the type that has the sums of one.
pub(crate) trait Form: Copy {
    type Sums: AsRef<[u64]> + AsMut<[u64]> + Default;

    /// Number of sums.
    fn n(self) -> usize;

    /// No rows.
    fn zeros(self) -> Self::Sums;

    /// log f of `n()` sums.
    fn log_marginal(self, sums: &[u64]) -> f64;

    /// The same form with its tables in local variables, for code that asks often.
    type Open: Form<Sums = Self::Sums>;
    fn open(self) -> Self::Open;
}

impl<'a> Form for TwoClassTables<'a> {
    type Sums = [u64; 2];
    type Open = TwoClasses<'a>;

    #[inline(always)]
    fn n(self) -> usize {
        2
    }

    #[inline(always)]
    fn zeros(self) -> [u64; 2] {
        [0; 2]
    }

    #[inline(always)]
    fn log_marginal(self, sums: &[u64]) -> f64 {
        TwoClassTables::open(self).log_marginal([sums[0], sums[1]])
    }

    #[inline(always)]
    fn open(self) -> TwoClasses<'a> {
        TwoClassTables::open(self)
    }
}

impl Form for TwoClasses<'_> {
    type Sums = [u64; 2];

    #[inline(always)]
    fn n(self) -> usize {
        2
    }

    #[inline(always)]
    fn zeros(self) -> [u64; 2] {
        [0; 2]
    }

    #[inline(always)]
    fn log_marginal(self, sums: &[u64]) -> f64 {
        TwoClasses::log_marginal(self, [sums[0], sums[1]])
    }

    type Open = Self;

    #[inline(always)]
    fn open(self) -> Self {
        self
    }
}

/// Any sums of any family.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AnySums<'a> {
    leaf: &'a LeafFamily,
    n: usize,
}

impl<'a> AnySums<'a> {
    pub(crate) fn of(leaf: &'a LeafFamily) -> Self {
        AnySums { leaf, n: leaf.n_sums() }
    }
}

impl Form for AnySums<'_> {
    type Sums = Vec<u64>;

    #[inline(always)]
    fn n(self) -> usize {
        self.n
    }

    fn zeros(self) -> Vec<u64> {
        vec![0; self.n]
    }

    #[inline(always)]
    fn log_marginal(self, sums: &[u64]) -> f64 {
        self.leaf.log_marginal(sums)
    }

    type Open = Self;

    #[inline(always)]
    fn open(self) -> Self {
        self
    }
}
