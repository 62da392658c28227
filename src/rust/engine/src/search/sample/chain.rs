//! One chain: walk and record.

use super::prior::PriorSampler;
use super::walker::{Step, Untempered, Walker};
use crate::control::Control;
use crate::rng::ChainRng;
use crate::search::problem::Problem;
use crate::search::record::{Recorder, RunReport, ScoredList, Trace};

/// A Metropolis–Hastings sampler whose stationary distribution is the posterior over admissible lists. `R` observes it.
#[derive(Debug, Clone)]
pub struct Chain<'a, R = Trace> {
    walker: Walker<'a>,
    report: RunReport,
    recorder: R,
}

impl<'a, R: Recorder> Chain<'a, R> {
    /// A chain that starts from the list `start`.
    pub fn new(problem: &'a Problem, start: &[u32], rng: ChainRng, recorder: R) -> Self {
        let walker = Walker::new(problem, start, rng);
        let report = RunReport::new(start, walker.state().log_posterior());
        Chain { walker, report, recorder }
    }

    /// The same with connecting moves, if the problem needs them; see `walker.rs`.
    pub fn connected(self, connector: Option<PriorSampler<'a>>) -> Self {
        Chain { walker: self.walker.connected(connector), ..self }
    }

    /// The current list.
    #[cfg(any(test, feature = "naive"))]
    pub fn rules(&self) -> &[u32] {
        self.walker.state().rules()
    }

    /// One iteration.
    #[inline]
    pub fn step(&mut self) {
        self.report.iterations += 1;
        let Step { kind, is_accepted } = self.walker.step(Untempered);
        if let Some(kind) = kind {
            self.report.moves.count_proposed(kind);
            if is_accepted {
                self.report.moves.count_accepted(kind);
            }
        }
        if is_accepted {
            let state = self.walker.state();
            self.report.best.improve(state.rules(), state.log_posterior());
        }
    }

    /// Continue until `iterations` iterations are done in all, or until the work is to end. Interruptions do not change the
    /// path of the chain.
    pub fn run(&mut self, iterations: u64, control: &Control) {
        let batch = self.walker.steps_between_checks();
        let mut next_record = self.recorder.next_after(self.report.iterations);
        while self.report.iterations < iterations && !control.should_end() {
            let n = batch.min(iterations - self.report.iterations);
            for _ in 0..n {
                self.step();
                if self.report.iterations == next_record {
                    self.recorder.record(self.report.iterations, self.walker.state());
                    next_record = self.recorder.next_after(self.report.iterations);
                }
            }
            control.add_iterations(n);
            let state = self.walker.state();
            control.add_work(n * state.problem().work_per_move(state.rules().len()));
            control.report_best(self.report.best.log_posterior);
        }
    }

    /// The best list so far.
    pub fn best(&self) -> &ScoredList {
        &self.report.best
    }

    /// Iterations done so far.
    pub fn iterations(&self) -> u64 {
        self.report.iterations
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
