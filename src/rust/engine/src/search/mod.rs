//! The search: chains or an optimiser on threads, then the best list polished.
//!
//! `problem` ← `list` ← `record` ← {`sample`, `optimise`} ← this file: each uses those to its left only.

pub mod list;
pub mod memory_estimate;
pub mod optimise;
mod pace;
pub mod problem;
pub mod record;
pub mod sample;

use crate::control::{Control, Phase};
use crate::error::Error;
use crate::memory;
use crate::posterior::Score;
use optimise::{polish, population};
use pace::Pace;
use problem::row_sets::RowSets;
use record::{RunReport, ScoredList};
use sample::start;

pub use problem::Problem;

/// Of `Method::Map`'s iterations, one in so many goes to chains; of a time limit, this share.
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

/// How long to search, from which seed, on how many threads.
#[derive(Debug, Clone)]
pub struct Settings {
    pub method: Method,
    pub n_chains: usize,
    pub iterations: u64,
    pub seed: u64,
    pub threads: usize,
}

impl Settings {
    fn total_iterations(&self) -> u64 {
        self.iterations.saturating_mul(self.n_chains as u64)
    }

    /// How the chains are run: with all iterations, or with a small part if an optimiser gets the rest.
    fn chain_plan(&self, control: &Control) -> sample::Plan {
        let (iterations, time_share) = match self.method {
            Method::Mcmc => (self.iterations, 1.0),
            Method::Map => (self.iterations / MAP_CHAINS, MAP_CHAINS_TIME),
        };
        let time = control.time_left().map(|time| time.mul_f64(time_share));
        sample::Plan { n_chains: self.n_chains, iterations, seed: self.seed, threads: self.threads, time }
    }
}

/// What the search found.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The best list.
    pub rules: Vec<u32>,
    /// Captured rows per rule and class, the default rule's last.
    pub counts: Vec<u64>,
    pub score: Score,
    /// What the chains did, in order.
    pub chains: Vec<RunReport>,
    /// What the optimiser did: one report per list of its last population.
    pub optimiser_runs: Vec<RunReport>,
    /// Whether it was stopped before it was done.
    pub stopped_early: bool,
}

/// Find the best list. The answer depends on the seed, never on the number of threads.
pub fn search(problem: &Problem, settings: &Settings, control: &Control) -> Result<Outcome, Error> {
    control.enter(Phase::Search);
    let has_time_limit = control.time_left().is_some();
    memory::check_room(memory_estimate::list_bytes(problem, settings, has_time_limit))?;
    let greedy = start::greedy(problem, control);
    let mut best = ScoredList::new(greedy.rules(), greedy.log_posterior());
    let at_least = best.log_posterior.max(problem.log_posterior(&[]));
    let promising = start::promising(problem, at_least, control);
    let (pace, plan) = (Pace::new(control), settings.chain_plan(control));
    let chains = sample::run_chains(problem, &promising, &plan, control)?;
    chains.iter().for_each(|run| best.improve(&run.best.rules, run.best.log_posterior));
    let mut optimiser_runs = Vec::new();
    if settings.method == Method::Map {
        let done = plan.iterations.saturating_mul(plan.n_chains as u64);
        let plan = population::Plan {
            iterations: pace.affordable(settings.total_iterations() - done),
            seed: settings.seed,
            first_stream: settings.n_chains as u64,
            threads: settings.threads,
        };
        optimiser_runs = population::search_population(problem, plan, &best, control)?;
        optimiser_runs.iter().for_each(|run| best.improve(&run.best.rules, run.best.log_posterior));
    }

    control.enter(Phase::Polish);
    let others = lists_to_polish(problem, &chains, settings);
    let rules = polish::polish_best(problem, &best, &others, settings.threads, control)?;
    if control.is_cancelled() {
        return Err(Error::Cancelled);
    }
    let (score, counts) = problem.score(&rules);
    Ok(Outcome { rules, counts, score, chains, optimiser_runs, stopped_early: control.is_shortened() })
}

/// The chains' best lists, best first, as many as are polished beside the best one: none where few rows make chains
/// cheaper than sweeps, or where an optimiser leaves polished lists.
fn lists_to_polish<'r>(
    problem: &Problem,
    chains: &'r [RunReport],
    settings: &Settings,
) -> Vec<&'r ScoredList> {
    if settings.method == Method::Map || !matches!(problem.row_sets(), RowSets::Blocks(..)) {
        return Vec::new();
    }
    let mut lists: Vec<&ScoredList> = chains.iter().map(|chain| &chain.best).collect();
    lists.sort_by(|a, b| b.log_posterior.total_cmp(&a.log_posterior));
    lists.dedup_by_key(|list| list.log_posterior);
    lists.truncate(polish::n_affordable(problem, settings.total_iterations()).min(settings.n_chains));
    lists
}
