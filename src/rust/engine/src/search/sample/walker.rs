//! A Metropolis–Hastings step over rule lists: draw a proposal, score it, accept or stay.
//!
//! The target is the posterior or a tempered posterior, prior · likelihood^β. The uniform number that decides is drawn before
//! the proposal is scored, which turns acceptance into a threshold and lets scoring give up early.
//!
//! # The connecting move
//!
//! Where captures decide on what is admissible, moves need not connect all admissible lists: on six rows with the candidates
//! {2, 4, 5, 6} and {1, 2, 6} only the empty list and the list of both fall, and no move leads from one to the other
//! (`engine/tests/shapes.rs`). So one step in [`CONNECT_EVERY`] draws a list from the prior instead, whatever the current one is, and
//! accepts it with probability min(1, (L(drawn) / L(current))^β): the Metropolis–Hastings ratio of an independent proposal, in
//! which the priors cancel. Every admissible list can then follow every other. Free problems do without.

use super::prior::PriorSampler;
use super::proposal::{Proposal, Proposer};
use crate::error::Error;
use crate::rng::ChainRng;
use crate::search::list::moves::{Move, MoveKind};
use crate::search::list::{RuleListState, Scored};
use crate::search::problem::Problem;

/// The distribution that steps leave invariant, on the log scale and up to a constant.
pub trait TargetDensity: Copy {
    /// Of the current list.
    fn log_density(self, state: &RuleListState<'_>) -> f64;

    /// The power of the likelihood.
    fn beta(self) -> f64;

    /// The list after `change`, or `None` as soon as its density is certain to be below `threshold`.
    fn propose<'s, 'a>(
        self,
        state: &'s mut RuleListState<'a>,
        change: Move,
        threshold: f64,
    ) -> Option<Scored<'s, 'a>>;
}

/// The posterior.
#[derive(Debug, Clone, Copy)]
pub struct Untempered;

impl TargetDensity for Untempered {
    #[inline(always)]
    fn log_density(self, state: &RuleListState<'_>) -> f64 {
        state.log_posterior()
    }

    fn beta(self) -> f64 {
        1.0
    }

    #[inline(always)]
    fn propose<'s, 'a>(
        self,
        state: &'s mut RuleListState<'a>,
        change: Move,
        threshold: f64,
    ) -> Option<Scored<'s, 'a>> {
        state.propose(change, threshold)
    }
}

/// Prior times likelihood to the power of this β > 0.
#[derive(Debug, Clone, Copy)]
pub struct Tempered(pub f64);

impl TargetDensity for Tempered {
    #[inline(always)]
    fn log_density(self, state: &RuleListState<'_>) -> f64 {
        let score = state.score();
        score.log_prior + self.0 * score.log_likelihood
    }

    fn beta(self) -> f64 {
        self.0
    }

    #[inline(always)]
    fn propose<'s, 'a>(
        self,
        state: &'s mut RuleListState<'a>,
        change: Move,
        threshold: f64,
    ) -> Option<Scored<'s, 'a>> {
        state.propose_tempered(change, self.0, threshold)
    }
}

/// Where captures decide on what is admissible, one step in this many is a connecting move.
pub const CONNECT_EVERY: usize = 64;

/// What became of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// The move that was proposed; none if there was none, or if the step was a connecting move.
    pub kind: Option<MoveKind>,
    /// Whether the list changed.
    pub is_accepted: bool,
}

/// A list that changes step by step.
#[derive(Debug, Clone)]
pub struct Walker<'a> {
    state: RuleListState<'a>,
    proposer: Proposer,
    rng: ChainRng,
    /// Draws the lists of connecting moves, if there are to be any.
    connector: Option<PriorSampler<'a>>,
}

impl<'a> Walker<'a> {
    /// Begin with the list `rules`.
    pub fn new(problem: &'a Problem, rules: &[u32], rng: ChainRng) -> Self {
        let state = RuleListState::with_rules(problem, rules);
        let proposer = Proposer::new(problem.pool.len(), problem.objective.max_length(), rules);
        Walker { state, proposer, rng, connector: None }
    }

    /// The same with connecting moves to lists that `connector` draws; see [`connector()`].
    pub fn connected(self, connector: Option<PriorSampler<'a>>) -> Self {
        Walker { connector, ..self }
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

    /// One step.
    #[inline(always)]
    pub fn step(&mut self, target: impl TargetDensity) -> Step {
        if self.connector.is_some() && self.rng.below(CONNECT_EVERY) == 0 {
            return Step { kind: None, is_accepted: self.connect(target) };
        }
        let Some(proposal) = self.draw_proposal() else {
            return Step { kind: None, is_accepted: false };
        };
        Step { kind: Some(proposal.change.kind()), is_accepted: self.try_proposal(proposal, target) }
    }

    /// Draw a move; there is none only if no list has any.
    #[inline(always)]
    pub fn draw_proposal(&mut self) -> Option<Proposal> {
        self.proposer.propose(&mut self.rng, self.state.rules())
    }

    /// Accept the proposed move or stay; returns which.
    #[inline(always)]
    pub fn try_proposal(&mut self, proposal: Proposal, target: impl TargetDensity) -> bool {
        // −∞ where the list is not admissible: any admissible one follows
        let threshold = target.log_density(&self.state) + self.rng.log_uniform() - proposal.log_ratio;
        match target.propose(&mut self.state, proposal.change, threshold) {
            Some(scored) if scored.log_posterior >= threshold => {
                self.proposer.accept(proposal.change, scored.rules());
                scored.apply();
                true
            }
            _ => false,
        }
    }

    /// Accept a list drawn from the prior, or stay; returns which.
    #[cold]
    fn connect(&mut self, target: impl TargetDensity) -> bool {
        let Some(Ok(rules)) = self.connector.as_mut().map(|prior| prior.draw(&mut self.rng)) else {
            return false;
        };
        let drawn = self.state.problem().score(&rules).0.log_likelihood;
        // −∞ if the drawn list is not admissible
        let log_ratio = target.beta() * (drawn - self.state.score().log_likelihood);
        let is_accepted = self.rng.log_uniform() <= log_ratio;
        if is_accepted {
            self.restart(&rules);
        }
        is_accepted
    }

    /// Steps that take about a millisecond: after as many, see whether the work is to end.
    pub fn steps_between_checks(&self) -> u64 {
        let steps = (1 << 18) / (64 + 16 * self.state.problem().pool.rows.n_words() as u64);
        steps.clamp(1, 256)
    }
}

/// What draws the lists of connecting moves, where `problem` needs them.
pub fn connector(problem: &Problem) -> Result<Option<PriorSampler<'_>>, Error> {
    problem.objective.admission().is_shaped().then(|| PriorSampler::new(problem)).transpose()
}
