//! A rule list being edited: its captures, its score, and the effect of any move.
//!
//! Scoring a move reads the captures and writes class counts only; captures change when a move is applied. Rows captured
//! before the first changed position stay where they are.

mod blocked;
mod capture_store;
mod captures;
mod delta;
mod dense;
mod fold;
pub mod moves;
pub mod neighbourhood;
mod positions;
pub mod prior_delta;
mod segments;
mod shape;
mod tabled;
mod transfer;
pub mod unused;

use super::problem::{Problem, ROUNDING};
use crate::posterior::Score;
use captures::Captures;
use delta::{Proposed, ScoreMove};
use moves::Move;
use positions::{PositionScorer, Scratch};
use prior_delta::PriorDelta;
use transfer::Transfer;

/// A move that was scored and reached its threshold. Nothing else can be done to the list before it is applied or dropped.
#[derive(Debug)]
pub struct Scored<'s, 'a> {
    state: &'s mut RuleListState<'a>,
    change: Move,
    /// The log posterior after the move, tempered if that was asked for.
    pub log_posterior: f64,
}

impl Scored<'_, '_> {
    /// The list before the move.
    #[inline(always)]
    pub fn rules(&self) -> &[u32] {
        &self.state.rules
    }

    /// Carry out the move.
    #[inline(always)]
    pub fn apply(self) {
        self.state.apply_proposed(self.change);
    }
}

/// A rule list, its captures and its score.
#[derive(Debug, Clone)]
pub struct RuleListState<'a> {
    problem: &'a Problem,
    rules: Vec<u32>,
    captures: Captures<'a>,
    /// Class counts per position, the default rule's last.
    counts: Vec<u64>,
    /// Log marginal per position, the default rule's last.
    log_marginals: Vec<f64>,
    /// Sum of the log marginals before each position, and of all.
    prefix_sums: Vec<f64>,
    prior: PriorDelta,
    /// Sum of the log marginals of all leaves, and the log likelihood: the same, or −∞ if the list is not admissible.
    of_leaves: f64,
    log_likelihood: f64,
    /// Whether captures decide on what is admissible.
    is_shaped: bool,
    /// The move that `proposed` belongs to.
    scored: Option<Move>,
    proposed: Proposed,
    transfer: Option<Transfer<Vec<u64>>>,
    scratch: Scratch,
    /// Buffer for what is admissible, by position.
    admissible: Vec<bool>,
    /// Buffer for the rules after a move.
    changed_rules: Vec<u32>,
}

impl<'a> RuleListState<'a> {
    /// The empty list.
    pub fn empty(problem: &'a Problem) -> Self {
        let counts = problem.pool.rows.class_counts().to_vec();
        let log_marginals = vec![problem.objective.leaf().log_marginal(&counts)];
        let mut state = RuleListState {
            problem,
            rules: Vec::new(),
            captures: Captures::new(problem),
            counts,
            log_marginals,
            prefix_sums: vec![0.0],
            prior: PriorDelta::new(problem.objective.prior(), std::iter::empty()),
            of_leaves: 0.0,
            log_likelihood: 0.0,
            is_shaped: problem.objective.admission().is_shaped(),
            scored: None,
            proposed: Proposed::default(),
            transfer: None,
            scratch: Scratch::default(),
            admissible: Vec::new(),
            changed_rules: Vec::new(),
        };
        state.sum_from(0);
        state
    }

    /// The list of these candidates, which must differ.
    pub fn with_rules(problem: &'a Problem, rules: &[u32]) -> Self {
        let mut state = RuleListState::empty(problem);
        for (position, &candidate) in rules.iter().enumerate() {
            state.apply(Move::Add { candidate, position });
        }
        state
    }

    /// The problem whose candidates the list is made of.
    pub fn problem(&self) -> &'a Problem {
        self.problem
    }

    /// The candidates in the list, in order.
    #[inline(always)]
    pub fn rules(&self) -> &[u32] {
        &self.rules
    }

    /// Captured rows per rule and class, the default rule's last.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Log prior and log likelihood.
    pub fn score(&self) -> Score {
        Score { log_prior: self.prior.log_prior, log_likelihood: self.log_likelihood }
    }

    /// Their sum.
    #[inline(always)]
    pub fn log_posterior(&self) -> f64 {
        self.prior.log_prior + self.log_likelihood
    }

    /// Whether the list is admissible by what its rules capture.
    pub fn is_admissible(&self) -> bool {
        self.log_likelihood > f64::NEG_INFINITY
    }

    /// Score `change`: `None` as soon as the log posterior after it is certain to be below `threshold`, or if the list is then not
    /// admissible.
    #[inline]
    pub fn propose(&mut self, change: Move, threshold: f64) -> Option<Scored<'_, 'a>> {
        let log_prior = self.log_prior_after(change);
        let log_posterior = self.score_change(change, log_prior, threshold)?;
        Some(Scored { state: self, change, log_posterior })
    }

    /// The same by the tempered log posterior, log prior + β · log likelihood; β > 0. The log prior is known before any row is counted, so the threshold for the tempered posterior
    /// is one for the likelihood alone, and giving up early remains exact.
    #[inline]
    pub fn propose_tempered(&mut self, change: Move, beta: f64, threshold: f64) -> Option<Scored<'_, 'a>> {
        let log_prior = self.log_prior_after(change);
        let needed = (threshold - log_prior) / beta;
        let log_posterior = self.score_change(change, log_prior, log_prior + needed)?;
        Some(Scored { state: self, change, log_posterior: log_prior + beta * (log_posterior - log_prior) })
    }

    /// The log posterior after `change`, or `None` where `propose()` gives none.
    #[inline]
    pub fn log_posterior_after(&mut self, change: Move, threshold: f64) -> Option<f64> {
        let log_prior = self.log_prior_after(change);
        self.score_change(change, log_prior, threshold)
    }

    /// The log posterior after `change`, which leads to a list of this `log_prior`; see `propose()`.
    #[inline(always)]
    fn score_change(&mut self, change: Move, log_prior: f64, threshold: f64) -> Option<f64> {
        self.scored = None;
        let (first, past) = change.changed_positions(self.rules.len());
        let unchanged = log_prior + self.prefix_sums[first] + (self.of_leaves - self.prefix_sums[past]);
        let threshold = threshold - unchanged - ROUNDING;
        let tabled = match self.captures.table_scorer(&self.rules) {
            Some(scorer) if !self.is_shaped => scorer.score(change, &mut self.proposed.log_marginals),
            _ => None,
        };
        if let Some(changed) = tabled {
            self.scored = (changed >= threshold).then_some(change);
            return self.scored.map(|_| unchanged + changed);
        }
        self.count_change(change, threshold).map(|changed| unchanged + changed)
    }

    /// The log marginals of the positions that `change` changes, or `None` as soon as they are certain to be below `threshold`.
    /// Not inlined: the code for all forms of captures is large, and two callers would have a copy each.
    #[inline(never)]
    fn count_change(&mut self, change: Move, threshold: f64) -> Option<f64> {
        let objective = &self.problem.objective;
        let work = ScoreMove {
            rules: &self.rules,
            counts: &self.counts,
            prefix_sums: &self.prefix_sums,
            proposed: &mut self.proposed,
            transfer: &mut self.transfer,
            change,
            threshold: if objective.leaf().stops_early() { threshold } else { f64::NEG_INFINITY },
        };
        let changed = self.captures.run(objective.leaf(), work)?;
        self.scored = Some(change);
        let is_admissible = !self.is_shaped
            || shape::admits_change(objective, self.is_admissible(), change, &self.counts, &self.proposed);
        is_admissible.then_some(changed)
    }

    /// Carry out `change`.
    pub fn apply(&mut self, change: Move) {
        if self.scored != Some(change) {
            let log_prior = self.log_prior_after(change);
            self.score_change(change, log_prior, f64::NEG_INFINITY);
        }
        self.apply_proposed(change);
    }

    /// Carry out `change`, the last one that was scored.
    fn apply_proposed(&mut self, change: Move) {
        debug_assert_eq!(self.scored, Some(change));
        self.scored = None;
        let (first, past) = change.changed_positions(self.rules.len());
        let (gained, lost) = self.lengths_gained_and_lost(change);
        self.captures.apply(change, &mut self.rules);
        let (k, m) = (self.problem.n_classes(), self.rules.len());
        // a swap leaves those after it as they are
        let past = if matches!(change, Move::Swap { .. }) { past } else { m + 1 };
        self.log_marginals.resize(m + 1, 0.0);
        self.log_marginals[first..past].copy_from_slice(&self.proposed.log_marginals[..past - first]);
        self.counts.resize((m + 1) * k, 0);
        if !self.captures.recount(first, k, &mut self.counts) {
            self.counts[first * k..past * k].copy_from_slice(&self.proposed.counts[..(past - first) * k]);
        }
        self.sum_from(first);
        let (problem, rules) = (self.problem, &self.rules);
        let lengths = rules.iter().map(|&rule| problem.length(rule));
        self.prior.change(problem.objective.prior(), gained, lost, lengths);
    }

    /// The log posterior after inserting an unused candidate, for each position; −∞ where that is not admissible.
    pub fn insertions(&mut self, candidate: u32) -> &[f64] {
        self.position_scorer().insertions(candidate);
        if self.is_shaped {
            let (counts, covered) = (&self.counts, self.scratch.leaving());
            shape::admits_insertions(&self.problem.objective, counts, covered, &mut self.admissible);
            self.exclude_inadmissible();
        }
        self.add_log_priors(|position| Move::Add { candidate, position })
    }

    /// The log posterior after removing the rule at `from` and inserting `candidate` (that rule, or an unused one), for each
    /// position of the shorter list.
    pub fn exchanges(&mut self, from: usize, candidate: u32) -> &[f64] {
        self.position_scorer().exchanges(from, candidate);
        if self.is_shaped {
            let (counts, covered) = self.scratch.without(&self.counts, from, self.problem.n_classes());
            shape::admits_insertions(&self.problem.objective, &counts, &covered, &mut self.admissible);
            self.exclude_inadmissible();
        }
        self.add_log_priors(|position| Move::Exchange { from, candidate, position })
    }

    #[inline(always)]
    fn position_scorer(&mut self) -> PositionScorer<'_, 'a> {
        PositionScorer {
            leaf: self.problem.objective.leaf(),
            rules: &self.rules,
            counts: &self.counts,
            prefix_sums: &self.prefix_sums,
            captures: &mut self.captures,
            scratch: &mut self.scratch,
        }
    }

    /// Add to each score the log prior after the move to that position.
    fn add_log_priors(&mut self, change: impl Fn(usize) -> Move) -> &[f64] {
        let (gained, lost) = self.lengths_gained_and_lost(change(0));
        let order_matters = self.prior.order_matters(self.problem.objective.prior(), gained, lost);
        let anywhere = self.log_prior_after(change(0));
        for position in 0..self.scratch.scores.len() {
            let log_prior = if order_matters { self.log_prior_after(change(position)) } else { anywhere };
            self.scratch.scores[position] += log_prior;
        }
        &self.scratch.scores
    }

    /// Sum up the log marginals, which have changed from position `first` on.
    fn sum_from(&mut self, first: usize) {
        let m = self.rules.len();
        self.proposed.reserve(m + 2, self.problem.n_classes());
        self.prefix_sums.resize(m + 2, 0.0);
        let mut sum = self.prefix_sums[first];
        let sums = self.prefix_sums[first + 1..].iter_mut().zip(&self.log_marginals[first..]);
        for (prefix_sum, log_marginal) in sums {
            sum += log_marginal;
            *prefix_sum = sum;
        }
        self.of_leaves = sum;
        let is_admissible = !self.is_shaped || self.admits_counts();
        self.log_likelihood = if is_admissible { sum } else { f64::NEG_INFINITY };
    }

    fn admits_counts(&self) -> bool {
        let objective = &self.problem.objective;
        let n = (self.rules.len() + 1) * objective.leaf().n_sums();
        objective.admission().admits(objective.leaf(), &self.counts[..n])
    }

    /// Positions that are not admissible have the score −∞.
    fn exclude_inadmissible(&mut self) {
        let scores = self.scratch.scores.iter_mut().zip(&self.admissible);
        scores.filter(|(_, &is_admissible)| !is_admissible).for_each(|(score, _)| *score = f64::NEG_INFINITY);
    }

    /// The antecedent lengths that enter and leave the list.
    #[inline(always)]
    fn lengths_gained_and_lost(&self, change: Move) -> (Option<usize>, Option<usize>) {
        let (gained, lost) = change.gained_and_lost();
        let length = |candidate: u32| self.problem.length(candidate);
        (gained.map(length), lost.map(|position| length(self.rules[position])))
    }

    /// The log prior after `change`.
    #[inline(always)]
    fn log_prior_after(&mut self, change: Move) -> f64 {
        let (gained, lost) = self.lengths_gained_and_lost(change);
        if self.prior.order_matters(self.problem.objective.prior(), gained, lost) {
            return self.exact_log_prior_after(change);
        }
        self.prior.difference(gained, lost)
    }

    /// The same where the order of the rules matters.
    #[cold]
    fn exact_log_prior_after(&mut self, change: Move) -> f64 {
        let (gained, lost) = self.lengths_gained_and_lost(change);
        self.changed_rules.clone_from(&self.rules);
        change.apply_to(&mut self.changed_rules);
        let problem = self.problem;
        let lengths = self.changed_rules.iter().map(|&rule| problem.length(rule));
        self.prior.exact_after(problem.objective.prior(), gained, lost, lengths)
    }
}
