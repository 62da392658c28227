//! Lists that are admissible by what their rules capture, falling or rising lists and least numbers of rows, against enumeration.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod samples;

use sbrl_engine::control::Control;
use sbrl_engine::error::Error;
use sbrl_engine::rng::ChainRng;
use sbrl_engine::search::certify::ProofBudget;
use sbrl_engine::search::list::moves::Move;
use sbrl_engine::search::list::neighbourhood::{CandidateScratch, MoveSink, Neighbourhood};
use sbrl_engine::search::list::RuleListState;
use sbrl_engine::search::problem::admission::{Admission, Order};
use sbrl_engine::search::residual::ResidualProblem;
use sbrl_engine::search::sample::proposal::Proposer;
use sbrl_engine::search::{certify_list, search, AmongEquals, Method, Problem, Settings};
use sbrl_engine::testing::{in_every_form, random_problem, random_source, Enumerated};

/// The constraints, one after the other.
fn admission(problem: &Problem, index: usize) -> Admission {
    let n_rows: u64 = problem.pool.rows.class_counts().iter().sum();
    let free = *problem.objective.admission();
    match index % 4 {
        0 => free.with_order(Order::Falling { which: 1 }),
        1 => free.with_min_captured(n_rows / 6 + 1),
        2 => free.with_order(Order::Rising { which: 0 }).with_min_captured(2),
        _ => free.with_order(Order::Falling { which: 0 }).with_min_captured(n_rows / 12),
    }
}

/// The same by the definition, from all counts of a list.
fn is_admissible(problem: &Problem, rules: &[u32], alpha: &[f64]) -> bool {
    let counts = problem.score(rules).1;
    let leaves: Vec<&[u64]> = counts.chunks_exact(alpha.len()).collect();
    let admission = problem.objective.admission();
    let total: f64 = alpha.iter().sum();
    let probability = |leaf: &[u64], class: usize| {
        (leaf[class] as f64 + alpha[class]) / (leaf.iter().sum::<u64>() as f64 + total)
    };
    let in_order = |pair: &[&[u64]]| match admission.order {
        Order::Any => true,
        // ties may be decided by rounding
        Order::Falling { which } => probability(pair[1], which) <= probability(pair[0], which) + 1e-12,
        Order::Rising { which } => probability(pair[1], which) >= probability(pair[0], which) - 1e-12,
    };
    let has_rows = |leaf: &&[u64]| leaf.iter().sum::<u64>() >= admission.min_captured;
    leaves[..rules.len()].iter().all(has_rows) && leaves.windows(2).all(in_order)
}

/// Shaped problems with admissible and inadmissible lists, all of which can be looked at.
fn problems(n: usize) -> Vec<(Problem, Vec<f64>)> {
    let mut found = Vec::new();
    for seed in 3000.. {
        let source = random_source(&mut ChainRng::new(seed, 9)).with_items(6);
        let free = source.problem().limited_to(3);
        let is_extreme = !(0.1..100.0).contains(&source.hyperparameters.lambda);
        if is_extreme || !(3..=5).contains(&free.pool.len()) {
            continue;
        }
        let problem = free.with_admission(admission(&free, found.len()));
        let lists = Enumerated::new(&problem);
        let n_admissible = lists.log_likelihoods.iter().filter(|ell| ell.is_finite()).count();
        if n_admissible >= 4 && n_admissible + 4 <= lists.lists.len() {
            found.push((problem, source.hyperparameters.alpha));
        }
        if found.len() == n {
            break;
        }
    }
    found
}

#[test]
fn admissible_lists_are_those_of_the_definition_and_keep_their_scores() {
    let mut n = [0; 2];
    for (problem, alpha) in problems(24) {
        let free = problem.with_admission(Admission::of_length(3));
        for list in Enumerated::new(&problem).lists {
            let (score, of_free) = (problem.score(&list).0, free.score(&list).0);
            let expected = is_admissible(&problem, &list, &alpha);
            n[usize::from(expected)] += 1;
            assert_eq!(score.log_prior, of_free.log_prior);
            let log_likelihood = if expected { of_free.log_likelihood } else { f64::NEG_INFINITY };
            assert_eq!(score.log_likelihood, log_likelihood, "{list:?}");
        }
    }
    assert!(n[0] > 300 && n[1] > 300, "{n:?}");
}

/// Scores that are equal, or both −∞.
fn is_same(found: f64, expected: f64) -> bool {
    found == expected || (found - expected).abs() < 1e-8
}

/// Random moves from any list, admissible or not: an inadmissible list is never proposed, and all others have their scores.
#[test]
fn every_move_is_scored_as_a_fresh_list_or_refused() {
    let mut n = [0; 2];
    for seed in 0..40 {
        let mut rng = ChainRng::new(seed, 30);
        let free = random_problem(&mut rng);
        let shaped = free.with_admission(admission(&free, seed as usize));
        for problem in in_every_form(&shaped) {
            let mut state = RuleListState::empty(&problem);
            let mut proposer = Proposer::new(problem.pool.len(), usize::MAX, &[]);
            for _ in 0..60 {
                let Some(proposal) = proposer.propose(&mut rng, state.rules()) else { break };
                let expected = problem.log_posterior(&proposal.change.applied_to(state.rules()));
                let found = state.log_posterior_after(proposal.change, f64::NEG_INFINITY);
                n[usize::from(found.is_some())] += 1;
                assert!(is_same(found.unwrap_or(f64::NEG_INFINITY), expected), "{:?}", proposal.change);
                // inadmissible lists must be left more often than entered, or nothing else is seen
                if found.is_some() || rng.below(10) == 0 {
                    proposer.accept(proposal.change, state.rules());
                    state.apply(proposal.change);
                    let (score, counts) = problem.score(state.rules());
                    assert_eq!(state.counts(), counts);
                    assert!(is_same(state.log_posterior(), score.log_posterior()));
                    assert_eq!(state.is_admissible(), score.log_likelihood.is_finite());
                }
            }
        }
    }
    assert!(n[0] > 500 && n[1] > 500, "{n:?}");
}

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
        let expected = self.problem.log_posterior(&change.applied_to(self.rules));
        assert!((found - expected).abs() < 1e-8, "{change:?}: {found} {expected}");
        self.best = self.best.max(found);
    }
}

#[test]
fn insertions_exchanges_and_neighbourhoods_know_what_is_admissible() {
    let mut n = [0; 2];
    for seed in 100..160 {
        let mut rng = ChainRng::new(seed, 30);
        let free = random_problem(&mut rng);
        let problem = free.with_admission(admission(&free, seed as usize));
        let n_candidates = problem.pool.len() as u32;
        let n_rules = 1 + rng.below(4);
        let rules: Vec<u32> = (0..n_candidates).filter(|_| rng.below(3) == 0).take(n_rules).collect();
        let neighbourhood = Neighbourhood::new(&problem, &rules);
        let forms = in_every_form(&problem);
        let mut states: Vec<_> = forms.iter().map(|form| RuleListState::with_rules(form, &rules)).collect();
        let mut scratch = CandidateScratch::default();
        let mut seen = Seen { problem: &problem, rules: &rules, best: f64::NEG_INFINITY };
        neighbourhood.visit_removals(&mut seen);
        let removals = (0..rules.len()).map(|position| Move::Remove { position }.applied_to(&rules));
        let best = removals.map(|list| problem.log_posterior(&list)).fold(f64::NEG_INFINITY, f64::max);
        assert!(is_same(seen.best, best));
        for candidate in (0..n_candidates).filter(|rule| !rules.contains(rule)).take(8) {
            let score = |change: Move| problem.log_posterior(&change.applied_to(&rules));
            let mut best = f64::NEG_INFINITY;
            for state in &mut states {
                for (position, &found) in state.insertions(candidate).iter().enumerate() {
                    let expected = score(Move::Add { candidate, position });
                    assert!(is_same(found, expected), "{candidate} at {position}: {found} {expected}");
                    n[usize::from(found.is_finite())] += 1;
                    best = best.max(expected);
                }
                for from in 0..rules.len() {
                    for (position, &found) in state.exchanges(from, candidate).iter().enumerate() {
                        let expected = score(Move::Exchange { from, candidate, position });
                        assert!(is_same(found, expected), "{from} {position}: {found} {expected}");
                        best = best.max(expected);
                    }
                }
            }
            seen.best = f64::NEG_INFINITY;
            neighbourhood.visit_candidate(candidate, &mut scratch, &mut seen);
            assert!(is_same(seen.best, best), "seed {seed}, {candidate}: {} {best}", seen.best);
        }
    }
    assert!(n[0] > 300 && n[1] > 150, "{n:?}");
}

#[test]
fn what_a_prefix_leaves_must_follow_its_last_rule() {
    let mut n = [0; 2];
    for seed in 0..60 {
        let mut rng = ChainRng::new(seed, 31);
        let free = random_problem(&mut rng);
        let problem = free.with_admission(admission(&free, seed as usize));
        let mut order: Vec<u32> = (0..problem.pool.len() as u32).collect();
        (1..order.len()).for_each(|i| order.swap(i, rng.below(i + 1)));
        let n_prefix = order.len().min(1 + rng.below(2));
        let (prefix, others) = order.split_at(n_prefix);
        let rest = ResidualProblem::new(&problem, prefix, &Control::default()).unwrap();
        let k = problem.n_classes();
        for n_more in 0..=others.len().min(3) {
            let rules = rest.to_residual(&others[..n_more]);
            let full = rest.to_full(&rules);
            let (within, (whole, counts)) = (rest.problem.score(&rules).0, problem.score(&full));
            let admission = problem.objective.admission();
            let of_prefix = counts[..prefix.len() * k].chunks_exact(k);
            let follows =
                admission.admits_leaves(problem.objective.leaf(), admission.before_first(), of_prefix, false);
            let is_admissible = follows && within.log_likelihood.is_finite();
            assert_eq!(is_admissible, whole.log_likelihood.is_finite(), "{prefix:?} {rules:?}");
            n[usize::from(is_admissible)] += 1;
        }
    }
    assert!(n[0] > 40 && n[1] > 20, "{n:?}");
}

#[test]
fn the_search_finds_the_best_admissible_list_in_every_form() {
    for (index, (problem, _)) in problems(16).iter().enumerate() {
        let lists = Enumerated::new(problem);
        let scores = lists.log_priors.iter().zip(&lists.log_likelihoods).map(|(prior, ell)| prior + ell);
        let best = scores.fold(f64::NEG_INFINITY, f64::max);
        for (form, method) in
            in_every_form(problem).iter().flat_map(|form| [(form, Method::Mcmc), (form, Method::Map)])
        {
            let settings = Settings {
                method,
                n_chains: 3,
                iterations: 20_000,
                seed: 1,
                threads: 2,
                among_equals: AmongEquals::Found,
            };
            let found = search(form, &settings, &Control::default()).unwrap();
            let log_posterior = found.best.score.log_posterior();
            assert!(
                (log_posterior - best).abs() < 1e-8,
                "problem {index} {method:?}: {log_posterior} {best}"
            );
        }
    }
}

/// Larger problems, where nothing is enumerated: whatever comes back is admissible, and no neighbour is better.
#[test]
fn lists_of_larger_problems_are_admissible_local_optima() {
    let mut n_rules = 0;
    for seed in 0..12 {
        let free = random_source(&mut ChainRng::new(seed, 32)).problem().limited_to(8);
        let problem = free.with_admission(admission(&free, seed as usize));
        for method in [Method::Mcmc, Method::Map] {
            let settings = Settings {
                method,
                n_chains: 4,
                iterations: 3000,
                seed,
                threads: 2,
                among_equals: AmongEquals::Found,
            };
            let found = search(&problem, &settings, &Control::default()).unwrap();
            assert!(found.best.score.log_likelihood.is_finite(), "{seed} {method:?}");
            n_rules += found.best.rules.len();
            let near = sbrl_engine::testing::neighbours(&problem, &found.best.rules, 8);
            let best = near.iter().map(|list| problem.log_posterior(list)).fold(f64::NEG_INFINITY, f64::max);
            assert!(best <= found.best.score.log_posterior() + 1e-6, "{seed} {method:?}");
        }
    }
    assert!(n_rules > 12, "{n_rules}");
}

#[test]
fn there_are_no_certificates_for_shaped_lists() {
    let budget = ProofBudget { gap: 0.0, max_nodes: 1000, max_bytes: 1 << 28, threads: 1 };
    for (problem, _) in problems(8) {
        let refused = certify_list(&problem, &[], &budget, &Control::default()).unwrap_err();
        assert!(matches!(refused, Error::NotCertifiable(_)), "{refused}");
        let free = problem.with_admission(Admission::of_length(3));
        assert!(certify_list(&free, &[], &budget, &Control::default()).is_ok());
    }
}
