//! Draws from the posterior of a model, given its candidates and training rows.

use crate::answer::Answer;
use crate::convert::{guard, Arg, Read};
use crate::job::{run, JobPlan};
use crate::known_pool::KnownPool;
use extendr_api::prelude::*;
use sbrl_engine::error::Error;
use sbrl_engine::memory;
use sbrl_engine::search::good_lists::{good_lists, GoodList};
use sbrl_engine::search::{sample_posterior, Sample, TemperingPlan};

fn read_plan(settings: Arg, threads: usize) -> Read<TemperingPlan> {
    let whole = |name: &str| settings.field(name)?.whole(name);
    Ok(TemperingPlan {
        n_runs: settings.field("chains")?.count("chains")?,
        warmup: whole("warmup")?,
        rounds: whole("rounds")?,
        every: whole("every")?,
        seed: whole("seed")?,
        threads,
    })
}

/// Sample the posterior over lists of the candidates `rules`.
/// @noRd
#[extendr]
fn native_posterior(job: Robj, training: Robj, rules: Robj, settings: Robj) -> Robj {
    guard(|| {
        let settings = Arg::of(&settings);
        let pool = KnownPool::read(Arg::kept(&training), Arg::of(&rules), settings)?;
        let plan = read_plan(settings, pool.threads)?;
        let total_iterations = plan.warmup.saturating_add(plan.rounds).saturating_mul(plan.n_runs as u64);
        let job_plan = JobPlan { inline: None, on_thread: pool.control(), total_iterations };
        run(Arg::of(&job), job_plan, move |control| {
            let problem = pool.problem(control)?;
            let sample = sample_posterior(&problem, &plan, control)?;
            let pruned = good_lists(&problem, &sample.runs, plan.threads, control)?;
            write_sample(&sample, &pruned, problem.pool.rows.unit())
        })
    })
}

fn write_sample(sample: &Sample, pruned: &[GoodList], unit: f64) -> Read<Answer> {
    let lengths = sample.runs.iter().flat_map(|draws| draws.lists.iter().map(|list| list.len() as i32));
    let rules = sample.runs.iter().flat_map(|draws| draws.lists.flat()).map(|&rule| (rule + 1) as i32);
    let counts = sample.runs.iter().flat_map(|draws| &draws.counts).map(|&count| count as f64 * unit);
    let doubles = |counts: &[u64]| Answer::Doubles(counts.iter().map(|&n| n as f64).collect());
    let scores = || sample.runs.iter().flat_map(|draws| &draws.scores);
    Ok(Answer::list([
        ("lengths", Answer::Integers(memory::collect(lengths)?)),
        ("rules", Answer::Integers(memory::collect(rules)?)),
        ("counts", Answer::Doubles(memory::collect(counts)?)),
        ("log_prior", Answer::Doubles(memory::collect(scores().map(|score| score.log_prior))?)),
        ("log_likelihood", Answer::Doubles(memory::collect(scores().map(|score| score.log_likelihood))?)),
        ("betas", Answer::Doubles(sample.betas.clone())),
        ("swap_rates", Answer::Doubles(sample.swap_rates.clone())),
        ("restarts", doubles(&sample.restarts)),
        ("round_trips", doubles(&sample.round_trips)),
        ("log_evidence", Answer::number(sample.log_evidence)),
        ("log_evidence_drift", Answer::number(sample.log_evidence_drift)),
        ("log_evidences", Answer::Doubles(sample.log_evidences.clone())),
        ("log_prior_mass", Answer::number(sample.log_prior_mass)),
        ("rounds", Answer::Doubles(vec![sample.warmup as f64, sample.rounds as f64])),
        ("pruned", write_pruned(pruned, unit)?),
    ]))
}

/// The lists one after the other, as those of the draws, with the number of the draw that each comes from.
fn write_pruned(pruned: &[GoodList], unit: f64) -> Read<Answer> {
    let numbers = |get: fn(&GoodList) -> usize| {
        Ok::<_, Error>(Answer::Integers(memory::collect(pruned.iter().map(|good| get(good) as i32))?))
    };
    let rules = pruned.iter().flat_map(|good| &good.list.rules).map(|&rule| rule as i32 + 1);
    let counts = pruned.iter().flat_map(|good| &good.list.counts).map(|&count| count as f64 * unit);
    let scores = pruned.iter().map(|good| good.list.score.log_posterior());
    Ok(Answer::list([
        ("draw", numbers(|good| good.draw + 1)?),
        ("lengths", numbers(|good| good.list.rules.len())?),
        ("rules", Answer::Integers(memory::collect(rules)?)),
        ("counts", Answer::Doubles(memory::collect(counts)?)),
        ("log_posterior", Answer::Doubles(memory::collect(scores)?)),
    ]))
}

extendr_module! {
    mod posterior;
    fn native_posterior;
}
