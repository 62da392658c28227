//! Depth-first branch and bound over lists of at most L rules, for L = 1, 2, 3, …: little memory, and every L that is finished is
//! a statement of its own.
//!
//! ```text
//! visit(R, t rules left):
//!     for every candidate that differs from the others on R (B10): score the list that ends after it,
//!         and keep it as the next rule if lists that go on can win (B4, B8 with B3) and the swap with the rule before it would not (B9)
//!     t = 2: count every pair of candidates once, which gives both orders exactly
//!     t > 2: pack the rows that the rule leaves, visit(those, t − 1)
//! ```
//!
//! It needs a prior that is plain for L rules (`Prices::is_plain`). The best list whose candidate numbers come first
//! lexicographically is never cut by B9 or B10, and bounds cut only what does not exceed the best list by more than the tolerance. First rules
//! are tasks of their own, in rounds of a fixed size: what a task finds depends on the best list before its round alone, so the
//! result does not depend on the number of threads.

use super::prices::Prices;
use super::proof::{Ended, Limits};
use super::residual::Residual;
use super::table::Table;
use super::visitor::{Next, Visitor};
use crate::control::Control;
use crate::error::Error;
use crate::parallel;
use crate::search::record::ScoredList;

/// First rules per round.
const ROUND: usize = 16;

/// The search for the best list of at most this many rules; it can be continued.
#[derive(Debug)]
pub struct Limited<'t> {
    table: &'t Table<'t>,
    root: &'t Residual,
    prices: Prices,
    tolerance: f64,
    best: ScoredList,
    highest_cut: f64,
    /// First rules not yet tried, the most promising last.
    open: Vec<usize>,
    n_nodes: u64,
    is_done: bool,
}

impl<'t> Limited<'t> {
    /// Lists of at most as many rules as `prices` allow, better than `best` by more than `tolerance`. The prior must be plain.
    pub fn new(
        table: &'t Table<'t>,
        root: &'t Residual,
        prices: Prices,
        best: ScoredList,
        tolerance: f64,
    ) -> Self {
        let mut search = Limited {
            table,
            root,
            prices,
            tolerance,
            best,
            highest_cut: f64::NEG_INFINITY,
            open: Vec::new(),
            n_nodes: 0,
            is_done: false,
        };
        search.best.improve(&[], table.problem.log_posterior(&[]));
        let mut visitor = search.visitor(u64::MAX);
        let mut first: Vec<Next> = visitor.next_rules(root, None);
        first.sort_by(|a, b| a.bound.total_cmp(&b.bound).then(b.index.cmp(&a.index)));
        let (found, cut) = (visitor.best, visitor.highest_cut);
        search.open = first.into_iter().map(|next| next.index).collect();
        search.adopt(&found, cut, 1);
        search
    }

    fn visitor(&self, max_nodes: u64) -> Visitor<'_> {
        Visitor {
            table: self.table,
            prices: &self.prices,
            tolerance: self.tolerance,
            slack: self.table.rounding(),
            best: self.best.clone(),
            highest_cut: f64::NEG_INFINITY,
            path: Vec::new(),
            used: vec![0; self.prices.n_lengths()],
            score: 0.0,
            n_nodes: 0,
            max_nodes,
        }
    }

    fn adopt(&mut self, found: &ScoredList, cut: f64, n_nodes: u64) {
        self.best.improve(&found.rules, found.log_posterior);
        self.highest_cut = self.highest_cut.max(cut);
        self.n_nodes += n_nodes;
    }

    /// The best list.
    pub fn best(&self) -> &ScoredList {
        &self.best
    }

    /// First rules not yet tried.
    pub fn n_open(&self) -> usize {
        self.open.len()
    }

    /// Candidate sweeps done.
    pub fn n_nodes(&self) -> u64 {
        self.n_nodes
    }

    /// No list of this length has a log posterior above this, if the search is done.
    pub fn upper_bound(&self) -> f64 {
        self.highest_cut.max(self.best.log_posterior)
    }

    /// Go on until the problem is solved or a limit is reached.
    pub fn run(&mut self, limits: &Limits, control: &Control) -> Result<Ended, Error> {
        let end = self.n_nodes.saturating_add(limits.n_nodes);
        while !self.open.is_empty() && self.prices.max_length() > 1 {
            let tasks = self.open.split_off(self.open.len().saturating_sub(ROUND));
            let left = end.saturating_sub(self.n_nodes);
            let visit = |index: usize| self.visit_first(index, left, control);
            let results = parallel::try_map(limits.threads, tasks.iter().rev().copied().collect(), visit)?;
            for (done, result) in results.into_iter().enumerate() {
                let is_within = self.n_nodes + result.n_nodes <= end && result.ended.is_none();
                if !is_within {
                    // the rest of the round is tried again should the search go on
                    self.open.extend(&tasks[..tasks.len() - done]);
                    self.n_nodes = self.n_nodes.saturating_add(result.n_nodes).min(end);
                    let stopped = result.ended.filter(|&ended| ended == Ended::Stopped);
                    return Ok(stopped.unwrap_or(Ended::Nodes));
                }
                self.adopt(&result.best, result.highest_cut, result.n_nodes);
            }
        }
        self.is_done = true;
        Ok(Ended::Solved)
    }

    /// Whether everything was looked at.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    fn visit_first(&self, index: usize, max_nodes: u64, control: &Control) -> Result<TaskResult, Error> {
        let mut visitor = self.visitor(max_nodes);
        let ended = visitor.visit_after(self.root, index, control)?;
        Ok(TaskResult {
            ended,
            best: visitor.best,
            highest_cut: visitor.highest_cut,
            n_nodes: visitor.n_nodes,
        })
    }
}

struct TaskResult {
    /// Why the task did not come to its end.
    ended: Option<Ended>,
    best: ScoredList,
    highest_cut: f64,
    n_nodes: u64,
}
