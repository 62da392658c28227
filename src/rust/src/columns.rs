//! Columns on their way in: bit columns of a fit, cut points of numbers, codes of texts.

use crate::answer::{Answer, Handle};
use crate::convert::{guard, Arg, Read};
use crate::text_codes::text_codes;
use extendr_api::prelude::*;
use sbrl_engine::binarise::ItemBits;
use sbrl_engine::column::{Column, MAX_CODE};
use sbrl_engine::cuts::{cut_points, Method};
use sbrl_engine::data::Rows;
use sbrl_engine::error::Error;
use sbrl_engine::memory;
use sbrl_engine::order::alike;
use sbrl_engine::parallel::{map, threads_for};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Up to so many rows are too few for their order to matter.
const FEW_ROWS: usize = 2048;

/// Labelled rows; `weights` may be NULL. Rows that are alike in `columns` come to lie side by side.
pub fn read_rows(label: Arg, weights: Arg, settings: Arg, columns: &[Column]) -> Read<Rows> {
    let n_classes = settings.field("n_classes")?.whole("n_classes")? as usize;
    let labels = label.wholes("label", 1)?;
    let rows = if labels.len() <= FEW_ROWS {
        Rows::new(&labels, n_classes)?
    } else {
        Rows::arranged(&labels, n_classes, alike(columns, &labels, n_classes).into_iter())?
    };
    if weights.is_null() {
        return Ok(rows);
    }
    rows.with_weights(&labels, &weights.doubles("weights")?)
}

/// The bit columns of a fit in the making. R hands columns over a few at a time, to look for interrupts in between.
pub struct Bits(Mutex<Option<Making>>);

/// Unfinished bit columns, the names of their items, and the seconds spent so far.
pub struct Making {
    pub bits: ItemBits,
    pub names: Vec<String>,
    pub seconds: f64,
}

/// Begin the bit columns of a fit.
/// @noRd
#[extendr]
fn native_bits_start(items: Robj, columns: Robj, label: Robj, weights: Robj, settings: Robj) -> Robj {
    guard(|| {
        let start = Instant::now();
        let columns = Arg::of(&columns).columns("columns")?;
        let rows = read_rows(Arg::of(&label), Arg::of(&weights), Arg::of(&settings), &columns)?;
        let items = Arg::of(&items);
        let names = items.field("name")?.texts("name")?;
        let bits = ItemBits::new(rows, items.items()?, columns.len())?;
        let making = Making { bits, names, seconds: start.elapsed().as_secs_f64() };
        Ok(Answer::handle(Handle::Bits(Bits(Mutex::new(Some(making))))))
    })
}

/// Add the next columns.
/// @noRd
#[extendr]
fn native_bits_add(bits: Robj, columns: Robj, threads: Robj) -> Robj {
    with_bits(&bits, |making| {
        let Some(making) = making else { return Err(Error::Argument("`bits` is used up.".into())) };
        let start = Instant::now();
        making.bits.add(&Arg::of(&columns).columns("columns")?, Arg::of(&threads).threads()?)?;
        making.seconds += start.elapsed().as_secs_f64();
        Ok(Answer::Null)
    })
}

/// Hand the bit columns behind an R value to `work`.
pub fn with_bits(bits: &Robj, work: impl FnOnce(&mut Option<Making>) -> Read<Answer>) -> Robj {
    guard(|| {
        let Some(Handle::Bits(bits)) = Arg::of(bits).handle() else {
            return Err(Error::Argument("`bits` must be columns in the making.".into()));
        };
        let mut making = bits.0.lock().unwrap_or_else(PoisonError::into_inner);
        work(&mut making)
    })
}

/// Cut points of numbers, one vector each.
/// @noRd
#[extendr]
fn native_cut_points(columns: Robj, target: Robj, method: Robj, bins: Robj, threads: Robj) -> Robj {
    guard(|| {
        let method = match Arg::of(&method).text("method")?.as_str() {
            "mdlp" => Method::MdlpOrQuantile,
            "quantile" => Method::Quantile,
            "width" => Method::Width,
            other => return Err(Error::Argument(format!("`method` must not be {other}."))),
        };
        let target = Arg::of(&target);
        let weights = target.field("weights")?;
        let weights = if weights.is_null() { None } else { Some(weights.doubles("weights")?) };
        let bins = Arg::of(&bins).whole("bins")? as usize;
        let n_classes = target.field("n_classes")?.whole("n_classes")? as usize;
        let labels = target.field("codes")?.wholes("codes", 1)?;
        let columns = Arg::of(&columns).elements("columns")?;
        let columns: Vec<_> = columns.iter().map(|column| column.numbers("columns")).collect::<Read<_>>()?;
        let threads = threads_for(Arg::of(&threads).threads()?, labels.len().saturating_mul(columns.len()));
        let cuts = map(threads, columns, |column| {
            cut_points(column, &labels, weights.as_deref(), n_classes, method, bins)
        })?;
        let cuts: Vec<Answer> = cuts.into_iter().map(|cuts| Ok(Answer::Doubles(cuts?))).collect::<Read<_>>()?;
        Ok(Answer::unnamed(cuts.into_iter()))
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

/// The texts of a character vector: which one each element is, and where each is first.
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
    fn native_bits_start;
    fn native_bits_add;
    fn native_cut_points;
    fn native_count_codes;
    fn native_text_codes;
}
