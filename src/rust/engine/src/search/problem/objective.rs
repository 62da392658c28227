//! What a rule list is worth, and which lists are admissible.
//!
//! Everything that scores, samples or improves lists uses this. To add
//! - another prior: give `Prior` (`prior.rs`) the new terms. Three files rely on what it is like: `list/prior_delta.rs` (tabled
//!   differences while the order of the rules does not matter), `certify/prices.rs` (prices grow as candidates are used up) and
//!   `bounds.rs` (Theorem 1: a Poisson number of rules);
//! - another kind of outcome: see `leaf/mod.rs`;
//! - a constraint: extend `admits()`, and check it where moves are drawn or offered.

use crate::leaf::LeafFamily;
use crate::posterior::{Posterior, Score};
use crate::prior::Prior;

/// The log posterior, restricted to admissible lists.
#[derive(Debug, Clone)]
pub struct Objective {
    posterior: Posterior,
    max_length: usize,
}

impl Objective {
    /// Lists of at most `max_length` rules are admissible.
    pub fn new(posterior: Posterior, max_length: usize) -> Self {
        Objective { posterior, max_length }
    }

    /// The posterior without the restriction.
    pub fn posterior(&self) -> &Posterior {
        &self.posterior
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
        self.max_length
    }

    /// Whether lists of `n_rules` rules are admissible.
    #[inline(always)]
    pub fn admits(&self, n_rules: usize) -> bool {
        n_rules <= self.max_length
    }

    /// The same, with fewer admissible lists if `max_length` is smaller.
    pub fn limited_to(&self, max_length: usize) -> Self {
        Objective { posterior: self.posterior.clone(), max_length: self.max_length.min(max_length) }
    }

    /// The same, with lists of up to `n_rules` more rules admissible.
    pub fn relaxed_by(&self, n_rules: usize) -> Self {
        Objective { posterior: self.posterior.clone(), max_length: self.max_length.saturating_add(n_rules) }
    }

    /// What rules after a prefix, whose antecedents have these lengths, add to the prefix's log posterior.
    pub fn after(&self, prefix: impl Iterator<Item = usize> + Clone) -> Self {
        Objective {
            max_length: self.max_length.saturating_sub(prefix.clone().count()),
            posterior: self.posterior.after(prefix),
        }
    }

    /// The score of a list whose antecedents have these lengths and whose rules, the default rule last, capture `counts`.
    pub fn score(&self, lengths: impl Iterator<Item = usize> + Clone, counts: &[u64]) -> Score {
        self.posterior.score(lengths, counts)
    }
}
