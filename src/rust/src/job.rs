//! The running fit: one thread that R starts, waits for, stops or cancels.

use crate::convert::panic_text;
use sbrl_engine::control::{Control, Phase};
use sbrl_engine::data::Rows;
use sbrl_engine::error::Error;
use sbrl_engine::mine::{mine_on, Items, Limits, Pool};
use sbrl_engine::posterior::Letters;
use sbrl_engine::search::{search, Outcome, Problem, Settings};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// All a fit needs; it owns everything, so that no R value is touched by the thread.
pub struct Input {
    pub rows: Rows,
    pub items: Items,
    pub limits: Limits,
    pub letters: Letters,
    pub settings: Settings,
    /// Seconds already spent on turning columns into bits.
    pub binarise_seconds: f64,
}

/// What a fit gives.
pub struct Fit {
    pub pool: Pool,
    pub outcome: Outcome,
    /// Binarise, mine, search.
    pub seconds: [f64; 3],
}

#[derive(Default)]
struct Shared {
    control: Control,
    result: Mutex<Option<Result<Fit, Error>>>,
    finished: Condvar,
}

impl Shared {
    fn result(&self) -> MutexGuard<'_, Option<Result<Fit, Error>>> {
        self.result.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A fit under way or done.
pub struct Job {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
    pub total_iterations: u64,
}

impl Job {
    pub fn start(input: Input) -> Result<Job, Error> {
        let total_iterations = input.settings.iterations.saturating_mul(input.settings.n_chains as u64);
        let shared = Arc::new(Shared::default());
        let theirs = Arc::clone(&shared);
        let work = move || {
            let outcome = catch_unwind(AssertUnwindSafe(|| fit(input, &theirs.control)));
            let outcome = outcome.unwrap_or_else(|panic| Err(Error::Internal(panic_text(panic.as_ref()))));
            theirs.control.enter(Phase::Done);
            *theirs.result() = Some(outcome);
            theirs.finished.notify_all();
        };
        let thread = std::thread::Builder::new()
            .spawn(work)
            .map_err(|error| Error::Internal(format!("no thread could be started: {error}")))?;
        Ok(Job { shared, thread: Mutex::new(Some(thread)), total_iterations })
    }

    pub fn control(&self) -> &Control {
        &self.shared.control
    }

    /// Wait for the end, but not longer than `time`; true once it is over.
    pub fn wait(&self, time: Duration) -> bool {
        let result = self.shared.result();
        let waited = self.shared.finished.wait_timeout_while(result, time, |result| result.is_none());
        waited.is_ok_and(|(result, _)| result.is_some())
    }

    /// Cancel, wait until no thread of the job is left, and forget the result.
    pub fn cancel(&self) {
        self.shared.control.cancel();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            // its panic, if any, is already in the result
            let _ = thread.join();
        }
        *self.shared.result() = Some(Err(Error::Cancelled));
    }

    /// Hand the finished fit to `read`.
    pub fn with_fit<T>(&self, read: impl FnOnce(&Fit) -> Result<T, Error>) -> Result<T, Error> {
        match &*self.shared.result() {
            Some(Ok(fit)) => read(fit),
            Some(Err(error)) => Err(error.clone()),
            None => Err(Error::Internal("the job is not done".into())),
        }
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.cancel();
    }
}

fn fit(input: Input, control: &Control) -> Result<Fit, Error> {
    let start = Instant::now();
    let pool = mine_on(input.settings.threads, &input.rows, &input.items, &input.limits, control)?;
    let mined = Instant::now();
    // the item columns are no longer needed
    drop(input.items);
    let problem = Problem::new(pool, &input.letters)?;
    let outcome = search(&problem, &input.settings, control)?;
    let seconds = [input.binarise_seconds, (mined - start).as_secs_f64(), mined.elapsed().as_secs_f64()];
    Ok(Fit { pool: problem.pool, outcome, seconds })
}
