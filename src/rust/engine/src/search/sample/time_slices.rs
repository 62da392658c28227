//! Fair shares of a time limit: chains run in turns, so that each has done about as much when the time is over.

use super::chain::Chain;
use super::plan::ChainPlan;
use crate::control::Control;
use crate::error::Error;
use crate::parallel;
use crate::search::record::RunReport;
use std::time::Duration;

/// Turns of each chain if the time is over before it is done, and the shortest turn that is worth a thread.
const TURNS: u32 = 20;
const SHORTEST: Duration = Duration::from_micros(500);

/// Chains that run in turns with each other, all of which are in memory. More chains follow group by group.
pub const GROUP: usize = 64;

/// Run the chains in turns until each is done or the time is over. Reports are in the order of the chains.
pub fn take_turns<'a>(
    plan: &ChainPlan,
    begin: impl Fn(u64) -> Chain<'a> + Sync,
    control: &Control,
) -> Result<Vec<RunReport>, Error> {
    let indices: Vec<u64> = (0..plan.n_chains as u64).collect();
    let n_groups = indices.len().div_ceil(GROUP);
    let mut reports = Vec::with_capacity(plan.n_chains);
    for (number, group) in indices.chunks(GROUP).enumerate() {
        let control = control.turn(control.time_left().map(|left| left / (n_groups - number) as u32));
        let n_turns = TURNS * group.len().div_ceil(plan.threads.max(1)) as u32;
        let turn = control.time_left().map(|left| (left / n_turns).max(SHORTEST));
        let mut chains = parallel::map(plan.threads, group.to_vec(), &begin)?;
        while chains.iter().any(|chain| !chain.is_done(plan.iterations)) && !control.should_end() {
            chains = parallel::map(plan.threads, chains, |mut chain| {
                if !chain.is_done(plan.iterations) {
                    chain.run(plan.iterations, &control.turn(turn));
                }
                chain
            })?;
        }
        if chains.iter().any(|chain| !chain.is_done(plan.iterations)) {
            control.shorten();
        }
        reports.extend(chains.into_iter().map(Chain::into_report));
    }
    Ok(reports)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::ChainRng;
    use crate::search::record::Trace;
    use crate::testing::random_problem;

    fn run(n_chains: usize, iterations: u64, control: &Control) -> Vec<RunReport> {
        let problem = random_problem(&mut ChainRng::new(1, 0)).limited_to(9);
        let begin = |index| Chain::new(&problem, &[], ChainRng::new(5, index), Trace::new(iterations, 50));
        let plan = ChainPlan { n_chains, iterations, seed: 5, threads: 2, time: None };
        take_turns(&plan, begin, control).unwrap()
    }

    #[test]
    fn every_chain_gets_a_share_of_the_time() {
        for n_chains in [3, 10, GROUP + 6] {
            let control = Control::with_time_limit(Duration::from_millis(1500));
            let reports = run(n_chains, u64::MAX / 2, &control);
            assert_eq!(reports.len(), n_chains);
            assert!(reports.iter().all(|report| report.iterations > 0));
            assert!(control.is_shortened());
        }
    }

    #[test]
    fn turns_do_not_change_the_path_of_a_chain() {
        let hour = Control::with_time_limit(Duration::from_secs(3600));
        let in_turns = run(GROUP + 3, 2000, &hour);
        assert!(!hour.is_shortened());
        let problem = random_problem(&mut ChainRng::new(1, 0)).limited_to(9);
        for (report, index) in in_turns.iter().zip(0..) {
            let mut chain = Chain::new(&problem, &[], ChainRng::new(5, index), Trace::new(2000, 50));
            while !chain.is_done(2000) {
                chain.run(2000, &hour.turn(Some(Duration::from_micros(20))));
            }
            assert_eq!(&chain.into_report(), report);
        }
    }
}
