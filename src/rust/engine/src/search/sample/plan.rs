//! How chains are run.

use std::time::Duration;

/// How many chains to run, for how long, and on how many threads.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    pub n_chains: usize,
    pub iterations: u64,
    pub seed: u64,
    pub threads: usize,
    /// If there is a time limit: the time that all chains together may take.
    pub time: Option<Duration>,
}
