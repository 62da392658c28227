//! The fit: a small one is done at once; else a thread does it, which R starts, waits for, stops or cancels.

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

/// R waits for a fit without looking up for no longer than this, and only for one of at most so many words to be read:
/// about a quarter of that time. For those, starting a thread and waking up R would take a good part of the whole.
const AT_ONCE: Duration = Duration::from_millis(100);
const LITTLE: u64 = 12_000_000;

/// All a fit needs; it owns everything, so that no R value is touched by the thread.
#[derive(Clone)]
pub struct Input {
    pub rows: Rows,
    pub items: Items,
    pub limits: Limits,
    pub letters: Letters,
    pub settings: Settings,
    /// Seconds already spent on turning columns into bits.
    pub binarise_seconds: f64,
    /// Whether it may be done at once.
    pub at_once: bool,
}

impl Input {
    fn total_iterations(&self) -> u64 {
        self.settings.iterations.saturating_mul(self.settings.n_chains as u64)
    }

    fn is_little(&self) -> bool {
        // an iteration has work besides the words; mining looks at pairs of items at least
        let words = self.rows.n_words() as u64 + 16;
        let n_items = self.items.items.len() as u64;
        let times = self.total_iterations().saturating_add(n_items.saturating_mul(n_items));
        self.at_once && times.saturating_mul(words) <= LITTLE
    }
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
        let total_iterations = input.total_iterations();
        let shared = Arc::new(Shared::default());
        if let Some(outcome) = input.is_little().then(|| fit_at_once(input.clone())).flatten() {
            shared.control.enter(Phase::Done);
            *shared.result() = Some(outcome);
            return Ok(Job { shared, thread: Mutex::new(None), total_iterations });
        }
        let theirs = Arc::clone(&shared);
        let work = move || {
            let outcome = fit_safely(input, &theirs.control);
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

/// On R's own thread; nothing if it took too long.
fn fit_at_once(input: Input) -> Option<Result<Fit, Error>> {
    match fit_safely(input, &Control::until(Instant::now() + AT_ONCE)) {
        Err(Error::Cancelled) => None,
        outcome => Some(outcome),
    }
}

fn fit_safely(input: Input, control: &Control) -> Result<Fit, Error> {
    catch_unwind(AssertUnwindSafe(|| fit(input, control)))
        .unwrap_or_else(|panic| Err(Error::Internal(panic_text(panic.as_ref()))))
}

fn fit(input: Input, control: &Control) -> Result<Fit, Error> {
    let start = Instant::now();
    control.enter(Phase::Mine);
    let pool = mine_on(input.settings.threads, &input.rows, &input.items, &input.limits, control)?;
    let mined = Instant::now();
    // the item columns are no longer needed
    drop(input.items);
    let problem = Problem::new(pool, &input.letters)?;
    let outcome = search(&problem, &input.settings, control)?;
    let seconds = [input.binarise_seconds, (mined - start).as_secs_f64(), mined.elapsed().as_secs_f64()];
    Ok(Fit { pool: problem.pool, outcome, seconds })
}
