//! The leaf of each kind of outcome.

use super::classes::DirichletMultinomial;
use super::contract::Leaf;
use super::two_classes::TwoClasses;

/// The leaf of each kind of outcome.
#[derive(Debug, Clone)]
pub enum LeafFamily {
    /// Classes: counts with a Dirichlet prior.
    Classes(DirichletMultinomial),
}

impl LeafFamily {
    /// The member.
    pub fn as_leaf(&self) -> &dyn Leaf {
        match self {
            LeafFamily::Classes(leaf) => leaf,
        }
    }

    /// Counts of classes, if that is what the sums are.
    pub fn classes(&self) -> Option<&DirichletMultinomial> {
        match self {
            LeafFamily::Classes(leaf) => Some(leaf),
        }
    }

    /// log f of the rows with these sums.
    #[inline]
    pub fn log_marginal(&self, sums: &[u64]) -> f64 {
        match self {
            LeafFamily::Classes(leaf) => leaf.log_marginal(sums),
        }
    }

    /// See [`Leaf::n_sums`].
    pub fn n_sums(&self) -> usize {
        self.as_leaf().n_sums()
    }

    /// See [`Leaf::two_classes`].
    #[inline]
    pub fn two_classes(&self) -> Option<TwoClasses<'_>> {
        match self {
            LeafFamily::Classes(leaf) => leaf.two_classes(),
        }
    }
}
