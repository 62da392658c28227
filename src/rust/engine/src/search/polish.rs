//! Climb from a list to one that no single move improves.

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

/// A neighbour of the current list.
#[derive(Debug, Clone, Copy)]
pub enum Neighbour {
    Changed(Change),
    Swapped { first: usize, second: usize },
}

/// The best neighbour seen so far; of equals, the first.
#[derive(Debug, Clone, Copy)]
pub struct Best {
    log_posterior: f64,
    neighbour: Option<Neighbour>,
    /// Whether no rule may be added.
    is_full: bool,
}

impl Best {
    /// None yet, and none will do up to this log posterior.
    pub fn above(log_posterior: f64, is_full: bool) -> Self {
        Best { log_posterior, neighbour: None, is_full }
    }

    pub fn change(&self) -> Option<Change> {
        match self.neighbour {
            Some(Neighbour::Changed(change)) => Some(change),
            _ => None,
        }
    }

    fn offer(&mut self, log_posterior: f64, neighbour: Neighbour) {
        if log_posterior > self.log_posterior {
            (self.log_posterior, self.neighbour) = (log_posterior, Some(neighbour));
        }
    }
}

impl See for Best {
    fn least(&self) -> f64 {
        self.log_posterior
    }

    fn see(&mut self, log_posterior: f64, change: Change) {
        if !(self.is_full && matches!(change, Change::Add { .. })) {
            self.offer(log_posterior, Neighbour::Changed(change));
        }
    }
}

/// Make the single move (add, remove, swap, replace, relocate, or a rule for another one anywhere) that raises the log
/// posterior most, again and again until none does. Lists stay within `max_length` rules.
pub fn polish(
    problem: &Problem,
    rules: &[u32],
    max_length: usize,
    threads: usize,
    control: &Control,
) -> Result<Vec<u32>, Error> {
    let mut state = State::with_rules(problem, rules);
    loop {
        let now = state.score().log_posterior();
        let is_full = state.rules().len() >= max_length;
        let mut best = Best::above(now + LEAST_GAIN, is_full);
        look_at_swaps(&mut state, &mut best);
        let layout = Layout::new(problem, state.rules());
        look_at_changes(problem, &layout, threads, &mut best, control)?;
        let Some(neighbour) = best.neighbour else { break };
        let before = state.rules().to_vec();
        make(&mut state, neighbour);
        if state.score().log_posterior() <= now {
            // only rounding made it look better
            return Ok(before);
        }
        control.offer_best(state.score().log_posterior());
        if control.should_end() {
            break;
        }
    }
    Ok(state.rules().to_vec())
}

fn look_at_swaps(state: &mut State<'_>, best: &mut Best) {
    let m = state.rules().len();
    for first in 0..m {
        for second in first + 1..m {
            if let Some(log_posterior) = state.try_move(Move::Swap { first, second }, best.log_posterior) {
                best.offer(log_posterior, Neighbour::Swapped { first, second });
            }
        }
    }
}

pub fn look_at_changes(
    problem: &Problem,
    layout: &Layout<'_>,
    threads: usize,
    best: &mut Best,
    control: &Control,
) -> Result<(), Error> {
    layout.show_removals(best);
    let least = *best;
    let look = |first: u32| {
        let (mut best, mut room) = (least, Room::default());
        for candidate in first..(first + CHUNK).min(problem.pool.len() as u32) {
            if control.should_end() {
                break;
            }
            layout.show_changes(candidate, &mut room, &mut best);
        }
        best
    };
    let chunks = (0..problem.pool.len() as u32).step_by(CHUNK as usize).collect();
    let threads = parallel::threads_for(threads, problem.pool.len() * problem.pool.rows.n_words());
    for found in parallel::map(threads, chunks, look)? {
        if let Some(neighbour) = found.neighbour {
            best.offer(found.log_posterior, neighbour);
        }
    }
    Ok(())
}

fn make(state: &mut State<'_>, neighbour: Neighbour) {
    match neighbour {
        Neighbour::Swapped { first, second } => state.make(Move::Swap { first, second }),
        Neighbour::Changed(change) => {
            if let Change::Remove { from } | Change::Exchange { from, .. } = change {
                state.make(Move::Remove { at: from });
            }
            if let Change::Add { candidate, at } | Change::Exchange { candidate, at, .. } = change {
                state.make(Move::Add { candidate, at });
            }
        }
    }
}
