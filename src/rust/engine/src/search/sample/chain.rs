//! One chain: propose, score, accept, record.

use super::proposal::Proposer;
use crate::control::Control;
use crate::rng::ChainRng;
use crate::search::list::RuleListState;
use crate::search::problem::Problem;
use crate::search::record::{Recorder, RunReport, Trace};

/// A Metropolis–Hastings sampler whose stationary distribution is the posterior over admissible lists. `R` observes it.
#[derive(Debug, Clone)]
pub struct Chain<'a, R = Trace> {
    state: RuleListState<'a>,
    proposer: Proposer,
    rng: ChainRng,
    report: RunReport,
    recorder: R,
}

impl<'a, R: Recorder> Chain<'a, R> {
    /// A chain that starts from the list `start`.
    pub fn new(problem: &'a Problem, start: &[u32], rng: ChainRng, recorder: R) -> Self {
        let state = RuleListState::with_rules(problem, start);
        let proposer = Proposer::new(problem.pool.len(), problem.objective.max_length(), start);
        let report = RunReport::new(start, state.log_posterior());
        Chain { state, proposer, rng, report, recorder }
    }

    /// The current list.
    #[cfg(any(test, feature = "naive"))]
    pub fn rules(&self) -> &[u32] {
        self.state.rules()
    }

    /// One iteration.
    #[inline]
    pub fn step(&mut self) {
        self.report.iterations += 1;
        let Some(proposal) = self.proposer.propose(&mut self.rng, self.state.rules()) else {
            return;
        };
        let kind = proposal.change.kind();
        self.report.moves.count_proposed(kind);
        let threshold = self.state.log_posterior() + self.rng.log_uniform() - proposal.log_ratio;
        let reached = self.state.propose(proposal.change, threshold);
        if reached.is_some_and(|log_posterior| log_posterior >= threshold) {
            self.report.moves.count_accepted(kind);
            self.proposer.accept(proposal.change, self.state.rules());
            self.state.apply_proposed(proposal.change);
            self.report.best.improve(self.state.rules(), self.state.log_posterior());
        }
    }

    /// Continue until `iterations` iterations are done in all, or until the work is to end. Interruptions do not change the
    /// path of the chain.
    pub fn run(&mut self, iterations: u64, control: &Control) {
        // check about every millisecond
        let batch = (1 << 18) / (64 + 16 * self.state.problem().pool.rows.n_words() as u64);
        let batch = batch.clamp(1, 256);
        let mut next_record = self.recorder.next_after(self.report.iterations);
        while self.report.iterations < iterations && !control.should_end() {
            let n = batch.min(iterations - self.report.iterations);
            for _ in 0..n {
                self.step();
                if self.report.iterations == next_record {
                    self.recorder.record(self.report.iterations, &self.state);
                    next_record = self.recorder.next_after(self.report.iterations);
                }
            }
            control.add_iterations(n);
            control.report_best(self.report.best.log_posterior);
        }
    }

    /// Whether `iterations` iterations are done.
    pub fn is_done(&self, iterations: u64) -> bool {
        self.report.iterations >= iterations
    }
}

impl Chain<'_, Trace> {
    /// What the chain did so far.
    pub fn into_report(self) -> RunReport {
        RunReport { trace: self.recorder.points().to_vec(), ..self.report }
    }
}
