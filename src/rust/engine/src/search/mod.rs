//! The search: chains or an optimiser on threads, then the best list polished.
//!
//! `problem` ← `list` ← `record` ← {`sample`, `optimise`, `certify`} ← this file: each uses those to its left only, and
//! `residual` uses `problem` (`dev/tools/layers_rust.R` checks it).

pub mod canonical;
pub mod certify;
pub mod good_lists;
pub mod list;
pub mod memory_estimate;
pub mod optimise;
mod pace;
pub mod problem;
pub mod record;
pub mod residual;
pub mod sample;
mod settings;
mod settle;
mod simplify;
mod work;

use crate::control::{Control, Phase};
use crate::error::Error;
use crate::memory;
use optimise::population::{search_population, PopulationPlan};
use optimise::{local_search, polish};
use pace::Pace;
use problem::row_sets::RowSets;
use record::{RunReport, ScoredList};
use sample::{start, tempering};

pub use problem::{CountedList, Problem};
pub use sample::tempering::{Sample, TemperingPlan};
pub use settings::{AmongEquals, Method, Settings};
pub use settle::{SettlePlan, Settled, Verdict};

/// A search for the best list tries to prove its list once: a node reads every candidate, an iteration about one, and the proof
/// gets at most one in this many of the iterations. It is not tried with fewer nodes than are worth the preparation.
const PROOF_SHARE: u64 = 32;
const MIN_PROOF_NODES: u64 = 500;

/// Iterations of the search for a better list before a proof, and again when the proof takes long.
const PROOF_ITERATIONS: [u64; 2] = [100_000, 300_000];

/// What the search found.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The best list.
    pub best: CountedList,
    /// What the chains did, in order.
    pub chains: Vec<RunReport>,
    /// What the optimiser did: one report per list of its last population.
    pub optimiser_runs: Vec<RunReport>,
    /// Whether it was stopped before it was done.
    pub stopped_early: bool,
    /// What is known of the list if the search ended by itself.
    pub settled: Option<Settled>,
}

/// Find the best list. The answer depends on the seed, never on the number of threads.
pub fn search(problem: &Problem, settings: &Settings, control: &Control) -> Result<Outcome, Error> {
    control.enter(Phase::Search);
    let has_time_limit = control.time_left().is_some();
    memory::check_room(memory_estimate::list_bytes(problem, settings, has_time_limit))?;
    let (mut best, promising) = begin(problem, control);
    let (pace, plan) = (Pace::new(control), settings.chain_plan(control));
    let chains = sample::run_chains(problem, &promising, &plan, control)?;
    chains.iter().for_each(|run| best.improve(&run.best.rules, run.best.log_posterior));
    let optimiser_runs = match settings.method {
        Method::Mcmc => Vec::new(),
        Method::Map => {
            let n_done = plan.iterations.saturating_mul(plan.n_chains as u64);
            let left = pace.affordable(settings.total_iterations() - n_done);
            optimise_and_prove(problem, settings, left, &best, control)?
        }
    };
    optimiser_runs.iter().for_each(|run| best.improve(&run.best.rules, run.best.log_posterior));
    control.enter(Phase::Polish);
    let others = lists_to_polish(problem, &chains, settings);
    let rules = polish::polish_best(problem, &best, &others, settings.threads, control)?;
    if control.is_cancelled() {
        return Err(Error::Cancelled);
    }
    Ok(Outcome {
        best: problem.count(among_equals(problem, rules, settings.among_equals, control)),
        chains,
        optimiser_runs,
        stopped_early: control.is_shortened(),
        settled: None,
    })
}

/// Search until the best list has settled, or the work that `plan` allows is done; `settings.iterations` of each chain at least, if
/// time allows. The answer depends on the seed, never on the number of threads or the time it takes.
pub fn search_until_settled(
    problem: &Problem,
    settings: &Settings,
    plan: &SettlePlan,
    control: &Control,
) -> Result<Outcome, Error> {
    // a search for the best list only begins as it does with a given number of iterations
    let first = match settings.method {
        Method::Mcmc => None,
        Method::Map => Some(search(problem, settings, control)?),
    };
    if let Some(outcome) =
        first.as_ref().filter(|_| control.should_end_now() || control.time_left().is_some())
    {
        return Ok(Outcome { settled: Some(Settled::open(settings.n_chains)), ..outcome.clone() });
    }
    control.enter(Phase::Search);
    memory::check_room(memory_estimate::settling_bytes(problem, settings))?;
    let (greedy, promising) = begin(problem, control);
    let known = first
        .as_ref()
        .map_or(greedy, |first| ScoredList::new(&first.best.rules, first.best.score.log_posterior()));
    let found = settle::settle(problem, &promising, known, settings, plan, control)?;
    if control.is_cancelled() {
        return Err(Error::Cancelled);
    }
    let best = match settings.among_equals {
        AmongEquals::Found => canonical::in_canonical_order(problem, found.rules[0].clone(), control),
        AmongEquals::Canonical => canonical::first_of(problem, &found.rules, control).unwrap_or_default(),
    };
    Ok(Outcome {
        best: problem.count(best),
        chains: found.chains,
        optimiser_runs: first.map_or_else(Vec::new, |first| first.optimiser_runs),
        stopped_early: control.is_shortened(),
        settled: Some(found.settled),
    })
}

/// The greedy list, and the candidates that a better one can begin with.
fn begin(problem: &Problem, control: &Control) -> (ScoredList, Vec<u32>) {
    let greedy = start::greedy(problem, control);
    let best = ScoredList::new(greedy.rules(), greedy.log_posterior());
    let at_least = best.log_posterior.max(problem.log_posterior(&[]));
    (best, start::promising(problem, at_least, control))
}

/// The list that is returned of those that are as good as `rules`.
pub fn among_equals(problem: &Problem, rules: Vec<u32>, which: AmongEquals, control: &Control) -> Vec<u32> {
    match which {
        AmongEquals::Found => canonical::in_canonical_order(problem, rules, control),
        AmongEquals::Canonical => canonical::canonical(problem, &rules, control),
    }
}

/// Look for a list better than `known` in this many iterations; the search ends early if its best list can be proved.
fn optimise_and_prove(
    problem: &Problem,
    settings: &Settings,
    iterations: u64,
    known: &ScoredList,
    control: &Control,
) -> Result<Vec<RunReport>, Error> {
    let (seed, threads) = (settings.seed, settings.threads);
    let plan = PopulationPlan { iterations, seed, first_stream: settings.n_chains as u64, threads };
    let n_nodes = iterations / (PROOF_SHARE * problem.pool.len().max(1) as u64);
    let prove = |known: &ScoredList| {
        if n_nodes < MIN_PROOF_NODES || control.time_left().is_some() {
            return Ok(None);
        }
        certify::prove_at_once(problem, known, n_nodes, threads, control)
    };
    search_population(problem, plan, known, &prove, control)
}

/// Prove how good `rules` is, or find a better list.
pub fn certify_list(
    problem: &Problem,
    rules: &[u32],
    budget: &certify::ProofBudget,
    control: &Control,
) -> Result<certify::Certificate, Error> {
    let climb = |problem: &Problem, rules: &[u32]| local_search::hill_climb(problem, rules, control);
    let search = |problem: &Problem, rules: &[u32], n_before: u64| {
        let mut best = ScoredList::new(rules, problem.log_posterior(rules));
        let iterations = PROOF_ITERATIONS[usize::from(n_before > 0)];
        let plan = PopulationPlan { iterations, seed: n_before, first_stream: 0, threads: budget.threads };
        let runs = search_population(problem, plan, &best, &|_| Ok(None), control)?;
        runs.iter().for_each(|run| best.improve(&run.best.rules, run.best.log_posterior));
        Ok(best.rules)
    };
    let improve = certify::Improve { climb: &climb, search: &search };
    certify::certify(problem, rules, budget, &improve, control)
}

/// Sample the posterior over the admissible lists by replica exchange.
pub fn sample_posterior(problem: &Problem, plan: &TemperingPlan, control: &Control) -> Result<Sample, Error> {
    control.enter(Phase::Search);
    memory::check_room(memory_estimate::replica_bytes(problem, plan.n_runs))?;
    tempering::sample(problem, plan, control)
}

/// The chains' best lists, best first, as many as are polished in addition to the best one: none where few rows make chains
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
