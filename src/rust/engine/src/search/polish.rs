//! Climb from a list to one that no single move improves.

use super::moves::Move;
use super::state::State;
use crate::control::Control;

/// A gain below this is rounding, not a better list.
const LEAST_GAIN: f64 = 1e-9;

/// A neighbour of the current list.
#[derive(Debug, Clone, Copy)]
enum Neighbour {
    /// One move away.
    Moved(Move),
    /// The rule at `from` taken out and `candidate` (that rule or another) put in at `at`: replace and relocate.
    Exchanged { from: usize, candidate: u32, at: usize },
}

/// The best neighbour seen so far.
struct Best {
    log_posterior: f64,
    neighbour: Option<Neighbour>,
}

impl Best {
    fn offer(&mut self, log_posterior: f64, neighbour: Neighbour) {
        if log_posterior > self.log_posterior {
            *self = Best { log_posterior, neighbour: Some(neighbour) };
        }
    }
}

/// Make the best single move (add, remove, swap, replace, relocate) until none raises the log posterior.
pub fn polish(state: &mut State<'_>, control: &Control) {
    while !control.should_end() {
        let now = state.score().log_posterior();
        let mut best = Best { log_posterior: now + LEAST_GAIN, neighbour: None };
        look_at_moves(state, &mut best, control);
        look_at_exchanges(state, &mut best, control);
        let Some(neighbour) = best.neighbour else {
            return;
        };
        let before = state.rules().to_vec();
        match neighbour {
            Neighbour::Moved(change) => state.make(change),
            Neighbour::Exchanged { from, candidate, at } => {
                state.make(Move::Remove { at: from });
                state.make(Move::Add { candidate, at });
            }
        }
        control.offer_best(state.score().log_posterior());
        if state.score().log_posterior() <= now {
            // only rounding made it look better: stay where we were, or this would never end
            *state = State::with_rules(state.problem(), &before);
            return;
        }
    }
}

/// Removals, swaps and additions.
fn look_at_moves(state: &mut State<'_>, best: &mut Best, control: &Control) {
    let m = state.rules().len();
    for at in 0..m {
        if control.should_end() {
            return;
        }
        let removal = Move::Remove { at };
        best.offer(state.try_move(removal), Neighbour::Moved(removal));
        for second in at + 1..m {
            let swap = Move::Swap { first: at, second };
            best.offer(state.try_move(swap), Neighbour::Moved(swap));
        }
    }
    look_at_insertions(state, control, |log_posterior, candidate, at| {
        best.offer(log_posterior, Neighbour::Moved(Move::Add { candidate, at }));
    });
}

/// Each rule taken out in turn, and anything put in anywhere.
fn look_at_exchanges(state: &mut State<'_>, best: &mut Best, control: &Control) {
    for from in 0..state.rules().len() {
        if control.should_end() {
            return;
        }
        let rule = state.rules()[from];
        state.make(Move::Remove { at: from });
        look_at_insertions(state, control, |log_posterior, candidate, at| {
            best.offer(log_posterior, Neighbour::Exchanged { from, candidate, at });
        });
        state.make(Move::Add { candidate: rule, at: from });
    }
}

/// Every unused candidate at its best position.
fn look_at_insertions(state: &mut State<'_>, control: &Control, mut see: impl FnMut(f64, u32, usize)) {
    for candidate in 0..state.problem().pool.len() as u32 {
        if control.should_end() {
            return;
        }
        if !state.rules().contains(&candidate) {
            let (at, log_posterior) = state.best_insertion(candidate);
            see(log_posterior, candidate, at);
        }
    }
}
