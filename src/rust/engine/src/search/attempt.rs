//! An attempt to better a list: a prefix of it is kept, and what follows is warmed up, cooled down and polished in the problem
//! that the prefix leaves (`rest.rs`).

use super::chain::ChainReport;
use super::polish;
use super::rest::Rest;
use super::walk::Walk;
use super::Problem;
use crate::control::Control;
use crate::error::Error;
use crate::rng::ChainRng;

/// With a part of the rows, iterations have that many steps at most: a step is never quite free.
const MOST_STEPS: u64 = 6;
/// Where it ends to cool.
const COLD: f64 = 1.0;
/// Polish hardly ever adds more.
const WITHIN_REACH: f64 = 5.0;

/// A prefix to keep, what to begin with behind it, and how.
#[derive(Debug, Clone)]
pub struct Attempt {
    /// The list it is about.
    pub of: usize,
    pub prefix: Vec<u32>,
    /// Rules, of which those count that do something behind the prefix.
    pub start: Vec<u32>,
    pub temperature: f64,
    pub iterations: u64,
    /// The log posterior above which a list is of use.
    pub wanted: f64,
    /// Whether to polish where it ends if it found nothing better on the way.
    pub polishes_end: bool,
    pub rng: ChainRng,
}

impl Attempt {
    /// Warm up, cool down and polish what follows the prefix.
    pub fn carry_out(
        self,
        problem: &Problem,
        max_length: usize,
        control: &Control,
    ) -> Result<ChainReport, Error> {
        let score = |rules: &[u32]| problem.score(rules).0.log_posterior();
        let Ok(rest) = Rest::new(problem, &self.prefix, control) else {
            // where there is no memory for it, or no time, the list stays as it is
            return Ok(ChainReport::new(&self.prefix, score(&self.prefix)));
        };
        let room = max_length.saturating_sub(self.prefix.len());
        let mut start = rest.within(&self.start);
        start.truncate(room);
        let shrunk = problem.pool.rows.n_rows() / rest.problem.pool.rows.n_rows().max(1);
        let pace = (shrunk as u64).clamp(1, MOST_STEPS);
        let mut walk = Walk::new(&rest.problem, &start, room, self.rng).with_pace(pace);
        let before = walk.report.best_log_posterior;
        walk.cool(self.temperature, COLD, self.iterations, 0, control);
        let end = walk.rules().to_vec();
        let mut report = walk.report;
        let is_new = report.best_log_posterior > before;
        let mut rules = rest.whole(&report.best_rules);
        let polished = if is_new { &report.best_rules } else { &end };
        let is_near = || score(&rest.whole(polished)) > self.wanted - WITHIN_REACH;
        if (is_new || self.polishes_end) && is_near() {
            let found = rest.whole(&polish::polished(&rest.problem, polished, room, control)?);
            if is_new || score(&found) > score(&rules) {
                rules = found;
            }
        }
        (report.best_log_posterior, report.best_rules) = (score(&rules), rules);
        Ok(report)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::testing::{neighbours, random_problem};

    #[test]
    fn no_single_change_betters_what_an_attempt_finds_behind_the_prefix() {
        for seed in 0..20 {
            let problem = random_problem(&mut ChainRng::new(seed, 0));
            let score = |rules: &[u32]| problem.score(rules).0.log_posterior();
            let n = problem.pool.len() as u32;
            let attempt = |n_kept: u32, wanted: f64| Attempt {
                of: 0,
                prefix: (0..n_kept.min(n)).collect(),
                start: Vec::new(),
                temperature: 3.0,
                iterations: 100,
                wanted,
                polishes_end: seed % 2 == 0,
                rng: ChainRng::new(seed, 1),
            };
            for n_kept in [0, 1, 3] {
                let carry_out = |wanted: f64, max_length: usize| {
                    attempt(n_kept, wanted).carry_out(&problem, max_length, &Control::default()).unwrap()
                };
                let (found, unpolished) = (carry_out(f64::NEG_INFINITY, 9), carry_out(f64::INFINITY, 9));
                let prefix = attempt(n_kept, 0.0).prefix;
                assert!(found.best_rules.starts_with(&prefix) && found.best_rules.len() <= 9);
                assert_eq!(found.best_log_posterior, score(&found.best_rules));
                assert!(found.best_log_posterior >= unpolished.best_log_posterior);
                if found.best_rules.len() > prefix.len() && found.best_rules.len() < 9 {
                    let near = neighbours(&problem, &found.best_rules, 9);
                    let behind = near.iter().filter(|rules| rules.starts_with(&prefix));
                    let best = behind.map(|rules| score(rules)).fold(f64::NEG_INFINITY, f64::max);
                    assert!(best <= found.best_log_posterior + 1e-6, "{best} {found:?}");
                }
                assert_eq!(carry_out(f64::NEG_INFINITY, prefix.len()).best_rules, prefix);
            }
        }
    }
}
