//! A rule list with who captures what, and what any single move would make of it.
//!
//! Scoring a move reads the stored captures and writes only class counts; captures are written when a move is made.
//! Everything above the changed position is reused: rows captured there stay where they are.

mod blocked;
mod captured;
mod classes;
mod counting;
mod flat;
mod insertions;
mod prior;
mod scoring;
mod tabled;

use super::moves::Move;
use super::Problem;
use crate::posterior::Score;
use captured::Captures;
use classes::Hands;
use counting::Trial;
use prior::Lengths;
use scoring::{NewRows, Scoring};

/// Scores this much apart are never confused by rounding.
pub const ROUNDING: f64 = 1e-6;

/// Rules, and what they capture.
#[derive(Debug, Clone)]
struct List {
    rules: Vec<u32>,
    /// Captured rows per rule and class, the default rule's last.
    counts: Vec<u64>,
    /// log f of each rule, the default rule's last.
    log_marginals: Vec<f64>,
}

/// A rule list, its captures and its score.
#[derive(Debug, Clone)]
pub struct State<'a> {
    problem: &'a Problem,
    list: List,
    captures: Captures<'a>,
    /// Sum of the rules' log f before each position, and of all of them.
    above: Vec<f64>,
    lengths: Lengths,
    score: Score,
    /// Whether the list's counts are those of its captures: where they are not needed for scoring, they are made when asked for.
    is_counted: bool,
    /// The move whose effect `new` holds, and room to work it out.
    tried: Option<Move>,
    new: NewRows,
    hands: Option<Hands<Vec<u64>>>,
    trial: Trial,
}

impl<'a> State<'a> {
    /// The empty list.
    pub fn empty(problem: &'a Problem) -> Self {
        let counts = problem.pool.rows.class_counts().to_vec();
        let log_marginals = vec![problem.posterior.likelihood.log_marginal(&counts)];
        let mut state = State {
            problem,
            list: List { rules: Vec::new(), counts, log_marginals },
            captures: Captures::new(problem),
            above: vec![0.0],
            lengths: Lengths::new(&problem.posterior.prior),
            score: Score { log_prior: 0.0, log_likelihood: 0.0 },
            is_counted: true,
            tried: None,
            new: NewRows::default(),
            hands: None,
            trial: Trial::default(),
        };
        state.sum_from(0);
        state.score.log_prior = state.lengths.refresh(problem, &[]);
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
        &self.list.rules
    }

    /// Captured rows per rule and class, the default rule's last.
    pub fn counts(&mut self) -> &[u64] {
        self.count();
        &self.list.counts
    }

    fn count(&mut self) {
        if let (Captures::Patterns(flat), false) = (&self.captures, self.is_counted) {
            flat.count(self.n_classes(), &mut self.list.counts);
        }
        self.is_counted = true;
    }

    pub fn score(&self) -> Score {
        self.score
    }

    fn n_classes(&self) -> usize {
        self.problem.pool.rows.n_classes()
    }

    /// The log posterior the list would have after `change`, or `None` as soon as it is clear that it would lie below `least`.
    #[inline]
    pub fn try_move(&mut self, change: Move, least: f64) -> Option<f64> {
        self.tried = None;
        let k = self.n_classes();
        let likelihood = &self.problem.posterior.likelihood;
        let (first, past) = self.changed_positions(change);
        let unchanged =
            self.log_prior_after(change) + self.above[first] + (self.score.log_likelihood - self.above[past]);
        let least = least - unchanged - ROUNDING;
        if let Some(tabled) = self.captures.tabled(&self.list.rules) {
            let changed = tabled.score(change, &mut self.new);
            self.tried = (changed >= least).then_some(change);
            return self.tried.map(|_| unchanged + changed);
        }
        let (list, above, new, hands) = (&self.list, &self.above[..], &mut self.new, &mut self.hands);
        let changed = self.captures.run(k, Scoring { list, above, likelihood, new, hands, change, least })?;
        self.tried = Some(change);
        Some(unchanged + changed)
    }

    /// The positions before the move whose captures it may change, up to the second one.
    fn changed_positions(&self, change: Move) -> (usize, usize) {
        match change {
            Move::Swap { first, second } => (first, second + 1),
            _ => (change.first_position(), self.list.rules.len() + 1),
        }
    }

    /// Carry out `change`.
    pub fn make(&mut self, change: Move) {
        if self.tried != Some(change) {
            self.try_move(change, f64::NEG_INFINITY);
        }
        self.make_tried(change);
    }

    /// Carry out `change`, which was tried last and was likely enough.
    pub fn make_tried(&mut self, change: Move) {
        debug_assert_eq!(self.tried, Some(change));
        self.tried = None;
        let (first, past) = self.changed_positions(change);
        let (gained, lost) = self.gained_and_lost(change);
        let is_tabled = self.captures.tabled(&self.list.rules).is_some();
        if is_tabled {
            change.apply_to(&mut self.list.rules);
        } else {
            self.captures.make(change, &mut self.list.rules);
        }
        let (k, m) = (self.n_classes(), self.list.rules.len());
        // a swap leaves those below it as they are
        let past = if matches!(change, Move::Swap { .. }) { past } else { m + 1 };
        self.list.log_marginals.resize(m + 1, 0.0);
        let log_marginals = self.list.log_marginals[first..past].iter_mut().zip(&self.new.log_marginals);
        match &mut self.captures {
            Captures::Patterns(flat) if is_tabled => {
                let words = flat.words_from(first, m).iter_mut().zip(&self.new.words);
                for ((log_marginal, new_log_f), (word, new_word)) in log_marginals.zip(words) {
                    (*log_marginal, *word) = (*new_log_f, *new_word);
                }
                self.is_counted = false;
            }
            _ => {
                log_marginals.for_each(|(log_marginal, new)| *log_marginal = *new);
                self.list.counts.resize((m + 1) * k, 0);
                self.list.counts[first * k..past * k].copy_from_slice(&self.new.counts[..(past - first) * k]);
            }
        }
        self.sum_from(first);
        if gained != lost || self.lengths.nearly_exhausted {
            self.lengths.change(&self.problem.posterior.prior, gained, lost);
            self.score.log_prior = self.lengths.refresh(self.problem, &self.list.rules);
        }
    }

    /// Sum up the log f, which have changed from position `first` on.
    fn sum_from(&mut self, first: usize) {
        let m = self.list.rules.len();
        self.new.reserve(m + 2, self.n_classes());
        self.above.resize(m + 2, 0.0);
        let mut sum = self.above[first];
        for (above, log_marginal) in self.above[first + 1..].iter_mut().zip(&self.list.log_marginals[first..])
        {
            sum += log_marginal;
            *above = sum;
        }
        self.score.log_likelihood = sum;
    }
}
