//! Results for R: plain Rust values, kept until R fetches them.
//!
//! An R function that fails jumps to R's own error handling and would skip every Rust frame in between, leaking what
//! they own and leaving locks held. So no entry point makes an R value. It leaves an [`Answer`] here and returns NULL;
//! R then calls `external_answer()` in `src/answer.c`, which makes the R value while no Rust frame is on the stack.

use crate::job::Job;
use crate::row_stream::RowStream;
use sbrl_engine::error::Error;
use std::os::raw::{c_char, c_int, c_void};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The result of an entry point.
pub enum Answer {
    Null,
    Logical(bool),
    Integers(Vec<i32>),
    Doubles(Vec<f64>),
    Texts(Vec<String>),
    /// Values with names; an empty name is none.
    List(Vec<(String, Answer)>),
    /// Owned by R through an external pointer.
    Handle(Option<Box<Handle>>),
}

/// What an external pointer of this package points to.
pub enum Handle {
    Job(Job),
    Rows(RowStream),
}

/// R's missing number: the NaN with this payload.
pub fn missing() -> f64 {
    f64::from_bits(0x7FF0_0000_0000_07A2)
}

impl Answer {
    pub fn text(text: impl Into<String>) -> Answer {
        Answer::Texts(vec![text.into()])
    }

    pub fn number(number: f64) -> Answer {
        Answer::Doubles(vec![number])
    }

    pub fn handle(handle: Handle) -> Answer {
        Answer::Handle(Some(Box::new(handle)))
    }

    pub fn list<const N: usize>(fields: [(&str, Answer); N]) -> Answer {
        Answer::List(fields.into_iter().map(|(name, value)| (name.to_string(), value)).collect())
    }

    pub fn unnamed(values: impl Iterator<Item = Answer>) -> Answer {
        Answer::List(values.map(|value| (String::new(), value)).collect())
    }

    /// A tagged list, which R turns into an error of this kind.
    pub fn error(error: &Error) -> Answer {
        Answer::list([
            ("sbrl_native_error", Answer::Logical(true)),
            ("kind", Answer::text(error.kind())),
            ("message", Answer::text(error.to_string())),
        ])
    }

    fn len(&self) -> usize {
        match self {
            Answer::Null | Answer::Handle(_) => 0,
            Answer::Logical(_) => 1,
            Answer::Integers(values) => values.len(),
            Answer::Doubles(values) => values.len(),
            Answer::Texts(values) => values.len(),
            Answer::List(values) => values.len(),
        }
    }
}

static WAITING: Mutex<Option<Box<Answer>>> = Mutex::new(None);

fn waiting() -> MutexGuard<'static, Option<Box<Answer>>> {
    WAITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Leave an answer for R. One that was never fetched, because R was interrupted, is dropped.
pub fn leave(answer: Answer) {
    let unfetched = waiting().replace(Box::new(answer));
    // outside the lock: it may be a job, whose threads are waited for
    drop(unfetched);
}

/// Forget an answer that was never fetched.
pub fn forget() {
    let unfetched = waiting().take();
    drop(unfetched);
}

// What `src/answer.c` calls. None of these calls R.

/// The waiting answer, which the caller then owns; null if there is none.
#[no_mangle]
pub extern "C" fn sbrl_answer_take() -> *mut Answer {
    waiting().take().map_or(std::ptr::null_mut(), Box::into_raw)
}

/// # Safety
/// `answer` is null or comes from `sbrl_answer_take()`, and is not used again.
#[no_mangle]
pub unsafe extern "C" fn sbrl_answer_drop(answer: *mut Answer) {
    if !answer.is_null() {
        // SAFETY: see above
        drop(unsafe { Box::from_raw(answer) });
    }
}

/// The variant, numbered as in `src/answer.c`.
#[no_mangle]
pub extern "C" fn sbrl_answer_kind(answer: &Answer) -> c_int {
    match answer {
        Answer::Null => 0,
        Answer::Logical(_) => 1,
        Answer::Integers(_) => 2,
        Answer::Doubles(_) => 3,
        Answer::Texts(_) => 4,
        Answer::List(_) => 5,
        Answer::Handle(_) => 6,
    }
}

#[no_mangle]
pub extern "C" fn sbrl_answer_length(answer: &Answer) -> usize {
    answer.len()
}

/// Copy the values of a logical, integers or doubles.
///
/// # Safety
/// `to` has room for `sbrl_answer_length()` values of R's type for them.
#[no_mangle]
pub unsafe extern "C" fn sbrl_answer_copy(answer: &Answer, to: *mut c_void) {
    // SAFETY: the caller promises the room
    unsafe {
        match answer {
            Answer::Logical(value) => *to.cast::<c_int>() = c_int::from(*value),
            Answer::Integers(values) => {
                to.cast::<i32>().copy_from_nonoverlapping(values.as_ptr(), values.len())
            }
            Answer::Doubles(values) => {
                to.cast::<f64>().copy_from_nonoverlapping(values.as_ptr(), values.len())
            }
            _ => {}
        }
    }
}

/// Text `index`: its UTF-8 bytes, not ended by a zero, and their number.
#[no_mangle]
pub extern "C" fn sbrl_answer_text(answer: &Answer, index: usize, length: &mut usize) -> *const c_char {
    let text = match answer {
        Answer::Texts(texts) => texts.get(index).map_or("", String::as_str),
        _ => "",
    };
    *length = text.len();
    text.as_ptr().cast()
}

/// The name of element `index` of a list, in the same way.
#[no_mangle]
pub extern "C" fn sbrl_answer_name(answer: &Answer, index: usize, length: &mut usize) -> *const c_char {
    let name = match answer {
        Answer::List(fields) => fields.get(index).map_or("", |(name, _)| name.as_str()),
        _ => "",
    };
    *length = name.len();
    name.as_ptr().cast()
}

/// Element `index` of a list; null if there is none.
#[no_mangle]
pub extern "C" fn sbrl_answer_element(answer: &Answer, index: usize) -> *const Answer {
    match answer {
        Answer::List(fields) => fields.get(index).map_or(std::ptr::null(), |(_, value)| value),
        _ => std::ptr::null(),
    }
}

/// What an external pointer is to own, which the caller then owns; null if there is none.
///
/// # Safety
/// `answer` comes from `sbrl_answer_take()` or is an element of such an answer, and nothing else uses it meanwhile.
#[no_mangle]
pub unsafe extern "C" fn sbrl_answer_take_handle(answer: *mut Answer) -> *mut Handle {
    // SAFETY: see above
    match unsafe { &mut *answer } {
        Answer::Handle(handle) => handle.take().map_or(std::ptr::null_mut(), Box::into_raw),
        _ => std::ptr::null_mut(),
    }
}

/// # Safety
/// `handle` is null or comes from `sbrl_answer_take_handle()`, and is not used again.
#[no_mangle]
pub unsafe extern "C" fn sbrl_handle_drop(handle: *mut Handle) {
    if !handle.is_null() {
        // SAFETY: see above
        drop(unsafe { Box::from_raw(handle) });
    }
}
