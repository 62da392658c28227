//! The residual problem of a prefix: the best rules for the rows that it does not capture.
//!
//! Its rows are packed together, and one candidate represents all that cover the same of them, so searching it costs far less
//! than searching the whole problem. Its lists are scored by what they add to the prefix.

use crate::bitset::distinct::DistinctColumns;
use crate::control::Control;
use crate::error::Error;
use crate::memory;
use crate::mine::Pool;
use crate::model::Antecedents;
use crate::search::problem::Problem;

/// The residual problem, and how its candidates correspond to those of the full problem.
#[derive(Debug, Clone)]
pub struct ResidualProblem {
    /// Remaining rows, and candidates that cover some of them.
    pub problem: Problem,
    prefix: Vec<u32>,
    /// Per residual candidate: the full problem's candidate that it is.
    candidates: Vec<u32>,
    /// Per candidate of the full problem: the residual candidate that covers the same rows; none if it covers no row.
    representative: Vec<Option<u32>>,
}

impl ResidualProblem {
    /// The residual problem of `prefix`. Fails if cancelled, or if there is no memory for it.
    pub fn new(problem: &Problem, prefix: &[u32], control: &Control) -> Result<Self, Error> {
        control.check_unfinished()?;
        let pool = &problem.pool;
        let mut uncaptured = memory::copied(pool.rows.all())?;
        for &rule in prefix {
            let cover = pool.covers.column(rule as usize);
            uncaptured.iter_mut().zip(cover).for_each(|(row, cover)| *row &= !cover);
        }
        let (rows, selection) = pool.rows.only(&uncaptured, control)?;
        let objective = problem.objective.after(prefix.iter().map(|&rule| problem.length(rule)));
        // the most probable one under the prior represents all that cover the same rows
        let none = vec![0; objective.prior().n_by_length().len()];
        let prior_rank = |candidate: u32| objective.prior().log_price(problem.length(candidate), &none);
        let mut covers = DistinctColumns::new(rows.n_words());
        let (mut candidates, mut representative) = (Vec::new(), vec![None; pool.len()]);
        for candidate in (0..pool.len() as u32).filter(|candidate| !prefix.contains(candidate)) {
            control.check_unfinished()?;
            let cover = selection.pack(pool.covers.column(candidate as usize));
            if cover.iter().all(|&word| word == 0) {
                continue;
            }
            let index = covers.insert(&cover)?;
            if index == candidates.len() {
                candidates.push(candidate);
            } else if prior_rank(candidate) > prior_rank(candidates[index]) {
                candidates[index] = candidate;
            }
            representative[candidate as usize] = Some(index as u32);
        }
        let mut antecedents = Antecedents::default();
        for &candidate in &candidates {
            antecedents.push(pool.antecedents.get(candidate as usize))?;
        }
        let pool = Pool::of(rows, antecedents, covers.finish()?);
        let problem = Problem::with_objective(pool, objective, control)?;
        Ok(ResidualProblem { problem, prefix: prefix.to_vec(), candidates, representative })
    }

    /// The full list: the prefix, then `rules` of the residual problem.
    pub fn to_full(&self, rules: &[u32]) -> Vec<u32> {
        let suffix = rules.iter().map(|&rule| self.candidates[rule as usize]);
        self.prefix.iter().copied().chain(suffix).collect()
    }

    /// The residual candidates of `rules`, without those that cover no row or the same rows as an earlier one.
    pub fn to_residual(&self, rules: &[u32]) -> Vec<u32> {
        let mut residual = Vec::new();
        for rule in rules.iter().filter_map(|&rule| self.representative[rule as usize]) {
            if !residual.contains(&rule) {
                residual.push(rule);
            }
        }
        residual
    }
}
