//! What rules cost: bounds on the prior of every continuation of a prefix.
//!
//! A list of m rules gets log p(m | λ) and the price of each rule, which is at most 0 (`prior.rs`). Antecedent lengths are
//! numbered here from 0, those without candidates left out.

use crate::prior::Prior;
use std::sync::Arc;

/// The prior of lists of at most `max_length` rules.
#[derive(Debug, Clone)]
pub struct Prices {
    prior: Arc<Prior>,
    max_length: usize,
    /// Whether no list uses up a length before its last rule.
    is_unexhausted: bool,
    /// Whether in addition every rule that captures nothing lowers the log posterior.
    is_plain: bool,
}

impl Prices {
    /// For lists of at most `max_length` rules.
    pub fn new(prior: &Prior, max_length: usize) -> Self {
        Prices::of(Arc::new(prior.without_gaps()), max_length)
    }

    fn of(prior: Arc<Prior>, max_length: usize) -> Self {
        let max_length = max_length.min(prior.pool_size());
        let is_unexhausted = prior.n_by_length().iter().all(|&n| n as usize >= max_length);
        let is_plain = is_unexhausted && !empty_rule_pays(&prior, max_length);
        Prices { prior, max_length, is_unexhausted, is_plain }
    }

    /// The same for lists of at most `max_length` rules.
    pub fn limited_to(&self, max_length: usize) -> Self {
        Prices::of(self.prior.clone(), max_length)
    }

    /// The prior over lists of any length.
    #[inline(always)]
    pub fn prior(&self) -> &Prior {
        &self.prior
    }

    /// The most rules of a list.
    pub fn max_length(&self) -> usize {
        self.max_length
    }

    /// How many lengths there are.
    pub fn n_lengths(&self) -> usize {
        self.prior.n_by_length().len()
    }

    /// Whether no list uses up a length before its last rule.
    pub fn is_unexhausted(&self) -> bool {
        self.is_unexhausted
    }

    /// Whether in addition no rule that captures nothing can be part of a best list.
    pub fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// **B3.** The most that prices and log p(m) of `at_least` to `at_most` further rules add to a prefix of m rules, `used[c]`
    /// of length c.
    ///
    /// *No length is used up.* The s-th further rule of length c has the price a_c − log(n_c − k_c − s), which grows with s. A
    /// sum over s_1 + s_2 + … = s rules is then convex in each s_c, and a convex function on a simplex is largest at a corner:
    /// all s rules have one length. (Taking the dearest length step by step is not a bound: a smaller class may overtake.)
    ///
    /// *Otherwise*, step s (from 0) has at most s rules before it, so `Prior::highest_price_after` bounds its price, and the sum of
    /// the steps bounds the rules.
    pub fn extension(&self, used: &[u32], m: usize, at_least: usize, at_most: usize) -> f64 {
        let at_most = at_most.min(self.max_length.saturating_sub(m));
        match self.is_unexhausted {
            true => self.one_length_extension(used, m, at_least, at_most),
            false => self.stepwise_extension(used, m, at_least, at_most),
        }
    }

    fn one_length_extension(&self, used: &[u32], m: usize, at_least: usize, at_most: usize) -> f64 {
        let prior = &self.prior;
        let mut best = if at_least == 0 { prior.log_length(m) } else { f64::NEG_INFINITY };
        for (length, &used) in used.iter().enumerate() {
            let sums = &prior.cumulated_prices(length)[used as usize..];
            for s in at_least.max(1)..=at_most.min(sums.len() - 1) {
                best = best.max(sums[s] - sums[0] + prior.log_length(m + s));
            }
        }
        best
    }

    fn stepwise_extension(&self, used: &[u32], m: usize, at_least: usize, at_most: usize) -> f64 {
        let (mut best, mut sum) = (f64::NEG_INFINITY, 0.0);
        for s in 0..=at_most {
            if s >= at_least {
                best = best.max(sum + self.prior.log_length(m + s));
            }
            sum += self.prior.highest_price_after(s, used);
        }
        best
    }

    /// **L_max.** The longest list that can exceed `threshold` if no list has a log likelihood above `log_likelihood`, and a bound on
    /// all longer ones.
    ///
    /// Any m may be the longest: p(m) falls in the end, but prices rise as candidates run out. So every m is tested. Up to the
    /// smallest class the prices of m rules are at most those of one length (see `extension`), beyond it the stepwise bound.
    pub fn longest(&self, log_likelihood: f64, threshold: f64) -> (usize, f64) {
        let (prior, none) = (&self.prior, vec![0; self.n_lengths()]);
        let smallest = prior.n_by_length().iter().copied().min().unwrap_or(0) as usize;
        let (mut stepwise, mut longest, mut beyond) = (0.0, 0, f64::NEG_INFINITY);
        for m in 1..=self.max_length {
            stepwise += prior.highest_price_after(m - 1, &none);
            let mut prices = stepwise;
            if m <= smallest {
                let of_one_length = (0..none.len()).map(|length| prior.cumulated_prices(length)[m]);
                prices = of_one_length.fold(f64::NEG_INFINITY, f64::max);
            }
            let bound = log_likelihood + prices + prior.log_length(m);
            if bound > threshold {
                (longest, beyond) = (m, f64::NEG_INFINITY);
            } else {
                beyond = beyond.max(bound);
            }
        }
        (longest, beyond)
    }
}

/// The condition under which rules that capture nothing may be left out of lists of at most `max_length` rules is that each of them
/// lowers the log posterior; whether some do not, if no length is used up.
///
/// While no length is used up the prices of a list sum to Σ_c Σ_{i<k_c} price(c, i), in any order. Leaving out a rule of
/// length c that captures nothing therefore takes away price(c, k_c − 1) + log p(m) − log p(m − 1), with k_c ≤ m, and
/// changes nothing else. If all of these are negative, no best list has such a rule. (A rule that captures all rows left
/// makes the default rule empty: stopping before it is better by the same argument.)
fn empty_rule_pays(prior: &Prior, max_length: usize) -> bool {
    (0..prior.n_by_length().len()).any(|c| {
        (0..max_length).any(|m| {
            let step = prior.log_length(m + 1) - prior.log_length(m);
            // the dearest price is that of the m-th rule of this length
            prior.log_price_unexhausted(c, m) + step > -1e-6
        })
    })
}
