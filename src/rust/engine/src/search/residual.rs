//! What a prefix leaves: the rows that it does not capture, packed together, and candidates that differ on them.
//!
//! One candidate represents all that cover the same of these rows, and columns are shorter, so searching what is left costs far
//! less than searching the whole problem. [`ResidualProblem`] is a problem of its own, whose lists are scored by what they add to the
//! prefix. [`Residual`] has what exact searches need, which go from prefix to prefix: counts, and the candidates in order.

use super::problem::Problem;
use crate::bitset::distinct::DistinctColumns;
use crate::bitset::{clear_covered, without, BitColumns};
use crate::control::Control;
use crate::data::Rows;
use crate::error::Error;
use crate::memory;
use crate::mine::Pool;
use crate::model::Antecedents;

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
        let mut last = vec![0; problem.n_classes()];
        for (&rule, n_after) in prefix.iter().zip((0..prefix.len()).rev()) {
            let cover = pool.covers.column(rule as usize);
            if n_after == 0 {
                pool.rows.count_and(&uncaptured, cover, &mut last);
            }
            clear_covered(&mut uncaptured, cover);
        }
        let last = (!prefix.is_empty()).then_some(&last[..]);
        let (rows, selection) = pool.rows.only(&uncaptured, control)?;
        let objective = problem.objective.after(prefix.iter().map(|&rule| problem.length(rule)), last);
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
            let index = covers.insert(&cover, 0)?;
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

/// Rows left and candidates, one for each column and length.
///
/// **B10 (representatives).** Two candidates of one length that cover the same of these rows are worth the same from here on, so
/// the one with the smaller number is enough; candidates that cover none or all of the rows are not part of a best list. This
/// holds where no length is used up and no empty rule pays (`Prices::is_plain` in `certify/`), and only then.
#[derive(Debug)]
pub struct Residual {
    /// The rows, packed.
    pub rows: Rows,
    /// The candidates' covers.
    pub covers: BitColumns,
    /// The candidates, in increasing order.
    pub candidates: Vec<u32>,
    /// Counts by group of rows of each candidate.
    pub counts: Vec<u64>,
    /// The same of all rows.
    pub total: Vec<u64>,
}

impl Residual {
    /// All rows; `lengths` are those of the candidates.
    pub fn whole(
        rows: &Rows,
        covers: &BitColumns,
        lengths: &[usize],
        control: &Control,
    ) -> Result<Self, Error> {
        control.check_deadline();
        control.check_unfinished()?;
        let candidates = memory::collect(0..lengths.len() as u32)?;
        Residual::of((rows, covers), &candidates, rows.all(), lengths, control)
    }

    /// What is left after candidate `index`.
    pub fn after(&self, index: usize, lengths: &[usize], control: &Control) -> Result<Self, Error> {
        let kept = memory::collect(without(self.rows.all(), self.covers.column(index)))?;
        Residual::of((&self.rows, &self.covers), &self.candidates, &kept, lengths, control)
    }

    fn of(
        (rows, covers): (&Rows, &BitColumns),
        candidates: &[u32],
        kept: &[u64],
        lengths: &[usize],
        control: &Control,
    ) -> Result<Self, Error> {
        let total = rows.count(kept);
        let mut all_counts = memory::filled(0, candidates.len() * total.len())?;
        rows.count_each(kept, covers.words(), &mut all_counts);
        let (rows, selection) = rows.only(kept, control)?;
        let mut distinct = DistinctColumns::new(rows.n_words());
        let (mut chosen, mut counts) = (Vec::new(), Vec::new());
        for (index, own) in all_counts.chunks_exact(total.len()).enumerate() {
            if own.iter().all(|&n| n == 0) || own == total {
                continue;
            }
            let (candidate, cover) = (candidates[index], selection.pack(covers.column(index)));
            if distinct.insert(&cover, lengths[candidate as usize])? == chosen.len() {
                memory::push(&mut chosen, candidate)?;
                memory::extend_from_slice(&mut counts, own)?;
            }
        }
        Ok(Residual { rows, covers: distinct.finish()?, candidates: chosen, counts, total })
    }

    /// The group counts of candidate `index`.
    pub fn counts(&self, index: usize) -> &[u64] {
        &self.counts[index * self.total.len()..(index + 1) * self.total.len()]
    }

    /// The covers of the candidates in another order.
    pub fn reordered(&self, order: &[usize]) -> Result<BitColumns, Error> {
        let mut covers = BitColumns::zeroed(order.len(), self.covers.n_words())?;
        for (to, &from) in order.iter().enumerate() {
            covers.column_mut(to).copy_from_slice(self.covers.column(from));
        }
        Ok(covers)
    }
}
