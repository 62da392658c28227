//! Is there a better list? Branch and bound over all lists of the pool.
//!
//! Three exact searches share one set of bounds. `patterns` solves problems with few row patterns at once. Otherwise `best_first`
//! (all lengths, a bound at any time) and `limited` (lists of at most 1, 2, 3, … rules) take turns, measured in
//! nodes: a node is one sweep over all candidates. The turns depend on nothing but the problem and the budget, so that the same
//! budget in nodes gives the same certificate on any number of threads.

mod best_first;
mod blocks;
mod bounds;
mod driver;
mod expand;
mod limited;
mod pairs;
mod patterns;
mod prices;
mod proof;
mod rates;
mod score_map;
mod set_sweep;
mod sets;
mod subsets;
mod sweep;
mod table;
#[cfg(test)]
mod tests;
mod turns;
mod visitor;
mod work;

pub use driver::{certify, prove_at_once};
pub use proof::{Certificate, Ended, LengthProof, ProofBudget, TracePoint, CLAIM};
pub use work::Improve;
