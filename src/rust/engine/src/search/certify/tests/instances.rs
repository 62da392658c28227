//! Random problems, and the enumeration of all their lists.

use super::super::prices::Prices;
use crate::bitset::BitColumns;
use crate::control::Control;
use crate::data::Rows;
use crate::hyperparameters::Hyperparameters;
use crate::mine::Pool;
use crate::model::Antecedents;
use crate::rng::ChainRng;
use crate::search::problem::Problem;

fn pick(rng: &mut ChainRng, choices: &[f64]) -> f64 {
    choices[rng.below(choices.len())]
}

/// What a random problem is like.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kind {
    pub(super) n_candidates: usize,
    pub(super) n_rows: usize,
    pub(super) max_length: usize,
}

/// A random problem: two or three classes; one or two lengths, one of which may have a single candidate; covers that may be
/// empty, equal or whole; weights in every third, fractions of them in every ninth.
fn random_problem(rng: &mut ChainRng, kind: Kind) -> Problem {
    let n_classes = 2 + rng.below(2);
    let n_rows = n_classes + rng.below(kind.n_rows);
    let n_patterns = 1 + rng.below(n_rows);
    let n_candidates = 1 + rng.below(kind.n_candidates);
    let cover: Vec<Vec<bool>> = (0..n_candidates)
        .map(|_| {
            let share = 1 + rng.below(6);
            (0..n_patterns).map(|_| rng.below(7) < share && share > 1).collect()
        })
        .collect();
    let pattern: Vec<usize> =
        (0..n_rows).map(|row| if row < n_patterns { row } else { rng.below(n_patterns) }).collect();
    let is_noisy = rng.below(2) == 0;
    let labels: Vec<u32> = (0..n_rows)
        .map(|row| match (row < n_classes, is_noisy) {
            (true, _) => row as u32,
            (_, true) => rng.below(n_classes) as u32,
            _ => (pattern[row] % n_classes) as u32,
        })
        .collect();
    let weights: Vec<f64> = match rng.below(9) {
        0 => (0..n_rows).map(|_| 0.25 + rng.uniform()).collect(),
        1 | 2 => (0..n_rows).map(|_| (1 + rng.below(5)) as f64).collect(),
        _ => vec![1.0; n_rows],
    };
    let rows = Rows::weighted(&labels, n_classes, &weights).unwrap();
    let mut covers = BitColumns::zeroed(n_candidates, rows.n_words()).unwrap();
    for (candidate, cover) in cover.iter().enumerate() {
        for row in (0..n_rows).filter(|&row| cover[pattern[row]]) {
            covers.set(candidate, rows.positions()[row] as usize);
        }
    }
    let n_short = if rng.below(2) == 0 { n_candidates } else { 1 + rng.below(n_candidates) };
    let mut antecedents = Antecedents::default();
    for candidate in 0..n_candidates as u32 {
        let length = if (candidate as usize) < n_short { 1 } else { 3 };
        antecedents.push(&(candidate..candidate + length).collect::<Vec<u32>>()).unwrap();
    }
    let hyperparameters = Hyperparameters {
        lambda: pick(rng, &[1e-3, 0.3, 1.0, 3.7, 10.0, 50.0]),
        eta: pick(rng, &[0.3, 1.0, 2.0, 6.0]),
        alpha: (0..n_classes).map(|_| pick(rng, &[0.1, 0.5, 1.0, 2.0, 7.3])).collect(),
    };
    let max_length = if rng.below(3) == 0 { usize::MAX } else { 1 + rng.below(kind.max_length) };
    let max_length = max_length.min(kind.max_length);
    Problem::prepare(Pool::of(rows, antecedents, covers), &hyperparameters, max_length, &Control::default())
        .unwrap()
}

/// All admissible lists with a prefix, scored from scratch.
pub(super) fn lists_from(problem: &Problem, prefix: &[u32], visit: &mut impl FnMut(&[u32], f64)) {
    visit(prefix, problem.log_posterior(prefix));
    if !problem.objective.admits(prefix.len() + 1) {
        return;
    }
    for rule in (0..problem.pool.len() as u32).filter(|rule| !prefix.contains(rule)) {
        lists_from(problem, &[prefix, &[rule]].concat(), visit);
    }
}

/// The highest log posterior of lists of at most 0, 1, 2, … rules.
pub(super) fn best_by_length(problem: &Problem) -> Vec<f64> {
    let n = problem.objective.max_length().min(problem.pool.len());
    let mut best = vec![f64::NEG_INFINITY; n + 1];
    lists_from(problem, &[], &mut |list, score| best[list.len()] = score.max(best[list.len()]));
    for length in 1..=n {
        best[length] = best[length].max(best[length - 1]);
    }
    best
}

pub(super) fn prices_of(problem: &Problem) -> Prices {
    Prices::new(problem.objective.prior(), problem.objective.max_length())
}

pub(super) const TINY: Kind = Kind { n_candidates: 5, n_rows: 60, max_length: 5 };
pub(super) const DEEP: Kind = Kind { n_candidates: 8, n_rows: 300, max_length: 5 };
pub(super) const WIDE: Kind = Kind { n_candidates: 11, n_rows: 150, max_length: 3 };

pub(super) fn instances(kind: Kind, seeds: std::ops::Range<u64>) -> impl Iterator<Item = (u64, Problem)> {
    seeds.map(move |seed| (seed, random_problem(&mut ChainRng::new(seed, 77), kind)))
}
