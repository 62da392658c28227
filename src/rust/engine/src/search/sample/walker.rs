//! A Metropolis–Hastings step over rule lists: draw a proposal, score it, accept or stay.
//!
//! The target is the posterior or a tempered posterior, prior · likelihood^β. The uniform number that decides is drawn before
//! the proposal is scored, which turns acceptance into a threshold and lets scoring give up early.

use super::proposal::{Proposal, Proposer};
use crate::rng::ChainRng;
use crate::search::list::moves::Move;
use crate::search::list::RuleListState;
use crate::search::problem::Problem;

/// The distribution that steps leave invariant, on the log scale and up to a constant.
pub trait Target: Copy {
    /// Of the current list.
    fn log_density(self, state: &RuleListState<'_>) -> f64;

    /// Of the list after `change`, or `None` as soon as it is certain to be below `threshold`.
    fn propose(self, state: &mut RuleListState<'_>, change: Move, threshold: f64) -> Option<f64>;
}

/// The posterior.
#[derive(Debug, Clone, Copy)]
pub struct Untempered;

impl Target for Untempered {
    #[inline(always)]
    fn log_density(self, state: &RuleListState<'_>) -> f64 {
        state.log_posterior()
    }

    #[inline(always)]
    fn propose(self, state: &mut RuleListState<'_>, change: Move, threshold: f64) -> Option<f64> {
        state.propose(change, threshold)
    }
}

/// Prior times likelihood to the power of this β > 0.
#[derive(Debug, Clone, Copy)]
pub struct Tempered(pub f64);

impl Target for Tempered {
    #[inline(always)]
    fn log_density(self, state: &RuleListState<'_>) -> f64 {
        let score = state.score();
        score.log_prior + self.0 * score.log_likelihood
    }

    #[inline(always)]
    fn propose(self, state: &mut RuleListState<'_>, change: Move, threshold: f64) -> Option<f64> {
        state.propose_tempered(change, self.0, threshold)
    }
}

/// A list that changes step by step.
#[derive(Debug, Clone)]
pub struct Walker<'a> {
    state: RuleListState<'a>,
    proposer: Proposer,
    rng: ChainRng,
}

impl<'a> Walker<'a> {
    /// Begin with the list `rules`.
    pub fn new(problem: &'a Problem, rules: &[u32], rng: ChainRng) -> Self {
        let state = RuleListState::with_rules(problem, rules);
        let proposer = Proposer::new(problem.pool.len(), problem.objective.max_length(), rules);
        Walker { state, proposer, rng }
    }

    /// Continue from the list `rules`.
    pub fn restart(&mut self, rules: &[u32]) {
        let problem = self.state.problem();
        self.state = RuleListState::with_rules(problem, rules);
        self.proposer.restart(rules);
    }

    /// The current list.
    #[inline(always)]
    pub fn state(&self) -> &RuleListState<'a> {
        &self.state
    }

    /// Draw a move; there is none only if no list has any.
    #[inline(always)]
    pub fn draw_proposal(&mut self) -> Option<Proposal> {
        self.proposer.propose(&mut self.rng, self.state.rules())
    }

    /// Accept the proposed move or stay; returns which.
    #[inline(always)]
    pub fn try_proposal(&mut self, proposal: Proposal, target: impl Target) -> bool {
        let threshold = target.log_density(&self.state) + self.rng.log_uniform() - proposal.log_ratio;
        let reached = target.propose(&mut self.state, proposal.change, threshold);
        let accepted = reached.is_some_and(|log_density| log_density >= threshold);
        if accepted {
            self.proposer.accept(proposal.change, self.state.rules());
            self.state.apply_proposed(proposal.change);
        }
        accepted
    }

    /// Steps that take about a millisecond: after as many, see whether the work is to end.
    pub fn steps_between_checks(&self) -> u64 {
        let steps = (1 << 18) / (64 + 16 * self.state.problem().pool.rows.n_words() as u64);
        steps.clamp(1, 256)
    }
}
