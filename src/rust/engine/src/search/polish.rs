//! Climb from a list to one that no single move improves.

use super::moves::Move;
use super::state::State;
use crate::control::Control;

/// A gain below this is rounding, not a better list.
pub const LEAST_GAIN: f64 = 1e-9;

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
    /// Nothing seen yet; only what is really better than `state` will do.
    fn than(state: &State<'_>) -> Self {
        Best { log_posterior: state.score().log_posterior() + LEAST_GAIN, neighbour: None }
    }

    fn try_move(&mut self, state: &mut State<'_>, change: Move) {
        if let Some(log_posterior) = state.try_move(change, self.log_posterior) {
            self.offer(log_posterior, Neighbour::Moved(change));
        }
    }

    fn offer(&mut self, log_posterior: f64, neighbour: Neighbour) {
        if log_posterior > self.log_posterior {
            *self = Best { log_posterior, neighbour: Some(neighbour) };
        }
    }
}

/// Make single moves (add, remove, swap, replace, relocate) that raise the log posterior until none does; lists stay within
/// `max_length` rules. Exchanging rules
/// costs most to look at, so the best exchange of each rule is made at once, not only the best of all.
pub fn polish(state: &mut State<'_>, max_length: usize, control: &Control) {
    loop {
        let mut improved = false;
        loop {
            let mut best = Best::than(state);
            look_at_moves(state, max_length, &mut best, control);
            if !improve(state, best, control) {
                break;
            }
            improved = true;
        }
        for from in 0..state.rules().len() {
            let mut best = Best::than(state);
            look_at_exchanges(state, from, &mut best, control);
            improved |= improve(state, best, control);
        }
        if !improved || control.should_end() {
            return;
        }
    }
}

/// Move to the best neighbour; false if there is none, or if only rounding made it look better.
fn improve(state: &mut State<'_>, best: Best, control: &Control) -> bool {
    let Some(neighbour) = best.neighbour else { return false };
    let before = (state.rules().to_vec(), state.score().log_posterior());
    match neighbour {
        Neighbour::Moved(change) => state.make(change),
        Neighbour::Exchanged { from, candidate, at } => {
            state.make(Move::Remove { at: from });
            state.make(Move::Add { candidate, at });
        }
    }
    if state.score().log_posterior() <= before.1 {
        *state = State::with_rules(state.problem(), &before.0);
        return false;
    }
    control.offer_best(state.score().log_posterior());
    true
}

/// Removals, swaps and additions.
fn look_at_moves(state: &mut State<'_>, max_length: usize, best: &mut Best, control: &Control) {
    let m = state.rules().len();
    for at in 0..m {
        if control.should_end() {
            return;
        }
        best.try_move(state, Move::Remove { at });
        for second in at + 1..m {
            best.try_move(state, Move::Swap { first: at, second });
        }
    }
    if m >= max_length {
        return;
    }
    look_at_insertions(state, control, |log_posterior, candidate, at| {
        best.offer(log_posterior, Neighbour::Moved(Move::Add { candidate, at }));
    });
}

/// The rule at `from` taken out, and anything put in anywhere.
fn look_at_exchanges(state: &mut State<'_>, from: usize, best: &mut Best, control: &Control) {
    let rule = state.rules()[from];
    state.make(Move::Remove { at: from });
    look_at_insertions(state, control, |log_posterior, candidate, at| {
        best.offer(log_posterior, Neighbour::Exchanged { from, candidate, at });
    });
    state.make(Move::Add { candidate: rule, at: from });
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
