//! The shell between R and the engine: read arguments, call, write the answer.
//!
//! Every entry point runs inside `guard`, so that R gets a value whatever happens. Long work is a `Job` that R polls.

mod columns;
mod convert;
mod fit;
mod job;
mod portable;
mod text_codes;

use columns::read_target;
use convert::{
    antecedents, doubles, elements, field, from_one, guard, integers, lengths, letters, number, table, text,
    texts, whole, wholes, Read,
};
use extendr_api::prelude::*;
use fit::{Fit, Input};
use job::{with_job, Answer, FEW_CELLS};
use sbrl_engine::binarise::item_bits;
use sbrl_engine::bounds::{max_length_paper, max_length_pool, prefix_bound};
use sbrl_engine::error::Error;
use sbrl_engine::export::from_json;
use sbrl_engine::mine::Limits;
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

/// Fit a rule list.
/// @noRd
#[extendr]
fn native_fit(job: Robj, items: Robj, columns: Robj, label: Robj, weights: Robj, settings: Robj) -> Robj {
    with_job(&job, |job| {
        let values = elements(&columns, "columns")?;
        let input = Input {
            columns: convert::columns(&values, "columns")?,
            target: read_target(&label, &weights, &settings)?,
            item_names: texts(&field(&items, "name")?, "name")?,
            items: convert::items(&items)?,
            limits: read_limits(&settings)?,
            letters: letters(&settings)?,
            settings: read_settings(&settings)?,
            // what is no duration is longer than any
            time_limit: Duration::try_from_secs_f64(number(&field(&settings, "time_limit")?, "time_limit")?)
                .ok(),
        };
        Ok(input.run(job, |fit| Box::new(move || write_fit(&fit)))?.into())
    })
}

fn read_limits(settings: &Robj) -> Read<Limits> {
    let count = |name: &str| Ok::<usize, Error>(whole(&field(settings, name)?, name)? as usize);
    let target = count("target_rules")?;
    Ok(Limits {
        min_length: count("minlen")?,
        max_length: count("maxlen")?,
        supports: doubles(&field(settings, "minsupport")?, "minsupport")?,
        max_candidates: count("max_rules")?,
        target: (target > 0).then_some(target),
    })
}

fn read_settings(settings: &Robj) -> Read<Settings> {
    let get = |name: &str| field(settings, name);
    let count = |name: &str| whole(&get(name)?, name);
    Ok(Settings {
        method: match text(&get("method")?, "method")?.as_str() {
            "mcmc" => Method::Mcmc,
            "map" => Method::Map,
            other => return Err(Error::Argument(format!("`method` must not be {other}."))),
        },
        n_chains: count("nchain")? as usize,
        iterations: count("iters")?,
        seed: count("seed")?,
        threads: convert::threads(&get("threads")?)?,
        max_length: count("max_length")? as usize,
    })
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

/// Find which rule captures each row; 0 is the default rule.
/// @noRd
#[extendr]
fn native_predict(
    job: Robj,
    columns: Robj,
    items: Robj,
    rule_items: Robj,
    rule_lengths: Robj,
    n_rows: Robj,
) -> Robj {
    with_job(&job, |job| {
        let values = elements(&columns, "columns")?;
        let columns = convert::columns(&values, "columns")?;
        let items = convert::items(&items)?;
        let rules = antecedents(&rule_items, &rule_lengths, items.len())?;
        let n_rows = whole(&n_rows, "n_rows")? as usize;
        let is_little = n_rows.saturating_mul(rules.len()) <= FEW_CELLS;
        let is_done = job.run(is_little, move |control| {
            let rules = capturing_rule(&columns, &items, &rules, n_rows, control)?;
            Ok(Box::new(move || rules.into()) as Answer)
        })?;
        Ok(is_done.into())
    })
}

/// Find the log prior, log likelihood, log posterior and prefix bound of a list.
/// @noRd
#[extendr]
fn native_score(job: Robj, columns: Robj, items: Robj, target: Robj, prior: Robj, rules: Robj) -> Robj {
    with_job(&job, |job| {
        let target = read_target(&field(&target, "codes")?, &field(&target, "weights")?, &target)?;
        let values = elements(&columns, "columns")?;
        let columns = convert::columns(&values, "columns")?;
        let items = convert::items(&items)?;
        let list = antecedents(&field(&rules, "items")?, &field(&rules, "lengths")?, items.len())?;
        let (used, list) = list.used_items();
        let items: Vec<_> = used.iter().map(|&item| items[item as usize]).collect();
        let list_lengths: Vec<usize> = list.iter().map(<[u32]>::len).collect();
        let n_by_length = read_n_by_length(&field(&prior, "n_by_length")?, &list_lengths)?;
        let letters = letters(&prior)?;
        let is_little = target.labels.len().saturating_mul(1 + list.len()) <= FEW_CELLS;
        let is_done = job.run(is_little, move |control| {
            let rows = target.rows(&[], control)?;
            let bits = item_bits(&rows, &columns, &items, 1, control)?;
            let posterior = Posterior::new(&letters, &n_by_length, &rows)?;
            let covers = list.covers(&rows, &bits)?;
            let counts = captured_counts(&rows, (0..list.len()).map(|index| covers.column(index)));
            let score = posterior.score(list_lengths.iter().copied(), &counts);
            let bound = prefix_bound(&posterior, &list_lengths, &counts, rows.n_classes());
            let numbers = vec![score.log_prior, score.log_likelihood, score.log_posterior(), bound];
            Ok(Box::new(move || numbers.into()) as Answer)
        })?;
        Ok(is_done.into())
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
    use job;
    fn native_fit;
    fn native_predict;
    fn native_score;
    fn native_max_length;
    fn native_write_json;
    fn native_read_json;
}
