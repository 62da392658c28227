//! Best-first branch and bound over all lists: the prefix with the highest bound is expanded next.
//!
//! ```text
//! heap = {the empty prefix}
//! while the highest bound in the heap exceeds the best list:
//!     take out the best prefixes, up to BATCH of them
//!     for each, on any thread:
//!         R = rows that it leaves; skip it if a better prefix left the same R with as many rules of each length   (B1)
//!         for every unused candidate: count it on R; score the list that ends after it                             (B2)
//!             bound all lists that go on after it by B4, B7, B8 and B3; keep it if the bound exceeds the best list
//!     in order: update the best list, forget prefixes whose set of rules has a better order already (B1), push the others
//! ```
//!
//! **B1 (set dominance).** What follows a prefix depends only on the rows R that it leaves and on how many rules of each length it
//! has used: the prefix's own rules capture nothing of R, so two prefixes with the same R and the same numbers have used equally
//! many of the candidates that are empty on R, and exchanging those changes no score. So of all such prefixes the best one
//! is enough. (Within `slack`, which `Search::rounding` accounts for.)
//!
//! The bound of the whole problem is the highest in the heap, at any time: children inherit the bound of their parent if theirs is
//! higher. Which prefixes are taken out depends on the heap alone, so the search does not depend on the number of threads.

use super::blocks::BlockTables;
use super::bounds::separated;
use super::expand::{Child, Expander, Expansion, PrefixState, Scratch};
use super::prices::Prices;
use super::proof::{Ended, TurnLimits};
use super::rates::Worth;
use super::score_map::ScoreMap;
use super::table::ProofTable;
use crate::control::Control;
use crate::error::Error;
use crate::memory;
use crate::parallel;
use crate::search::record::ScoredList;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Most prefixes expanded at a time, and prefixes per task of a thread.
const BATCH: usize = 512;
const PER_TASK: usize = 16;
/// Words read per batch, at most.
const WORDS_PER_BATCH: usize = 1 << 26;
/// Words read per thread and batch that make starting threads worth it.
const WORDS_PER_THREAD: usize = 1 << 20;

/// A prefix: its last rule and the one before.
#[derive(Debug, Clone, Copy)]
struct Prefix {
    parent: u32,
    rule: u32,
    /// Log marginals and prices of its rules.
    score: f64,
}

/// A prefix to be expanded. The one with the highest bound comes first, then the one found first.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Open {
    bound: f64,
    prefix: u32,
}

impl Eq for Open {}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bound.total_cmp(&other.bound).then(other.prefix.cmp(&self.prefix))
    }
}

/// The state of the search; it can be continued.
#[derive(Debug)]
pub struct BestFirst<'t> {
    table: &'t ProofTable<'t>,
    prices: Prices,
    blocks: Option<BlockTables>,
    /// Lists that exceed the best one by at most this are not looked for.
    tolerance: f64,
    /// Scores closer than this count as equal.
    slack: f64,
    best: ScoredList,
    /// No list has a log likelihood above this.
    log_likelihood: f64,
    highest_cut: f64,
    prefixes: Vec<Prefix>,
    heap: BinaryHeap<Open>,
    by_set: ScoreMap,
    by_rows: ScoreMap,
    n_nodes: u64,
    worth_of_rates: Worth,
}

impl<'t> BestFirst<'t> {
    /// Look for lists better than `best` by more than `tolerance`.
    pub fn new(table: &'t ProofTable<'t>, prices: Prices, best: ScoredList, tolerance: f64) -> Self {
        let slack = table.rounding();
        let mut search = BestFirst {
            table,
            prices,
            blocks: None,
            tolerance,
            slack,
            best,
            log_likelihood: separated(table.leaf, &table.rows.count(table.rows.all()), table.costs()),
            highest_cut: f64::NEG_INFINITY,
            prefixes: vec![Prefix { parent: 0, rule: 0, score: 0.0 }],
            heap: BinaryHeap::new(),
            by_set: ScoreMap::default(),
            by_rows: ScoreMap::default(),
            n_nodes: 0,
            worth_of_rates: Worth::default(),
        };
        search.improve(&[], table.problem.log_posterior(&[]));
        search.push_root();
        search
    }

    /// Begin with the empty prefix.
    fn push_root(&mut self) {
        self.shorten();
        let none = vec![0; self.prices.n_lengths()];
        let bound = self.log_likelihood + self.prices.extension(&none, 0, 1, self.prices.max_length());
        self.heap.clear();
        self.heap.push(Open { bound, prefix: 0 });
    }

    /// Look at no lists that are too long to win.
    fn shorten(&mut self) {
        let (longest, beyond) = self.prices.longest(self.log_likelihood, self.threshold());
        if longest < self.prices.max_length() {
            self.prices = self.prices.limited_to(longest);
            self.highest_cut = self.highest_cut.max(beyond);
        }
    }

    /// Use block tables from now on, if they say more about the whole problem than the bounds so far.
    pub fn set_blocks(&mut self, blocks: BlockTables) {
        let mut unused = Vec::new();
        blocks.unused(&[], &mut unused);
        let log_likelihood = blocks.bound(&unused);
        if log_likelihood + 1.0 < self.log_likelihood {
            self.log_likelihood = log_likelihood;
            self.blocks = Some(blocks);
            match self.n_nodes {
                0 => self.push_root(),
                _ => self.shorten(),
            }
        }
    }

    /// The best list.
    pub fn best(&self) -> &ScoredList {
        &self.best
    }

    /// Take over a list if it is better.
    pub fn improve(&mut self, rules: &[u32], log_posterior: f64) {
        if log_posterior > self.best.log_posterior {
            self.best.improve(rules, log_posterior);
            self.shorten();
        }
    }

    /// No list longer than this can win.
    pub fn max_length(&self) -> usize {
        self.prices.max_length()
    }

    /// Another search has looked at all lists: none is above `upper_bound`.
    pub fn close(&mut self, best: &ScoredList, upper_bound: f64) {
        self.improve(&best.rules, best.log_posterior);
        self.heap.clear();
        self.highest_cut = self.highest_cut.max(upper_bound);
    }

    /// Prefixes expanded.
    pub fn n_nodes(&self) -> u64 {
        self.n_nodes
    }

    /// No list has a log posterior above this.
    pub fn upper_bound(&self) -> f64 {
        let open = self.heap.peek().map_or(f64::NEG_INFINITY, |open| open.bound);
        open.max(self.highest_cut).max(self.best.log_posterior)
    }

    /// Whether everything was looked at.
    pub fn is_done(&self) -> bool {
        self.heap.peek().map_or(true, |open| open.bound <= self.threshold())
    }

    fn threshold(&self) -> f64 {
        self.best.log_posterior + self.tolerance
    }

    /// Go on until the problem is solved or a limit is reached.
    pub fn run(&mut self, limits: &TurnLimits, control: &Control) -> Result<Ended, Error> {
        let end = self.n_nodes.saturating_add(limits.n_nodes);
        loop {
            if self.is_done() {
                return Ok(Ended::Solved);
            }
            if control.should_end_now() {
                return Ok(Ended::Stopped);
            }
            if self.n_nodes >= end {
                return Ok(Ended::Nodes);
            }
            let batch = self.take_batch(usize::try_from(end - self.n_nodes).unwrap_or(usize::MAX));
            let n_children = batch.len().saturating_mul(self.table.lengths.len());
            if self.n_bytes_after(n_children) > limits.n_bytes {
                self.heap.extend(batch);
                return Ok(Ended::Memory);
            }
            self.worth_of_rates.begin_batch(self.n_nodes, BATCH as u64);
            self.expand_batch(&batch, limits.threads, control)?;
        }
    }

    /// Bytes in use.
    pub fn n_bytes(&self) -> usize {
        self.n_bytes_after(0)
    }

    /// Bytes in use at most while this many children are stored. What grows is copied, so both copies count.
    fn n_bytes_after(&self, n_children: usize) -> usize {
        let grown = |len: usize, capacity: usize, size: usize| match len + n_children > capacity {
            true => (2 * capacity + (len / 2).max(n_children)) * size,
            false => capacity * size,
        };
        let prefixes = grown(self.prefixes.len(), self.prefixes.capacity(), std::mem::size_of::<Prefix>());
        let heap = grown(self.heap.len(), self.heap.capacity(), std::mem::size_of::<Open>());
        let maps = self.by_set.n_bytes_after(n_children) + self.by_rows.n_bytes_after(BATCH);
        let blocks = self.blocks.as_ref().map_or(0, BlockTables::n_bytes);
        let children = n_children * std::mem::size_of::<Child>() * 2;
        prefixes + heap + maps + blocks + self.table.n_bytes() + children
    }

    fn take_batch(&mut self, most: usize) -> Vec<Open> {
        let affordable = WORDS_PER_BATCH / self.table.covers.words().len().max(1);
        let n = (self.heap.len() / 8).min(affordable).clamp(1, BATCH).min(most);
        let mut batch = Vec::with_capacity(n);
        while batch.len() < n && !self.is_done() {
            batch.extend(self.heap.pop());
        }
        batch
    }

    fn expand_batch(&mut self, batch: &[Open], threads: usize, control: &Control) -> Result<(), Error> {
        let words = batch.len().saturating_mul(self.table.covers.words().len());
        let threads = threads.clamp(1, 1 + words / WORDS_PER_THREAD);
        let tasks: Vec<&[Open]> = batch.chunks(PER_TASK).collect();
        let expanded = parallel::try_map(threads, tasks.clone(), |task| self.expand_all(task, control))?;
        for (task, found) in tasks.into_iter().zip(expanded) {
            // those not expanded before the time was over stay open
            self.heap.extend(&task[found.len()..]);
            for (&open, expansion) in task.iter().zip(found) {
                self.merge(open, expansion)?;
            }
        }
        Ok(())
    }

    /// What follows the prefixes of a task, or the first of them if the search should end; `None` for those that are dominated, or too
    /// long to win.
    fn expand_all(&self, task: &[Open], control: &Control) -> Result<Vec<Option<Expansion>>, Error> {
        let expander = Expander {
            table: self.table,
            prices: &self.prices,
            blocks: self.blocks.as_ref(),
            tolerance: self.tolerance,
            use_rates: self.worth_of_rates.is_enough(self.n_nodes),
        };
        let mut scratch = Scratch::new(self.table)?;
        let mut found = Vec::with_capacity(task.len());
        for &open in task {
            if control.should_end_now() {
                break;
            }
            let (path, score) = (self.path(open.prefix), self.prefixes[open.prefix as usize].score);
            let rows_key = scratch.leave(self.table, &path, self.prices.n_lengths());
            let is_too_long = path.len() >= self.prices.max_length();
            if is_too_long || self.by_rows.get(rows_key).is_some_and(|best| best + self.slack >= score) {
                found.push(None);
                continue;
            }
            let from = PrefixState { path: &path, score, bound: open.bound, best: self.best.log_posterior };
            found.push(Some(expander.expand(from, rows_key, &mut scratch)));
        }
        Ok(found)
    }

    /// The rules of a prefix, in order.
    fn path(&self, prefix: u32) -> Vec<u32> {
        let mut path = Vec::new();
        let mut at = prefix;
        while at != 0 {
            path.push(self.prefixes[at as usize].rule);
            at = self.prefixes[at as usize].parent;
        }
        path.reverse();
        path
    }

    /// Add what was found after a prefix.
    fn merge(&mut self, open: Open, expansion: Option<Expansion>) -> Result<(), Error> {
        self.n_nodes += 1;
        let Some(expansion) = expansion else { return Ok(()) };
        let score = self.prefixes[open.prefix as usize].score;
        if !self.by_rows.raise(expansion.rows_key, score, self.slack)? {
            return Ok(());
        }
        let path = self.path(open.prefix);
        if let Some((log_posterior, rule)) = expansion.best.filter(|best| best.0 > self.best.log_posterior) {
            self.improve(&[&path[..], &[rule]].concat(), log_posterior);
        }
        self.highest_cut = self.highest_cut.max(expansion.highest_cut);
        self.worth_of_rates.count(self.n_nodes, &expansion.uses_of_rates);
        let set_key = path.iter().fold(0, |key, &rule| key ^ self.table.keys[rule as usize]);
        for child in expansion.children {
            if child.bound <= self.threshold() {
                self.highest_cut = self.highest_cut.max(child.bound);
                continue;
            }
            let key = set_key ^ self.table.keys[child.rule as usize];
            if !self.by_set.raise(key, child.score, self.slack)? {
                continue;
            }
            let prefix = u32::try_from(self.prefixes.len()).map_err(|_| Error::Memory(usize::MAX))?;
            let entry = Prefix { parent: open.prefix, rule: child.rule, score: child.score };
            memory::push(&mut self.prefixes, entry)?;
            if self.heap.len() == self.heap.capacity() {
                let more = (self.heap.len() / 2).max(64);
                self.heap.try_reserve_exact(more).map_err(|_| Error::Memory(more * 16))?;
            }
            self.heap.push(Open { bound: child.bound, prefix });
        }
        Ok(())
    }
}
