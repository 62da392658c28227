//! A rule list with who captures what, and what any single move would make of it.
//!
//! Scoring a move reads the stored captures and writes only class counts; captures are written when a move is made.
//! Everything above the changed position is reused: rows captured there stay where they are.

use super::moves::Move;
use super::Problem;
use crate::bitset::kernel::Cascade;
use crate::bitset::{move_all, move_covered};
use crate::posterior::Score;

/// A rule list, its captures and its score.
#[derive(Debug, Clone)]
pub struct State<'a> {
    problem: &'a Problem,
    rules: Vec<u32>,
    /// Captured rows, the default rule's last.
    captures: Vec<Vec<u64>>,
    /// Captured rows per rule and class, the default rule's last.
    counts: Vec<u64>,
    /// log f of each row of `counts`.
    terms: Vec<f64>,
    /// Sum of the terms before each position.
    above: Vec<f64>,
    /// Rules in the list by antecedent length.
    used: Vec<u32>,
    score: Score,
    spare: Vec<Vec<u64>>,
    trial: Trial,
}

/// Where a move's effect on the counts is worked out; kept to save allocations.
#[derive(Debug, Clone, Default)]
struct Trial {
    /// Class counts of the positions that change, in the new list's order.
    counts: Vec<u64>,
    /// Per position: rows that would leave it.
    leaving: Vec<u64>,
    /// Per position: rows that would come down to it.
    arriving: Vec<u64>,
    /// Per position: log likelihood with a rule put in there.
    scores: Vec<f64>,
}

impl<'a> State<'a> {
    /// The empty list.
    pub fn empty(problem: &'a Problem) -> Self {
        let rows = &problem.pool.rows;
        let mut state = State {
            problem,
            rules: Vec::new(),
            captures: vec![rows.all()],
            counts: rows.class_counts().to_vec(),
            terms: Vec::new(),
            above: Vec::new(),
            used: vec![0; problem.posterior.prior.n_by_length().len()],
            score: Score { log_prior: 0.0, log_likelihood: 0.0 },
            spare: Vec::new(),
            trial: Trial::default(),
        };
        state.refresh();
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

    /// The log posterior the list would have after `change`.
    pub fn try_move(&mut self, change: Move) -> f64 {
        self.count_move(change);
        let first = change.first_position();
        let n_classes = self.problem.pool.rows.n_classes();
        let mut log_likelihood = self.above[first];
        for row in self.trial.counts.chunks_exact(n_classes) {
            log_likelihood += self.problem.posterior.likelihood.log_f(row);
        }
        if let Move::Swap { second, .. } = change {
            for term in &self.terms[second + 1..] {
                log_likelihood += term;
            }
        }
        self.log_prior_after(change) + log_likelihood
    }

    /// The best position for an unused candidate, and the log posterior it would give. One count per position serves
    /// all positions: a rule put in at `at` takes what it covers of every capture from there on.
    pub fn best_insertion(&mut self, candidate: u32) -> (usize, f64) {
        let m = self.rules.len();
        let k = self.problem.pool.rows.n_classes();
        self.count_leaving(candidate, 0..m + 1);
        let likelihood = &self.problem.posterior.likelihood;
        let Trial { counts: taken, leaving, arriving: left, scores } = &mut self.trial;
        taken.clear();
        taken.resize(k, 0);
        left.resize(k, 0);
        scores.resize(m + 1, 0.0);
        let mut below = 0.0;
        for at in (0..=m).rev() {
            let leaving = &leaving[at * k..(at + 1) * k];
            let captured = &self.counts[at * k..(at + 1) * k];
            for class in 0..k {
                taken[class] += leaving[class];
                left[class] = captured[class] - leaving[class];
            }
            below += likelihood.log_f(&left[..k]);
            scores[at] = self.above[at] + likelihood.log_f(taken) + below;
        }
        self.best_of_scores(candidate)
    }

    /// The best of the log likelihoods in `trial.scores` once the prior is added. The prior does not depend on the
    /// position, unless a length gets used up.
    fn best_of_scores(&self, candidate: u32) -> (usize, f64) {
        let log_prior = |at| self.log_prior_after(Move::Add { candidate, at });
        let plenty = self.has_plenty(Some(self.problem.pool.length(candidate as usize)));
        let anywhere = if plenty { log_prior(0) } else { 0.0 };
        let mut best = (0, f64::NEG_INFINITY);
        for (at, &log_likelihood) in self.trial.scores.iter().enumerate() {
            let log_prior = if plenty { anywhere } else { log_prior(at) };
            if log_prior + log_likelihood > best.1 {
                best = (at, log_prior + log_likelihood);
            }
        }
        best
    }

    /// Carry out `change`.
    pub fn make(&mut self, change: Move) {
        self.count_move(change);
        let n_classes = self.problem.pool.rows.n_classes();
        let first = change.first_position() * n_classes;
        let past = match change {
            Move::Swap { second, .. } => (second + 1) * n_classes,
            _ => self.counts.len(),
        };
        self.counts.splice(first..past, self.trial.counts.drain(..));
        match change {
            Move::Add { candidate, at } => self.insert(candidate, at),
            Move::Remove { at } => self.remove(at),
            Move::Swap { first, second } => self.swap(first, second),
            Move::Replace { candidate, at } => {
                self.insert(candidate, at);
                self.remove(at + 1);
            }
        }
        self.refresh();
    }

    /// Work out `trial.counts`, the class counts of the changed positions after `change`.
    fn count_move(&mut self, change: Move) {
        let k = self.problem.pool.rows.n_classes();
        let m = self.rules.len();
        self.trial.counts.clear();
        match change {
            Move::Add { candidate, at } => {
                self.count_leaving(candidate, at..m + 1);
                let Trial { counts, leaving, .. } = &mut self.trial;
                push_column_sums(counts, leaving, k);
                let old = &self.counts[at * k..];
                counts.extend(old.iter().zip(leaving).map(|(n, out)| n - *out));
            }
            Move::Remove { at } => {
                self.count_arriving(at, None, m);
                let Trial { counts, arriving, .. } = &mut self.trial;
                let old = &self.counts[(at + 1) * k..];
                counts.extend(old.iter().zip(arriving).map(|(n, new)| n + *new));
            }
            Move::Swap { first, second } => {
                let candidate = self.rules[second];
                self.count_leaving(candidate, first..second);
                self.count_arriving(first, Some(candidate), second);
                let Trial { counts, leaving, arriving, .. } = &mut self.trial;
                // the later rule keeps its rows and takes what it covers of those between
                push_column_sums(counts, leaving, k);
                let own = &self.counts[second * k..(second + 1) * k];
                counts.iter_mut().zip(own).for_each(|(n, own)| *n += own);
                let between = &self.counts[(first + 1) * k..second * k];
                let changes = leaving[k..].iter().zip(arriving.iter());
                counts.extend(between.iter().zip(changes).map(|(n, (out, new))| n - out + new));
                counts.extend_from_slice(&arriving[arriving.len() - k..]);
            }
            Move::Replace { candidate, at } => {
                self.count_leaving(candidate, at..m + 1);
                self.count_arriving(at, Some(candidate), m);
                let Trial { counts, leaving, arriving, .. } = &mut self.trial;
                push_column_sums(counts, leaving, k);
                let old = &self.counts[(at + 1) * k..];
                let changes = leaving[k..].iter().zip(arriving.iter());
                counts.extend(old.iter().zip(changes).map(|(n, (out, new))| n - out + new));
            }
        }
    }

    /// Per position in `range`: captured rows that `candidate` covers.
    fn count_leaving(&mut self, candidate: u32, range: std::ops::Range<usize>) {
        let pool = &self.problem.pool;
        let n_classes = pool.rows.n_classes();
        let cover = pool.covers.column(candidate as usize);
        self.trial.leaving.clear();
        self.trial.leaving.resize(range.len() * n_classes, 0);
        let rows = self.trial.leaving.chunks_exact_mut(n_classes);
        for (capture, row) in self.captures[range].iter().zip(rows) {
            pool.rows.count_and(capture, cover, row);
        }
    }

    /// Per position after `from` and before `until`, then for who takes the rest: rows of `from`'s capture, less those
    /// that `except` covers, that would come down to it.
    fn count_arriving(&mut self, from: usize, except: Option<u32>, until: usize) {
        let pool = &self.problem.pool;
        let flow = Cascade {
            start: &self.captures[from],
            exclude: except.map(|candidate| pool.covers.column(candidate as usize)),
            covers: &pool.covers,
            rules: &self.rules[from + 1..until],
        };
        self.trial.arriving.resize((flow.rules.len() + 1) * pool.rows.n_classes(), 0);
        pool.rows.cascade(&flow, &mut self.trial.arriving);
    }

    fn insert(&mut self, candidate: u32, at: usize) {
        let pool = &self.problem.pool;
        let mut taken = self.spare.pop().unwrap_or_else(|| vec![0; pool.rows.n_words()]);
        taken.fill(0);
        let cover = pool.covers.column(candidate as usize);
        for capture in &mut self.captures[at..] {
            move_covered(capture, cover, &mut taken);
        }
        self.captures.insert(at, taken);
        self.rules.insert(at, candidate);
        self.used[pool.length(candidate as usize)] += 1;
    }

    fn remove(&mut self, at: usize) {
        let mut freed = self.captures.remove(at);
        let candidate = self.rules.remove(at) as usize;
        self.hand_down(&mut freed, at..self.rules.len());
        let last = self.rules.len();
        move_all(&mut freed, &mut self.captures[last]);
        self.spare.push(freed);
        self.used[self.problem.pool.length(candidate)] -= 1;
    }

    fn swap(&mut self, first: usize, second: usize) {
        let cover = self.problem.pool.covers.column(self.rules[second] as usize);
        let (above, below) = self.captures.split_at_mut(second);
        for capture in &mut above[first..] {
            move_covered(capture, cover, &mut below[0]);
        }
        let mut freed = std::mem::take(&mut self.captures[first]);
        self.hand_down(&mut freed, first + 1..second);
        // what is left obeys the earlier rule, which now stands at `second`
        self.captures[first] = std::mem::replace(&mut self.captures[second], freed);
        self.rules.swap(first, second);
    }

    /// Give rows to the first of the rules at `positions` that covers them.
    fn hand_down(&mut self, freed: &mut [u64], positions: std::ops::Range<usize>) {
        for position in positions {
            let cover = self.problem.pool.covers.column(self.rules[position] as usize);
            move_covered(freed, cover, &mut self.captures[position]);
        }
    }

    /// Score the list anew from its counts.
    fn refresh(&mut self) {
        let likelihood = &self.problem.posterior.likelihood;
        let n_classes = self.problem.pool.rows.n_classes();
        self.terms.clear();
        self.terms.extend(self.counts.chunks_exact(n_classes).map(|row| likelihood.log_f(row)));
        self.above.clear();
        let mut sum = 0.0;
        for term in &self.terms {
            self.above.push(sum);
            sum += term;
        }
        let lengths = self.rules.iter().map(|&rule| self.problem.pool.length(rule as usize));
        let log_prior = self.problem.posterior.prior.log_prior(lengths);
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
        if !self.has_plenty(gained) {
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

    /// Whether every antecedent length of the pool has an unused member, now and with one more of length `gained` used.
    fn has_plenty(&self, gained: Option<usize>) -> bool {
        let pool = self.problem.posterior.prior.n_by_length().iter().zip(&self.used).enumerate();
        pool.into_iter().all(|(c, (&n, &used))| n == 0 || n - used > u32::from(gained == Some(c)))
    }

    #[cold]
    fn log_prior_from_scratch(&self, change: Move) -> f64 {
        let rules = change.applied_to(&self.rules);
        let lengths = rules.iter().map(|&rule| self.problem.pool.length(rule as usize));
        self.problem.posterior.prior.log_prior(lengths)
    }
}

/// Append, per class, the sum of `rows` (each of `n_classes` counts).
fn push_column_sums(counts: &mut Vec<u64>, rows: &[u64], n_classes: usize) {
    let start = counts.len();
    counts.resize(start + n_classes, 0);
    for row in rows.chunks_exact(n_classes) {
        counts[start..].iter_mut().zip(row).for_each(|(sum, n)| *sum += n);
    }
}
