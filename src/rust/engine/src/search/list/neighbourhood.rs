//! Score every removal, insertion and exchange of a list, reading each row once per candidate.
//!
//! The captures are cut into the *segments* of `segments.rs`: (from, q) has the rows captured at `from` that fall to q without
//! that rule.
//!
//! # Insertions
//!
//! With `covered_q` = what the candidate covers of the capture at q (a sum over the segments from q), an insertion at p gives
//!
//! ```text
//! inserted(p) = prefix_sums[p] + log f(Σ_{q≥p} covered_q) + remaining(p),   remaining(p) = Σ_{q≥p} log f(N_q − covered_q)
//! ```
//!
//! by the fold of `fold.rs`.
//!
//! # Exchanges
//!
//! Without the rule at `from`, position q > from also has segment (from, q). Go through q = m, m − 1, …, from + 1 and add up
//!
//! ```text
//! below = Σ_q log f(N_q + segment_q − covered_q − covered segment_q)      what is left at q once the candidate is above it
//! taken = Σ_q covered_q + covered segment_q                               what the candidate takes from there on
//! ```
//!
//! Inserted right before q, the list has log likelihood `prefix_sums_without[from][q] + log f(taken) + below`. Positions up to
//! `from` need no loop of their own: below `from` nothing depends on where above it the candidate is, so the list scores
//! `inserted(p) − remaining(from) + below`, and the best p ≤ from for an insertion is the best for an exchange too (kept in
//! `best_prefix_position`); only if the order of rules matters to the prior is every p offered.
//!
//! # Why giving up early is exact
//!
//! Log marginals are ≤ 0, so `below` only falls as q goes up. What is above the current q adds at most
//! `max(prefix_sums[from], inserted(best) − remaining(from))`. Once the sum of both is under the threshold of the sink (less
//! the log prior and `ROUNDING`), no position of this exchange can pass it.

use super::fold::fold_from_below;
use super::moves::Move;
use super::prior_delta::{LogPrior, PriorDelta};
use super::segments::Segments;
use super::shape;
use crate::leaf::counts::{add, at};
use crate::leaf::form::{AnySums, Form};
use crate::search::problem::{Problem, ROUNDING};

/// A rule list, cut into segments.
#[derive(Debug, Clone)]
pub struct Neighbourhood<'a> {
    problem: &'a Problem,
    rules: Vec<u32>,
    segments: Segments<'a>,
    /// Class counts per position.
    counts: Vec<u64>,
    /// Sum of the log marginals before each position, and of all.
    prefix_sums: Vec<f64>,
    /// By position of the rule removed: the same for the positions after it.
    prefix_sums_without: Vec<Vec<f64>>,
    /// The counts of all positions of that list, if they decide on what is admissible.
    counts_without: Vec<Vec<u64>>,
    prior: PriorDelta,
}

/// Receives scored moves.
pub trait MoveSink {
    /// Moves with a log posterior up to this need not be offered.
    fn threshold(&self) -> f64;

    /// Receive a move and the log posterior after it.
    fn offer(&mut self, log_posterior: f64, change: Move);
}

/// Buffers for one candidate.
#[derive(Debug, Clone, Default)]
pub struct CandidateScratch {
    /// Class counts of what the candidate covers: per segment and per position.
    covered_segments: Vec<u64>,
    covered: Vec<u64>,
    /// Sum of the log marginals of what is left at each position and after it.
    remaining: Vec<f64>,
    /// Log likelihood with the candidate inserted at each position, and the best position up to there.
    inserted: Vec<f64>,
    best_prefix_position: Vec<usize>,
    /// Class counts of two positions.
    row: Vec<u64>,
}

impl<'a> Neighbourhood<'a> {
    /// The neighbourhood of the list `rules`.
    pub fn new(problem: &'a Problem, rules: &[u32]) -> Self {
        let segments = Segments::new(problem, rules);
        let mut counts = Vec::new();
        segments.by_position(problem.n_classes(), segments.counts(), &mut counts);
        let lengths = rules.iter().map(|&rule| problem.length(rule));
        let prior = PriorDelta::new(problem.objective.prior(), lengths);
        let mut neighbourhood = Neighbourhood {
            problem,
            rules: rules.to_vec(),
            segments,
            counts,
            prefix_sums: Vec::new(),
            prefix_sums_without: Vec::new(),
            counts_without: Vec::new(),
            prior,
        };
        neighbourhood.sum_up();
        neighbourhood
    }

    fn sum_up(&mut self) {
        let leaf = self.problem.objective.leaf();
        let k = self.problem.n_classes();
        let sums = |first: f64, counts: &[u64]| {
            let mut sum = first;
            let terms = counts.chunks_exact(k).map(|counts| {
                sum += leaf.log_marginal(counts);
                sum
            });
            std::iter::once(first).chain(terms).collect::<Vec<f64>>()
        };
        self.prefix_sums = sums(0.0, &self.counts);
        for from in 0..self.rules.len() {
            let counts = self.segments.without(from, &self.counts, self.segments.counts());
            self.prefix_sums_without.push(sums(self.prefix_sums[from], &counts[from * k..]));
            if self.is_shaped() {
                self.counts_without.push(counts);
            }
        }
    }

    /// About how many words are read to score all moves of all candidates.
    pub fn n_words_to_read(&self) -> u64 {
        // scoring the positions costs as much as some words
        let of_positions = 3 * self.rules.len() * self.rules.len() + 20;
        self.problem.pool.len() as u64 * (self.segments.n_words() + of_positions) as u64
    }

    /// Whether captures decide on what is admissible.
    fn is_shaped(&self) -> bool {
        self.problem.objective.admission().is_shaped()
    }

    /// Where a counted candidate may be inserted, in the list or in the list without a rule; nothing if that is everywhere.
    fn admissible(&self, without: Option<usize>, scratch: &CandidateScratch) -> Option<Vec<bool>> {
        if !self.is_shaped() {
            return None;
        }
        let mut admissible = Vec::new();
        let objective = &self.problem.objective;
        match without {
            None => shape::admits_insertions(objective, &self.counts, &scratch.covered, &mut admissible),
            Some(from) => {
                let covered = self.segments.without(from, &scratch.covered, &scratch.covered_segments);
                shape::admits_insertions(objective, &self.counts_without[from], &covered, &mut admissible);
            }
        }
        Some(admissible)
    }

    /// The log prior after a candidate of length `gained` enters the list and the rule at `lost` leaves it.
    fn log_prior_after(&self, gained: Option<usize>, lost: Option<usize>) -> LogPrior {
        let lost = lost.map(|position| self.problem.length(self.rules[position]));
        self.prior.after(self.problem.objective.prior(), gained, lost)
    }

    /// Offer `change` if its log posterior exceeds the threshold.
    #[inline(always)]
    fn offer(&self, log_likelihood: f64, log_prior: LogPrior, change: Move, sink: &mut impl MoveSink) {
        if log_likelihood + log_prior.bound() <= sink.threshold() {
            return;
        }
        let log_prior = match log_prior {
            LogPrior::Exact(log_prior) => log_prior,
            LogPrior::AtMost(_) => self.problem.log_prior(&change.applied_to(&self.rules)),
        };
        sink.offer(log_likelihood + log_prior, change);
    }

    /// Offer the removal of each rule.
    pub fn visit_removals(&self, sink: &mut impl MoveSink) {
        let objective = &self.problem.objective;
        let is_admissible = |counts: &Vec<u64>| objective.admission().admits(objective.leaf(), counts);
        for (position, sums) in self.prefix_sums_without.iter().enumerate() {
            if !self.counts_without.get(position).map_or(true, is_admissible) {
                continue;
            }
            let log_prior = self.log_prior_after(None, Some(position));
            self.offer(sums[sums.len() - 1], log_prior, Move::Remove { position }, sink);
        }
    }

    /// Offer the best insertion of `candidate` and its best exchanges with each rule; if it is in the list already, its
    /// moves to other positions.
    pub fn visit_candidate(&self, candidate: u32, scratch: &mut CandidateScratch, sink: &mut impl MoveSink) {
        // two classes get code compiled for two
        let leaf = self.problem.objective.leaf();
        match leaf.two_classes() {
            Some(two) => self.visit_with(two, candidate, scratch, sink),
            None => self.visit_with(AnySums::of(leaf), candidate, scratch, sink),
        }
    }

    #[inline(always)]
    fn visit_with(
        &self,
        form: impl Form,
        candidate: u32,
        scratch: &mut CandidateScratch,
        sink: &mut impl MoveSink,
    ) {
        self.score_insertions(form, candidate, scratch);
        let m = self.rules.len();
        let own = self.rules.iter().position(|&rule| rule == candidate);
        let gained = Some(self.problem.length(candidate));
        if own.is_none() {
            let log_prior = self.log_prior_after(gained, None);
            let admissible = self.admissible(None, scratch);
            for position in best_or_all(scratch.best_prefix_position[m], m, log_prior, &admissible) {
                self.offer(scratch.inserted[position], log_prior, Move::Add { candidate, position }, sink);
            }
        }
        let stops_early = self.problem.objective.leaf().stops_early();
        for from in own.map_or(0..m, |own| own..own + 1) {
            let log_prior = self.log_prior_after(gained, Some(from));
            let admissible = self.admissible(Some(from), scratch);
            let threshold = match stops_early {
                true => sink.threshold() - log_prior.bound() - ROUNDING,
                false => f64::NEG_INFINITY,
            };
            let Some(below) =
                self.exchange_below(form, from, threshold, scratch, |log_likelihood, position| {
                    if is_admissible(&admissible, position) {
                        let change = Move::Exchange { from, candidate, position };
                        self.offer(log_likelihood, log_prior, change, sink);
                    }
                })
            else {
                continue;
            };
            for position in best_or_all(scratch.best_prefix_position[from], from, log_prior, &admissible) {
                let log_likelihood = scratch.inserted[position] - scratch.remaining[from] + below;
                self.offer(log_likelihood, log_prior, Move::Exchange { from, candidate, position }, sink);
            }
        }
    }

    /// Count what `candidate` covers, and score it at every position of the whole list.
    #[inline(always)]
    fn score_insertions(&self, form: impl Form, candidate: u32, scratch: &mut CandidateScratch) {
        let m = self.rules.len();
        let cover = self.problem.pool.covers.column(candidate as usize);
        self.segments.count(cover, &mut scratch.covered_segments);
        let k = form.n();
        self.segments.by_position(k, &scratch.covered_segments, &mut scratch.covered);
        let CandidateScratch { covered, remaining, inserted, row, .. } = &mut *scratch;
        remaining.resize(m + 2, 0.0);
        remaining[m + 1] = 0.0;
        inserted.resize(m + 1, 0.0);
        let sums = |position: usize, i: usize| (self.counts[position * k + i], covered[position * k + i]);
        fold_from_below(form, m + 1, row, sums, |position, taken, left| {
            remaining[position] = left;
            inserted[position] = self.prefix_sums[position] + taken + left;
        });
        scratch.best_prefix_position.clear();
        for position in 0..=m {
            let best = scratch.best_prefix_position.last().copied().unwrap_or(0);
            let is_better = scratch.inserted[position] > scratch.inserted[best];
            scratch.best_prefix_position.push(if is_better { position } else { best });
        }
    }

    /// Give `see` the log likelihood with the counted candidate in place of the rule at `from`, for each later position; the
    /// sum of the log marginals below `from`, or `None` if nothing reaches `threshold`.
    #[inline(always)]
    fn exchange_below(
        &self,
        form: impl Form,
        from: usize,
        threshold: f64,
        scratch: &mut CandidateScratch,
        mut see: impl FnMut(f64, usize),
    ) -> Option<f64> {
        let (k, m) = (form.n(), self.rules.len());
        let above = &self.prefix_sums_without[from];
        let CandidateScratch { covered_segments, covered, remaining, inserted, row, .. } = scratch;
        let (left, taken) = row[..2 * k].split_at_mut(k);
        taken.fill(0);
        let best = scratch.best_prefix_position[from];
        let most_above = self.prefix_sums[from].max(inserted[best] - remaining[from]);
        let mut below = 0.0;
        // segments from `from`, last first; `segment` is one past the next
        let segments = self.segments.of(from);
        let mut segment = segments.end;
        for position in (from + 1..=m).rev() {
            let mut log_marginal = remaining[position] - remaining[position + 1];
            let covered = at(covered, position, k);
            add(taken, covered);
            if segment > segments.start && self.segments.to(segment - 1) == position {
                segment -= 1;
                let falling = at(self.segments.counts(), segment, k);
                let covered_falling = at(covered_segments, segment, k);
                add(taken, covered_falling);
                for class in 0..k {
                    let all = self.counts[position * k + class] + falling[class];
                    left[class] = all - covered[class] - covered_falling[class];
                }
                log_marginal = form.log_marginal(left);
            }
            below += log_marginal;
            if below + most_above < threshold {
                return None;
            }
            // inserted right after `from` is the same as in its place
            let others = above[position - from - 1] + below;
            if position > from + 1 && others >= threshold {
                see(others + form.log_marginal(taken), position - 1);
            }
        }
        Some(below)
    }
}

/// The best position if neither the prior nor what is admissible depends on the position, else all up to `last` that are admissible.
#[inline(always)]
fn best_or_all(
    best: usize,
    last: usize,
    log_prior: LogPrior,
    admissible: &Option<Vec<bool>>,
) -> impl Iterator<Item = usize> + '_ {
    let positions = match (log_prior, admissible) {
        (LogPrior::Exact(_), None) => best..=best,
        _ => 0..=last,
    };
    positions.filter(move |&position| is_admissible(admissible, position))
}

#[inline(always)]
fn is_admissible(admissible: &Option<Vec<bool>>, position: usize) -> bool {
    admissible.as_ref().map_or(true, |admissible| admissible[position])
}
