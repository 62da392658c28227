//! Any moves on any problem: scoring by difference, captures and bounds against lists scored from nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sbrl_engine::bounds::prefix_bound;
use sbrl_engine::naive::{log_marginal, log_prior};
use sbrl_engine::rng::ChainRng;
use sbrl_engine::search::moves::Move;
use sbrl_engine::search::state::State;
use sbrl_engine::testing::random_source;

fuzz_target!(|input: (u64, Vec<(u8, u8, u8)>)| {
    let source = random_source(&mut ChainRng::new(input.0, 0));
    let problem = source.problem();
    let pool_lengths: Vec<usize> = problem.pool.antecedents.iter().map(<[u32]>::len).collect();
    let mut state = State::empty(&problem);
    for (kind, one, other) in input.1.into_iter().take(40) {
        let Some(change) = read_move(&state, kind, one.into(), other.into()) else { continue };
        let promised = state.try_move(change, f64::NEG_INFINITY).expect("nothing is asked");
        // whoever asks for less gets the score, whoever asks for more gets none or the same
        assert_eq!(state.try_move(change, promised - 1e-3), Some(promised));
        assert!(state.try_move(change, promised + 1e-3).map_or(true, |again| again == promised));
        let expected = change.applied_to(state.rules());
        state.make(change);
        assert_eq!(state.rules(), expected);
        let antecedents: Vec<Vec<u32>> =
            expected.iter().map(|&rule| problem.pool.antecedents.get(rule as usize).to_vec()).collect();
        let captured = source.table.captured(&antecedents, &source.items);
        assert_eq!(state.counts(), captured.concat());
        let lengths: Vec<usize> = antecedents.iter().map(Vec::len).collect();
        let likelihood: f64 = captured.iter().map(|counts| log_marginal(&source.hyperparameters.alpha, counts)).sum();
        let truth = log_prior(&source.hyperparameters, &pool_lengths, &lengths) + likelihood;
        assert!((promised - truth).abs() < 1e-7 && (state.score().log_posterior() - truth).abs() < 1e-7);
        let bound = prefix_bound(&problem.posterior, &lengths, state.counts(), source.table.n_classes);
        assert!(bound >= truth - 1e-7);
    }
});

fn read_move(state: &State<'_>, kind: u8, one: usize, other: usize) -> Option<Move> {
    let (m, n) = (state.rules().len(), state.problem().pool.len());
    let candidate = u32::try_from(one.checked_rem(n)?).ok()?;
    let unused = !state.rules().contains(&candidate);
    match kind % 4 {
        0 if unused => Some(Move::Add { candidate, at: other % (m + 1) }),
        1 if m > 0 => Some(Move::Remove { at: other % m }),
        2 if one % m.max(1) < other % m.max(1) => Some(Move::Swap { first: one % m, second: other % m }),
        3 if unused && m > 0 => Some(Move::Replace { candidate, at: other % m }),
        _ => None,
    }
}
