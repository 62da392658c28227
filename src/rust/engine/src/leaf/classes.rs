//! Leaves of class counts: the Dirichlet–multinomial.

use super::contract::Leaf;
use super::rising::RisingTables;
use super::two_classes::{TwoClassTables, TwoClasses};
use statrs::function::gamma::ln_gamma;

/// Class counts N with the marginal likelihood f(N) = B(N + α) / B(α).
#[derive(Debug, Clone)]
pub struct DirichletMultinomial {
    rising: RisingTables,
}

impl DirichletMultinomial {
    /// For counts up to `class_counts`, which are in units.
    pub fn new(alpha: &[f64], class_counts: &[u64], unit: f64) -> Self {
        DirichletMultinomial { rising: RisingTables::new(alpha, class_counts, unit) }
    }

    /// The tables of exactly two classes.
    #[inline(always)]
    pub(super) fn two_class_tables(&self) -> Option<TwoClassTables<'_>> {
        TwoClassTables::of(&self.rising)
    }

    /// log f of `n` rows that are all of class `class`.
    pub(crate) fn log_marginal_pure(&self, class: usize, n: u64) -> f64 {
        self.rising.log_marginal_pure(class, n)
    }
}

impl Leaf for DirichletMultinomial {
    fn n_sums(&self) -> usize {
        self.rising.n_classes()
    }

    #[inline]
    fn log_marginal(&self, counts: &[u64]) -> f64 {
        match (self.two_classes(), counts) {
            (Some(two), &[n, m]) => two.log_marginal([n, m]),
            _ => self.rising.log_marginal(counts),
        }
    }

    /// The posterior mean of the probability of class `which`, computed as models compute it.
    fn estimate(&self, which: usize, counts: &[u64]) -> f64 {
        let weight = |class: usize| counts[class] as f64 * self.rising.unit() + self.rising.alpha(class);
        let total: f64 = (0..counts.len()).map(weight).sum();
        match (which, counts.len()) {
            // the two sum to one exactly
            (0, 2) => 1.0 - weight(1) / total,
            _ => weight(which) / total,
        }
    }

    /// At best every leaf has rows of one class, and each class is in one leaf: Theorem 2 of the paper, for all α > 0.
    fn log_divided(&self, counts: &[u64]) -> f64 {
        counts.iter().enumerate().map(|(class, &n)| self.log_marginal_pure(class, n)).sum()
    }

    fn log_maximum(&self, counts: &[u64]) -> Option<f64> {
        Some(max_log_likelihood(counts) * self.rising.unit())
    }

    #[inline(always)]
    fn two_classes(&self) -> Option<TwoClasses<'_>> {
        TwoClasses::of(&self.rising)
    }
}

/// ℓ*(N) = Σ_l N_l log(N_l / |N|), for counts in units: a multiple of it by the unit is that of the weights.
pub(crate) fn max_log_likelihood(counts: &[u64]) -> f64 {
    let n = counts.iter().sum::<u64>() as f64;
    counts.iter().filter(|&&count| count > 0).map(|&count| count as f64 * (count as f64 / n).ln()).sum()
}

/// log f(N) for any counts or weights, without tables.
pub fn log_marginal(alpha: &[f64], counts: &[f64]) -> f64 {
    let log_rising = |start: f64, x: f64| ln_gamma(start + x) - ln_gamma(start);
    let classes: f64 = alpha.iter().zip(counts).map(|(&a, &n)| log_rising(a, n)).sum();
    classes - log_rising(alpha.iter().sum(), counts.iter().sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::naive;

    #[test]
    fn the_likelihood_equals_the_formula() {
        for alpha in [vec![1.0, 1.0], vec![2.0, 0.5], vec![0.01, 3.3, 1e4]] {
            let likelihood = DirichletMultinomial::new(&alpha, &vec![50; alpha.len()], 1.0);
            for a in 0..50 {
                let counts: Vec<u64> = (0..alpha.len() as u64).map(|i| (a * (i + 3)) % 51).collect();
                let expected = naive::log_marginal(&alpha, &counts);
                let found = likelihood.log_marginal(&counts);
                assert!((found - expected).abs() < 1e-7 * expected.abs().max(1.0), "{alpha:?} {counts:?}");
            }
        }
    }

    #[test]
    fn fractional_weights_give_the_same_likelihood_as_their_values() {
        let (alpha, unit) = ([1.5, 0.7], 0.125);
        let likelihood = DirichletMultinomial::new(&alpha, &[800, 900], unit);
        for counts in [[0, 0], [8, 16], [13, 700], [800, 900]] {
            let weights = counts.map(|n: u64| n as f64 * unit);
            assert!((likelihood.log_marginal(&counts) - log_marginal(&alpha, &weights)).abs() < 1e-10);
        }
    }

    #[test]
    fn hundred_million_rows_do_not_overflow() {
        let counts = [40_000_000, 60_000_000];
        let log_marginal = DirichletMultinomial::new(&[1.0, 1.0], &counts, 1.0).log_marginal(&counts);
        // n! Beta is about the entropy: n (p log p + q log q), up to a few log n
        let entropy = 1e8 * (0.4f64 * 0.4f64.ln() + 0.6 * 0.6f64.ln());
        assert!((log_marginal - entropy).abs() < 30.0, "{log_marginal} {entropy}");
    }
}
