//! How good the lists are that `method = "map"` finds: many seeds on one thread, compared with the best list known.

use crate::engine::{self, N_CHAINS};
use crate::problems::Spec;
use cpu_time::ProcessTime;

/// Log posteriors this close are those of lists that are equally good.
const SAME: f64 = 1e-3;

/// Search with `seeds` seeds from `first` on, 20 chains × `iterations` iterations each, and print what each found as CSV;
/// then, as a remark, the median, the best and how many seeds reached it (`known`, if that is better).
pub fn run(spec: &Spec, iterations: u64, first: u64, seeds: u64, known: f64) -> Result<(), String> {
    let (rows, items) = engine::stage_binarise(&spec.table()?)?;
    let problem = engine::problem(engine::stage_mine(&rows, &items, spec)?, spec)?;
    println!("problem,seed,seconds,log_posterior,rules");
    let (mut found, mut total) = (Vec::new(), 0.0);
    for seed in first..first + seeds {
        let clock = ProcessTime::now();
        let outcome = engine::stage_map(&problem, seed, iterations)?;
        let seconds = clock.elapsed().as_secs_f64();
        let log_posterior = outcome.best.score.log_posterior();
        println!("{},{seed},{seconds:.3},{log_posterior:.4},{}", spec.name, outcome.best.rules.len());
        found.push(log_posterior);
        total += seconds;
    }
    found.sort_by(f64::total_cmp);
    let best = found.last().copied().unwrap_or(f64::NAN).max(known);
    let reached = found.iter().filter(|&&score| score >= best - SAME).count();
    println!(
        "# {}: {} x {iterations} iterations, {:.2} s a seed; median {:.4}, worst {:.4}, best {best:.4}, reached by {reached} of {seeds}",
        spec.name,
        N_CHAINS,
        total / seeds as f64,
        found[found.len() / 2],
        found[0]
    );
    Ok(())
}
