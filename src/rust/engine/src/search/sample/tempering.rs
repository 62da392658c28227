//! Draws from the posterior by replica exchange: several independent runs with one ladder of temperatures.
//!
//! The ladder is adapted during the warm-up and then frozen, so that sampling leaves the posterior invariant (see
//! `replicas.rs`). The runs share it but nothing else: given the ladder they are independent. All runs are in memory and
//! advance side by side, so that a time limit ends all of them after about as many rounds.

use super::evidence::{drift, log_evidence, Evidence};
use super::ladder::Ladder;
use super::replicas::{local_steps, Replicas};
use crate::control::Control;
use crate::error::Error;
use crate::parallel;
use crate::search::problem::Problem;
use crate::search::record::Draws;
use std::time::{Duration, Instant};

/// Replicas of the pilot, and the fewest of a run.
const PILOT: usize = 16;
const FEWEST: usize = 8;
/// The most replicas of a run.
pub const MOST: usize = 32;

/// Temperatures for each unit of the communication barrier Λ, the sum of the rejection rates of all pairs.
const PER_BARRIER: f64 = 4.0;

/// Lowest positive β of the pilot. With many rows it is lower: likelihoods, to that power, should vary by a factor of about
/// exp(10) only.
const LOWEST: f64 = 0.01;
const LOWEST_SPREAD: f64 = 10.0;

/// The warm-up in sixteenths; the ladder is adapted after each part.
const PARTS: [u64; 4] = [1, 2, 4, 9];

/// Sixteenths of the warm-up that are the pilot run, after which the number of replicas is fixed.
const PILOT_PARTS: u64 = 3;

/// Rounds of a part that are enough to judge every pair.
const LEAST_ROUNDS: u64 = 4;

/// Share of a time limit that the warm-up may take.
const WARMUP_TIME: f64 = 0.5;

/// Turns of the runs under a time limit become longer until they take this long.
const TURN: Duration = Duration::from_millis(20);

/// How to sample.
#[derive(Debug, Clone, Copy)]
pub struct TemperingPlan {
    /// Independent runs.
    pub n_runs: usize,
    /// Rounds of warm-up of each run.
    pub warmup: u64,
    /// Rounds after that.
    pub rounds: u64,
    /// One in this many is kept.
    pub every: u64,
    /// Determines all random numbers.
    pub seed: u64,
    /// Most threads; they do not change the result.
    pub threads: usize,
}

/// Draws from the posterior, and how they came about.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// The draws of each run; all runs have as many.
    pub runs: Vec<Draws>,
    /// The inverse temperatures.
    pub betas: Vec<f64>,
    /// Share of swaps that were accepted, by pair of temperatures.
    pub swap_rates: Vec<f64>,
    /// By run: how often a replica arrived at the posterior that had been at the prior since it was last there.
    pub restarts: Vec<u64>,
    /// By run: the same for replicas that had been at the posterior before, from there to the prior and back.
    pub round_trips: Vec<u64>,
    /// log p(labels), given that the list is admissible, from all runs together.
    pub log_evidence: f64,
    /// The same from the second half of the rounds, minus that from the first.
    pub log_evidence_drift: f64,
    /// The same from each run alone.
    pub log_evidences: Vec<f64>,
    /// Log prior probability of the admissible lists.
    pub log_prior_mass: f64,
    /// Rounds that all runs did, in warm-up and after it.
    pub warmup: u64,
    /// Rounds after the warm-up.
    pub rounds: u64,
}

/// Sample the posterior over the admissible lists of `problem`. The draws depend on the seed, never on the number of threads.
pub fn sample(problem: &Problem, plan: &TemperingPlan, control: &Control) -> Result<Sample, Error> {
    let mut ensemble = Ensemble::new(problem, plan)?;
    let warmup_control = control.turn(control.time_left().map(|time| time.mul_f64(WARMUP_TIME)));
    let warmup = ensemble.warm_up(plan.warmup, &warmup_control)?;
    let rounds = ensemble.sample(plan.rounds, plan.every.max(1), control)?;
    if control.is_cancelled() {
        return Err(Error::Cancelled);
    }
    if warmup < plan.warmup || rounds < plan.rounds {
        control.shorten();
    }
    Ok(ensemble.into_sample(warmup, rounds))
}

/// All runs.
struct Ensemble<'a> {
    problem: &'a Problem,
    ladder: Ladder,
    runs: Vec<(Replicas<'a>, Draws)>,
    threads: usize,
    /// Threads for the replicas of one run, if there are more threads than runs and each has much to do.
    threads_per_run: usize,
}

impl<'a> Ensemble<'a> {
    fn new(problem: &'a Problem, plan: &TemperingPlan) -> Result<Self, Error> {
        let log_likelihood = problem.score(&[]).0.log_likelihood;
        let ladder = Ladder::geometric(PILOT, LOWEST.min(LOWEST_SPREAD / log_likelihood.abs()));
        let begin = |index: u64| Ok((Replicas::new(problem, PILOT, plan.seed, index)?, Draws::default()));
        let runs = parallel::try_map(plan.threads, (0..plan.n_runs as u64).collect(), begin)?;
        let words_per_round = PILOT * local_steps(problem) as usize * problem.pool.rows.n_words();
        let threads_per_run = parallel::threads_for(plan.threads / plan.n_runs.max(1), words_per_round);
        Ok(Ensemble { problem, ladder, runs, threads: plan.threads, threads_per_run })
    }

    /// Adapt the ladder; returns the rounds that were done.
    fn warm_up(&mut self, rounds: u64, control: &Control) -> Result<u64, Error> {
        let (mut done, mut parts) = (0, 0);
        for part in PARTS {
            parts += part;
            let until = rounds * parts / PARTS.iter().sum::<u64>();
            let advanced = self.advance(until - done, None, control)?;
            done += advanced;
            if advanced >= LEAST_ROUNDS {
                self.adapt(parts <= PILOT_PARTS);
            }
            if done < until {
                break;
            }
        }
        let n = self.ladder.len();
        self.runs.iter_mut().for_each(|(replicas, _)| replicas.reset(n));
        Ok(done)
    }

    /// Keep a draw of each run every `every` rounds; returns the rounds that were done.
    fn sample(&mut self, rounds: u64, every: u64, control: &Control) -> Result<u64, Error> {
        let done = self.advance(rounds, Some(every), control)?;
        let n_kept = (done / every) as usize;
        let n_classes = self.problem.n_classes();
        self.runs.iter_mut().for_each(|(_, draws)| draws.truncate(n_kept, n_classes));
        Ok(done)
    }

    /// Let every run do `rounds` rounds, and keep draws at a fixed interval. Returns how many rounds all of them did.
    fn advance(&mut self, rounds: u64, every: Option<u64>, control: &Control) -> Result<u64, Error> {
        let is_limited = control.time_left().is_some();
        let (mut done, mut turn) = (0, if is_limited { 1 } else { rounds });
        while done < rounds && !control.should_end() {
            let begun = is_limited.then(Instant::now);
            let until = rounds.min(done + turn);
            let (ladder, threads_per_run) = (&self.ladder, self.threads_per_run);
            let tasks = self.runs.iter_mut().collect();
            let advanced = parallel::try_map(self.threads, tasks, |(replicas, draws)| {
                for round in done..until {
                    if control.should_end() || !replicas.round(ladder, threads_per_run, control)? {
                        return Ok(round);
                    }
                    control.add_iterations(1);
                    if every.is_some_and(|every| (round + 1) % every == 0) {
                        draws.push(replicas.coldest())?;
                    }
                }
                Ok::<u64, Error>(until)
            })?;
            done = advanced.into_iter().min().unwrap_or(until);
            if done < until {
                break;
            }
            turn *= if begun.is_some_and(|begun| begun.elapsed() < TURN) { 2 } else { 1 };
        }
        Ok(done)
    }

    /// Space the temperatures so that all pairs reject equally often; in the pilot, also choose their number.
    fn adapt(&mut self, is_pilot: bool) {
        let rejections: Vec<f64> = (0..self.ladder.len() - 1)
            .map(|pair| self.pooled(pair, |tally, pair| tally.rejection[pair]))
            .collect();
        let barrier: f64 = rejections.iter().sum();
        let n = match is_pilot {
            true => ((PER_BARRIER * barrier).ceil() as usize).clamp(FEWEST, MOST),
            false => self.ladder.len(),
        };
        self.ladder = self.ladder.equalised(&rejections, n);
        self.runs.iter_mut().for_each(|(replicas, _)| replicas.reset(n));
    }

    /// A count of all runs, per swap tried of this pair.
    fn pooled(&self, pair: usize, count: impl Fn(&super::replicas::Tally, usize) -> f64) -> f64 {
        let tallies = || self.runs.iter().map(|(replicas, _)| replicas.tally());
        let tried: u64 = tallies().map(|tally| tally.tried[pair]).sum();
        tallies().map(|tally| count(tally, pair)).sum::<f64>() / tried.max(1) as f64
    }

    fn into_sample(self, warmup: u64, rounds: u64) -> Sample {
        let n_pairs = self.ladder.len() - 1;
        let swap_rates =
            (0..n_pairs).map(|pair| self.pooled(pair, |tally, pair| tally.swapped[pair] as f64)).collect();
        let evidences: Vec<&Evidence> =
            self.runs.iter().map(|(replicas, _)| &replicas.tally().evidence).collect();
        Sample {
            betas: self.ladder.betas().to_vec(),
            swap_rates,
            restarts: self.runs.iter().map(|(replicas, _)| replicas.tally().restarts).collect(),
            round_trips: self.runs.iter().map(|(replicas, _)| replicas.tally().round_trips).collect(),
            log_evidence: log_evidence(&evidences),
            log_evidence_drift: drift(&evidences),
            log_evidences: evidences.iter().map(|&run| log_evidence(&[run])).collect(),
            log_prior_mass: self.runs.first().map_or(0.0, |(replicas, _)| replicas.log_prior_mass()),
            warmup,
            rounds,
            runs: self.runs.into_iter().map(|(_, draws)| draws).collect(),
        }
    }
}
