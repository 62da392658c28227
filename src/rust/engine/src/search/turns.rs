//! Fair shares of a time limit: chains take turns, and a search for the best list plans what there is time for.

use super::chain::{Chain, ChainReport};
use crate::control::Control;
use crate::error::Error;
use crate::parallel;
use std::time::{Duration, Instant};

/// Turns that a chain has if the time is over before it is done, and the shortest that is worth a thread.
const TURNS: u32 = 20;
const SHORTEST: Duration = Duration::from_micros(500);

/// Chains that take turns with one another: all of them are kept in memory. More chains come group after group.
pub const GROUP: usize = 64;

/// Part of the time that is planned for: what comes after the iterations takes time too, and not all of them take as long.
const PLANNED: f64 = 0.7;

/// Let `n_chains` chains go on by turns until each is done, as `go_on` says, or the time is over. Reports come in chain order.
pub fn take_turns<'a>(
    n_chains: usize,
    threads: usize,
    begin: impl Fn(u64) -> Chain<'a> + Sync,
    go_on: impl Fn(&mut Chain<'a>, &Control) -> bool + Sync,
    control: &Control,
) -> Result<Vec<ChainReport>, Error> {
    let indices: Vec<u64> = (0..n_chains as u64).collect();
    let n_groups = indices.len().div_ceil(GROUP);
    let mut reports = Vec::with_capacity(n_chains);
    for (number, group) in indices.chunks(GROUP).enumerate() {
        let control = control.turn(control.time_left().map(|left| left / (n_groups - number) as u32));
        let n_turns = TURNS * group.len().div_ceil(threads.max(1)) as u32;
        let turn = control.time_left().map(|left| (left / n_turns).max(SHORTEST));
        let mut chains = parallel::map(threads, group.to_vec(), |index| (begin(index), false))?;
        while chains.iter().any(|(_, is_done)| !is_done) && !control.should_end() {
            chains = parallel::map(threads, chains, |(mut chain, is_done)| {
                let is_done = is_done || go_on(&mut chain, &control.turn(turn));
                (chain, is_done)
            })?;
        }
        if chains.iter().any(|(_, is_done)| !is_done) {
            control.shorten();
        }
        reports.extend(chains.into_iter().map(|(chain, _)| chain.into_report()));
    }
    Ok(reports)
}

/// How fast iterations are done, from some moment on.
pub struct Pace<'a> {
    control: &'a Control,
    start: Instant,
    n_before: u64,
}

impl<'a> Pace<'a> {
    pub fn new(control: &'a Control) -> Self {
        Pace { control, start: Instant::now(), n_before: control.iterations() }
    }

    /// As many of `iterations` as there is time for, if they go on as they did.
    pub fn affordable(&self, iterations: u64) -> u64 {
        let n_done = self.control.iterations() - self.n_before;
        let Some(left) = self.control.time_left().filter(|_| n_done > 0) else { return iterations };
        let per_second = n_done as f64 / self.start.elapsed().as_secs_f64();
        let most = (PLANNED * left.as_secs_f64() * per_second) as u64;
        if most < iterations {
            self.control.shorten();
        }
        iterations.min(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::ChainRng;
    use crate::testing::random_problem;

    fn run(n_chains: usize, iterations: u64, control: &Control) -> Vec<ChainReport> {
        let problem = random_problem(&mut ChainRng::new(1, 0));
        let begin = |index| Chain::new(&problem, &[], 9, ChainRng::new(5, index));
        let go_on = |chain: &mut Chain<'_>, turn: &Control| {
            chain.go_on(iterations, 50, turn);
            chain.is_done(iterations)
        };
        take_turns(n_chains, 2, begin, go_on, control).unwrap()
    }

    #[test]
    fn every_chain_has_its_share_of_the_time() {
        for n_chains in [3, 10, GROUP + 6] {
            let control = Control::with_time_limit(Duration::from_millis(1500));
            let reports = run(n_chains, u64::MAX / 2, &control);
            assert_eq!(reports.len(), n_chains);
            assert!(reports.iter().all(|report| report.iterations > 0));
            assert!(control.is_shortened());
        }
    }

    #[test]
    fn turns_make_no_difference_to_the_way_of_a_chain() {
        let hour = Control::with_time_limit(Duration::from_secs(3600));
        let at_once = run(GROUP + 3, 2000, &hour);
        assert!(!hour.is_shortened());
        let problem = random_problem(&mut ChainRng::new(1, 0));
        for (report, index) in at_once.iter().zip(0..) {
            let mut chain = Chain::new(&problem, &[], 9, ChainRng::new(5, index));
            let turn = || hour.turn(Some(Duration::from_micros(20)));
            while !chain.is_done(2000) {
                chain.go_on(2000, 50, &turn());
            }
            assert_eq!(&chain.into_report(), report);
        }
    }

    #[test]
    fn plans_are_cut_to_what_there_is_time_for() {
        let endless = Control::default();
        let pace = Pace::new(&endless);
        endless.add_iterations(1);
        assert_eq!(pace.affordable(u64::MAX), u64::MAX);
        let control = Control::with_time_limit(Duration::from_secs(3600));
        let pace = Pace::new(&control);
        assert_eq!(pace.affordable(7), 7, "nothing is known yet");
        std::thread::sleep(Duration::from_millis(10));
        control.add_iterations(1000);
        assert_eq!(pace.affordable(1000), 1000);
        assert!(!control.is_shortened());
        assert!(pace.affordable(u64::MAX) < 1000 * 3600 * 100 && control.is_shortened());
    }
}
