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
//! Where bounds cut little, the same sets of rules come back in all their orders. So after some nodes the rest is done by `sets.rs`, which looks at
//! each set once, if there is memory for it.
//!
//! It needs a prior that is plain for L rules (`Prices::is_plain`). The best list whose candidate numbers come first
//! lexicographically is never cut by B9 or B10, and bounds cut only what does not exceed the best list by more than the tolerance. First rules
//! are tasks of their own, in rounds of a fixed size: what a task finds depends on the best list before its round alone, so the
//! result does not depend on the number of threads.

use super::prices::Prices;
use super::proof::{Ended, TurnLimits};
use super::sets::{cost, Sets};
use super::table::ProofTable;
use super::visitor::{Next, Visitor};
use crate::control::Control;
use crate::error::Error;
use crate::parallel;
use crate::search::record::ScoredList;
use crate::search::residual::Residual;

/// First rules per round.
const ROUND: u64 = 16;
/// Depth-first search goes on for this share of the nodes that counting all sets of rules would take, in case bounds cut most of it.
const TRIED_SHARE: u64 = 64;

/// The search for the best list of at most this many rules; it can be continued.
#[derive(Debug)]
pub struct Limited<'t> {
    table: &'t ProofTable<'t>,
    root: &'t Residual,
    prices: Prices,
    tolerance: f64,
    best: ScoredList,
    highest_cut: f64,
    /// First rules not yet tried, the most promising last.
    open: Vec<usize>,
    /// What counts the rest, and the bytes that it takes.
    sets: Option<Sets<'t>>,
    n_bytes: usize,
    n_nodes: u64,
    is_done: bool,
}

impl<'t> Limited<'t> {
    /// Lists of at most as many rules as `prices` allow, better than `best` by more than `tolerance`. The prior must be plain.
    pub fn new(
        table: &'t ProofTable<'t>,
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
            sets: None,
            n_bytes: 0,
            n_nodes: 0,
            is_done: false,
        };
        search.best.improve(&[], table.problem.log_posterior(&[]));
        let mut visitor = search.visitor(u64::MAX);
        let mut first: Vec<Next> = visitor.next_rules(root, None);
        first.sort_by(|a, b| a.bound.total_cmp(&b.bound).then(b.index.cmp(&a.index)));
        let (found, cut) = (visitor.best, visitor.highest_cut);
        search.open = first.into_iter().map(|next| next.index).collect();
        search.adopt(&found, cut);
        search.n_nodes = 1;
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

    fn adopt(&mut self, found: &ScoredList, cut: f64) {
        self.best.improve(&found.rules, found.log_posterior);
        self.highest_cut = self.highest_cut.max(cut);
    }

    /// The best list.
    pub fn best(&self) -> &ScoredList {
        &self.best
    }

    /// Tasks left, a measure of progress.
    pub fn n_open(&self) -> u64 {
        self.sets.as_ref().map_or(self.open.len() as u64, Sets::n_open)
    }

    /// Candidate sweeps done.
    pub fn n_nodes(&self) -> u64 {
        self.n_nodes
    }

    /// Bytes that it takes, if they are many.
    pub fn n_bytes(&self) -> usize {
        self.n_bytes
    }

    /// No list of this length has a log posterior above this, if the search is done.
    pub fn upper_bound(&self) -> f64 {
        self.highest_cut.max(self.best.log_posterior)
    }

    /// Go on until the problem is solved or a limit is reached.
    pub fn run(&mut self, limits: &TurnLimits, control: &Control) -> Result<Ended, Error> {
        self.run_trying(TRIED_SHARE, limits, control)
    }

    /// The same with another share than `TRIED_SHARE`.
    pub(super) fn run_trying(
        &mut self,
        tried_share: u64,
        limits: &TurnLimits,
        control: &Control,
    ) -> Result<Ended, Error> {
        let end = self.n_nodes.saturating_add(limits.n_nodes);
        let mut ended = Ended::Nodes;
        if self.sets.is_none() {
            let cost = cost(self.table, self.root, &self.prices, self.open.len())?;
            let cost = cost.filter(|cost| cost.n_bytes <= limits.n_bytes as u64);
            let switch = cost.map_or(u64::MAX, |cost| cost.n_nodes / tried_share);
            if self.n_nodes < switch || self.open.is_empty() {
                ended = self.visit_all(end.min(switch), limits.threads, control)?;
            }
            // the first sets are counted at once
            let is_due = switch <= end && end - self.n_nodes >= self.open.len() as u64;
            if let (Some(cost), Ended::Nodes, true) = (cost, ended, is_due) {
                self.n_bytes = cost.n_bytes as usize;
                let (prices, best) = (self.prices.clone(), self.best.clone());
                let mut sets = Sets::new(self.table, cost.leaf, self.root, prices, &self.open, best)?;
                match sets.count_pairs(control) {
                    Err(Error::TimeLimit | Error::Cancelled) => return Ok(Ended::Stopped),
                    counted => counted?,
                }
                self.n_nodes += sets.n_nodes();
                self.sets = Some(sets);
            }
        }
        if let Some(sets) = &mut self.sets {
            let before = sets.n_nodes();
            let n_nodes = end.saturating_sub(self.n_nodes);
            ended = sets.run(&TurnLimits { n_nodes, ..*limits }, control)?;
            self.n_nodes += sets.n_nodes() - before;
            self.best.improve(&sets.best().rules, sets.best().log_posterior);
        }
        self.is_done = ended == Ended::Solved;
        Ok(ended)
    }

    /// Depth-first, until `end` nodes were visited or no first rule could be finished.
    fn visit_all(&mut self, end: u64, threads: usize, control: &Control) -> Result<Ended, Error> {
        while !self.open.is_empty() && self.prices.max_length() > 1 {
            let left = end.saturating_sub(self.n_nodes);
            let n_tasks = (self.open.len() as u64).min(ROUND).min(left) as usize;
            if n_tasks == 0 {
                return Ok(Ended::Nodes);
            }
            // equal shares, so that no task depends on another
            let max_nodes = left / n_tasks as u64 - 1;
            let tasks = self.open.split_off(self.open.len() - n_tasks);
            let visit = |index: usize| self.visit_first(index, max_nodes, control);
            let results = parallel::try_map(threads, tasks.iter().rev().copied().collect(), visit)?;
            let mut unfinished = Vec::new();
            let mut ended = Ended::Nodes;
            for (&index, result) in tasks.iter().rev().zip(results) {
                self.n_nodes += result.n_nodes;
                match result.ended {
                    None => self.adopt(&result.best, result.highest_cut),
                    Some(why) => {
                        unfinished.push(index);
                        ended = if why == Ended::Stopped { why } else { ended };
                    }
                }
            }
            self.open.extend(unfinished.iter().rev());
            if ended == Ended::Stopped || unfinished.len() == n_tasks {
                return Ok(ended);
            }
        }
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
