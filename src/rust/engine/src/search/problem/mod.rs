//! What is searched: the candidates, what a list of them is worth, and how sets of rows are stored.

pub mod admission;
pub mod objective;
pub mod row_patterns;
pub mod row_sets;

use crate::control::Control;
use crate::error::Error;
use crate::hyperparameters::Hyperparameters;
use crate::memory;
use crate::mine::Pool;
use crate::model::captured_counts;
use crate::posterior::{Posterior, Score};
use admission::Admission;
use objective::Objective;
use row_sets::RowSets;
use std::sync::Arc;

/// Scores further apart than this differ; closer ones may differ by rounding only.
pub const ROUNDING: f64 = 1e-6;

/// A smaller gain is rounding, not a better list.
pub const MIN_GAIN: f64 = 1e-9;

/// Candidates examined between two checks for cancellation.
pub const CHUNK: u32 = 64;

/// Bytes of everything small that a search allocates.
pub const SMALL_ALLOCATIONS: usize = 1 << 18;

/// A list with its score.
#[derive(Debug, Clone)]
pub struct CountedList {
    /// The candidates in it, in order.
    pub rules: Vec<u32>,
    /// Captured rows per rule and class, the default rule's last.
    pub counts: Vec<u64>,
    /// Its score.
    pub score: Score,
}

/// Candidates and objective. Clones share the candidates.
#[derive(Debug, Clone)]
pub struct Problem {
    /// The candidates, and the rows they cover.
    pub pool: Arc<Pool>,
    /// What lists of them are worth.
    pub objective: Objective,
    row_sets: Arc<RowSets>,
}

impl Problem {
    /// All lists of candidates in `pool` are admissible.
    pub fn new(pool: Pool, hyperparameters: &Hyperparameters) -> Result<Self, Error> {
        Problem::prepare(pool, hyperparameters, usize::MAX, &Control::default())
    }

    /// Lists of at most `max_length` rules are admissible. Fails if cancelled.
    pub fn prepare(
        pool: Pool,
        hyperparameters: &Hyperparameters,
        max_length: usize,
        control: &Control,
    ) -> Result<Self, Error> {
        memory::check_room(table_bytes(&pool))?;
        let posterior = Posterior::new(hyperparameters, &pool.n_by_length(), &pool.rows)?;
        Problem::with_objective(pool, Objective::new(posterior, Admission::of_length(max_length)), control)
    }

    /// The same with a given objective.
    pub(super) fn with_objective(pool: Pool, objective: Objective, control: &Control) -> Result<Self, Error> {
        let row_sets = RowSets::choose(&pool, objective.leaf(), control);
        match control.is_cancelled() {
            true => Err(Error::Cancelled),
            false => Ok(Problem { pool: Arc::new(pool), objective, row_sets: Arc::new(row_sets) }),
        }
    }

    /// The same candidates, but only lists of at most `max_length` rules.
    pub fn limited_to(&self, max_length: usize) -> Self {
        Problem { objective: self.objective.limited_to(max_length), ..self.clone() }
    }

    /// The same candidates, and lists of up to `n_rules` more rules.
    pub fn relaxed_by(&self, n_rules: usize) -> Self {
        Problem { objective: self.objective.relaxed_by(n_rules), ..self.clone() }
    }

    /// The same candidates, but only lists that are admissible by what they capture.
    pub fn with_admission(&self, admission: Admission) -> Self {
        Problem { objective: self.objective.with_admission(admission), ..self.clone() }
    }

    /// The same rows and candidates, and another leaf.
    #[cfg(any(test, feature = "naive"))]
    pub fn with_leaf(&self, leaf: crate::leaf::LeafFamily) -> Self {
        let posterior = Posterior { leaf: Arc::new(leaf), ..self.objective.posterior().clone() };
        let objective = Objective::new(posterior, *self.objective.admission());
        let row_sets = RowSets::choose(&self.pool, objective.leaf(), &Control::default());
        Problem { pool: self.pool.clone(), objective, row_sets: Arc::new(row_sets) }
    }

    /// Whether what `rules` capture is admissible. Nothing is counted where it always is.
    pub fn admits_captures(&self, rules: &[u32]) -> bool {
        !self.objective.admission().is_shaped() || self.score(rules).0.log_likelihood > f64::NEG_INFINITY
    }

    /// How sets of rows are stored.
    #[inline(always)]
    pub fn row_sets(&self) -> &RowSets {
        &self.row_sets
    }

    /// The same problem with sets of rows stored in another way.
    #[cfg(any(test, feature = "naive"))]
    pub fn with_row_sets(&self, row_sets: RowSets) -> Self {
        Problem { row_sets: Arc::new(row_sets), ..self.clone() }
    }

    /// The number of classes.
    #[inline(always)]
    pub fn n_classes(&self) -> usize {
        self.pool.rows.n_classes()
    }

    /// The antecedent length of a candidate.
    #[inline(always)]
    pub fn length(&self, candidate: u32) -> usize {
        self.pool.length(candidate as usize)
    }

    /// Score a list from scratch; also the class counts that its rules capture, the default rule's last.
    pub fn score(&self, rules: &[u32]) -> (Score, Vec<u64>) {
        let covers = rules.iter().map(|&rule| self.pool.covers.column(rule as usize));
        let counts = captured_counts(&self.pool.rows, covers);
        (self.objective.score(rules.iter().map(|&rule| self.length(rule)), &counts), counts)
    }

    /// The list `rules` with its score and counts.
    pub fn count(&self, rules: Vec<u32>) -> CountedList {
        let (score, counts) = self.score(&rules);
        CountedList { rules, counts, score }
    }

    /// The log prior of a list, rule by rule.
    pub fn log_prior(&self, rules: &[u32]) -> f64 {
        self.objective.prior().log_prior(rules.iter().map(|&rule| self.length(rule)))
    }

    /// The log posterior of a list, from scratch.
    pub fn log_posterior(&self, rules: &[u32]) -> f64 {
        self.score(rules).0.log_posterior()
    }
}

/// Most bytes that prior, likelihood and the sets of rows take: tables of logarithms, and up to 64 sets twice over while row
/// patterns are found.
pub fn table_bytes(pool: &Pool) -> usize {
    let n_logs = 3 * pool.rows.n_rows().min(1 << 20) + 8 * pool.len();
    let masks = pool.len() * (pool.rows.n_words() / 256 + 1);
    8usize.saturating_mul(n_logs + masks + 150 * pool.rows.n_words()).saturating_add(SMALL_ALLOCATIONS)
}
