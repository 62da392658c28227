//! The shell between R and the engine: read arguments, call, write the answer.
//!
//! Every entry point runs inside `guard`, so that R gets a value whatever happens. Long work is a `Job` that R polls.

mod columns;
mod convert;
mod job;
mod portable;
mod text_codes;

use columns::{read_rows, with_bits, Making};
use convert::{
    antecedents, doubles, elements, field, from_one, guard, integers, lengths, letters, number, table, text,
    whole, wholes, Read,
};
use extendr_api::prelude::*;
use job::{Fit, Input, Job};
use sbrl_engine::binarise::ItemBits;
use sbrl_engine::bounds::{max_length_paper, max_length_pool, prefix_bound};
use sbrl_engine::error::Error;
use sbrl_engine::export::from_json;
use sbrl_engine::mine::{Items, Limits};
use sbrl_engine::model::captured_counts;
use sbrl_engine::posterior::{log_f, Letters, Posterior};
use sbrl_engine::predict::capturing_rule;
use sbrl_engine::search::chain::ChainReport;
use sbrl_engine::search::proposal::KINDS;
use sbrl_engine::search::{Method, Settings};
use std::time::Duration;

/// Keeps panics quiet: they reach R as values, so nothing may be printed from here.
#[no_mangle]
pub extern "C" fn sbrl_install_panic_hook() {
    std::panic::set_hook(Box::new(|_| {}));
}

/// Start a fit with the bit columns, which are used up; returns a job.
/// @noRd
#[extendr]
fn native_fit_start(bits: Robj, settings: Robj) -> Robj {
    with_bits(&bits, |making| match making.take() {
        Some(making) => Ok(ExternalPtr::new(Job::start(read_input(making, &settings)?)?).into()),
        None => Err(Error::Argument("`bits` is used up.".into())),
    })
}

fn read_input(making: Making, settings: &Robj) -> Read<Input> {
    let get = |name: &str| field(settings, name);
    let count = |name: &str| Ok::<usize, Error>(whole(&get(name)?, name)? as usize);
    let (rows, items, columns) = making.bits.finish()?;
    let target = count("target_rules")?;
    Ok(Input {
        rows,
        items: Items { items, names: making.names, columns },
        limits: Limits {
            min_length: count("minlen")?,
            max_length: count("maxlen")?,
            supports: doubles(&get("minsupport")?, "minsupport")?,
            max_candidates: count("max_rules")?,
            target: (target > 0).then_some(target),
        },
        letters: letters(settings)?,
        settings: Settings {
            method: match text(&get("method")?, "method")?.as_str() {
                "mcmc" => Method::Mcmc,
                "map" => Method::Map,
                other => return Err(Error::Argument(format!("`method` must not be {other}."))),
            },
            n_chains: count("nchain")?,
            iterations: whole(&get("iters")?, "iters")?,
            seed: whole(&get("seed")?, "seed")?,
            threads: convert::threads(&get("threads")?)?,
            max_length: count("max_length")?,
        },
        binarise_seconds: making.seconds,
        at_once: get("at_once")?.as_bool().unwrap_or(false),
    })
}

/// Hand the job behind an R value to `work`; a job read back from a file is no longer one.
fn with_job(job: &Robj, work: impl FnOnce(&Job) -> Read<Robj>) -> Robj {
    guard(|| {
        let pointer: Option<ExternalPtr<Job>> = job.try_into().ok();
        let job = pointer.as_ref().and_then(|pointer| pointer.try_addr().ok());
        job.map_or_else(|| Err(Error::Argument("`job` must be a running fit.".into())), work)
    })
}

/// Wait for a job, at most so long, and say how far it is.
/// @noRd
#[extendr]
fn native_fit_wait(job: Robj, milliseconds: Robj) -> Robj {
    with_job(&job, |job| {
        let done = job.wait(Duration::from_millis(whole(&milliseconds, "milliseconds")?.min(1000)));
        let control = job.control();
        Ok(list!(
            done = done,
            phase = control.phase().name(),
            iterations = control.iterations() as f64,
            total = job.total_iterations as f64,
            best = control.best().map_or(Rfloat::na(), Rfloat::from)
        )
        .into())
    })
}

/// Ask a job to finish with the best list so far.
/// @noRd
#[extendr]
fn native_fit_stop(job: Robj) -> Robj {
    with_job(&job, |job| {
        job.control().stop();
        Ok(r!(NULL))
    })
}

/// Cancel a job and wait until its threads are gone.
/// @noRd
#[extendr]
fn native_fit_cancel(job: Robj) -> Robj {
    with_job(&job, |job| {
        job.cancel();
        Ok(r!(NULL))
    })
}

/// The result of a job that is done.
/// @noRd
#[extendr]
fn native_fit_result(job: Robj) -> Robj {
    with_job(&job, |job| job.with_fit(|fit| Ok(write_fit(fit))))
}

fn write_fit(fit: &Fit) -> Robj {
    let (pool, outcome) = (&fit.pool, &fit.outcome);
    let score = outcome.score;
    let weight = |&count: &u64| count as f64 * pool.rows.unit();
    list!(
        pool_items = from_one(pool.antecedents.flat()),
        pool_lengths = lengths(&pool.antecedents),
        n_distinct = pool.n_distinct() as i32,
        minsupport = pool.supports.clone(),
        rules = from_one(&outcome.rules),
        counts = outcome.counts.iter().map(weight).collect::<Vec<f64>>(),
        score = vec![score.log_prior, score.log_likelihood, score.log_posterior()],
        chains = write_chains(fit),
        trace = write_trace(fit),
        timing = fit.seconds.to_vec(),
        stopped_early = outcome.stopped_early
    )
    .into()
}

/// One row per chain, with acceptance rates; NA for a move that was never proposed.
fn write_chains(fit: &Fit) -> Robj {
    let chains = &fit.outcome.chains;
    let mut columns = vec![
        ("chain".into(), (1..=chains.len()).map(|number| number as f64).collect()),
        ("best_log_posterior".into(), chains.iter().map(|chain| chain.best_log_posterior).collect()),
        ("best_length".into(), chains.iter().map(|chain| chain.best_rules.len() as f64).collect()),
        ("iterations".into(), chains.iter().map(|chain| chain.iterations as f64).collect()),
    ];
    for (kind, name) in KINDS.iter().enumerate() {
        let rate = |chain: &ChainReport| match (chain.accepted[kind], chain.proposed[kind]) {
            (_, 0) => f64::na(),
            (accepted, proposed) => accepted as f64 / proposed as f64,
        };
        columns.push((name.to_string(), chains.iter().map(rate).collect()));
    }
    table(columns)
}

fn write_trace(fit: &Fit) -> Robj {
    let chains = fit.outcome.chains.iter().enumerate();
    let points: Vec<_> =
        chains.flat_map(|(index, chain)| chain.trace.iter().map(move |point| (index, point))).collect();
    table(vec![
        ("chain".into(), points.iter().map(|(index, _)| (index + 1) as f64).collect()),
        ("iteration".into(), points.iter().map(|(_, point)| point.iteration as f64).collect()),
        ("log_posterior".into(), points.iter().map(|(_, point)| point.log_posterior).collect()),
        ("length".into(), points.iter().map(|(_, point)| point.length as f64).collect()),
    ])
}

/// Which rule captures each row; 0 is the default rule.
/// @noRd
#[extendr]
fn native_predict(columns: Robj, items: Robj, rule_items: Robj, rule_lengths: Robj, n_rows: Robj) -> Robj {
    guard(|| {
        let values = elements(&columns, "columns")?;
        let columns = convert::columns(&values, "columns")?;
        let items = convert::items(&items)?;
        let rules = antecedents(&rule_items, &rule_lengths, items.len())?;
        Ok(capturing_rule(&columns, &items, &rules, whole(&n_rows, "n_rows")? as usize)?.into())
    })
}

/// Log prior, log likelihood, log posterior and prefix bound of a list.
/// @noRd
#[extendr]
fn native_score(columns: Robj, items: Robj, label: Robj, weights: Robj, prior: Robj, rules: Robj) -> Robj {
    guard(|| {
        let rows = read_rows(&label, &weights, &prior, &[])?;
        let values = elements(&columns, "columns")?;
        let items = convert::items(&items)?;
        let list = antecedents(&field(&rules, "items")?, &field(&rules, "lengths")?, items.len())?;
        let (used, list) = list.used_items();
        let items: Vec<_> = used.iter().map(|&item| items[item as usize]).collect();
        let mut bits = ItemBits::new(rows, items, values.len())?;
        bits.add(&convert::columns(&values, "columns")?, 1)?;
        let (rows, _, bits) = bits.finish()?;
        let list_lengths: Vec<usize> = list.iter().map(<[u32]>::len).collect();
        let n_by_length = read_n_by_length(&field(&prior, "n_by_length")?, &list_lengths)?;
        let posterior = Posterior::new(&letters(&prior)?, &n_by_length, &rows)?;
        let covers = list.covers(&rows, &bits)?;
        let counts = captured_counts(&rows, (0..list.len()).map(|index| covers.column(index)));
        let score = posterior.score(list_lengths.iter().copied(), &counts);
        let bound = prefix_bound(&posterior, &list_lengths, &counts, rows.n_classes());
        Ok(vec![score.log_prior, score.log_likelihood, score.log_posterior(), bound].into())
    })
}

/// The pool's numbers of antecedents by length, from length 0 on; it must hold the list.
fn read_n_by_length(value: &Robj, list_lengths: &[usize]) -> Read<Vec<u32>> {
    let mut n_by_length = vec![0];
    n_by_length.extend(wholes(value, "n_by_length", 0)?);
    let mut left = n_by_length.clone();
    for &length in list_lengths {
        match left.get_mut(length) {
            Some(n) if *n > 0 => *n -= 1,
            _ => return Err(Error::Data(format!("The pool has too few antecedents of length {length}."))),
        }
    }
    Ok(n_by_length)
}

/// Theorem 1 in the paper's form and with the real pool.
/// @noRd
#[extendr]
fn native_max_length(
    class_counts: Robj,
    lambda: Robj,
    alpha: Robj,
    n_items: Robj,
    n_by_length: Robj,
) -> Robj {
    guard(|| {
        let counts = doubles(&class_counts, "class_counts")?;
        let letters =
            Letters { lambda: number(&lambda, "lambda")?, eta: 1.0, alpha: doubles(&alpha, "alpha")? };
        letters.check(counts.len())?;
        let log_f_all = log_f(&letters.alpha, &counts);
        let paper = max_length_paper(log_f_all, letters.lambda, whole(&n_items, "n_items")?)? as f64;
        let pool = match integers(&n_by_length, "n_by_length")? {
            [] => Rfloat::na(),
            _ => {
                let pool = wholes(&n_by_length, "n_by_length", 0)?;
                Rfloat::from(max_length_pool(log_f_all, letters.lambda, &pool)? as f64)
            }
        };
        Ok(Doubles::from_values([Rfloat::from(paper), pool]).into())
    })
}

/// A model as JSON.
/// @noRd
#[extendr]
fn native_write_json(model: Robj) -> Robj {
    guard(|| Ok(portable::from_r(&model)?.to_json().into()))
}

/// A model from JSON.
/// @noRd
#[extendr]
fn native_read_json(json: Robj) -> Robj {
    guard(|| Ok(portable::to_r(&from_json(&text(&json, "json")?)?)))
}

extendr_module! {
    mod sbrl;
    use columns;
    fn native_fit_start;
    fn native_fit_wait;
    fn native_fit_stop;
    fn native_fit_cancel;
    fn native_fit_result;
    fn native_predict;
    fn native_score;
    fn native_max_length;
    fn native_write_json;
    fn native_read_json;
}
