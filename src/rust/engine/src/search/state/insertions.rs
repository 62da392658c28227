//! What a rule would do at every position of a list, by one count per position: put in at `at`, it takes what it covers of
//! every capture from there on.

use super::counting::{grown, Trial};
use super::State;
use crate::search::moves::Move;

impl State<'_> {
    /// The log posterior with an unused candidate put in, for each position. One count per position serves all positions: a
    /// rule put in at `at` takes what it covers of every capture from there on.
    pub fn insertions(&mut self, candidate: u32) -> &[f64] {
        self.count();
        match self.n_classes() {
            2 => self.insertions_among(2, candidate),
            k => self.insertions_among(k, candidate),
        }
        // the prior does not depend on the position, unless a length gets used up
        let anywhere = self.log_prior_after(Move::Add { candidate, at: 0 });
        for at in 0..=self.list.rules.len() {
            let log_prior = if self.lengths.nearly_exhausted {
                self.log_prior_after(Move::Add { candidate, at })
            } else {
                anywhere
            };
            self.trial.scores[at] += log_prior;
        }
        &self.trial.scores
    }

    /// The log likelihoods that `insertions` needs.
    #[inline(always)]
    fn insertions_among(&mut self, k: usize, candidate: u32) {
        let m = self.list.rules.len();
        self.count_leaving(candidate, 0..m + 1);
        let likelihood = &self.problem.posterior.likelihood;
        let Trial { row: taken, leaving, arriving: left, scores, .. } = &mut self.trial;
        let (taken, left) = (grown(taken, k), grown(left, k));
        taken.fill(0);
        scores.resize(m + 1, 0.0);
        let mut below = 0.0;
        for at in (0..=m).rev() {
            let leaving = &leaving[at * k..(at + 1) * k];
            let captured = &self.list.counts[at * k..(at + 1) * k];
            for class in 0..k {
                taken[class] += leaving[class];
                left[class] = captured[class] - leaving[class];
            }
            below += likelihood.log_marginal(left);
            scores[at] = self.above[at] + likelihood.log_marginal(taken) + below;
        }
    }

    /// The log posterior with the rule at `from` taken out and `candidate` (that rule, or an unused one) put in, for each
    /// position of the list without that rule.
    pub fn exchanges(&mut self, from: usize, candidate: u32) -> &[f64] {
        self.count();
        match self.n_classes() {
            2 => self.exchanges_among(2, from, candidate),
            k => self.exchanges_among(k, from, candidate),
        }
        let anywhere = self.log_prior_after(Move::Replace { candidate, at: from });
        for at in 0..self.list.rules.len() {
            let log_prior = if self.lengths.nearly_exhausted {
                self.log_prior_exchanged(from, candidate, at)
            } else {
                anywhere
            };
            self.trial.scores[at] += log_prior;
        }
        &self.trial.scores
    }

    #[inline(always)]
    fn exchanges_among(&mut self, k: usize, from: usize, candidate: u32) {
        let m = self.list.rules.len();
        self.count_leaving(candidate, 0..m + 1);
        self.count_arriving(from, m);
        self.count_passing(from, candidate);
        let likelihood = &self.problem.posterior.likelihood;
        let Trial { row, leaving, arriving, passing, scores, .. } = &mut self.trial;
        let (left, taken) = grown(row, 2 * k).split_at_mut(k);
        scores.resize(m, 0.0);
        // first the sums above each position, once the rule is gone
        let mut above = self.above[from];
        scores[..=from.min(m - 1)].copy_from_slice(&self.above[..=from.min(m - 1)]);
        for at in from..m {
            scores[at] = above;
            for class in 0..k {
                left[class] = self.list.counts[(at + 1) * k + class] + arriving[(at - from) * k + class];
            }
            above += likelihood.log_marginal(left);
        }
        taken.fill(0);
        let mut below = 0.0;
        for at in (0..m).rev() {
            let old = at + usize::from(at >= from);
            for class in 0..k {
                let mut captured = self.list.counts[old * k + class];
                let mut leaves = leaving[old * k + class];
                if at >= from {
                    captured += arriving[(at - from) * k + class];
                    leaves += passing[(at - from) * k + class];
                }
                taken[class] += leaves;
                left[class] = captured - leaves;
            }
            below += likelihood.log_marginal(left);
            scores[at] += likelihood.log_marginal(taken) + below;
        }
    }

    #[cold]
    fn log_prior_exchanged(&self, from: usize, candidate: u32, at: usize) -> f64 {
        let mut rules = self.list.rules.clone();
        rules.remove(from);
        rules.insert(at, candidate);
        let lengths = rules.iter().map(|&rule| self.problem.pool.length(rule as usize));
        self.problem.posterior.prior.log_prior(lengths)
    }
}
