//! Small random problems for tests and fuzzing.

use crate::binarise::item_columns;
use crate::control::Control;
use crate::data::Rows;
use crate::hyperparameters::Hyperparameters;
use crate::mine::{mine, Items, MiningLimits};
use crate::model::Item;
use crate::naive::{all_lists, Table};
use crate::posterior::Score;
use crate::rng::ChainRng;
use crate::search::problem::row_sets::RowSets;
use crate::search::Problem;
use std::collections::HashMap;

/// The data a problem is made from, for the slow twins.
#[derive(Debug, Clone)]
pub struct Source {
    /// Labelled rows.
    pub table: Table,
    /// The items to mine.
    pub items: Vec<Item>,
    /// The limits to mine within.
    pub limits: MiningLimits,
    /// The hyperparameters of the posterior.
    pub hyperparameters: Hyperparameters,
}

fn pick(rng: &mut ChainRng, choices: &[f64]) -> f64 {
    choices[rng.below(choices.len())]
}

/// A random table with two or three classes. Features are factors, some of them with overlapping ranges.
pub fn random_source(rng: &mut ChainRng) -> Source {
    let n_classes = 2 + rng.below(2);
    let n_rows = n_classes + rng.below(150);
    let n_features = 1 + rng.below(4);
    let mut items = Vec::new();
    let mut columns = Vec::new();
    for feature in 0..n_features as u32 {
        let n_levels = 2 + rng.below(3);
        columns.push((0..n_rows).map(|_| rng.below(n_levels + 1) as i32).collect());
        let range = |lo, hi| Item::range(feature, lo, hi).unwrap_or_else(|error| panic!("{error}"));
        items.extend((1..=n_levels as i32).map(|level| range(level, level)));
        if n_levels == 4 {
            items.extend([range(1, 3), range(2, 4)]);
        }
    }
    // each class occurs; the other labels mostly follow from the first feature
    let first: &Vec<i32> = &columns[0];
    let labels = (0..n_rows)
        .map(|row| match (row < n_classes, rng.below(3)) {
            (true, _) => row as u32,
            (_, 0) => rng.below(n_classes) as u32,
            _ => first[row] as u32 % n_classes as u32,
        })
        .collect();
    let min_items = 1 + rng.below(4) / 3;
    let limits = MiningLimits {
        min_items,
        max_items: min_items + rng.below(3),
        supports: (0..n_classes).map(|_| pick(rng, &[0.0, 0.1, 0.25, 0.5])).collect(),
        max_candidates: 100_000,
        target: None,
        joins_feature: true,
    };
    let hyperparameters = Hyperparameters {
        lambda: pick(rng, &[1e-6, 0.5, 1.0, 3.7, 10.0, 1e6]),
        eta: pick(rng, &[0.1, 1.0, 2.5]),
        alpha: (0..n_classes).map(|_| pick(rng, &[0.5, 1.0, 2.0, 7.3])).collect(),
    };
    let most = if rng.below(3) == 0 { 4 } else { 1 };
    let weights = (0..n_rows).map(|_| 1 + rng.below(most) as u64).collect();
    Source { table: Table { columns, labels, weights, n_classes }, items, limits, hyperparameters }
}

impl Source {
    /// The problem, made as the engine makes it.
    pub fn problem(&self) -> Problem {
        self.try_problem().unwrap_or_else(|error| panic!("{error}"))
    }

    fn try_problem(&self) -> Result<Problem, crate::error::Error> {
        let (rows, items) = self.try_rows_and_items()?;
        let pool = mine(rows, &items, &self.limits, 1, &Control::default())?;
        Problem::new(pool, &self.hyperparameters)
    }

    /// The rows and items, made as the engine makes them.
    pub fn rows_and_items(&self) -> (Rows, Items) {
        self.try_rows_and_items().unwrap_or_else(|error| panic!("{error}"))
    }

    fn try_rows_and_items(&self) -> Result<(Rows, Items), crate::error::Error> {
        let weights: Vec<f64> = self.table.weights.iter().map(|&weight| weight as f64).collect();
        let rows = Rows::weighted(&self.table.labels, self.table.n_classes, &weights)?;
        let columns: Vec<&[i32]> = self.table.columns.iter().map(Vec::as_slice).collect();
        let names = (0..self.items.len()).map(|i| format!("x{i}")).collect();
        let bits = item_columns(&rows, &columns, &self.items)?;
        Ok((rows, Items::new(self.items.clone(), names, bits)?))
    }

    /// The same with sets of levels in place of ranges; those of one feature overlap.
    pub fn with_sets(mut self) -> Self {
        for item in self.items.iter_mut().filter(|item| item.n_codes() > 1) {
            let codes: &[i32] = if item.smallest() == 1 { &[1, 3, 4] } else { &[2, 4] };
            *item = Item::set(item.feature, codes).unwrap_or_else(|error| panic!("{error}"));
        }
        self
    }

    /// Keep at most `n` items, so that all lists can be enumerated.
    pub fn with_items(mut self, n: usize) -> Self {
        self.items.truncate(n);
        self
    }
}

/// Rows with these labels, and one item for each set of rows: the one that covers it.
pub fn source_of_covers(covers: &[&[usize]], labels: &[u32], hyperparameters: Hyperparameters) -> Source {
    let column = |rows: &&[usize]| (0..labels.len()).map(|row| i32::from(rows.contains(&row))).collect();
    let table = Table {
        columns: covers.iter().map(column).collect(),
        labels: labels.to_vec(),
        weights: vec![1; labels.len()],
        n_classes: hyperparameters.alpha.len(),
    };
    let supports = vec![0.0; table.n_classes];
    let limits = MiningLimits {
        min_items: 1,
        max_items: 1,
        supports,
        max_candidates: 100,
        target: None,
        joins_feature: true,
    };
    let item = |feature| Item::range(feature, 1, 1).unwrap_or_else(|error| panic!("{error}"));
    let items = (0..covers.len() as u32).map(item).collect();
    Source { table, items, limits, hyperparameters }
}

/// The problem with its sets of rows stored in every way that suits it.
pub fn in_every_form(problem: &Problem) -> Vec<Problem> {
    let pool = &problem.pool;
    let patterns = RowSets::patterns(pool, &Control::default());
    let tabled = patterns.clone().map(|patterns| patterns.with_log_marginals(problem.objective.leaf()));
    let forms = [patterns, tabled, RowSets::short(pool), Some(RowSets::blocks(pool))];
    forms.into_iter().flatten().map(|row_sets| problem.with_row_sets(row_sets)).collect()
}

/// A random problem.
pub fn random_problem(rng: &mut ChainRng) -> Problem {
    random_source(rng).problem()
}

/// Upper point of the chi-square distribution (Wilson and Hilferty) for a tail of about 1e-5.
fn chi_square_limit(df: f64) -> f64 {
    let spread = 2.0 / (9.0 * df);
    df * (1.0 - spread + 4.27 * spread.sqrt()).powi(3)
}

/// Whether independent visits fit the probabilities of what was visited, by a chi-square test. Cells that expect fewer than
/// five visits are put together. `None` if one cell has nearly all the mass: that would not test a sampler.
pub fn visits_fit(probabilities: &[f64], visits: &[f64]) -> Option<bool> {
    let n: f64 = visits.iter().sum();
    let (mut chi_square, mut n_cells) = (0.0, 0.0);
    let mut rare = (0.0, 0.0);
    for (probability, &seen) in probabilities.iter().zip(visits) {
        let expected = n * probability;
        if expected < 5.0 {
            rare = (rare.0 + expected, rare.1 + seen);
            continue;
        }
        chi_square += (seen - expected).powi(2) / expected;
        n_cells += 1.0;
    }
    if rare.0 >= 5.0 {
        chi_square += (rare.1 - rare.0).powi(2) / rare.0;
        n_cells += 1.0;
    }
    (n_cells >= 2.0).then(|| chi_square <= chi_square_limit(n_cells - 1.0))
}

/// All lists of a small problem, and the probability of each under prior · likelihood^β.
#[derive(Debug, Clone)]
pub struct Enumerated {
    /// All admissible lists.
    pub lists: Vec<Vec<u32>>,
    /// Their log priors.
    pub log_priors: Vec<f64>,
    /// Their log likelihoods.
    pub log_likelihoods: Vec<f64>,
    index: HashMap<Vec<u32>, usize>,
}

impl Enumerated {
    /// All admissible lists of `problem`.
    pub fn new(problem: &Problem) -> Self {
        let mut lists = all_lists(problem.pool.len());
        lists.retain(|list| problem.objective.admits(list.len()));
        let scores: Vec<Score> = lists.iter().map(|list| problem.score(list).0).collect();
        Enumerated {
            log_priors: scores.iter().map(|score| score.log_prior).collect(),
            log_likelihoods: scores.iter().map(|score| score.log_likelihood).collect(),
            index: lists.iter().cloned().zip(0..).collect(),
            lists,
        }
    }

    fn log_weights(&self, beta: f64) -> Vec<f64> {
        // at β = 0 lists that are not admissible by their captures count too
        let tempered = |ell: f64| if beta > 0.0 { beta * ell } else { 0.0 };
        self.log_priors.iter().zip(&self.log_likelihoods).map(|(prior, &ell)| prior + tempered(ell)).collect()
    }

    /// log Σ prior · likelihood^β.
    pub fn log_total(&self, beta: f64) -> f64 {
        let weights = self.log_weights(beta);
        let largest = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        largest + weights.iter().map(|weight| (weight - largest).exp()).sum::<f64>().ln()
    }

    /// The probability of each list.
    pub fn probabilities(&self, beta: f64) -> Vec<f64> {
        let total = self.log_total(beta);
        self.log_weights(beta).iter().map(|weight| (weight - total).exp()).collect()
    }

    /// How often each list occurs among the drawn ones.
    pub fn visits<'l>(&self, drawn: impl Iterator<Item = &'l [u32]>) -> Vec<f64> {
        let mut visits = vec![0.0; self.lists.len()];
        drawn.for_each(|list| visits[self.index[list]] += 1.0);
        visits
    }
}

/// All lists of at most `max_length` rules that differ by one rule added, removed, moved or exchanged.
pub fn neighbours(problem: &Problem, rules: &[u32], max_length: usize) -> Vec<Vec<u32>> {
    let mut shorter: Vec<Vec<u32>> = Vec::new();
    for position in 0..rules.len() {
        shorter.push([&rules[..position], &rules[position + 1..]].concat());
    }
    let mut lists = shorter.clone();
    for list in shorter.iter().chain([&rules.to_vec()]).filter(|list| list.len() < max_length) {
        for candidate in (0..problem.pool.len() as u32).filter(|candidate| !list.contains(candidate)) {
            let insert = |position: usize| [&list[..position], &[candidate], &list[position..]].concat();
            lists.extend((0..=list.len()).map(insert));
        }
    }
    lists
}
