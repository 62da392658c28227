//! A list laid out so that one count tells everything a candidate could do to it: come in anywhere, alone or for any rule.
//!
//! If the rule at `from` goes, its rows come down to later rules. The captures are cut into pieces by where they would come
//! down to, `(from, to)`. Pieces do not overlap, so counting what a candidate covers of each reads every row once, and all
//! additions and exchanges of the candidate follow from these counts.

use super::Problem;
use crate::bitset::blocks::Column;

/// A rule list, cut into pieces.
#[derive(Debug, Clone)]
pub struct Layout<'a> {
    problem: &'a Problem,
    rules: Vec<u32>,
    /// What is captured at `from` and would come down to `to`; in the order of `from`, then of `to`. The default rule's
    /// rows stay: from the last position to the last.
    pieces: Vec<Column>,
    ways: Vec<(usize, usize)>,
    /// The first piece of each position, and where the last one's end.
    first_piece: Vec<usize>,
    /// Class counts of each piece, and of each capture.
    piece_counts: Vec<u64>,
    counts: Vec<u64>,
    /// Sum of log f before each position, and of all.
    above: Vec<f64>,
    /// By rule: the same without it, from its position on.
    above_without: Vec<Vec<f64>>,
    /// Rules in the list by antecedent length.
    used: Vec<u32>,
    /// Whether some antecedent length has at most one unused member left, so that the order matters to the prior.
    is_scarce: bool,
}

/// What a candidate could do to the list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Change {
    Remove { from: usize },
    Add { candidate: u32, at: usize },
    /// The rule at `from` taken out, `candidate` (that rule or an unused one) put in; `at` counts without the rule.
    Exchange { from: usize, candidate: u32, at: usize },
}

impl Change {
    /// The list after the change.
    pub fn applied_to(self, rules: &[u32]) -> Vec<u32> {
        let mut rules = rules.to_vec();
        if let Change::Remove { from } | Change::Exchange { from, .. } = self {
            rules.remove(from);
        }
        if let Change::Add { candidate, at } | Change::Exchange { candidate, at, .. } = self {
            rules.insert(at, candidate);
        }
        rules
    }
}

/// Room for the numbers of one candidate.
#[derive(Debug, Clone, Default)]
pub struct Room {
    /// What it covers of each piece, of each capture, and of all from each position on.
    of_pieces: Vec<u64>,
    of_captures: Vec<u64>,
    of_rest: Vec<u64>,
    /// log f of what it leaves of each capture, summed from each position on; then the same without one rule.
    left: Vec<f64>,
    left_without: Vec<f64>,
    /// Log likelihood with it put in at each position, and the best position up to there.
    added: Vec<f64>,
    best_up_to: Vec<usize>,
    /// Class counts of what it leaves and of what it takes.
    row: Vec<u64>,
    taken: Vec<u64>,
}

impl<'a> Layout<'a> {
    pub fn new(problem: &'a Problem, rules: &[u32]) -> Self {
        let (pieces, ways) = cut(problem, rules);
        let k = problem.pool.rows.n_classes();
        let m = rules.len();
        let mut piece_counts = vec![0; pieces.len() * k];
        let everything = problem.all_rows();
        problem.pool.rows.common(&pieces, everything.view(), &mut piece_counts);
        let mut counts = vec![0; (m + 1) * k];
        let mut first_piece = vec![0; m + 2];
        for (piece, &(from, _)) in ways.iter().enumerate() {
            first_piece[from + 1] = piece + 1;
            add(&mut counts[from * k..(from + 1) * k], &piece_counts[piece * k..(piece + 1) * k]);
        }
        for from in 1..first_piece.len() {
            first_piece[from] = first_piece[from].max(first_piece[from - 1]);
        }
        let mut used = vec![0; problem.posterior.prior.n_by_length().len()];
        rules.iter().for_each(|&rule| used[problem.pool.length(rule as usize)] += 1);
        let room = problem.posterior.prior.n_by_length().iter().zip(&used);
        let is_scarce = room.into_iter().any(|(&n, &used)| n > 0 && n - used <= 1);
        let mut layout = Layout {
            problem,
            rules: rules.to_vec(),
            pieces,
            ways,
            first_piece,
            piece_counts,
            counts,
            above: Vec::new(),
            above_without: Vec::new(),
            used,
            is_scarce,
        };
        layout.sum_up();
        layout
    }

    fn sum_up(&mut self) {
        let likelihood = &self.problem.posterior.likelihood;
        let k = self.problem.pool.rows.n_classes();
        let sums = |first: f64, counts: &[u64]| {
            let mut sum = first;
            let rows = counts.chunks_exact(k).map(|row| {
                sum += likelihood.log_f(row);
                sum
            });
            std::iter::once(first).chain(rows).collect::<Vec<f64>>()
        };
        self.above = sums(0.0, &self.counts);
        for from in 0..self.rules.len() {
            let mut counts = self.counts[(from + 1) * k..].to_vec();
            for piece in self.first_piece[from]..self.first_piece[from + 1] {
                let to = self.ways[piece].1 - from - 1;
                add(&mut counts[to * k..(to + 1) * k], &self.piece_counts[piece * k..(piece + 1) * k]);
            }
            self.above_without.push(sums(self.above[from], &counts));
        }
    }

    pub fn rules(&self) -> &[u32] {
        &self.rules
    }

    pub fn log_posterior(&self) -> f64 {
        self.above[self.rules.len() + 1] + self.log_prior(None, None, |list| list)
    }

    /// The log prior of the list with a rule of one antecedent length more and one of another less; `change` makes the lengths
    /// of its rules, for when their order matters.
    fn log_prior(
        &self,
        gained: Option<usize>,
        lost: Option<usize>,
        change: impl FnOnce(Vec<usize>) -> Vec<usize>,
    ) -> f64 {
        let prior = &self.problem.posterior.prior;
        if self.is_scarce {
            let lengths = self.rules.iter().map(|&rule| self.problem.pool.length(rule as usize)).collect();
            return prior.log_prior(change(lengths).into_iter());
        }
        let m = self.rules.len() + usize::from(gained.is_some()) - usize::from(lost.is_some());
        prior.log_prior_after(&self.used, m, gained, lost)
    }

    /// Show the log posterior of the list without each of its rules.
    pub fn see_removals(&self, mut see: impl FnMut(f64, Change)) {
        for (from, sums) in self.above_without.iter().enumerate() {
            let lost = self.problem.pool.length(self.rules[from] as usize);
            let log_prior = self.log_prior(None, Some(lost), |mut lengths| {
                lengths.remove(from);
                lengths
            });
            see(sums[sums.len() - 1] + log_prior, Change::Remove { from });
        }
    }

    /// Show the best log posterior that `candidate` gives when it is put in alone, and when it is put in for each rule. One
    /// that stands in the list can only take another place.
    pub fn see_changes(&self, candidate: u32, room: &mut Room, mut see: impl FnMut(f64, Change)) {
        self.count(candidate, room);
        let m = self.rules.len();
        let own = self.rules.iter().position(|&rule| rule == candidate);
        let gained = self.problem.pool.length(candidate as usize);
        if own.is_none() {
            let at = if self.is_scarce { None } else { Some(room.best_up_to[m]) };
            for at in at.map_or(0..m + 1, |at| at..at + 1) {
                let log_prior = self.log_prior(Some(gained), None, |mut lengths| {
                    lengths.insert(at, gained);
                    lengths
                });
                see(room.added[at] + log_prior, Change::Add { candidate, at });
            }
        }
        for from in own.map_or(0..m, |own| own..own + 1) {
            let lost = self.problem.pool.length(self.rules[from] as usize);
            let anywhere = if self.is_scarce { 0.0 } else { self.log_prior(Some(gained), Some(lost), |list| list) };
            self.exchange(from, room, |log_likelihood, at| {
                let log_prior = if self.is_scarce {
                    self.log_prior(None, None, |mut lengths| {
                        lengths.remove(from);
                        lengths.insert(at, gained);
                        lengths
                    })
                } else {
                    anywhere
                };
                see(log_likelihood + log_prior, Change::Exchange { from, candidate, at });
            });
        }
    }

    /// Count what `candidate` covers, and score it at every position of the whole list.
    fn count(&self, candidate: u32, room: &mut Room) {
        let (likelihood, rows) = (&self.problem.posterior.likelihood, &self.problem.pool.rows);
        let (k, m) = (rows.n_classes(), self.rules.len());
        room.of_pieces.resize(self.pieces.len() * k, 0);
        rows.common(&self.pieces, self.problem.covers().get(candidate as usize), &mut room.of_pieces);
        room.of_captures.clear();
        room.of_captures.resize((m + 1) * k, 0);
        for (piece, &(from, _)) in self.ways.iter().enumerate() {
            add(&mut room.of_captures[from * k..(from + 1) * k], &room.of_pieces[piece * k..(piece + 1) * k]);
        }
        room.of_rest.clear();
        room.of_rest.resize((m + 2) * k, 0);
        room.left.resize(m + 2, 0.0);
        room.left[m + 1] = 0.0;
        room.added.resize(m + 1, 0.0);
        room.row.resize(k, 0);
        room.taken.resize(k, 0);
        for at in (0..=m).rev() {
            for class in 0..k {
                let covered = room.of_captures[at * k + class];
                room.row[class] = self.counts[at * k + class] - covered;
                room.of_rest[at * k + class] = room.of_rest[(at + 1) * k + class] + covered;
            }
            room.left[at] = room.left[at + 1] + likelihood.log_f(&room.row);
            let taken = likelihood.log_f(&room.of_rest[at * k..(at + 1) * k]);
            room.added[at] = self.above[at] + taken + room.left[at];
        }
        room.best_up_to.clear();
        for at in 0..=m {
            let best = room.best_up_to.last().copied().unwrap_or(0);
            room.best_up_to.push(if room.added[at] > room.added[best] { at } else { best });
        }
    }

    /// Show the log likelihood of the list with the counted candidate put in for the rule at `from`: at the best position up
    /// to there (at all of them if the order matters to the prior), and at each later one. `count` came before.
    #[inline(always)]
    fn exchange(&self, from: usize, room: &mut Room, mut see: impl FnMut(f64, usize)) {
        let likelihood = &self.problem.posterior.likelihood;
        let (k, m) = (self.problem.pool.rows.n_classes(), self.rules.len());
        let above = &self.above_without[from];
        let Room { of_pieces, of_captures, left, left_without, added, best_up_to, row, taken, .. } = room;
        left_without.resize(m + 2, 0.0);
        left_without[m + 1] = 0.0;
        taken.fill(0);
        let mut piece = self.first_piece[from + 1];
        for at in (from + 1..=m).rev() {
            let mut log_f = left[at] - left[at + 1];
            add(taken, &of_captures[at * k..(at + 1) * k]);
            if piece > self.first_piece[from] && self.ways[piece - 1].1 == at {
                piece -= 1;
                let (comes, covered) = (&self.piece_counts[piece * k..][..k], &of_pieces[piece * k..][..k]);
                add(taken, covered);
                for class in 0..k {
                    let all = self.counts[at * k + class] + comes[class];
                    row[class] = all - of_captures[at * k + class] - covered[class];
                }
                log_f = likelihood.log_f(row);
            }
            left_without[at] = left_without[at + 1] + log_f;
            // put in right behind `from` is the same as in its place
            if at > from + 1 {
                see(above[at - from - 1] + likelihood.log_f(taken) + left_without[at], at - 1);
            }
        }
        let first = if self.is_scarce { 0 } else { best_up_to[from] };
        for at in first..if self.is_scarce { from + 1 } else { first + 1 } {
            see(added[at] - left[from] + left_without[from + 1], at);
        }
    }
}

fn add(row: &mut [u64], other: &[u64]) {
    row.iter_mut().zip(other).for_each(|(n, other)| *n += other);
}

/// Cut the captures of `rules` into pieces; only those that hold a row.
fn cut(problem: &Problem, rules: &[u32]) -> (Vec<Column>, Vec<(usize, usize)>) {
    let (rows, covers) = (&problem.pool.rows, problem.covers());
    let blocks = rows.blocks();
    let empty = || Column::empty(rows.n_words(), blocks.n_masks());
    let (mut pieces, mut ways) = (Vec::new(), Vec::new());
    let mut keep = |piece: Column, from: usize, to: usize| {
        if piece.mask.iter().any(|&mask| mask != 0) {
            pieces.push(piece);
            ways.push((from, to));
        }
    };
    let mut free = problem.all_rows();
    for (from, &rule) in rules.iter().enumerate() {
        let mut capture = empty();
        free.give(blocks, covers.get(rule as usize), &mut capture);
        for (to, &taker) in rules.iter().enumerate().skip(from + 1) {
            let mut piece = empty();
            capture.give(blocks, covers.get(taker as usize), &mut piece);
            keep(piece, from, to);
        }
        keep(capture, from, rules.len());
    }
    keep(free, rules.len(), rules.len());
    (pieces, ways)
}
