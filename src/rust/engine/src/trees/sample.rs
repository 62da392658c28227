//! The training rows of trees, and which of them a tree sees.

use super::bins::{BinColumn, MAX_BINS};
use super::rows::TreeRows;
use crate::error::Error;
use crate::memory;
use crate::rng::{split_mix, ChainRng};

/// A tree learns from at most about this many rows: more would take time and not make it much better.
pub(super) const MAX_ROWS: usize = 30_000;

/// Levels with fewer rows than this, on average, are ordered by rows that the tree does not learn from: else a column with
/// very many levels would seem to predict the labels that gave it its order.
const MANY_ROWS: usize = 100;

/// Rows of the base rate that a level has in addition where levels are put in order.
const LEVEL_PRIOR: f64 = 5.0;

/// The rows in bins. Weights have the mean 1.
pub(super) struct Training<'a> {
    pub columns: Vec<BinColumn>,
    pub labels: &'a [u32],
    pub n_classes: usize,
    pub weights: Option<Vec<f64>>,
    /// The rows of each group, if there are groups.
    pub groups: Option<Vec<Vec<u32>>>,
    seed: u64,
}

impl<'a> Training<'a> {
    pub fn new(rows: &TreeRows<'a>, columns: Vec<BinColumn>, seed: u64) -> Result<Self, Error> {
        let n = rows.labels.len() as f64;
        let weights = match rows.weights {
            None => None,
            Some(weights) => {
                let largest = weights.iter().copied().fold(0.0, f64::max);
                let mean = weights.iter().map(|weight| weight / largest).sum::<f64>() / n;
                // none becomes 0
                let scaled = weights.iter().map(|weight| (weight / largest / mean).max(f64::MIN_POSITIVE));
                Some(memory::collect(scaled)?)
            }
        };
        let groups = rows.groups.map(members).transpose()?;
        // not the streams of the search
        let seed = split_mix(seed ^ 0x7472_6565);
        Ok(Training { columns, labels: rows.labels, n_classes: rows.n_classes, weights, groups, seed })
    }

    pub fn n_rows(&self) -> usize {
        self.labels.len()
    }

    /// Numbers that trees predict for each row: the positive class, or each of several.
    pub fn n_outputs(&self) -> usize {
        if self.n_classes == 2 {
            1
        } else {
            self.n_classes
        }
    }

    /// 1 if the row has the class of this output.
    pub fn has_class(&self, row: usize, output: usize) -> f64 {
        let class = if self.n_classes == 2 { 1 } else { output };
        f64::from(u8::from(self.labels[row] as usize == class))
    }

    pub fn weight(&self, row: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[row])
    }

    /// The share of the class of an output in these rows.
    pub fn base_rate(&self, output: usize, rows: impl Iterator<Item = usize>) -> f64 {
        let (mut of_class, mut all) = (0.0, 0.0);
        for row in rows {
            of_class += self.weight(row) * self.has_class(row, output);
            all += self.weight(row);
        }
        if all > 0.0 {
            of_class / all
        } else {
            0.0
        }
    }

    /// A random stream. Those of different trees differ.
    pub fn stream(&self, number: usize) -> ChainRng {
        ChainRng::new(self.seed, number as u64)
    }

    /// Deal the rows into folds. Each has its share of every class; the rows of a group are in the same one.
    pub fn deal(&self, n_folds: usize) -> Result<Vec<u8>, Error> {
        let mut rng = self.stream(0);
        let mut folds = memory::filled(0u8, self.n_rows())?;
        if let Some(groups) = &self.groups {
            for (place, &group) in shuffled(groups.len(), &mut rng)?.iter().enumerate() {
                for &row in &groups[group as usize] {
                    folds[row as usize] = (place % n_folds) as u8;
                }
            }
            return Ok(folds);
        }
        // the first fold of each class is another one, so that the folds of few rows are of about one size
        let mut next: Vec<usize> = (0..self.n_classes).collect();
        for row in shuffled(self.n_rows(), &mut rng)? {
            let place = &mut next[self.labels[row as usize] as usize];
            folds[row as usize] = (*place % n_folds) as u8;
            *place += 1;
        }
        Ok(folds)
    }

    /// Whether some columns have levels with few rows.
    pub fn has_sparse(&self) -> bool {
        self.columns.iter().any(|column| self.is_sparse(column))
    }

    fn is_sparse(&self, column: &BinColumn) -> bool {
        has_ranks(column) && self.n_rows() < MANY_ROWS * column.n_bins
    }

    /// The levels of each column without an order in that of their class rates: by all `rows`, or, where levels have few
    /// rows, by the `others`, from which the tree does not learn.
    pub fn ranks(&self, output: usize, rows: &[u32], others: &[u32]) -> Ranks {
        let mut ranks: Ranks = self
            .columns
            .iter()
            .map(|column| {
                (has_ranks(column) && !self.is_sparse(column)).then(|| self.rank_levels(column, output, rows))
            })
            .collect();
        self.rank_sparse(&mut ranks, output, others);
        ranks
    }

    /// Order the levels of columns whose levels have few rows anew.
    pub fn rank_sparse(&self, ranks: &mut Ranks, output: usize, others: &[u32]) {
        for (ranks, column) in ranks.iter_mut().zip(&self.columns) {
            if self.is_sparse(column) {
                *ranks = Some(self.rank_levels(column, output, others));
            }
        }
    }

    /// The rank of each bin.
    fn rank_levels(&self, column: &BinColumn, output: usize, rows: &[u32]) -> Box<[u8; MAX_BINS]> {
        let base = self.base_rate(output, rows.iter().map(|&row| row as usize));
        let mut sums = [[LEVEL_PRIOR * base, LEVEL_PRIOR]; MAX_BINS];
        for &row in rows {
            let (sum, weight) =
                (&mut sums[usize::from(column.bins[row as usize])], self.weight(row as usize));
            sum[0] += weight * self.has_class(row as usize, output);
            sum[1] += weight;
        }
        let mut order: Vec<usize> = (0..column.n_bins).collect();
        order.sort_by(|&a, &b| (sums[a][0] / sums[a][1]).total_cmp(&(sums[b][0] / sums[b][1])));
        let mut ranks = Box::new([0; MAX_BINS]);
        for (rank, &bin) in order.iter().enumerate() {
            ranks[bin] = rank as u8;
        }
        ranks
    }
}

/// The rank of each bin of columns without an order.
pub(super) type Ranks = Vec<Option<Box<[u8; MAX_BINS]>>>;

fn has_ranks(column: &BinColumn) -> bool {
    !column.is_ordered && column.n_bins > 2
}

/// The rows of each group.
fn members(groups: &[u32]) -> Result<Vec<Vec<u32>>, Error> {
    let n_groups = groups.iter().map(|&group| group as usize + 1).max().unwrap_or(0);
    let mut rows = memory::filled(Vec::new(), n_groups)?;
    for (row, &group) in groups.iter().enumerate() {
        memory::push(&mut rows[group as usize], row as u32)?;
    }
    rows.retain(|rows| !rows.is_empty());
    Ok(rows)
}

fn shuffled(n: usize, rng: &mut ChainRng) -> Result<Vec<u32>, Error> {
    let mut order = memory::collect(0..n as u32)?;
    for last in (1..n).rev() {
        order.swap(last, rng.below(last + 1));
    }
    Ok(order)
}
