//! The shell between R and the engine: read arguments, call, write the answer.
//!
//! Every entry point runs inside `guard`, so that R gets a value whatever happens. Long work is a `Job` that R polls.

mod answer;
mod certify;
mod columns;
mod convert;
mod files;
mod fit;
mod job;
mod known_pool;
mod lists;
mod portable;
mod posterior;
mod reserve;
mod row_stream;
mod settings;
mod text_codes;
mod trees;

use answer::{missing, Answer};
use columns::read_target;
use convert::{guard, wrong, Arg, Read};
use extendr_api::prelude::*;
use fit::{Data, Fit, Input};
use job::{run, JobPlan, FEW_CELLS};
use sbrl_engine::binarise::item_bits;
use sbrl_engine::bounds::{max_length_paper, max_length_pool, prefix_bound};
use sbrl_engine::error::Error;
use sbrl_engine::export::from_json;
use sbrl_engine::hyperparameters::Hyperparameters;
use sbrl_engine::leaf::log_marginal;
use sbrl_engine::memory;
use sbrl_engine::model::captured_counts;
use sbrl_engine::posterior::{Posterior, Score};
use sbrl_engine::predict::capturing_rules;
use sbrl_engine::search::record::{RunReport, TracePoint};
use sbrl_engine::search::sample::proposal::KINDS;
use sbrl_engine::search::{Settled, Verdict};
use settings::FitSettings;

/// Bytes that extendr takes when it is first used, and some more.
const ROOM: usize = 8 << 20;

/// Called when R loads the library; false if there is too little memory. Keeps panics quiet, since they reach R as values
/// and nothing may be printed from here, and lays in the reserve of memory.
///
/// extendr keeps the R values that Rust holds in a table, made when it is first used. It cannot be refused the memory: that
/// would end the process. So it is made here, where there is enough.
#[no_mangle]
pub extern "C" fn sbrl_prepare() -> bool {
    std::panic::set_hook(Box::new(|_| {}));
    // if it is refused now, the first call asks again
    let _ = reserve::refill();
    let has_room = memory::with_capacity::<u8>(ROOM).is_ok();
    if has_room {
        drop(r!(NULL));
    }
    has_room
}

/// Fit a rule list.
/// @noRd
#[extendr]
fn native_fit(job: Robj, training: Robj, settings: Robj) -> Robj {
    guard(|| {
        let (training, settings) = (Arg::kept(&training), Arg::of(&settings));
        let items = training.field("items")?;
        let mut input = Input {
            data: read_data(training)?,
            item_names: items.field("name")?.texts("name")?,
            item_words: items.part("words").map_or(Ok(Vec::new()), |words| words.wholes("words", 0))?,
            items: items.items()?,
            settings: FitSettings::read(settings)?,
        };
        let plan = input.plan();
        run(Arg::of(&job), plan, move |control| write_fit(&input.fit(control)?))
    })
}

/// Rows that came in chunks, or columns that are read in place.
fn read_data(training: Arg<'static>) -> Read<Data> {
    if let Some(rows) = training.part("rows") {
        let is_reused = training.part("is_reused").is_some();
        return Ok(Data::Stream { rows: rows.row_stream()?.clone(), is_reused });
    }
    let columns = training.field("columns")?.columns("columns")?;
    Ok(Data::Columns { columns, target: read_target(training)? })
}

fn write_fit(fit: &Fit) -> Read<Answer> {
    let (pool, list, outcome) = (&fit.pool, &fit.list, &fit.outcome);
    let weights = list.counts.iter().map(|&count| count as f64 * pool.rows.unit());
    Ok(Answer::list([
        ("pool", portable::pool_to_r(&pool.antecedents)?),
        ("n_distinct", Answer::Integers(vec![pool.n_distinct() as i32])),
        ("minsupport", Answer::Doubles(pool.supports.clone())),
        ("rules", Answer::Integers(portable::from_one(&list.rules)?)),
        ("counts", Answer::Doubles(memory::collect(weights)?)),
        ("score", write_score(list.score)),
        ("else_rule", write_rule(fit.else_rule)),
        (
            "found",
            Answer::list([
                ("rules", Answer::Integers(portable::from_one(&outcome.best.rules)?)),
                ("score", write_score(outcome.best.score)),
            ]),
        ),
        ("chains", write_chains(fit)?),
        ("trace", write_trace(fit)?),
        ("timing", Answer::Doubles(fit.seconds.to_vec())),
        ("stopped_early", Answer::Logical(outcome.stopped_early)),
        ("settled", write_settled(outcome.settled)),
        (
            "certificate",
            certify::write_optional(fit.certificate.as_ref(), outcome.best.score.log_posterior())?,
        ),
    ]))
}

/// A candidate as R counts, or 0.
fn write_rule(rule: Option<u32>) -> Answer {
    Answer::number(rule.map_or(0.0, |rule| f64::from(rule) + 1.0))
}

fn write_score(score: Score) -> Answer {
    Answer::Doubles(vec![score.log_prior, score.log_likelihood, score.log_posterior()])
}

/// What is known of the list, and how many searches found it of how many; nothing if the iterations were given.
fn write_settled(settled: Option<Settled>) -> Answer {
    settled.map_or(Answer::Null, |Settled { verdict, n_chains, n_others }| {
        let verdict = match verdict {
            Verdict::Open => 0,
            Verdict::Settled => 1,
            Verdict::Proved => 2,
        };
        let numbers = [verdict, n_chains.0, n_chains.1, n_others.0, n_others.1];
        Answer::Doubles(numbers.map(|number| number as f64).to_vec())
    })
}

/// One row per chain, with acceptance rates; NA for a move that was never proposed.
fn write_chains(fit: &Fit) -> Read<Answer> {
    let column = |get: &dyn Fn(usize, &RunReport) -> f64| {
        let values = runs(fit).enumerate().map(|(index, run)| get(index, run));
        Ok::<_, Error>(Answer::Doubles(memory::collect(values)?))
    };
    let mut columns = vec![
        ("chain".to_string(), column(&|index, _| (index + 1) as f64)?),
        ("best_log_posterior".to_string(), column(&|_, run| run.best.log_posterior)?),
        ("best_length".to_string(), column(&|_, run| run.best.rules.len() as f64)?),
        ("iterations".to_string(), column(&|_, run| run.iterations as f64)?),
    ];
    for kind in KINDS {
        let rate = |_: usize, run: &RunReport| match (run.moves.accepted(kind), run.moves.proposed(kind)) {
            (_, 0) => missing(),
            (accepted, proposed) => accepted as f64 / proposed as f64,
        };
        columns.push((kind.name().to_string(), column(&rate)?));
    }
    Ok(Answer::List(columns))
}

/// Chains, then runs of the optimiser.
fn runs(fit: &Fit) -> impl Iterator<Item = &RunReport> {
    fit.outcome.chains.iter().chain(&fit.outcome.optimiser_runs)
}

fn write_trace(fit: &Fit) -> Read<Answer> {
    let points = memory::collect(
        runs(fit).enumerate().flat_map(|(index, run)| run.trace.iter().map(move |point| (index, point))),
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

/// Find which rule captures each row (0 is the default rule), and the rows that missed a rule only because a value is missing.
/// `missing_is_known`: for each feature, whether it was also missing in training rows.
/// @noRd
#[extendr]
fn native_predict(
    job: Robj,
    columns: Robj,
    items: Robj,
    rules: Robj,
    missing_is_known: Robj,
    n_rows: Robj,
) -> Robj {
    guard(|| {
        let columns = Arg::kept(&columns).columns("columns")?;
        let items = Arg::of(&items).items()?;
        let rules = Arg::of(&rules).antecedents(items.len())?;
        let known = Arg::of(&missing_is_known).wholes("missing_is_known", 0)?;
        let known: Vec<bool> = known.into_iter().map(|is_known| is_known > 0).collect();
        let n_rows = Arg::of(&n_rows).whole("n_rows")? as usize;
        let is_small = n_rows.saturating_mul(rules.len()) <= FEW_CELLS;
        run(Arg::of(&job), JobPlan::inline_if(is_small), move |control| {
            let found = capturing_rules(&columns, &items, &rules, &known, n_rows, control)?;
            Ok(Answer::list([
                ("rule", Answer::Integers(found.rule)),
                ("undecided", Answer::Integers(portable::from_one(&found.undecided)?)),
            ]))
        })
    })
}

/// Find the log prior, log likelihood, log posterior and prefix bound of a list.
/// @noRd
#[extendr]
fn native_score(job: Robj, training: Robj, prior: Robj, rules: Robj) -> Robj {
    guard(|| {
        let (training, prior) = (Arg::kept(&training), Arg::of(&prior));
        let target = read_target(training)?;
        let columns = training.field("columns")?.columns("columns")?;
        let items = training.field("items")?.items()?;
        let list = Arg::of(&rules).antecedents(items.len())?;
        let (used, list) = list.used_items();
        let items: Vec<_> = used.iter().map(|&item| items[item as usize].clone()).collect();
        // the prior may count an antecedent that is not mined as one of another length
        let list_lengths: Vec<usize> = match Arg::of(&rules).part("prior_lengths") {
            Some(lengths) => lengths.wholes("prior_lengths", 0)?.iter().map(|&n| n as usize).collect(),
            None => list.iter().map(<[u32]>::len).collect(),
        };
        if list_lengths.len() != list.len() {
            return wrong("prior_lengths", "one number per rule");
        }
        let n_by_length = read_n_by_length(prior.field("n_by_length")?, &list_lengths)?;
        let hyperparameters = prior.hyperparameters()?;
        let is_small = target.labels.len().saturating_mul(1 + list.len()) <= FEW_CELLS;
        run(Arg::of(&job), JobPlan::inline_if(is_small), move |control| {
            let rows = target.rows(&[], control)?;
            let bits = item_bits(&rows, &columns, &items, 1, control)?;
            let posterior = Posterior::new(&hyperparameters, &n_by_length, &rows)?;
            let covers = list.covers(&rows, &bits)?;
            let counts = captured_counts(&rows, (0..list.len()).map(|index| covers.column(index)));
            let score = posterior.score(list_lengths.iter().copied(), &counts);
            let bound = prefix_bound(&posterior, &list_lengths, &counts, rows.n_classes());
            Ok(Answer::Doubles(vec![score.log_prior, score.log_likelihood, score.log_posterior(), bound]))
        })
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
        let hyperparameters = Hyperparameters { lambda, eta: 1.0, alpha: Arg::of(&alpha).doubles("alpha")? };
        hyperparameters.check(counts.len())?;
        let log_marginal_all = log_marginal(&hyperparameters.alpha, &counts);
        let paper = max_length_paper(log_marginal_all, lambda, Arg::of(&n_items).whole("n_items")?)? as f64;
        let pool = match Arg::of(&n_by_length).wholes("n_by_length", 0)?.as_slice() {
            [] => missing(),
            pool => max_length_pool(log_marginal_all, lambda, pool)? as f64,
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
    use certify;
    use columns;
    use files;
    use job;
    use lists;
    use posterior;
    use row_stream;
    use trees;
    fn native_fit;
    fn native_predict;
    fn native_score;
    fn native_max_length;
    fn native_write_json;
    fn native_read_json;
}
