//! One run of replica exchange: a list per temperature, local steps, swaps between neighbouring temperatures.
//!
//! # One round
//!
//! ```text
//! for each β_k > 0:  `local_steps()` Metropolis–Hastings steps on prior · likelihood^β_k
//! for the pairs (k, k + 1) with k even, in the next round with k odd:
//!     if β_{k+1} = 0: replace its list by an exact draw from the prior
//!     swap the lists with probability min(1, exp((β_k − β_{k+1}) (ℓ_{k+1} − ℓ_k)))      ℓ: log likelihood
//! ```
//!
//! # Why the coldest list is a draw from the posterior
//!
//! The joint distribution ∏ π_k, with π_k ∝ prior · likelihood^β_k over the same admissible lists, is invariant under each
//! part. Local steps satisfy detailed balance for π_k. An independent draw from π_{R−1}, the prior, leaves the
//! product as it is. In a swap the priors cancel, so the printed probability is the Metropolis ratio. Which pairs are tried does not
//! depend on the lists. The prior's list is used by the last pair only, so it is drawn just before that pair is tried.
//! Ladder and number of replicas change between rounds of the warm-up, never afterwards.
//!
//! Where captures decide on what is admissible, likelihood^β is 0 for other lists at every β > 0, so swaps with a draw from the
//! prior that is not admissible are refused; local steps include connecting moves (`walker.rs`).

use super::evidence::Evidence;
use super::ladder::Ladder;
use super::prior::PriorSampler;
use super::walker::{Tempered, Walker};
use crate::control::Control;
use crate::error::Error;
use crate::parallel;
use crate::rng::ChainRng;
use crate::search::list::RuleListState;
use crate::search::problem::Problem;

/// Local steps of each replica per round, at least and at most; in between as many as there are candidates. Where the lists of
/// the posterior form, a replica must find the few rules that matter among all candidates, which takes about as long.
const FEWEST_STEPS: u64 = 100;
const MOST_STEPS: u64 = 400;

/// Local steps of each replica per round.
pub fn local_steps(problem: &Problem) -> u64 {
    (problem.pool.len() as u64).clamp(FEWEST_STEPS, MOST_STEPS)
}

/// Streams of random numbers of one run; those of chains come before the first.
const STREAMS_PER_RUN: u64 = 1 << 20;
const FIRST_STREAM: u64 = 1 << 40;

/// Which end of the ladder a replica was at last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Leg {
    /// At neither yet. All begin so.
    New,
    /// At the prior, and never at the posterior.
    FirstDown,
    /// At the posterior.
    Up,
    /// At the prior, after the posterior.
    Down,
}

impl Leg {
    fn at_prior(self) -> Leg {
        match self {
            Leg::New | Leg::FirstDown => Leg::FirstDown,
            Leg::Up | Leg::Down => Leg::Down,
        }
    }

    /// Whether an arrival at the posterior is a restart, and whether it ends a round trip.
    fn arrival(self) -> (bool, bool) {
        (matches!(self, Leg::FirstDown | Leg::Down), self == Leg::Down)
    }
}

#[derive(Debug, Clone)]
struct Replica<'a> {
    walker: Walker<'a>,
    leg: Leg,
}

impl Replica<'_> {
    fn log_likelihood(&self) -> f64 {
        self.walker.state().score().log_likelihood
    }

    /// All steps of one round; whether they were done.
    fn walk(&mut self, n_steps: u64, beta: f64, control: &Control) -> bool {
        let (per_check, mut done) = (self.walker.steps_between_checks(), 0);
        while done < n_steps {
            if control.should_end() {
                return false;
            }
            let until = n_steps.min(done + per_check);
            for _ in done..until {
                self.walker.step(Tempered(beta));
            }
            done = until;
        }
        true
    }
}

/// What the rounds since the last reset showed.
#[derive(Debug, Clone)]
pub struct Tally {
    /// By pair: how often it was tried, the sum of its rejection probabilities, and how often it was swapped.
    pub tried: Vec<u64>,
    pub rejection: Vec<f64>,
    pub swapped: Vec<u64>,
    /// What the evidence is estimated from, by log likelihoods.
    pub evidence: Evidence,
    /// How often a replica arrived at the posterior that had been at the prior since it was last there.
    pub restarts: u64,
    /// The same for replicas that had been at the posterior before: from there to the prior and back.
    pub round_trips: u64,
}

impl Tally {
    fn new(n_pairs: usize) -> Self {
        Tally {
            tried: vec![0; n_pairs],
            rejection: vec![0.0; n_pairs],
            swapped: vec![0; n_pairs],
            evidence: Evidence::new(n_pairs),
            restarts: 0,
            round_trips: 0,
        }
    }

    fn try_swap(&mut self, pair: usize, log_ratio: f64, log_uniform: f64) -> bool {
        let is_swapped = log_uniform <= log_ratio;
        self.tried[pair] += 1;
        self.rejection[pair] += 1.0 - log_ratio.min(0.0).exp();
        self.swapped[pair] += u64::from(is_swapped);
        is_swapped
    }
}

/// Lists at all temperatures, the coldest first.
#[derive(Debug)]
pub struct Replicas<'a> {
    problem: &'a Problem,
    replicas: Vec<Replica<'a>>,
    prior: PriorSampler<'a>,
    rng: ChainRng,
    seed: u64,
    next_stream: u64,
    /// The first pair to be tried in the next round: 0 or 1.
    parity: usize,
    tally: Tally,
}

impl<'a> Replicas<'a> {
    /// Run `index`: `n` replicas, each at a draw from the prior if that is admissible.
    pub fn new(problem: &'a Problem, n: usize, seed: u64, index: u64) -> Result<Self, Error> {
        let stream = FIRST_STREAM + index * STREAMS_PER_RUN;
        let mut run = Replicas {
            problem,
            replicas: Vec::with_capacity(n),
            prior: PriorSampler::new(problem)?,
            rng: ChainRng::new(seed, stream),
            seed,
            next_stream: stream + 1,
            parity: 0,
            tally: Tally::new(n - 1),
        };
        for _ in 0..n {
            let rules = run.prior.draw(&mut run.rng)?;
            let replica = run.new_replica(&rules);
            run.replicas.push(replica);
        }
        run.start_admissible();
        Ok(run)
    }

    /// A replica at this list, with random numbers of its own.
    fn new_replica(&mut self, rules: &[u32]) -> Replica<'a> {
        let rng = ChainRng::new(self.seed, self.next_stream);
        self.next_stream += 1;
        let connector = self.problem.objective.admission().is_shaped().then(|| self.prior.clone());
        Replica { walker: Walker::new(self.problem, rules, rng).connected(connector), leg: Leg::New }
    }

    /// Replicas whose lists are not admissible begin at the empty list, but for the hottest, whose list is a draw from the prior.
    fn start_admissible(&mut self) {
        let n_warm = self.replicas.len() - 1;
        for replica in &mut self.replicas[..n_warm] {
            if !replica.walker.state().is_admissible() {
                replica.walker.restart(&[]);
            }
        }
    }

    /// The list at β = 1.
    pub fn coldest(&self) -> &RuleListState<'a> {
        self.replicas[0].walker.state()
    }

    /// Log prior probability of the admissible lists.
    pub fn log_prior_mass(&self) -> f64 {
        self.prior.log_mass()
    }

    /// What the rounds since the last reset showed.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Forget the tally, and go on with `n` replicas, which take over the lists at about the same place of the ladder.
    pub fn reset(&mut self, n: usize) {
        self.tally = Tally::new(n - 1);
        let old = self.replicas.len();
        if n == old {
            return;
        }
        let source = |k: usize| (k * (old - 1) + (n - 1) / 2) / (n - 1);
        let old: Vec<(Vec<u32>, Leg)> = (0..n)
            .map(|k| &self.replicas[source(k)])
            .map(|replica| (replica.walker.state().rules().to_vec(), replica.leg))
            .collect();
        self.replicas =
            old.into_iter().map(|(rules, leg)| Replica { leg, ..self.new_replica(&rules) }).collect();
        self.start_admissible();
    }

    /// One round; whether it was done. An interrupted round must not be followed by another.
    pub fn round(&mut self, ladder: &Ladder, threads: usize, control: &Control) -> Result<bool, Error> {
        let betas = ladder.betas();
        if !self.walk(betas, threads, control)? {
            return Ok(false);
        }
        let n_pairs = betas.len() - 1;
        if (n_pairs - 1) % 2 == self.parity {
            let rules = self.prior.draw(&mut self.rng)?;
            self.replicas[n_pairs].walker.restart(&rules);
        }
        self.add_evidence(betas);
        for pair in (self.parity..n_pairs).step_by(2) {
            let gain = self.replicas[pair + 1].log_likelihood() - self.replicas[pair].log_likelihood();
            let log_ratio = (betas[pair] - betas[pair + 1]) * gain;
            if self.tally.try_swap(pair, log_ratio, self.rng.log_uniform()) {
                self.replicas.swap(pair, pair + 1);
            }
        }
        self.parity ^= 1;
        self.count_trips();
        Ok(true)
    }

    /// The local steps of all replicas but the hottest.
    fn walk(&mut self, betas: &[f64], threads: usize, control: &Control) -> Result<bool, Error> {
        let n_steps = local_steps(self.problem);
        let warm = self.replicas.iter_mut().zip(betas).filter(|(_, &beta)| beta > 0.0);
        if threads <= 1 {
            for (replica, &beta) in warm {
                if !replica.walk(n_steps, beta, control) {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        let done =
            parallel::map(threads, warm.collect(), |(replica, &beta)| replica.walk(n_steps, beta, control))?;
        Ok(done.into_iter().all(|is_done| is_done))
    }

    /// Every list is at its temperature's distribution here; that of the prior counts only when it is a new draw.
    fn add_evidence(&mut self, betas: &[f64]) {
        let n_pairs = betas.len() - 1;
        let is_new = (n_pairs - 1) % 2 == self.parity;
        let log_likelihoods = self.replicas.iter().map(Replica::log_likelihood);
        self.tally.evidence.add(betas, log_likelihoods, is_new);
    }

    fn count_trips(&mut self) {
        if let Some(hottest) = self.replicas.last_mut() {
            hottest.leg = hottest.leg.at_prior();
        }
        let coldest = &mut self.replicas[0];
        let (is_restart, is_round_trip) = coldest.leg.arrival();
        self.tally.restarts += u64::from(is_restart);
        self.tally.round_trips += u64::from(is_round_trip);
        coldest.leg = Leg::Up;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random_problem;

    /// Against the path of one replica read by eye: P is the posterior, 0 the prior, a point anywhere else.
    #[test]
    fn a_round_trip_goes_from_the_posterior_to_the_prior_and_back() {
        let count = |path: &str| {
            let (mut leg, mut restarts, mut round_trips) = (Leg::New, 0, 0);
            for place in path.chars() {
                if place == '0' {
                    leg = leg.at_prior();
                } else if place == 'P' {
                    let (is_restart, is_round_trip) = leg.arrival();
                    restarts += u64::from(is_restart);
                    round_trips += u64::from(is_round_trip);
                    leg = Leg::Up;
                }
            }
            (restarts, round_trips)
        };
        assert_eq!(count("...P.P..P"), (0, 0));
        assert_eq!(count("..0..0.P.PP"), (1, 0));
        assert_eq!(count("..0..P..0"), (1, 0));
        assert_eq!(count("P..0.0.P"), (1, 1));
        assert_eq!(count(".0.P.0.P.0.0.PP"), (3, 2));
    }

    #[test]
    fn threads_do_not_change_a_round() {
        let problem = random_problem(&mut ChainRng::new(4, 3)).limited_to(9);
        let (ladder, control) = (Ladder::geometric(9, 0.02), Control::default());
        let paths = [1, 2, 5].map(|threads| {
            let mut run = Replicas::new(&problem, 9, 7, 0).unwrap();
            let mut path = Vec::new();
            for _ in 0..30 {
                assert!(run.round(&ladder, threads, &control).unwrap());
                path.extend(run.replicas.iter().map(|replica| replica.walker.state().rules().to_vec()));
            }
            assert!(run.tally().tried.iter().all(|&n| n == 15));
            path
        });
        assert_eq!(paths[0], paths[1]);
        assert_eq!(paths[0], paths[2]);
    }

    #[test]
    fn more_or_fewer_replicas_take_over_the_lists_in_order() {
        let problem = random_problem(&mut ChainRng::new(4, 3)).limited_to(9);
        let mut run = Replicas::new(&problem, 9, 7, 0).unwrap();
        let lists = |run: &Replicas| -> Vec<Vec<u32>> {
            run.replicas.iter().map(|replica| replica.walker.state().rules().to_vec()).collect()
        };
        let before = lists(&run);
        run.reset(17);
        let doubled: Vec<Vec<u32>> = lists(&run).into_iter().step_by(2).collect();
        assert_eq!(doubled, before);
        run.reset(9);
        assert_eq!(lists(&run), before);
        assert_eq!(run.tally().tried.len(), 8);
    }
}
