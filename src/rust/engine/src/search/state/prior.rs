//! The log prior after a move: a difference while every antecedent length has unused members left, else from where in the
//! list each length gets used up.

use super::State;
use crate::posterior::Prior;
use crate::search::moves::Move;
use crate::search::Problem;

/// The antecedent lengths of the rules in the list, and what the prior makes of one more or one less.
#[derive(Debug, Clone)]
pub(super) struct Lengths {
    /// Rules in the list by antecedent length.
    used: Vec<u32>,
    /// The last position of each length; up to date only if some length is scarce.
    last: Vec<usize>,
    /// What a rule more and one less of each length add to the log prior while no length is used up, and what the length of
    /// the list then adds.
    one_more: Vec<f64>,
    one_less: Vec<f64>,
    longer: f64,
    shorter: f64,
    /// Whether some length has at most one unused member left.
    pub(super) nearly_exhausted: bool,
    /// Whether some length has none left.
    is_exhausted: bool,
}

impl Lengths {
    pub(super) fn new(prior: &Prior) -> Self {
        let n = prior.n_by_length().len();
        Lengths {
            used: vec![0; n],
            last: vec![0; n],
            one_more: (0..n).map(|c| prior.log_neighbours_unexhausted(c, 0).0).collect(),
            one_less: vec![0.0; n],
            longer: 0.0,
            shorter: 0.0,
            nearly_exhausted: false,
            is_exhausted: false,
        }
    }

    /// Take note that rules of these lengths come and go.
    pub(super) fn change(&mut self, prior: &Prior, gained: Option<usize>, lost: Option<usize>) {
        if gained == lost {
            return;
        }
        if let Some(c) = gained {
            self.used[c] += 1;
            (self.one_more[c], self.one_less[c]) = prior.log_neighbours_unexhausted(c, self.used[c]);
        }
        if let Some(c) = lost {
            self.used[c] -= 1;
            (self.one_more[c], self.one_less[c]) = prior.log_neighbours_unexhausted(c, self.used[c]);
        }
    }

    /// Follow the changes noted, which have led to `rules`; the log prior of these.
    pub(super) fn refresh(&mut self, problem: &Problem, rules: &[u32]) -> f64 {
        let (prior, m) = (&problem.posterior.prior, rules.len());
        let room = prior.n_by_length().iter().zip(&self.used).filter(|(&n, _)| n > 0);
        let least_room = room.map(|(&n, &used)| n - used).min().unwrap_or(u32::MAX);
        let log_length = prior.log_length(m);
        self.longer = if m < prior.pool_size() { prior.log_length(m + 1) - log_length } else { 0.0 };
        self.shorter = if m > 0 { prior.log_length(m - 1) - log_length } else { 0.0 };
        (self.nearly_exhausted, self.is_exhausted) = (least_room <= 1, least_room == 0);
        if self.nearly_exhausted {
            self.last.fill(0);
            for (position, &rule) in rules.iter().enumerate() {
                self.last[problem.pool.length(rule as usize)] = position;
            }
        }
        if self.is_exhausted {
            return prior.log_prior_exhausted(m, |c| self.used[c], |c| self.last[c]);
        }
        prior.log_prior_unexhausted(&self.used, m)
    }

    /// Whether some length is used up, before or after a rule of one length comes and one of another goes.
    #[inline(always)]
    fn runs_out(&self, prior: &Prior, gained: Option<usize>, lost: Option<usize>) -> bool {
        self.is_exhausted
            || gained != lost && gained.is_some_and(|c| self.used[c] + 1 == prior.n_by_length()[c])
    }
}

impl State<'_> {
    /// The antecedent length of a candidate.
    #[inline(always)]
    pub(super) fn length(&self, candidate: u32) -> usize {
        self.problem.pool.length(candidate as usize)
    }

    /// The antecedent lengths that come and go.
    #[inline(always)]
    pub(super) fn gained_and_lost(&self, change: Move) -> (Option<usize>, Option<usize>) {
        match change {
            Move::Add { candidate, .. } => (Some(self.length(candidate)), None),
            Move::Remove { at } => (None, Some(self.length(self.list.rules[at]))),
            Move::Swap { .. } => (None, None),
            Move::Replace { candidate, at } => {
                (Some(self.length(candidate)), Some(self.length(self.list.rules[at])))
            }
        }
    }

    /// The log prior after `change`.
    #[inline(always)]
    pub(super) fn log_prior_after(&self, change: Move) -> f64 {
        let (gained, lost) = self.gained_and_lost(change);
        let lengths = &self.lengths;
        if lengths.nearly_exhausted && lengths.runs_out(&self.problem.posterior.prior, gained, lost) {
            return self.log_prior_exhausted(change, gained, lost);
        }
        let log_prior = self.score.log_prior;
        match (gained, lost) {
            (None, None) => log_prior,
            (Some(c), None) => log_prior + lengths.longer + lengths.one_more[c],
            (None, Some(c)) => log_prior + lengths.shorter + lengths.one_less[c],
            (Some(c), Some(d)) if c == d => log_prior,
            (Some(c), Some(d)) => log_prior + (lengths.one_more[c] + lengths.one_less[d]),
        }
    }

    /// The same where the order of the lengths matters: they are used up at their last positions.
    fn log_prior_exhausted(&self, change: Move, gained: Option<usize>, lost: Option<usize>) -> f64 {
        let Lengths { used, last, .. } = &self.lengths;
        let (prior, rules) = (&self.problem.posterior.prior, &self.list.rules);
        let m = rules.len() + usize::from(gained.is_some()) - usize::from(lost.is_some());
        let used_after = |c: usize| used[c] + u32::from(gained == Some(c)) - u32::from(lost == Some(c));
        match change {
            // nothing of a length that goes is the last of its length
            Move::Replace { .. } if gained == lost => self.score.log_prior,
            Move::Replace { at, .. } => prior.log_prior_exhausted(m, used_after, |c| {
                let came = if gained == Some(c) { at } else { 0 };
                last[c].max(came)
            }),
            Move::Add { at, .. } => prior.log_prior_exhausted(m, used_after, |c| {
                let (came, stays) = (if gained == Some(c) { at } else { 0 }, used[c] > 0);
                came.max(if stays { last[c] + usize::from(last[c] >= at) } else { 0 })
            }),
            Move::Remove { at } => {
                prior.log_prior_exhausted(m, used_after, |c| last[c] - usize::from(last[c] > at))
            }
            Move::Swap { first, second } => {
                let (falling, rising) = (self.length(rules[first]), self.length(rules[second]));
                if falling == rising {
                    return self.score.log_prior;
                }
                prior.log_prior_exhausted(m, used_after, |c| {
                    if c == falling {
                        last[c].max(second)
                    } else if c == rising && last[c] == second {
                        let between = (first + 1..second).rev().find(|&at| self.length(rules[at]) == c);
                        between.unwrap_or(first)
                    } else {
                        last[c]
                    }
                })
            }
        }
    }
}
