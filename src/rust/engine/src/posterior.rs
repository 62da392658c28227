//! Prior, likelihood and log posterior of a rule list, from tables built once.

mod hyperparameters;
mod likelihood;

use crate::data::Rows;
use crate::error::Error;
use statrs::function::factorial::ln_factorial;
use std::sync::Arc;

pub use hyperparameters::Hyperparameters;
pub use likelihood::{log_marginal, BinaryLikelihood, Likelihood};

/// Pools with fewer different lengths than this need no allocation per evaluation.
const FEW_LENGTHS: usize = 8;

/// The prior over lists of antecedents of a pool (every factor normalised; dev/notes/0001).
#[derive(Debug, Clone)]
pub struct Prior {
    n_by_length: Vec<u32>,
    /// log p(m | A, λ) for each list length m.
    log_length: Vec<f64>,
    /// log(η^c / c!) for each antecedent length c.
    log_weight: Vec<f64>,
    /// log Σ η^c / c! over the lengths in the pool.
    log_total: f64,
    /// The same for each set of lengths: bit c of the index is 1 if antecedents of length c are left.
    log_totals: Vec<f64>,
    /// log 0, log 1, … up to the largest number of antecedents of one length.
    log_integer: Vec<f64>,
    /// By length, the contribution of its first 0, 1, 2, … rules to `log_rules` as long as no length is exhausted.
    cumulative_by_length: Vec<Vec<f64>>,
}

impl Prior {
    /// `n_by_length[c]` is the number of antecedents of length `c`; index 0 is ignored.
    pub fn new(hyperparameters: &Hyperparameters, n_by_length: &[u32]) -> Self {
        let n_by_length: Vec<u32> =
            n_by_length.iter().enumerate().map(|(c, &n)| if c == 0 { 0 } else { n }).collect();
        let pool_size: u64 = n_by_length.iter().map(|&n| u64::from(n)).sum();
        let poisson = |log_mean: f64, k: u64| k as f64 * log_mean - ln_factorial(k);
        let mut log_length: Vec<f64> =
            (0..=pool_size).map(|m| poisson(hyperparameters.lambda.ln(), m)).collect();
        let total = log_sum(log_length.iter().copied());
        log_length.iter_mut().for_each(|x| *x -= total);
        let log_weight =
            (0..n_by_length.len() as u64).map(|c| poisson(hyperparameters.eta.ln(), c)).collect();
        Prior::of(n_by_length, log_length, log_weight)
    }

    fn of(n_by_length: Vec<u32>, log_length: Vec<f64>, log_weight: Vec<f64>) -> Self {
        let log_totals: Vec<f64> = (0..1usize << n_by_length.len().min(FEW_LENGTHS))
            .map(|set| log_total(&log_weight, |c| c < FEW_LENGTHS && set >> c & 1 == 1))
            .collect();
        let log_total = log_total(&log_weight, |c| n_by_length[c] > 0);
        let largest = n_by_length.iter().copied().max().unwrap_or(0);
        let log_integer: Vec<f64> = (0..=largest).map(|n| f64::from(n).ln()).collect();
        let cumulative_by_length = n_by_length.iter().zip(&log_weight).map(|(&n, &weight)| {
            let rules = (1..=n as usize).rev().map(|left| weight - log_total - log_integer[left]);
            let sums = rules.scan(0.0, |sum, rule| {
                *sum += rule;
                Some(*sum)
            });
            std::iter::once(0.0).chain(sums).collect()
        });
        let cumulative_by_length = cumulative_by_length.collect();
        Prior {
            n_by_length,
            log_length,
            log_weight,
            log_total,
            log_totals,
            log_integer,
            cumulative_by_length,
        }
    }

    /// The prior of the rules after a prefix of these antecedent lengths: what remains of the log prior.
    pub fn after(&self, prefix: impl Iterator<Item = usize>) -> Self {
        let (mut n_by_length, mut m) = (self.n_by_length.clone(), 0);
        for length in prefix {
            n_by_length[length] -= 1;
            m += 1;
        }
        Prior::of(n_by_length, self.log_length[m..].to_vec(), self.log_weight.clone())
    }

    /// Number of antecedents in the pool.
    pub(crate) fn pool_size(&self) -> usize {
        self.log_length.len() - 1
    }

    /// Number of antecedents of length 0, 1, 2, …
    pub fn n_by_length(&self) -> &[u32] {
        &self.n_by_length
    }

    /// log p(m | A, λ).
    pub(crate) fn log_length(&self, m: usize) -> f64 {
        self.log_length[m]
    }

    /// log(η^c / c!) for antecedent length c.
    pub(crate) fn log_weight(&self, length: usize) -> f64 {
        self.log_weight[length]
    }

    /// Σ_j log p(c_j | c_<j) − log |Q_{c_j}| for antecedents of these lengths, in this order.
    pub fn log_rules(&self, lengths: impl Iterator<Item = usize>) -> f64 {
        let n = self.n_by_length.len();
        let (mut few, mut many) = ([0; FEW_LENGTHS], Vec::new());
        let left = if n <= FEW_LENGTHS {
            &mut few[..n]
        } else {
            many.resize(n, 0);
            &mut many[..]
        };
        left.copy_from_slice(&self.n_by_length);
        let mut log_total = self.log_total;
        let mut sum = 0.0;
        lengths.for_each(|length| {
            sum += self.log_weight[length] - log_total - self.log_integer[left[length] as usize];
            left[length] -= 1;
            if left[length] == 0 {
                log_total = self.log_total_where(|c| left[c] > 0);
            }
        });
        sum
    }

    /// log Σ η^c / c! over the lengths c with antecedents left.
    #[inline(always)]
    fn log_total_where(&self, is_left: impl Fn(usize) -> bool) -> f64 {
        let n = self.n_by_length.len();
        let set = (0..n).fold(0, |set, c| set | usize::from(is_left(c)) << c.min(63));
        match self.log_totals.get(set) {
            Some(&log_total) => log_total,
            None => log_total(&self.log_weight, is_left),
        }
    }

    /// The log prior of a list whose antecedents have these lengths.
    pub fn log_prior(&self, lengths: impl Iterator<Item = usize> + Clone) -> f64 {
        self.log_length(lengths.clone().count()) + self.log_rules(lengths)
    }

    /// The log prior of `m` rules, `used[c]` of them of length `c`, if no length is exhausted.
    pub(crate) fn log_prior_unexhausted(&self, used: &[u32], m: usize) -> f64 {
        let rules = self.cumulative_by_length.iter().zip(used).map(|(sums, &used)| sums[used as usize]);
        self.log_length(m) + rules.sum::<f64>()
    }

    /// The same in any case; `lengths` are those of the rules. They are read from the end, and only back to where no length
    /// was exhausted yet: before, every rule is drawn from all lengths, as `log_prior_unexhausted` has it.
    pub(crate) fn log_prior_from_end<L>(&self, used: &[u32], lengths: L) -> f64
    where
        L: DoubleEndedIterator<Item = usize> + ExactSizeIterator + Clone,
    {
        let n = self.n_by_length.len();
        if n > FEW_LENGTHS {
            return self.log_prior(lengths);
        }
        // all lengths, and those whose last rule comes earlier than the one being read
        let (mut all, mut exhausted) = (0, 0);
        for c in (0..n).filter(|&c| self.n_by_length[c] > 0) {
            all |= 1 << c;
            exhausted |= usize::from(used[c] == self.n_by_length[c]) << c;
        }
        let mut sum = self.log_prior_unexhausted(used, lengths.len());
        for length in lengths.rev() {
            exhausted &= !(1 << length);
            if exhausted == 0 {
                break;
            }
            sum += self.log_total - self.log_totals[all & !exhausted];
        }
        sum
    }

    /// The most that the log prior of `m` rules, `used[c]` of them of length `c`, can be in any order. It is exact as long as
    /// no length is exhausted.
    pub fn log_prior_at_most(&self, used: &[u32], m: usize) -> f64 {
        let log_prior = self.log_prior_unexhausted(used, m);
        let has_unused = |length: usize| used[length] < self.n_by_length[length];
        // a length with unused candidates makes the others less likely
        let smallest_total = log_total(&self.log_weight, has_unused);
        match smallest_total.is_finite() {
            true => log_prior + m as f64 * (self.log_total - smallest_total),
            false => self.log_length(m),
        }
    }

    /// The contribution to `log_rules` of a rule of this length when the list has `used` of that length already, if no length is
    /// exhausted (otherwise the order matters; see `log_rules`).
    pub(crate) fn log_rule_unexhausted(&self, length: usize, used: u32) -> f64 {
        let left = self.n_by_length[length] - used;
        self.log_weight[length] - self.log_total - self.log_integer[left as usize]
    }

    /// Changes of `log_rules` by one rule more and by one rule less of this length, of which the list has `used`, if no length is
    /// exhausted. 0 if there is no such rule.
    pub(crate) fn log_neighbours_unexhausted(&self, length: usize, used: u32) -> (f64, f64) {
        let (sums, used) = (&self.cumulative_by_length[length], used as usize);
        let more = sums.get(used + 1).map_or(0.0, |more| more - sums[used]);
        let less = if used > 0 { sums[used - 1] - sums[used] } else { 0.0 };
        (more, less)
    }
}

/// log Σ of the weights of the lengths that are `present`.
fn log_total(log_weight: &[f64], present: impl Fn(usize) -> bool) -> f64 {
    let lengths = (0..log_weight.len()).filter(|&c| present(c));
    log_sum(lengths.map(|c| log_weight[c]).collect::<Vec<_>>().into_iter())
}

/// log Σ exp(x) without overflow; −∞ if there are no terms.
fn log_sum(terms: impl Iterator<Item = f64> + Clone) -> f64 {
    let largest = terms.clone().fold(f64::NEG_INFINITY, f64::max);
    if largest == f64::NEG_INFINITY {
        return largest;
    }
    largest + terms.map(|x| (x - largest).exp()).sum::<f64>().ln()
}

/// The score of a rule list, on the log scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// log p(d | A, λ, η).
    pub log_prior: f64,
    /// log p(y | x, d, α).
    pub log_likelihood: f64,
}

impl Score {
    /// Their sum: the unnormalised log posterior.
    pub fn log_posterior(&self) -> f64 {
        self.log_prior + self.log_likelihood
    }
}

/// Prior and likelihood together.
#[derive(Debug, Clone)]
pub struct Posterior {
    /// The prior over lists.
    pub prior: Prior,
    /// The likelihood of class counts.
    pub likelihood: Arc<Likelihood>,
    /// Prior mean of the list's length.
    pub lambda: f64,
}

impl Posterior {
    /// For lists of a pool with `n_by_length[c]` antecedents of length `c` on these rows.
    pub fn new(hyperparameters: &Hyperparameters, n_by_length: &[u32], rows: &Rows) -> Result<Self, Error> {
        hyperparameters.check(rows.n_classes())?;
        Ok(Posterior {
            prior: Prior::new(hyperparameters, n_by_length),
            likelihood: Arc::new(Likelihood::new(&hyperparameters.alpha, rows.class_counts(), rows.unit())),
            lambda: hyperparameters.lambda,
        })
    }

    /// What rules after a prefix, whose antecedents have these lengths, add to the prefix's log posterior.
    pub fn after(&self, prefix: impl Iterator<Item = usize>) -> Self {
        Posterior { prior: self.prior.after(prefix), ..self.clone() }
    }

    /// The score of a list whose antecedents have these lengths and whose rules, the default last, capture `counts`
    /// (one row of class counts per rule).
    pub fn score(&self, lengths: impl Iterator<Item = usize> + Clone, counts: &[u64]) -> Score {
        let rows = counts.chunks_exact(self.likelihood.n_classes());
        Score {
            log_prior: self.prior.log_prior(lengths),
            log_likelihood: rows.map(|row| self.likelihood.log_marginal(row)).sum(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::naive;

    #[test]
    fn the_prior_is_normalised_for_extreme_hyperparameters_and_pools() {
        for lambda in [1e-6, 1.0, 37.5, 1e6] {
            for pool in [1u32, 10, 1_000_000] {
                let hyperparameters = Hyperparameters { lambda, eta: 1.0, alpha: vec![1.0, 1.0] };
                let prior = Prior::new(&hyperparameters, &[0, pool]);
                let total: f64 = (0..=pool as usize).map(|m| prior.log_length(m).exp()).sum();
                assert!((total - 1.0).abs() < 1e-6, "{lambda} {pool} {total}");
                assert!((0..=pool as usize).all(|m| prior.log_length(m).is_finite()));
            }
        }
    }

    #[test]
    fn the_prior_equals_the_formula_even_if_lengths_are_exhausted() {
        let hyperparameters = Hyperparameters { lambda: 3.7, eta: 0.6, alpha: vec![1.0, 1.0] };
        let pool = [1, 1, 3, 3, 3, 4];
        let prior = Prior::new(&hyperparameters, &[0, 2, 0, 3, 1]);
        for list in naive::all_lists(6).into_iter().filter(|list| list.len() <= 6) {
            let lengths: Vec<usize> = list.iter().map(|&i| pool[i as usize]).collect();
            let expected = naive::log_prior(&hyperparameters, &pool, &lengths);
            assert!((prior.log_prior(lengths.iter().copied()) - expected).abs() < 1e-10, "{lengths:?}");
            let mut used = [0; 5];
            lengths.iter().for_each(|&length| used[length] += 1);
            assert!(prior.log_prior_at_most(&used, lengths.len()) > expected - 1e-10, "{lengths:?}");
        }
    }
}
