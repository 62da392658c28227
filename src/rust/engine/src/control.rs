//! How the outside speaks with running work: cancel, stop, and see how far it is.

use crate::error::Error;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicU8, Ordering::Relaxed};
use std::time::Instant;

/// The clock is looked at once in so many times that somebody asks whether to end.
const PER_LOOK: u32 = 16;

/// What the work is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    Mine = 0,
    Search = 1,
    Polish = 2,
    Done = 3,
}

impl Phase {
    pub fn name(self) -> &'static str {
        match self {
            Phase::Mine => "mine",
            Phase::Search => "search",
            Phase::Polish => "polish",
            Phase::Done => "done",
        }
    }
}

/// Shared flags and counters. Nothing here changes a result, except by ending the work early.
#[derive(Debug)]
pub struct Control {
    cancelled: AtomicBool,
    stopped: AtomicBool,
    iterations: AtomicU64,
    best_bits: AtomicU64,
    phase: AtomicU8,
    deadline: Option<Instant>,
    n_asked: AtomicU32,
}

impl Default for Control {
    fn default() -> Self {
        Control {
            cancelled: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
            iterations: AtomicU64::new(0),
            best_bits: AtomicU64::new(f64::NEG_INFINITY.to_bits()),
            phase: AtomicU8::new(Phase::Mine as u8),
            deadline: None,
            n_asked: AtomicU32::new(0),
        }
    }
}

impl Control {
    /// Of work that is cancelled when it is not done by then.
    pub fn until(deadline: Instant) -> Self {
        Control { deadline: Some(deadline), ..Control::default() }
    }

    fn look_at_clock(&self) {
        let Some(deadline) = self.deadline else { return };
        if self.n_asked.fetch_add(1, Relaxed) % PER_LOOK == 0 && Instant::now() >= deadline {
            self.cancel();
        }
    }

    /// Ask for the end, without a result.
    pub fn cancel(&self) {
        self.cancelled.store(true, Relaxed);
    }

    /// Ask for the end with the best list so far.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Relaxed)
    }

    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// Whether a loop should leave, for either reason.
    pub fn should_end(&self) -> bool {
        self.look_at_clock();
        self.is_cancelled() || self.is_stopped()
    }

    /// For work that has nothing to give before it is complete.
    pub fn check_unfinished(&self) -> Result<(), Error> {
        self.look_at_clock();
        if self.is_cancelled() {
            return Err(Error::Cancelled);
        }
        if self.is_stopped() {
            return Err(Error::TimeLimit);
        }
        Ok(())
    }

    pub fn enter(&self, phase: Phase) {
        self.phase.store(phase as u8, Relaxed);
    }

    pub fn phase(&self) -> Phase {
        match self.phase.load(Relaxed) {
            0 => Phase::Mine,
            1 => Phase::Search,
            2 => Phase::Polish,
            _ => Phase::Done,
        }
    }

    pub fn add_iterations(&self, n: u64) {
        self.iterations.fetch_add(n, Relaxed);
    }

    pub fn iterations(&self) -> u64 {
        self.iterations.load(Relaxed)
    }

    /// Report a log posterior; the highest one is kept.
    pub fn offer_best(&self, log_posterior: f64) {
        let better = |bits: u64| (f64::from_bits(bits) < log_posterior).then_some(log_posterior.to_bits());
        // Err means the stored value was at least as good
        let _ = self.best_bits.fetch_update(Relaxed, Relaxed, better);
    }

    /// The highest log posterior reported, if any was.
    pub fn best(&self) -> Option<f64> {
        let best = f64::from_bits(self.best_bits.load(Relaxed));
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
        control.offer_best(-3.0);
        control.offer_best(-5.0);
        assert_eq!(control.best(), Some(-3.0));
        assert_eq!(control.check_unfinished(), Ok(()));
        control.stop();
        assert_eq!(control.check_unfinished(), Err(Error::TimeLimit));
        control.cancel();
        assert_eq!(control.check_unfinished(), Err(Error::Cancelled));
    }

    #[test]
    fn work_with_a_deadline_is_cancelled_after_it() {
        let control = Control::until(Instant::now() + std::time::Duration::from_secs(3600));
        assert!((0..100).all(|_| !control.should_end()));
        let control = Control::until(Instant::now());
        assert!((0..PER_LOOK).any(|_| control.should_end()));
        assert_eq!(control.check_unfinished(), Err(Error::Cancelled));
    }
}
