//! The log posterior of a rule list.

use crate::data::Rows;
use crate::error::Error;
use crate::hyperparameters::Hyperparameters;
use crate::leaf::{DirichletMultinomial, LeafFamily};
use crate::prior::Prior;
use std::sync::Arc;

/// The score of a rule list, on the log scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// log p(d | A, λ, η).
    pub log_prior: f64,
    /// log p(y | x, d, α).
    pub log_likelihood: f64,
}

impl Score {
    /// Their sum: the unnormalised log posterior.
    pub fn log_posterior(&self) -> f64 {
        self.log_prior + self.log_likelihood
    }
}

/// Prior and leaf together.
#[derive(Debug, Clone)]
pub struct Posterior {
    /// The prior over lists.
    pub prior: Prior,
    /// What the rows of a leaf are worth.
    pub leaf: Arc<LeafFamily>,
}

impl Posterior {
    /// For lists of a pool with `n_by_length[c]` antecedents of length `c` on these rows.
    pub fn new(hyperparameters: &Hyperparameters, n_by_length: &[u32], rows: &Rows) -> Result<Self, Error> {
        hyperparameters.check(rows.n_classes())?;
        let leaf = DirichletMultinomial::new(&hyperparameters.alpha, rows.class_counts(), rows.unit());
        Ok(Posterior {
            prior: Prior::new(hyperparameters, n_by_length),
            leaf: Arc::new(LeafFamily::Classes(leaf)),
        })
    }

    /// What rules after a prefix, whose antecedents have these lengths, add to the prefix's log posterior.
    pub fn after(&self, prefix: impl Iterator<Item = usize>) -> Self {
        Posterior { prior: self.prior.after(prefix), ..self.clone() }
    }

    /// The score of a list whose antecedents have these lengths and whose rules, the default last, capture `counts`
    /// (one row of class counts per rule).
    pub fn score(&self, lengths: impl Iterator<Item = usize> + Clone, counts: &[u64]) -> Score {
        let rows = counts.chunks_exact(self.leaf.n_sums());
        Score {
            log_prior: self.prior.log_prior(lengths),
            log_likelihood: rows.map(|row| self.leaf.log_marginal(row)).sum(),
        }
    }
}
