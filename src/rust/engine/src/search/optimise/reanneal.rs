//! Reannealing: keep a prefix of a list, then reheat, cool and polish what follows in the residual problem of the prefix.
//!
//! Meanwhile the list may have a few rules more than the limit allows, so that a new one can come before an old one goes.

use super::annealing::Annealer;
use super::local_search;
use crate::bounds::prefix_bound;
use crate::control::Control;
use crate::error::Error;
use crate::rng::ChainRng;
use crate::search::problem::Problem;
use crate::search::record::{RunReport, ScoredList};
use crate::search::residual::ResidualProblem;

/// Most steps that count as one iteration on a smaller problem.
const MAX_PACE: u64 = 6;
/// Final temperature.
const COLD: f64 = 1.0;

/// A prefix to keep, a suffix to start from, and how to anneal it.
#[derive(Debug, Clone)]
pub struct Reanneal {
    /// The index of the list that it is to improve.
    pub parent: usize,
    /// Rules that stay.
    pub prefix: Vec<u32>,
    /// Rules to start from after the prefix; those that cover no remaining row are dropped.
    pub start: Vec<u32>,
    /// Rules beyond the limit that it may have while it is annealed.
    pub n_extra: usize,
    /// First temperature.
    pub temperature: f64,
    /// Iterations to spend.
    pub iterations: u64,
    /// A stream of its own.
    pub rng: ChainRng,
}

impl Reanneal {
    /// Reheat, cool and polish what follows the prefix.
    pub fn run(self, problem: &Problem, control: &Control) -> Result<RunReport, Error> {
        let Ok(residual) = ResidualProblem::new(problem, &self.prefix, control) else {
            // no memory or no time for it: the list stays as it is
            return Ok(RunReport::new(&self.prefix, problem.log_posterior(&self.prefix)));
        };
        control.add_work(problem.pool.len() as u64 * problem.pool.rows.n_words() as u64);
        let mut start = residual.to_residual(&self.start);
        start.truncate(residual.problem.objective.max_length());
        let shrunk = problem.pool.rows.n_rows() / residual.problem.pool.rows.n_rows().max(1);
        let pace = (shrunk as u64).clamp(1, MAX_PACE);
        let relaxed = residual.problem.relaxed_by(self.n_extra);
        let mut annealer = Annealer::new(&relaxed, &start, self.rng).with_pace(pace);
        annealer.cool(self.temperature, COLD, self.iterations, 0, control);
        let endpoint = annealer.rules().to_vec();
        let mut report = annealer.report;
        let is_new = report.best.rules != start;
        let scored = |rules: &[u32]| {
            let rules = residual.to_full(rules);
            ScoredList { log_posterior: problem.log_posterior(&rules), rules }
        };
        let unpolished = if is_new { &report.best.rules } else { &endpoint };
        let found = scored(&local_search::trim_and_climb(&residual.problem, unpolished, control)?);
        report.best = scored(&start);
        report.best.improve(&found.rules, found.log_posterior);
        Ok(report)
    }
}

/// As much of a prefix as can begin a list with a log posterior above `best` (Theorem 2). In the sharpened form of proofs, which knows rows
/// that no rule separates, the bound cuts the same prefixes and costs more (dev/notes/0015).
pub fn useful_prefix<'r>(problem: &Problem, prefix: &'r [u32], best: f64) -> &'r [u32] {
    let lengths: Vec<usize> = prefix.iter().map(|&rule| problem.length(rule)).collect();
    let (posterior, k) = (problem.objective.posterior(), problem.n_classes());
    let can_win =
        |&n: &usize| prefix_bound(posterior, &lengths[..n], &problem.score(&prefix[..n]).1, k) > best;
    &prefix[..(1..=prefix.len()).rev().find(can_win).unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::testing::{neighbours, random_problem};

    #[test]
    fn no_single_move_improves_what_is_found_after_the_prefix() {
        for seed in 0..20 {
            let problem = random_problem(&mut ChainRng::new(seed, 0));
            let n = problem.pool.len() as u32;
            let reanneal = |n_kept: u32, n_extra: usize| Reanneal {
                parent: 0,
                prefix: (0..n_kept.min(n)).collect(),
                start: Vec::new(),
                n_extra,
                temperature: 3.0,
                iterations: 100,
                rng: ChainRng::new(seed, 1),
            };
            for (n_kept, n_extra) in [(0, 0), (0, 2), (1, 0), (1, 3), (3, 0), (3, 1)] {
                let run = |max_length: usize| {
                    let problem = problem.limited_to(max_length);
                    reanneal(n_kept, n_extra).run(&problem, &Control::default()).unwrap().best
                };
                let found = run(9);
                let prefix = reanneal(n_kept, n_extra).prefix;
                assert!(found.rules.starts_with(&prefix) && found.rules.len() <= 9);
                assert_eq!(found.log_posterior, problem.log_posterior(&found.rules));
                if found.rules.len() > prefix.len() && found.rules.len() < 9 {
                    let near = neighbours(&problem, &found.rules, 9);
                    let behind = near.iter().filter(|rules| rules.starts_with(&prefix));
                    let best =
                        behind.map(|rules| problem.log_posterior(rules)).fold(f64::NEG_INFINITY, f64::max);
                    assert!(best <= found.log_posterior + 1e-6, "{best} {found:?}");
                }
                assert_eq!(run(prefix.len()).rules, prefix);
                assert!(run(prefix.len() + 1).rules.len() <= prefix.len() + 1);
            }
        }
    }

    /// Whether a list that begins with `prefix` and has at most `n_more` more rules exceeds `best`.
    fn can_exceed(problem: &Problem, prefix: &[u32], n_more: usize, best: f64) -> bool {
        let next = (0..problem.pool.len() as u32).filter(|rule| !prefix.contains(rule));
        problem.log_posterior(prefix) > best
            || n_more > 0
                && next
                    .map(|rule| [prefix, &[rule]].concat())
                    .any(|list| can_exceed(problem, &list, n_more - 1, best))
    }

    #[test]
    fn a_prefix_is_shortened_only_if_no_better_list_begins_with_it() {
        let (mut n_shorter, mut n_kept) = (0, 0);
        for seed in 0..60 {
            let problem = random_problem(&mut ChainRng::new(seed, 3));
            let best = local_search::hill_climb(&problem, &[], &Control::default()).unwrap();
            let best = problem.log_posterior(&best);
            let n = problem.pool.len().min(6) as u32;
            let pairs = (0..n).flat_map(|one| (0..n).map(move |other| [one, other]));
            for prefix in pairs.filter(|[one, other]| one != other) {
                let useful = useful_prefix(&problem, &prefix, best);
                assert!(prefix.starts_with(useful));
                match prefix.get(useful.len()) {
                    None => n_kept += 1,
                    Some(_) => {
                        n_shorter += 1;
                        let first_cut = &prefix[..useful.len() + 1];
                        assert!(!can_exceed(&problem, first_cut, 2, best + 1e-9), "{seed} {prefix:?}");
                    }
                }
            }
        }
        assert!(n_shorter > 50 && n_kept > 50, "{n_shorter} {n_kept}");
    }
}
