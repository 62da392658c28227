//! Moves scored by difference against lists scored from nothing.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(feature = "naive")]

use sbrl_engine::rng::ChainRng;
use sbrl_engine::search::layout::{Change, Layout, Room, See};
use sbrl_engine::search::moves::Move;
use sbrl_engine::search::proposal::Proposer;
use sbrl_engine::search::state::State;
use sbrl_engine::search::Problem;
use sbrl_engine::testing::random_problem;

/// Random moves, each scored before, scored after, and set against a list built from nothing.
#[test]
fn every_move_is_scored_as_a_fresh_list() {
    for seed in 0..30 {
        let mut rng = ChainRng::new(seed, 0);
        let problem = random_problem(&mut rng);
        let mut state = State::empty(&problem);
        let mut proposer = Proposer::new(problem.pool.len(), usize::MAX, &[]);
        for _ in 0..60 {
            let Some(proposal) = proposer.propose(&mut rng, state.rules()) else {
                break;
            };
            let promised = state.try_move(proposal.change, f64::NEG_INFINITY).unwrap();
            let expected = proposal.change.applied_to(state.rules());
            proposer.accept(proposal.change, state.rules());
            state.make(proposal.change);
            assert_eq!(state.rules(), expected);
            let (score, counts) = problem.score(state.rules());
            assert_eq!(state.counts(), counts, "after {:?}", proposal.change);
            assert!((promised - score.log_posterior()).abs() < 1e-9, "{:?}", proposal.change);
            assert!((state.score().log_posterior() - score.log_posterior()).abs() < 1e-12);
        }
    }
}

#[test]
fn the_best_insertion_is_the_best_of_all_positions() {
    for seed in 100..120 {
        let mut rng = ChainRng::new(seed, 0);
        let problem = random_problem(&mut rng);
        let n = problem.pool.len() as u32;
        let rules: Vec<u32> = (0..n / 2).collect();
        let mut state = State::with_rules(&problem, &rules);
        for candidate in n / 2..n {
            let (at, found) = state.best_insertion(candidate);
            let scores: Vec<f64> = (0..=rules.len())
                .map(|at| state.try_move(Move::Add { candidate, at }, f64::NEG_INFINITY).unwrap())
                .collect();
            let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            assert!((found - best).abs() < 1e-9 && (scores[at] - best).abs() < 1e-9);
        }
    }
}

/// One exchange after the other, each set against the list built from nothing, at every position.
#[test]
fn every_exchange_is_scored_as_a_fresh_list() {
    for seed in 200..230 {
        let mut rng = ChainRng::new(seed, 0);
        let problem = random_problem(&mut rng);
        let n = problem.pool.len() as u32;
        let rules: Vec<u32> = (0..n).filter(|rule| rule % 2 == 0).collect();
        let mut state = State::with_rules(&problem, &rules);
        for from in 0..rules.len() {
            let candidates = (0..n).filter(|rule| rule % 2 == 1 || *rule == rules[from]);
            for candidate in candidates.take(8) {
                let found = state.exchanges(from, candidate).to_vec();
                assert_eq!(found.len(), rules.len());
                for (at, found) in found.into_iter().enumerate() {
                    let mut list = rules.clone();
                    list.remove(from);
                    list.insert(at, candidate);
                    let expected = problem.score(&list).0.log_posterior();
                    assert!((found - expected).abs() < 1e-8, "{from} {candidate} {at}: {found} {expected}");
                }
            }
        }
    }
}

/// Everything that a layout tells, set against lists built from nothing.
#[test]
fn a_layout_scores_every_change_as_a_fresh_list() {
    for seed in 300..330 {
        let mut rng = ChainRng::new(seed, 0);
        let problem = random_problem(&mut rng);
        let n = problem.pool.len() as u32;
        let rules: Vec<u32> = (0..n).filter(|rule| rule % 3 == (seed % 3) as u32).take(12).collect();
        let layout = Layout::new(&problem, &rules);
        let mut seen = Seen { problem: &problem, rules: &rules, best: f64::NEG_INFINITY };
        layout.show_removals(&mut seen);
        let mut room = Room::default();
        for candidate in 0..n {
            seen.best = f64::NEG_INFINITY;
            layout.show_changes(candidate, &mut room, &mut seen);
            let expected = best_by_hand(&problem, &rules, candidate);
            assert!((seen.best - expected).abs() < 1e-8, "the best of {candidate}: {} {expected}", seen.best);
        }
    }
}

/// Sets every change it sees against a list built from nothing, and keeps the best.
struct Seen<'a> {
    problem: &'a Problem,
    rules: &'a [u32],
    best: f64,
}

impl See for Seen<'_> {
    fn least(&self) -> f64 {
        self.best
    }

    fn see(&mut self, found: f64, change: Change) {
        let expected = self.problem.score(&change.applied_to(self.rules)).0.log_posterior();
        assert!((found - expected).abs() < 1e-8, "{change:?}: {found} {expected}");
        self.best = self.best.max(found);
    }
}

/// The best that an unused candidate can do alone or for a rule, or a used one at another place.
fn best_by_hand(problem: &Problem, rules: &[u32], candidate: u32) -> f64 {
    let score = |list: &[u32]| problem.score(list).0.log_posterior();
    let own = rules.iter().position(|&rule| rule == candidate);
    let mut best = f64::NEG_INFINITY;
    for from in own.map_or(0..rules.len() + 1, |own| own..own + 1) {
        // none is taken out when `from` is past the end
        let mut rest = rules.to_vec();
        rest.drain(from.min(rules.len())..(from + 1).min(rules.len()));
        for at in 0..=rest.len() {
            let mut list = rest.clone();
            list.insert(at, candidate);
            best = best.max(score(&list));
        }
    }
    best
}
