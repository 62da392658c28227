//! A forest: deep trees on bootstrap samples, averaged over the rows that they have not seen.

use super::grow::{Limits, Sample, Tree};
use super::sample::{Training, MAX_ROWS};
use crate::control::Control;
use crate::error::Error;
use crate::memory;
use crate::parallel::try_map;
use crate::rng::ChainRng;

pub(super) const N_TREES: usize = 200;

/// Trees that are grown before their predictions are added up.
pub(super) const BLOCK: usize = 8;

/// Columns tried at each split, as a multiple of the root of their number.
const TRIED: f64 = 1.5;
const MIN_ROWS: usize = 3;

/// The share of the rows that order levels with few rows.
const SHARE_OF_OTHERS: f64 = 0.3;

/// The number of the first random stream: others are those of the boosted trees.
const FIRST_STREAM: usize = 1 << 20;

/// Rows that a tree has not seen, and what it predicts for them: all outputs of a row, row by row.
struct OutOfBag {
    rows: Vec<u32>,
    values: Vec<f64>,
}

/// Class probabilities row by row.
pub(super) fn out_of_bag(training: &Training, threads: usize, control: &Control) -> Result<Vec<f64>, Error> {
    let (n, n_outputs) = (training.n_rows(), training.n_outputs());
    let mut sums = memory::filled(0.0, n * n_outputs)?;
    let mut n_unseen = memory::filled(0u32, n)?;
    for first in (0..N_TREES).step_by(BLOCK) {
        let trees = (first..(first + BLOCK).min(N_TREES)).collect();
        for tree in try_map(threads, trees, |tree| grow_one(training, tree, control))? {
            for (&row, values) in tree.rows.iter().zip(tree.values.chunks(n_outputs)) {
                let row = row as usize;
                n_unseen[row] += 1;
                for (sum, value) in sums[row * n_outputs..].iter_mut().zip(values) {
                    *sum += value;
                }
            }
        }
    }
    let base: Vec<f64> = (0..n_outputs).map(|output| training.base_rate(output, 0..n)).collect();
    let mut probs = memory::with_capacity(n * training.n_classes)?;
    for (sums, &n_unseen) in sums.chunks(n_outputs).zip(&n_unseen) {
        let total: f64 = sums.iter().sum();
        let has_mean = n_unseen > 0 && (n_outputs == 1 || total > 0.0);
        match (has_mean, n_outputs) {
            (true, 1) => probs.extend([1.0 - sums[0] / f64::from(n_unseen), sums[0] / f64::from(n_unseen)]),
            (true, _) => probs.extend(sums.iter().map(|sum| sum / total)),
            (false, 1) => probs.extend([1.0 - base[0], base[0]]),
            (false, _) => probs.extend_from_slice(&base),
        }
    }
    Ok(probs)
}

fn grow_one(training: &Training, number: usize, control: &Control) -> Result<OutOfBag, Error> {
    let n_outputs = training.n_outputs();
    let mut rng = training.stream(FIRST_STREAM + number);
    let mut drawn = draw_rows(training, &mut rng)?;
    let mut is_seen = memory::filled(false, training.n_rows())?;
    drawn.iter().for_each(|&row| is_seen[row as usize] = true);
    let rows = memory::collect((0..training.n_rows() as u32).filter(|&row| !is_seen[row as usize]))?;
    // some rows order levels and grow nothing; copies of a row do the same
    let mut others = Vec::new();
    if training.has_sparse() {
        let orders = memory::collect((0..training.n_rows()).map(|_| rng.uniform() < SHARE_OF_OTHERS))?;
        others = memory::collect(drawn.iter().copied().filter(|&row| orders[row as usize]))?;
        drawn.retain(|&row| !orders[row as usize]);
        if drawn.is_empty() {
            return Ok(OutOfBag { rows: Vec::new(), values: Vec::new() });
        }
    }
    let mut values = memory::filled(0.0, rows.len() * n_outputs)?;
    let mut slopes = memory::filled([0.0; 2], training.n_rows())?;
    let columns: Vec<u32> = (0..training.columns.len() as u32).collect();
    let n_tried = (TRIED * (columns.len() as f64).sqrt()).ceil() as usize;
    let limits = Limits { depth: usize::MAX, min_rows: MIN_ROWS, n_tried, ridge: 0.0 };
    for output in 0..n_outputs {
        control.check_unfinished()?;
        for &row in &drawn {
            let weight = training.weight(row as usize);
            slopes[row as usize] = [weight * training.has_class(row as usize, output), weight];
        }
        let ranks = training.ranks(output, &drawn, &others);
        let sample = Sample { training, ranks: &ranks, columns: &columns, slopes: &slopes };
        let tree = Tree::grow(&sample, &mut drawn, &limits, &mut rng);
        for (&row, values) in rows.iter().zip(values.chunks_mut(n_outputs)) {
            values[output] = tree.value(&sample, row as usize).clamp(0.0, 1.0);
        }
        control.add_iterations(1);
    }
    Ok(OutOfBag { rows, values })
}

/// A bootstrap sample of rows, or of groups with all their rows.
fn draw_rows(training: &Training, rng: &mut ChainRng) -> Result<Vec<u32>, Error> {
    let n = training.n_rows();
    let Some(groups) = &training.groups else {
        return memory::collect((0..n.min(MAX_ROWS)).map(|_| rng.below(n) as u32));
    };
    let share = (MAX_ROWS as f64 / n as f64).min(1.0);
    let mut rows = Vec::new();
    for _ in 0..(share * groups.len() as f64).ceil() as usize {
        memory::extend(&mut rows, groups[rng.below(groups.len())].iter().copied())?;
    }
    Ok(rows)
}
