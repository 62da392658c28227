//! Out-of-sample predictions of trees, for lists that learn from these.

use crate::answer::Answer;
use crate::columns::read_target;
use crate::convert::{guard, wrong, Arg, Read};
use crate::fit::TrainingLabels;
use crate::job::{run, JobPlan};
use extendr_api::prelude::*;
use sbrl_engine::control::Control;
use sbrl_engine::trees::{n_trees_grown, out_of_sample, TreeColumn, TreeRows};
use std::time::Duration;

/// Trees for at most this many cells run inline: that takes a few dozen milliseconds.
const FEW_CELLS: usize = 1 << 11;

fn read_column(column: Arg<'static>) -> Read<TreeColumn<'static>> {
    match column.field("kind")?.text("kind")?.as_str() {
        "numbers" => Ok(TreeColumn::Numbers(column.field("values")?.numbers("values")?)),
        "ordered" => Ok(TreeColumn::Ordered(column.column("columns")?)),
        "levels" => Ok(TreeColumn::Levels(column.column("columns")?)),
        _ => wrong("kind", "\"numbers\", \"ordered\" or \"levels\""),
    }
}

/// Predict all rows by boosted trees and by a forest that have not seen them: class probabilities row by row.
/// @noRd
#[extendr]
fn native_trees(job: Robj, training: Robj, settings: Robj) -> Robj {
    guard(|| {
        let (training, settings) = (Arg::kept(&training), Arg::of(&settings));
        let TrainingLabels { labels, n_classes, weights } = read_target(training)?;
        let groups = match training.part("groups").filter(|groups| !groups.is_null()) {
            None => None,
            Some(groups) => Some(groups.wholes("groups", 1)?),
        };
        let columns = training.field("columns")?.elements("columns")?;
        let columns: Vec<_> = columns.into_iter().map(read_column).collect::<Read<_>>()?;
        let seed = settings.field("seed")?.whole("seed")?;
        let threads = settings.field("threads")?.threads()?;
        let limit = Duration::try_from_secs_f64(settings.field("time_limit")?.number("time_limit")?).ok();
        let is_small = limit.is_none() && labels.len().saturating_mul(columns.len() + 1) <= FEW_CELLS;
        let plan = JobPlan {
            inline: is_small.then(Control::default),
            on_thread: limit.map_or_else(Control::default, Control::with_time_limit),
            total_iterations: n_trees_grown(n_classes),
        };
        run(Arg::of(&job), plan, move |control| {
            let (weights, groups) = (weights.as_deref(), groups.as_deref());
            let rows = TreeRows { columns, labels: &labels, n_classes, weights, groups };
            let found = out_of_sample(&rows, seed, threads, control)?;
            Ok(Answer::list([
                ("boosted", Answer::Doubles(found.boosted)),
                ("forest", Answer::Doubles(found.forest)),
                ("n_rounds", Answer::number(found.n_rounds as f64)),
                ("n_trees", Answer::number(found.n_trees as f64)),
            ]))
        })
    })
}

extendr_module! {
    mod trees;
    fn native_trees;
}
