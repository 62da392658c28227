//! One list among equals: of all lists that give each training row the same probabilities and have the same log posterior, the
//! one that is returned, whichever of them a search came across.
//!
//! A list cuts the rows into *blocks*, those that a rule captures and those that are left. Lists with the same blocks differ in
//! which block is left to the default rule, in the order of the rules, and in the candidate that captures each block. The choice:
//!
//! 1. as few conditions as possible;
//! 2. each next rule is the one, of those that could come next, whose observed shares are furthest from those of all rows
//!    (total variation), then the one that captures more rows, then the one whose candidate comes first;
//! 3. the candidate of a rule is, of those that capture its block there, the one with the fewest conditions, then the one that
//!    covers most rows, then the one whose conditions are simplest to say, then the one whose columns come first;
//! 4. of the blocks that can be left to the default rule, the one with which the first rule captures most rows, then the second
//!    and so on; then the one whose candidates come first.
//!
//! # Why going from the top down finds an order
//!
//! A candidate captures block B once the rows that are left, L, satisfy `cover ∩ L = B`. If that is so for some L, it is so for every
//! smaller L that contains B. So a block that can come next can also come later. In the order of any list with these blocks,
//! the first rule whose block is not yet placed can come next, whatever was placed before it; so there always is one, and the
//! result depends on the blocks alone, not on the list that they come from.

use super::problem::{Problem, CHUNK, MIN_GAIN};
use crate::control::Control;
use std::cmp::{Ordering, Reverse};

/// The canonical form of the list `rules`. Its log posterior is no lower.
pub fn canonical(problem: &Problem, rules: &[u32], control: &Control) -> Vec<u32> {
    let blocks = Blocks::of(problem, rules, control);
    let least = problem.log_posterior(rules);
    let n_choices = if blocks.left.is_empty() { 1 } else { blocks.captured.len() + 1 };
    let mut best: Option<(ListRank, Vec<u32>)> = None;
    for choice in 0..n_choices {
        if control.should_end() {
            return in_canonical_order(problem, rules.to_vec(), control);
        }
        // the last one is the default rule's as it is
        let default = (choice < blocks.captured.len() && n_choices > 1).then_some(choice);
        for lengths in [Lengths::Any, Lengths::SameInAll, Lengths::SameEach] {
            let Some(found) = blocks.arrange(default, lengths, control) else { continue };
            let log_posterior = problem.log_posterior(&found);
            if log_posterior < least - tolerance(least) {
                continue;
            }
            let rank = rank_of_list(problem, &found, log_posterior - least > tolerance(least));
            if best.as_ref().map_or(true, |(known, _)| rank < *known) {
                best = Some((rank, found));
            }
            break;
        }
    }
    best.map_or_else(|| in_canonical_order(problem, rules.to_vec(), control), |(_, rules)| rules)
}

/// Of lists with the same log posterior, the one that comes first by its canonical form.
pub fn first_of(problem: &Problem, lists: &[Vec<u32>], control: &Control) -> Option<Vec<u32>> {
    let forms = lists.iter().map(|rules| canonical(problem, rules, control));
    forms.min_by_key(|rules| rank_of_list(problem, rules, false))
}

/// Log posteriors nearer to `value` than this are equal to it.
pub fn tolerance(value: f64) -> f64 {
    MIN_GAIN * value.abs().max(1.0)
}

/// Lists come in this order: by their conditions, by what their rules capture, by their candidates. A better one comes first.
type ListRank = (Reverse<bool>, usize, Vec<Reverse<u64>>, Vec<u32>);

fn rank_of_list(problem: &Problem, rules: &[u32], is_better: bool) -> ListRank {
    let n_conditions = rules.iter().map(|&rule| problem.length(rule)).sum();
    let counts = problem.score(rules).1;
    let captured = counts.chunks_exact(problem.n_classes()).take(rules.len());
    let captured = captured.map(|counts| Reverse(counts.iter().sum())).collect();
    (Reverse(is_better), n_conditions, captured, rules.to_vec())
}

/// Candidates that cover the same rows come in this order; see above.
fn rank_of_candidate(problem: &Problem, candidate: u32) -> (usize, Reverse<u64>, u32, &[u32], u32) {
    let pool = &problem.pool;
    let items = pool.antecedents.get(candidate as usize);
    let n_covered = pool.counts(candidate as usize).iter().sum();
    let words = items.iter().map(|&item| pool.item_words.get(item as usize).copied().unwrap_or(1)).sum();
    (items.len(), Reverse(n_covered), words, items, candidate)
}

/// How many conditions rules may have. The prior depends on them, so the fewest need not be the best.
#[derive(Clone, Copy)]
enum Lengths {
    Any,
    /// As many as in the list that is given, in any order.
    SameInAll,
    /// Each rule as many as the one that captures its rows in that list.
    SameEach,
}

/// Rows of a leaf.
struct Block {
    /// Words with such a row, by number.
    words: Vec<(usize, u64)>,
    /// Conditions of the rule that captures them in the list that is given; of the default rule, 0.
    length: usize,
    /// How far its shares are from those of all rows.
    distance: f64,
    n_captured: u64,
    /// The candidates that cover it, first to last.
    candidates: Vec<u32>,
}

impl Block {
    /// Whether the candidate with this cover captures it once these rows are left.
    fn is_captured(&self, cover: &[u64], left: &[u64]) -> bool {
        let mut words = self.words.iter().peekable();
        cover.iter().zip(left).enumerate().all(|(index, (cover, left))| {
            let own = words.next_if(|(word, _)| *word == index).map_or(0, |(_, bits)| *bits);
            cover & left == own
        })
    }

    /// Blocks further from the shares of all rows come first, then larger ones.
    fn order(&self, other: &Block) -> Ordering {
        other.distance.total_cmp(&self.distance).then(other.n_captured.cmp(&self.n_captured))
    }

    /// Takes these rows out of those that are left.
    fn leave(&self, left: &mut [u64]) {
        self.words.iter().for_each(|&(word, bits)| left[word] &= !bits);
    }

    fn is_covered(&self, cover: &[u64]) -> bool {
        self.words.iter().all(|&(word, bits)| cover[word] & bits == bits)
    }
}

/// What a list makes of the rows.
struct Blocks<'a> {
    problem: &'a Problem,
    captured: Vec<Block>,
    /// The rows of the default rule: one block, or none.
    left: Vec<Block>,
    /// Conditions of rules that capture nothing, fewest first.
    empty: Vec<usize>,
}

impl<'a> Blocks<'a> {
    fn of(problem: &'a Problem, rules: &[u32], control: &Control) -> Self {
        let mut left = problem.pool.rows.all().to_vec();
        let mut blocks = Blocks { problem, captured: Vec::new(), left: Vec::new(), empty: Vec::new() };
        for &rule in rules {
            let cover = problem.pool.covers.column(rule as usize);
            let rows: Vec<u64> = left.iter().zip(cover).map(|(left, cover)| left & cover).collect();
            left.iter_mut().zip(cover).for_each(|(left, cover)| *left &= !cover);
            match blocks.block(&rows, problem.length(rule), control) {
                Some(block) => blocks.captured.push(block),
                None => blocks.empty.push(problem.length(rule)),
            }
        }
        blocks.left = blocks.block(&left, 0, control).into_iter().collect();
        blocks.empty.sort_unstable();
        blocks
    }

    /// The block of these rows; none if there is none.
    fn block(&self, rows: &[u64], length: usize, control: &Control) -> Option<Block> {
        let words: Vec<(usize, u64)> =
            rows.iter().copied().enumerate().filter(|(_, bits)| *bits != 0).collect();
        if words.is_empty() {
            return None;
        }
        let pool = &self.problem.pool;
        let counts = pool.rows.count(rows);
        let distance = total_variation(&counts, pool.rows.class_counts());
        let n_captured = counts.iter().sum();
        let mut block = Block { words, length, distance, n_captured, candidates: Vec::new() };
        for candidate in 0..pool.len() as u32 {
            if candidate % CHUNK == 0 && control.should_end() {
                break;
            }
            if block.is_covered(pool.covers.column(candidate as usize)) {
                block.candidates.push(candidate);
            }
        }
        block.candidates.sort_by_cached_key(|&candidate| {
            let (length, covered, words, items, candidate) = rank_of_candidate(self.problem, candidate);
            (length, covered, words, items.to_vec(), candidate)
        });
        Some(block)
    }

    /// The list whose default rule captures the block `default`; with `None`, the block it captures now. `None` if no such list exists.
    fn arrange(&self, default: Option<usize>, lengths: Lengths, control: &Control) -> Option<Vec<u32>> {
        let mut open: Vec<(&Block, usize)> =
            self.captured.iter().map(|block| (block, block.length)).collect();
        let mut free: Vec<usize> = open.iter().map(|(_, length)| *length).collect();
        if let Some(default) = default {
            // the rows that were left get the place of the rule that goes
            open[default].0 = &self.left[0];
        }
        let mut left = self.problem.pool.rows.all().to_vec();
        let mut placed = Vec::with_capacity(open.len());
        while !open.is_empty() {
            let next = open.iter().enumerate().filter_map(|(index, &(block, own))| {
                let has_length = |length: usize| match lengths {
                    Lengths::Any => true,
                    Lengths::SameInAll => free.contains(&length),
                    Lengths::SameEach => length == own,
                };
                Some((index, self.first_candidate(block, &left, has_length)?))
            });
            let (index, candidate) = next.min_by(|one, other| {
                let (a, b) = (open[one.0].0, open[other.0].0);
                a.order(b).then(one.1.cmp(&other.1))
            })?;
            let (block, _) = open.swap_remove(index);
            block.leave(&mut left);
            let length = self.problem.length(candidate);
            if let Some(index) = free.iter().position(|&other| other == length) {
                free.swap_remove(index);
            }
            placed.push((block, candidate));
        }
        self.exchange(&mut placed, control);
        let mut rules: Vec<u32> = placed.iter().map(|(_, candidate)| *candidate).collect();
        self.add_empty(&left, &mut rules)?;
        Some(rules)
    }

    /// Puts the further of two neighbouring blocks first where other candidates allow it with no more conditions. So it makes no
    /// difference which of the two had the shorter candidate. Where any length is allowed, the order is such already.
    fn exchange(&self, placed: &mut [(&Block, u32)], control: &Control) {
        let candidates =
            |placed: &[(&Block, u32)]| placed.iter().map(|(_, candidate)| *candidate).collect::<Vec<_>>();
        let mut is_sorted = false;
        while !is_sorted && !control.should_end() {
            is_sorted = true;
            let mut left = self.problem.pool.rows.all().to_vec();
            for first in 0..placed.len().saturating_sub(1) {
                let (a, b) = (placed[first], placed[first + 1]);
                if b.0.order(a.0).is_lt() {
                    let n_conditions = self.problem.length(a.1) + self.problem.length(b.1);
                    if let Some((one, other)) = self.exchanged(a.0, b.0, &left, n_conditions) {
                        let before = self.problem.log_posterior(&candidates(placed));
                        (placed[first], placed[first + 1]) = ((b.0, one), (a.0, other));
                        if self.problem.log_posterior(&candidates(placed)) >= before - tolerance(before) {
                            is_sorted = false;
                        } else {
                            (placed[first], placed[first + 1]) = (a, b);
                        }
                    }
                }
                placed[first].0.leave(&mut left);
            }
        }
    }

    /// Candidates for block `b` before block `a`, with no more conditions than this.
    fn exchanged(&self, a: &Block, b: &Block, left: &[u64], n_conditions: usize) -> Option<(u32, u32)> {
        let one = self.first_candidate(b, left, |_| true)?;
        let mut then = left.to_vec();
        b.leave(&mut then);
        let least = n_conditions.checked_sub(self.problem.length(one))?;
        let other = self.first_candidate(a, &then, |length| length <= least)?;
        Some((one, other))
    }

    fn first_candidate(
        &self,
        block: &Block,
        left: &[u64],
        has_length: impl Fn(usize) -> bool,
    ) -> Option<u32> {
        let covers = &self.problem.pool.covers;
        let is_it = |&&candidate: &&u32| {
            has_length(self.problem.length(candidate))
                && block.is_captured(covers.column(candidate as usize), left)
        };
        block.candidates.iter().find(is_it).copied()
    }

    /// Rules that capture none of the rows that are left come last, as many of each length as there were.
    fn add_empty(&self, left: &[u64], rules: &mut Vec<u32>) -> Option<()> {
        let pool = &self.problem.pool;
        for &length in &self.empty {
            let is_empty = |candidate: &u32| {
                let cover = pool.covers.column(*candidate as usize);
                self.problem.length(*candidate) == length
                    && !rules.contains(candidate)
                    && cover.iter().zip(left).all(|(cover, left)| cover & left == 0)
            };
            let first = (0..pool.len() as u32).filter(is_empty).min_by(|&a, &b| {
                rank_of_candidate(self.problem, a).cmp(&rank_of_candidate(self.problem, b))
            })?;
            rules.push(first);
        }
        Some(())
    }
}

/// Half the sum of the differences between the shares of the classes in a leaf and in all rows.
fn total_variation(counts: &[u64], all: &[u64]) -> f64 {
    let share =
        |counts: &[u64], class: usize| counts[class] as f64 / counts.iter().sum::<u64>().max(1) as f64;
    0.5 * (0..all.len()).map(|class| (share(counts, class) - share(all, class)).abs()).sum::<f64>()
}

/// The order of version 1.4's calls, which keeps the candidates: where two neighbouring rules can change places, still capture what
/// they captured and leave the score as it is (the prior depends on their order once a length has no candidates left), the one
/// that captured more rows goes first, or else the candidate that comes first in the pool.
pub fn in_canonical_order(problem: &Problem, mut rules: Vec<u32>, control: &Control) -> Vec<u32> {
    let k = problem.n_classes();
    let (score, mut counts) = problem.score(&rules);
    let rank = |counts: &[u64], rules: &[u32], position: usize| {
        let n_captured: u64 = counts[position * k..(position + 1) * k].iter().sum();
        (Reverse(n_captured), rules[position])
    };
    let mut is_sorted = false;
    while !is_sorted && !control.should_end() {
        is_sorted = true;
        for first in 0..rules.len().saturating_sub(1) {
            if rank(&counts, &rules, first) < rank(&counts, &rules, first + 1) {
                continue;
            }
            let mut swapped = rules.clone();
            swapped.swap(first, first + 1);
            let (new_score, found) = problem.score(&swapped);
            let mut expected = counts.clone();
            expected[first * k..(first + 2) * k].rotate_left(k);
            let is_tie = (new_score.log_posterior() - score.log_posterior()).abs() < MIN_GAIN;
            if is_tie && found == expected {
                (rules, counts, is_sorted) = (swapped, found, false);
            }
        }
    }
    rules
}
