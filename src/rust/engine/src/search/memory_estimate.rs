//! How much memory a search needs at most, by the sizes of its problem.
//!
//! Lists being edited are copied throughout the search by ordinary allocations, which abort when memory runs out. So the
//! memory is requested before the search begins, with some to spare (`tests/memory.rs` compares the estimate with use).

use super::optimise::{polish, population};
use super::problem::{table_bytes, Problem, SMALL_ALLOCATIONS};
use super::sample::{tempering, time_slices};
use super::settings::{Method, Settings};

/// Lists are seldom longer than this, whatever the limit.
const USUAL_LENGTH: usize = 40;

/// Bytes that a neighbourhood needs for each word of a column: its words are cut into segments, listed by number.
const NEIGHBOURHOOD: usize = 512;

/// Bytes of the lists at all temperatures of all runs. Those near the prior are as long as it expects.
pub fn replica_bytes(problem: &Problem, n_runs: usize) -> usize {
    let (n_words, n_candidates) = (problem.pool.rows.n_words(), problem.pool.len());
    let expected = (2.0 * problem.objective.prior().lambda()) as usize + USUAL_LENGTH;
    let length = expected.min(problem.objective.max_length()).min(n_candidates);
    let list = (9 * n_words + 64 * problem.n_classes()).saturating_mul(length + 4) + 16 * n_candidates;
    let prior = 16 * n_candidates;
    // each has a sampler of the prior where moves alone do not connect the lists
    let list = if problem.objective.admission().is_shaped() { list + prior } else { list };
    n_runs.saturating_mul(list.saturating_mul(tempering::MOST) + prior).saturating_add(SMALL_ALLOCATIONS)
}

/// Bytes of the lists that a search works on at one time.
pub fn list_bytes(problem: &Problem, settings: &Settings, has_time_limit: bool) -> usize {
    let n_polished = polish::n_affordable(problem, settings.total_iterations()).min(settings.n_chains);
    let (n_lists, residual) = match settings.method {
        Method::Mcmc => (1 + n_polished, 0),
        Method::Map => (population::N_RUNS, residual_bytes(problem)),
    };
    // chains that run in turns are all in memory
    let n_turns = if has_time_limit { settings.n_chains.min(time_slices::GROUP) } else { 0 };
    bytes_of_lists(problem, settings, n_lists.max(n_turns), residual)
}

/// The same for a search that goes on until it has settled: the chains wait while others search.
pub fn settling_bytes(problem: &Problem, settings: &Settings) -> usize {
    bytes_of_lists(problem, settings, settings.n_chains + population::N_RUNS, residual_bytes(problem))
}

/// A residual problem has covers and tables of its own.
fn residual_bytes(problem: &Problem) -> usize {
    8 * problem.pool.rows.n_words() * problem.pool.len() + table_bytes(&problem.pool)
}

fn bytes_of_lists(problem: &Problem, settings: &Settings, n_lists: usize, residual: usize) -> usize {
    let (n_words, n_candidates) = (problem.pool.rows.n_words(), problem.pool.len());
    let threads = settings.threads.clamp(1, settings.n_chains.max(population::N_RUNS));
    // the captures of its rules, and which candidates are unused
    let list = 9 * n_words * (problem.objective.max_length().min(USUAL_LENGTH) + 4) + 16 * n_candidates;
    let working = list + NEIGHBOURHOOD * n_words;
    let reports = 256 * settings.n_chains;
    n_lists.saturating_mul(list) + threads.saturating_mul(working + residual) + reports + SMALL_ALLOCATIONS
}
