//! What chains and annealing runs leave behind: their best list, how often they moved, and what recorders observed.

use super::list::moves::MoveKind;
use super::list::RuleListState;
use crate::error::Error;
use crate::memory;
use crate::posterior::Score;
use crate::ragged::Ragged;

/// Most trace points kept of one run.
pub const TRACE_POINTS: u64 = 250;

/// A list and its log posterior.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoredList {
    /// The candidates in the list, in order.
    pub rules: Vec<u32>,
    /// Its log posterior.
    pub log_posterior: f64,
}

impl ScoredList {
    /// A copy of `rules` with their log posterior.
    pub fn new(rules: &[u32], log_posterior: f64) -> Self {
        ScoredList { rules: rules.to_vec(), log_posterior }
    }

    /// Become this list if it is better.
    pub fn improve(&mut self, rules: &[u32], log_posterior: f64) {
        if log_posterior > self.log_posterior {
            self.log_posterior = log_posterior;
            self.rules.clear();
            self.rules.extend_from_slice(rules);
        }
    }
}

/// Moves proposed and accepted, by kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MoveCounts {
    proposed: [u64; MoveKind::ALL.len()],
    accepted: [u64; MoveKind::ALL.len()],
}

impl MoveCounts {
    /// Count a proposed move.
    #[inline(always)]
    pub fn count_proposed(&mut self, kind: MoveKind) {
        self.proposed[kind as usize] += 1;
    }

    /// Count an accepted move.
    #[inline(always)]
    pub fn count_accepted(&mut self, kind: MoveKind) {
        self.accepted[kind as usize] += 1;
    }

    /// How many moves of this kind were proposed.
    pub fn proposed(&self, kind: MoveKind) -> u64 {
        self.proposed[kind as usize]
    }

    /// How many of them were accepted.
    pub fn accepted(&self, kind: MoveKind) -> u64 {
        self.accepted[kind as usize]
    }

    /// Add the counts of another run.
    pub fn add(&mut self, other: &MoveCounts) {
        for kind in 0..MoveKind::ALL.len() {
            self.proposed[kind] += other.proposed[kind];
            self.accepted[kind] += other.accepted[kind];
        }
    }
}

/// Observes a run.
pub trait Recorder {
    /// The next iteration whose list is to be recorded, the first one after `iteration`.
    fn next_after(&self, iteration: u64) -> u64;

    /// Record the list at `iteration`.
    fn record(&mut self, iteration: u64, state: &RuleListState<'_>);
}

/// A point of a trace.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TracePoint {
    /// Iterations done.
    pub iteration: u64,
    /// Log posterior of the list.
    pub log_posterior: f64,
    /// Rules in the list.
    pub length: usize,
}

/// Log posterior and length of the list at regular intervals.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    every: u64,
    /// Twice as many points as this are thinned.
    n_points: usize,
    points: Vec<TracePoint>,
}

impl Trace {
    /// About `n_points` points of a run of `iterations` iterations.
    pub fn new(iterations: u64, n_points: u64) -> Self {
        let n_points = n_points.max(1);
        let every = iterations.div_ceil(n_points).max(1);
        Trace { every, n_points: usize::try_from(n_points).unwrap_or(usize::MAX), points: Vec::new() }
    }

    /// The points recorded so far.
    pub fn points(&self) -> &[TracePoint] {
        &self.points
    }
}

impl Recorder for Trace {
    fn next_after(&self, iteration: u64) -> u64 {
        (iteration / self.every + 1).saturating_mul(self.every)
    }

    fn record(&mut self, iteration: u64, state: &RuleListState<'_>) {
        let point =
            TracePoint { iteration, log_posterior: state.log_posterior(), length: state.rules().len() };
        self.points.push(point);
        if self.points.len() > self.n_points.saturating_mul(2) {
            // the run goes on for longer than was planned
            self.every *= 2;
            self.points.retain(|point| point.iteration % self.every == 0);
        }
    }
}

/// Draws from the posterior: lists with their scores and class counts, one after another.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Draws {
    /// The candidates of each list.
    pub lists: Ragged,
    /// Captured rows per list, rule and class, the default rule's last.
    pub counts: Vec<u64>,
    /// The score of each list.
    pub scores: Vec<Score>,
}

impl Draws {
    /// Keep the current list of `state`.
    pub fn push(&mut self, state: &RuleListState<'_>) -> Result<(), Error> {
        self.lists.push(state.rules())?;
        memory::extend_from_slice(&mut self.counts, state.counts())?;
        memory::push(&mut self.scores, state.score())
    }

    /// Number of draws.
    pub fn len(&self) -> usize {
        self.lists.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }

    /// Keep the first `n` only.
    pub fn truncate(&mut self, n: usize, n_classes: usize) {
        self.lists.truncate(n);
        self.scores.truncate(n);
        self.counts.truncate((self.lists.flat().len() + self.len()) * n_classes);
    }
}

/// One run of a chain, or of an optimiser.
#[derive(Debug, Clone, PartialEq)]
pub struct RunReport {
    /// The best list it came across.
    pub best: ScoredList,
    /// Iterations done.
    pub iterations: u64,
    /// Moves proposed and accepted.
    pub moves: MoveCounts,
    /// Points of its path.
    pub trace: Vec<TracePoint>,
}

impl RunReport {
    /// Of a run that begins with `rules`.
    pub fn new(rules: &[u32], log_posterior: f64) -> Self {
        RunReport {
            best: ScoredList::new(rules, log_posterior),
            iterations: 0,
            moves: MoveCounts::default(),
            trace: Vec::new(),
        }
    }

    /// Add the iterations and moves of another run.
    pub fn add_counts(&mut self, other: &RunReport) {
        self.iterations += other.iterations;
        self.moves.add(&other.moves);
    }
}
