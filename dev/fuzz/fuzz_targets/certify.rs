//! Certificates of any small problem and budget against enumeration of all its lists.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sbrl_engine::control::Control;
use sbrl_engine::rng::ChainRng;
use sbrl_engine::search::certify::{Ended, ProofBudget, CLAIM};
use sbrl_engine::search::{certify_list, Problem};
use sbrl_engine::testing::random_source;

fn best(problem: &Problem, list: &[u32]) -> f64 {
    let own = problem.log_posterior(list);
    if !problem.objective.admits(list.len() + 1) {
        return own;
    }
    let unused = (0..problem.pool.len() as u32).filter(|rule| !list.contains(rule));
    unused.map(|rule| best(problem, &[list, &[rule]].concat())).fold(own, f64::max)
}

fuzz_target!(|input: (u64, u8, u16, u8)| {
    let source = random_source(&mut ChainRng::new(input.0, 0)).with_items(6);
    let problem = source.problem().limited_to(1 + usize::from(input.1 % 4));
    if problem.pool.is_empty() || problem.pool.len() > 12 {
        return;
    }
    let truth = best(&problem, &[]);
    let max_nodes = if input.2 == 0 { u64::MAX } else { u64::from(input.2) };
    let threads = 1 + usize::from(input.3 % 3);
    let gap = [0.0, 0.3, 2.0, 20.0][usize::from(input.3 / 3 % 4)];
    let budget = ProofBudget { gap, max_nodes, max_bytes: 1 << 28, threads };
    let proof = certify_list(&problem, &[], &budget, &Control::default()).expect("nothing fails");
    assert!(proof.upper_bound >= truth - CLAIM);
    assert!((problem.log_posterior(&proof.best.rules) - proof.best.log_posterior).abs() < 1e-7);
    if proof.ended == Ended::Solved {
        assert!((truth - proof.best.log_posterior) < gap + CLAIM);
        assert!(proof.upper_bound < proof.best.log_posterior + gap + CLAIM);
    }
});
