//! How the outside speaks with running work: cancel, stop, limit its time, and see how far it is.

use crate::error::Error;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicU8, Ordering::Relaxed};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The clock is looked at once in so many times that somebody asks whether to end.
const PER_LOOK: u32 = 16;

/// What the work is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    Read = 0,
    Mine = 1,
    Search = 2,
    Polish = 3,
    Done = 4,
}

impl Phase {
    pub fn name(self) -> &'static str {
        match self {
            Phase::Read => "read",
            Phase::Mine => "mine",
            Phase::Search => "search",
            Phase::Polish => "polish",
            Phase::Done => "done",
        }
    }
}

/// Flags and counters of one piece of work, and when it must end. Nothing here changes a result, except by ending the work
/// early.
#[derive(Debug, Default)]
pub struct Control {
    shared: Arc<Shared>,
    clock: Option<Clock>,
}

/// What all parts of the work share.
#[derive(Debug)]
struct Shared {
    cancelled: AtomicBool,
    stopped: AtomicBool,
    shortened: AtomicBool,
    iterations: AtomicU64,
    best_bits: AtomicU64,
    phase: AtomicU8,
}

impl Default for Shared {
    fn default() -> Self {
        Shared {
            cancelled: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
            shortened: AtomicBool::new(false),
            iterations: AtomicU64::new(0),
            best_bits: AtomicU64::new(f64::NEG_INFINITY.to_bits()),
            phase: AtomicU8::new(Phase::Read as u8),
        }
    }
}

/// What to do when the time is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AtTheEnd {
    Cancel,
    Stop,
    /// Only this part of the work ends.
    Pause,
}

#[derive(Debug)]
struct Clock {
    end: Instant,
    then: AtTheEnd,
    n_asked: AtomicU32,
    is_over: AtomicBool,
}

impl Clock {
    fn new(end: Instant, then: AtTheEnd) -> Self {
        Clock { end, then, n_asked: AtomicU32::new(0), is_over: AtomicBool::new(false) }
    }
}

impl Control {
    /// Of work that is cancelled when it is not done by then.
    pub fn with_deadline(deadline: Instant) -> Self {
        Control { clock: Some(Clock::new(deadline, AtTheEnd::Cancel)), ..Control::default() }
    }

    /// Of work that stops after so long, with the best list so far; never, if that is longer than time itself.
    pub fn with_time_limit(limit: Duration) -> Self {
        let end = Instant::now().checked_add(limit);
        Control { clock: end.map(|end| Clock::new(end, AtTheEnd::Stop)), ..Control::default() }
    }

    /// Of a part of the work that may take so long, but no longer than the whole.
    pub fn turn(&self, time: Option<Duration>) -> Self {
        let own_end = time.and_then(|time| Instant::now().checked_add(time));
        let end = own_end.into_iter().chain(self.end()).min();
        Control { shared: Arc::clone(&self.shared), clock: end.map(|end| Clock::new(end, AtTheEnd::Pause)) }
    }

    /// When the time limit ends. A deadline after which nothing is left is none: nobody may hurry because of it.
    fn end(&self) -> Option<Instant> {
        self.clock.as_ref().filter(|clock| clock.then != AtTheEnd::Cancel).map(|clock| clock.end)
    }

    /// The time that is left, if there is a limit.
    pub fn time_left(&self) -> Option<Duration> {
        self.end().map(|end| end.saturating_duration_since(Instant::now()))
    }

    /// Whether the time of this part of the work is over, as far as a look now and then can tell.
    fn is_over(&self) -> bool {
        let Some(clock) = &self.clock else { return false };
        // turns are short
        if clock.then == AtTheEnd::Pause || clock.n_asked.fetch_add(1, Relaxed) % PER_LOOK == 0 {
            self.check_deadline();
        }
        clock.is_over.load(Relaxed)
    }

    /// See whether the time is over, and say so to whom it concerns.
    pub fn check_deadline(&self) {
        let Some(clock) = self.clock.as_ref().filter(|clock| Instant::now() >= clock.end) else { return };
        clock.is_over.store(true, Relaxed);
        match clock.then {
            AtTheEnd::Cancel => self.cancel(),
            AtTheEnd::Stop => self.stop(),
            AtTheEnd::Pause => {}
        }
    }

    /// Ask for the end, without a result.
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Relaxed);
    }

    /// Ask for the end with the best list so far.
    pub fn stop(&self) {
        self.shared.stopped.store(true, Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.shared.cancelled.load(Relaxed)
    }

    pub fn is_stopped(&self) -> bool {
        self.shared.stopped.load(Relaxed)
    }

    /// Say that the time limit made some part of the work shorter than it was meant to be.
    pub fn shorten(&self) {
        self.shared.shortened.store(true, Relaxed);
    }

    /// Whether the work was stopped, or some part of it was shortened.
    pub fn is_shortened(&self) -> bool {
        self.is_stopped() || self.shared.shortened.load(Relaxed)
    }

    /// Whether a loop should leave, for any reason.
    pub fn should_end(&self) -> bool {
        self.is_over() || self.is_cancelled() || self.is_stopped()
    }

    /// For work that has nothing to give before it is complete.
    pub fn check_unfinished(&self) -> Result<(), Error> {
        if !self.should_end() {
            return Ok(());
        }
        Err(if self.is_cancelled() { Error::Cancelled } else { Error::TimeLimit })
    }

    pub fn enter(&self, phase: Phase) {
        self.shared.phase.store(phase as u8, Relaxed);
    }

    pub fn phase(&self) -> Phase {
        match self.shared.phase.load(Relaxed) {
            0 => Phase::Read,
            1 => Phase::Mine,
            2 => Phase::Search,
            3 => Phase::Polish,
            _ => Phase::Done,
        }
    }

    pub fn add_iterations(&self, n: u64) {
        self.shared.iterations.fetch_add(n, Relaxed);
    }

    pub fn iterations(&self) -> u64 {
        self.shared.iterations.load(Relaxed)
    }

    /// Report a log posterior; the highest one is kept.
    pub fn report_best(&self, log_posterior: f64) {
        let better = |bits: u64| (f64::from_bits(bits) < log_posterior).then_some(log_posterior.to_bits());
        // Err means the stored value was at least as good
        let _ = self.shared.best_bits.fetch_update(Relaxed, Relaxed, better);
    }

    /// The highest log posterior reported, if any was.
    pub fn best(&self) -> Option<f64> {
        let best = f64::from_bits(self.shared.best_bits.load(Relaxed));
        best.is_finite().then_some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_best_and_says_why_it_ends() {
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
    fn work_with_a_deadline_is_cancelled_after_it() {
        let control = Control::with_deadline(Instant::now() + Duration::from_secs(3600));
        assert!((0..100).all(|_| !control.should_end()));
        let control = Control::with_deadline(Instant::now());
        assert!((0..PER_LOOK).any(|_| control.should_end()));
        assert_eq!(control.check_unfinished(), Err(Error::Cancelled));
    }

    #[test]
    fn a_turn_ends_for_itself_and_the_limit_stops_everything() {
        let hour = Duration::from_secs(3600);
        let ends = |control: &Control| (0..PER_LOOK).any(|_| control.should_end());
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
