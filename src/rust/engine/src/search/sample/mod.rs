//! Markov chains that sample the posterior.

pub mod chain;
mod evidence;
mod ladder;
mod plan;
pub mod prior;
pub mod proposal;
mod replicas;
pub mod start;
pub mod tempering;
pub mod time_slices;
pub mod walker;

use super::problem::Problem;
use super::record::{RunReport, Trace, TRACE_POINTS};
use crate::control::Control;
use crate::error::Error;
use crate::memory;
use crate::parallel;
use crate::rng::ChainRng;
use chain::Chain;

pub use plan::ChainPlan;

/// Most trace points kept of all chains together.
const ALL_TRACE_POINTS: u64 = 25_000;

/// Begins the chain with a given index, whatever is done with it.
fn starter<'a>(
    problem: &'a Problem,
    promising: &'a [u32],
    seed: u64,
    trace: Trace,
) -> Result<impl Fn(u64) -> Chain<'a> + Sync + 'a, Error> {
    let connector = walker::connector(problem)?;
    Ok(move |index: u64| {
        let mut rng = ChainRng::new(seed, index);
        let mut rules = start::draw_start(&mut rng, promising);
        rules.truncate(problem.objective.max_length());
        if !problem.admits_captures(&rules) {
            rules.clear();
        }
        Chain::new(problem, &rules, rng, trace.clone()).connected(connector.clone())
    })
}

/// The chains of `plan` before their first iteration. As many iterations as it has are expected, but they can go on.
pub fn begin_chains<'a>(
    problem: &'a Problem,
    promising: &'a [u32],
    plan: &ChainPlan,
) -> Result<Vec<Chain<'a>>, Error> {
    let n_points = trace_points(plan.n_chains);
    let begin = starter(problem, promising, plan.seed, Trace::new(plan.iterations, n_points))?;
    memory::collect((0..plan.n_chains as u64).map(begin))
}

/// Trace points of each of `n_chains` chains.
fn trace_points(n_chains: usize) -> u64 {
    (ALL_TRACE_POINTS / n_chains.max(1) as u64).clamp(1, TRACE_POINTS)
}

/// Run all chains, each from one of the `promising` candidates; reports are in the order of the chains.
pub fn run_chains(
    problem: &Problem,
    promising: &[u32],
    plan: &ChainPlan,
    control: &Control,
) -> Result<Vec<RunReport>, Error> {
    let trace = Trace::new(plan.iterations, trace_points(plan.n_chains));
    let begin = starter(problem, promising, plan.seed, trace)?;
    let Some(time) = plan.time else {
        let run = |index: u64| {
            let mut chain = begin(index);
            chain.run(plan.iterations, control);
            chain.into_report()
        };
        return parallel::map(plan.threads, (0..plan.n_chains as u64).collect(), run);
    };
    let in_time = control.turn(Some(time));
    let reports = time_slices::take_turns(plan, begin, &in_time);
    control.check_deadline();
    reports
}
