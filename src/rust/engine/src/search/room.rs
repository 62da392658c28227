//! How much memory a search takes at most, by the sizes of its problem.
//!
//! Lists being edited are copied all over the search, in ways that cannot be refused memory. So it is asked for before
//! they begin: what is estimated here, with some to spare (`tests/memory.rs` compares it with what is really used).

use super::{Method, Problem, Settings};
use crate::mine::Pool;

/// Lists are seldom longer than this, whatever the limit.
const USUAL_LENGTH: usize = 40;

/// Bytes that a neighbourhood takes for each word of a column: its words are cut into pieces, listed by number.
const NEIGHBOURHOOD: usize = 512;

/// Bytes of small things.
const SMALL: usize = 1 << 18;

/// What prior, likelihood and the sets of rows take: tables of logarithms, and up to 64 sets twice over while
/// row patterns are being told apart.
pub fn of_tables(pool: &Pool) -> usize {
    let n_logs = 3 * pool.rows.n_rows().min(1 << 20) + 8 * pool.len();
    let masks = pool.len() * (pool.rows.n_words() / 256 + 1);
    8usize.saturating_mul(n_logs + masks + 150 * pool.rows.n_words()).saturating_add(SMALL)
}

/// What the lists take that a search works on at one time.
pub fn of_lists(problem: &Problem, settings: &Settings, has_time_limit: bool) -> usize {
    let (n_words, n_candidates) = (problem.pool.rows.n_words(), problem.pool.len());
    let threads = settings.threads.clamp(1, settings.n_chains.max(super::map::N_WALKS));
    // the captures of its rules, and which candidates it has
    let list = 9 * n_words * (settings.max_length.min(USUAL_LENGTH) + 4) + 16 * n_candidates;
    let working = list + NEIGHBOURHOOD * n_words;
    let (n_lists, apart) = match settings.method {
        Method::Mcmc => (1 + super::n_polished(problem, settings), 0),
        // what a prefix leaves is a problem of its own, with covers and tables
        Method::Map => (super::map::N_WALKS, 8 * n_words * n_candidates + of_tables(&problem.pool)),
    };
    // chains that take turns are there at one time
    let n_turns = if has_time_limit { settings.n_chains.min(super::turns::GROUP) } else { 0 };
    let n_lists = n_lists.max(n_turns);
    let reports = 256 * settings.n_chains;
    n_lists.saturating_mul(list) + threads.saturating_mul(working + apart) + reports + SMALL
}
