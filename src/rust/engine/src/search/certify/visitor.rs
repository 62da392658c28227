//! Depth-first visits of lists, see `limited.rs`.

use super::bounds::{is_worse_than_swapped, separated, OneRule};
use super::pairs::Pairs;
use super::prices::Prices;
use super::proof::Ended;
use super::table::ProofTable;
use crate::control::Control;
use crate::error::Error;
use crate::leaf::Leaf;
use crate::search::record::ScoredList;
use crate::search::residual::Residual;

/// A step that reads at most this many words takes about a microsecond.
const LONG_STEP: usize = 4096;

/// A rule that may come next.
pub struct Next {
    pub index: usize,
    pub bound: f64,
}

/// The rules before: the rows before the last of them, and which of their candidates it is.
pub struct Before<'r> {
    residual: &'r Residual,
    index: usize,
}

/// Visits all lists of at most this many rules that begin with a path.
pub struct Visitor<'a> {
    pub table: &'a ProofTable<'a>,
    pub prices: &'a Prices,
    pub tolerance: f64,
    pub slack: f64,
    pub best: ScoredList,
    pub highest_cut: f64,
    pub path: Vec<u32>,
    pub used: Vec<u32>,
    /// Log marginals and prices of the path.
    pub score: f64,
    pub n_nodes: u64,
    pub max_nodes: u64,
}

impl<'a> Visitor<'a> {
    fn log_marginal(&self, groups: &[u64], classes: &mut [u64]) -> f64 {
        self.table.by_class(groups, classes);
        self.table.leaf.log_marginal(classes)
    }

    fn keep_best(&mut self, log_posterior: f64, more: &[u32]) {
        if log_posterior > self.best.log_posterior {
            self.best = ScoredList::new(&[&self.path[..], more].concat(), log_posterior);
        }
    }

    /// Whether to end before a step that reads the columns of `residual`, or some of them.
    fn why_end(&self, residual: &Residual, control: &Control) -> Option<Ended> {
        let is_long = residual.covers.words().len() > LONG_STEP;
        if is_long && control.should_end_now() || control.should_end() {
            return Some(Ended::Stopped);
        }
        (self.n_nodes > self.max_nodes).then_some(Ended::Nodes)
    }

    /// Score all lists that end with one rule more; those that may be followed by others.
    pub fn next_rules(&mut self, residual: &Residual, before: Option<&Before<'_>>) -> Vec<Next> {
        let (m, t) = (self.path.len(), self.prices.max_length() - self.path.len());
        let n_lengths = self.prices.n_lengths();
        let prices: Vec<f64> = (0..n_lengths).map(|c| self.prices.prior().log_price(c, &self.used)).collect();
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
            let end = score + self.log_marginal(&rest, &mut left) + self.prices.prior().log_length(m + 1);
            self.keep_best(end, &[candidate]);
            if t == 1 {
                continue;
            }
            let leaves = separated(self.table.leaf, &rest, self.table.costs());
            let mut bound = score + leaves + after[length];
            let enough = self.best.log_posterior + self.tolerance;
            if let (Some((one_rule, prior)), &[u0, u1], &[r0, r1], true) =
                (&one_rule, &classes[..], &left[..], bound > enough)
            {
                let counts = [[r0, r1], [u0, u1]];
                let one = one_rule.bound(counts, &prior[length], enough - score);
                bound = bound.min(score + one);
            }
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

    /// With two rules left, the bound on the second one, and what the prior adds for it by the lengths of both.
    fn one_rule(&self, residual: &Residual, t: usize) -> Option<(OneRule<'a>, Vec<Vec<f64>>)> {
        let leaf = self.table.two_classes_of_whole_counts().filter(|_| t == 2)?;
        let classes = |groups: &[u64]| {
            let mut counts = [0; 2];
            self.table.by_class(groups, &mut counts);
            counts
        };
        let lengths = residual.candidates.iter().map(|&candidate| self.table.lengths[candidate as usize]);
        let counts = residual.counts.chunks_exact(residual.total.len()).map(classes);
        let mut prior = self.pair_prices();
        for (first, prior) in prior.iter_mut().enumerate() {
            let price = self.prices.prior().log_price(first, &self.used);
            prior.iter_mut().for_each(|both| *both -= price);
        }
        Some((OneRule::new(leaf, self.prices.n_lengths(), lengths.zip(counts)), prior))
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
    pub fn visit_after(
        &mut self,
        residual: &Residual,
        index: usize,
        control: &Control,
    ) -> Result<Option<Ended>, Error> {
        let candidate = residual.candidates[index];
        let length = self.table.lengths[candidate as usize];
        let mut classes = vec![0; self.table.n_classes()];
        let (score, price) = (self.score, self.prices.prior().log_price(length, &self.used));
        self.score += self.log_marginal(residual.counts(index), &mut classes) + price;
        self.used[length] += 1;
        self.path.push(candidate);
        let left = residual.after(index, &self.table.lengths, control)?;
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
        if let Some(ended) = self.why_end(residual, control) {
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
        let log_length = self.prices.prior().log_length(self.path.len() + 2);
        let n_lengths = self.prices.n_lengths();
        let of = |first: usize| {
            let mut used = self.used.clone();
            let price = log_length + self.prices.prior().log_price(first, &used);
            used[first] += 1;
            (0..n_lengths).map(|second| price + self.prices.prior().log_price(second, &used)).collect()
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
            if let Some(ended) = self.why_end(residual, control) {
                return Ok(Some(ended));
            }
            let later = &covers.words()[(place + 1) * n_words..];
            let counts = &mut counts[..(order.len() - place - 1) * n_groups];
            residual.rows.count_each(covers.column(place), later, counts);
            if let Some((log_posterior, rules)) =
                pairs.best_with(place, counts, self.best.log_posterior - self.score)
            {
                self.keep_best(self.score + log_posterior, &rules);
            }
        }
        Ok(None)
    }
}
