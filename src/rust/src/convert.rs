//! Arguments from R: each reader names the argument it could not read.
//!
//! Nothing here allocates in R, runs R code or can raise an R error, because R's jumps must not cross Rust frames. R
//! makes its vectors plain before it calls (see `plain()` in `R/base_native.R` and `src/answer.c`).

use crate::answer::{forget, leave, Answer, Handle};
use crate::job::Job;
use crate::reserve;
use crate::row_stream::RowStream;
use extendr_api::prelude::*;
use extendr_ffi::{
    R_NaString, R_NamesSymbol, Rf_getAttrib, Rf_xlength, ALTREP, DATAPTR_OR_NULL, R_CHAR, SEXP, SEXPTYPE,
    STRING_ELT, TYPEOF, VECTOR_ELT,
};
use sbrl_engine::column::{InputColumn, Reading, Values};
use sbrl_engine::error::Error;
use sbrl_engine::hyperparameters::Hyperparameters;
use sbrl_engine::memory;
use sbrl_engine::model::{Antecedents, Item};
use std::marker::PhantomData;
use std::os::raw::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::OnceLock;

pub type Read<T> = std::result::Result<T, Error>;

/// Run an entry point so that neither an error nor a panic leaves it: they become answers like any other, and R raises
/// them itself.
pub fn guard(work: impl FnOnce() -> Read<Answer>) -> Robj {
    forget();
    let checked = || reserve::refill().and_then(|()| work());
    let outcome = catch_unwind(AssertUnwindSafe(checked))
        .unwrap_or_else(|panic| Err(Error::Internal(panic_text(panic.as_ref()))));
    leave(outcome.unwrap_or_else(|error| Answer::error(&error)));
    r!(NULL)
}

/// The message of a panic.
pub fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic".into())
}

pub fn wrong<T>(name: &str, expected: &str) -> Read<T> {
    Err(Error::Argument(format!("`{name}` must be {expected}.")))
}

/// An R value that is read in place.
#[derive(Clone, Copy)]
pub struct Arg<'a> {
    value: SEXP,
    lives: PhantomData<&'a Robj>,
}

extern "C" {
    /// In `src/answer.c`.
    fn sbrl_handle_address(x: *mut c_void) -> *mut c_void;
}

impl<'a> Arg<'a> {
    pub fn of(argument: &'a Robj) -> Arg<'a> {
        Arg::kept(argument)
    }

    /// An argument of a job; `call_job()` in R keeps it alive until the job is over.
    pub fn kept(argument: &Robj) -> Arg<'a> {
        // SAFETY: the value is only read, and R keeps it alive
        Arg { value: unsafe { argument.get() }, lives: PhantomData }
    }

    fn is(self, kind: SEXPTYPE) -> bool {
        // SAFETY: every value has a type
        unsafe { TYPEOF(self.value) == kind }
    }

    pub fn is_null(self) -> bool {
        self.is(SEXPTYPE::NILSXP)
    }

    fn len(self) -> usize {
        // SAFETY: asked of vectors only
        usize::try_from(unsafe { Rf_xlength(self.value) }).unwrap_or(0)
    }

    /// The values of a vector of this type; `T` is what R keeps in it.
    fn slice<T>(self, kind: SEXPTYPE) -> Option<&'a [T]> {
        if !self.is(kind) {
            return None;
        }
        if self.len() == 0 {
            return Some(&[]);
        }
        // SAFETY: a vector without a ready data pointer gives null; else it points to `len()` values, which R keeps
        // where they are as long as the vector lives
        unsafe {
            let values: *const T = DATAPTR_OR_NULL(self.value).cast();
            (!values.is_null()).then(|| std::slice::from_raw_parts(values, self.len()))
        }
    }

    /// The texts of a character vector, each at an address of its own.
    pub fn text_addresses(self) -> Option<&'a [usize]> {
        // SAFETY: asked of any value
        let is_altrep = unsafe { ALTREP(self.value) } != 0;
        if is_altrep {
            return None;
        }
        self.slice(SEXPTYPE::STRSXP)
    }

    fn text_at(self, index: usize) -> Option<&'a str> {
        // SAFETY: asked of plain character vectors, with an index below their length; R ends texts with a zero
        let text = unsafe {
            let text = STRING_ELT(self.value, index as isize);
            if text == R_NaString {
                return None;
            }
            std::ffi::CStr::from_ptr(R_CHAR(text))
        };
        text.to_str().ok()
    }

    /// The elements of a list.
    fn list(self) -> Option<impl Iterator<Item = Arg<'a>>> {
        let values = self.is(SEXPTYPE::VECSXP).then_some(self)?;
        Some((0..values.len()).map(move |index| values.element(index)))
    }

    fn element(self, index: usize) -> Arg<'a> {
        // SAFETY: asked of lists only, with an index below their length
        Arg { value: unsafe { VECTOR_ELT(self.value, index as isize) }, lives: PhantomData }
    }

    /// Names and elements of a list.
    pub fn named_elements(self) -> Option<Vec<(&'a str, Arg<'a>)>> {
        let elements = self.list()?;
        // SAFETY: asked of a list, whose names R keeps as they are
        let value = unsafe { Rf_getAttrib(self.value, R_NamesSymbol) };
        let names = Arg { value, lives: PhantomData::<&'a Robj> };
        if names.text_addresses()?.len() != self.len() {
            return None;
        }
        elements.enumerate().map(|(index, element)| Some((names.text_at(index)?, element))).collect()
    }

    /// The job that R keeps hold of with this value.
    fn handle(self) -> Option<&'a Handle> {
        // SAFETY: pointers with our tag point to a handle until they are cleared
        unsafe { sbrl_handle_address(self.value.cast()).cast::<Handle>().as_ref() }
    }

    pub fn job(self) -> Option<&'a Job> {
        match self.handle() {
            Some(Handle::Job(job)) => Some(job),
            _ => None,
        }
    }

    /// Rows that came in chunks.
    pub fn row_stream(self) -> Read<&'a RowStream> {
        match self.handle() {
            Some(Handle::Rows(rows)) => Ok(rows),
            _ => wrong("rows", "rows of this session"),
        }
    }

    /// The element `name` of a named list, if it is there.
    pub fn part(self, name: &str) -> Option<Arg<'a>> {
        let elements = self.named_elements()?;
        elements.into_iter().find(|(key, _)| *key == name).map(|(_, element)| element)
    }

    /// The element `name` of a named list.
    pub fn field(self, name: &str) -> Read<Arg<'a>> {
        self.part(name).map_or_else(|| wrong(name, "there"), Ok)
    }

    pub fn integers(self, name: &str) -> Read<&'a [i32]> {
        self.slice(SEXPTYPE::INTSXP).map_or_else(|| wrong(name, "an integer vector"), Ok)
    }

    pub fn doubles(self, name: &str) -> Read<Vec<f64>> {
        match self.numbers(name)? {
            Values::Integers(values) => memory::collect(values.iter().map(|&x| f64::from(x))),
            Values::Doubles(values) => memory::collect(values.iter().copied()),
        }
    }

    pub fn texts(self, name: &str) -> Read<Vec<String>> {
        let Some(addresses) = self.text_addresses() else {
            return wrong(name, "a character vector");
        };
        let mut texts = memory::with_capacity(addresses.len())?;
        for index in 0..addresses.len() {
            match self.text_at(index) {
                Some(text) => texts.push(text.to_string()),
                None => return wrong(name, "valid UTF-8 text"),
            }
        }
        Ok(texts)
    }

    pub fn text(self, name: &str) -> Read<String> {
        match <[String; 1]>::try_from(self.texts(name)?) {
            Ok([text]) => Ok(text),
            Err(_) => wrong(name, "one character string"),
        }
    }

    pub fn number(self, name: &str) -> Read<f64> {
        match self.numbers(name)? {
            Values::Integers(&[x]) => Ok(f64::from(x)),
            Values::Doubles(&[x]) => Ok(x),
            _ => wrong(name, "one number"),
        }
    }

    /// One whole number from 0 to 2^53.
    pub fn whole(self, name: &str) -> Read<u64> {
        let x = self.number(name)?;
        if (0.0..=9_007_199_254_740_992.0).contains(&x) && x.fract() == 0.0 {
            return Ok(x as u64);
        }
        wrong(name, "one whole number from 0 on")
    }

    /// A count from 0; infinity means no limit.
    pub fn count(self, name: &str) -> Read<usize> {
        if self.number(name)? == f64::INFINITY {
            return Ok(usize::MAX);
        }
        Ok(usize::try_from(self.whole(name)?).unwrap_or(usize::MAX))
    }

    /// The same, or nothing if it is missing.
    pub fn optional_count(self, name: &str) -> Read<Option<usize>> {
        let is_missing = self.number(name)?.is_nan();
        if is_missing {
            Ok(None)
        } else {
            self.count(name).map(Some)
        }
    }

    /// Whole numbers, each less `offset`: R counts from 1, Rust from 0.
    pub fn wholes(self, name: &str, offset: i32) -> Read<Vec<u32>> {
        let values = self.integers(name)?;
        let mut shifted = memory::with_capacity(values.len())?;
        for value in values {
            match value.checked_sub(offset).and_then(|value| u32::try_from(value).ok()) {
                Some(value) => shifted.push(value),
                None => return wrong(name, "integers in range"),
            }
        }
        Ok(shifted)
    }

    /// The elements of a list.
    pub fn elements(self, name: &str) -> Read<Vec<Arg<'a>>> {
        match self.list() {
            Some(elements) => memory::collect(elements),
            None => wrong(name, "a list"),
        }
    }

    /// A vector of integers or doubles.
    pub fn numbers(self, name: &str) -> Read<Values<'a>> {
        let integers = self.slice(SEXPTYPE::INTSXP).map(Values::Integers);
        let values = integers.or_else(|| self.slice(SEXPTYPE::REALSXP).map(Values::Doubles));
        values.map_or_else(|| wrong(name, "a numeric vector"), Ok)
    }

    /// Columns to be read in place: each a list of `values` and what they mean, or NULL for one that is not needed.
    pub fn columns(self, name: &str) -> Read<Vec<InputColumn<'a>>> {
        let elements = self.elements(name)?;
        let mut columns = memory::with_capacity(elements.len())?;
        for element in elements {
            columns.push(element.column(name)?);
        }
        Ok(columns)
    }

    pub fn column(self, name: &str) -> Read<InputColumn<'a>> {
        if self.is_null() {
            return Ok(InputColumn::of_codes(&[]));
        }
        if !self.is(SEXPTYPE::VECSXP) {
            return wrong(name, "a list of columns");
        }
        let codes = |value: Arg<'a>| memory::collect(value.integers("table")?.iter().copied());
        let reading = match (self.part("cuts"), self.part("levels"), self.part("table")) {
            (Some(cuts), None, None) => Reading::Cuts(cuts.doubles("cuts")?),
            (None, Some(levels), Some(table)) => {
                Reading::Levels { levels: levels.doubles("levels")?, codes: codes(table)? }
            }
            (None, None, Some(table)) => Reading::Table(codes(table)?),
            _ => return wrong(name, "columns with cuts, levels or a table"),
        };
        InputColumn::new(self.field("values")?.numbers("values")?, reading)
    }

    pub fn items(self) -> Read<Vec<Item>> {
        let features = self.field("feature")?.wholes("feature", 1)?;
        let lo = self.field("lo")?.integers("lo")?;
        let hi = self.field("hi")?.integers("hi")?;
        if lo.len() != features.len() || hi.len() != features.len() {
            return wrong("items", "columns of one length");
        }
        let mut items = memory::with_capacity(features.len())?;
        for (&feature, (&lo, &hi)) in features.iter().zip(lo.iter().zip(hi)) {
            items.push(Item::range(feature, lo, hi)?);
        }
        // of the sets of codes that have a gap; those of the others are empty
        if let Some(sets) = self.part("codes") {
            let sets = sets.elements("codes")?;
            if sets.len() != items.len() {
                return wrong("items", "columns of one length");
            }
            for (item, codes) in items.iter_mut().zip(sets) {
                let codes = codes.integers("codes")?;
                if !codes.is_empty() {
                    *item = Item::set(item.feature, codes)?;
                }
            }
        }
        Ok(items)
    }

    /// Antecedents of `n_items` items: `items` and `lengths` of a list.
    pub fn antecedents(self, n_items: usize) -> Read<Antecedents> {
        let lengths =
            memory::collect(self.field("lengths")?.wholes("lengths", 0)?.iter().map(|&n| n as usize))?;
        Antecedents::from_flat(&self.field("items")?.wholes("items", 1)?, &lengths, n_items)
    }

    pub fn hyperparameters(self) -> Read<Hyperparameters> {
        Ok(Hyperparameters {
            lambda: self.field("lambda")?.number("lambda")?,
            eta: self.field("eta")?.number("eta")?,
            alpha: self.field("alpha")?.doubles("alpha")?,
        })
    }

    /// The number of threads asked for, or as many as can run at the same time.
    pub fn threads(self) -> Read<usize> {
        // the system looks it up in files
        static AVAILABLE: OnceLock<usize> = OnceLock::new();
        let available = AVAILABLE.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from));
        Ok(self.count("threads")?.min(*available))
    }
}
