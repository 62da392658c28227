//! Where chains start: a greedy list, and the single rules that a better list could begin with.

use crate::bounds::prefix_bound;
use crate::control::Control;
use crate::rng::ChainRng;
use crate::search::list::moves::Move;
use crate::search::list::RuleListState;
use crate::search::problem::{Problem, CHUNK, MIN_GAIN};

/// The greedy list has at most this many rules: it is a start, not an answer.
const GREEDY_RULES: usize = 50;

/// Append the candidate that raises the log posterior most, as long as one does.
pub fn greedy<'a>(problem: &'a Problem, control: &Control) -> RuleListState<'a> {
    let mut state = RuleListState::empty(problem);
    while state.rules().len() < GREEDY_RULES && problem.objective.admits(state.rules().len() + 1) {
        let position = state.rules().len();
        let mut best = (state.log_posterior() + MIN_GAIN, None);
        for candidate in 0..problem.pool.len() as u32 {
            if candidate % CHUNK == 0 && control.should_end() {
                return state;
            }
            if state.rules().contains(&candidate) {
                continue;
            }
            let change = Move::Add { candidate, position };
            match state.log_posterior_after(change, best.0) {
                Some(log_posterior) if log_posterior > best.0 => {
                    best = (log_posterior + MIN_GAIN, Some(change))
                }
                _ => {}
            }
        }
        match best.1 {
            Some(change) => state.apply(change),
            None => break,
        }
    }
    state
}

/// Candidates whose prefix bound is not below `known`: only these can begin a better list.
pub fn promising(problem: &Problem, known: f64, control: &Control) -> Vec<u32> {
    let pool = &problem.pool;
    let n_classes = pool.rows.n_classes();
    let mut counts = vec![0; 2 * n_classes];
    let passes = |candidate: &u32| {
        if control.should_end() {
            return false;
        }
        let covered = pool.counts(*candidate as usize);
        counts[..n_classes].copy_from_slice(covered);
        for (class, &n) in pool.rows.class_counts().iter().enumerate() {
            counts[n_classes + class] = n - covered[class];
        }
        let length = pool.length(*candidate as usize);
        prefix_bound(problem.objective.posterior(), &[length], &counts, n_classes) >= known
    };
    (0..pool.len() as u32).filter(passes).collect()
}

/// A random one of the `promising` candidates; the empty list if there is none.
pub fn draw_start(rng: &mut ChainRng, promising: &[u32]) -> Vec<u32> {
    if promising.is_empty() {
        return Vec::new();
    }
    vec![promising[rng.below(promising.len())]]
}
