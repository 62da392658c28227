//! One chain: propose, score, accept, record.

use super::moves::Move;
use super::proposal::{Proposer, KINDS};
use super::state::State;
use super::Problem;
use crate::control::Control;
use crate::rng::ChainRng;

/// A state of the chain worth plotting.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TracePoint {
    pub iteration: u64,
    pub log_posterior: f64,
    pub length: usize,
}

/// What a chain leaves behind.
#[derive(Debug, Clone, PartialEq)]
pub struct ChainReport {
    pub best_rules: Vec<u32>,
    pub best_log_posterior: f64,
    pub iterations: u64,
    pub proposed: [u64; KINDS.len()],
    pub accepted: [u64; KINDS.len()],
    pub trace: Vec<TracePoint>,
}

impl ChainReport {
    /// Of a walk that begins at `rules`.
    pub fn new(rules: &[u32], log_posterior: f64) -> Self {
        ChainReport {
            best_rules: rules.to_vec(),
            best_log_posterior: log_posterior,
            iterations: 0,
            proposed: [0; KINDS.len()],
            accepted: [0; KINDS.len()],
            trace: Vec::new(),
        }
    }

    /// Keep the list if it is the best so far.
    pub fn offer(&mut self, rules: &[u32], log_posterior: f64) {
        if log_posterior > self.best_log_posterior {
            self.best_log_posterior = log_posterior;
            self.best_rules.clear();
            self.best_rules.extend_from_slice(rules);
        }
    }

    /// Put the state on the trace.
    pub fn record(&mut self, state: &State<'_>) {
        self.trace.push(TracePoint {
            iteration: self.iterations,
            log_posterior: state.score().log_posterior(),
            length: state.rules().len(),
        });
    }

    /// Add what another walk tried and did.
    pub fn add_counts(&mut self, other: &ChainReport) {
        self.iterations += other.iterations;
        for kind in 0..KINDS.len() {
            self.proposed[kind] += other.proposed[kind];
            self.accepted[kind] += other.accepted[kind];
        }
    }
}

/// A Metropolis–Hastings sampler whose stationary distribution is the posterior.
#[derive(Debug, Clone)]
pub struct Chain<'a> {
    state: State<'a>,
    proposer: Proposer,
    rng: ChainRng,
    report: ChainReport,
}

impl<'a> Chain<'a> {
    /// A chain that starts from the list `start` and stays with lists of at most `max_length` rules.
    pub fn new(problem: &'a Problem, start: &[u32], max_length: usize, rng: ChainRng) -> Self {
        let state = State::with_rules(problem, start);
        let proposer = Proposer::new(problem.pool.len(), max_length, start);
        let report = ChainReport::new(start, state.score().log_posterior());
        Chain { state, proposer, rng, report }
    }

    /// The list the chain is at.
    pub fn rules(&self) -> &[u32] {
        self.state.rules()
    }

    /// One iteration.
    pub fn step(&mut self) {
        self.step_scored(true);
    }

    /// The same with the proposal scored to the end: what leaving off early is worth is measured with it.
    #[cfg(any(test, feature = "naive"))]
    pub fn step_to_the_end(&mut self) {
        self.step_scored(false);
    }

    #[inline(always)]
    fn step_scored(&mut self, leave_off: bool) {
        self.report.iterations += 1;
        let Some(proposal) = self.proposer.propose(&mut self.rng, self.state.rules()) else {
            return;
        };
        self.report.proposed[proposal.kind] += 1;
        let least = self.state.score().log_posterior() + self.rng.log_uniform() - proposal.log_ratio;
        let worth = if leave_off { least } else { f64::NEG_INFINITY };
        if self.state.try_move(proposal.change, worth).is_some_and(|log_posterior| log_posterior >= least) {
            self.report.accepted[proposal.kind] += 1;
            self.accept(proposal.change);
        }
    }

    fn accept(&mut self, change: Move) {
        self.proposer.accept(change, self.state.rules());
        self.state.make_tried(change);
        self.report.offer(self.state.rules(), self.state.score().log_posterior());
    }

    /// Run `iterations` iterations, or until told to end; keep about `points` points of the way.
    pub fn run(mut self, iterations: u64, points: u64, control: &Control) -> ChainReport {
        self.go_on(iterations, points, control);
        self.report
    }

    /// What the chain did so far.
    pub fn into_report(self) -> ChainReport {
        self.report
    }

    /// Whether it has run so many iterations.
    pub fn is_done(&self, iterations: u64) -> bool {
        self.report.iterations >= iterations
    }

    /// The same as `run`, from where the chain is; where it is told to end makes no difference to its way.
    pub fn go_on(&mut self, iterations: u64, points: u64, control: &Control) {
        let every = iterations.div_ceil(points).max(1);
        // look at the flags about every millisecond
        let batch = (1 << 18) / (64 + 16 * self.state.problem().pool.rows.n_words() as u64);
        let batch = batch.clamp(1, 256);
        let mut next_point = (self.report.iterations / every + 1) * every;
        while self.report.iterations < iterations && !control.should_end() {
            let n = batch.min(iterations - self.report.iterations);
            for _ in 0..n {
                self.step();
                if self.report.iterations == next_point {
                    self.report.record(&self.state);
                    next_point += every;
                }
            }
            control.add_iterations(n);
            control.report_best(self.report.best_log_posterior);
        }
    }
}
