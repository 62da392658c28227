//! Columns on their way in: labels and weights, cut points of numbers, codes of texts.

use crate::answer::Answer;
use crate::convert::{guard, wrong, Arg, Read};
use crate::fit::TrainingLabels;
use crate::job::{run, JobPlan, FEW_CELLS};
use crate::text_codes::text_codes;
use extendr_api::prelude::*;
use sbrl_engine::column::MAX_CODE;
use sbrl_engine::cuts::{self, code_weights, cut_points, group_levels, round_between, CutPoint, Method};
use sbrl_engine::memory;
use sbrl_engine::parallel::{threads_for, try_map};

/// Labels, weights, which may be NULL, and number of classes of the training rows.
pub fn read_target(training: Arg) -> Read<TrainingLabels> {
    let weights = training.field("weights")?;
    Ok(TrainingLabels {
        labels: training.field("codes")?.wholes("codes", 1)?,
        n_classes: training.field("n_classes")?.count("n_classes")?,
        weights: if weights.is_null() { None } else { Some(weights.doubles("weights")?) },
    })
}

/// Find the cut points of numbers, for each column: the `cuts`, and the values next `below` and `above` them.
/// @noRd
#[extendr]
fn native_cut_points(job: Robj, training: Robj, settings: Robj) -> Robj {
    guard(|| {
        let (training, settings) = (Arg::kept(&training), Arg::of(&settings));
        let method = match settings.field("discretize")?.text("discretize")?.as_str() {
            "mdlp" => Method::MdlpOrQuantile,
            "modl" => Method::ModlOrQuantile,
            "quantile" => Method::Quantile,
            "width" => Method::Width,
            _ => return wrong("discretize", "\"modl\", \"mdlp\", \"quantile\" or \"width\""),
        };
        let bins = settings.field("bins")?.count("bins")?;
        let target = read_target(training)?;
        let columns = training.field("columns")?.elements("columns")?;
        let columns: Vec<_> = columns.iter().map(|column| column.numbers("columns")).collect::<Read<_>>()?;
        let n_cells = target.labels.len().saturating_mul(columns.len());
        let threads = threads_for(settings.field("threads")?.threads()?, n_cells);
        run(Arg::of(&job), JobPlan::inline_if(n_cells <= FEW_CELLS), move |control| {
            let TrainingLabels { labels, n_classes, weights } = &target;
            let target = cuts::Target { labels, n_classes: *n_classes, weights: weights.as_deref() };
            let cuts =
                try_map(threads, columns, |column| cut_points(column, &target, method, bins, control))?;
            Ok(Answer::unnamed(cuts.iter().map(|cuts| write_cuts(cuts))))
        })
    })
}

fn write_cuts(cuts: &[CutPoint]) -> Answer {
    let column = |get: fn(&CutPoint) -> f64| Answer::Doubles(cuts.iter().map(get).collect());
    Answer::list([
        ("cuts", column(|cut| cut.at)),
        ("below", column(|cut| cut.below)),
        ("above", column(|cut| cut.above)),
    ])
}

/// Group the levels of columns, of which `n_levels` has the number each: for each column the `groups` of its levels, from 1, and
/// the weight of the rows that are `missing`. Of a column with intervals only the weight is found.
/// @noRd
#[extendr]
fn native_group_levels(job: Robj, training: Robj, n_levels: Robj) -> Robj {
    guard(|| {
        let training = Arg::kept(&training);
        let target = read_target(training)?;
        let columns = training.field("columns")?.columns("columns")?;
        let n_levels = Arg::of(&n_levels).wholes("n_levels", 0)?;
        if n_levels.len() != columns.len() {
            return wrong("n_levels", "one number per column");
        }
        let is_small = target.labels.len().saturating_mul(columns.len()) <= FEW_CELLS;
        let is_small = is_small && n_levels.iter().all(|&n| n <= FEW_LEVELS);
        run(Arg::of(&job), JobPlan::inline_if(is_small), move |control| {
            let TrainingLabels { labels, n_classes, weights } = &target;
            let weights = weights.as_deref();
            let mut found = memory::with_capacity(columns.len())?;
            for (column, &n_levels) in columns.iter().zip(&n_levels) {
                let sums = code_weights(column, labels, *n_classes, weights, n_levels as usize, control)?;
                let groups = portable_groups(&group_levels(&sums[1..], control)?)?;
                let missing = sums[0].iter().sum();
                found.push(Answer::list([("groups", groups), ("missing", Answer::number(missing))]));
            }
            Ok(Answer::unnamed(found.into_iter()))
        })
    })
}

/// Grouping as many levels takes less than the time of a thread.
const FEW_LEVELS: u32 = 50;

fn portable_groups(groups: &[usize]) -> Read<Answer> {
    Ok(Answer::Integers(memory::collect(groups.iter().map(|&group| group as i32 + 1))?))
}

/// The roundest number between each of the values `below` and that `above` it.
/// @noRd
#[extendr]
fn native_round_between(below: Robj, above: Robj) -> Robj {
    guard(|| {
        let (below, above) = (Arg::of(&below).doubles("below")?, Arg::of(&above).doubles("above")?);
        let cuts = below.iter().zip(&above).map(|(&below, &above)| round_between(below, above));
        Ok(Answer::Doubles(cuts.collect()))
    })
}

/// How often each code of a column occurs: unknown values, missing ones, then the codes 1 to `n_codes`.
/// @noRd
#[extendr]
fn native_count_codes(column: Robj, n_codes: Robj) -> Robj {
    guard(|| {
        let n_codes = Arg::of(&n_codes).whole("n_codes")?.min(MAX_CODE as u64) as usize;
        let counts = Arg::of(&column).column("column")?.count_codes(n_codes);
        Ok(Answer::Doubles(memory::collect(counts.into_iter().map(|count| count as f64))?))
    })
}

/// The distinct texts of a character vector: their number for each element, and where each appears first.
/// @noRd
#[extendr]
fn native_text_codes(x: Robj) -> Robj {
    guard(|| {
        let (codes, first) = text_codes(Arg::of(&x), "x")?;
        Ok(Answer::list([("codes", Answer::Integers(codes)), ("first", Answer::Integers(first))]))
    })
}

extendr_module! {
    mod columns;
    fn native_cut_points;
    fn native_group_levels;
    fn native_round_between;
    fn native_count_codes;
    fn native_text_codes;
}
