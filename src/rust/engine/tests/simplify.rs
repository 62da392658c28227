//! Lists without what they do not need, compared with slow twins.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use sbrl_engine::control::Control;
use sbrl_engine::rng::ChainRng;
use sbrl_engine::search::good_lists::good_lists;
use sbrl_engine::search::{sample_posterior, Problem, TemperingPlan};
use sbrl_engine::testing::random_source;

fn some_list(problem: &Problem, rng: &mut ChainRng) -> Vec<u32> {
    let mut rules: Vec<u32> = (0..problem.pool.len() as u32).collect();
    for last in (1..rules.len()).rev() {
        rules.swap(last, rng.below(last + 1));
    }
    rules.truncate(8);
    rules
}

fn captured(problem: &Problem, rules: &[u32]) -> Vec<u64> {
    problem.score(rules).1.chunks_exact(problem.n_classes()).map(|counts| counts.iter().sum()).collect()
}

#[test]
fn the_default_rule_replaces_a_last_rule_that_captured_all_rows_left() {
    let (mut n_replaced, mut n_kept) = (0, 0);
    for seed in 0..500 {
        let mut rng = ChainRng::new(seed, 23);
        let problem = random_source(&mut rng).problem();
        let list = problem.without_empty(&problem.count(some_list(&problem, &mut rng)));
        let rows = captured(&problem, &list.rules);
        let Some((shorter, last)) = problem.with_last_as_default(&list) else {
            assert!(list.rules.is_empty() || rows[list.rules.len()] > 0);
            n_kept += 1;
            continue;
        };
        n_replaced += 1;
        assert_eq!(rows.last(), Some(&0));
        assert_eq!([&shorter.rules[..], &[last]].concat(), list.rules);
        assert_eq!(shorter.counts, list.counts[..list.counts.len() - problem.n_classes()]);
        assert!((shorter.score.log_likelihood - list.score.log_likelihood).abs() < 1e-9);
        // a list without empty rules is at its end now
        assert!(problem.with_last_as_default(&shorter).is_none());
    }
    assert!(n_replaced > 10 && n_kept > 10, "{n_replaced} {n_kept}");
}

/// Remove the rule whose removal raises the log posterior most, until none does.
fn prune_slowly(problem: &Problem, rules: &[u32]) -> Vec<u32> {
    let rows = captured(problem, rules);
    let mut rules: Vec<u32> =
        rules.iter().zip(&rows).filter(|(_, &n)| n > 0).map(|(&rule, _)| rule).collect();
    loop {
        let now = problem.log_posterior(&rules);
        let mut best: Option<(f64, Vec<u32>)> = None;
        for position in 0..rules.len() {
            let mut shorter = rules.clone();
            shorter.remove(position);
            let score = problem.log_posterior(&shorter);
            if score > now + 1e-9 && best.as_ref().map_or(true, |(known, _)| score >= *known) {
                best = Some((score, shorter));
            }
        }
        match best {
            Some((_, shorter)) => rules = shorter,
            None => break,
        }
    }
    if captured(problem, &rules).last() == Some(&0) {
        rules.pop();
    }
    rules
}

#[test]
fn a_pruned_list_has_no_rule_whose_removal_raises_the_log_posterior() {
    let mut n_shorter = 0;
    for seed in 0..200 {
        let mut rng = ChainRng::new(seed, 24);
        let problem = random_source(&mut rng).problem();
        let rules = some_list(&problem, &mut rng);
        let pruned = problem.pruned(&rules);
        assert_eq!(pruned.rules, prune_slowly(&problem, &rules));
        assert_eq!(pruned.score, problem.score(&pruned.rules).0);
        n_shorter += u32::from(pruned.rules.len() < rules.len());
    }
    assert!(n_shorter > 50, "{n_shorter}");
}

#[test]
fn good_lists_are_the_different_pruned_draws() {
    for seed in 0..10 {
        let problem = random_source(&mut ChainRng::new(seed, 25)).problem();
        let plan = TemperingPlan { n_runs: 2, warmup: 50, rounds: 60, every: 1, seed, threads: 2 };
        let sample = sample_posterior(&problem, &plan, &Control::default()).unwrap();
        let draws: Vec<Vec<u32>> =
            sample.runs.iter().flat_map(|run| run.lists.iter().map(<[u32]>::to_vec)).collect();
        let [found, alone] =
            [2, 1].map(|threads| good_lists(&problem, &sample.runs, threads, &Control::default()).unwrap());
        let mut expected: Vec<Vec<u32>> = draws.iter().map(|rules| prune_slowly(&problem, rules)).collect();
        expected.sort();
        expected.dedup();
        let mut rules: Vec<Vec<u32>> = found.iter().map(|good| good.list.rules.clone()).collect();
        assert_eq!(rules, alone.iter().map(|good| good.list.rules.clone()).collect::<Vec<_>>());
        assert!(found.iter().all(|good| prune_slowly(&problem, &draws[good.draw]) == good.list.rules));
        let scores: Vec<f64> = found.iter().map(|good| good.list.score.log_posterior()).collect();
        assert!(scores.windows(2).all(|pair| pair[0] >= pair[1]));
        rules.sort();
        assert_eq!(rules, expected);
    }
}
