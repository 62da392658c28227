//! The trees against slow, obvious ones, and what must not matter.

use super::average::{out_of_sample, OutOfSample};
use super::bins::BinColumn;
use super::grow::{Limits, Sample, Tree};
use super::rows::{TreeColumn, TreeRows};
use super::sample::Training;
use crate::column::{InputColumn, Values};
use crate::control::Control;
use crate::error::Error;
use crate::rng::ChainRng;

/// Numbers with gaps, ordered codes, levels; labels that depend on the first and the last.
struct Made {
    numbers: Vec<f64>,
    ordered: Vec<i32>,
    levels: Vec<i32>,
    labels: Vec<u32>,
    weights: Vec<f64>,
}

fn make(n: usize, n_classes: usize, seed: u64) -> Made {
    let mut rng = ChainRng::new(seed, 0);
    let mut made = Made { numbers: vec![], ordered: vec![], levels: vec![], labels: vec![], weights: vec![] };
    for row in 0..n {
        let x = if rng.below(10) == 0 { f64::NAN } else { (rng.uniform() * 1000.0).round() };
        let level = rng.below(6) as i32;
        let signal = usize::from(x > 400.0) + usize::from(level % 3 == 1);
        let is_noise = row < n_classes || rng.below(4) == 0;
        let label = if is_noise { row % n_classes } else { signal % n_classes };
        made.numbers.push(x);
        made.ordered.push(rng.below(5) as i32);
        made.levels.push(level);
        made.labels.push(label as u32);
        made.weights.push(0.5 + rng.uniform());
    }
    made
}

impl Made {
    fn rows(&self, n_classes: usize) -> TreeRows<'_> {
        TreeRows {
            columns: vec![
                TreeColumn::Numbers(Values::Doubles(&self.numbers)),
                TreeColumn::Ordered(InputColumn::of_codes(&self.ordered)),
                TreeColumn::Levels(InputColumn::of_codes(&self.levels)),
            ],
            labels: &self.labels,
            n_classes,
            weights: Some(&self.weights),
            groups: None,
        }
    }
}

fn training<'a>(rows: &TreeRows<'a>) -> Training<'a> {
    let columns = rows.columns.iter().map(|column| BinColumn::new(column).unwrap()).collect();
    Training::new(rows, columns, 1).unwrap()
}

fn predict(rows: &TreeRows, threads: usize) -> OutOfSample {
    out_of_sample(rows, 7, threads, &Control::default()).unwrap()
}

/// The value of `row` in the tree on `rows`: every split of every column is tried with sums made anew.
fn slow_value(sample: &Sample, rows: &[u32], limits: &Limits, depth: usize, row: usize) -> f64 {
    let sum = |rows: &[u32]| {
        let part = |k: usize| rows.iter().map(|&row| sample.slopes[row as usize][k]).sum::<f64>();
        (part(0), part(1) + limits.ridge)
    };
    let worth = |rows: &[u32]| sum(rows).0.powi(2) / sum(rows).1;
    let rank = |column: usize, row: u32| {
        let bin = sample.training.columns[column].bins[row as usize];
        sample.ranks[column].as_ref().map_or(bin, |ranks| ranks[usize::from(bin)])
    };
    let mut best = (1e-9, None);
    if depth < limits.depth {
        for column in 0..sample.columns.len() {
            for threshold in 0..=255 {
                let (left, right): (Vec<u32>, Vec<u32>) =
                    rows.iter().partition(|&&row| rank(column, row) <= threshold);
                if left.len() < limits.min_rows || right.len() < limits.min_rows {
                    continue;
                }
                let gain = worth(&left) + worth(&right) - worth(rows);
                if gain > best.0 + 1e-12 {
                    let side = if rank(column, row as u32) <= threshold { left } else { right };
                    best = (gain, Some(side));
                }
            }
        }
    }
    match best.1 {
        Some(side) => slow_value(sample, &side, limits, depth + 1, row),
        None => sum(rows).0 / sum(rows).1,
    }
}

#[test]
fn a_tree_equals_its_slow_twin() {
    for seed in 0..6 {
        let made = make(120, 2, seed);
        let rows = made.rows(2);
        let training = training(&rows);
        let mut rng = ChainRng::new(seed, 9);
        let slopes: Vec<[f64; 2]> =
            (0..120).map(|row| [training.has_class(row, 0) - rng.uniform(), 0.1 + rng.uniform()]).collect();
        let all: Vec<u32> = (0..120).filter(|row| row % 5 != 0).collect();
        let ranks = training.ranks(0, &all, &all);
        let sample = Sample { training: &training, ranks: &ranks, columns: &[0, 1, 2], slopes: &slopes };
        for (depth, min_rows, ridge) in [(3, 8, 1.0), (4, 3, 0.01), (1, 1, 5.0)] {
            let limits = Limits { depth, min_rows, n_tried: 3, ridge };
            let tree = Tree::grow(&sample, &mut all.clone(), &limits, &mut rng);
            for row in 0..120 {
                let (fast, slow) = (tree.value(&sample, row), slow_value(&sample, &all, &limits, 0, row));
                assert!((fast - slow).abs() < 1e-9, "seed {seed}, row {row}: {fast} {slow}");
            }
        }
    }
}

fn log_loss(rows: &TreeRows, probs: &[f64]) -> f64 {
    let of_row = |(row, &label): (usize, &u32)| -probs[row * rows.n_classes + label as usize].max(1e-3).ln();
    rows.labels.iter().enumerate().map(of_row).sum::<f64>() / rows.labels.len() as f64
}

#[test]
fn threads_do_not_matter_and_probabilities_predict() {
    for n_classes in [2, 3] {
        let made = make(400, n_classes, 3);
        let rows = made.rows(n_classes);
        let found = predict(&rows, 1);
        for threads in [2, 7] {
            assert_eq!(predict(&rows, threads), found);
        }
        for probs in [&found.boosted, &found.forest] {
            assert_eq!(probs.len(), 400 * n_classes);
            for probs in probs.chunks(n_classes) {
                assert!((probs.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                assert!(probs.iter().all(|p| (0.0..=1.0).contains(p)));
            }
            assert!(log_loss(&rows, probs) < (n_classes as f64).ln() - 0.1);
        }
        assert_ne!(out_of_sample(&rows, 8, 1, &Control::default()), Ok(found));
    }
}

/// A level with one row would give its label away if the order of levels were learnt from the row itself.
#[test]
fn identifiers_and_noise_predict_nothing() {
    let mut rng = ChainRng::new(5, 0);
    let labels: Vec<u32> = (0..240).map(|_| rng.below(2) as u32).collect();
    let identifiers: Vec<i32> = (1..=240).collect();
    let rows = TreeRows {
        columns: vec![TreeColumn::Levels(InputColumn::of_codes(&identifiers))],
        labels: &labels,
        n_classes: 2,
        weights: None,
        groups: None,
    };
    let found = predict(&rows, 2);
    // and they do not hide a column that predicts
    let signal: Vec<f64> = labels.iter().map(|&label| f64::from(label) + rng.uniform()).collect();
    let mut both = TreeRows { columns: rows.columns.clone(), ..rows };
    both.columns.push(TreeColumn::Numbers(Values::Doubles(&signal)));
    let seen = predict(&both, 2);
    assert!(log_loss(&both, &seen.boosted) < 0.2 && log_loss(&both, &seen.forest) < 0.35);
    for probs in [&found.boosted, &found.forest] {
        assert!(log_loss(&both, probs) > 0.68, "{}", log_loss(&both, probs));
    }
}

/// Rows that are there twice give each other away, unless they are of one group.
#[test]
fn rows_of_a_group_are_seen_together() {
    let mut rng = ChainRng::new(6, 0);
    let values: Vec<f64> = (0..150).map(|_| rng.uniform()).flat_map(|x| [x; 10]).collect();
    let labels: Vec<u32> = (0..150).map(|_| rng.below(2) as u32).flat_map(|label| [label; 10]).collect();
    let groups: Vec<u32> = (0..150).flat_map(|group| [group; 10]).collect();
    let mut rows = TreeRows {
        columns: vec![TreeColumn::Numbers(Values::Doubles(&values))],
        labels: &labels,
        n_classes: 2,
        weights: None,
        groups: None,
    };
    let apart = predict(&rows, 2);
    rows.groups = Some(&groups);
    let together = predict(&rows, 2);
    assert!(log_loss(&rows, &apart.boosted) < 0.66 && log_loss(&rows, &together.boosted) > 0.68);
    assert!(log_loss(&rows, &apart.forest) < log_loss(&rows, &together.forest) - 0.1);
}

#[test]
fn weights_count_as_rows_do_and_their_unit_does_not_matter() {
    let made = make(300, 2, 8);
    let mut rows = made.rows(2);
    let heavy: Vec<f64> = made.weights.iter().map(|weight| weight * 1024.0).collect();
    let found = predict(&rows, 1);
    rows.weights = Some(&heavy);
    assert_eq!(predict(&rows, 1), found);
    let ones = vec![1.0; 300];
    rows.weights = Some(&ones);
    let weighted = predict(&rows, 1);
    rows.weights = None;
    assert_eq!(predict(&rows, 1), weighted);
}

#[test]
fn few_rows_no_columns_and_wrong_input() {
    let labels = [0, 1, 1];
    let mut rows = TreeRows { columns: vec![], labels: &labels, n_classes: 2, weights: None, groups: None };
    let found = predict(&rows, 2);
    assert!(found.forest.iter().chain(&found.boosted).all(|p| p.is_finite()));
    let levels = TreeColumn::Levels(InputColumn::of_codes(&[1, 2, 3]));
    let few = TreeRows { columns: vec![levels], labels: &labels, n_classes: 2, weights: None, groups: None };
    let found = predict(&few, 2);
    assert!(found.forest.iter().chain(&found.boosted).all(|p| p.is_finite()));
    rows.labels = &labels[..1];
    assert_eq!(predict(&rows, 1).forest, [1.0, 0.0]);
    rows.labels = &[0, 2];
    assert!(out_of_sample(&rows, 1, 1, &Control::default()).is_err());
    rows.labels = &[];
    assert!(out_of_sample(&rows, 1, 1, &Control::default()).is_err());
    rows.labels = &labels;
    let zero = [1.0, 0.0, 2.0];
    rows.weights = Some(&zero);
    assert!(out_of_sample(&rows, 1, 1, &Control::default()).is_err());
    let cancelled = Control::default();
    cancelled.cancel();
    rows.weights = None;
    assert_eq!(out_of_sample(&rows, 1, 1, &cancelled), Err(Error::Cancelled));
}

/// Of very many rows only some are learnt from; all are predicted, and none by trees that have seen it.
#[test]
fn many_rows_are_predicted_by_trees_of_some() {
    let n = 60_000;
    let mut rng = ChainRng::new(4, 0);
    let values: Vec<f64> = (0..n).map(|_| rng.uniform()).collect();
    let levels: Vec<i32> = (0..n).map(|_| 1 + rng.below(900) as i32).collect();
    let labels: Vec<u32> = values.iter().map(|&x| u32::from(x + 0.5 * rng.uniform() > 0.75)).collect();
    let columns = vec![
        TreeColumn::Numbers(Values::Doubles(&values)),
        TreeColumn::Levels(InputColumn::of_codes(&levels)),
    ];
    let rows = TreeRows { columns, labels: &labels, n_classes: 2, weights: None, groups: None };
    let training = training(&rows);
    let (probs, _) = super::boosted::cross_fitted(&training, 2, &Control::default()).unwrap();
    assert!(log_loss(&rows, &probs) < 0.4, "{}", log_loss(&rows, &probs));
    assert!(probs.chunks(2).all(|p| p[1] > 0.0 && p[1] < 1.0));
}
