//! A list laid out so that one count tells everything a candidate could do to it: come in anywhere, alone or for any rule.
//!
//! If the rule at `from` goes, its rows come down to later rules. The captures are cut into pieces by where they would come
//! down to, `(from, to)`. Pieces do not overlap, so counting what a candidate covers of each reads every row once, and all
//! additions and exchanges of the candidate follow from these counts.

use super::state::ROUNDING;
use super::Problem;
use crate::bitset::kernel::Kernel;
use crate::bitset::sparse::{take, words_of, SparseSets, Words};

/// A rule list, cut into pieces.
#[derive(Debug, Clone)]
pub struct Layout<'a> {
    problem: &'a Problem,
    rules: Vec<u32>,
    /// What is captured at `from` and would come down to `to`; in the order of `from`, then of `to`. The default rule's
    /// rows stay: from the last position to the last.
    pieces: SparseSets,
    kernel: Kernel,
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
}

/// Who looks at changes.
pub trait See {
    /// Changes with a log posterior up to this are not worth showing.
    fn least(&self) -> f64;

    fn see(&mut self, log_posterior: f64, change: Change);
}

/// What a candidate could do to the list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Change {
    Remove {
        from: usize,
    },
    Add {
        candidate: u32,
        at: usize,
    },
    /// The rule at `from` taken out, `candidate` (that rule or an unused one) put in; `at` counts without the rule.
    Exchange {
        from: usize,
        candidate: u32,
        at: usize,
    },
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
    /// log f of what it leaves of each capture, summed from each position on.
    left: Vec<f64>,
    /// Log likelihood with it put in at each position, and the best position up to there.
    added: Vec<f64>,
    best_up_to: Vec<usize>,
    /// Class counts of what it leaves and of what it takes.
    row: Vec<u64>,
    taken: Vec<u64>,
}

impl<'a> Layout<'a> {
    pub fn new(problem: &'a Problem, rules: &[u32]) -> Self {
        let data = &problem.pool.rows;
        let (k, m) = (data.n_classes(), rules.len());
        let (pieces, ways) = cut(problem, rules);
        let kernel = Kernel::choose(0);
        let mut piece_counts = vec![0; ways.len() * k];
        pieces.count(kernel, &vec![u64::MAX; data.n_words()], data.weights(), &mut piece_counts);
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
        let (above, above_without) = (Vec::new(), Vec::new());
        let rules = rules.to_vec();
        let mut layout = Layout {
            problem,
            rules,
            pieces,
            kernel,
            ways,
            first_piece,
            piece_counts,
            counts,
            above,
            above_without,
            used,
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
                sum += likelihood.log_marginal(row);
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

    /// About how many words it takes to look at all changes of all candidates.
    pub fn n_words_to_read(&self) -> u64 {
        // what is scored by position costs as much as some words too
        let of_positions = 3 * self.rules.len() * self.rules.len() + 20;
        self.problem.pool.len() as u64 * (self.pieces.n_words() + of_positions) as u64
    }

    pub fn rules(&self) -> &[u32] {
        &self.rules
    }

    fn length(&self, rule: u32) -> usize {
        self.problem.pool.length(rule as usize)
    }

    /// The log prior after one rule more of antecedent length `gained` and one less of length `lost`, or the most it can be
    /// (`Prior::log_prior_after`).
    fn log_prior_after(&self, gained: Option<usize>, lost: Option<usize>) -> (f64, bool) {
        let m = self.rules.len() + usize::from(gained.is_some()) - usize::from(lost.is_some());
        self.problem.posterior.prior.log_prior_after(&self.used, m, gained, lost)
    }

    /// The log prior of the list after `change`, rule by rule.
    #[cold]
    fn log_prior_of(&self, change: Change) -> f64 {
        let lengths = change.applied_to(&self.rules).into_iter().map(|rule| self.length(rule));
        self.problem.posterior.prior.log_prior(lengths)
    }

    /// Show the log posterior of `change`, of which the log likelihood and the log prior (or the most it can be) are known;
    /// but not if it lies below `least`.
    #[inline(always)]
    fn show(&self, log_likelihood: f64, prior: (f64, bool), change: Change, to: &mut impl See) {
        let (mut log_prior, is_exact) = prior;
        if log_likelihood + log_prior <= to.least() {
            return;
        }
        if !is_exact {
            log_prior = self.log_prior_of(change);
        }
        to.see(log_likelihood + log_prior, change);
    }

    /// Show the list without each of its rules.
    pub fn show_removals(&self, to: &mut impl See) {
        for (from, sums) in self.above_without.iter().enumerate() {
            let prior = self.log_prior_after(None, Some(self.length(self.rules[from])));
            self.show(sums[sums.len() - 1], prior, Change::Remove { from }, to);
        }
    }

    /// Show the best that `candidate` does when it is put in alone, and when it is put in for each rule. One that stands in
    /// the list can only take another place.
    pub fn show_changes(&self, candidate: u32, room: &mut Room, to: &mut impl See) {
        // two classes get a copy of the code that knows they are two
        match self.problem.pool.rows.n_classes() {
            2 => self.show_changes_among(2, candidate, room, to),
            k => self.show_changes_among(k, candidate, room, to),
        }
    }

    #[inline(always)]
    fn show_changes_among(&self, k: usize, candidate: u32, room: &mut Room, to: &mut impl See) {
        self.count(k, candidate, room);
        let m = self.rules.len();
        let own = self.rules.iter().position(|&rule| rule == candidate);
        let gained = Some(self.length(candidate));
        if own.is_none() {
            let prior = self.log_prior_after(gained, None);
            for at in best_or_all(room.best_up_to[m], m, prior.1) {
                self.show(room.added[at], prior, Change::Add { candidate, at }, to);
            }
        }
        for from in own.map_or(0..m, |own| own..own + 1) {
            let prior = self.log_prior_after(gained, Some(self.length(self.rules[from])));
            let least = to.least() - prior.0 - ROUNDING;
            self.exchange(k, from, (prior.1, least), room, |log_likelihood, at| {
                self.show(log_likelihood, prior, Change::Exchange { from, candidate, at }, to);
            });
        }
    }

    /// Count what `candidate` covers, and score it at every position of the whole list, of `k` classes.
    #[inline(always)]
    fn count(&self, k: usize, candidate: u32, room: &mut Room) {
        let (likelihood, rows) = (&self.problem.posterior.likelihood, &self.problem.pool.rows);
        let m = self.rules.len();
        room.of_pieces.resize(self.ways.len() * k, 0);
        let cover = self.problem.pool.covers.column(candidate as usize);
        self.pieces.count(self.kernel, cover, rows.weights(), &mut room.of_pieces);
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
        let row = &mut room.row[..k];
        for at in (0..=m).rev() {
            for (class, n_left) in row.iter_mut().enumerate() {
                let covered = room.of_captures[at * k + class];
                *n_left = self.counts[at * k + class] - covered;
                room.of_rest[at * k + class] = room.of_rest[(at + 1) * k + class] + covered;
            }
            room.left[at] = room.left[at + 1] + likelihood.log_marginal(row);
            let taken = likelihood.log_marginal(&room.of_rest[at * k..(at + 1) * k]);
            room.added[at] = self.above[at] + taken + room.left[at];
        }
        room.best_up_to.clear();
        for at in 0..=m {
            let best = room.best_up_to.last().copied().unwrap_or(0);
            room.best_up_to.push(if room.added[at] > room.added[best] { at } else { best });
        }
    }

    /// Show the log likelihood of the list with the counted candidate put in for the rule at `from`: at the best position up
    /// to there (at all of them if the order matters to the prior), and at each later one; but not what lies below `least`.
    /// `count` came before.
    #[inline(always)]
    fn exchange(
        &self,
        k: usize,
        from: usize,
        (any_order, least): (bool, f64),
        room: &mut Room,
        mut see: impl FnMut(f64, usize),
    ) {
        let (likelihood, m) = (&self.problem.posterior.likelihood, self.rules.len());
        let above = &self.above_without[from];
        let Room { of_pieces, of_captures, left, added, best_up_to, row, taken, .. } = room;
        let (row, taken) = (&mut row[..k], &mut taken[..k]);
        taken.fill(0);
        // no rule adds to the likelihood
        let most_above = self.above[from].max(added[best_up_to[from]] - left[from]);
        let mut below = 0.0;
        let mut piece = self.first_piece[from + 1];
        for at in (from + 1..=m).rev() {
            let mut log_marginal = left[at] - left[at + 1];
            add(taken, &of_captures[at * k..(at + 1) * k]);
            if piece > self.first_piece[from] && self.ways[piece - 1].1 == at {
                piece -= 1;
                let (comes, covered) = (&self.piece_counts[piece * k..][..k], &of_pieces[piece * k..][..k]);
                add(taken, covered);
                for class in 0..k {
                    let all = self.counts[at * k + class] + comes[class];
                    row[class] = all - of_captures[at * k + class] - covered[class];
                }
                log_marginal = likelihood.log_marginal(row);
            }
            below += log_marginal;
            if below + most_above < least {
                return;
            }
            // put in right behind `from` is the same as in its place
            let others = above[at - from - 1] + below;
            if at > from + 1 && others >= least {
                see(others + likelihood.log_marginal(taken), at - 1);
            }
        }
        for at in best_or_all(best_up_to[from], from, any_order) {
            see(added[at] - left[from] + below, at);
        }
    }
}

#[inline(always)]
fn add(row: &mut [u64], other: &[u64]) {
    row.iter_mut().zip(other).for_each(|(n, other)| *n += other);
}

/// The best position if any order will do, else all up to `last`.
fn best_or_all(best: usize, last: usize, any_order: bool) -> std::ops::RangeInclusive<usize> {
    if any_order {
        best..=best
    } else {
        0..=last
    }
}

/// Cut the captures of `rules` into pieces; only those that hold a row.
fn cut(problem: &Problem, rules: &[u32]) -> (SparseSets, Vec<(usize, usize)>) {
    let (data, covers) = (&problem.pool.rows, &problem.pool.covers);
    let (mut pieces, mut ways) = (SparseSets::default(), Vec::new());
    let mut keep = |piece: Words, from: usize, to: usize| {
        if !piece.is_empty() {
            pieces.push(&piece, data.ends());
            ways.push((from, to));
        }
    };
    let mut free = words_of(data.all());
    for (from, &rule) in rules.iter().enumerate() {
        let mut capture = take(&mut free, covers.column(rule as usize));
        for (to, &taker) in rules.iter().enumerate().skip(from + 1) {
            keep(take(&mut capture, covers.column(taker as usize)), from, to);
        }
        keep(capture, from, rules.len());
    }
    keep(free, rules.len(), rules.len());
    (pieces, ways)
}
