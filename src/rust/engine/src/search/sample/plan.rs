//! How chains are run.

use std::time::Duration;

/// How many chains to run, for how long, and on how many threads.
#[derive(Debug, Clone, Copy)]
pub struct ChainPlan {
    /// Number of chains.
    pub n_chains: usize,
    /// Iterations of each.
    pub iterations: u64,
    /// Determines all random numbers.
    pub seed: u64,
    /// Most threads; they do not change the result.
    pub threads: usize,
    /// If there is a time limit: the time that all chains together may take.
    pub time: Option<Duration>,
}
