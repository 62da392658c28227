//! A second family of leaves, events with an exposure, against a twin that reads the raw rows.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use sbrl_engine::control::Control;
use sbrl_engine::error::Error;
use sbrl_engine::hyperparameters::Hyperparameters;
use sbrl_engine::leaf::{GammaRates, LeafFamily};
use sbrl_engine::naive::{all_lists, log_prior, Table};
use sbrl_engine::rng::ChainRng;
use sbrl_engine::search::certify::ProofBudget;
use sbrl_engine::search::list::moves::Move;
use sbrl_engine::search::list::neighbourhood::{CandidateScratch, MoveSink, Neighbourhood};
use sbrl_engine::search::list::RuleListState;
use sbrl_engine::search::sample::proposal::Proposer;
use sbrl_engine::search::{
    certify_list, sample_posterior, search, AmongEquals, Method, Problem, Settings, TemperingPlan,
};
use sbrl_engine::testing::{in_every_form, random_source, visits_fit, Enumerated, Source};
use statrs::function::gamma::ln_gamma;

const SHAPE: f64 = 1.5;
const RATE: f64 = 2.0;

/// What the rows are like: one event at most and the same exposure; more of both; or more events than leave densities below 1.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Simple,
    Weighted,
    Dense,
}

const KINDS: [Kind; 3] = [Kind::Simple, Kind::Weighted, Kind::Dense];

/// Raw rows with events and exposure, and the engine's problem: a row is placed once in the segment of each of its sums.
struct Rated {
    source: Source,
    events: Vec<u64>,
    exposure: Vec<u64>,
    problem: Problem,
}

/// log Σ of y log e − log y!, which no list changes.
fn offset(events: &[u64], exposure: &[u64]) -> f64 {
    let of_row = |(&y, &e): (&u64, &u64)| y as f64 * (e as f64).ln() - ln_gamma(y as f64 + 1.0);
    events.iter().zip(exposure).map(of_row).sum()
}

fn rated(seed: u64, kind: Kind) -> Rated {
    let source = random_source(&mut ChainRng::new(seed, 11)).with_items(6);
    let table = &source.table;
    let n = table.labels.len();
    let events: Vec<u64> = match kind {
        Kind::Simple => table.labels.iter().map(|&label| u64::from(label > 0)).collect(),
        Kind::Weighted => table.labels.iter().map(|&label| u64::from(label)).collect(),
        Kind::Dense => table.labels.iter().map(|&label| 20 * u64::from(label)).collect(),
    };
    let exposure = if kind == Kind::Simple { vec![1; n] } else { table.weights.clone() };
    let with_events: Vec<usize> = (0..n).filter(|&row| events[row] > 0).collect();
    let placed: Vec<usize> = (0..n).chain(with_events.iter().copied()).collect();
    let sums = Table {
        columns: table.columns.iter().map(|column| placed.iter().map(|&row| column[row]).collect()).collect(),
        labels: placed.iter().enumerate().map(|(place, _)| u32::from(place >= n)).collect(),
        weights: exposure.iter().copied().chain(with_events.iter().map(|&row| events[row])).collect(),
        n_classes: 2,
    };
    let mut limits = source.limits.clone();
    limits.supports = vec![0.02; 2];
    let hyperparameters = Hyperparameters { lambda: 2.0, eta: 1.0, alpha: vec![1.0; 2] };
    let of_sums = Source { table: sums, items: source.items.clone(), limits, hyperparameters };
    let leaf = GammaRates {
        shape: SHAPE,
        rate: RATE,
        stops_early: kind != Kind::Dense,
        offset: offset(&events, &exposure),
    };
    let problem = of_sums.problem().with_leaf(LeafFamily::Rates(leaf)).limited_to(3);
    Rated { source: of_sums, events, exposure, problem }
}

/// Small problems of a kind.
fn problems(kind: Kind, n: usize) -> Vec<Rated> {
    let all = (0..).map(|seed| rated(seed, kind));
    all.filter(|rated| (3..=5).contains(&rated.problem.pool.len())).take(n).collect()
}

fn lists(problem: &Problem) -> Vec<Vec<u32>> {
    all_lists(problem.pool.len()).into_iter().filter(|list| problem.objective.admits(list.len())).collect()
}

/// The log posterior from the raw rows: each row's probability given those of its leaf before it, which is negative binomial.
fn naive_log_posterior(rated: &Rated, list: &[u32]) -> f64 {
    let Rated { source, events, exposure, problem } = rated;
    let antecedent = |rule: u32| problem.pool.antecedents.get(rule as usize).to_vec();
    let antecedents: Vec<Vec<u32>> = list.iter().map(|&rule| antecedent(rule)).collect();
    let mut leaves = vec![(SHAPE, RATE); list.len() + 1];
    let mut log_likelihood = 0.0;
    for row in 0..events.len() {
        let matches = |antecedent: &Vec<u32>| source.table.matches(row, antecedent, &source.items);
        let leaf = antecedents.iter().position(matches).unwrap_or(list.len());
        let (shape, rate) = leaves[leaf];
        let (y, e) = (events[row] as f64, exposure[row] as f64);
        log_likelihood += ln_gamma(shape + y) - ln_gamma(shape) - ln_gamma(y + 1.0)
            + shape * (rate / (rate + e)).ln()
            + y * (e / (rate + e)).ln();
        leaves[leaf] = (shape + y, rate + e);
    }
    let pool_lengths: Vec<usize> = problem.pool.antecedents.iter().map(<[u32]>::len).collect();
    let lengths: Vec<usize> = antecedents.iter().map(Vec::len).collect();
    log_prior(&source.hyperparameters, &pool_lengths, &lengths) + log_likelihood
}

#[test]
fn every_list_is_scored_as_the_twin_on_raw_rows_scores_it() {
    let mut n_above_0 = 0;
    for kind in KINDS {
        for rated in problems(kind, 8) {
            let offset = rated.problem.objective.leaf().as_leaf().offset();
            for list in lists(&rated.problem) {
                let score = rated.problem.score(&list).0;
                let (found, expected) = (score.log_posterior() + offset, naive_log_posterior(&rated, &list));
                assert!((found - expected).abs() < 1e-8 * expected.abs().max(1.0), "{kind:?} {list:?}");
                n_above_0 += u32::from(score.log_likelihood > 0.0);
            }
        }
    }
    assert!(n_above_0 > 50, "{n_above_0} with densities above 1");
}

/// Random moves at thresholds near their scores: what reaches its threshold is scored exactly, what does not is given up. How many did not
/// come out that way.
fn n_wrong_moves(problem: &Problem, seed: u64) -> usize {
    let mut rng = ChainRng::new(seed, 12);
    let mut state = RuleListState::empty(problem);
    let mut proposer = Proposer::new(problem.pool.len(), 4, &[]);
    let mut n_wrong = 0;
    for step in 0..200 {
        let Some(proposal) = proposer.propose(&mut rng, state.rules()) else { break };
        let expected = problem.log_posterior(&proposal.change.applied_to(state.rules()));
        let threshold = expected + [-3.0, -0.01, 0.01, 3.0][rng.below(4)];
        let found = state.log_posterior_after(proposal.change, threshold).filter(|&found| found >= threshold);
        n_wrong += usize::from(match found {
            Some(found) => (found - expected).abs() > 1e-8,
            None => expected > threshold,
        });
        if step % 3 == 0 {
            proposer.accept(proposal.change, state.rules());
            state.apply(proposal.change);
            assert_eq!(state.counts(), problem.score(state.rules()).1);
        }
    }
    n_wrong
}

#[test]
fn moves_are_scored_as_fresh_lists_in_every_form() {
    for kind in KINDS {
        let mut n_forms = 0;
        for (seed, rated) in problems(kind, 8).iter().enumerate() {
            for problem in in_every_form(&rated.problem) {
                n_forms += 1;
                assert_eq!(n_wrong_moves(&problem, seed as u64), 0, "{kind:?} {seed}");
            }
        }
        assert!(n_forms > if kind == Kind::Simple { 24 } else { 16 }, "{n_forms}");
    }
}

/// The test above must be able to fail.
#[test]
fn a_leaf_that_wrongly_claims_to_stop_early_is_caught() {
    let wrong = |(seed, rated): (usize, &Rated)| {
        let LeafFamily::Rates(leaf) = rated.problem.objective.leaf() else { return false };
        let leaf = LeafFamily::Rates(GammaRates { stops_early: true, ..*leaf });
        let blocks = in_every_form(&rated.problem.with_leaf(leaf)).pop().unwrap();
        n_wrong_moves(&blocks, seed as u64) > 0
    };
    let problems = problems(Kind::Dense, 8);
    assert!(problems.iter().enumerate().filter(|&case| wrong(case)).count() > 4);
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
        let expected = self.problem.log_posterior(&change.applied_to(self.rules));
        assert!((found - expected).abs() < 1e-8, "{change:?}: {found} {expected}");
        self.best = self.best.max(found);
    }
}

#[test]
fn insertions_exchanges_and_neighbourhoods_are_scored_as_fresh_lists() {
    for (kind, rated) in KINDS.iter().flat_map(|&kind| problems(kind, 6).into_iter().map(move |r| (kind, r)))
    {
        let problem = &rated.problem;
        let unused = problem.pool.len() as u32 - 1;
        let rules: Vec<u32> = (0..unused).collect();
        let neighbourhood = Neighbourhood::new(problem, &rules);
        let mut seen = Seen { problem, rules: &rules, best: f64::NEG_INFINITY };
        let mut scratch = CandidateScratch::default();
        neighbourhood.visit_candidate(unused, &mut scratch, &mut seen);
        let mut best = f64::NEG_INFINITY;
        for form in in_every_form(problem) {
            let mut state = RuleListState::with_rules(&form, &rules);
            let exchanges = (0..rules.len()).flat_map(|from| {
                let found = state.exchanges(from, unused).to_vec();
                let change = move |position| Move::Exchange { from, candidate: unused, position };
                found.into_iter().enumerate().map(move |(position, found)| (change(position), found))
            });
            let mut all: Vec<(Move, f64)> = exchanges.collect();
            let insertions = state.insertions(unused).iter().enumerate();
            all.extend(
                insertions.map(|(position, &found)| (Move::Add { candidate: unused, position }, found)),
            );
            for (change, found) in all {
                let expected = problem.log_posterior(&change.applied_to(&rules));
                assert!((found - expected).abs() < 1e-8, "{kind:?} {change:?}: {found} {expected}");
                best = best.max(found);
            }
        }
        assert!((seen.best - best).abs() < 1e-8, "{kind:?}: {} {best}", seen.best);
    }
}

#[test]
fn the_search_finds_the_best_list_in_every_form_without_a_proof() {
    for kind in KINDS {
        for (seed, rated) in problems(kind, 5).iter().enumerate() {
            let scores = lists(&rated.problem).into_iter().map(|list| rated.problem.log_posterior(&list));
            let best = scores.fold(f64::NEG_INFINITY, f64::max);
            for (problem, method) in
                in_every_form(&rated.problem).iter().flat_map(|p| [(p, Method::Mcmc), (p, Method::Map)])
            {
                // iterations enough for a proof, if there were one
                let settings = Settings {
                    method,
                    n_chains: 3,
                    iterations: 30_000,
                    seed: 1,
                    threads: 2,
                    among_equals: AmongEquals::Found,
                };
                let found = search(problem, &settings, &Control::default()).unwrap().best;
                assert!((found.score.log_posterior() - best).abs() < 1e-8, "{kind:?} {seed} {method:?}");
                let twin = naive_log_posterior(rated, &found.rules);
                let offset = rated.problem.objective.leaf().as_leaf().offset();
                assert!((twin - offset - best).abs() < 1e-8 * twin.abs().max(1.0));
            }
        }
    }
}

#[test]
fn sampler_and_evidence_match_enumeration() {
    for kind in KINDS {
        for rated in problems(kind, 2) {
            let lists = Enumerated::new(&rated.problem);
            let plan = TemperingPlan { n_runs: 2, warmup: 160, rounds: 1500, every: 1, seed: 3, threads: 2 };
            let sample = sample_posterior(&rated.problem, &plan, &Control::default()).unwrap();
            let visits = lists.visits(sample.runs.iter().flat_map(|run| run.lists.iter()));
            assert_ne!(visits_fit(&lists.probabilities(1.0), &visits), Some(false), "{kind:?}");
            let expected = lists.log_total(1.0) - lists.log_total(0.0);
            assert!((sample.log_evidence - expected).abs() < 0.15, "{} {expected}", sample.log_evidence);
        }
    }
}

#[test]
fn there_are_no_certificates_for_it() {
    for kind in KINDS {
        for rated in problems(kind, 3) {
            let budget = ProofBudget { gap: 0.0, max_nodes: 1000, max_bytes: 1 << 28, threads: 1 };
            let refused = certify_list(&rated.problem, &[], &budget, &Control::default()).unwrap_err();
            assert!(matches!(refused, Error::NotCertifiable(_)), "{refused}");
        }
    }
}
