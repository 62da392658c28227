//! The prior over rule lists: everything that is computed from it is a method of [`Prior`].
//!
//! A list of m rules has the length prior p(m | A, λ), times for each rule the probability of its antecedent's length among the
//! lengths that have unused candidates, divided by how many of that length are unused (every factor normalised;
//! dev/notes/0001). The logarithm of such a factor is the *price* of the rule. As long as no length is used up, the order of the
//! rules does not matter: the prices of the rules of one length are then tabled.

use crate::hyperparameters::Hyperparameters;
use crate::rng::ChainRng;
use statrs::function::factorial::ln_factorial;

/// Pools with fewer different lengths than this need no allocation per evaluation.
const FEW_LENGTHS: usize = 8;

/// The prior over lists of antecedents of a pool.
#[derive(Debug, Clone)]
pub struct Prior {
    /// λ, the mean of the list's length.
    lambda: f64,
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
    /// By length, the prices of its first 0, 1, 2, … rules added up as long as no length is exhausted.
    cumulated: Vec<Vec<f64>>,
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
        Prior::of(hyperparameters.lambda, n_by_length, log_length, log_weight)
    }

    fn of(lambda: f64, n_by_length: Vec<u32>, log_length: Vec<f64>, log_weight: Vec<f64>) -> Self {
        let log_totals: Vec<f64> = (0..1usize << n_by_length.len().min(FEW_LENGTHS))
            .map(|set| log_total(&log_weight, |c| c < FEW_LENGTHS && set >> c & 1 == 1))
            .collect();
        let log_total = log_total(&log_weight, |c| n_by_length[c] > 0);
        let largest = n_by_length.iter().copied().max().unwrap_or(0);
        let log_integer: Vec<f64> = (0..=largest).map(|n| f64::from(n).ln()).collect();
        let cumulated = n_by_length.iter().zip(&log_weight).map(|(&n, &weight)| {
            let rules = (1..=n as usize).rev().map(|left| weight - log_total - log_integer[left]);
            let sums = rules.scan(0.0, |sum, rule| {
                *sum += rule;
                Some(*sum)
            });
            std::iter::once(0.0).chain(sums).collect()
        });
        let cumulated = cumulated.collect();
        Prior { lambda, n_by_length, log_length, log_weight, log_total, log_totals, log_integer, cumulated }
    }

    /// The prior of the rules after a prefix of these antecedent lengths: what remains of the log prior.
    pub fn after(&self, prefix: impl Iterator<Item = usize>) -> Self {
        let (mut n_by_length, mut m) = (self.n_by_length.clone(), 0);
        for length in prefix {
            n_by_length[length] -= 1;
            m += 1;
        }
        Prior::of(self.lambda, n_by_length, self.log_length[m..].to_vec(), self.log_weight.clone())
    }

    /// The same prior with the lengths that have candidates numbered 0, 1, 2, … in place of the number of conditions.
    pub fn without_gaps(&self) -> Self {
        let lengths = || self.n_by_length.iter().zip(&self.log_weight).filter(|(&n, _)| n > 0);
        let n_by_length = lengths().map(|(&n, _)| n).collect();
        Prior::of(self.lambda, n_by_length, self.log_length.clone(), lengths().map(|(_, &w)| w).collect())
    }

    /// λ, the mean of the list's length before truncation at the size of the pool.
    pub fn lambda(&self) -> f64 {
        self.lambda
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
    #[inline(always)]
    pub(crate) fn log_length(&self, m: usize) -> f64 {
        self.log_length[m]
    }

    /// The most probable number of rules of at least `m`: λ rounded down, if that is large enough. Not for what follows a prefix.
    pub(crate) fn most_probable_length(&self, m: usize) -> usize {
        let lambda = self.lambda.floor().min(1e9) as usize;
        m.max(lambda).min(self.pool_size())
    }

    /// The price of the next rule, log p(length | lengths left) − log(candidates of it left), when `used` rules of each length are in the
    /// list; −∞ if none of this length is left.
    pub fn log_price(&self, length: usize, used: &[u32]) -> f64 {
        if used[length] >= self.n_by_length[length] {
            return f64::NEG_INFINITY;
        }
        let log_total = self.log_total_where(|c| used[c] < self.n_by_length[c]);
        self.log_weight[length] - log_total - self.log_left(length, used[length])
    }

    /// The prices of the first 0, 1, 2, … rules of a length added up, as long as no length is exhausted.
    #[inline(always)]
    pub fn cumulated_prices(&self, length: usize) -> &[f64] {
        &self.cumulated[length]
    }

    /// The price of a rule after `used` rules of its length, if no length is exhausted.
    #[inline(always)]
    pub fn log_price_unexhausted(&self, length: usize, used: usize) -> f64 {
        let sums = &self.cumulated[length];
        sums[used + 1] - sums[used]
    }

    /// The most that the price of each of up to `n` further rules of a length can be, if no length is exhausted: that of the last.
    pub fn highest_price(&self, length: usize, used: &[u32], n: usize) -> f64 {
        let last = (used[length] as usize + n).min(self.n_by_length[length] as usize).saturating_sub(1);
        self.log_price_unexhausted(length, last)
    }

    /// The most that the price of a rule can be that `n` rules of any lengths follow the list before, of which `used` have each length;
    /// −∞ if all candidates are used.
    ///
    /// At most `n` rules of any length come before it. So length c costs at most
    /// log w_c − log(w_c + Σ_{d≠c, n_d−k_d>n} w_d) − log max(1, n_c − k_c − n): lengths that cannot be used up by then still count.
    pub fn highest_price_after(&self, n: usize, used: &[u32]) -> f64 {
        let left = |c: usize| (self.n_by_length[c] - used[c]) as usize;
        let price = |c: usize| {
            let log_total = self.log_total_where(|d| d == c || left(d) > n);
            self.log_weight[c] - log_total - self.log_integer[left(c).saturating_sub(n).max(1)]
        };
        let lengths = (0..self.n_by_length.len()).filter(|&c| left(c) > 0);
        lengths.map(price).fold(f64::NEG_INFINITY, f64::max)
    }

    /// log of how many antecedents of a length are left after `used` of them.
    #[inline(always)]
    fn log_left(&self, length: usize, used: u32) -> f64 {
        self.log_integer[(self.n_by_length[length] - used) as usize]
    }

    /// The length of the next antecedent, drawn as the prior has it; of some length fewer than all are `used`.
    pub(crate) fn draw_length(&self, used: &[u32], rng: &mut ChainRng) -> usize {
        let has_unused = |&c: &usize| used[c] < self.n_by_length[c];
        let lengths = || (0..self.n_by_length.len()).filter(has_unused);
        // relative to the largest, because powers of η may underflow
        let largest = lengths().map(|c| self.log_weight[c]).fold(f64::NEG_INFINITY, f64::max);
        let weight = |c: usize| (self.log_weight[c] - largest).exp();
        let mut point = rng.uniform() * lengths().map(weight).sum::<f64>();
        let mut chosen = 0;
        for length in lengths() {
            chosen = length;
            point -= weight(length);
            if point < 0.0 {
                break;
            }
        }
        chosen
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
        let rules = self.cumulated.iter().zip(used).map(|(sums, &used)| sums[used as usize]);
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

    /// Changes of `log_rules` by one rule more and by one rule less of this length, of which the list has `used`, if no length is
    /// exhausted. 0 if there is no such rule.
    pub(crate) fn log_neighbours_unexhausted(&self, length: usize, used: u32) -> (f64, f64) {
        let (sums, used) = (&self.cumulated[length], used as usize);
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

    #[test]
    fn prices_add_up_to_the_prior_of_the_rules_however_lengths_are_numbered() {
        let hyperparameters = Hyperparameters { lambda: 3.7, eta: 0.6, alpha: vec![1.0, 1.0] };
        let pool = [1, 1, 3, 3, 3, 4];
        let prior = Prior::new(&hyperparameters, &[0, 2, 0, 3, 1]);
        let gapless = prior.without_gaps();
        assert_eq!(gapless.n_by_length(), [2, 3, 1]);
        for list in naive::all_lists(6) {
            let lengths: Vec<usize> = list.iter().map(|&i| pool[i as usize]).collect();
            let (mut used, mut numbered, mut sum) = ([0; 5], [0; 3], 0.0);
            for (n, &length) in lengths.iter().enumerate() {
                let (price, number) = (prior.log_price(length, &used), length / 2);
                assert_eq!(price, gapless.log_price(number, &numbered));
                assert!(price <= prior.highest_price_after(n, &[0; 5]) + 1e-12);
                sum += price;
                used[length] += 1;
                numbered[number] += 1;
            }
            assert!((prior.log_rules(lengths.iter().copied()) - sum).abs() < 1e-10, "{lengths:?}");
        }
        assert_eq!(prior.log_price(1, &[0, 2, 0, 0, 0]), f64::NEG_INFINITY);
    }
}
