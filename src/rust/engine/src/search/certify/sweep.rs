//! One pass over all candidates: what each captures of the rows that a prefix leaves, and what it leaves to others.

use super::table::ProofTable;
use crate::error::Error;
use crate::leaf::{Leaf, TwoClasses};
use crate::memory;

/// Counts and log marginals by candidate; the memory is used again.
#[derive(Debug)]
pub struct Sweep {
    /// Counts by group of rows: of all rows, and of each candidate.
    pub total: Vec<u64>,
    pub groups: Vec<u64>,
    /// Class counts, likewise.
    pub total_classes: Vec<u64>,
    pub classes: Vec<u64>,
    /// What the mixed patterns cost, of all rows and by candidate.
    pub total_cost: f64,
    pub costs: Vec<f64>,
    /// log f of the rows that a candidate captures, and of those that it leaves.
    pub captured: Vec<f64>,
    pub left: Vec<f64>,
    /// B4 for the rows that it leaves.
    pub separated: Vec<f64>,
}

impl Sweep {
    pub fn new(table: &ProofTable<'_>) -> Result<Self, Error> {
        let (n, k) = (table.lengths.len(), table.n_classes());
        Ok(Sweep {
            total: vec![0; table.n_groups()],
            groups: memory::filled(0, n * table.n_groups())?,
            total_classes: vec![0; k],
            classes: memory::filled(0, n * k)?,
            total_cost: 0.0,
            costs: memory::filled(0.0, n)?,
            captured: memory::filled(0.0, n)?,
            left: memory::filled(0.0, n)?,
            separated: memory::filled(0.0, n)?,
        })
    }

    /// Count every candidate on `rows`.
    pub fn run(&mut self, table: &ProofTable<'_>, rows: &[u64]) {
        table.rows.count_and(rows, rows, &mut self.total);
        table.rows.count_each(rows, table.covers.words(), &mut self.groups);
        table.by_class(&self.total, &mut self.total_classes);
        self.total_cost = table.mixed_cost(&self.total);
        match table.two_classes() {
            Some(two) => self.score_two(two, table),
            None => self.score_all(table),
        }
    }

    /// Class counts of pure patterns of candidate `index`, for two classes.
    #[inline(always)]
    pub fn pure(&self, table: &ProofTable<'_>, index: usize) -> [u64; 2] {
        let groups = &self.groups[index * table.n_groups()..];
        [groups[0], groups[table.costs().len()]]
    }

    /// Whether candidate `index` captures nothing, or everything.
    #[inline(always)]
    pub fn is_empty(&self, table: &ProofTable<'_>, index: usize) -> bool {
        self.classes[index * table.n_classes()..][..table.n_classes()].iter().all(|&n| n == 0)
    }

    #[inline(always)]
    pub fn is_whole(&self, table: &ProofTable<'_>, index: usize) -> bool {
        self.classes[index * table.n_classes()..][..table.n_classes()] == self.total_classes
    }

    fn score_two(&mut self, f: TwoClasses<'_>, table: &ProofTable<'_>) {
        let (n_levels, n_groups) = (table.costs().len(), table.n_groups());
        let all = [self.total_classes[0], self.total_classes[1]];
        let all_pure = [self.total[0], self.total[n_levels]];
        for (index, groups) in self.groups.chunks_exact(n_groups).enumerate() {
            let pure = [groups[0], groups[n_levels]];
            let mut own = pure;
            let mut cost = 0.0;
            if n_levels > 1 {
                let (zero, one) = groups.split_at(n_levels);
                own = [zero.iter().sum(), one.iter().sum()];
                cost = table.mixed_cost(groups);
            }
            self.classes[2 * index..2 * index + 2].copy_from_slice(&own);
            self.costs[index] = cost;
            self.captured[index] = f.log_marginal(own);
            self.left[index] = f.log_marginal([all[0] - own[0], all[1] - own[1]]);
            self.separated[index] = f.log_marginal([all_pure[0] - pure[0], 0])
                + f.log_marginal([0, all_pure[1] - pure[1]])
                - (self.total_cost - cost);
        }
    }

    fn score_all(&mut self, table: &ProofTable<'_>) {
        let (k, n_levels, n_groups) = (table.n_classes(), table.costs().len(), table.n_groups());
        let leaf = table.leaf;
        let mut left = vec![0; k];
        for (index, groups) in self.groups.chunks_exact(n_groups).enumerate() {
            let own = &mut self.classes[index * k..(index + 1) * k];
            table.by_class(groups, own);
            left.iter_mut()
                .zip(&self.total_classes)
                .zip(&*own)
                .for_each(|((left, all), own)| *left = all - own);
            self.costs[index] = table.mixed_cost(groups);
            self.captured[index] = leaf.log_marginal(own);
            self.left[index] = leaf.log_marginal(&left);
            let pure = (0..k).map(|class| self.total[class * n_levels] - groups[class * n_levels]);
            let pure = pure.enumerate().map(|(class, n)| leaf.log_marginal_pure(class, n));
            self.separated[index] = pure.sum::<f64>() - (self.total_cost - self.costs[index]);
        }
    }
}
