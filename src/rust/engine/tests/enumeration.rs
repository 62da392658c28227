//! Tiny pools, where every rule list can be looked at: scores, bounds and the sampler against enumeration.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use sbrl_engine::bounds::{max_length_pool, prefix_bound};
use sbrl_engine::column::InputColumn;
use sbrl_engine::control::Control;
use sbrl_engine::model::{captured_counts, Antecedents};
use sbrl_engine::naive::{all_lists, log_marginal, log_prior};
use sbrl_engine::predict::capturing_rules;
use sbrl_engine::rng::ChainRng;
use sbrl_engine::search::record::Trace;
use sbrl_engine::search::sample::chain::Chain;
use sbrl_engine::search::sample::start::{greedy, promising};
use sbrl_engine::search::{search, AmongEquals, Method, Problem, Settings};
use sbrl_engine::testing::{random_source, visits_fit, Enumerated, Source};

/// Random sources whose pools have `sizes` candidates.
fn tiny(seeds: std::ops::Range<u64>, sizes: std::ops::RangeInclusive<usize>) -> Vec<(Source, Problem)> {
    seeds
        .map(|seed| random_source(&mut ChainRng::new(seed, 9)).with_items(6))
        .map(|source| (source.problem(), source))
        .map(|(problem, source)| (source, problem))
        .filter(|(_, problem)| sizes.contains(&problem.pool.len()))
        .collect()
}

/// The log posterior of a list by the naive twins alone, from the table's rows.
fn naive_log_posterior(source: &Source, problem: &Problem, list: &[u32]) -> f64 {
    let antecedents: Vec<Vec<u32>> =
        list.iter().map(|&rule| problem.pool.antecedents.get(rule as usize).to_vec()).collect();
    let pool_lengths: Vec<usize> = problem.pool.antecedents.iter().map(<[u32]>::len).collect();
    let lengths: Vec<usize> = antecedents.iter().map(Vec::len).collect();
    let captured = source.table.captured(&antecedents, &source.items);
    let likelihood: f64 =
        captured.iter().map(|counts| log_marginal(&source.hyperparameters.alpha, counts)).sum();
    log_prior(&source.hyperparameters, &pool_lengths, &lengths) + likelihood
}

#[test]
fn every_list_is_scored_as_the_naive_twin_scores_it() {
    let problems = tiny(0..300, 4..=6);
    assert!(problems.len() >= 20, "only {} problems", problems.len());
    for classes in [2, 3] {
        assert!(problems.iter().any(|(source, _)| source.table.n_classes == classes));
    }
    for (source, problem) in problems.iter().take(30) {
        for list in all_lists(problem.pool.len()) {
            let (score, counts) = problem.score(&list);
            let expected = naive_log_posterior(source, problem, &list);
            assert!((score.log_posterior() - expected).abs() < 1e-8, "{list:?}");
            assert_eq!(counts.iter().sum::<u64>(), source.table.weights.iter().sum::<u64>());
        }
    }
}

#[test]
fn sets_of_levels_are_mined_searched_scored_and_predicted_as_the_naive_twin_does() {
    let sources = (0..60).map(|seed| random_source(&mut ChainRng::new(seed, 9)).with_sets());
    let has_set = |source: &Source| source.items.iter().any(|item| item.as_range().is_none());
    let (control, mut n_used) = (Control::default(), 0);
    for source in sources.filter(has_set) {
        let problem = source.problem();
        let settings = Settings {
            method: Method::Mcmc,
            n_chains: 2,
            iterations: 300,
            seed: 1,
            threads: 1,
            among_equals: AmongEquals::Found,
        };
        let found = search(&problem, &settings, &control).unwrap();
        let rules: Vec<&[u32]> =
            found.best.rules.iter().map(|&rule| problem.pool.antecedents.get(rule as usize)).collect();
        let expected = naive_log_posterior(&source, &problem, &found.best.rules);
        assert!((found.best.score.log_posterior() - expected).abs() < 1e-8);
        let mut list = Antecedents::default();
        rules.iter().for_each(|antecedent| list.push(antecedent).unwrap());
        let table = &source.table;
        let columns: Vec<InputColumn> =
            table.columns.iter().map(|codes| InputColumn::of_codes(codes)).collect();
        let known = vec![true; columns.len()];
        let n_rows = table.labels.len();
        let captured = capturing_rules(&columns, &source.items, &list, &known, n_rows, &control).unwrap();
        for (row, &rule) in captured.rule.iter().enumerate() {
            let first = rules.iter().position(|antecedent| table.matches(row, antecedent, &source.items));
            assert_eq!(rule as usize, first.map_or(0, |position| position + 1));
        }
        n_used += usize::from(
            rules
                .iter()
                .flat_map(|rule| rule.iter())
                .any(|&item| source.items[item as usize].as_range().is_none()),
        );
    }
    assert!(n_used >= 5, "sets were in {n_used} lists");
}

#[test]
fn no_completion_beats_the_prefix_bound_and_no_map_list_is_longer_than_theorem_1_allows() {
    for (source, problem) in tiny(300..600, 4..=6).iter().take(40) {
        let lists = all_lists(problem.pool.len());
        let scores: Vec<f64> = lists.iter().map(|list| problem.score(list).0.log_posterior()).collect();
        let n_classes = source.table.n_classes;
        for prefix in &lists {
            let covers = prefix.iter().map(|&rule| problem.pool.covers.column(rule as usize));
            let counts = captured_counts(&problem.pool.rows, covers);
            let lengths: Vec<usize> = prefix.iter().map(|&rule| problem.pool.length(rule as usize)).collect();
            let bound = prefix_bound(problem.objective.posterior(), &lengths, &counts, n_classes);
            let completions = lists.iter().zip(&scores).filter(|(list, _)| list.starts_with(prefix));
            for (list, score) in completions {
                assert!(*score <= bound + 1e-9, "{prefix:?} bounds {list:?}: {score} against {bound}");
            }
        }
        let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let longest =
            lists.iter().zip(&scores).filter(|(_, score)| **score >= best).map(|(l, _)| l.len()).max();
        let log_marginal_all = log_marginal(&source.hyperparameters.alpha, &source.table.class_counts());
        let allowed =
            max_length_pool(log_marginal_all, source.hyperparameters.lambda, &problem.pool.n_by_length())
                .unwrap();
        assert!(longest.unwrap() as u64 <= allowed);
    }
}

/// Chi-square of the visits of a chain that runs on `run`, sampled far enough apart to be nearly independent, against the
/// enumerated posterior of `truth` over lists of at most `max_length` rules.
fn chain_fits(truth: &Problem, run: &Problem, max_length: usize, seed: u64) -> Option<bool> {
    let lists = Enumerated::new(&truth.limited_to(max_length));
    let run = run.limited_to(max_length);
    let mut chain = Chain::new(&run, &[], ChainRng::new(seed, 0), Trace::new(1, 1));
    let (samples, apart) = (20_000, 100);
    let mut drawn = Vec::new();
    for _ in 0..samples {
        (0..apart).for_each(|_| chain.step());
        drawn.push(chain.rules().to_vec());
    }
    visits_fit(&lists.probabilities(1.0), &lists.visits(drawn.iter().map(Vec::as_slice)))
}

#[test]
fn visit_frequencies_match_the_enumerated_posterior() {
    let mut fitted = [0; 4];
    for (index, (source, problem)) in tiny(600..1000, 4..=6).iter().enumerate() {
        let n_classes = source.table.n_classes;
        if fitted[n_classes] >= 8 {
            continue;
        }
        // every third with lists cut off at two rules
        let max_length = if index % 3 == 0 { 2 } else { usize::MAX };
        if let Some(fits) = chain_fits(problem, problem, max_length, index as u64) {
            assert!(fits, "problem {index} ({:?})", source.hyperparameters);
            fitted[n_classes] += 1;
        }
    }
    assert!(fitted[2] >= 8 && fitted[3] >= 8, "{fitted:?} instances of two and three classes");
}

/// The test above must be able to fail: a chain whose λ is 15% off, against the true posterior.
#[test]
fn a_wrong_sampler_would_be_caught() {
    let problems = tiny(600..1000, 4..=5);
    let caught = problems.iter().take(12).filter(|(source, problem)| {
        let mut other = source.clone();
        other.hyperparameters.lambda *= 1.15;
        chain_fits(problem, &other.problem(), usize::MAX, 1) == Some(false)
    });
    assert!(caught.count() >= 3);
}

#[test]
fn start_chains_and_polish_report_true_scores_and_find_the_map() {
    let mut n = 0;
    for (_, problem) in tiny(1000..1200, 3..=6) {
        n += 1;
        let control = Control::default();
        let lists = all_lists(problem.pool.len());
        let scores: Vec<f64> = lists.iter().map(|list| problem.score(list).0.log_posterior()).collect();
        let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let start = greedy(&problem, &control);
        let truth = problem.score(start.rules()).0.log_posterior();
        assert!((start.score().log_posterior() - truth).abs() < 1e-9);
        // no rule that begins a MAP list may be screened out
        let passing = promising(&problem, truth, &control);
        for (list, _) in lists.iter().zip(&scores).filter(|(l, s)| **s >= best && !l.is_empty()) {
            assert!(passing.contains(&list[0]));
        }
        for method in [Method::Mcmc, Method::Map] {
            let settings = Settings {
                method,
                n_chains: 3,
                iterations: 2000,
                seed: 4,
                threads: 2,
                among_equals: AmongEquals::Found,
            };
            let outcome = search(&problem, &settings, &control).unwrap();
            let found = outcome.best.score.log_posterior();
            assert!((found - best).abs() < 1e-9, "{method:?}: {found} {best}");
            let runs = || outcome.chains.iter().chain(&outcome.optimiser_runs);
            for run in runs() {
                let truth = problem.log_posterior(&run.best.rules);
                assert!((run.best.log_posterior - truth).abs() < 1e-9);
            }
            assert_eq!(runs().map(|run| run.iterations).sum::<u64>(), 6000);
            assert_eq!(outcome.optimiser_runs.is_empty(), method == Method::Mcmc);
        }
    }
    assert!(n >= 20);
}

#[test]
fn the_best_list_of_at_most_three_rules_is_found() {
    let (mut n, mut n_bound) = (0, 0);
    for (_, whole) in tiny(1200..1500, 3..=6) {
        let lists = all_lists(whole.pool.len());
        let scores: Vec<f64> = lists.iter().map(|list| whole.log_posterior(list)).collect();
        let best = |limit: usize| {
            let short = lists.iter().zip(&scores).filter(|(list, _)| list.len() <= limit);
            short.map(|(_, score)| *score).fold(f64::NEG_INFINITY, f64::max)
        };
        for limit in 1..=3 {
            n += 1;
            n_bound += u32::from(best(limit) < best(usize::MAX) - 1e-6);
            let settings = Settings {
                method: Method::Map,
                n_chains: 3,
                iterations: 2000,
                seed: 4,
                threads: 2,
                among_equals: AmongEquals::Found,
            };
            let outcome = search(&whole.limited_to(limit), &settings, &Control::default()).unwrap();
            let found = outcome.best.score.log_posterior();
            assert!(outcome.best.rules.len() <= limit);
            assert!((found - best(limit)).abs() < 1e-9, "{limit}: {found} {}", best(limit));
        }
    }
    assert!(n >= 60 && n_bound >= 20, "{n} {n_bound}");
}
