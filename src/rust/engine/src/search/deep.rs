//! Climb further than single moves lead: through a neighbour that is worse to one of its neighbours that is better.
//!
//! At the foot of a list two rules often have to change at once. There few rows are left, so all that the best neighbours
//! lead to can be looked at in the problem that the rules above leave (`rest.rs`).

use super::layout::{Change, Layout, Room, See};
use super::polish::{self, LEAST_GAIN};
use super::rest::Rest;
use super::Problem;
use crate::control::Control;
use crate::error::Error;

/// Shares of the rows that the parts of a list begin with, from the foot up. The last is the whole list.
const PARTS: [f64; 3] = [0.2, 0.3, 1.0];

/// How far to look.
#[derive(Debug, Clone, Copy)]
pub struct Reach {
    /// So many of the best neighbours have their own neighbours looked at.
    pub neighbours: usize,
    /// Words that may be read in all; what would take more is not begun.
    pub words: u64,
}

impl Reach {
    /// Whether there are words enough, for this many times as many.
    fn covers(&self, words: u64, times: usize) -> bool {
        words.saturating_mul(times as u64) <= self.words
    }

    fn spend(&mut self, words: u64) {
        self.words = self.words.saturating_sub(words);
    }
}

/// Climb from a polished list, part by part, until no part gets better.
pub fn deepen(
    problem: &Problem,
    rules: &[u32],
    max_length: usize,
    mut reach: Reach,
    control: &Control,
) -> Result<Vec<u32>, Error> {
    let mut rules = rules.to_vec();
    // the list that each part was last looked at in
    let mut seen = vec![Vec::new(); PARTS.len()];
    while let Some(part) = (0..PARTS.len()).find(|&part| seen[part] != rules) {
        let to_lay_out = problem.pool.len() as u64 * problem.pool.rows.n_words() as u64;
        if !reach.covers(to_lay_out, 1) || control.should_end() {
            break;
        }
        reach.spend(to_lay_out);
        let first = first_of(problem, &rules, PARTS[part]);
        let Ok(rest) = Rest::new(problem, &rules[..first], control) else { break };
        let (within, room) = (rest.within(&rules[first..]), max_length.saturating_sub(first));
        if let Some(better) = climb(&rest.problem, &within, room, &mut reach, control)? {
            // not always better than what it came from: a rule without rows, which only the prior likes, is left out there
            let whole = rest.whole(&better);
            if score(problem, &whole) > score(problem, &rules) {
                rules = whole;
            }
        }
        seen[part].clone_from(&rules);
    }
    Ok(rules)
}

fn score(problem: &Problem, rules: &[u32]) -> f64 {
    problem.score(rules).0.log_posterior()
}

/// The first position that has at most this share of the rows left to it.
fn first_of(problem: &Problem, rules: &[u32], share: f64) -> usize {
    let rows = problem.score(rules).1;
    let n_all: u64 = rows.iter().sum();
    let mut left = n_all;
    for (at, captured) in rows.chunks_exact(problem.pool.rows.n_classes()).enumerate() {
        if left as f64 <= share * n_all as f64 {
            return at.min(rules.len());
        }
        left -= captured.iter().sum::<u64>();
    }
    rules.len()
}

/// A list that neither one move nor two within reach make better, if that is not `rules` itself.
fn climb(
    problem: &Problem,
    rules: &[u32],
    max_length: usize,
    reach: &mut Reach,
    control: &Control,
) -> Result<Option<Vec<u32>>, Error> {
    let mut better: Option<Vec<u32>> = None;
    while let Some(found) =
        look_ahead(problem, better.as_deref().unwrap_or(rules), max_length, reach, control)?
    {
        better = Some(polish::polished(problem, &found, max_length, control)?);
    }
    Ok(better)
}

/// The best neighbour of a neighbour that is better than `rules`: of the first neighbour that has one.
fn look_ahead(
    problem: &Problem,
    rules: &[u32],
    max_length: usize,
    reach: &mut Reach,
    control: &Control,
) -> Result<Option<Vec<u32>>, Error> {
    let layout = Layout::new(problem, rules);
    let words = layout.n_words_to_read();
    if !reach.covers(words, reach.neighbours.saturating_add(1)) {
        return Ok(None);
    }
    let now = score(problem, rules);
    let neighbours = Neighbours::of(problem, &layout, reach.neighbours, rules.len() >= max_length, control);
    reach.spend(words);
    for (log_posterior, change) in neighbours {
        if control.should_end() {
            break;
        }
        if (log_posterior - now).abs() < LEAST_GAIN {
            // the same captures in another order
            continue;
        }
        let between = change.applied_to(rules);
        let (layout, is_full) = (Layout::new(problem, &between), between.len() >= max_length);
        let better = polish::improvements(problem, &layout, 1, now + LEAST_GAIN, is_full, control)?;
        reach.spend(words);
        let found = better.first().map(|(_, change)| change.applied_to(&between));
        if let Some(found) = found.filter(|found| score(problem, found) > now) {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// The best neighbours of a list. Of those with the same score, which nearly always capture the same, the first is enough.
#[derive(Debug)]
struct Neighbours {
    most: usize,
    found: Vec<(f64, Change)>,
    least: f64,
    /// Whether no rule may be added.
    is_full: bool,
}

impl Neighbours {
    /// The `most` best ones, best first.
    fn of(
        problem: &Problem,
        layout: &Layout<'_>,
        most: usize,
        is_full: bool,
        control: &Control,
    ) -> Vec<(f64, Change)> {
        let mut neighbours = Neighbours { most, found: Vec::new(), least: f64::NEG_INFINITY, is_full };
        layout.show_removals(&mut neighbours);
        let mut room = Room::default();
        for candidate in 0..problem.pool.len() as u32 {
            if control.should_end() {
                break;
            }
            layout.show_changes(candidate, &mut room, &mut neighbours);
        }
        neighbours.keep_best();
        neighbours.found
    }

    fn keep_best(&mut self) {
        self.found.sort_by(|a, b| b.0.total_cmp(&a.0));
        self.found.dedup_by(|next, kept| kept.0 - next.0 < LEAST_GAIN);
        if self.found.len() >= self.most {
            self.found.truncate(self.most);
            self.least = self.found.last().map_or(self.least, |&(log_posterior, _)| log_posterior);
        }
    }
}

impl See for Neighbours {
    fn least(&self) -> f64 {
        self.least
    }

    fn see(&mut self, log_posterior: f64, change: Change) {
        if self.is_full && matches!(change, Change::Add { .. }) {
            return;
        }
        self.found.push((log_posterior, change));
        if self.found.len() > self.most.saturating_mul(2) {
            self.keep_best();
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::rng::ChainRng;
    use crate::testing::{neighbours, random_source};

    const ALL: Reach = Reach { neighbours: usize::MAX, words: u64::MAX };

    #[test]
    fn no_two_changes_better_a_list_that_was_climbed_to() {
        let (mut n_looked_at, mut n_better) = (0, 0);
        for seed in 0..60 {
            let problem = random_source(&mut ChainRng::new(seed, 3)).with_items(5).problem();
            for max_length in [0, 1, 3] {
                let control = Control::default();
                let polished = polish::polished(&problem, &[], max_length, &control).unwrap();
                let found = climb(&problem, &polished, max_length, &mut { ALL }, &control).unwrap();
                n_better += usize::from(found.is_some());
                let found = found.unwrap_or(polished);
                assert!(found.len() <= max_length);
                let between = neighbours(&problem, &found, max_length);
                let scores: Vec<f64> = between.iter().map(|rules| score(&problem, rules)).collect();
                let now = score(&problem, &found);
                for (rules, own) in between.iter().zip(&scores) {
                    let same = scores.iter().chain([&now]).filter(|other| (*other - own).abs() < 1e-6);
                    if same.count() > 1 {
                        // another one may have been looked at for it
                        continue;
                    }
                    n_looked_at += 1;
                    for next in neighbours(&problem, rules, max_length) {
                        assert!(score(&problem, &next) < now + 1e-6, "seed {seed}: {next:?} {found:?}");
                    }
                }
            }
        }
        assert!(n_looked_at > 500 && n_better > 0, "{n_looked_at} {n_better}");
    }

    #[test]
    fn parts_never_make_a_list_worse_and_nothing_is_begun_that_would_read_too_much() {
        for seed in 0..60 {
            let problem = random_source(&mut ChainRng::new(seed, 4)).problem();
            let control = Control::default();
            for max_length in [0, 1, 2, 9] {
                let polished = polish::polished(&problem, &[], max_length, &control).unwrap();
                let deepened =
                    |reach: Reach| deepen(&problem, &polished, max_length, reach, &control).unwrap();
                assert_eq!(deepened(Reach { words: 0, ..ALL }), polished);
                for reach in [Reach { neighbours: 5, words: 100_000 }, Reach { neighbours: 0, ..ALL }, ALL] {
                    let found = deepened(reach);
                    assert!(found.len() <= max_length);
                    assert!(score(&problem, &found) >= score(&problem, &polished));
                }
            }
        }
    }

    #[test]
    fn a_part_begins_where_few_rows_are_left() {
        for seed in 0..30 {
            let problem = random_source(&mut ChainRng::new(seed, 5)).problem();
            let rules: Vec<u32> = (0..problem.pool.len().min(6) as u32).collect();
            let counts = problem.score(&rules).1;
            let k = problem.pool.rows.n_classes();
            let n_all: u64 = counts.iter().sum();
            for share in [0.0, 0.3, 0.7, 1.0] {
                let first = first_of(&problem, &rules, share);
                let left = |at: usize| counts[at * k..].iter().sum::<u64>() as f64;
                assert!(first == rules.len() || left(first) <= share * n_all as f64);
                assert!(first == 0 || left(first - 1) > share * n_all as f64);
            }
            assert_eq!(first_of(&problem, &rules, 1.0), 0);
        }
    }
}
