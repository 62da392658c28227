//! Likelihood and log posterior of a rule list.

mod likelihood;

use crate::data::Rows;
use crate::error::Error;
use crate::hyperparameters::Hyperparameters;
use crate::prior::Prior;
use std::sync::Arc;

pub use likelihood::{log_marginal, BinaryLikelihood, Likelihood};

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

/// Prior and likelihood together.
#[derive(Debug, Clone)]
pub struct Posterior {
    /// The prior over lists.
    pub prior: Prior,
    /// The likelihood of class counts.
    pub likelihood: Arc<Likelihood>,
}

impl Posterior {
    /// For lists of a pool with `n_by_length[c]` antecedents of length `c` on these rows.
    pub fn new(hyperparameters: &Hyperparameters, n_by_length: &[u32], rows: &Rows) -> Result<Self, Error> {
        hyperparameters.check(rows.n_classes())?;
        Ok(Posterior {
            prior: Prior::new(hyperparameters, n_by_length),
            likelihood: Arc::new(Likelihood::new(&hyperparameters.alpha, rows.class_counts(), rows.unit())),
        })
    }

    /// What rules after a prefix, whose antecedents have these lengths, add to the prefix's log posterior.
    pub fn after(&self, prefix: impl Iterator<Item = usize>) -> Self {
        Posterior { prior: self.prior.after(prefix), ..self.clone() }
    }

    /// The score of a list whose antecedents have these lengths and whose rules, the default last, capture `counts`
    /// (one row of class counts per rule).
    pub fn score(&self, lengths: impl Iterator<Item = usize> + Clone, counts: &[u64]) -> Score {
        let rows = counts.chunks_exact(self.likelihood.n_classes());
        Score {
            log_prior: self.prior.log_prior(lengths),
            log_likelihood: rows.map(|row| self.likelihood.log_marginal(row)).sum(),
        }
    }
}
