//! Slow, obvious implementations that tests and fuzz targets compare with the engine. The engine itself never uses them.

use crate::bitset::BitColumns;
use crate::hyperparameters::Hyperparameters;
use crate::model::Item;
use statrs::function::factorial::ln_factorial;
use statrs::function::gamma::ln_gamma;

fn bit(words: &[u64], position: usize) -> bool {
    (words[position / 64] >> (position % 64)) & 1 == 1
}

/// The class of a word's rows.
fn class_of(word: usize, ends: &[usize]) -> usize {
    ends.iter().position(|&end| word < end).unwrap_or(0)
}

/// Set bits of `a & b` by class, counted one at a time.
pub fn count_and(a: &[u64], b: &[u64], ends: &[usize]) -> Vec<u64> {
    let mut counts = vec![0; ends.len()];
    for position in 0..ends.last().map_or(0, |&end| end * 64) {
        if bit(a, position) && bit(b, position) {
            counts[class_of(position / 64, ends)] += 1;
        }
    }
    counts
}

/// Each bit of `free` goes to the first rule that covers it; counts by rule and class.
pub fn hand_down(free: &[u64], covers: &BitColumns, rules: &[u32], ends: &[usize]) -> Vec<u64> {
    let mut counts = vec![0; rules.len() * ends.len()];
    for position in (0..ends.last().map_or(0, |&end| end * 64)).filter(|&position| bit(free, position)) {
        let taker = rules.iter().position(|&rule| bit(covers.column(rule as usize), position));
        if let Some(taker) = taker {
            counts[taker * ends.len() + class_of(position / 64, ends)] += 1;
        }
    }
    counts
}

/// Labelled rows of codes.
#[derive(Debug, Clone)]
pub struct Table {
    /// The codes of each feature.
    pub columns: Vec<Vec<i32>>,
    /// The class of each row.
    pub labels: Vec<u32>,
    /// The weight of each row.
    pub weights: Vec<u64>,
    /// Number of classes.
    pub n_classes: usize,
}

impl Table {
    /// Weight of all rows by class.
    pub fn class_counts(&self) -> Vec<u64> {
        self.counts(|_| true)
    }

    fn counts(&self, is_counted: impl Fn(usize) -> bool) -> Vec<u64> {
        let mut counts = vec![0; self.n_classes];
        for row in (0..self.labels.len()).filter(|&row| is_counted(row)) {
            counts[self.labels[row] as usize] += self.weights[row];
        }
        counts
    }

    /// Whether `row` matches all items of the antecedent.
    pub fn matches(&self, row: usize, antecedent: &[u32], items: &[Item]) -> bool {
        antecedent.iter().all(|&item| {
            let item = &items[item as usize];
            item.codes().any(|code| code == self.columns[item.feature as usize][row])
        })
    }

    /// All candidates: each set of items that can be joined is counted on its own.
    pub fn mine(&self, items: &[Item], lengths: (usize, usize), supports: &[f64]) -> Vec<Vec<u32>> {
        let totals = self.class_counts();
        (1u32..1 << items.len())
            .map(|set| (0..items.len() as u32).filter(|i| (set >> i) & 1 == 1).collect::<Vec<u32>>())
            .filter(|a| lengths.0 <= a.len() && a.len() <= lengths.1)
            .filter(|a| {
                let pairs = a.iter().flat_map(|&i| a.iter().filter(move |&&j| i < j).map(move |&j| (i, j)));
                pairs.into_iter().all(|(i, j)| items[i as usize].can_join(&items[j as usize]))
            })
            .filter(|a| {
                let counts = self.counts(|row| self.matches(row, a, items));
                (0..self.n_classes).any(|class| {
                    let share = counts[class] as f64 / totals[class] as f64;
                    counts[class] > 0 && share >= supports[class]
                })
            })
            .collect()
    }

    /// Class counts of the rows each rule captures, the default rule last.
    pub fn captured(&self, list: &[Vec<u32>], items: &[Item]) -> Vec<Vec<u64>> {
        let first = |row| list.iter().position(|a| self.matches(row, a, items)).unwrap_or(list.len());
        (0..=list.len()).map(|rule| self.counts(|row| first(row) == rule)).collect()
    }
}

/// log p(d | A, λ, η), the formula term by term.
pub fn log_prior(hyperparameters: &Hyperparameters, pool_lengths: &[usize], list_lengths: &[usize]) -> f64 {
    let poisson = |mean: f64, k: usize| k as f64 * mean.ln() - ln_factorial(k as u64);
    let log_sum = |terms: Vec<f64>| {
        let largest = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        largest + terms.iter().map(|x| (x - largest).exp()).sum::<f64>().ln()
    };
    let all = (0..=pool_lengths.len()).map(|j| poisson(hyperparameters.lambda, j)).collect();
    let mut sum = poisson(hyperparameters.lambda, list_lengths.len()) - log_sum(all);
    let mut left = pool_lengths.to_vec();
    for &length in list_lengths {
        let mut kinds = left.clone();
        kinds.sort_unstable();
        kinds.dedup();
        sum += poisson(hyperparameters.eta, length)
            - log_sum(kinds.iter().map(|&k| poisson(hyperparameters.eta, k)).collect());
        sum -= (left.iter().filter(|&&other| other == length).count() as f64).ln();
        if let Some(place) = left.iter().position(|&other| other == length) {
            left.remove(place);
        }
    }
    sum
}

/// log f(N) = log B(N + α) − log B(α), by log Γ.
pub fn log_marginal(alpha: &[f64], counts: &[u64]) -> f64 {
    let log_beta = |x: &[f64]| x.iter().map(|&x| ln_gamma(x)).sum::<f64>() - ln_gamma(x.iter().sum());
    let filled: Vec<f64> = alpha.iter().zip(counts).map(|(a, &n)| a + n as f64).collect();
    log_beta(&filled) - log_beta(alpha)
}

/// All ordered lists of distinct members of `0..n`, the empty one first.
pub fn all_lists(n: usize) -> Vec<Vec<u32>> {
    let mut lists = vec![Vec::new()];
    let mut next = 0;
    while next < lists.len() {
        let list = lists[next].clone();
        for member in (0..n as u32).filter(|member| !list.contains(member)) {
            let mut longer = list.clone();
            longer.push(member);
            lists.push(longer);
        }
        next += 1;
    }
    lists
}
