//! What rules cost: bounds on the prior of every continuation of a prefix.
//!
//! A rule of length c costs its *price*, log p(c | lengths left) − log(candidates of length c left), which is at most 0, and
//! a list of m rules gets log p(m | λ) on top. Antecedent lengths are numbered here from 0, those without candidates left out.

use crate::posterior::Prior;

/// The prior of lists of at most `max_length` rules.
#[derive(Debug, Clone)]
pub struct Prices {
    /// Candidates of each length.
    n: Vec<u32>,
    log_weight: Vec<f64>,
    /// log p(m) for m = 0, 1, …
    log_length: Vec<f64>,
    /// By length: the prices of its first rules added up, no length being used up.
    plain_sums: Vec<Vec<f64>>,
    max_length: usize,
    /// Whether no list uses up a length before its last rule.
    is_unexhausted: bool,
    /// Whether in addition every rule that captures nothing lowers the log posterior.
    is_plain: bool,
}

impl Prices {
    /// For lists of at most `max_length` rules.
    pub fn new(prior: &Prior, max_length: usize) -> Self {
        let lengths: Vec<usize> =
            (1..prior.n_by_length().len()).filter(|&c| prior.n_by_length()[c] > 0).collect();
        let mut prices = Prices {
            plain_sums: Vec::new(),
            n: lengths.iter().map(|&c| prior.n_by_length()[c]).collect(),
            log_weight: lengths.iter().map(|&c| prior.log_weight(c)).collect(),
            log_length: (0..=prior.pool_size()).map(|m| prior.log_length(m)).collect(),
            max_length: 0,
            is_unexhausted: false,
            is_plain: false,
        };
        let log_total = prices.log_total(|_| true);
        let sums = |c: usize| {
            let price = |k: u32| prices.log_weight[c] - log_total - f64::from(prices.n[c] - k).ln();
            let sum = |sum: &mut f64, k: u32| {
                *sum += price(k);
                Some(*sum)
            };
            std::iter::once(0.0).chain((0..prices.n[c]).scan(0.0, sum)).collect()
        };
        prices.plain_sums = (0..prices.n.len()).map(sums).collect();
        prices.limited_to(max_length)
    }

    /// The same for lists of at most `max_length` rules.
    pub fn limited_to(&self, max_length: usize) -> Self {
        let mut prices = self.clone();
        prices.max_length = max_length.min(self.log_length.len() - 1);
        prices.is_unexhausted = prices.n.iter().all(|&n| n as usize >= prices.max_length);
        prices.is_plain = prices.is_unexhausted && !prices.empty_rule_pays();
        prices
    }

    /// The most rules of a list.
    pub fn max_length(&self) -> usize {
        self.max_length
    }

    /// How many lengths there are.
    pub fn n_lengths(&self) -> usize {
        self.n.len()
    }

    /// Whether in addition no rule that captures nothing can be part of a best list.
    pub fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// log p(m).
    #[inline(always)]
    pub fn log_length(&self, m: usize) -> f64 {
        self.log_length[m]
    }

    /// The price of a rule of length `c` when `used` rules of each length are in the list; −∞ if none of them is left.
    pub fn price(&self, c: usize, used: &[u32]) -> f64 {
        if used[c] >= self.n[c] {
            return f64::NEG_INFINITY;
        }
        let total = self.log_total(|d| used[d] < self.n[d]);
        self.log_weight[c] - total - f64::from(self.n[c] - used[c]).ln()
    }

    /// Whether no list uses up a length before its last rule.
    pub fn is_unexhausted(&self) -> bool {
        self.is_unexhausted
    }

    /// The most that the price of each of up to `n` further rules of length `c` can be, no length being used up: that of the last.
    pub fn most(&self, c: usize, used: &[u32], n: usize) -> f64 {
        let last = (used[c] as usize + n).min(self.n[c] as usize).saturating_sub(1);
        self.plain_price(c, last)
    }

    /// The log prior of a list with `used` rules of each length, no length being used up. Their order does not matter.
    pub fn plain_total(&self, used: &[u32]) -> f64 {
        let prices = self.plain_sums.iter().zip(used).map(|(sums, &used)| sums[used as usize]).sum::<f64>();
        prices + self.log_length[used.iter().sum::<u32>() as usize]
    }

    /// log Σ of the weights of some lengths.
    fn log_total(&self, is_counted: impl Fn(usize) -> bool) -> f64 {
        let counted = || (0..self.n.len()).filter(|&d| is_counted(d)).map(|d| self.log_weight[d]);
        let largest = counted().fold(f64::NEG_INFINITY, f64::max);
        largest + counted().map(|x| (x - largest).exp()).sum::<f64>().ln()
    }

    /// The price of a rule of length `c` after `k` rules of that length, no length being used up.
    fn plain_price(&self, c: usize, k: usize) -> f64 {
        self.plain_sums[c][k + 1] - self.plain_sums[c][k]
    }

    /// The condition under which rules that capture nothing may be left out: each of them lowers the log posterior.
    ///
    /// While no length is used up the prices of a list sum to Σ_c Σ_{i<k_c} price(c, i), in any order. Leaving out a rule of
    /// length c that captures nothing therefore takes away price(c, k_c − 1) + log p(m) − log p(m − 1), with k_c ≤ m, and
    /// changes nothing else. If all of these are negative, no best list has such a rule. (A rule that captures all rows left
    /// makes the default rule empty: stopping before it is better by the same argument.)
    fn empty_rule_pays(&self) -> bool {
        (0..self.n.len()).any(|c| {
            (0..self.max_length).any(|m| {
                let step = self.log_length[m + 1] - self.log_length[m];
                // the dearest price is that of the m-th rule of this length
                self.plain_price(c, m) + step > -1e-6
            })
        })
    }

    /// **B3.** The most that prices and log p(m) of `at_least` to `at_most` further rules add to a prefix of m rules, `used[c]`
    /// of length c.
    ///
    /// *No length is used up.* The s-th further rule of length c has the price a_c − log(n_c − k_c − s), which grows with s. A
    /// sum over s_1 + s_2 + … = s rules is then convex in each s_c, and a convex function on a simplex is largest at a corner:
    /// all s rules have one length. (Taking the dearest length step by step is not a bound: a smaller class may overtake.)
    ///
    /// *Otherwise*, step s (from 0) has at most s rules of any length before it, so length c costs at most
    /// log w_c − log(w_c + Σ_{d≠c, n_d−k_d>s} w_d) − log max(1, n_c − k_c − s): lengths that cannot be used up by then still
    /// count. The largest of these over c bounds the step, and the sum of the steps bounds the rules.
    pub fn extension(&self, used: &[u32], m: usize, at_least: usize, at_most: usize) -> f64 {
        let at_most = at_most.min(self.max_length.saturating_sub(m));
        match self.is_unexhausted {
            true => self.one_length_extension(used, m, at_least, at_most),
            false => self.stepwise_extension(used, m, at_least, at_most),
        }
    }

    fn one_length_extension(&self, used: &[u32], m: usize, at_least: usize, at_most: usize) -> f64 {
        let mut best = if at_least == 0 { self.log_length[m] } else { f64::NEG_INFINITY };
        for (sums, &used) in self.plain_sums.iter().zip(used) {
            let sums = &sums[used as usize..];
            for s in at_least.max(1)..=at_most.min(sums.len() - 1) {
                best = best.max(sums[s] - sums[0] + self.log_length[m + s]);
            }
        }
        best
    }

    fn stepwise_extension(&self, used: &[u32], m: usize, at_least: usize, at_most: usize) -> f64 {
        let (mut best, mut sum) = (f64::NEG_INFINITY, 0.0);
        for s in 0..=at_most {
            if s >= at_least {
                best = best.max(sum + self.log_length[m + s]);
            }
            sum += self.best_step(used, s);
        }
        best
    }

    /// The most that the price of step `s` can be.
    fn best_step(&self, used: &[u32], s: usize) -> f64 {
        let left = |c: usize| (self.n[c] - used[c]) as usize;
        let lengths = (0..self.n.len()).filter(|&c| left(c) > 0);
        let price = |c: usize| {
            let total = self.log_total(|d| d == c || left(d) > s);
            self.log_weight[c] - total - (left(c).saturating_sub(s).max(1) as f64).ln()
        };
        // no rule is left: there is no such step
        lengths.map(price).fold(f64::NEG_INFINITY, f64::max)
    }

    /// **L_max.** The longest list that can exceed `threshold` if no list has a log likelihood above `log_likelihood`, and a bound on
    /// all longer ones.
    ///
    /// Any m may be the longest: p(m) falls in the end, but prices rise as candidates run out. So every m is tested. Up to the
    /// smallest class the prices of m rules are at most those of one length (see `extension`), beyond it the stepwise bound.
    pub fn longest(&self, log_likelihood: f64, threshold: f64) -> (usize, f64) {
        let none = vec![0; self.n.len()];
        let smallest = self.n.iter().copied().min().unwrap_or(0) as usize;
        let (mut stepwise, mut longest, mut beyond) = (0.0, 0, f64::NEG_INFINITY);
        for m in 1..=self.max_length {
            stepwise += self.best_step(&none, m - 1);
            let mut prices = stepwise;
            if m <= smallest {
                prices = self.plain_sums.iter().map(|sums| sums[m]).fold(f64::NEG_INFINITY, f64::max);
            }
            let bound = log_likelihood + prices + self.log_length[m];
            if bound > threshold {
                (longest, beyond) = (m, f64::NEG_INFINITY);
            } else {
                beyond = beyond.max(bound);
            }
        }
        (longest, beyond)
    }
}
