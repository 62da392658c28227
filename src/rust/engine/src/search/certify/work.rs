//! The certificate in the making.

use super::proof::{Certificate, Ended, ProofBudget, TracePoint, TurnLimits, CLAIM, RESOLUTION};
use super::table::rounding;
use crate::control::Control;
use crate::error::Error;
use crate::search::problem::Problem;
use crate::search::record::ScoredList;
use std::time::Instant;

/// What makes a list of a problem better.
pub type Improvement<'a> = dyn Fn(&Problem, &[u32]) -> Result<Vec<u32>, Error> + 'a;

/// What searches for a better list, for the first time or again: the number is how often it was done before.
pub type Search<'a> = dyn Fn(&Problem, &[u32], u64) -> Result<Vec<u32>, Error> + 'a;

/// The better the best list, the more is cut.
#[derive(Clone, Copy)]
pub struct Improve<'a> {
    /// Small changes, as long as one helps.
    pub climb: &'a Improvement<'a>,
    /// A search for something better, before much work is begun.
    pub search: &'a Search<'a>,
}

impl Improve<'_> {
    /// Lists stay as they are.
    pub const NONE: Improve<'static> =
        Improve { climb: &|_, rules| Ok(rules.to_vec()), search: &|_, rules, _| Ok(rules.to_vec()) };
}

/// The certificate in the making.
pub struct Work<'a> {
    pub problem: &'a Problem,
    pub budget: ProofBudget,
    pub control: &'a Control,
    start: Instant,
    pub certificate: Certificate,
}

impl<'a> Work<'a> {
    pub fn new(problem: &'a Problem, rules: &[u32], budget: ProofBudget, control: &'a Control) -> Self {
        let best = ScoredList::new(&[], problem.log_posterior(&[]));
        let certificate = Certificate {
            upper_bound: f64::INFINITY,
            best,
            max_length_proved: 0,
            by_length: Vec::new(),
            n_nodes: 0,
            ended: Ended::Stopped,
            trace: Vec::new(),
        };
        let mut work = Work { problem, budget, control, start: Instant::now(), certificate };
        // of a list that is longer than admissible, the beginning
        let longest = rules.len().min(problem.objective.max_length());
        for length in 1..=longest {
            work.certificate.best.improve(&rules[..length], problem.log_posterior(&rules[..length]));
        }
        work
    }

    pub fn limits(&self, n_nodes: u64) -> TurnLimits {
        let n_nodes = n_nodes.min(self.budget.max_nodes.saturating_sub(self.certificate.n_nodes));
        TurnLimits { n_nodes, n_bytes: self.budget.max_bytes, threads: self.budget.threads }
    }

    /// All admissible lists are accounted for, none above `upper_bound`.
    pub fn finish(&mut self, upper_bound: f64) {
        let best = self.certificate.best.log_posterior;
        self.certificate.upper_bound = upper_bound;
        self.certificate.ended = Ended::Solved;
        if upper_bound <= best + RESOLUTION {
            self.certificate.upper_bound = best;
            self.certificate.max_length_proved =
                self.problem.objective.max_length().min(self.problem.pool.len());
        }
        self.record();
    }

    pub fn set_bound(&mut self, upper_bound: f64) {
        let best = self.certificate.best.log_posterior;
        self.certificate.upper_bound = self.certificate.upper_bound.min(upper_bound).max(best);
        self.record();
    }

    /// Add a point to the trace, and report it.
    fn record(&mut self) {
        let certificate = &self.certificate;
        let point = TracePoint {
            nodes: certificate.n_nodes,
            seconds: self.start.elapsed().as_secs_f64(),
            upper_bound: certificate.upper_bound,
            log_posterior: certificate.best.log_posterior,
        };
        self.control.report_best(point.log_posterior);
        self.control.report_proof(point.upper_bound, point.nodes, certificate.max_length_proved as u64);
        // one point for each number of nodes
        let trace = &mut self.certificate.trace;
        if trace.last().is_some_and(|last| last.nodes == point.nodes) {
            trace.pop();
        }
        trace.push(point);
    }

    /// Every list is dominated in at most as many steps as it has rules, each of which may err by rounding. Where that is more
    /// than a certificate can claim, the bound says so.
    pub fn account_for_rounding(&mut self) {
        let length = self.problem.objective.max_length().min(self.problem.pool.len()).min(64) as f64;
        let error = (length + 2.0) * rounding(self.problem);
        if RESOLUTION + error > CLAIM {
            self.certificate.upper_bound += RESOLUTION + error;
        }
    }
}
