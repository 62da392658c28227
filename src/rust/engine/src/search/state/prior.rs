//! The log prior after a move: a difference while every antecedent length has unused members left, else from scratch.

use super::State;
use crate::search::moves::Move;

impl State<'_> {
    /// The log prior after `change`.
    #[inline(always)]
    pub(super) fn log_prior_after(&self, change: Move) -> f64 {
        let pool = &self.problem.pool;
        let prior = &self.problem.posterior.prior;
        let length = |candidate: u32| pool.length(candidate as usize);
        let (gained, lost) = match change {
            Move::Add { candidate, .. } => (Some(length(candidate)), None),
            Move::Remove { at } => (None, Some(length(self.list.rules[at]))),
            Move::Swap { .. } => (None, None),
            Move::Replace { candidate, at } => (Some(length(candidate)), Some(length(self.list.rules[at]))),
        };
        if self.is_scarce && self.runs_out(gained, lost) {
            return self.log_prior_from_scratch(change);
        }
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

    /// Whether some antecedent length is used up, before or after a rule of one length comes and one of another goes.
    fn runs_out(&self, gained: Option<usize>, lost: Option<usize>) -> bool {
        let n_by_length = self.problem.posterior.prior.n_by_length();
        self.is_used_up || gained != lost && gained.is_some_and(|c| self.used[c] + 1 == n_by_length[c])
    }

    fn log_prior_from_scratch(&self, change: Move) -> f64 {
        let rules = change.rules_after(&self.list.rules);
        let lengths = rules.map(|rule| self.problem.pool.length(rule as usize));
        self.problem.posterior.prior.log_prior(lengths)
    }
}
