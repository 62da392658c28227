//! Columns on their way in: bit columns of a fit, cut points of numbers, codes of texts.

use crate::convert::{self, doubles, elements, field, guard, text, texts, whole, wholes, Read};
use crate::text_codes::text_codes;
use extendr_api::prelude::*;
use sbrl_engine::binarise::ItemBits;
use sbrl_engine::column::{Column, MAX_CODE};
use sbrl_engine::cuts::{cut_points, Method};
use sbrl_engine::data::Rows;
use sbrl_engine::error::Error;
use sbrl_engine::order::alike;
use sbrl_engine::parallel::{map, threads_for};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Up to so many rows are too few for their order to matter.
const FEW_ROWS: usize = 2048;

/// Labelled rows; `weights` may be NULL. Rows that are alike in `columns` come to lie side by side.
pub fn read_rows(label: &Robj, weights: &Robj, settings: &Robj, columns: &[Column]) -> Read<Rows> {
    let n_classes = whole(&field(settings, "n_classes")?, "n_classes")? as usize;
    let labels = wholes(label, "label", 1)?;
    let rows = if labels.len() <= FEW_ROWS {
        Rows::new(&labels, n_classes)?
    } else {
        Rows::arranged(&labels, n_classes, alike(columns, &labels, n_classes).into_iter())?
    };
    if weights.is_null() {
        return Ok(rows);
    }
    rows.with_weights(&labels, &doubles(weights, "weights")?)
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
        let values = elements(&columns, "columns")?;
        let columns = convert::columns(&values, "columns")?;
        let rows = read_rows(&label, &weights, &settings, &columns)?;
        let names = texts(&field(&items, "name")?, "name")?;
        let bits = ItemBits::new(rows, convert::items(&items)?, columns.len())?;
        let making = Making { bits, names, seconds: start.elapsed().as_secs_f64() };
        Ok(ExternalPtr::new(Bits(Mutex::new(Some(making)))).into())
    })
}

/// Add the next columns.
/// @noRd
#[extendr]
fn native_bits_add(bits: Robj, columns: Robj, threads: Robj) -> Robj {
    with_bits(&bits, |making| {
        let Some(making) = making else { return Err(Error::Argument("`bits` is used up.".into())) };
        let start = Instant::now();
        let values = elements(&columns, "columns")?;
        making.bits.add(&convert::columns(&values, "columns")?, convert::threads(&threads)?)?;
        making.seconds += start.elapsed().as_secs_f64();
        Ok(r!(NULL))
    })
}

/// Hand the bit columns behind an R value to `work`.
pub fn with_bits(bits: &Robj, work: impl FnOnce(&mut Option<Making>) -> Read<Robj>) -> Robj {
    guard(|| {
        let pointer: Option<ExternalPtr<Bits>> = bits.try_into().ok();
        let bits = pointer.as_ref().and_then(|pointer| pointer.try_addr().ok());
        let bits = bits.ok_or_else(|| Error::Argument("`bits` must be columns in the making.".into()))?;
        let mut making = bits.0.lock().unwrap_or_else(PoisonError::into_inner);
        work(&mut making)
    })
}

/// Cut points of numbers, one vector each.
/// @noRd
#[extendr]
fn native_cut_points(columns: Robj, target: Robj, method: Robj, bins: Robj, threads: Robj) -> Robj {
    guard(|| {
        let method = match text(&method, "method")?.as_str() {
            "mdlp" => Method::MdlpOrQuantile,
            "quantile" => Method::Quantile,
            "width" => Method::Width,
            other => return Err(Error::Argument(format!("`method` must not be {other}."))),
        };
        let weights = field(&target, "weights")?;
        let weights = if weights.is_null() { None } else { Some(doubles(&weights, "weights")?) };
        let bins = whole(&bins, "bins")? as usize;
        let n_classes = whole(&field(&target, "n_classes")?, "n_classes")? as usize;
        let labels = wholes(&field(&target, "codes")?, "codes", 1)?;
        let values = elements(&columns, "columns")?;
        let columns: Read<Vec<_>> = values.iter().map(|value| convert::numbers(value, "columns")).collect();
        let threads = threads_for(convert::threads(&threads)?, labels.len().saturating_mul(values.len()));
        let cuts = map(threads, columns?, |column| {
            cut_points(column, &labels, weights.as_deref(), n_classes, method, bins)
        })?;
        let cuts: Read<Vec<Robj>> = cuts.into_iter().map(|cuts| Ok(cuts?.into())).collect();
        Ok(List::from_values(cuts?).into())
    })
}

/// How often each code of a column occurs: unknown values, missing ones, then the codes 1 to `n_codes`.
/// @noRd
#[extendr]
fn native_count_codes(column: Robj, n_codes: Robj) -> Robj {
    guard(|| {
        let n_codes = whole(&n_codes, "n_codes")?.min(MAX_CODE as u64) as usize;
        let counts = convert::column(&column, "column")?.count_codes(n_codes);
        Ok(counts.into_iter().map(|count| count as f64).collect::<Vec<f64>>().into())
    })
}

/// The texts of a character vector: which one each element is, and where each is first.
/// @noRd
#[extendr]
fn native_text_codes(x: Robj) -> Robj {
    guard(|| {
        let (codes, first) = text_codes(&x, "x")?;
        Ok(list!(codes = codes, first = first).into())
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
