//! The log prior after a move: a difference while every antecedent length has unused members left, else from scratch.

use super::State;
use crate::search::moves::Move;

impl State<'_> {
    /// The log prior after `change`.
    #[inline(always)]
    pub(super) fn log_prior_after(&self, change: Move) -> f64 {
        if self.is_scarce {
            return self.log_prior_from_scratch(change);
        }
        let pool = &self.problem.pool;
        let prior = &self.problem.posterior.prior;
        let length = |candidate: u32| pool.length(candidate as usize);
        let (gained, lost) = match change {
            Move::Add { candidate, .. } => (Some(length(candidate)), None),
            Move::Remove { at } => (None, Some(length(self.list.rules[at]))),
            Move::Swap { .. } => (None, None),
            Move::Replace { candidate, at } => (Some(length(candidate)), Some(length(self.list.rules[at]))),
        };
        let m = self.list.rules.len();
        let new_m = m + usize::from(gained.is_some()) - usize::from(lost.is_some());
        let mut log_prior = self.score.log_prior + prior.log_length(new_m) - prior.log_length(m);
        if gained == lost {
            return log_prior;
        }
        if let Some(c) = gained {
            log_prior += prior.log_rule_while_plenty(c, self.used[c]);
        }
        if let Some(c) = lost {
            log_prior -= prior.log_rule_while_plenty(c, self.used[c] - 1);
        }
        log_prior
    }

    #[cold]
    fn log_prior_from_scratch(&self, change: Move) -> f64 {
        let rules = change.applied_to(&self.list.rules);
        let lengths = rules.iter().map(|&rule| self.problem.pool.length(rule as usize));
        self.problem.posterior.prior.log_prior(lengths)
    }
}
