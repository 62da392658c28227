//! How long to search, and what for.

use super::sample;
use crate::control::Control;

/// `Method::Map` spends one in `MAP_CHAINS` iterations on chains, and at most this share of a time limit.
const MAP_CHAINS: u64 = 20;
const MAP_CHAINS_TIME: f64 = 0.1;

/// What the iterations are spent on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Chains that sample the posterior.
    Mcmc,
    /// Short chains, then a search for the best list only.
    Map,
}

/// Which of the lists that are equally good is returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AmongEquals {
    /// The one that was found, with neighbouring rules in order as far as they can change places.
    Found,
    /// The one that has the canonical form.
    Canonical,
}

/// How long to search, from which seed, on how many threads.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What the iterations are spent on.
    pub method: Method,
    /// Number of chains.
    pub n_chains: usize,
    /// Iterations per chain.
    pub iterations: u64,
    /// Determines all random numbers.
    pub seed: u64,
    /// Most threads; they do not change the result.
    pub threads: usize,
    /// Which list is returned if several are equally good.
    pub among_equals: AmongEquals,
}

impl Settings {
    /// Iterations of all chains.
    pub(super) fn total_iterations(&self) -> u64 {
        self.iterations.saturating_mul(self.n_chains as u64)
    }

    /// How the chains are run: with all iterations, or with a small part if an optimiser gets the rest.
    pub(super) fn chain_plan(&self, control: &Control) -> sample::ChainPlan {
        let (iterations, time_share) = match self.method {
            Method::Mcmc => (self.iterations, 1.0),
            Method::Map => (self.iterations / MAP_CHAINS, MAP_CHAINS_TIME),
        };
        let time = control.time_left().map(|time| time.mul_f64(time_share));
        sample::ChainPlan {
            n_chains: self.n_chains,
            iterations,
            seed: self.seed,
            threads: self.threads,
            time,
        }
    }
}
