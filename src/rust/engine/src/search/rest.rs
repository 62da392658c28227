//! What a prefix leaves: the problem of the best rules for the rows it does not capture.
//!
//! Its rows lie close together, and of candidates that cover the same of them one is enough, so a search in it costs far less
//! than in the whole. Its lists are scored by what they add to the prefix.

use super::Problem;
use crate::bitset::distinct::DistinctColumns;
use crate::control::Control;
use crate::error::Error;
use crate::memory;
use crate::mine::Pool;
use crate::model::Antecedents;
use crate::posterior::Posterior;

/// The problem that is left.
#[derive(Debug, Clone)]
pub struct Rest {
    pub problem: Problem,
    prefix: Vec<u32>,
    /// The candidate behind each one of the smaller problem.
    candidates: Vec<u32>,
    /// The one of the smaller problem that covers the same rows as each candidate; none if that is no row.
    stands_for: Vec<Option<u32>>,
}

impl Rest {
    pub fn new(problem: &Problem, prefix: &[u32], control: &Control) -> Result<Self, Error> {
        control.check_unfinished()?;
        let pool = &problem.pool;
        let mut free = memory::copied(pool.rows.all())?;
        for &rule in prefix {
            free.iter_mut().zip(pool.covers.column(rule as usize)).for_each(|(free, cover)| *free &= !cover);
        }
        let (rows, selection) = pool.rows.only(&free, control)?;
        let prior = problem.posterior.prior.after(prefix.iter().map(|&rule| pool.length(rule as usize)));
        // the one that the prior likes best stands for all that cover the same rows
        let likes = |candidate: u32| prior.log_rule_unexhausted(pool.length(candidate as usize), 0);
        let mut covers = DistinctColumns::new(rows.n_words());
        let (mut candidates, mut stands_for) = (Vec::new(), vec![None; pool.len()]);
        for candidate in (0..pool.len() as u32).filter(|candidate| !prefix.contains(candidate)) {
            control.check_unfinished()?;
            let cover = selection.pack(pool.covers.column(candidate as usize));
            if cover.iter().all(|&word| word == 0) {
                continue;
            }
            let index = covers.insert(&cover)?;
            if index == candidates.len() {
                candidates.push(candidate);
            } else if likes(candidate) > likes(candidates[index]) {
                candidates[index] = candidate;
            }
            stands_for[candidate as usize] = Some(index as u32);
        }
        let mut antecedents = Antecedents::default();
        for &candidate in &candidates {
            antecedents.push(pool.antecedents.get(candidate as usize))?;
        }
        let posterior = Posterior { prior, ..problem.posterior.clone() };
        let problem = Problem::of(Pool::of(rows, antecedents, covers.finish()?), posterior, control)?;
        Ok(Rest { problem, prefix: prefix.to_vec(), candidates, stands_for })
    }

    /// The whole list whose rules after the prefix are `rules` of the smaller problem.
    pub fn whole(&self, rules: &[u32]) -> Vec<u32> {
        let rest = rules.iter().map(|&rule| self.candidates[rule as usize]);
        self.prefix.iter().copied().chain(rest).collect()
    }

    /// What `rules` become in the smaller problem; those that cover nothing there, or the same as an earlier one, are left out.
    pub fn within(&self, rules: &[u32]) -> Vec<u32> {
        let mut within = Vec::new();
        for rule in rules.iter().filter_map(|&rule| self.stands_for[rule as usize]) {
            if !within.contains(&rule) {
                within.push(rule);
            }
        }
        within
    }
}
