//! Boosted trees of depth 3, cross-fitted.
//!
//! In each round a tree is fitted to the gradient of the log loss, on a sample of the rows and of the columns, and its
//! leaves are Newton steps; of more than two classes, a tree for each. The number of rounds is the one with the least loss
//! on the rows of the folds left out.

use super::grow::{Limits, Sample, Tree};
use super::sample::{Ranks, Training, MAX_ROWS};
use crate::control::Control;
use crate::error::Error;
use crate::memory;
use crate::parallel::try_map;

pub(super) const N_FOLDS: usize = 5;
pub(super) const MAX_ROUNDS: usize = 250;
const ROUNDS_PER_SNAPSHOT: usize = 10;
pub(super) const N_SNAPSHOTS: usize = MAX_ROUNDS / ROUNDS_PER_SNAPSHOT;

/// The number of the first random stream that chooses rows; those of trees come before.
const FIRST_SPLIT: usize = 1 << 19;

const RATE: f64 = 0.06;
const SHARE_OF_ROWS: f64 = 0.7;
const SHARE_OF_COLUMNS: f64 = 0.6;
const LIMITS: Limits = Limits { depth: 3, min_rows: 8, n_tried: usize::MAX, ridge: 1.0 };

/// Probabilities and second derivatives stay away from 0.
const LEAST_PROBABILITY: f64 = 1e-3;
const LEAST_CURVATURE: f64 = 1e-6;

/// Trees learn from at most this many rows in all, and a quarter of it of the rows left out choose the number of rounds.
const MAX_LEARNT: usize = 40_000;

/// What the trees of one fold predict for the rows left out, `rows`: margins of all outputs after every ten rounds. The
/// first rows give the losses; of others, if there are very many, margins are found when the number of rounds is known.
struct Fold {
    rows: Vec<u32>,
    snapshots: Vec<Vec<f32>>,
    losses: Vec<f64>,
    start: Vec<f64>,
    /// Of all rounds and outputs, if there are other rows.
    trees: Vec<(Tree, Ranks)>,
}

/// Class probabilities row by row, and the number of rounds.
pub(super) fn cross_fitted(
    training: &Training,
    threads: usize,
    control: &Control,
) -> Result<(Vec<f64>, usize), Error> {
    let folds = training.deal(N_FOLDS)?;
    let done =
        try_map(threads, (0..N_FOLDS).collect(), |fold: usize| fit_fold(training, &folds, fold, control))?;
    let loss = |snapshot: usize| done.iter().map(|fold| fold.losses[snapshot]).sum::<f64>();
    let losses: Vec<f64> = (0..N_SNAPSHOTS).map(loss).collect();
    let mut best = 0;
    for snapshot in 1..N_SNAPSHOTS {
        if losses[snapshot] < losses[best] {
            best = snapshot;
        }
    }
    let (n_classes, n_outputs) = (training.n_classes, training.n_outputs());
    let mut probs = memory::filled(0.0, training.n_rows() * n_classes)?;
    let n_rounds = (best + 1) * ROUNDS_PER_SNAPSHOT;
    for fold in &done {
        let n_known = fold.snapshots[best].len() / n_outputs;
        for (&row, margins) in fold.rows.iter().zip(fold.snapshots[best].chunks(n_outputs)) {
            let out = &mut probs[row as usize * n_classes..][..n_classes];
            probabilities(margins.iter().map(|&margin| f64::from(margin)), out);
        }
        for block in fold.rows[n_known..].chunks(1 << 16) {
            control.check_unfinished()?;
            let margins = try_map(threads, block.chunks(1 << 13).collect(), |rows| {
                fold.margins(training, rows, n_rounds)
            })?;
            for (&row, margins) in block.iter().zip(margins.concat().chunks(n_outputs)) {
                probabilities(margins.iter().copied(), &mut probs[row as usize * n_classes..][..n_classes]);
            }
        }
    }
    Ok((probs, n_rounds))
}

impl Fold {
    /// The margins of rows that the snapshots do not have.
    fn margins(&self, training: &Training, rows: &[u32], n_rounds: usize) -> Result<Vec<f64>, Error> {
        let n_outputs = self.start.len();
        let mut margins = memory::collect(rows.iter().flat_map(|_| self.start.iter().copied()))?;
        for (index, (tree, ranks)) in self.trees.iter().take(n_rounds * n_outputs).enumerate() {
            let sample = Sample { training, ranks, columns: &[], slopes: &[] };
            for (place, &row) in rows.iter().enumerate() {
                margins[place * n_outputs + index % n_outputs] += RATE * tree.value(&sample, row as usize);
            }
        }
        Ok(margins)
    }
}

/// The first `n` of these rows in random order, in their own order, and then the others.
fn split_rows(mut rows: Vec<u32>, n: usize, stream: usize, training: &Training) -> (Vec<u32>, Vec<u32>) {
    if rows.len() <= n {
        return (rows, Vec::new());
    }
    let mut rng = training.stream(stream);
    for place in 0..n {
        let other = place + rng.below(rows.len() - place);
        rows.swap(place, other);
    }
    let mut others = rows.split_off(n);
    rows.sort_unstable();
    others.sort_unstable();
    (rows, others)
}

fn fit_fold(training: &Training, folds: &[u8], fold: usize, control: &Control) -> Result<Fold, Error> {
    let is_test = |row: &u32| usize::from(folds[*row as usize]) == fold;
    let all = 0..training.n_rows() as u32;
    let train = memory::collect(all.clone().filter(|row| !is_test(row)))?;
    let rows = memory::collect(all.filter(is_test))?;
    let (n_outputs, n_classes) = (training.n_outputs(), training.n_classes);
    let (train, _) = split_rows(train, MAX_LEARNT, FIRST_SPLIT + fold, training);
    let (judges, mut others) = split_rows(rows, MAX_LEARNT / 4, FIRST_SPLIT + N_FOLDS + fold, training);
    let mut boosting = Boosting::new(training, &train, &judges)?;
    let start = boosting.start.clone();
    let mut done =
        Fold { rows: judges.clone(), snapshots: Vec::new(), losses: Vec::new(), start, trees: Vec::new() };
    done.rows.append(&mut others);
    let mut probs = vec![0.0; n_classes];
    for round in 0..MAX_ROUNDS {
        let trees = boosting.round(&train, 1 + fold * MAX_ROUNDS + round, control)?;
        if done.rows.len() > judges.len() {
            done.trees.extend(trees);
        }
        if (round + 1) % ROUNDS_PER_SNAPSHOT != 0 {
            continue;
        }
        let margins = judges.iter().flat_map(|&row| boosting.margins_of(row as usize));
        let snapshot = memory::collect(margins.map(|&margin| margin as f32))?;
        let mut loss = 0.0;
        for (&row, margins) in judges.iter().zip(snapshot.chunks(n_outputs)) {
            probabilities(margins.iter().map(|&margin| f64::from(margin)), &mut probs);
            let row = row as usize;
            let probability = probs[training.labels[row] as usize];
            loss -= training.weight(row) * probability.clamp(LEAST_PROBABILITY, 1.0 - LEAST_PROBABILITY).ln();
        }
        done.snapshots.push(snapshot);
        done.losses.push(loss);
    }
    Ok(done)
}

/// The state between rounds.
struct Boosting<'a> {
    training: &'a Training<'a>,
    ranks: Vec<Ranks>,
    start: Vec<f64>,
    /// Of all rows, output by output within a row.
    margins: Vec<f64>,
    slopes: Vec<Vec<[f64; 2]>>,
    /// Rows whose margins are kept: those of the training set and the judges.
    kept_rows: Vec<u32>,
}

impl<'a> Boosting<'a> {
    fn new(training: &'a Training<'a>, train: &[u32], judges: &[u32]) -> Result<Self, Error> {
        let (n, n_outputs) = (training.n_rows(), training.n_outputs());
        let start: Vec<f64> = (0..n_outputs)
            .map(|output| {
                let rate = training.base_rate(output, train.iter().map(|&row| row as usize));
                let rate = rate.clamp(LEAST_PROBABILITY, 1.0 - LEAST_PROBABILITY);
                if n_outputs == 1 {
                    (rate / (1.0 - rate)).ln()
                } else {
                    rate.ln()
                }
            })
            .collect();
        let mut slopes = Vec::new();
        for _ in 0..n_outputs {
            slopes.push(memory::filled([0.0; 2], n)?);
        }
        Ok(Boosting {
            training,
            ranks: (0..n_outputs).map(|output| training.ranks(output, train, &[])).collect(),
            margins: memory::collect((0..n).flat_map(|_| start.iter().copied()))?,
            slopes,
            start,
            kept_rows: memory::collect(train.iter().chain(judges).copied())?,
        })
    }

    fn margins_of(&self, row: usize) -> &[f64] {
        let n_outputs = self.slopes.len();
        &self.margins[row * n_outputs..][..n_outputs]
    }

    /// Grow a tree for each output and add it to the margins. The trees, with the order of levels that they are for.
    fn round(
        &mut self,
        train: &[u32],
        stream: usize,
        control: &Control,
    ) -> Result<Vec<(Tree, Ranks)>, Error> {
        self.find_slopes(train);
        let training = self.training;
        let mut rng = training.stream(stream);
        let share = SHARE_OF_ROWS.min(MAX_ROWS as f64 / train.len().max(1) as f64);
        let (mut drawn, mut others) =
            (memory::with_capacity(train.len())?, memory::with_capacity(train.len())?);
        for &row in train {
            if rng.uniform() < share {
                drawn.push(row);
            } else {
                others.push(row);
            }
        }
        if drawn.len() < 10 {
            drawn = memory::copied(train)?;
        }
        let n_outputs = self.slopes.len();
        let mut trees = Vec::new();
        for output in 0..n_outputs {
            control.check_unfinished()?;
            training.rank_sparse(&mut self.ranks[output], output, &others);
            let columns = draw_columns(training.columns.len(), &mut rng);
            let sample = Sample {
                training,
                ranks: &self.ranks[output],
                columns: &columns,
                slopes: &self.slopes[output],
            };
            let tree = Tree::grow(&sample, &mut drawn, &LIMITS, &mut rng);
            for &row in &self.kept_rows {
                self.margins[row as usize * n_outputs + output] += RATE * tree.value(&sample, row as usize);
            }
            control.add_iterations(1);
            trees.push((tree, self.ranks[output].clone()));
        }
        Ok(trees)
    }

    fn find_slopes(&mut self, train: &[u32]) {
        let n_outputs = self.slopes.len();
        let mut probs = vec![0.0; self.training.n_classes];
        for &row in train {
            let row = row as usize;
            probabilities(self.margins[row * n_outputs..][..n_outputs].iter().copied(), &mut probs);
            let weight = self.training.weight(row);
            for output in 0..n_outputs {
                let p = probs[if n_outputs == 1 { 1 } else { output }];
                let slope = self.training.has_class(row, output) - p;
                self.slopes[output][row] = [weight * slope, weight * (p * (1.0 - p)).max(LEAST_CURVATURE)];
            }
        }
    }
}

fn draw_columns(n: usize, rng: &mut crate::rng::ChainRng) -> Vec<u32> {
    let mut columns: Vec<u32> = (0..n as u32).collect();
    let n_drawn = (SHARE_OF_COLUMNS * n as f64).ceil() as usize;
    for place in 0..n_drawn {
        columns.swap(place, place + rng.below(n - place));
    }
    columns.truncate(n_drawn);
    columns
}

/// Class probabilities from the margins of a row: one log odds, or one for each class.
fn probabilities(margins: impl Iterator<Item = f64> + Clone, out: &mut [f64]) {
    if out.len() == 2 {
        let odds = exp(margins.sum::<f64>());
        out[1] = odds / (1.0 + odds);
        out[0] = 1.0 / (1.0 + odds);
        return;
    }
    let greatest = margins.clone().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for (out, margin) in out.iter_mut().zip(margins) {
        *out = exp(margin - greatest);
        sum += *out;
    }
    out.iter_mut().for_each(|p| *p /= sum);
}

/// 1 / i! from i = 0 on.
const INVERSE_FACTORIALS: [f64; 13] = {
    let mut terms = [1.0; 13];
    let mut i = 1;
    while i < terms.len() {
        terms[i] = terms[i - 1] / i as f64;
        i += 1;
    }
    terms
};

/// e^x, the same on all machines: 2^k e^r by the series of e^r with |r| below 0.35.
fn exp(x: f64) -> f64 {
    let x = x.clamp(-40.0, 40.0);
    let k = (x * std::f64::consts::LOG2_E).round();
    let r = x - k * std::f64::consts::LN_2;
    let series = INVERSE_FACTORIALS.iter().rev().fold(0.0, |sum, term| sum * r + term);
    series * f64::from_bits(((k as i64 + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_is_that_of_the_library() {
        for x in (-400..=400).map(|i| f64::from(i) * 0.0999) {
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-13, "{x}");
        }
        assert!(exp(1e9).is_finite() && exp(-1e9) > 0.0);
    }

    #[test]
    fn probabilities_add_up() {
        let mut out = [0.0; 3];
        probabilities([1.0, -2.0, 700.0].into_iter(), &mut out);
        assert!((out.iter().sum::<f64>() - 1.0).abs() < 1e-12 && out[2] > 0.99);
        let mut out = [0.0; 2];
        probabilities([0.0].into_iter(), &mut out);
        assert_eq!(out, [0.5, 0.5]);
    }
}
