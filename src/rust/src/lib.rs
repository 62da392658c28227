//! The shell between R and the engine: read arguments, call, write the answer.
//!
//! Every entry point runs inside `guard`, so that R gets a value whatever happens. Long work is a `Job` that R polls.

mod answer;
mod columns;
mod convert;
mod job;
mod portable;
mod reserve;
mod text_codes;

use answer::{Answer, Handle, NA_REAL};
use columns::{read_rows, with_bits, Making};
use convert::{guard, Arg, Read};
use extendr_api::prelude::*;
use job::{Fit, Input, Job};
use sbrl_engine::binarise::ItemBits;
use sbrl_engine::bounds::{max_length_paper, max_length_pool, prefix_bound};
use sbrl_engine::error::Error;
use sbrl_engine::export::from_json;
use sbrl_engine::memory;
use sbrl_engine::mine::{Items, Limits};
use sbrl_engine::model::captured_counts;
use sbrl_engine::posterior::{log_f, Letters, Posterior};
use sbrl_engine::predict::capturing_rule;
use sbrl_engine::search::chain::{ChainReport, TracePoint};
use sbrl_engine::search::proposal::KINDS;
use sbrl_engine::search::{Method, Settings};
use std::time::Duration;

/// Called when R loads the library. Keeps panics quiet, since they reach R as values and nothing may be printed from
/// here, and lays in the reserve of memory.
#[no_mangle]
pub extern "C" fn sbrl_prepare() {
    std::panic::set_hook(Box::new(|_| {}));
    // if it is refused now, the first call asks again
    let _ = reserve::refill();
}

/// Start a fit with the bit columns, which are used up; returns a job.
/// @noRd
#[extendr]
fn native_fit_start(bits: Robj, settings: Robj) -> Robj {
    with_bits(&bits, |making| match making.take() {
        Some(making) => Ok(Answer::handle(Handle::Job(Job::start(read_input(making, Arg::of(&settings))?)?))),
        None => Err(Error::Argument("`bits` is used up.".into())),
    })
}

fn read_input(making: Making, settings: Arg) -> Read<Input> {
    let get = |name: &str| settings.field(name);
    let count = |name: &str| Ok::<usize, Error>(get(name)?.whole(name)? as usize);
    let (rows, items, columns) = making.bits.finish()?;
    let target = count("target_rules")?;
    Ok(Input {
        rows,
        items: Items { items, names: making.names, columns },
        limits: Limits {
            min_length: count("minlen")?,
            max_length: count("maxlen")?,
            supports: get("minsupport")?.doubles("minsupport")?,
            max_candidates: count("max_rules")?,
            target: (target > 0).then_some(target),
        },
        letters: settings.letters()?,
        settings: Settings {
            method: match get("method")?.text("method")?.as_str() {
                "mcmc" => Method::Mcmc,
                "map" => Method::Map,
                other => return Err(Error::Argument(format!("`method` must not be {other}."))),
            },
            n_chains: count("nchain")?,
            iterations: get("iters")?.whole("iters")?,
            seed: get("seed")?.whole("seed")?,
            threads: get("threads")?.threads()?,
            max_length: count("max_length")?,
        },
        binarise_seconds: making.seconds,
        at_once: get("at_once")?.flag("at_once")?,
    })
}

/// Hand the job behind an R value to `work`; a job read back from a file is no longer one.
fn with_job(job: &Robj, work: impl FnOnce(&Job) -> Read<Answer>) -> Robj {
    guard(|| match Arg::of(job).handle() {
        Some(Handle::Job(job)) => work(job),
        _ => Err(Error::Argument("`job` must be a running fit.".into())),
    })
}

/// Wait for a job, at most so long, and say how far it is.
/// @noRd
#[extendr]
fn native_fit_wait(job: Robj, milliseconds: Robj) -> Robj {
    with_job(&job, |job| {
        let done = job.wait(Duration::from_millis(Arg::of(&milliseconds).whole("milliseconds")?.min(1000)));
        let control = job.control();
        Ok(Answer::list([
            ("done", Answer::Logical(done)),
            ("phase", Answer::text(control.phase().name())),
            ("iterations", Answer::number(control.iterations() as f64)),
            ("total", Answer::number(job.total_iterations as f64)),
            ("best", Answer::number(control.best().unwrap_or(NA_REAL))),
        ]))
    })
}

/// Ask a job to finish with the best list so far.
/// @noRd
#[extendr]
fn native_fit_stop(job: Robj) -> Robj {
    with_job(&job, |job| {
        job.control().stop();
        Ok(Answer::Null)
    })
}

/// Cancel a job and wait until its threads are gone.
/// @noRd
#[extendr]
fn native_fit_cancel(job: Robj) -> Robj {
    with_job(&job, |job| {
        job.cancel();
        Ok(Answer::Null)
    })
}

/// The result of a job that is done.
/// @noRd
#[extendr]
fn native_fit_result(job: Robj) -> Robj {
    with_job(&job, |job| job.with_fit(write_fit))
}

fn write_fit(fit: &Fit) -> Read<Answer> {
    let (pool, outcome) = (&fit.pool, &fit.outcome);
    let score = outcome.score;
    let weights = outcome.counts.iter().map(|&count| count as f64 * pool.rows.unit());
    Ok(Answer::list([
        ("pool", portable::pool_to_r(&pool.antecedents)?),
        ("n_distinct", Answer::Integers(vec![pool.n_distinct() as i32])),
        ("minsupport", Answer::Doubles(pool.supports.clone())),
        ("rules", Answer::Integers(portable::from_one(&outcome.rules)?)),
        ("counts", Answer::Doubles(memory::collect(weights)?)),
        ("score", Answer::Doubles(vec![score.log_prior, score.log_likelihood, score.log_posterior()])),
        ("chains", write_chains(fit)?),
        ("trace", write_trace(fit)?),
        ("timing", Answer::Doubles(fit.seconds.to_vec())),
        ("stopped_early", Answer::Logical(outcome.stopped_early)),
    ]))
}

/// One row per chain, with acceptance rates; NA for a move that was never proposed.
fn write_chains(fit: &Fit) -> Read<Answer> {
    let chains = &fit.outcome.chains;
    let column = |get: &dyn Fn(usize, &ChainReport) -> f64| {
        let values = chains.iter().enumerate().map(|(index, chain)| get(index, chain));
        Ok::<_, Error>(Answer::Doubles(memory::collect(values)?))
    };
    let mut columns = vec![
        ("chain".to_string(), column(&|index, _| (index + 1) as f64)?),
        ("best_log_posterior".to_string(), column(&|_, chain| chain.best_log_posterior)?),
        ("best_length".to_string(), column(&|_, chain| chain.best_rules.len() as f64)?),
        ("iterations".to_string(), column(&|_, chain| chain.iterations as f64)?),
    ];
    for (kind, name) in KINDS.iter().enumerate() {
        let rate = |_: usize, chain: &ChainReport| match (chain.accepted[kind], chain.proposed[kind]) {
            (_, 0) => NA_REAL,
            (accepted, proposed) => accepted as f64 / proposed as f64,
        };
        columns.push((name.to_string(), column(&rate)?));
    }
    Ok(Answer::List(columns))
}

fn write_trace(fit: &Fit) -> Read<Answer> {
    let chains = fit.outcome.chains.iter().enumerate();
    let points = memory::collect(
        chains.flat_map(|(index, chain)| chain.trace.iter().map(move |point| (index, point))),
    )?;
    let column = |get: &dyn Fn(&(usize, &TracePoint)) -> f64| {
        Ok::<_, Error>(Answer::Doubles(memory::collect(points.iter().map(get))?))
    };
    Ok(Answer::list([
        ("chain", column(&|(index, _)| (index + 1) as f64)?),
        ("iteration", column(&|(_, point)| point.iteration as f64)?),
        ("log_posterior", column(&|(_, point)| point.log_posterior)?),
        ("length", column(&|(_, point)| point.length as f64)?),
    ]))
}

/// Which rule captures each row; 0 is the default rule.
/// @noRd
#[extendr]
fn native_predict(columns: Robj, items: Robj, rules: Robj, n_rows: Robj) -> Robj {
    guard(|| {
        let columns = Arg::of(&columns).columns("columns")?;
        let items = Arg::of(&items).items()?;
        let rules = Arg::of(&rules).antecedents(items.len())?;
        let n_rows = Arg::of(&n_rows).whole("n_rows")? as usize;
        Ok(Answer::Integers(capturing_rule(&columns, &items, &rules, n_rows)?))
    })
}

/// Log prior, log likelihood, log posterior and prefix bound of a list.
/// @noRd
#[extendr]
fn native_score(columns: Robj, items: Robj, label: Robj, weights: Robj, prior: Robj, rules: Robj) -> Robj {
    guard(|| {
        let prior = Arg::of(&prior);
        let rows = read_rows(Arg::of(&label), Arg::of(&weights), prior, &[])?;
        let columns = Arg::of(&columns).columns("columns")?;
        let items = Arg::of(&items).items()?;
        let list = Arg::of(&rules).antecedents(items.len())?;
        let (used, list) = list.used_items();
        let items: Vec<_> = used.iter().map(|&item| items[item as usize]).collect();
        let mut bits = ItemBits::new(rows, items, columns.len())?;
        bits.add(&columns, 1)?;
        let (rows, _, bits) = bits.finish()?;
        let list_lengths: Vec<usize> = list.iter().map(<[u32]>::len).collect();
        let n_by_length = read_n_by_length(prior.field("n_by_length")?, &list_lengths)?;
        let posterior = Posterior::new(&prior.letters()?, &n_by_length, &rows)?;
        let covers = list.covers(&rows, &bits)?;
        let counts = captured_counts(&rows, (0..list.len()).map(|index| covers.column(index)));
        let score = posterior.score(list_lengths.iter().copied(), &counts);
        let bound = prefix_bound(&posterior, &list_lengths, &counts, rows.n_classes());
        Ok(Answer::Doubles(vec![score.log_prior, score.log_likelihood, score.log_posterior(), bound]))
    })
}

/// The pool's numbers of antecedents by length, from length 0 on; it must hold the list.
fn read_n_by_length(value: Arg, list_lengths: &[usize]) -> Read<Vec<u32>> {
    let mut n_by_length = vec![0];
    n_by_length.extend(value.wholes("n_by_length", 0)?);
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
        let counts = Arg::of(&class_counts).doubles("class_counts")?;
        let lambda = Arg::of(&lambda).number("lambda")?;
        let letters = Letters { lambda, eta: 1.0, alpha: Arg::of(&alpha).doubles("alpha")? };
        letters.check(counts.len())?;
        let log_f_all = log_f(&letters.alpha, &counts);
        let paper = max_length_paper(log_f_all, lambda, Arg::of(&n_items).whole("n_items")?)? as f64;
        let pool = match Arg::of(&n_by_length).wholes("n_by_length", 0)?.as_slice() {
            [] => NA_REAL,
            pool => max_length_pool(log_f_all, lambda, pool)? as f64,
        };
        Ok(Answer::Doubles(vec![paper, pool]))
    })
}

/// A model as JSON.
/// @noRd
#[extendr]
fn native_write_json(model: Robj) -> Robj {
    guard(|| Ok(Answer::text(portable::from_r(Arg::of(&model))?.to_json()?)))
}

/// A model from JSON.
/// @noRd
#[extendr]
fn native_read_json(json: Robj) -> Robj {
    guard(|| portable::to_r(from_json(&Arg::of(&json).text("json")?)?))
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
