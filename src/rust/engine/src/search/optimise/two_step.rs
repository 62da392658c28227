//! Two-step local search: accept a worse neighbour if one of its neighbours is better than the list.
//!
//! Near the end of a list two rules often have to change at once. Few rows remain there, so the neighbourhoods of the best
//! neighbours can all be scored in the residual problem of the rules above.

use super::local_search::{hill_climb, improving_moves};
use crate::control::Control;
use crate::error::Error;
use crate::search::list::moves::Move;
use crate::search::list::neighbourhood::{CandidateScratch, MoveSink, Neighbourhood};
use crate::search::problem::{Problem, MIN_GAIN};
use crate::search::residual::ResidualProblem;

/// Tails of a list to improve in turn, by the share of the rows that reach them. The last is the whole list.
const TAIL_SHARES: [f64; 2] = [0.3, 1.0];

/// How much to look at.
#[derive(Debug, Clone, Copy)]
pub struct TailBudget {
    /// Number of best neighbours whose neighbourhoods are scored.
    pub neighbours: usize,
    /// Words that may be read in all; nothing is begun that would read more.
    pub words: u64,
}

impl TailBudget {
    /// Whether the budget allows `times` passes over `words` words.
    fn allows(&self, words: u64, times: usize) -> bool {
        words.saturating_mul(times as u64) <= self.words
    }

    fn spend(&mut self, words: u64) {
        self.words = self.words.saturating_sub(words);
    }
}

/// Improve the tails of a local optimum, until none gets better.
pub fn improve_tails(
    problem: &Problem,
    rules: &[u32],
    mut budget: TailBudget,
    control: &Control,
) -> Result<Vec<u32>, Error> {
    let mut rules = rules.to_vec();
    // per tail: the list in which it was last examined
    let mut examined = vec![Vec::new(); TAIL_SHARES.len()];
    while let Some(tail) = (0..TAIL_SHARES.len()).find(|&tail| examined[tail] != rules) {
        let words_to_pack = problem.pool.len() as u64 * problem.pool.rows.n_words() as u64;
        if !budget.allows(words_to_pack, 1) || control.should_end() {
            break;
        }
        budget.spend(words_to_pack);
        control.add_work(words_to_pack);
        let first = tail_start(problem, &rules, TAIL_SHARES[tail]);
        let Ok(residual) = ResidualProblem::new(problem, &rules[..first], control) else { break };
        let suffix = residual.to_residual(&rules[first..]);
        if let Some(better) = two_step_ascent(&residual.problem, &suffix, &mut budget, control)? {
            // rules without rows are dropped in the residual problem, though the prior may favour them: compare full lists
            let full = residual.to_full(&better);
            if problem.log_posterior(&full) > problem.log_posterior(&rules) {
                rules = full;
            }
        }
        examined[tail].clone_from(&rules);
    }
    Ok(rules)
}

/// The first position that at most this share of the rows reaches.
fn tail_start(problem: &Problem, rules: &[u32], share: f64) -> usize {
    let counts = problem.score(rules).1;
    let n_all: u64 = counts.iter().sum();
    let mut left = n_all;
    for (position, captured) in counts.chunks_exact(problem.n_classes()).enumerate() {
        if left as f64 <= share * n_all as f64 {
            return position.min(rules.len());
        }
        left -= captured.iter().sum::<u64>();
    }
    rules.len()
}

/// A list that no one move, nor two within the budget, improve; none if that is `rules`.
fn two_step_ascent(
    problem: &Problem,
    rules: &[u32],
    budget: &mut TailBudget,
    control: &Control,
) -> Result<Option<Vec<u32>>, Error> {
    let mut better: Option<Vec<u32>> = None;
    while let Some(found) = best_two_step(problem, better.as_deref().unwrap_or(rules), budget, control)? {
        better = Some(hill_climb(problem, &found, control)?);
    }
    Ok(better)
}

/// The best neighbour of a neighbour that is better than `rules`, for the first neighbour that has one.
fn best_two_step(
    problem: &Problem,
    rules: &[u32],
    budget: &mut TailBudget,
    control: &Control,
) -> Result<Option<Vec<u32>>, Error> {
    let is_full = |rules: &[u32]| !problem.objective.admits(rules.len() + 1);
    let neighbourhood = Neighbourhood::new(problem, rules);
    let words = neighbourhood.n_words_to_read();
    if !budget.allows(words, budget.neighbours.saturating_add(1)) {
        return Ok(None);
    }
    let now = problem.log_posterior(rules);
    let neighbours = BestMoves::find(problem, &neighbourhood, budget.neighbours, is_full(rules), control);
    budget.spend(words);
    control.add_work(words);
    for (log_posterior, change) in neighbours {
        if control.should_end() {
            break;
        }
        if (log_posterior - now).abs() < MIN_GAIN {
            // the same captures in another order
            continue;
        }
        let between = change.applied_to(rules);
        let neighbourhood = Neighbourhood::new(problem, &between);
        let better = improving_moves(problem, &neighbourhood, 1, now + MIN_GAIN, is_full(&between), control)?;
        budget.spend(words);
        control.add_work(words);
        let found = better.first().map(|(_, change)| change.applied_to(&between));
        if let Some(found) = found.filter(|found| problem.log_posterior(found) > now) {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// The best moves offered. Of those with the same score, which nearly always capture the same rows, the first is enough.
#[derive(Debug)]
struct BestMoves {
    most: usize,
    found: Vec<(f64, Move)>,
    threshold: f64,
    /// Whether no rule may be added.
    is_full: bool,
}

impl BestMoves {
    /// The `most` best moves, best first.
    fn find(
        problem: &Problem,
        neighbourhood: &Neighbourhood<'_>,
        most: usize,
        is_full: bool,
        control: &Control,
    ) -> Vec<(f64, Move)> {
        let mut moves = BestMoves { most, found: Vec::new(), threshold: f64::NEG_INFINITY, is_full };
        neighbourhood.visit_removals(&mut moves);
        let mut scratch = CandidateScratch::default();
        for candidate in 0..problem.pool.len() as u32 {
            if control.should_end() {
                break;
            }
            neighbourhood.visit_candidate(candidate, &mut scratch, &mut moves);
        }
        moves.keep_best();
        moves.found
    }

    fn keep_best(&mut self) {
        self.found.sort_by(|a, b| b.0.total_cmp(&a.0));
        self.found.dedup_by(|next, kept| kept.0 - next.0 < MIN_GAIN);
        if self.found.len() >= self.most {
            self.found.truncate(self.most);
            self.threshold = self.found.last().map_or(self.threshold, |&(log_posterior, _)| log_posterior);
        }
    }
}

impl MoveSink for BestMoves {
    fn threshold(&self) -> f64 {
        self.threshold
    }

    fn offer(&mut self, log_posterior: f64, change: Move) {
        if self.is_full && matches!(change, Move::Add { .. }) {
            return;
        }
        self.found.push((log_posterior, change));
        if self.found.len() > self.most.saturating_mul(2) {
            self.keep_best();
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::rng::ChainRng;
    use crate::testing::{neighbours, random_source};

    const ALL: TailBudget = TailBudget { neighbours: usize::MAX, words: u64::MAX };

    #[test]
    fn no_two_moves_improve_the_list_that_is_found() {
        let (mut n_examined, mut n_better) = (0, 0);
        for seed in 0..60 {
            let whole = random_source(&mut ChainRng::new(seed, 3)).with_items(5).problem();
            for max_length in [0, 1, 3] {
                let (problem, control) = (whole.limited_to(max_length), Control::default());
                let polished = hill_climb(&problem, &[], &control).unwrap();
                let found = two_step_ascent(&problem, &polished, &mut { ALL }, &control).unwrap();
                n_better += usize::from(found.is_some());
                let found = found.unwrap_or(polished);
                assert!(found.len() <= max_length);
                let between = neighbours(&problem, &found, max_length);
                let scores: Vec<f64> = between.iter().map(|rules| problem.log_posterior(rules)).collect();
                let now = problem.log_posterior(&found);
                for (rules, own) in between.iter().zip(&scores) {
                    let same = scores.iter().chain([&now]).filter(|other| (*other - own).abs() < 1e-6);
                    if same.count() > 1 {
                        // another one may represent it
                        continue;
                    }
                    n_examined += 1;
                    for next in neighbours(&problem, rules, max_length) {
                        assert!(problem.log_posterior(&next) < now + 1e-6, "seed {seed}: {next:?} {found:?}");
                    }
                }
            }
        }
        assert!(n_examined > 500 && n_better > 0, "{n_examined} {n_better}");
    }

    #[test]
    fn tails_never_make_a_list_worse_and_the_budget_is_kept() {
        for seed in 0..60 {
            let whole = random_source(&mut ChainRng::new(seed, 4)).problem();
            let control = Control::default();
            for max_length in [0, 1, 2, 9] {
                let problem = whole.limited_to(max_length);
                let polished = hill_climb(&problem, &[], &control).unwrap();
                let improved =
                    |budget: TailBudget| improve_tails(&problem, &polished, budget, &control).unwrap();
                assert_eq!(improved(TailBudget { words: 0, ..ALL }), polished);
                let budgets =
                    [TailBudget { neighbours: 5, words: 100_000 }, TailBudget { neighbours: 0, ..ALL }, ALL];
                for budget in budgets {
                    let found = improved(budget);
                    assert!(found.len() <= max_length);
                    assert!(problem.log_posterior(&found) >= problem.log_posterior(&polished));
                }
            }
        }
    }

    #[test]
    fn a_tail_starts_where_few_rows_are_left() {
        for seed in 0..30 {
            let problem = random_source(&mut ChainRng::new(seed, 5)).problem();
            let rules: Vec<u32> = (0..problem.pool.len().min(6) as u32).collect();
            let counts = problem.score(&rules).1;
            let k = problem.pool.rows.n_classes();
            let n_all: u64 = counts.iter().sum();
            for share in [0.0, 0.3, 0.7, 1.0] {
                let first = tail_start(&problem, &rules, share);
                let left = |at: usize| counts[at * k..].iter().sum::<u64>() as f64;
                assert!(first == rules.len() || left(first) <= share * n_all as f64);
                assert!(first == 0 || left(first - 1) > share * n_all as f64);
            }
            assert_eq!(tail_start(&problem, &rules, 1.0), 0);
        }
    }
}
