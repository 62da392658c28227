//! Few row patterns: the rows that a prefix leaves are one word, and all prefixes of m rules are looked at together.
//!
//! A dynamic programme over (R, numbers of rules used by length): of all prefixes of m rules that leave the same R with the same
//! numbers the best one is kept (B1 in `best_first.rs`), m = 0, 1, 2, … A state is dropped if the bounds B3 and B4 exclude that its
//! continuations beat the best list. It ends when no state is left, which takes milliseconds for a dozen patterns.
//!
//! Candidates that are empty on R matter only where an empty rule can pay. Which of them a prefix has used is not part of the
//! state, but how many are left is: all k rules used of a length are empty on R, so of the e candidates of that length
//! that are empty on R e − k are unused. Any of these will do.

use super::prices::Prices;
use super::proof::{Ended, TurnLimits};
use super::table::ProofTable;
use crate::control::Control;
use crate::error::Error;
use crate::leaf::{max_log_likelihood, DirichletMultinomial, Leaf};
use crate::memory;
use crate::search::problem::row_patterns::RowPatterns;
use crate::search::problem::Problem;
use crate::search::record::ScoredList;
use std::collections::hash_map::{Entry, HashMap};
use std::rc::Rc;

/// Bytes per state, with its entry in the map.
const STATE: usize = 240;

/// A prefix, as good as any that leaves the same rows with the same lengths used.
#[derive(Debug, Clone)]
struct State {
    rows: u64,
    used: Rc<[u32]>,
    score: f64,
    path: Vec<u32>,
}

/// What the prior says about a next rule of one length: the lengths used after it, its price, and the most that further rules add.
struct Next {
    used: Rc<[u32]>,
    price: f64,
    more: f64,
}

/// The outcome: the best list, the highest bound of what was not looked at, states expanded, and how it ended.
#[derive(Debug)]
pub struct Outcome {
    pub best: ScoredList,
    pub upper_bound: f64,
    pub n_nodes: u64,
    pub ended: Ended,
}

/// What the states are made from.
#[derive(Debug)]
pub struct PatternSearch<'p> {
    problem: &'p Problem,
    leaf: &'p DirichletMultinomial,
    patterns: &'p RowPatterns,
    prices: Prices,
    lengths: Vec<usize>,
    /// By pattern: the class if it is pure, else its cost.
    kinds: Vec<Result<usize, f64>>,
    tolerance: f64,
    slack: f64,
}

impl<'p> PatternSearch<'p> {
    /// The problem of `table`, whose row patterns are `patterns`.
    pub fn new(
        table: &ProofTable<'p>,
        patterns: &'p RowPatterns,
        prices: Prices,
        [tolerance, slack]: [f64; 2],
    ) -> Self {
        let (problem, leaf) = (table.problem, table.leaf);
        let k = problem.n_classes();
        let unit = problem.pool.rows.unit();
        let kind = |pattern: u32| {
            let mut counts = vec![0; k];
            patterns.count(1 << pattern, &mut counts);
            match counts.iter().filter(|&&n| n > 0).count() {
                0 | 1 => Ok(counts.iter().position(|&n| n > 0).unwrap_or(0)),
                _ => Err(-max_log_likelihood(&counts) * unit * (1.0 - 1e-12)),
            }
        };
        let kinds = (0..patterns.all().count_ones()).map(kind).collect();
        let lengths = table.lengths.clone();
        PatternSearch { problem, leaf, patterns, prices, lengths, kinds, tolerance, slack }
    }

    /// Look at all lists.
    pub fn run(mut self, best: ScoredList, limits: &TurnLimits, control: &Control) -> Result<Outcome, Error> {
        let mut best = best;
        best.improve(&[], self.problem.log_posterior(&[]));
        let all = self.likelihood_bound(self.patterns.all());
        let (longest, beyond) = self.prices.longest(all, best.log_posterior + self.tolerance);
        self.prices = self.prices.limited_to(longest);
        let used = vec![0; self.prices.n_lengths()].into();
        let mut states = vec![State { rows: self.patterns.all(), used, score: 0.0, path: Vec::new() }];
        let (mut n_nodes, mut highest_cut) = (0, beyond);
        for m in 0..self.prices.max_length() {
            let mut next = Layer::default();
            for state in &states {
                let ended = match () {
                    () if control.should_end_now() => Some(Ended::Stopped),
                    () if n_nodes >= limits.n_nodes => Some(Ended::Nodes),
                    () if (states.len() + next.states.len()) * STATE > limits.n_bytes => Some(Ended::Memory),
                    () => None,
                };
                if let Some(ended) = ended {
                    let none = vec![0; self.prices.n_lengths()];
                    let upper_bound = all + self.prices.extension(&none, 0, 0, self.prices.max_length());
                    let upper_bound = upper_bound.max(best.log_posterior + self.tolerance);
                    return Ok(Outcome { best, upper_bound, n_nodes, ended });
                }
                n_nodes += 1;
                self.expand(state, m, &mut best, &mut highest_cut, &mut next)?;
            }
            states = next.states;
            if states.is_empty() {
                break;
            }
        }
        let upper_bound = highest_cut.max(best.log_posterior);
        Ok(Outcome { best, upper_bound, n_nodes, ended: Ended::Solved })
    }

    fn log_marginal(&self, rows: u64) -> f64 {
        if let Some(tabled) = self.patterns.log_marginals() {
            return tabled[rows as usize];
        }
        let mut counts = vec![0; self.problem.n_classes()];
        self.patterns.count(rows, &mut counts);
        self.leaf.log_marginal(&counts)
    }

    /// B4 for a set of patterns.
    fn likelihood_bound(&self, rows: u64) -> f64 {
        let mut pure = vec![0; self.problem.n_classes()];
        let (mut pure_rows, mut cost) = (0, 0.0);
        for pattern in crate::bitset::set_bits(rows) {
            match self.kinds[pattern] {
                Ok(_) => pure_rows |= 1 << pattern,
                Err(own) => cost += own,
            }
        }
        self.patterns.count(pure_rows, &mut pure);
        let classes = pure.iter().enumerate();
        classes.map(|(class, &n)| self.leaf.log_marginal_pure(class, n)).sum::<f64>() - cost
    }

    /// The rules that may come next: those that capture something, and one unused empty one of each length where such rules pay.
    fn next_rules(&self, state: &State) -> Vec<u32> {
        let covers = self.patterns.covers();
        let mut empty_seen = vec![self.prices.is_plain(); self.prices.n_lengths()];
        let is_next = |&rule: &u32| {
            if covers[rule as usize] & state.rows != 0 {
                return true;
            }
            let seen = &mut empty_seen[self.lengths[rule as usize]];
            !*seen && !state.path.contains(&rule) && !std::mem::replace(seen, true)
        };
        (0..covers.len() as u32).filter(is_next).collect()
    }

    fn expand(
        &self,
        state: &State,
        m: usize,
        best: &mut ScoredList,
        highest_cut: &mut f64,
        next: &mut Layer,
    ) -> Result<(), Error> {
        let by_length: Vec<Next> =
            (0..self.prices.n_lengths()).map(|c| self.next(&state.used, c, m)).collect();
        for rule in self.next_rules(state) {
            let Next { used, price, more } = &by_length[self.lengths[rule as usize]];
            let captured = self.patterns.covers()[rule as usize] & state.rows;
            let rows = state.rows & !captured;
            let score = state.score + self.log_marginal(captured) + price;
            let end = score + self.log_marginal(rows) + self.prices.prior().log_length(m + 1);
            if end > best.log_posterior {
                *best = ScoredList::new(&[&state.path[..], &[rule]].concat(), end);
            }
            let bound = score + self.likelihood_bound(rows) + more;
            if bound <= best.log_posterior + self.tolerance {
                *highest_cut = highest_cut.max(bound);
                continue;
            }
            next.keep(rows, used, score, [&state.path, &[rule]], self.slack)?;
        }
        Ok(())
    }

    fn next(&self, used: &[u32], length: usize, m: usize) -> Next {
        let price = self.prices.prior().log_price(length, used);
        let mut after: Rc<[u32]> = used.into();
        if let (Some(used), true) = (Rc::get_mut(&mut after), price > f64::NEG_INFINITY) {
            used[length] += 1;
        }
        let more = self.prices.extension(&after, m + 1, 1, usize::MAX);
        Next { used: after, price, more }
    }
}

/// The states of one length of prefix.
#[derive(Debug, Default)]
struct Layer {
    states: Vec<State>,
    by_key: HashMap<(u64, Rc<[u32]>), usize>,
}

impl Layer {
    /// Keep the state with these rows, lengths used, score and path, unless there is one that is as good.
    fn keep(
        &mut self,
        rows: u64,
        used: &Rc<[u32]>,
        score: f64,
        path: [&[u32]; 2],
        slack: f64,
    ) -> Result<(), Error> {
        let index = match self.by_key.entry((rows, used.clone())) {
            Entry::Occupied(entry) => {
                let index = *entry.get();
                if self.states[index].score + slack >= score {
                    return Ok(());
                }
                index
            }
            Entry::Vacant(entry) => *entry.insert(self.states.len()),
        };
        let state = State { rows, used: used.clone(), score, path: path.concat() };
        match self.states.get_mut(index) {
            Some(kept) => *kept = state,
            None => memory::push(&mut self.states, state)?,
        }
        Ok(())
    }
}
