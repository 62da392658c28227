//! The three exact searches and the certificate find what enumeration finds.

use super::super::best_first::BestFirst;
use super::super::blocks::BlockTables;
use super::super::driver::certify;
use super::super::limited::Limited;
use super::super::patterns::PatternSearch;
use super::super::proof::{Ended, ProofBudget, TurnLimits, RESOLUTION};
use super::super::sets::cost;
use super::super::table::ProofTable;
use super::super::work::Improve;
use super::instances::{best_by_length, instances, prices_of, Kind, DEEP, TINY, WIDE};
use crate::control::Control;
use crate::search::problem::row_sets::RowSets;
use crate::search::problem::Problem;
use crate::search::record::ScoredList;
use crate::search::residual::Residual;

const ENDLESS: TurnLimits = TurnLimits { n_nodes: u64::MAX, n_bytes: usize::MAX, threads: 1 };

fn empty(problem: &Problem) -> ScoredList {
    ScoredList::new(&[], problem.log_posterior(&[]))
}

/// Where best-first search starts: at the empty list, or at a list it cannot improve.
fn best_first_errs(
    problem: &Problem,
    table: &ProofTable<'_>,
    truth: f64,
    tolerance: f64,
    block_values: usize,
) -> bool {
    let control = Control::default();
    let mut search = BestFirst::new(table, prices_of(problem), empty(problem), tolerance);
    if let Some(blocks) = BlockTables::new(table, block_values, 1, &control).unwrap() {
        search.set_blocks(blocks);
    }
    let mut errs = search.upper_bound() < truth - 1e-9;
    for n_nodes in [1, 2, 5] {
        search.run(&TurnLimits { n_nodes, ..ENDLESS }, &control).unwrap();
        errs |= search.upper_bound() < truth - 1e-9;
    }
    errs |= search.run(&ENDLESS, &control).unwrap() != Ended::Solved;
    let best = search.best();
    errs |= (problem.log_posterior(&best.rules) - best.log_posterior).abs() > 1e-9;
    errs | ((best.log_posterior - truth).abs() > 1e-6)
        | (search.upper_bound() > best.log_posterior + tolerance)
}

/// How many limits were tried, how many of them by sets of rules, and whether a result is wrong.
fn limited_errs(
    problem: &Problem,
    table: &ProofTable<'_>,
    truth: &[f64],
    tolerance: f64,
) -> (usize, usize, bool) {
    let (control, mut n, mut n_sets, mut errs) = (Control::default(), 0, 0, false);
    let root = Residual::whole(&table.rows, &table.covers, &table.lengths, &control).unwrap();
    for (length, &truth) in truth.iter().enumerate().skip(1) {
        let prices = prices_of(problem).limited_to(length);
        if !prices.is_plain() {
            break;
        }
        // depth-first alone; then soon, or at once and in small steps, by sets of rules
        for (tried_share, n_bytes, step) in
            [(1, 0, u64::MAX), (4, usize::MAX, u64::MAX), (u64::MAX, usize::MAX, 1)]
        {
            let mut search = Limited::new(table, &root, prices.clone(), empty(problem), tolerance);
            let mut limits = TurnLimits { n_nodes: step, n_bytes, threads: 1 };
            let mut ended = search.run_trying(tried_share, &limits, &control).unwrap();
            while ended == Ended::Nodes && limits.n_nodes < 1 << 20 {
                limits.n_nodes *= 2;
                ended = search.run_trying(tried_share, &limits, &control).unwrap();
            }
            let best = search.best();
            errs |= ended != Ended::Solved || best.rules.len() > length;
            errs |= (best.log_posterior - truth).abs() > 1e-6;
            errs |= (problem.log_posterior(&best.rules) - best.log_posterior).abs() > 1e-9;
        }
        n += 1;
        n_sets += usize::from(cost(table, &root, &prices, 1).unwrap().is_some());
    }
    (n, n_sets, errs)
}

fn patterns_err(problem: &Problem, table: &ProofTable<'_>, truth: f64) -> Option<bool> {
    let RowSets::Patterns(patterns) = problem.row_sets() else { return None };
    let tolerances = [RESOLUTION, table.rounding()];
    let search = PatternSearch::new(table, patterns, prices_of(problem), tolerances);
    let found = search.run(empty(problem), &ENDLESS, &Control::default()).unwrap();
    let score = problem.log_posterior(&found.best.rules);
    Some(
        (found.best.log_posterior - truth).abs() > 1e-6
            || found.upper_bound > truth + 1e-6
            || (score - found.best.log_posterior).abs() > 1e-9,
    )
}

#[test]
fn every_search_finds_what_enumeration_finds() {
    let (mut n_limited, mut n_by_sets, mut n_patterns, mut n_not_plain) = (0, 0, 0, 0);
    let problems =
        instances(TINY, 0..1800).chain(instances(WIDE, 5000..5300)).chain(instances(DEEP, 7000..7400));
    for (seed, problem) in problems {
        let truth = best_by_length(&problem);
        let best = truth[truth.len() - 1];
        let table = ProofTable::new(&problem, &Control::default()).unwrap();
        for block_values in [0, 40, 4000] {
            assert!(!best_first_errs(&problem, &table, best, RESOLUTION, block_values), "best first, {seed}");
        }
        let (n, n_sets, errs) = limited_errs(&problem, &table, &truth, RESOLUTION);
        assert!(!errs, "limited, {seed}");
        n_limited += n;
        n_by_sets += n_sets;
        n_not_plain += usize::from(!prices_of(&problem).is_plain());
        if let Some(errs) = patterns_err(&problem, &table, best) {
            assert!(!errs, "patterns, {seed}");
            n_patterns += 1;
        }
    }
    assert!(
        n_limited > 1000 && n_by_sets > 200 && n_patterns > 1000 && n_not_plain > 300,
        "{n_limited} {n_by_sets} {n_patterns} {n_not_plain}"
    );
}

#[test]
fn a_search_that_cuts_too_early_is_caught() {
    let mut caught = [0, 0];
    for (_, problem) in instances(TINY, 0..200).chain(instances(WIDE, 5000..5200)) {
        let truth = best_by_length(&problem);
        let table = ProofTable::new(&problem, &Control::default()).unwrap();
        caught[0] += usize::from(best_first_errs(&problem, &table, truth[truth.len() - 1], 0.7, 0));
        caught[1] += usize::from(limited_errs(&problem, &table, &truth, 3.0).2);
    }
    assert!(caught.iter().all(|&n| n > 0), "{caught:?}");
}

fn budget(max_nodes: u64, threads: usize) -> ProofBudget {
    ProofBudget { gap: 0.0, max_nodes, max_bytes: 1 << 30, threads }
}

#[test]
fn the_certificate_is_right_and_does_not_depend_on_threads() {
    let control = Control::default();
    for (seed, problem) in instances(Kind { n_rows: 400, ..WIDE }, 30_000..30_120) {
        let best = best_by_length(&problem);
        let truth = best[best.len() - 1];
        let of = |max_nodes: u64, threads: usize| {
            certify(&problem, &[], &budget(max_nodes, threads), &Improve::NONE, &control).unwrap()
        };
        let proved = of(u64::MAX, 1);
        assert!((proved.best.log_posterior - truth).abs() < 1e-6, "{seed}");
        assert_eq!((proved.upper_bound, proved.ended), (proved.best.log_posterior, Ended::Solved), "{seed}");
        for proof in &proved.by_length {
            assert!(
                proof.is_proved
                    && (proof.log_posterior - best[proof.length.min(best.len() - 1)]).abs() < 1e-6
            );
        }
        for max_nodes in [1, 3, 40, u64::MAX] {
            let one = of(max_nodes, 1);
            assert!(one.upper_bound >= truth - 1e-6, "{seed}: {} nodes", max_nodes);
            for threads in [2, 7] {
                let other = of(max_nodes, threads);
                assert_eq!(one.best, other.best, "{seed}");
                assert_eq!((one.upper_bound, one.n_nodes), (other.upper_bound, other.n_nodes), "{seed}");
                assert_eq!((one.by_length.clone(), one.ended), (other.by_length, other.ended), "{seed}");
            }
        }
    }
}

/// What was cut because it is better by less than the gap still counts in the upper bound.
#[test]
fn a_certificate_with_a_gap_states_what_it_left_out() {
    let control = Control::default();
    let problems =
        instances(TINY, 40_000..40_500).chain(instances(Kind { n_rows: 400, ..WIDE }, 30_000..30_120));
    for (seed, problem) in problems {
        let best = best_by_length(&problem);
        let truth = best[best.len() - 1];
        for gap in [0.3, 2.0, 20.0] {
            let budget = ProofBudget { gap, ..budget(u64::MAX, 1) };
            let within = certify(&problem, &[], &budget, &Improve::NONE, &control).unwrap();
            assert!(within.upper_bound >= truth - 1e-6, "{seed}: gap {gap}");
            assert!(within.upper_bound <= within.best.log_posterior + gap + 1e-6, "{seed}: gap {gap}");
            // what is proved about short lists is exact
            let at_most = |length: usize| best[length.min(best.len() - 1)];
            for proof in within.by_length.iter().filter(|proof| proof.is_proved) {
                let error = (proof.log_posterior - at_most(proof.length)).abs();
                assert!(error < 1e-6, "{seed}: gap {gap}, at most {}", proof.length);
            }
            let known = at_most(within.max_length_proved);
            assert!(within.best.log_posterior >= known - 1e-6, "{seed}: gap {gap}");
        }
    }
}

/// Best-first search is full soon, and what is left of the nodes is too little for the next step of the search for short lists.
#[test]
fn a_proof_ends_when_neither_search_can_go_on() {
    let control = Control::default();
    let mut n_full = 0;
    for (seed, problem) in instances(Kind { n_candidates: 40, n_rows: 1000, max_length: 30 }, 1..25) {
        let of = |budget: &ProofBudget| certify(&problem, &[], budget, &Improve::NONE, &control).unwrap();
        let known = of(&budget(500, 1)).best.log_posterior;
        for max_bytes in [100_000, 150_000, 300_000, 1_000_000] {
            for max_nodes in [20, 37, 60, 101, 301, 700] {
                let proved = of(&ProofBudget { max_bytes, ..budget(max_nodes, 1) });
                assert!(proved.upper_bound >= known - 1e-6, "{seed}: {max_nodes} nodes, {max_bytes} bytes");
                assert!(proved.n_nodes <= max_nodes, "{seed}: {max_nodes} nodes, {max_bytes} bytes");
                assert_ne!(proved.ended, Ended::Stopped);
                n_full += usize::from(proved.ended != Ended::Solved && proved.n_nodes < max_nodes);
            }
        }
    }
    assert!(n_full > 0);
}

/// Both searches, and what they prepare, end soon after they are told to.
#[test]
fn a_proof_that_is_stopped_has_a_valid_bound() {
    for (seed, problem) in instances(Kind { n_rows: 400, ..WIDE }, 30_000..30_040) {
        let best = best_by_length(&problem);
        let stopped = Control::default();
        stopped.stop();
        let proved = certify(&problem, &[], &budget(u64::MAX, 2), &Improve::NONE, &stopped).unwrap();
        assert!(proved.upper_bound >= best[best.len() - 1] - 1e-6, "{seed}");
        let table = ProofTable::new(&problem, &Control::default()).unwrap();
        let mut search = BestFirst::new(&table, prices_of(&problem), empty(&problem), RESOLUTION);
        // what a stopped batch leaves stays open
        for n_nodes in [1, 4, 16] {
            search.run(&TurnLimits { n_nodes, ..ENDLESS }, &Control::default()).unwrap();
            search.run(&ENDLESS, &stopped).unwrap();
            assert!(search.upper_bound() >= best[best.len() - 1] - 1e-6, "{seed}");
        }
        assert_eq!(search.run(&ENDLESS, &Control::default()), Ok(Ended::Solved));
        assert!((search.best().log_posterior - best[best.len() - 1]).abs() < 1e-6, "{seed}");
    }
}
