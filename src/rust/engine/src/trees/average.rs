//! Both kinds of trees on the same rows.

use super::bins::BinColumn;
use super::boosted::{self, MAX_ROUNDS, N_FOLDS, N_SNAPSHOTS};
use super::forest::{self, BLOCK, N_TREES};
use super::rows::TreeRows;
use super::sample::Training;
use crate::control::{Control, Phase};
use crate::error::Error;
use crate::memory;

/// Out-of-sample class probabilities of all rows, row by row.
#[derive(Debug, Clone, PartialEq)]
pub struct OutOfSample {
    /// Those of the boosted trees.
    pub boosted: Vec<f64>,
    /// Those of the forest; the base rate for a row that all of its trees have seen.
    pub forest: Vec<f64>,
    /// Rounds of boosting with the least cross-fitted loss.
    pub n_rounds: usize,
    /// Trees in the forest.
    pub n_trees: usize,
}

/// How many trees are grown at most: what progress counts.
pub fn n_trees_grown(n_classes: usize) -> u64 {
    let n_outputs = if n_classes == 2 { 1 } else { n_classes };
    ((N_FOLDS * MAX_ROUNDS + N_TREES) * n_outputs) as u64
}

/// Predict all rows by trees that have not seen them.
pub fn out_of_sample(
    rows: &TreeRows,
    seed: u64,
    threads: usize,
    control: &Control,
) -> Result<OutOfSample, Error> {
    check(rows)?;
    control.enter(Phase::Trees);
    memory::check_room(bytes_needed(rows, threads))?;
    let mut columns: Vec<BinColumn> = memory::with_capacity(rows.columns.len())?;
    for column in &rows.columns {
        control.check_unfinished()?;
        columns.push(BinColumn::new(column)?);
    }
    let training = Training::new(rows, columns, seed)?;
    let (boosted, n_rounds) = boosted::cross_fitted(&training, threads, control)?;
    let forest = forest::out_of_bag(&training, threads, control)?;
    Ok(OutOfSample { boosted, forest, n_rounds, n_trees: N_TREES })
}

fn check(rows: &TreeRows) -> Result<(), Error> {
    let n = rows.labels.len();
    let fits = rows.columns.iter().all(|column| column.len() == n)
        && rows.weights.map_or(true, |weights| weights.len() == n)
        && rows.groups.map_or(true, |groups| groups.len() == n)
        && rows.labels.iter().all(|&label| (label as usize) < rows.n_classes)
        && rows.n_classes >= 2
        && n <= u32::MAX as usize;
    if !fits {
        return Err(Error::Data("Columns, labels, weights and groups must belong to the same rows.".into()));
    }
    let is_weight = |&weight: &f64| weight > 0.0 && weight.is_finite();
    if n == 0 || !rows.weights.map_or(true, |weights| weights.iter().all(is_weight)) {
        return Err(Error::Data("There must be rows, and their weights must be above 0.".into()));
    }
    Ok(())
}

/// Bytes that the trees need at most.
fn bytes_needed(rows: &TreeRows, threads: usize) -> usize {
    let (n, n_classes) = (rows.labels.len(), rows.n_classes);
    let n_outputs = if n_classes == 2 { 1 } else { n_classes };
    let bins = rows.columns.len() + 16;
    let snapshots = 4 * n_outputs * N_SNAPSHOTS;
    let per_thread = (32 * n_outputs + 24) * threads.clamp(1, N_FOLDS);
    let in_blocks = 8 * (1 + n_outputs) * BLOCK;
    n.saturating_mul(bins + snapshots.max(in_blocks) + per_thread + 32 * n_classes)
}
