//! Leaves of events with a known exposure, compiled for tests only: a second family, so that nothing in the search knows more
//! about leaves than `contract.rs` says.

use super::contract::Leaf;
use statrs::function::gamma::ln_gamma;

/// Exposure and events, the sums, whose rate has a gamma prior.
#[derive(Debug, Clone, Copy)]
pub struct GammaRates {
    /// Shape of the prior.
    pub shape: f64,
    /// Rate of the prior.
    pub rate: f64,
    /// Whether no row has more than e events per unit of exposure: the density of such a row is at most 1.
    pub stops_early: bool,
    /// Σ y log e − log y! over all rows.
    pub offset: f64,
}

impl Leaf for GammaRates {
    fn n_sums(&self) -> usize {
        2
    }

    fn log_marginal(&self, sums: &[u64]) -> f64 {
        let (exposure, events) = (sums[0] as f64, sums[1] as f64);
        self.shape * self.rate.ln() + ln_gamma(self.shape + events)
            - ln_gamma(self.shape)
            - (self.shape + events) * (self.rate + exposure).ln()
    }

    fn estimate(&self, _: usize, sums: &[u64]) -> f64 {
        (self.shape + sums[1] as f64) / (self.rate + sums[0] as f64)
    }

    fn n_rows(&self, sums: &[u64]) -> u64 {
        sums[0]
    }

    fn stops_early(&self) -> bool {
        self.stops_early
    }

    fn offset(&self) -> f64 {
        self.offset
    }
}
