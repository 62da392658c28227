//! One list among equals, against all lists of small problems; and the search that ends when its list has settled.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use sbrl_engine::control::Control;
use sbrl_engine::hyperparameters::Hyperparameters;
use sbrl_engine::rng::ChainRng;
use sbrl_engine::search::canonical::{canonical, tolerance};
use sbrl_engine::search::{
    search, search_until_settled, AmongEquals, Method, Outcome, Problem, Settings, SettlePlan, Verdict,
};
use sbrl_engine::testing::{random_problem, random_source, source_of_covers, Enumerated};
use std::collections::{HashMap, HashSet};

/// The rows of each leaf, whichever rule captures them, and how many rules capture none.
fn leaves(problem: &Problem, rules: &[u32]) -> (Vec<Vec<u64>>, usize) {
    let mut left = problem.pool.rows.all().to_vec();
    let mut leaves = Vec::new();
    for &rule in rules {
        let cover = problem.pool.covers.column(rule as usize);
        leaves.push(left.iter().zip(cover).map(|(left, cover)| left & cover).collect::<Vec<u64>>());
        left.iter_mut().zip(cover).for_each(|(left, cover)| *left &= !cover);
    }
    leaves.push(left);
    leaves.retain(|leaf| leaf.iter().any(|&word| word != 0));
    leaves.sort_unstable();
    let n_empty = rules.len() + 1 - leaves.len();
    (leaves, n_empty)
}

fn small_problems() -> impl Iterator<Item = Problem> {
    let sources = (0..400).map(|seed| random_source(&mut ChainRng::new(seed, 11)).with_items(6));
    let problems = sources.filter(|source| (0.1..100.0).contains(&source.hyperparameters.lambda));
    problems
        .map(|source| source.problem().limited_to(3))
        .filter(|problem| (3..=7).contains(&problem.pool.len()))
}

/// Whether the prior is the same for all orders of the rules: no length is used up.
fn orders_are_alike(problem: &Problem) -> bool {
    problem.pool.n_by_length().iter().all(|&n| n == 0 || n > 3)
}

/// The rows that each rule captures.
fn captured_rows(problem: &Problem, rules: &[u32]) -> Vec<Vec<u64>> {
    let mut left = problem.pool.rows.all().to_vec();
    let capture = |&rule: &u32| {
        let cover = problem.pool.covers.column(rule as usize);
        let rows = left.iter().zip(cover).map(|(left, cover)| left & cover).collect();
        left.iter_mut().zip(cover).for_each(|(left, cover)| *left &= !cover);
        rows
    };
    rules.iter().map(capture).collect()
}

/// Whether `other` is `form` but for two neighbours that changed places, perhaps with other candidates, where the one
/// that now comes first is further from the shares of all rows; with no more conditions.
fn is_exchanged(problem: &Problem, form: &[u32], other: &[u32]) -> bool {
    if form.len() != other.len() {
        return false;
    }
    let all = problem.pool.rows.class_counts();
    let distance = |rows: &[u64]| {
        let counts = problem.pool.rows.count(rows);
        let share = |counts: &[u64], class: usize| counts[class] as f64 / counts.iter().sum::<u64>() as f64;
        (0..all.len()).map(|class| (share(&counts, class) - share(all, class)).abs()).sum::<f64>()
    };
    let n_conditions = |rules: &[u32]| rules.iter().map(|&rule| problem.length(rule)).sum::<usize>();
    let (its, others) = (captured_rows(problem, form), captured_rows(problem, other));
    (1..form.len()).any(|second| {
        let mut expected = its.clone();
        expected.swap(second - 1, second);
        let same_elsewhere =
            (0..form.len()).all(|at| at == second || at == second - 1 || form[at] == other[at]);
        same_elsewhere
            && others == expected
            && n_conditions(other) <= n_conditions(form)
            && distance(&its[second]) > distance(&its[second - 1]) + 1e-12
    })
}

#[test]
fn lists_that_are_equal_have_one_canonical_form() {
    let control = Control::default();
    let (mut n_groups, mut n_merged, mut n_several, mut n_exchanges) = (0, 0, 0, 0);
    for problem in small_problems().filter(orders_are_alike).take(60) {
        let mut groups: HashMap<_, Vec<Vec<u32>>> = HashMap::new();
        for rules in Enumerated::new(&problem).lists {
            let score = (problem.log_posterior(&rules) * 1e7).round() as i64;
            groups.entry((leaves(&problem, &rules), score)).or_default().push(rules);
        }
        for ((its_leaves, score), lists) in groups {
            let forms: HashSet<Vec<u32>> =
                lists.iter().map(|rules| canonical(&problem, rules, &control)).collect();
            for form in &forms {
                assert_eq!(leaves(&problem, form).0, its_leaves.0, "{lists:?}");
                assert!(problem.log_posterior(form) > score as f64 * 1e-7 - 1e-6);
                assert_eq!(canonical(&problem, form, &control), *form);
                n_exchanges += lists.iter().filter(|other| is_exchanged(&problem, form, other)).count();
            }
            n_groups += 1;
            n_merged += usize::from(lists.len() > 1 && forms.len() == 1);
            n_several += usize::from(forms.len() > 1);
        }
    }
    assert_eq!(n_exchanges, 0);
    // several where rules and empty rules exchange numbers of conditions
    assert!(n_merged > 500 && n_several * 50 < n_groups, "{n_groups} {n_merged} {n_several}");
}

#[test]
fn which_of_two_neighbours_had_the_shorter_candidate_makes_no_difference() {
    // rows in which x2 is true, by x0: 4 with shares far from those of all rows where x0 is false, 10 where it is true; then
    // 4 in which x4 is true and 12 in which it is not. x1 is the opposite of x0, and x3 of x2.
    let kinds: [(usize, usize, [bool; 3]); 7] = [
        (2, 0, [false, true, true]),
        (2, 2, [false, true, false]),
        (5, 4, [true, true, true]),
        (5, 4, [true, true, false]),
        (4, 0, [true, false, true]),
        (6, 5, [true, false, false]),
        (6, 5, [false, false, false]),
    ];
    let mut labels = Vec::new();
    let mut covers = vec![Vec::new(); 5];
    for (n_rows, n_ones, [x0, x2, x4]) in kinds {
        for i in 0..n_rows {
            for (cover, is_true) in covers.iter_mut().zip([x0, !x0, x2, !x2, x4]) {
                cover.extend(is_true.then_some(labels.len()));
            }
            labels.push(u32::from(i < n_ones));
        }
    }
    let covers: Vec<&[usize]> = covers.iter().map(Vec::as_slice).collect();
    let hyperparameters = Hyperparameters { lambda: 3.0, eta: 1.0, alpha: vec![1.0, 1.0] };
    let mut source = source_of_covers(&covers, &labels, hyperparameters);
    source.limits.max_items = 2;
    let problem = source.problem();
    let candidate = |items: &[u32]| {
        (0..problem.pool.len() as u32)
            .find(|&one| problem.pool.antecedents.get(one as usize) == items)
            .expect("a candidate")
    };
    let [far, near] =
        [candidate(&[1, 2]), candidate(&[0, 2])].map(|first| vec![first, candidate(&[2]), candidate(&[4])]);
    assert!((problem.log_posterior(&far) - problem.log_posterior(&near)).abs() < 1e-9);
    let control = Control::default();
    assert_eq!(canonical(&problem, &near, &control), canonical(&problem, &far, &control));
}

#[test]
fn with_conditions_of_one_kind_the_form_is_the_first_of_all_that_are_equal() {
    let control = Control::default();
    let mut n_merged = 0;
    for problem in small_problems().filter(|problem| problem.pool.n_by_length().len() == 2).take(40) {
        let lists = Enumerated::new(&problem).lists;
        for rules in &lists {
            let (its_leaves, n_empty) = leaves(&problem, rules);
            let least = problem.log_posterior(rules);
            let is_equal = |other: &&Vec<u32>| {
                leaves(&problem, other) == (its_leaves.clone(), n_empty)
                    && (problem.log_posterior(other) - least).abs() < tolerance(least)
            };
            let equal: Vec<&Vec<u32>> = lists.iter().filter(is_equal).collect();
            let form = canonical(&problem, rules, &control);
            assert!(equal.contains(&&form));
            let captured = |rules: &[u32]| {
                let counts = problem.score(rules).1;
                let leaf = |counts: &[u64]| counts.iter().sum::<u64>();
                counts.chunks_exact(problem.n_classes()).take(rules.len()).map(leaf).collect::<Vec<u64>>()
            };
            // its neighbours cannot change places to its advantage
            let all = problem.pool.rows.class_counts();
            let counts = problem.score(&form).1;
            let distance = |position: usize| {
                let counts = &counts[position * all.len()..(position + 1) * all.len()];
                let share =
                    |counts: &[u64], class: usize| counts[class] as f64 / counts.iter().sum::<u64>() as f64;
                (0..all.len()).map(|class| (share(counts, class) - share(all, class)).abs()).sum::<f64>()
            };
            for first in 0..form.len().saturating_sub(1) {
                let mut swapped = form.clone();
                swapped.swap(first, first + 1);
                let mut expected = captured(&form);
                expected.swap(first, first + 1);
                if n_empty == 0 && equal.contains(&&swapped) && captured(&swapped) == expected {
                    assert!(distance(first) > distance(first + 1) - 1e-12, "{form:?}");
                    n_merged += 1;
                }
            }
        }
    }
    assert!(n_merged > 100, "{n_merged}");
}

fn settings(method: Method, seed: u64, threads: usize) -> Settings {
    let among_equals = AmongEquals::Canonical;
    Settings { method, n_chains: 10, iterations: 30_000, seed, threads, among_equals }
}

fn run(problem: &Problem, settings: &Settings, max_work: u64) -> Outcome {
    let plan = SettlePlan { max_work, proves: false };
    search_until_settled(problem, settings, &plan, &Control::default()).unwrap()
}

#[test]
fn it_is_no_worse_than_a_search_of_the_same_length_and_does_not_depend_on_threads() {
    let mut n_settled = 0;
    for (seed, method) in [(1, Method::Mcmc), (2, Method::Map), (3, Method::Mcmc), (4, Method::Mcmc)] {
        let problem = random_problem(&mut ChainRng::new(seed, 3));
        let given = search(&problem, &settings(method, seed, 2), &Control::default()).unwrap();
        // with no work left, the first two rounds are done nevertheless
        for max_work in [0, 200_000_000] {
            let [one, two] = [1, 2].map(|threads| run(&problem, &settings(method, seed, threads), max_work));
            assert_eq!((&one.best.rules, &one.chains), (&two.best.rules, &two.chains));
            assert_eq!(one.settled, two.settled);
            assert!(one.best.score.log_posterior() > given.best.score.log_posterior() - 1e-8);
            // never after the first round
            assert!(one.chains.iter().all(|chain| chain.iterations >= 30_000));
            let settled = one.settled.unwrap();
            n_settled += usize::from(settled.verdict == Verdict::Settled);
            assert_eq!(settled.n_chains.1, 10);
            let is_settled = settled.verdict == Verdict::Settled;
            assert!(is_settled || max_work > 0 || one.chains[0].iterations == 30_000);
            assert!(one.chains.iter().all(|chain| chain.trace.len() <= 500 && !chain.trace.is_empty()));
        }
    }
    assert!(n_settled > 4, "{n_settled}");
}

#[test]
fn few_chains_do_not_decide_alone_and_small_pools_are_proved() {
    let problem = random_problem(&mut ChainRng::new(7, 3));
    let two = run(&problem, &Settings { n_chains: 2, ..settings(Method::Mcmc, 1, 2) }, 4_000_000_000);
    let settled = two.settled.unwrap();
    assert!(settled.n_others.1 == 4 || settled.verdict == Verdict::Open);
    let plan = SettlePlan { max_work: 1_000_000_000, proves: true };
    let mut n_proved = 0;
    for seed in 20..26 {
        let problem = random_problem(&mut ChainRng::new(seed, 3));
        let unproved = run(&problem, &settings(Method::Mcmc, 1, 2), 1_000_000_000);
        let proved =
            search_until_settled(&problem, &settings(Method::Mcmc, 1, 2), &plan, &Control::default())
                .unwrap();
        n_proved += usize::from(proved.settled.unwrap().verdict == Verdict::Proved);
        assert!(proved.best.score.log_posterior() > unproved.best.score.log_posterior() - 1e-8);
    }
    assert!(n_proved > 2, "{n_proved}");
}

#[test]
fn flags_end_it() {
    let problem = random_problem(&mut ChainRng::new(1, 3));
    let plan = SettlePlan { max_work: u64::MAX, proves: true };
    for method in [Method::Mcmc, Method::Map] {
        let control = Control::default();
        control.stop();
        let outcome = search_until_settled(&problem, &settings(method, 1, 2), &plan, &control).unwrap();
        assert!(outcome.stopped_early && outcome.settled.unwrap().verdict == Verdict::Open);
        control.cancel();
        assert!(search_until_settled(&problem, &settings(method, 1, 2), &plan, &control).is_err());
    }
}
