//! What a proof may cost, and what it gives.

use crate::search::record::ScoredList;

/// Lists that are better by less than this are not looked for. With rounding, "optimal" means to `CLAIM` nats.
pub const RESOLUTION: f64 = 5e-7;
/// What a certificate claims, in nats.
pub const CLAIM: f64 = 1e-6;

/// What one search may use.
#[derive(Debug, Clone, Copy)]
pub struct TurnLimits {
    /// Most sweeps over the candidates.
    pub n_nodes: u64,
    /// Most bytes.
    pub n_bytes: usize,
    /// Most threads.
    pub threads: usize,
}

/// Why a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Everything was looked at.
    Solved,
    /// The budget of nodes was used up, or what is left of it is too little for the next step.
    Nodes,
    /// The budget of memory was used up.
    Memory,
    /// It was stopped, or its time was over.
    Stopped,
}

/// How much to spend.
#[derive(Debug, Clone, Copy)]
pub struct ProofBudget {
    /// Lists that are better by at most this are not looked for.
    pub gap: f64,
    /// Most sweeps over the candidates.
    pub max_nodes: u64,
    /// Most bytes.
    pub max_bytes: usize,
    /// Most threads; they do not change the result.
    pub threads: usize,
}

/// The best list of at most this many rules.
#[derive(Debug, Clone, PartialEq)]
pub struct LengthProof {
    /// Most rules.
    pub length: usize,
    /// The highest log posterior found.
    pub log_posterior: f64,
    /// Whether there is no higher one.
    pub is_proved: bool,
}

/// How the bound came down.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TracePoint {
    /// Nodes so far.
    pub nodes: u64,
    /// Seconds so far.
    pub seconds: f64,
    /// The upper bound.
    pub upper_bound: f64,
    /// The best log posterior.
    pub log_posterior: f64,
}

/// What is proved.
#[derive(Debug, Clone)]
pub struct Certificate {
    /// The best list known: the one given, or a better one.
    pub best: ScoredList,
    /// No admissible list has a log posterior above this by more than `CLAIM`.
    pub upper_bound: f64,
    /// The best lists of at most this many rules are known.
    pub max_length_proved: usize,
    /// Results for short lists.
    pub by_length: Vec<LengthProof>,
    /// Nodes looked at.
    pub n_nodes: u64,
    /// Why the search ended.
    pub ended: Ended,
    /// How the bound came down.
    pub trace: Vec<TracePoint>,
}
