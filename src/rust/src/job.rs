//! Long work: a small amount runs inline; else a thread does it, which R waits for or cancels.
//!
//! The thread reads columns where they are, in R's memory. `call_job()` in R keeps them alive until the job is over or
//! cancelled, and a job that R forgets cancels itself before R may free what it reads.

use crate::answer::{missing, Answer, Handle};
use crate::convert::{guard, panic_text, Arg, Read};
use crate::reserve;
use extendr_api::prelude::*;
use sbrl_engine::control::{Control, Phase};
use sbrl_engine::error::Error;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Work on at most this many cells of columns runs inline: it takes a few dozen milliseconds, and starting a thread and
/// waking R up would cost a good part of that.
pub const FEW_CELLS: usize = 1 << 18;

#[derive(Default)]
struct Shared {
    control: Control,
    total_iterations: u64,
    result: Mutex<Option<Read<Answer>>>,
    finished: Condvar,
}

impl Shared {
    fn result(&self) -> MutexGuard<'_, Option<Read<Answer>>> {
        self.result.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn finish(&self, outcome: Read<Answer>) {
        self.control.enter(Phase::Done);
        *self.result() = Some(outcome);
        self.finished.notify_all();
    }
}

/// The progress of a job.
pub struct Progress {
    pub is_done: bool,
    pub phase: &'static str,
    pub iterations: u64,
    pub total_iterations: u64,
    pub best: Option<f64>,
    /// Upper bound, nodes, and the length up to which lists are proved.
    pub proof: (Option<f64>, u64, u64),
}

/// Work that has not begun, is running or is done.
#[derive(Default)]
pub struct Job {
    shared: Mutex<Arc<Shared>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Job {
    /// Begin the work on a thread of its own.
    pub fn start(
        &self,
        control: Control,
        total_iterations: u64,
        work: impl FnOnce(&Control) -> Read<Answer> + Send + 'static,
    ) -> Read<()> {
        self.cancel();
        let shared = Arc::new(Shared { control, total_iterations, ..Shared::default() });
        let theirs = Arc::clone(&shared);
        let work = move || {
            let outcome = catch_unwind(AssertUnwindSafe(|| work(&theirs.control)))
                .unwrap_or_else(|panic| Err(Error::Internal(panic_text(panic.as_ref()))));
            theirs.finish(outcome);
        };
        let thread = std::thread::Builder::new().spawn(work).map_err(|_| Error::NoThread)?;
        *self.shared.lock().unwrap_or_else(PoisonError::into_inner) = shared;
        *self.thread.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread);
        Ok(())
    }

    fn shared(&self) -> Arc<Shared> {
        Arc::clone(&self.shared.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Wait for the end, but not longer than `time`.
    pub fn wait(&self, time: Duration) -> Progress {
        let shared = self.shared();
        let result = shared.result();
        let waited = shared.finished.wait_timeout_while(result, time, |result| result.is_none());
        let control = &shared.control;
        Progress {
            is_done: waited.is_ok_and(|(result, _)| result.is_some()),
            phase: control.phase().name(),
            iterations: control.iterations(),
            total_iterations: shared.total_iterations,
            best: control.best(),
            proof: control.proof(),
        }
    }

    /// Cancel, wait until no thread of the job is left, and forget the result.
    pub fn cancel(&self) {
        let shared = self.shared();
        shared.control.cancel();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            // its panic, if any, is already in the result
            let _ = thread.join();
        }
        *shared.result() = Some(Err(Error::Cancelled));
    }

    /// The result of the work.
    pub fn take_result(&self) -> Read<Answer> {
        let result = self.shared().result().take();
        result.unwrap_or_else(|| Err(Error::Internal("the job is not done".into())))
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.cancel();
    }
}

/// How work is done: inline, on R's own thread, under this control if it is small; else on a new thread, under the other one.
pub struct JobPlan {
    pub inline: Option<Control>,
    pub on_thread: Control,
    pub total_iterations: u64,
}

impl JobPlan {
    /// A plan for work that runs inline if it is small.
    pub fn inline_if(is_small: bool) -> Self {
        let inline = is_small.then(Control::default);
        JobPlan { inline, on_thread: Control::default(), total_iterations: 0 }
    }
}

/// Do the work. Without a job (NULL) it runs inline, and the answer is a list that contains its result; or NULL, if there is
/// too much of it. R then calls again with a job, whose thread does it.
pub fn run(
    job: Arg,
    plan: JobPlan,
    work: impl FnOnce(&Control) -> Read<Answer> + Send + 'static,
) -> Read<Answer> {
    if !job.is_null() {
        let job = job.job().ok_or_else(|| Error::Argument("`job` must be a job.".into()))?;
        job.start(plan.on_thread, plan.total_iterations, work)?;
        return Ok(Answer::Null);
    }
    match plan.inline.map(|control| work(&control)) {
        // there is more of it than estimated
        None | Some(Err(Error::Cancelled)) => Ok(Answer::Null),
        Some(outcome) => Ok(Answer::unnamed(std::iter::once(outcome?))),
    }
}

/// Hand the job behind an R value to `work`; a job read back from a file is no longer one.
fn with_job(job: &Robj, work: impl FnOnce(&Job) -> Read<Answer>) -> Robj {
    guard(|| match Arg::of(job).job() {
        Some(job) => work(job),
        None => Err(Error::Argument("`job` must be a job.".into())),
    })
}

/// A job without work.
/// @noRd
#[extendr]
fn native_job_new() -> Robj {
    guard(|| Ok(Answer::handle(Handle::Job(Job::default()))))
}

/// Wait for a job, at most this long, and report its progress.
/// @noRd
#[extendr]
fn native_job_wait(job: Robj, milliseconds: Robj) -> Robj {
    with_job(&job, |job| {
        let milliseconds = Arg::of(&milliseconds).whole("milliseconds")?.min(1000);
        let progress = job.wait(Duration::from_millis(milliseconds));
        // a small request was refused: the work goes on with the reserve, which may not last
        if reserve::is_spent() {
            job.cancel();
            return Err(Error::Memory(0));
        }
        Ok(Answer::list([
            ("done", Answer::Logical(progress.is_done)),
            ("phase", Answer::text(progress.phase)),
            ("iterations", Answer::number(progress.iterations as f64)),
            ("total", Answer::number(progress.total_iterations as f64)),
            ("best", Answer::number(progress.best.unwrap_or_else(missing))),
            ("bound", Answer::number(progress.proof.0.unwrap_or_else(missing))),
            ("nodes", Answer::number(progress.proof.1 as f64)),
            ("proved", Answer::number(progress.proof.2 as f64)),
        ]))
    })
}

/// Cancel a job and wait until its threads are gone.
/// @noRd
#[extendr]
fn native_job_cancel(job: Robj) -> Robj {
    with_job(&job, |job| {
        job.cancel();
        Ok(Answer::Null)
    })
}

/// The result of a job that is done.
/// @noRd
#[extendr]
fn native_job_result(job: Robj) -> Robj {
    with_job(&job, Job::take_result)
}

extendr_module! {
    mod job;
    fn native_job_new;
    fn native_job_wait;
    fn native_job_cancel;
    fn native_job_result;
}
