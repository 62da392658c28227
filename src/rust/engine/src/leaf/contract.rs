//! What every leaf offers; explained at the top of `mod.rs`.

use super::two_classes::TwoClasses;

/// What the rows of a leaf are worth, from sums over them; the contract is at the top of `leaf/mod.rs`.
pub trait Leaf {
    /// Number of sums, the segments of `Rows`.
    fn n_sums(&self) -> usize;

    /// log f of the rows with these sums.
    fn log_marginal(&self, sums: &[u64]) -> f64;

    /// What a leaf predicts, number `which` of its predictions where there are several: the double that a model gives. Ordered
    /// lists compare it.
    fn estimate(&self, which: usize, sums: &[u64]) -> f64;

    /// How many rows there are, or their weight in units.
    fn n_rows(&self, sums: &[u64]) -> u64 {
        sums.iter().sum()
    }

    /// Whether log marginals are at most 0 and do not increase as rows are added.
    fn stops_early(&self) -> bool {
        true
    }

    /// What the log likelihood of every list of all rows has on top of its log marginals.
    fn offset(&self) -> f64 {
        0.0
    }

    /// An upper bound: no division of rows with these sums into leaves has log marginals that add up to more.
    fn log_divided(&self, _sums: &[u64]) -> f64 {
        if self.stops_early() {
            0.0
        } else {
            f64::INFINITY
        }
    }

    /// ℓ*, the maximum log likelihood of rows with these sums: it is subadditive and at least their log marginal.
    fn log_maximum(&self, _sums: &[u64]) -> Option<f64> {
        None
    }

    /// The form for the counts of exactly two classes, which most of the fast code is compiled for.
    fn two_classes(&self) -> Option<TwoClasses<'_>> {
        None
    }
}
