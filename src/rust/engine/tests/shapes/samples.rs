//! Chains and samples of the posterior, given that lists are admissible.

use super::problems;
use sbrl_engine::control::Control;
use sbrl_engine::hyperparameters::Hyperparameters;
use sbrl_engine::rng::ChainRng;
use sbrl_engine::search::problem::admission::Order;
use sbrl_engine::search::record::{Draws, Trace};
use sbrl_engine::search::sample::chain::Chain;
use sbrl_engine::search::sample::walker::connector;
use sbrl_engine::search::{sample_posterior, Problem, TemperingPlan};
use sbrl_engine::testing::{in_every_form, source_of_covers, visits_fit, Enumerated};

fn lists_of(draws: &Draws) -> Vec<Vec<u32>> {
    draws.lists.iter().map(<[u32]>::to_vec).collect()
}

/// The lists of a chain, `apart` steps from each other.
fn chain_lists(problem: &Problem, is_connected: bool, n: usize, apart: usize) -> Vec<Vec<u32>> {
    let connector = connector(problem).unwrap().filter(|_| is_connected);
    let chain = Chain::new(problem, &[], ChainRng::new(5, 0), Trace::new(1, 1));
    let mut chain = chain.connected(connector);
    let mut lists = Vec::with_capacity(n);
    for _ in 0..n {
        (0..apart).for_each(|_| chain.step());
        lists.push(chain.rules().to_vec());
    }
    lists
}

#[test]
fn chains_sample_the_posterior_given_that_lists_are_admissible() {
    let mut n_fitted = 0;
    for (index, (problem, _)) in problems(12).iter().enumerate() {
        let forms = in_every_form(problem);
        let form = &forms[index % forms.len()];
        let lists = Enumerated::new(form);
        let drawn = chain_lists(form, true, 6_000, 200);
        assert!(drawn.iter().all(|list| problem.score(list).0.log_likelihood.is_finite()));
        let fits = visits_fit(&lists.probabilities(1.0), &lists.visits(drawn.iter().map(Vec::as_slice)));
        assert_ne!(fits, Some(false), "problem {index}");
        n_fitted += usize::from(fits == Some(true));
    }
    assert!(n_fitted >= 8, "{n_fitted}");
}

#[test]
fn replica_exchange_and_evidence_match_enumeration() {
    let plan = TemperingPlan { n_runs: 2, warmup: 160, rounds: 1500, every: 1, seed: 3, threads: 2 };
    let mut n_fitted = 0;
    for (index, (problem, _)) in problems(8).iter().enumerate() {
        let lists = Enumerated::new(problem);
        let expected = lists.log_total(1.0) - lists.log_total(0.0);
        let forms = in_every_form(problem);
        let sample = sample_posterior(&forms[index % forms.len()], &plan, &Control::default()).unwrap();
        let drawn: Vec<Vec<u32>> = sample.runs.iter().flat_map(lists_of).collect();
        let visits = lists.visits(drawn.iter().map(Vec::as_slice));
        let is_allowed = |(&ell, &n): (&f64, &f64)| ell.is_finite() || n == 0.0;
        assert!(lists.log_likelihoods.iter().zip(&visits).all(is_allowed));
        let fits = visits_fit(&lists.probabilities(1.0), &visits);
        assert_ne!(fits, Some(false), "problem {index}");
        n_fitted += usize::from(fits == Some(true));
        let found = sample.log_evidence;
        assert!((found - expected).abs() < 0.15, "problem {index}: {found} {expected}");
        assert!((sample.log_prior_mass - lists.log_total(0.0)).abs() < 1e-9);
    }
    assert!(n_fitted >= 5, "{n_fitted}");
}

/// Six rows, of which only the empty list and (a, b) fall: a captures 3 of 4, b then 1 of 1, the default rule 1 of 1, all 2/3 with
/// one pseudo-count per class. Under (a) the default rule rises, under (b) and (b, a) the rules do.
fn six_rows() -> Problem {
    let hyperparameters = Hyperparameters { lambda: 3.0, eta: 1.0, alpha: vec![1.0; 2] };
    let free = source_of_covers(&[&[1, 3, 4, 5], &[0, 1, 5]], &[1, 1, 1, 1, 1, 0], hyperparameters).problem();
    free.with_admission(free.objective.admission().with_order(Order::Falling { which: 1 }))
}

#[test]
fn connecting_moves_join_lists_that_no_other_move_joins() {
    let problem = six_rows();
    let lists = Enumerated::new(&problem);
    let admissible: Vec<usize> =
        (0..lists.lists.len()).filter(|&list| lists.log_likelihoods[list].is_finite()).collect();
    assert_eq!(admissible.len(), 2);
    let probabilities = lists.probabilities(1.0);
    let both =
        lists.lists.iter().position(|list| list.len() == 2 && list[..] == problem_order(&problem)).unwrap();
    assert!((probabilities[both] - 0.541547).abs() < 1e-6, "{probabilities:?}");
    // without them a chain stays where it began
    assert!(chain_lists(&problem, false, 2_000, 100).iter().all(Vec::is_empty));
    let n = 20_000;
    let drawn = chain_lists(&problem, true, n, 100);
    let share = lists.visits(drawn.iter().map(Vec::as_slice))[both] / n as f64;
    assert!((share - probabilities[both]).abs() < 0.03, "{share}");
    let plan = TemperingPlan { n_runs: 2, warmup: 160, rounds: 1500, every: 1, seed: 3, threads: 2 };
    let sample = sample_posterior(&problem, &plan, &Control::default()).unwrap();
    let drawn: Vec<Vec<u32>> = sample.runs.iter().flat_map(lists_of).collect();
    let share = lists.visits(drawn.iter().map(Vec::as_slice))[both] / drawn.len() as f64;
    assert!((share - probabilities[both]).abs() < 0.03, "{share}");
    let expected = lists.log_total(1.0) - lists.log_total(0.0);
    assert!((sample.log_evidence - expected).abs() < 0.05, "{} {expected}", sample.log_evidence);
}

/// The candidate that covers four rows, then the one that covers three.
fn problem_order(problem: &Problem) -> [u32; 2] {
    let n = |candidate: usize| problem.pool.counts(candidate).iter().sum::<u64>();
    if n(0) == 4 {
        [0, 1]
    } else {
        [1, 0]
    }
}
