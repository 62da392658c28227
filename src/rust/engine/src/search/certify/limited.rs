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

use super::bounds::{is_worse_than_swapped, separated, OneRule};
use super::pairs::Pairs;
use super::prices::Prices;
use super::residual::Residual;
use super::table::Table;
use super::{Ended, Limits};
use crate::control::Control;
use crate::error::Error;
use crate::parallel;
use crate::search::record::ScoredList;

/// First rules per round.
const ROUND: usize = 16;

/// The search for the best list of at most so many rules; it can be continued.
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

/// A rule that may come next.
struct Next {
    index: usize,
    bound: f64,
}

/// The rules before: the rows before the last of them, and which of their candidates it is.
struct Before<'r> {
    residual: &'r Residual,
    index: usize,
}

struct Visitor<'a> {
    table: &'a Table<'a>,
    prices: &'a Prices,
    tolerance: f64,
    slack: f64,
    best: ScoredList,
    highest_cut: f64,
    path: Vec<u32>,
    used: Vec<u32>,
    /// Log marginals and prices of the path.
    score: f64,
    n_nodes: u64,
    max_nodes: u64,
}

impl Visitor<'_> {
    fn log_marginal(&self, groups: &[u64], classes: &mut [u64]) -> f64 {
        self.table.by_class(groups, classes);
        self.table.likelihood().log_marginal(classes)
    }

    fn keep_best(&mut self, log_posterior: f64, more: &[u32]) {
        if log_posterior > self.best.log_posterior {
            self.best = ScoredList::new(&[&self.path[..], more].concat(), log_posterior);
        }
    }

    fn why_end(&self, control: &Control) -> Option<Ended> {
        if control.should_end() {
            return Some(Ended::Stopped);
        }
        (self.n_nodes > self.max_nodes).then_some(Ended::Nodes)
    }

    /// Score all lists that end with one rule more; those that may be followed by others.
    fn next_rules(&mut self, residual: &Residual, before: Option<&Before<'_>>) -> Vec<Next> {
        let (m, t) = (self.path.len(), self.prices.max_length() - self.path.len());
        let n_lengths = self.prices.n_lengths();
        let prices: Vec<f64> = (0..n_lengths).map(|c| self.prices.price(c, &self.used)).collect();
        let after: Vec<f64> = (0..n_lengths).map(|c| self.extension_after(c, m, t)).collect();
        let one_rule = self.one_rule(residual, t);
        let (mut classes, mut left) = (vec![0; self.table.n_classes()], vec![0; self.table.n_classes()]);
        let mut rest = vec![0; residual.total.len()];
        let mut next = Vec::new();
        for index in 0..residual.candidates.len() {
            let (candidate, groups) = (residual.candidates[index], residual.counts(index));
            let length = self.table.lengths[candidate as usize];
            rest.iter_mut().zip(&residual.total).zip(groups).for_each(|((rest, all), n)| *rest = all - n);
            let own = self.log_marginal(groups, &mut classes);
            let score = self.score + own + prices[length];
            let end = score + self.log_marginal(&rest, &mut left) + self.prices.log_length(m + 1);
            self.keep_best(end, &[candidate]);
            if t == 1 {
                continue;
            }
            let mut leaves = separated(self.table.likelihood(), &rest, self.table.costs());
            if let (Some(one_rule), &[u0, u1], &[r0, r1]) = (&one_rule, &classes[..], &left[..]) {
                if score + leaves + after[length] > self.best.log_posterior + self.tolerance {
                    leaves = leaves.min(one_rule.bound(self.table.likelihood(), [r0, r1], [u0, u1]));
                }
            }
            let bound = score + leaves + after[length];
            if bound <= self.best.log_posterior + self.tolerance {
                self.highest_cut = self.highest_cut.max(bound);
            } else if !before.is_some_and(|before| self.is_cut_by_swap(before, candidate, groups, own)) {
                next.push(Next { index, bound });
            }
        }
        next
    }

    fn extension_after(&mut self, c: usize, m: usize, t: usize) -> f64 {
        if t < 2 {
            return f64::NEG_INFINITY;
        }
        self.used[c] += 1;
        let extension = self.prices.extension(&self.used, m + 1, 1, t - 1);
        self.used[c] -= 1;
        extension
    }

    /// With two rules left, the bound on the second one.
    fn one_rule(&self, residual: &Residual, t: usize) -> Option<OneRule> {
        if t != 2 || self.table.n_classes() != 2 || self.table.rows.unit() != 1.0 {
            return None;
        }
        let classes = |groups: &[u64]| {
            let mut counts = [0; 2];
            self.table.by_class(groups, &mut counts);
            counts
        };
        Some(OneRule::new(residual.counts.chunks_exact(residual.total.len()).map(classes)))
    }

    /// Whether the rule before and this one are better, or come first, in the other order.
    fn is_cut_by_swap(&self, before: &Before<'_>, candidate: u32, groups: &[u64], own: f64) -> bool {
        let Ok(place) = before.residual.candidates.binary_search(&candidate) else { return false };
        let (first, alone) = (before.residual.counts(before.index), before.residual.counts(place));
        let comes_first = before.residual.candidates[before.index] < candidate;
        let mut classes = vec![0; self.table.n_classes()];
        if alone == groups {
            return !comes_first;
        }
        // rows of the first rule that this one does not cover
        let rest: Vec<u64> = first.iter().zip(alone).zip(groups).map(|((u, v), w)| u - (v - w)).collect();
        let in_order = self.log_marginal(first, &mut classes) + own;
        let swapped = self.log_marginal(alone, &mut classes) + self.log_marginal(&rest, &mut classes);
        is_worse_than_swapped(in_order, swapped, self.slack)
    }

    /// Visit all lists that go on with this candidate; why that came to no end, if it did not.
    fn visit_after(
        &mut self,
        residual: &Residual,
        index: usize,
        control: &Control,
    ) -> Result<Option<Ended>, Error> {
        let candidate = residual.candidates[index];
        let length = self.table.lengths[candidate as usize];
        let mut classes = vec![0; self.table.n_classes()];
        let (score, price) = (self.score, self.prices.price(length, &self.used));
        self.score += self.log_marginal(residual.counts(index), &mut classes) + price;
        self.used[length] += 1;
        self.path.push(candidate);
        let left = residual.after(self.table, index, control)?;
        let ended = self.visit(&left, &Before { residual, index }, control)?;
        self.path.pop();
        self.used[length] -= 1;
        self.score = score;
        Ok(ended)
    }

    fn visit(
        &mut self,
        residual: &Residual,
        before: &Before<'_>,
        control: &Control,
    ) -> Result<Option<Ended>, Error> {
        self.n_nodes += 1;
        if let Some(ended) = self.why_end(control) {
            return Ok(Some(ended));
        }
        let mut next = self.next_rules(residual, Some(before));
        match self.prices.max_length() - self.path.len() {
            0 | 1 => return Ok(None),
            2 => return self.visit_pairs(residual, &next, control),
            _ => {}
        }
        next.sort_by(|a, b| b.bound.total_cmp(&a.bound).then(a.index.cmp(&b.index)));
        for next in next {
            if next.bound <= self.best.log_posterior + self.tolerance {
                self.highest_cut = self.highest_cut.max(next.bound);
                continue;
            }
            if let Some(ended) = self.visit_after(residual, next.index, control)? {
                return Ok(Some(ended));
            }
        }
        Ok(None)
    }

    /// What the prior adds for two more rules, by their lengths.
    fn pair_prices(&self) -> Vec<Vec<f64>> {
        let log_length = self.prices.log_length(self.path.len() + 2);
        let n_lengths = self.prices.n_lengths();
        let of = |first: usize| {
            let mut used = self.used.clone();
            let price = log_length + self.prices.price(first, &used);
            used[first] += 1;
            (0..n_lengths).map(|second| price + self.prices.price(second, &used)).collect()
        };
        (0..n_lengths).map(of).collect()
    }

    /// The last two rules: each pair of candidates is counted once.
    fn visit_pairs(
        &mut self,
        residual: &Residual,
        first: &[Next],
        control: &Control,
    ) -> Result<Option<Ended>, Error> {
        let is_first: Vec<bool> = {
            let mut is_first = vec![false; residual.candidates.len()];
            first.iter().for_each(|next| is_first[next.index] = true);
            is_first
        };
        let mut order: Vec<usize> = first.iter().map(|next| next.index).collect();
        order.extend((0..is_first.len()).filter(|&index| !is_first[index]));
        let covers = residual.reordered(&order)?;
        let pairs = Pairs::new(self.table, residual, &order, first.len(), self.pair_prices());
        let (n_words, n_groups) = (covers.n_words(), residual.total.len());
        let mut counts = vec![0; order.len() * n_groups];
        for place in 0..first.len() {
            self.n_nodes += 1;
            if let Some(ended) = self.why_end(control) {
                return Ok(Some(ended));
            }
            let later = &covers.words()[(place + 1) * n_words..];
            let counts = &mut counts[..(order.len() - place - 1) * n_groups];
            residual.rows.count_each(covers.column(place), later, counts);
            if let Some((log_posterior, rules)) = pairs.best_with(place, counts, self.best.log_posterior - self.score) {
                self.keep_best(self.score + log_posterior, &rules);
            }
        }
        Ok(None)
    }
}
