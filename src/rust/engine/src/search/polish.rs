//! Climb from a list to one that no single move improves.
//!
//! To look at all neighbours takes long, so a look is made the most of: after the best change, those of the other candidates
//! that promised something are made too, best first, as long as they still improve the list.

use super::layout::{Change, Layout, Room, See};
use super::moves::Move;
use super::state::State;
use super::Problem;
use crate::control::Control;
use crate::error::Error;
use crate::parallel;

/// A gain below this is rounding, not a better list.
pub const LEAST_GAIN: f64 = 1e-9;

/// Candidates that are looked at in one go: few enough that Ctrl-C is soon seen.
pub const CHUNK: u32 = 64;

/// The best change seen so far; of equals, the first.
#[derive(Debug, Clone, Copy)]
struct Best {
    log_posterior: f64,
    change: Option<Change>,
    /// Whether no rule may be added.
    is_full: bool,
}

impl See for Best {
    fn least(&self) -> f64 {
        self.log_posterior
    }

    fn see(&mut self, log_posterior: f64, change: Change) {
        let is_possible = !(self.is_full && matches!(change, Change::Add { .. }));
        if is_possible && log_posterior > self.log_posterior {
            (self.log_posterior, self.change) = (log_posterior, Some(change));
        }
    }
}

/// The list that `rules` become by moves (add, remove, swap, replace, relocate, or a rule for another one anywhere) that raise
/// the log posterior until none does. Lists stay within `max_length` rules.
pub fn polished(
    problem: &Problem,
    rules: &[u32],
    max_length: usize,
    control: &Control,
) -> Result<Vec<u32>, Error> {
    let mut state = State::with_rules(problem, rules);
    while improve(&mut state, max_length, 1, control)? && !control.should_end() {}
    Ok(state.rules().to_vec())
}

/// Look at all moves once, and make those that raise the log posterior, the best one first. Whether one did.
pub fn improve(
    state: &mut State<'_>,
    max_length: usize,
    threads: usize,
    control: &Control,
) -> Result<bool, Error> {
    let (before, rules) = (state.score().log_posterior(), state.rules().to_vec());
    let (problem, least) = (state.problem(), before + LEAST_GAIN);
    let layout = Layout::new(problem, &rules);
    let changes = improvements(problem, &layout, threads, least, rules.len() >= max_length, control)?;
    let best = changes.first().map_or(least, |&(log_posterior, _)| log_posterior);
    if let Some(swap) = best_swap(state, best, control) {
        state.make(swap);
    }
    for (_, change) in changes {
        if control.should_end() {
            break;
        }
        make_if_better(state, change, &rules, max_length);
    }
    let after = state.score().log_posterior();
    control.report_best(after);
    if after <= before && state.rules() != rules {
        // only rounding made it look better
        *state = State::with_rules(problem, &rules);
    }
    Ok(after > before)
}

/// The swap that gives most, if it gives more than `least`.
fn best_swap(state: &mut State<'_>, least: f64, control: &Control) -> Option<Move> {
    let m = state.rules().len();
    let (mut best, mut found) = (least, None);
    for first in 0..m {
        for second in first + 1..m {
            if control.should_end() {
                return found;
            }
            let swap = Move::Swap { first, second };
            if let Some(log_posterior) = state.try_move(swap, best).filter(|&found| found > best) {
                (best, found) = (log_posterior, Some(swap));
            }
        }
    }
    found
}

/// The best change of each candidate and the best removal, as far as they give more than `least`; best first.
pub fn improvements(
    problem: &Problem,
    layout: &Layout<'_>,
    threads: usize,
    least: f64,
    is_full: bool,
    control: &Control,
) -> Result<Vec<(f64, Change)>, Error> {
    let none = Best { log_posterior: least, change: None, is_full };
    let look = |first: u32| {
        let (mut found, mut room) = (Vec::new(), Room::default());
        for candidate in first..(first + CHUNK).min(problem.pool.len() as u32) {
            if control.should_end() {
                break;
            }
            let mut best = none;
            layout.show_changes(candidate, &mut room, &mut best);
            found.extend(best.change.map(|change| (best.log_posterior, change)));
        }
        found
    };
    let mut removal = none;
    layout.show_removals(&mut removal);
    let mut found: Vec<_> =
        removal.change.map(|change| (removal.log_posterior, change)).into_iter().collect();
    let chunks = (0..problem.pool.len() as u32).step_by(CHUNK as usize).collect();
    let threads = parallel::threads_for(threads, problem.pool.len() * problem.pool.rows.n_words());
    found.extend(parallel::map(threads, chunks, look)?.into_iter().flatten());
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    Ok(found)
}

/// Make a change that was found for the list `of`, at whatever position is best now, if that still improves the list.
fn make_if_better(state: &mut State<'_>, change: Change, of: &[u32], max_length: usize) {
    let position = |state: &State<'_>, rule: u32| state.rules().iter().position(|&other| other == rule);
    let least = state.score().log_posterior() + LEAST_GAIN;
    match change {
        Change::Remove { from } => {
            let Some(at) = position(state, of[from]) else { return };
            if state.try_move(Move::Remove { at }, least).is_some_and(|found| found > least) {
                state.make(Move::Remove { at });
            }
        }
        Change::Add { candidate, .. } => {
            if state.rules().len() >= max_length || position(state, candidate).is_some() {
                return;
            }
            if let Some(at) = best_position(state.insertions(candidate), least) {
                state.make(Move::Add { candidate, at });
            }
        }
        Change::Exchange { from, candidate, .. } => {
            let Some(from) = position(state, of[from]) else { return };
            if position(state, candidate).is_some_and(|at| at != from) {
                return;
            }
            if let Some(at) = best_position(state.exchanges(from, candidate), least) {
                state.make(Move::Remove { at: from });
                state.make(Move::Add { candidate, at });
            }
        }
    }
}

/// The first of the best positions, if it gives more than `least`.
fn best_position(scores: &[f64], least: f64) -> Option<usize> {
    let mut best = (least, None);
    for (at, &score) in scores.iter().enumerate() {
        if score > best.0 {
            best = (score, Some(at));
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
    fn a_look_finds_the_best_neighbour_or_goes_beyond_and_the_last_one_finds_none() {
        let (control, mut n_improved, mut n_beyond) = (Control::default(), 0, 0);
        for seed in 0..60 {
            let mut rng = ChainRng::new(seed, 6);
            let problem = random_source(&mut rng).with_items(6).problem();
            let score = |rules: &[u32]| problem.score(rules).0.log_posterior();
            let n = problem.pool.len();
            for max_length in [1, 3, usize::MAX] {
                let rules = (0..rng.below(n.min(4) + 1) as u32).filter(|_| rng.below(3) > 0);
                let mut state = State::with_rules(&problem, &rules.take(max_length).collect::<Vec<_>>());
                loop {
                    let before = state.rules().to_vec();
                    let near = neighbours(&problem, &before, max_length);
                    let best = near.iter().map(|rules| score(rules)).fold(score(&before), f64::max);
                    let improved = improve(&mut state, max_length, 1, &control).unwrap();
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
