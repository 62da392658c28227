//! Any moves on any problem: scores, captures, bounds, positions, neighbourhoods and residual problems against lists scored
//! from scratch.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sbrl_engine::bounds::prefix_bound;
use sbrl_engine::control::Control;
use sbrl_engine::naive::{log_marginal, log_prior};
use sbrl_engine::rng::ChainRng;
use sbrl_engine::search::list::moves::Move;
use sbrl_engine::search::list::neighbourhood::{CandidateScratch, MoveSink, Neighbourhood};
use sbrl_engine::search::list::RuleListState;
use sbrl_engine::search::residual::ResidualProblem;
use sbrl_engine::search::Problem;
use sbrl_engine::testing::random_source;

fuzz_target!(|input: (u64, Vec<(u8, u8, u8, u8)>)| {
    let source = random_source(&mut ChainRng::new(input.0, 0));
    let problem = source.problem();
    let pool_lengths: Vec<usize> = problem.pool.antecedents.iter().map(<[u32]>::len).collect();
    let mut state = RuleListState::empty(&problem);
    for (kind, one, other, third) in input.1.into_iter().take(40) {
        let Some(change) = read_move(&state, kind, one.into(), other.into(), third.into()) else { continue };
        let promised = state.log_posterior_after(change, f64::NEG_INFINITY).expect("any score is asked for");
        // a lower threshold gives the score, a higher one gives none or the same
        assert_eq!(state.log_posterior_after(change, promised - 1e-3), Some(promised));
        assert!(state.log_posterior_after(change, promised + 1e-3).map_or(true, |again| again == promised));
        let expected = change.applied_to(state.rules());
        state.apply(change);
        assert_eq!(state.rules(), expected);
        let antecedents: Vec<Vec<u32>> =
            expected.iter().map(|&rule| problem.pool.antecedents.get(rule as usize).to_vec()).collect();
        let captured = source.table.captured(&antecedents, &source.items);
        assert_eq!(state.counts(), captured.concat());
        let lengths: Vec<usize> = antecedents.iter().map(Vec::len).collect();
        let likelihood: f64 =
            captured.iter().map(|counts| log_marginal(&source.hyperparameters.alpha, counts)).sum();
        let truth = log_prior(&source.hyperparameters, &pool_lengths, &lengths) + likelihood;
        assert!((promised - truth).abs() < 1e-7 && (state.log_posterior() - truth).abs() < 1e-7);
        let bound =
            prefix_bound(problem.objective.posterior(), &lengths, state.counts(), source.table.n_classes);
        assert!(bound >= truth - 1e-7);
    }
    check_positions(&mut state);
    check_neighbourhood(&problem, state.rules());
    check_residual(&problem, state.rules());
});

fn read_move(state: &RuleListState<'_>, kind: u8, one: usize, other: usize, third: usize) -> Option<Move> {
    let (m, n) = (state.rules().len(), state.problem().pool.len());
    let candidate = u32::try_from(one.checked_rem(n)?).ok()?;
    let unused = !state.rules().contains(&candidate);
    match kind % 5 {
        0 if unused => Some(Move::Add { candidate, position: other % (m + 1) }),
        1 if m > 0 => Some(Move::Remove { position: other % m }),
        2 if one % m.max(1) < other % m.max(1) => Some(Move::Swap { first: one % m, second: other % m }),
        3 if unused && m > 0 => Some(Move::Replace { candidate, position: other % m }),
        4 if m > 0 => {
            let from = other % m;
            let candidate = if unused { candidate } else { state.rules()[from] };
            Some(Move::Exchange { from, candidate, position: third % m })
        }
        _ => None,
    }
}

/// One candidate at every position, alone and for each rule.
fn check_positions(state: &mut RuleListState<'_>) {
    let (problem, rules) = (state.problem(), state.rules().to_vec());
    let unused = (0..problem.pool.len() as u32).find(|candidate| !rules.contains(candidate));
    if let Some(candidate) = unused {
        for (position, &found) in state.insertions(candidate).to_vec().iter().enumerate() {
            let expected = problem.log_posterior(&Move::Add { candidate, position }.applied_to(&rules));
            assert!((found - expected).abs() < 1e-7);
        }
    }
    for from in 0..rules.len() {
        for candidate in [Some(rules[from]), unused].into_iter().flatten() {
            for (position, &found) in state.exchanges(from, candidate).to_vec().iter().enumerate() {
                let change = Move::Exchange { from, candidate, position };
                assert!((found - problem.log_posterior(&change.applied_to(&rules))).abs() < 1e-7);
            }
        }
    }
}

/// Keeps the best move offered, and compares each with its list scored from scratch.
struct Check<'a> {
    problem: &'a Problem,
    rules: &'a [u32],
    best: f64,
}

impl MoveSink for Check<'_> {
    fn threshold(&self) -> f64 {
        self.best
    }

    fn offer(&mut self, log_posterior: f64, change: Move) {
        let expected = self.problem.log_posterior(&change.applied_to(self.rules));
        assert!((log_posterior - expected).abs() < 1e-7, "{change:?}");
        self.best = self.best.max(log_posterior);
    }
}

/// No insertion or exchange of a candidate is better than the best one offered.
fn check_neighbourhood(problem: &Problem, rules: &[u32]) {
    let neighbourhood = Neighbourhood::new(problem, rules);
    neighbourhood.visit_removals(&mut Check { problem, rules, best: f64::NEG_INFINITY });
    let mut scratch = CandidateScratch::default();
    for candidate in (0..problem.pool.len() as u32).take(4) {
        let mut check = Check { problem, rules, best: f64::NEG_INFINITY };
        neighbourhood.visit_candidate(candidate, &mut scratch, &mut check);
        let own = rules.iter().position(|&rule| rule == candidate);
        for from in own.map_or(0..rules.len(), |own| own..own + 1) {
            for position in 0..rules.len() {
                let change = Move::Exchange { from, candidate, position };
                assert!(problem.log_posterior(&change.applied_to(rules)) < check.best + 1e-7);
            }
        }
    }
}

/// What follows a prefix adds to it what the residual problem gives.
fn check_residual(problem: &Problem, rules: &[u32]) {
    let prefix = &rules[..rules.len() / 2];
    let Ok(residual) = ResidualProblem::new(problem, prefix, &Control::default()) else { return };
    let suffix = residual.to_residual(&rules[prefix.len()..]);
    let difference = |suffix: &[u32]| {
        problem.log_posterior(&residual.to_full(suffix)) - residual.problem.log_posterior(suffix)
    };
    assert!((difference(&suffix) - difference(&[])).abs() < 1e-7);
}
