//! Cancellation, deadline and progress, shared between the caller and the workers.

use crate::error::Error;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicU8, Ordering::Relaxed};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The clock is read in one of this many calls of `should_end()`.
const CALLS_PER_CLOCK_READ: u32 = 16;

/// The stage of a fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Columns become bits.
    Read = 0,
    /// Candidates are mined.
    Mine = 1,
    /// Chains or annealing runs.
    Search = 2,
    /// Local search from the best lists.
    Polish = 3,
    /// Proving that there is no better list.
    Certify = 4,
    /// There is a result.
    Done = 5,
    /// Trees are grown that a list is to learn from.
    Trees = 6,
}

impl Phase {
    /// Its name in R.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Read => "read",
            Phase::Mine => "mine",
            Phase::Search => "search",
            Phase::Polish => "polish",
            Phase::Certify => "certify",
            Phase::Done => "done",
            Phase::Trees => "trees",
        }
    }
}

/// Flags, counters and deadline of one job. They change a result only by ending the job early.
#[derive(Debug, Default)]
pub struct Control {
    shared: Arc<Shared>,
    clock: Option<Clock>,
}

/// What all parts of the job share.
#[derive(Debug)]
struct Shared {
    cancelled: AtomicBool,
    stopped: AtomicBool,
    shortened: AtomicBool,
    iterations: AtomicU64,
    work: AtomicU64,
    best_bits: AtomicU64,
    bound_bits: AtomicU64,
    nodes: AtomicU64,
    proved: AtomicU64,
    phase: AtomicU8,
}

impl Default for Shared {
    fn default() -> Self {
        Shared {
            cancelled: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
            shortened: AtomicBool::new(false),
            iterations: AtomicU64::new(0),
            work: AtomicU64::new(0),
            best_bits: AtomicU64::new(f64::NEG_INFINITY.to_bits()),
            bound_bits: AtomicU64::new(f64::INFINITY.to_bits()),
            nodes: AtomicU64::new(0),
            proved: AtomicU64::new(0),
            phase: AtomicU8::new(Phase::Read as u8),
        }
    }
}

/// What happens at the deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AtDeadline {
    Cancel,
    Stop,
    /// Only this part of the job ends.
    Pause,
}

#[derive(Debug)]
struct Clock {
    deadline: Instant,
    then: AtDeadline,
    n_calls: AtomicU32,
    is_over: AtomicBool,
}

impl Clock {
    fn new(deadline: Instant, then: AtDeadline) -> Self {
        Clock { deadline, then, n_calls: AtomicU32::new(0), is_over: AtomicBool::new(false) }
    }
}

impl Control {
    /// For a job that is cancelled at the deadline.
    pub fn with_deadline(deadline: Instant) -> Self {
        Control { clock: Some(Clock::new(deadline, AtDeadline::Cancel)), ..Control::default() }
    }

    /// For a job that stops after `limit` with the best list so far. A limit beyond the range of `Instant` is no limit.
    pub fn with_time_limit(limit: Duration) -> Self {
        let end = Instant::now().checked_add(limit);
        Control { clock: end.map(|end| Clock::new(end, AtDeadline::Stop)), ..Control::default() }
    }

    /// For a part of this job that may take `time`, but no longer than the job itself.
    pub(crate) fn turn(&self, time: Option<Duration>) -> Self {
        let own_end = time.and_then(|time| Instant::now().checked_add(time));
        let end = own_end.into_iter().chain(self.end()).min();
        Control { shared: Arc::clone(&self.shared), clock: end.map(|end| Clock::new(end, AtDeadline::Pause)) }
    }

    /// When the time limit ends. A deadline that cancels does not count: results must not depend on it.
    fn end(&self) -> Option<Instant> {
        self.clock.as_ref().filter(|clock| clock.then != AtDeadline::Cancel).map(|clock| clock.deadline)
    }

    /// The time left, if there is a limit.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.end().map(|end| end.saturating_duration_since(Instant::now()))
    }

    /// Whether this part of the job is known to have reached its deadline.
    fn is_over(&self) -> bool {
        let Some(clock) = &self.clock else { return false };
        // parts of a job are short, so the clock is read each time
        if clock.then == AtDeadline::Pause || clock.n_calls.fetch_add(1, Relaxed) % CALLS_PER_CLOCK_READ == 0
        {
            self.check_deadline();
        }
        clock.is_over.load(Relaxed)
    }

    /// Read the clock. After the deadline, end the job or this part of it.
    pub(crate) fn check_deadline(&self) {
        let Some(clock) = self.clock.as_ref().filter(|clock| Instant::now() >= clock.deadline) else {
            return;
        };
        clock.is_over.store(true, Relaxed);
        match clock.then {
            AtDeadline::Cancel => self.cancel(),
            AtDeadline::Stop => self.stop(),
            AtDeadline::Pause => {}
        }
    }

    /// Ask the workers to end without a result.
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Relaxed);
    }

    /// Ask the workers to end with the best list so far.
    pub fn stop(&self) {
        self.shared.stopped.store(true, Relaxed);
    }

    /// Whether `cancel()` was called.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.shared.cancelled.load(Relaxed)
    }

    /// Whether `stop()` was called.
    pub(crate) fn is_stopped(&self) -> bool {
        self.shared.stopped.load(Relaxed)
    }

    /// Record that the time limit cut some part of the job short.
    pub(crate) fn shorten(&self) {
        self.shared.shortened.store(true, Relaxed);
    }

    /// Whether the job was stopped, or some part of it was cut short.
    pub(crate) fn is_shortened(&self) -> bool {
        self.is_stopped() || self.shared.shortened.load(Relaxed)
    }

    /// Whether a loop should end, for any reason.
    pub(crate) fn should_end(&self) -> bool {
        self.is_over() || self.is_cancelled() || self.is_stopped()
    }

    /// The same between steps that each take long: the clock is read every time.
    pub(crate) fn should_end_now(&self) -> bool {
        self.check_deadline();
        self.should_end()
    }

    /// An error if the job should end. For work that is useless unless complete.
    pub(crate) fn check_unfinished(&self) -> Result<(), Error> {
        if !self.should_end() {
            return Ok(());
        }
        Err(if self.is_cancelled() { Error::Cancelled } else { Error::TimeLimit })
    }

    /// Report that a stage begins.
    pub fn enter(&self, phase: Phase) {
        self.shared.phase.store(phase as u8, Relaxed);
    }

    /// The stage reported last.
    pub fn phase(&self) -> Phase {
        match self.shared.phase.load(Relaxed) {
            0 => Phase::Read,
            1 => Phase::Mine,
            2 => Phase::Search,
            3 => Phase::Polish,
            4 => Phase::Certify,
            6 => Phase::Trees,
            _ => Phase::Done,
        }
    }

    /// Report `n` more iterations.
    pub(crate) fn add_iterations(&self, n: u64) {
        self.shared.iterations.fetch_add(n, Relaxed);
    }

    /// Iterations reported so far.
    pub fn iterations(&self) -> u64 {
        self.shared.iterations.load(Relaxed)
    }

    /// Report more work, by the words that were read. The sum does not depend on threads or time.
    pub(crate) fn add_work(&self, units: u64) {
        self.shared.work.fetch_add(units, Relaxed);
    }

    /// Work reported so far.
    pub fn work(&self) -> u64 {
        self.shared.work.load(Relaxed)
    }

    /// Report a log posterior. The highest is kept.
    pub(crate) fn report_best(&self, log_posterior: f64) {
        let better = |bits: u64| (f64::from_bits(bits) < log_posterior).then_some(log_posterior.to_bits());
        // Err means the stored value was at least as good
        let _ = self.shared.best_bits.fetch_update(Relaxed, Relaxed, better);
    }

    /// The highest log posterior reported, if any.
    pub fn best(&self) -> Option<f64> {
        let best = f64::from_bits(self.shared.best_bits.load(Relaxed));
        best.is_finite().then_some(best)
    }

    /// Report an upper bound of all log posteriors, the nodes looked at, and the length up to which lists are proved.
    pub(crate) fn report_proof(&self, bound: f64, nodes: u64, proved: u64) {
        self.shared.bound_bits.store(bound.to_bits(), Relaxed);
        self.shared.nodes.store(nodes, Relaxed);
        self.shared.proved.store(proved, Relaxed);
    }

    /// The upper bound reported last, if any; the nodes; the length up to which lists are proved.
    pub fn proof(&self) -> (Option<f64>, u64, u64) {
        let bound = f64::from_bits(self.shared.bound_bits.load(Relaxed));
        let shared = &self.shared;
        (bound.is_finite().then_some(bound), shared.nodes.load(Relaxed), shared.proved.load(Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_score_is_kept_and_the_error_names_the_cause() {
        let control = Control::default();
        assert_eq!(control.best(), None);
        control.report_best(-3.0);
        control.report_best(-5.0);
        assert_eq!(control.best(), Some(-3.0));
        assert_eq!(control.check_unfinished(), Ok(()));
        control.stop();
        assert_eq!(control.check_unfinished(), Err(Error::TimeLimit));
        control.cancel();
        assert_eq!(control.check_unfinished(), Err(Error::Cancelled));
    }

    #[test]
    fn a_job_is_cancelled_at_its_deadline() {
        let control = Control::with_deadline(Instant::now() + Duration::from_secs(3600));
        assert!((0..100).all(|_| !control.should_end()));
        let control = Control::with_deadline(Instant::now());
        assert!((0..CALLS_PER_CLOCK_READ).any(|_| control.should_end()));
        assert_eq!(control.check_unfinished(), Err(Error::Cancelled));
    }

    #[test]
    fn a_part_of_a_job_ends_alone_and_the_time_limit_stops_everything() {
        let hour = Duration::from_secs(3600);
        let ends = |control: &Control| (0..CALLS_PER_CLOCK_READ).any(|_| control.should_end());
        let control = Control::with_time_limit(hour);
        let half = control.turn(Some(hour / 2));
        assert!(half.time_left().is_some_and(|left| left <= hour / 2 && left > hour / 3));
        assert!(control.turn(Some(2 * hour)).time_left() <= Some(hour));
        assert!(ends(&control.turn(Some(Duration::ZERO))) && !ends(&half) && !ends(&control));
        half.stop();
        assert!(control.is_stopped(), "flags are shared");
        let control = Control::with_time_limit(Duration::ZERO);
        assert!(ends(&control) && control.is_stopped() && !control.is_cancelled());
        let deadline = Control::with_deadline(Instant::now() + hour);
        for endless in [Control::default().turn(None), Control::with_time_limit(Duration::MAX), deadline] {
            assert!(endless.time_left().is_none() && !ends(&endless));
        }
    }
}
