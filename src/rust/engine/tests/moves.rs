//! Moves scored by difference against lists scored from scratch.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use sbrl_engine::control::Control;
use sbrl_engine::error::Error;
use sbrl_engine::rng::ChainRng;
use sbrl_engine::search::list::moves::Move;
use sbrl_engine::search::list::neighbourhood::{CandidateScratch, MoveSink, Neighbourhood};
use sbrl_engine::search::list::RuleListState;
use sbrl_engine::search::problem::row_sets::RowSets;
use sbrl_engine::search::record::Trace;
use sbrl_engine::search::residual::ResidualProblem;
use sbrl_engine::search::sample::chain::Chain;
use sbrl_engine::search::sample::proposal::Proposer;
use sbrl_engine::search::Problem;
use sbrl_engine::testing::random_problem;

/// Random moves, each scored before, scored after, and set against a list built from nothing.
#[test]
fn every_move_is_scored_as_a_fresh_list() {
    for seed in 0..30 {
        let mut rng = ChainRng::new(seed, 0);
        let problem = random_problem(&mut rng);
        let mut state = RuleListState::empty(&problem);
        let mut proposer = Proposer::new(problem.pool.len(), usize::MAX, &[]);
        for _ in 0..60 {
            let Some(proposal) = proposer.propose(&mut rng, state.rules()) else {
                break;
            };
            let promised = state.log_posterior_after(proposal.change, f64::NEG_INFINITY).unwrap();
            let expected = proposal.change.applied_to(state.rules());
            proposer.accept(proposal.change, state.rules());
            state.apply(proposal.change);
            assert_eq!(state.rules(), expected);
            let (score, counts) = problem.score(state.rules());
            assert_eq!(state.counts(), counts, "after {:?}", proposal.change);
            assert!((promised - score.log_posterior()).abs() < 1e-9, "{:?}", proposal.change);
            assert!((state.score().log_posterior() - score.log_posterior()).abs() < 1e-12);
        }
    }
}

#[test]
fn every_insertion_is_scored_as_the_move() {
    for seed in 100..120 {
        let mut rng = ChainRng::new(seed, 0);
        let problem = random_problem(&mut rng);
        let n = problem.pool.len() as u32;
        let rules: Vec<u32> = (0..n / 2).collect();
        let mut state = RuleListState::with_rules(&problem, &rules);
        for candidate in n / 2..n {
            let found = state.insertions(candidate).to_vec();
            assert_eq!(found.len(), rules.len() + 1);
            for (at, found) in found.into_iter().enumerate() {
                let expected = state
                    .log_posterior_after(Move::Add { candidate, position: at }, f64::NEG_INFINITY)
                    .unwrap();
                assert!((found - expected).abs() < 1e-9, "{candidate} {at}: {found} {expected}");
            }
        }
    }
}

/// One exchange after the other, each set against the list built from nothing, at every position.
#[test]
fn every_exchange_is_scored_as_a_fresh_list() {
    for seed in 200..220 {
        let mut rng = ChainRng::new(seed, 0);
        let problem = random_problem(&mut rng);
        let n = problem.pool.len() as u32;
        let rules: Vec<u32> = (0..n).filter(|rule| rule % 2 == 0).collect();
        let mut state = RuleListState::with_rules(&problem, &rules);
        for from in 0..rules.len() {
            let candidates = (0..n).filter(|rule| rule % 2 == 1 || *rule == rules[from]);
            for candidate in candidates.take(4) {
                let found = state.exchanges(from, candidate).to_vec();
                assert_eq!(found.len(), rules.len());
                for (position, found) in found.into_iter().enumerate() {
                    let change = Move::Exchange { from, candidate, position };
                    let list = change.applied_to(&rules);
                    let expected = problem.log_posterior(&list);
                    assert!((found - expected).abs() < 1e-8, "{change:?}: {found} {expected}");
                    if (from + position) % 5 > 0 {
                        continue;
                    }
                    let proposed = state.log_posterior_after(change, f64::NEG_INFINITY).unwrap();
                    assert!((proposed - expected).abs() < 1e-8, "{change:?}: {proposed} {expected}");
                    let mut changed = state.clone();
                    changed.apply(change);
                    assert_eq!(changed.rules(), list);
                    assert_eq!(changed.counts(), problem.score(&list).1);
                }
            }
        }
    }
}

/// Everything that a neighbourhood offers, set against lists built from nothing.
#[test]
fn a_neighbourhood_scores_every_move_as_a_fresh_list() {
    for seed in 300..330 {
        let mut rng = ChainRng::new(seed, 0);
        let problem = random_problem(&mut rng);
        let n = problem.pool.len() as u32;
        let rules: Vec<u32> = (0..n).filter(|rule| rule % 3 == (seed % 3) as u32).take(12).collect();
        let neighbourhood = Neighbourhood::new(&problem, &rules);
        let mut seen = Seen { problem: &problem, rules: &rules, best: f64::NEG_INFINITY };
        neighbourhood.visit_removals(&mut seen);
        let mut scratch = CandidateScratch::default();
        for candidate in 0..n {
            seen.best = f64::NEG_INFINITY;
            neighbourhood.visit_candidate(candidate, &mut scratch, &mut seen);
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

impl MoveSink for Seen<'_> {
    fn threshold(&self) -> f64 {
        self.best
    }

    fn offer(&mut self, found: f64, change: Move) {
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

/// However sets of rows are stored, counts and scores are the same to the last bit, and so is the path of a chain.
#[test]
fn every_representation_gives_the_same_lists_counts_and_scores() {
    let mut n_compared = [0; 3];
    for seed in 300..400 {
        let mut rng = ChainRng::new(seed, 0);
        let problem = random_problem(&mut rng);
        let problem = problem.limited_to(9);
        let blocks = problem.with_row_sets(RowSets::blocks(&problem.pool));
        let patterns = RowSets::patterns(&problem.pool, &Control::default());
        let leaf = problem.objective.leaf();
        let tabled = patterns.clone().map(|patterns| patterns.with_log_marginals(leaf));
        let others = [patterns, tabled, RowSets::short(&problem.pool)];
        for (n, row_sets) in n_compared.iter_mut().zip(others) {
            let Some(row_sets) = row_sets else { continue };
            *n += 1;
            let other = problem.with_row_sets(row_sets);
            walk_both(&blocks, &other, &mut rng);
            let run = |problem| {
                let mut chain = Chain::new(problem, &[], ChainRng::new(seed, 1), Trace::new(500, 50));
                chain.run(500, &Control::default());
                chain.into_report()
            };
            assert_eq!(run(&blocks), run(&other));
        }
    }
    assert!(
        n_compared.iter().all(|&n| n > 20),
        "{n_compared:?} by patterns, by tables of them and by short columns"
    );
}

fn walk_both(one: &Problem, other: &Problem, rng: &mut ChainRng) {
    let (mut first, mut second) = (RuleListState::empty(one), RuleListState::empty(other));
    let mut proposer = Proposer::new(one.pool.len(), usize::MAX, &[]);
    for _ in 0..60 {
        let Some(proposal) = proposer.propose(rng, first.rules()) else { return };
        let threshold = first.log_posterior() - 8.0 * rng.uniform();
        match (
            first.log_posterior_after(proposal.change, threshold),
            second.log_posterior_after(proposal.change, threshold),
        ) {
            // the terms are not summed up in the same order
            (Some(one), Some(other)) => assert!((one - other).abs() < 1e-9, "{one} {other}"),
            tried => assert_eq!(tried, (None, None)),
        }
        proposer.accept(proposal.change, first.rules());
        first.apply(proposal.change);
        second.apply(proposal.change);
        assert_eq!(first.rules(), second.rules());
        assert_eq!(first.counts(), second.counts());
        assert_eq!(first.score(), second.score());
        if let Some(candidate) = (0..one.pool.len() as u32).find(|rule| !first.rules().contains(rule)) {
            assert_eq!(first.insertions(candidate), second.insertions(candidate));
            for from in 0..first.rules().len() {
                assert_eq!(first.exchanges(from, candidate), second.exchanges(from, candidate));
            }
        }
    }
}

/// Lists behind a prefix, scored in the problem that it leaves, set against the whole lists.
#[test]
fn what_a_prefix_leaves_is_scored_as_the_rest_of_the_list() {
    for seed in 400..440 {
        let mut rng = ChainRng::new(seed, 0);
        let problem = random_problem(&mut rng);
        let n = problem.pool.len();
        let mut order: Vec<u32> = (0..n as u32).collect();
        (1..n).for_each(|i| order.swap(i, rng.below(i + 1)));
        let prefix = &order[..n / 4];
        let cancelled = Control::default();
        cancelled.cancel();
        assert_eq!(ResidualProblem::new(&problem, prefix, &cancelled).unwrap_err(), Error::Cancelled);
        let rest = ResidualProblem::new(&problem, prefix, &Control::default()).unwrap();
        let score = |list: &[u32]| problem.score(list).0;
        let lengths = prefix.iter().map(|&rule| problem.pool.length(rule as usize));
        let prior_of_prefix = problem.objective.prior().log_rules(lengths);
        let captured: f64 = score(prefix).log_likelihood - rest.problem.score(&[]).0.log_likelihood;
        for _ in 0..10 {
            let rules = rest.to_residual(&order[n / 4 + rng.below(n - n / 4 + 1)..]);
            let (within, whole) = (rest.problem.score(&rules).0, score(&rest.to_full(&rules)));
            assert!((within.log_likelihood + captured - whole.log_likelihood).abs() < 1e-8);
            assert!((within.log_prior + prior_of_prefix - whole.log_prior).abs() < 1e-8);
            // leaving out what covers nothing, or the same as another rule, costs nothing
            assert_eq!(rest.to_residual(&rest.to_full(&rules)[prefix.len()..]), rules);
        }
    }
}
