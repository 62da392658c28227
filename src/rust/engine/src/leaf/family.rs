//! The leaf of each kind of outcome.

use super::classes::DirichletMultinomial;
use super::contract::Leaf;
#[cfg(any(test, feature = "naive"))]
use super::rates::GammaRates;
use super::two_classes::{TwoClassTables, TwoClasses};

/// The leaf of each kind of outcome.
#[derive(Debug, Clone)]
pub enum LeafFamily {
    /// Classes: counts with a Dirichlet prior.
    Classes(DirichletMultinomial),
    /// Events and exposure, for tests.
    #[cfg(any(test, feature = "naive"))]
    Rates(GammaRates),
}

impl LeafFamily {
    /// The member.
    pub fn as_leaf(&self) -> &dyn Leaf {
        match self {
            LeafFamily::Classes(leaf) => leaf,
            #[cfg(any(test, feature = "naive"))]
            LeafFamily::Rates(leaf) => leaf,
        }
    }

    /// Counts of classes, if that is what the sums are: the bounds of proofs are about nothing else.
    #[inline(always)]
    pub fn classes(&self) -> Option<&DirichletMultinomial> {
        match self {
            LeafFamily::Classes(leaf) => Some(leaf),
            #[cfg(any(test, feature = "naive"))]
            LeafFamily::Rates(_) => None,
        }
    }

    /// log f of the rows with these sums; known here, so that counts of classes need no call through a table.
    #[inline]
    pub fn log_marginal(&self, sums: &[u64]) -> f64 {
        match self {
            LeafFamily::Classes(leaf) => leaf.log_marginal(sums),
            #[cfg(any(test, feature = "naive"))]
            LeafFamily::Rates(leaf) => leaf.log_marginal(sums),
        }
    }

    /// See [`Leaf::two_classes`].
    #[inline]
    pub fn two_classes(&self) -> Option<TwoClasses<'_>> {
        self.classes().and_then(DirichletMultinomial::two_classes)
    }

    /// What the form of exactly two classes is made from.
    #[inline(always)]
    pub(crate) fn two_class_tables(&self) -> Option<TwoClassTables<'_>> {
        self.classes().and_then(DirichletMultinomial::two_class_tables)
    }

    /// See [`Leaf::n_sums`].
    #[inline]
    pub fn n_sums(&self) -> usize {
        match self {
            LeafFamily::Classes(leaf) => leaf.n_sums(),
            #[cfg(any(test, feature = "naive"))]
            LeafFamily::Rates(leaf) => leaf.n_sums(),
        }
    }

    /// See [`Leaf::stops_early`].
    #[inline]
    pub fn stops_early(&self) -> bool {
        match self {
            LeafFamily::Classes(leaf) => leaf.stops_early(),
            #[cfg(any(test, feature = "naive"))]
            LeafFamily::Rates(leaf) => leaf.stops_early(),
        }
    }
}
