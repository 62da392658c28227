//! What a rule list is worth, and which lists are admissible.
//!
//! Everything that scores, samples or improves lists uses this. To add
//! - another prior: give `Prior` (`prior.rs`) the new terms. Three files rely on what it is like: `list/prior_delta.rs` (tabled
//!   differences while the order of the rules does not matter), `certify/prices.rs` (prices grow as candidates are used up) and
//!   `bounds.rs` (Theorem 1: a Poisson number of rules);
//! - another kind of outcome: see `leaf/mod.rs`;
//! - a constraint on what rules capture: see `admission.rs`.

use super::admission::Admission;
use crate::leaf::LeafFamily;
use crate::posterior::{Posterior, Score};
use crate::prior::Prior;

/// The log posterior, restricted to admissible lists.
#[derive(Debug, Clone)]
pub struct Objective {
    posterior: Posterior,
    admission: Admission,
}

impl Objective {
    /// Only these lists are admissible.
    pub fn new(posterior: Posterior, admission: Admission) -> Self {
        Objective { posterior, admission }
    }

    /// The posterior without the restriction.
    pub fn posterior(&self) -> &Posterior {
        &self.posterior
    }

    /// Which lists are admissible.
    #[inline(always)]
    pub fn admission(&self) -> &Admission {
        &self.admission
    }

    /// The prior over lists.
    #[inline(always)]
    pub fn prior(&self) -> &Prior {
        &self.posterior.prior
    }

    /// What captured rows are worth.
    #[inline(always)]
    pub fn leaf(&self) -> &LeafFamily {
        &self.posterior.leaf
    }

    /// The most rules a list may have.
    pub fn max_length(&self) -> usize {
        self.admission.max_length
    }

    /// Whether lists of `n_rules` rules are admissible.
    #[inline(always)]
    pub fn admits(&self, n_rules: usize) -> bool {
        self.admission.admits_length(n_rules)
    }

    /// The same with other admissible lists.
    pub fn with_admission(&self, admission: Admission) -> Self {
        Objective { posterior: self.posterior.clone(), admission }
    }

    /// The same, with fewer admissible lists if `max_length` is smaller.
    pub fn limited_to(&self, max_length: usize) -> Self {
        self.with_admission(self.admission.with_max_length(self.max_length().min(max_length)))
    }

    /// The same, with lists of up to `n_rules` more rules admissible.
    pub fn relaxed_by(&self, n_rules: usize) -> Self {
        self.with_admission(self.admission.with_max_length(self.max_length().saturating_add(n_rules)))
    }

    /// What rules after a prefix, whose antecedents have these lengths and whose last rule captures rows with the sums `last`, add
    /// to the prefix's log posterior.
    pub fn after(&self, prefix: impl Iterator<Item = usize> + Clone, last: Option<&[u64]>) -> Self {
        Objective {
            admission: self.admission.after(self.leaf(), prefix.clone().count(), last),
            posterior: self.posterior.after(prefix),
        }
    }

    /// The score of a list whose antecedents have these lengths and whose rules, the default rule last, capture `counts`.
    pub fn score(&self, lengths: impl Iterator<Item = usize> + Clone, counts: &[u64]) -> Score {
        let score = self.posterior.score(lengths, counts);
        match self.admission.admits(self.leaf(), counts) {
            true => score,
            false => Score { log_likelihood: f64::NEG_INFINITY, ..score },
        }
    }
}
