//! A rule list with who captures what, and what any single move would make of it.
//!
//! Scoring a move reads the stored captures and writes only class counts; captures are written when a move is made.
//! Everything above the changed position is reused: rows captured there stay where they are.

mod counting;
mod insertions;

use super::moves::Move;
use super::Problem;
use crate::bitset::blocks::Column;
use crate::posterior::{Posterior, Score};
use counting::{Classes, Many, Trial, Two};
use std::ops::Range;

/// Scores this much apart are never confused by rounding.
const ROUNDING: f64 = 1e-6;

/// A rule list, its captures and its score.
#[derive(Debug, Clone)]
pub struct State<'a> {
    problem: &'a Problem,
    rules: Vec<u32>,
    /// Captured rows, the default rule's last.
    captures: Vec<Column>,
    /// Captured rows per rule and class, the default rule's last.
    counts: Vec<u64>,
    /// Sum of the rules' log f before each position, and of all of them.
    above: Vec<f64>,
    /// Captured rows per class from each position on; then a row of zeros.
    below: Vec<u64>,
    /// Rules in the list by antecedent length.
    used: Vec<u32>,
    /// Whether some antecedent length has at most one unused member left.
    is_scarce: bool,
    score: Score,
    spare: Vec<Column>,
    trial: Trial,
}

impl<'a> State<'a> {
    /// The empty list.
    pub fn empty(problem: &'a Problem) -> Self {
        let rows = &problem.pool.rows;
        let (n_words, n_masks) = (rows.n_words(), rows.blocks().n_masks());
        let mut all = Column { words: rows.all(), mask: vec![0; n_masks] };
        rows.blocks().mask_of(&all.words, &mut all.mask);
        let mut state = State {
            problem,
            rules: Vec::new(),
            captures: vec![all],
            counts: rows.class_counts().to_vec(),
            above: Vec::new(),
            below: Vec::new(),
            used: vec![0; problem.posterior.prior.n_by_length().len()],
            is_scarce: false,
            score: Score { log_prior: 0.0, log_likelihood: 0.0 },
            spare: Vec::new(),
            trial: Trial {
                free: Column::empty(n_words, n_masks),
                crossing: Column::empty(n_words, n_masks),
                ..Trial::default()
            },
        };
        state.refresh(0);
        state
    }

    /// The list of these candidates, which must differ.
    pub fn with_rules(problem: &'a Problem, rules: &[u32]) -> Self {
        let mut state = State::empty(problem);
        for (at, &candidate) in rules.iter().enumerate() {
            state.make(Move::Add { candidate, at });
        }
        state
    }

    pub fn problem(&self) -> &'a Problem {
        self.problem
    }

    pub fn rules(&self) -> &[u32] {
        &self.rules
    }

    /// Captured rows per rule and class, the default rule's last.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    pub fn score(&self) -> Score {
        self.score
    }

    /// The log posterior the list would have after `change`, or `None` as soon as it is clear that it would lie below `least`.
    #[inline]
    pub fn try_move(&mut self, change: Move, least: f64) -> Option<f64> {
        match self.problem.pool.rows.n_classes() {
            2 => self.try_move_among(Two, change, least),
            k => self.try_move_among(Many(k), change, least),
        }
    }

    #[inline(always)]
    fn try_move_among(&mut self, classes: impl Classes, change: Move, least: f64) -> Option<f64> {
        let k = classes.n();
        let likelihood = &self.problem.posterior.likelihood;
        let (first, past) = self.changed_positions(change);
        let unchanged =
            self.log_prior_after(change) + self.above[first] + (self.score.log_likelihood - self.above[past]);
        // whatever becomes of the rows that change hands, it is no better than one pure rule per class
        let mut best = unchanged;
        for class in 0..k {
            let n = self.below[first * k + class] - self.below[past * k + class];
            best += likelihood.log_f_pure(class, n);
        }
        if best < least - ROUNDING {
            return None;
        }
        self.count_changes(change, classes);
        let mut changed = 0.0;
        // no rule adds to the likelihood, so once it is too low it stays so
        let least = least - unchanged - ROUNDING;
        let is_seen = self.see_new_rows(change, classes, |row| {
            changed += likelihood.log_f(row);
            changed >= least
        });
        is_seen.then_some(unchanged + changed)
    }

    /// The positions before the move whose captures it may change, up to the second one.
    fn changed_positions(&self, change: Move) -> (usize, usize) {
        match change {
            Move::Swap { first, second } => (first, second + 1),
            _ => (change.first_position(), self.rules.len() + 1),
        }
    }

    /// Carry out `change`.
    pub fn make(&mut self, change: Move) {
        let k = self.problem.pool.rows.n_classes();
        let classes = Many(k);
        if self.trial.of != Some(change) {
            self.count_changes(change, classes);
        }
        self.trial.of = None;
        let mut new_rows = std::mem::take(&mut self.trial.new_rows);
        self.see_new_rows(change, classes, |row| {
            new_rows.extend_from_slice(row);
            true
        });
        let (first, past) = self.changed_positions(change);
        self.counts.splice(first * k..past * k, new_rows.drain(..));
        self.trial.new_rows = new_rows;
        match change {
            Move::Add { candidate, at } => self.insert(candidate, at),
            Move::Remove { at } => self.remove(at),
            Move::Swap { first, second } => self.swap(first, second),
            Move::Replace { candidate, at } => {
                self.insert(candidate, at);
                self.remove(at + 1);
            }
        }
        self.refresh(first);
    }

    fn insert(&mut self, candidate: u32, at: usize) {
        let rows = &self.problem.pool.rows;
        let mut taken =
            self.spare.pop().unwrap_or_else(|| Column::empty(rows.n_words(), rows.blocks().n_masks()));
        taken.clear();
        let cover = self.problem.covers().get(candidate as usize);
        for capture in &mut self.captures[at..] {
            capture.give(rows.blocks(), cover, &mut taken);
        }
        self.captures.insert(at, taken);
        self.rules.insert(at, candidate);
        self.used[self.problem.pool.length(candidate as usize)] += 1;
    }

    fn remove(&mut self, at: usize) {
        let mut freed = self.captures.remove(at);
        let candidate = self.rules.remove(at) as usize;
        self.hand_down(&mut freed, at..self.rules.len());
        let last = self.rules.len();
        self.captures[last].take_all(self.problem.pool.rows.blocks(), freed.view());
        self.spare.push(freed);
        self.used[self.problem.pool.length(candidate)] -= 1;
    }

    fn swap(&mut self, first: usize, second: usize) {
        let blocks = self.problem.pool.rows.blocks();
        let cover = self.problem.covers().get(self.rules[second] as usize);
        let (above, below) = self.captures.split_at_mut(second);
        for capture in &mut above[first..] {
            capture.give(blocks, cover, &mut below[0]);
        }
        let mut freed = std::mem::take(&mut self.captures[first]);
        self.hand_down(&mut freed, first + 1..second);
        // what is left obeys the earlier rule, which now stands at `second`
        self.captures[first] = std::mem::replace(&mut self.captures[second], freed);
        self.rules.swap(first, second);
    }

    /// Give rows to the first of the rules at `positions` that covers them.
    fn hand_down(&mut self, freed: &mut Column, positions: Range<usize>) {
        let blocks = self.problem.pool.rows.blocks();
        for position in positions {
            let cover = self.problem.covers().get(self.rules[position] as usize);
            freed.give(blocks, cover, &mut self.captures[position]);
        }
    }

    /// Score the list anew from its counts, which have changed from position `first` on.
    fn refresh(&mut self, first: usize) {
        let Posterior { likelihood, prior, .. } = &self.problem.posterior;
        let k = self.problem.pool.rows.n_classes();
        // `above[first]` still holds; there is none yet in a new state
        let mut sum = self.above.get(first).copied().unwrap_or(0.0);
        self.above.truncate(first);
        self.above.push(sum);
        for row in self.counts[first * k..].chunks_exact(k) {
            sum += likelihood.log_f(row);
            self.above.push(sum);
        }
        self.below.truncate((first + 1) * k);
        self.below.resize(self.counts.len() + k, 0);
        for at in (first * k..self.counts.len()).rev() {
            self.below[at] = self.below[at + k] + self.counts[at];
        }
        let room = prior.n_by_length().iter().zip(&self.used);
        self.is_scarce = room.into_iter().any(|(&n, &used)| n > 0 && n - used <= 1);
        let log_prior = if self.is_scarce {
            prior.log_prior(self.rules.iter().map(|&rule| self.problem.pool.length(rule as usize)))
        } else {
            prior.log_prior_while_plenty(&self.used, self.rules.len())
        };
        self.score = Score { log_prior, log_likelihood: sum };
    }

    /// The log prior after `change`: a difference while every length has unused antecedents left, else from scratch.
    fn log_prior_after(&self, change: Move) -> f64 {
        let pool = &self.problem.pool;
        let prior = &self.problem.posterior.prior;
        let length = |candidate: u32| pool.length(candidate as usize);
        let (gained, lost) = match change {
            Move::Add { candidate, .. } => (Some(length(candidate)), None),
            Move::Remove { at } => (None, Some(length(self.rules[at]))),
            Move::Swap { .. } => (None, None),
            Move::Replace { candidate, at } => (Some(length(candidate)), Some(length(self.rules[at]))),
        };
        if self.is_scarce {
            return self.log_prior_from_scratch(change);
        }
        let m = self.rules.len();
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
        let rules = change.applied_to(&self.rules);
        let lengths = rules.iter().map(|&rule| self.problem.pool.length(rule as usize));
        self.problem.posterior.prior.log_prior(lengths)
    }
}
