//! Hill climbing: apply improving moves until there is none.
//!
//! Scoring the whole neighbourhood (a *sweep*) is expensive, so every candidate that improves the list is tried again
//! after the best move, best first, before the next sweep.

use crate::control::Control;
use crate::error::Error;
use crate::parallel;
use crate::search::list::moves::Move;
use crate::search::list::neighbourhood::{CandidateScratch, MoveSink, Neighbourhood};
use crate::search::list::RuleListState;
use crate::search::problem::{Problem, CHUNK, MIN_GAIN};

/// A local optimum reached from `rules` by adding, removing, swapping, replacing, relocating or exchanging rules.
pub fn hill_climb(problem: &Problem, rules: &[u32], control: &Control) -> Result<Vec<u32>, Error> {
    let mut state = RuleListState::with_rules(problem, rules);
    while sweep(&mut state, 1, control)? && !control.should_end() {}
    Ok(state.rules().to_vec())
}

/// `rules` without those whose removal costs least, as many as the limit asks for, then a local optimum reached from there.
pub fn trim_and_climb(problem: &Problem, rules: &[u32], control: &Control) -> Result<Vec<u32>, Error> {
    let mut rules = rules.to_vec();
    while !problem.objective.admits(rules.len()) {
        let mut removal = BestMove { log_posterior: f64::NEG_INFINITY, change: None, is_full: true };
        Neighbourhood::new(problem, &rules).visit_removals(&mut removal);
        match removal.change {
            Some(change) => change.apply_to(&mut rules),
            None => rules.truncate(problem.objective.max_length()),
        }
    }
    let rules = hill_climb(problem, &rules, control)?;
    // the beginning of an admissible list need not be admissible
    Ok(if problem.admits_captures(&rules) { rules } else { Vec::new() })
}

/// Score all moves once, and apply those that raise the log posterior, best first. Whether one did.
pub fn sweep(state: &mut RuleListState<'_>, threads: usize, control: &Control) -> Result<bool, Error> {
    let (before, rules) = (state.log_posterior(), state.rules().to_vec());
    let (problem, threshold) = (state.problem(), before + MIN_GAIN);
    let neighbourhood = Neighbourhood::new(problem, &rules);
    control.add_work(neighbourhood.n_words_to_read());
    let is_full = !problem.objective.admits(rules.len() + 1);
    let moves = improving_moves(problem, &neighbourhood, threads, threshold, is_full, control)?;
    let best = moves.first().map_or(threshold, |&(log_posterior, _)| log_posterior);
    if let Some(swap) = best_swap(state, best, control) {
        state.apply(swap);
    }
    for (_, change) in moves {
        if control.should_end() {
            break;
        }
        if let Some(change) = find_again(state, change, &rules) {
            state.apply(change);
        }
    }
    let after = state.log_posterior();
    control.report_best(after);
    if after <= before && state.rules() != rules {
        // it looked better by rounding only
        *state = RuleListState::with_rules(problem, &rules);
    }
    Ok(after > before)
}

/// The best swap, if its log posterior exceeds the threshold.
fn best_swap(state: &mut RuleListState<'_>, threshold: f64, control: &Control) -> Option<Move> {
    let m = state.rules().len();
    let (mut best, mut found) = (threshold, None);
    for first in 0..m {
        for second in first + 1..m {
            if control.should_end() {
                return found;
            }
            let swap = Move::Swap { first, second };
            if let Some(log_posterior) = state.log_posterior_after(swap, best).filter(|&found| found > best) {
                (best, found) = (log_posterior, Some(swap));
            }
        }
    }
    found
}

/// The best move offered; of equals, the first.
#[derive(Debug, Clone, Copy)]
struct BestMove {
    log_posterior: f64,
    change: Option<Move>,
    /// Whether no rule may be added.
    is_full: bool,
}

impl MoveSink for BestMove {
    fn threshold(&self) -> f64 {
        self.log_posterior
    }

    fn offer(&mut self, log_posterior: f64, change: Move) {
        let is_admissible = !(self.is_full && matches!(change, Move::Add { .. }));
        if is_admissible && log_posterior > self.log_posterior {
            (self.log_posterior, self.change) = (log_posterior, Some(change));
        }
    }
}

/// The best move of each candidate and the best removal, as far as they exceed the threshold; best first.
pub fn improving_moves(
    problem: &Problem,
    neighbourhood: &Neighbourhood<'_>,
    threads: usize,
    threshold: f64,
    is_full: bool,
    control: &Control,
) -> Result<Vec<(f64, Move)>, Error> {
    let none = BestMove { log_posterior: threshold, change: None, is_full };
    let visit = |first: u32| {
        let (mut found, mut scratch) = (Vec::new(), CandidateScratch::default());
        for candidate in first..(first + CHUNK).min(problem.pool.len() as u32) {
            if control.should_end() {
                break;
            }
            let mut best = none;
            neighbourhood.visit_candidate(candidate, &mut scratch, &mut best);
            found.extend(best.change.map(|change| (best.log_posterior, change)));
        }
        found
    };
    let mut removal = none;
    neighbourhood.visit_removals(&mut removal);
    let mut found: Vec<_> =
        removal.change.map(|change| (removal.log_posterior, change)).into_iter().collect();
    let chunks = (0..problem.pool.len() as u32).step_by(CHUNK as usize).collect();
    let threads = parallel::threads_for(threads, problem.pool.len() * problem.pool.rows.n_words());
    found.extend(parallel::map(threads, chunks, visit)?.into_iter().flatten());
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    Ok(found)
}

/// A move found for the list `original`, at whatever position is best now, if it still improves the list.
fn find_again(state: &mut RuleListState<'_>, change: Move, original: &[u32]) -> Option<Move> {
    let position_of =
        |state: &RuleListState<'_>, rule: u32| state.rules().iter().position(|&other| other == rule);
    let threshold = state.log_posterior() + MIN_GAIN;
    match change {
        Move::Remove { position } => {
            let change = Move::Remove { position: position_of(state, original[position])? };
            state.log_posterior_after(change, threshold).filter(|&found| found > threshold).map(|_| change)
        }
        Move::Add { candidate, .. } => {
            let is_full = !state.problem().objective.admits(state.rules().len() + 1);
            if is_full || position_of(state, candidate).is_some() {
                return None;
            }
            let position = best_position(state.insertions(candidate), threshold)?;
            Some(Move::Add { candidate, position })
        }
        Move::Exchange { from, candidate, .. } => {
            let from = position_of(state, original[from])?;
            if position_of(state, candidate).is_some_and(|position| position != from) {
                return None;
            }
            let position = best_position(state.exchanges(from, candidate), threshold)?;
            Some(Move::Exchange { from, candidate, position })
        }
        // a neighbourhood offers no other moves
        _ => None,
    }
}

/// The first of the best positions, if it exceeds the threshold.
fn best_position(scores: &[f64], threshold: f64) -> Option<usize> {
    let mut best = (threshold, None);
    for (position, &score) in scores.iter().enumerate() {
        if score > best.0 {
            best = (score, Some(position));
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::rng::ChainRng;
    use crate::testing::{neighbours, random_source};

    #[test]
    fn of_the_rules_beyond_the_limit_the_one_worth_least_goes_first() {
        let control = Control::default();
        for seed in 0..60 {
            let whole = random_source(&mut ChainRng::new(seed, 6)).problem();
            let rules: Vec<u32> = (0..whole.pool.len().min(5) as u32).collect();
            let trimmed = |limit: usize| trim_and_climb(&whole.limited_to(limit), &rules, &control).unwrap();
            assert_eq!(
                trimmed(rules.len()),
                hill_climb(&whole.limited_to(rules.len()), &rules, &control).unwrap()
            );
            for limit in 0..rules.len() {
                assert!(trimmed(limit).len() <= limit);
            }
            let without = |position: usize| [&rules[..position], &rules[position + 1..]].concat();
            let scores = (0..rules.len()).map(|position| whole.log_posterior(&without(position)));
            let best = scores.fold(f64::NEG_INFINITY, f64::max);
            assert!(rules.is_empty() || whole.log_posterior(&trimmed(rules.len() - 1)) > best - 1e-6);
        }
    }

    #[test]
    fn a_sweep_finds_the_best_neighbour_or_better_and_the_last_one_finds_none() {
        let (control, mut n_improved, mut n_beyond) = (Control::default(), 0, 0);
        for seed in 0..60 {
            let mut rng = ChainRng::new(seed, 6);
            let whole = random_source(&mut rng).with_items(6).problem();
            let n = whole.pool.len();
            for max_length in [1, 3, usize::MAX] {
                let problem = whole.limited_to(max_length);
                let score = |rules: &[u32]| problem.log_posterior(rules);
                let rules = (0..rng.below(n.min(4) + 1) as u32).filter(|_| rng.below(3) > 0);
                let mut state =
                    RuleListState::with_rules(&problem, &rules.take(max_length).collect::<Vec<_>>());
                loop {
                    let before = state.rules().to_vec();
                    let near = neighbours(&problem, &before, max_length);
                    let best = near.iter().map(|rules| score(rules)).fold(score(&before), f64::max);
                    let improved = sweep(&mut state, 1, &control).unwrap();
                    let after = score(state.rules());
                    assert!(after > best - 1e-6, "seed {seed}: {before:?} {:?}", state.rules());
                    assert!(state.rules().len() <= max_length);
                    n_improved += u32::from(improved);
                    n_beyond += u32::from(after > best + 1e-6);
                    if !improved {
                        assert_eq!(state.rules(), before);
                        break;
                    }
                }
            }
        }
        assert!(n_improved > 100 && n_beyond > 20, "{n_improved} {n_beyond}");
    }
}
