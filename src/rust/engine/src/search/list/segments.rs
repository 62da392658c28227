//! The captures of a list, cut by where they would fall.
//!
//! If the rule at `from` is removed, the rows it captures fall to later rules. Segment (from, to) has the rows captured at `from`
//! that the first later rule to cover them is `to` (m, the default rule, if there is none; its own rows are segment (m, m)).
//! Segments do not overlap, so one pass over a candidate's cover counts what it covers of each, and everything else
//! follows from these counts without looking at rows again.

use crate::bitset::kernel::Kernel;
use crate::bitset::sparse::{take, words_of, SparseSets, Words};
use crate::leaf::counts::{add, at, at_mut};
use crate::search::problem::Problem;
use std::ops::Range;

/// The segments that have a row, in the order of `from`, then of `to`.
#[derive(Debug, Clone)]
pub(super) struct Segments<'a> {
    problem: &'a Problem,
    rows: SparseSets,
    kernel: Kernel,
    from_to: Vec<(usize, usize)>,
    /// The first segment from each position, and the end of the last one's.
    first: Vec<usize>,
    /// Sums per segment.
    counts: Vec<u64>,
}

impl<'a> Segments<'a> {
    /// The captures of the list `rules`.
    pub(super) fn new(problem: &'a Problem, rules: &[u32]) -> Self {
        let (rows, from_to) = cut(problem, rules);
        let mut first = vec![0; rules.len() + 2];
        for (segment, &(from, _)) in from_to.iter().enumerate() {
            first[from + 1] = segment + 1;
        }
        for from in 1..first.len() {
            first[from] = first[from].max(first[from - 1]);
        }
        let counts = Vec::new();
        let mut segments = Segments { problem, rows, kernel: Kernel::scalar(), from_to, first, counts };
        let mut counts = Vec::new();
        segments.count(&vec![u64::MAX; problem.pool.rows.n_words()], &mut counts);
        segments.counts = counts;
        segments
    }

    /// The sums per segment of what a cover has of it.
    #[inline(always)]
    pub(super) fn count(&self, cover: &[u64], out: &mut Vec<u64>) {
        out.resize(self.from_to.len() * self.problem.n_classes(), 0);
        self.rows.count(self.kernel, cover, self.problem.pool.rows.weights(), out);
    }

    /// The sums per position, `k` each, from sums per segment.
    #[inline(always)]
    pub(super) fn by_position(&self, k: usize, of_segments: &[u64], out: &mut Vec<u64>) {
        out.clear();
        out.resize((self.first.len() - 1) * k, 0);
        for (segment, &(from, _)) in self.from_to.iter().enumerate() {
            add(at_mut(out, from, k), at(of_segments, segment, k));
        }
    }

    /// Sums by position without the rule at `from`, whose rows are where they fall: from sums per position and per segment.
    pub(super) fn without(&self, from: usize, by_position: &[u64], of_segments: &[u64]) -> Vec<u64> {
        let k = self.problem.n_classes();
        let mut counts = [&by_position[..from * k], &by_position[(from + 1) * k..]].concat();
        for segment in self.of(from) {
            add(at_mut(&mut counts, self.to(segment) - 1, k), at(of_segments, segment, k));
        }
        counts
    }

    /// The segments of the rule at `from`.
    #[inline(always)]
    pub(super) fn of(&self, from: usize) -> Range<usize> {
        self.first[from]..self.first[from + 1]
    }

    /// Where the rows of a segment fall.
    #[inline(always)]
    pub(super) fn to(&self, segment: usize) -> usize {
        self.from_to[segment].1
    }

    /// Sums per segment.
    #[inline(always)]
    pub(super) fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Words read to count a cover.
    pub(super) fn n_words(&self) -> usize {
        self.rows.n_words()
    }
}

/// Cut the captures of `rules` into segments; only those that have a row.
fn cut(problem: &Problem, rules: &[u32]) -> (SparseSets, Vec<(usize, usize)>) {
    let (data, covers) = (&problem.pool.rows, &problem.pool.covers);
    let (mut segments, mut from_to) = (SparseSets::default(), Vec::new());
    let mut keep = |segment: Words, from: usize, to: usize| {
        if !segment.is_empty() {
            segments.push(&segment, data.ends());
            from_to.push((from, to));
        }
    };
    let mut uncaptured = words_of(data.all());
    for (from, &rule) in rules.iter().enumerate() {
        let mut capture = take(&mut uncaptured, covers.column(rule as usize));
        for (to, &taker) in rules.iter().enumerate().skip(from + 1) {
            keep(take(&mut capture, covers.column(taker as usize)), from, to);
        }
        keep(capture, from, rules.len());
    }
    keep(uncaptured, rules.len(), rules.len());
    (segments, from_to)
}
