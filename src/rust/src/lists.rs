//! Many rule lists at once: what each captures, their average, and which of their antecedents are alike.

use crate::answer::Answer;
use crate::columns::read_target;
use crate::convert::{guard, Arg, Read};
use crate::job::{run, JobPlan, FEW_CELLS};
use crate::portable;
use extendr_api::prelude::*;
use sbrl_engine::binarise::item_bits;
use sbrl_engine::memory;
use sbrl_engine::predict::alike::{cover_weights, groups};
use sbrl_engine::predict::average::{averaged, CellTable};
use sbrl_engine::predict::lists::{list_cells, ListInput, RuleLists};

/// The columns, items, antecedents (`rules`) and lists that R passes together.
fn read_input(input: Arg<'_>) -> Read<ListInput<'_>> {
    let items = input.field("items")?.items()?;
    let antecedents = input.field("rules")?.antecedents(items.len())?;
    let lists = input.field("lists")?;
    let lengths = lists.field("lengths")?.wholes("lengths", 0)?;
    let lengths = memory::collect(lengths.into_iter().map(|length| length as usize))?;
    let known = input.field("missing_is_known")?.wholes("missing_is_known", 0)?;
    Ok(ListInput {
        columns: input.field("columns")?.columns("columns")?,
        lists: RuleLists::new(lists.field("rules")?.wholes("rules", 1)?, &lengths, antecedents.len())?,
        items,
        antecedents,
        missing_is_known: known.into_iter().map(|is_known| is_known > 0).collect(),
        undecided_get_base_rate: input.field("base_rate")?.whole("base_rate")? > 0,
        n_rows: input.field("n_rows")?.count("n_rows")?,
    })
}

fn plan(input: &ListInput) -> JobPlan {
    JobPlan::inline_if(input.n_rows.saturating_mul(input.lists.n_cells()) <= FEW_CELLS)
}

/// Find which rule of each list captures each row: the number of its cell, from 1, list by list.
/// @noRd
#[extendr]
fn native_list_cells(job: Robj, input: Robj) -> Robj {
    guard(|| {
        let input = read_input(Arg::kept(&input))?;
        run(Arg::of(&job), plan(&input), move |control| {
            let (mut cells, undecided) = list_cells(&input, control)?;
            cells.iter_mut().for_each(|cell| *cell += 1);
            Ok(Answer::list([
                ("cells", Answer::Integers(cells)),
                ("undecided", Answer::Integers(portable::from_one(&undecided)?)),
            ]))
        })
    })
}

/// Average the predictions of the lists. `table` has what each cell predicts.
/// @noRd
#[extendr]
fn native_average_lists(job: Robj, input: Robj, table: Robj) -> Robj {
    guard(|| {
        let (input, table) = (read_input(Arg::kept(&input))?, Arg::of(&table));
        let table = CellTable {
            n_classes: table.field("n_classes")?.count("n_classes")?,
            probs: table.field("probs")?.doubles("probs")?,
            n_points: table.field("n_points")?.count("n_points")?,
            points: table.field("points")?.doubles("points")?,
            tail: table.field("tail")?.number("tail")?,
        };
        run(Arg::of(&job), plan(&input), move |control| {
            let found = averaged(&input, &table, control)?;
            Ok(Answer::list([
                ("mean", Answer::Doubles(found.mean)),
                ("lower", Answer::Doubles(found.lower)),
                ("upper", Answer::Doubles(found.upper)),
                ("undecided", Answer::Integers(portable::from_one(&found.undecided)?)),
            ]))
        })
    })
}

/// Group the antecedents by what they cover: the weight that each covers, its group, and how many differ.
/// @noRd
#[extendr]
fn native_alike(job: Robj, training: Robj, rules: Robj, order: Robj, similarity: Robj) -> Robj {
    guard(|| {
        let training = Arg::kept(&training);
        let target = read_target(training)?;
        let columns = training.field("columns")?.columns("columns")?;
        let items = training.field("items")?.items()?;
        let rules = Arg::of(&rules).antecedents(items.len())?;
        let order = Arg::of(&order).wholes("order", 1)?;
        let similarity = Arg::of(&similarity).number("similarity")?;
        if order.iter().any(|&index| index as usize >= rules.len()) {
            return crate::convert::wrong("order", "numbers of rules");
        }
        let is_small = target.labels.len().saturating_mul(1 + rules.len()) <= FEW_CELLS;
        run(Arg::of(&job), JobPlan::inline_if(is_small), move |control| {
            let rows = target.rows(&[], control)?;
            let bits = item_bits(&rows, &columns, &items, 1, control)?;
            let covers = rules.covers(&rows, &bits)?;
            let weights = cover_weights(&rows, &covers, control)?;
            let weights = memory::collect(weights.into_iter().map(|weight| weight as f64 * rows.unit()))?;
            let near = groups(&rows, &covers, &order, similarity, control)?;
            let equal = groups(&rows, &covers, &order, 1.0, control)?;
            let n_distinct =
                equal.iter().enumerate().filter(|(index, &group)| *index == group as usize).count();
            Ok(Answer::list([
                ("weights", Answer::Doubles(weights)),
                ("group", Answer::Integers(portable::from_one(&near)?)),
                ("n_distinct", Answer::Integers(vec![n_distinct as i32])),
            ]))
        })
    })
}

extendr_module! {
    mod lists;
    fn native_list_cells;
    fn native_average_lists;
    fn native_alike;
}
