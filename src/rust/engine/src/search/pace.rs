//! How many iterations there is time for.

use crate::control::Control;
use std::time::Instant;

/// Share of the time that is planned for: what follows the iterations takes time too, and later ones may be slower.
const PLANNED: f64 = 0.7;

/// The speed of iterations from some moment on.
pub struct Pace<'a> {
    control: &'a Control,
    start: Instant,
    n_before: u64,
}

impl<'a> Pace<'a> {
    pub fn new(control: &'a Control) -> Self {
        Pace { control, start: Instant::now(), n_before: control.iterations() }
    }

    /// As many of `iterations` as there is time for at the speed so far.
    pub fn affordable(&self, iterations: u64) -> u64 {
        let n_done = self.control.iterations() - self.n_before;
        let Some(left) = self.control.time_left().filter(|_| n_done > 0) else { return iterations };
        let per_second = n_done as f64 / self.start.elapsed().as_secs_f64();
        let most = (PLANNED * left.as_secs_f64() * per_second) as u64;
        if most < iterations {
            self.control.shorten();
        }
        iterations.min(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn plans_are_cut_to_what_there_is_time_for() {
        let endless = Control::default();
        let pace = Pace::new(&endless);
        endless.add_iterations(1);
        assert_eq!(pace.affordable(u64::MAX), u64::MAX);
        let control = Control::with_time_limit(Duration::from_secs(3600));
        let pace = Pace::new(&control);
        assert_eq!(pace.affordable(7), 7, "nothing is known yet");
        std::thread::sleep(Duration::from_millis(10));
        control.add_iterations(1000);
        assert_eq!(pace.affordable(1000), 1000);
        assert!(!control.is_shortened());
        assert!(pace.affordable(u64::MAX) < 1000 * 3600 * 100 && control.is_shortened());
    }
}
