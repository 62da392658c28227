//! Is there a better list? Branch and bound over all lists of the pool.
//!
//! Three exact searches share one set of bounds. `patterns` solves problems with few row patterns at once. Otherwise `best_first`
//! (all lengths, a bound at any time) and `limited` (lists of at most 1, 2, 3, … rules, little memory) take turns, measured in
//! nodes: a node is one sweep over all candidates. The turns depend on nothing but the problem and the budget, so that the same
//! budget in nodes gives the same certificate on any number of threads.

mod best_first;
mod blocks;
mod bounds;
mod expand;
mod limited;
mod pairs;
mod patterns;
mod prices;
mod residual;
mod score_map;
mod table;
#[cfg(test)]
mod tests;
mod turns;

use crate::control::{Control, Phase};
use crate::error::Error;
use crate::search::problem::row_sets::RowSets;
use crate::search::problem::Problem;
use crate::search::record::ScoredList;
use patterns::PatternSearch;
use prices::Prices;
use std::time::Instant;
use table::{rounding, Table};
use turns::Turns;

/// Lists that are better by less than this are not looked for. With rounding, "optimal" means to `CLAIM` nats.
const RESOLUTION: f64 = 5e-7;
/// What a certificate claims, in nats.
pub const CLAIM: f64 = 1e-6;

/// What one search may use.
#[derive(Debug, Clone, Copy)]
struct Limits {
    n_nodes: u64,
    n_bytes: usize,
    threads: usize,
}

/// Why a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Everything was looked at.
    Solved,
    /// The budget of nodes was used up.
    Nodes,
    /// The budget of memory was used up.
    Memory,
    /// It was stopped, or its time was over.
    Stopped,
}

/// How much to spend.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// Lists that are better by at most this are not looked for.
    pub gap: f64,
    /// Most sweeps over the candidates.
    pub max_nodes: u64,
    /// Most bytes.
    pub max_bytes: usize,
    /// Most threads; they do not change the result.
    pub threads: usize,
}

/// The best list of at most so many rules.
#[derive(Debug, Clone, PartialEq)]
pub struct LengthProof {
    /// Most rules.
    pub length: usize,
    /// The highest log posterior found.
    pub log_posterior: f64,
    /// Whether there is no higher one.
    pub is_proved: bool,
}

/// How the bound came down.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TracePoint {
    /// Nodes so far.
    pub nodes: u64,
    /// Seconds so far.
    pub seconds: f64,
    /// The upper bound.
    pub upper_bound: f64,
    /// The best log posterior.
    pub log_posterior: f64,
}

/// What is proved.
#[derive(Debug, Clone)]
pub struct Certificate {
    /// The best list known: the one given, or a better one.
    pub best: ScoredList,
    /// No admissible list has a log posterior above this by more than `CLAIM`.
    pub upper_bound: f64,
    /// The best lists of at most this many rules are known.
    pub max_length_proved: usize,
    /// Results for short lists.
    pub by_length: Vec<LengthProof>,
    /// Nodes looked at.
    pub n_nodes: u64,
    /// Why the search ended.
    pub ended: Ended,
    /// How the bound came down.
    pub trace: Vec<TracePoint>,
}

/// What makes a list better by small changes.
pub type Improve<'a> = dyn Fn(&Problem, &[u32]) -> Result<Vec<u32>, Error> + 'a;

/// Look for a list of `problem` that is better than `rules`, and prove how good the best one is.
pub fn certify(
    problem: &Problem,
    rules: &[u32],
    budget: &Budget,
    improve: &Improve<'_>,
    control: &Control,
) -> Result<Certificate, Error> {
    control.enter(Phase::Certify);
    let mut work = Work::new(problem, rules, *budget, control);
    match work.run(improve) {
        // the time was over before there were bounds
        Ok(()) | Err(Error::TimeLimit) => {}
        Err(error) => return Err(error),
    }
    if control.is_cancelled() {
        return Err(Error::Cancelled);
    }
    work.account_for_rounding();
    Ok(work.certificate)
}

/// The certificate in the making.
struct Work<'a> {
    problem: &'a Problem,
    budget: Budget,
    control: &'a Control,
    start: Instant,
    certificate: Certificate,
}

impl<'a> Work<'a> {
    fn new(problem: &'a Problem, rules: &[u32], budget: Budget, control: &'a Control) -> Self {
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

    fn run(&mut self, improve: &Improve<'_>) -> Result<(), Error> {
        let problem = self.problem;
        let better = improve(problem, &self.certificate.best.rules)?;
        self.certificate.best.improve(&better, problem.log_posterior(&better));
        let prices = Prices::new(problem.objective.prior(), problem.objective.max_length());
        let table = Table::new(problem, self.control)?;
        let tolerance = self.budget.gap.max(RESOLUTION);
        if let RowSets::Patterns(patterns) = problem.row_sets() {
            let tolerances = [tolerance, table.rounding()];
            let search = PatternSearch::new(problem, patterns, prices.clone(), table.lengths.clone(), tolerances);
            let limits = self.limits(self.budget.max_nodes / 2);
            let found = search.run(self.certificate.best.clone(), &limits, self.control)?;
            self.certificate.best = found.best;
            self.certificate.n_nodes += found.n_nodes;
            self.set_bound(found.upper_bound);
            if found.ended == Ended::Solved {
                self.finish(found.upper_bound);
                return Ok(());
            }
        }
        let mut turns = Turns::new(&table, prices, self.certificate.best.clone(), tolerance);
        turns.run(self, improve)
    }

    fn limits(&self, n_nodes: u64) -> Limits {
        let n_nodes = n_nodes.min(self.budget.max_nodes.saturating_sub(self.certificate.n_nodes));
        Limits { n_nodes, n_bytes: self.budget.max_bytes, threads: self.budget.threads }
    }

    /// All admissible lists are accounted for, none above `upper_bound`.
    fn finish(&mut self, upper_bound: f64) {
        let best = self.certificate.best.log_posterior;
        self.certificate.upper_bound = if upper_bound <= best + RESOLUTION { best } else { upper_bound };
        self.certificate.ended = Ended::Solved;
        self.certificate.max_length_proved = self.problem.objective.max_length().min(self.problem.pool.len());
        self.record();
    }

    fn set_bound(&mut self, upper_bound: f64) {
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
    fn account_for_rounding(&mut self) {
        let length = self.problem.objective.max_length().min(self.problem.pool.len()).min(64) as f64;
        let error = (length + 2.0) * rounding(self.problem);
        if RESOLUTION + error > CLAIM {
            self.certificate.upper_bound += RESOLUTION + error;
        }
    }
}
