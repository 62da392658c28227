//! R values in and out: each reader names the argument it could not read.

use extendr_api::prelude::*;
use extendr_api::AsTypedSlice;
use sbrl_engine::column::{Column, Reading, Values};
use sbrl_engine::error::Error;
use sbrl_engine::model::{Antecedents, Item};
use sbrl_engine::posterior::Letters;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::OnceLock;

pub type Read<T> = std::result::Result<T, Error>;

/// Run an entry point so that neither an error nor a panic leaves it other than as a value: R raises them itself,
/// because an R jump must not cross Rust frames.
pub fn guard(work: impl FnOnce() -> Read<Robj>) -> Robj {
    let outcome = catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|panic| Err(Error::Internal(panic_text(panic.as_ref()))));
    outcome.unwrap_or_else(|error| {
        list!(sbrl_native_error = true, kind = error.kind(), message = error.to_string()).into()
    })
}

/// What a panic said.
pub fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic".into())
}

pub fn wrong<T>(name: &str, expected: &str) -> Read<T> {
    Err(Error::Argument(format!("`{name}` must be {expected}.")))
}

/// The element `name` of a named list.
pub fn field(list: &Robj, name: &str) -> Read<Robj> {
    part(list, name).map_or_else(|| wrong(name, "there"), Ok)
}

/// The same, if it is there.
fn part(list: &Robj, name: &str) -> Option<Robj> {
    let list = list.as_list()?;
    let at = list.names()?.position(|key| key == name)?;
    list.elt(at).ok()
}

pub fn integers<'a>(value: &'a Robj, name: &str) -> Read<&'a [i32]> {
    value.as_integer_slice().map_or_else(|| wrong(name, "an integer vector"), Ok)
}

pub fn doubles(value: &Robj, name: &str) -> Read<Vec<f64>> {
    if let Some(integers) = value.as_integer_slice() {
        return Ok(integers.iter().map(|&x| f64::from(x)).collect());
    }
    value.as_real_slice().map_or_else(|| wrong(name, "a numeric vector"), |x| Ok(x.to_vec()))
}

pub fn texts(value: &Robj, name: &str) -> Read<Vec<String>> {
    value.as_string_vector().map_or_else(|| wrong(name, "a character vector"), Ok)
}

pub fn text(value: &Robj, name: &str) -> Read<String> {
    match <[String; 1]>::try_from(texts(value, name)?) {
        Ok([text]) => Ok(text),
        Err(_) => wrong(name, "one character string"),
    }
}

pub fn number(value: &Robj, name: &str) -> Read<f64> {
    match doubles(value, name)?[..] {
        [x] => Ok(x),
        _ => wrong(name, "one number"),
    }
}

/// The number of threads asked for, or as many as can run at once.
pub fn threads(value: &Robj) -> Read<usize> {
    let wanted = whole(value, "threads")? as usize;
    // the system looks it up in files
    static AT_ONCE: OnceLock<usize> = OnceLock::new();
    let at_once = AT_ONCE.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from));
    Ok(wanted.min(*at_once))
}

/// One whole number from 0 to 2^53.
pub fn whole(value: &Robj, name: &str) -> Read<u64> {
    let x = number(value, name)?;
    if (0.0..=9_007_199_254_740_992.0).contains(&x) && x.fract() == 0.0 {
        return Ok(x as u64);
    }
    wrong(name, "one whole number from 0 on")
}

/// Whole numbers, each less `offset`: R counts from 1, Rust from 0.
pub fn wholes(value: &Robj, name: &str, offset: i32) -> Read<Vec<u32>> {
    let shifted = |&x: &i32| u32::try_from(x.checked_sub(offset)?).ok();
    let shifted: Option<Vec<u32>> = integers(value, name)?.iter().map(shifted).collect();
    shifted.map_or_else(|| wrong(name, "integers in range"), Ok)
}

/// The elements of a list of vectors.
pub fn elements(value: &Robj, name: &str) -> Read<Vec<Robj>> {
    value.as_list().map_or_else(|| wrong(name, "a list"), |list| Ok(list.values().collect()))
}

/// Columns to be read in place: each a list of `values` and what they mean, or NULL for one that nobody needs.
pub fn columns(values: &[Robj], name: &str) -> Read<Vec<Column<'static>>> {
    values.iter().map(|value| column(value, name)).collect()
}

pub fn column(value: &Robj, name: &str) -> Read<Column<'static>> {
    if value.is_null() {
        return Ok(Column::of_codes(&[]));
    }
    if !value.is_list() {
        return wrong(name, "a list of columns");
    }
    let part = |name: &str| part(value, name);
    let codes = |value: Robj| Ok::<Vec<i32>, Error>(integers(&value, "table")?.to_vec());
    let reading = match (part("cuts"), part("levels"), part("table")) {
        (Some(cuts), None, None) => Reading::Cuts(doubles(&cuts, "cuts")?),
        (None, Some(levels), Some(table)) => {
            Reading::Levels { levels: doubles(&levels, "levels")?, codes: codes(table)? }
        }
        (None, None, Some(table)) => Reading::Table(codes(table)?),
        _ => return wrong(name, "columns with cuts, levels or a table"),
    };
    Column::new(numbers(&field(value, "values")?, "values")?, reading)
}

/// A vector of integers or doubles, read where it is: R keeps it until the entry point returns, and until the job that reads it
/// is over.
pub fn numbers(value: &Robj, name: &str) -> Read<Values<'static>> {
    let integers: Option<&'static [i32]> = value.as_typed_slice();
    let doubles: Option<&'static [f64]> = value.as_typed_slice();
    let values = integers.map(Values::Integers).or(doubles.map(Values::Doubles));
    values.map_or_else(|| wrong(name, "a numeric vector"), Ok)
}

pub fn items(value: &Robj) -> Read<Vec<Item>> {
    let features = wholes(&field(value, "feature")?, "feature", 1)?;
    let (lo, hi) = (field(value, "lo")?, field(value, "hi")?);
    let (lo, hi) = (integers(&lo, "lo")?, integers(&hi, "hi")?);
    if lo.len() != features.len() || hi.len() != features.len() {
        return wrong("items", "columns of one length");
    }
    let ranges = lo.iter().zip(hi);
    Ok(features.into_iter().zip(ranges).map(|(feature, (&lo, &hi))| Item { feature, lo, hi }).collect())
}

pub fn antecedents(flat: &Robj, lengths: &Robj, n_items: usize) -> Read<Antecedents> {
    let lengths: Vec<usize> = wholes(lengths, "lengths", 0)?.iter().map(|&n| n as usize).collect();
    Antecedents::from_flat(&wholes(flat, "items", 1)?, &lengths, n_items)
}

pub fn letters(value: &Robj) -> Read<Letters> {
    Ok(Letters {
        lambda: number(&field(value, "lambda")?, "lambda")?,
        eta: number(&field(value, "eta")?, "eta")?,
        alpha: doubles(&field(value, "alpha")?, "alpha")?,
    })
}

/// Indices for R, from 1.
pub fn from_one(indices: &[u32]) -> Vec<i32> {
    indices.iter().map(|&index| index as i32 + 1).collect()
}

pub fn lengths(antecedents: &Antecedents) -> Vec<i32> {
    antecedents.iter().map(|antecedent| antecedent.len() as i32).collect()
}

/// A named list of numeric columns.
pub fn table(columns: Vec<(String, Vec<f64>)>) -> Robj {
    let (names, values): (Vec<String>, Vec<Vec<f64>>) = columns.into_iter().unzip();
    named(names.iter().map(String::as_str).collect(), values.into_iter().map(Robj::from).collect())
}

/// A named list.
pub fn named(names: Vec<&str>, values: Vec<Robj>) -> Robj {
    List::from_names_and_values(names, values).map_or_else(|_| r!(NULL), Robj::from)
}
