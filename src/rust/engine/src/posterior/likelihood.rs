//! The marginal likelihood of the rows a rule captures, from tables built once.

use statrs::function::gamma::ln_gamma;

/// log Γ(start + x) − log Γ(start), the log rising factorial, where x ≥ 0 is a whole number of units.
#[derive(Debug, Clone)]
struct LogRising {
    start: f64,
    unit: f64,
    table: Vec<f64>,
}

/// Largest table: 8 MB. Larger counts are rare and computed each time.
const TABLE_LIMIT: usize = 1 << 20;

impl LogRising {
    fn new(start: f64, largest: u64, unit: f64) -> Self {
        // the running sum below needs steps of 1
        let limit = if unit == 1.0 { TABLE_LIMIT } else { 0 };
        let n = limit.min(usize::try_from(largest).unwrap_or(limit));
        let mut table = Vec::with_capacity(n + 1);
        // differences of log Γ would cancel; a running sum of logarithms with compensation (Neumaier) does not
        let (mut sum, mut lost) = (0.0f64, 0.0f64);
        table.push(0.0);
        for i in 0..n {
            let term = (start + i as f64).ln();
            let next = sum + term;
            lost += if sum.abs() >= term.abs() { (sum - next) + term } else { (term - next) + sum };
            sum = next;
            table.push(sum + lost);
        }
        LogRising { start, unit, table }
    }

    #[inline(always)]
    fn of(&self, n: u64) -> f64 {
        match self.table.get(n as usize) {
            Some(&value) => value,
            None => self.beyond_table(n),
        }
    }

    #[cold]
    fn beyond_table(&self, n: u64) -> f64 {
        let last = self.table.len() - 1;
        self.table[last] + ln_gamma(self.start + n as f64 * self.unit) - ln_gamma(self.start + last as f64)
    }
}

/// The marginal likelihood of class counts, f(N) = B(N + α) / B(α).
#[derive(Debug, Clone)]
pub struct Likelihood {
    classes: Vec<LogRising>,
    total: LogRising,
}

impl Likelihood {
    /// For counts up to `class_counts`, which are in units.
    pub fn new(alpha: &[f64], class_counts: &[u64], unit: f64) -> Self {
        let classes = alpha.iter().zip(class_counts).map(|(&a, &n)| LogRising::new(a, n, unit)).collect();
        let n = class_counts.iter().sum();
        Likelihood { classes, total: LogRising::new(alpha.iter().sum(), n, unit) }
    }

    /// Number of classes.
    pub fn n_classes(&self) -> usize {
        self.classes.len()
    }

    /// log f(N).
    #[inline]
    pub fn log_marginal(&self, counts: &[u64]) -> f64 {
        match *counts {
            [n, m] => self.binary().log_marginal([n, m]),
            _ => self.log_marginal_multiclass(counts),
        }
    }

    /// The same likelihood for two classes, with its tables in local variables.
    #[inline(always)]
    pub(crate) fn binary(&self) -> BinaryLikelihood<'_> {
        let tables: [&[f64]; 3] = match &self.classes[..] {
            [first, second] => [&first.table, &second.table, &self.total.table],
            _ => [&[]; 3],
        };
        BinaryLikelihood { tables, likelihood: self }
    }

    #[cold]
    #[inline(never)]
    fn beyond_tables(&self, n: u64, m: u64) -> f64 {
        self.log_marginal_multiclass(&[n, m])
    }

    fn log_marginal_multiclass(&self, counts: &[u64]) -> f64 {
        let mut n = 0;
        let mut sum = 0.0;
        for (class, &count) in self.classes.iter().zip(counts) {
            n += count;
            sum += class.of(count);
        }
        sum - self.total.of(n)
    }

    /// log f of `n` rows that are all of class `class`.
    pub(crate) fn log_marginal_pure(&self, class: usize, n: u64) -> f64 {
        self.classes[class].of(n) - self.total.of(n)
    }
}

/// The marginal likelihood for two classes.
#[derive(Debug, Clone, Copy)]
pub struct BinaryLikelihood<'a> {
    tables: [&'a [f64]; 3],
    likelihood: &'a Likelihood,
}

impl BinaryLikelihood<'_> {
    /// log f(N).
    #[inline(always)]
    pub fn log_marginal(self, [n, m]: [u64; 2]) -> f64 {
        let [first, second, total] = self.tables;
        match (first.get(n as usize), second.get(m as usize), total.get((n + m) as usize)) {
            (Some(first), Some(second), Some(total)) => first + second - total,
            _ => self.likelihood.beyond_tables(n, m),
        }
    }
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
            let likelihood = Likelihood::new(&alpha, &vec![50; alpha.len()], 1.0);
            for a in 0..50 {
                let counts: Vec<u64> = (0..alpha.len() as u64).map(|i| (a * (i + 3)) % 51).collect();
                let expected = naive::log_marginal(&alpha, &counts);
                let found = likelihood.log_marginal(&counts);
                assert!((found - expected).abs() < 1e-7 * expected.abs().max(1.0), "{alpha:?} {counts:?}");
            }
        }
    }

    #[test]
    fn counts_beyond_the_table_continue_it() {
        let n = TABLE_LIMIT as u64 + 1000;
        for start in [0.5, 1.0, 123.4] {
            let rising = LogRising::new(start, 100_000_000, 1.0);
            let jump = rising.of(n) - rising.of(n - 2000);
            let sum: f64 = (n - 2000..n).map(|i| (start + i as f64).ln()).sum();
            assert!((jump - sum).abs() < 1e-6, "{jump} {sum}");
            assert!((rising.of(1000) - (ln_gamma(start + 1000.0) - ln_gamma(start))).abs() < 1e-9);
        }
    }

    #[test]
    fn fractional_weights_give_the_same_likelihood_as_their_values() {
        let (alpha, unit) = ([1.5, 0.7], 0.125);
        let likelihood = Likelihood::new(&alpha, &[800, 900], unit);
        for counts in [[0, 0], [8, 16], [13, 700], [800, 900]] {
            let weights = counts.map(|n: u64| n as f64 * unit);
            assert!((likelihood.log_marginal(&counts) - log_marginal(&alpha, &weights)).abs() < 1e-10);
        }
    }

    #[test]
    fn hundred_million_rows_do_not_overflow() {
        let counts = [40_000_000, 60_000_000];
        let log_marginal = Likelihood::new(&[1.0, 1.0], &counts, 1.0).log_marginal(&counts);
        // n! Beta is about the entropy: n (p log p + q log q), up to a few log n
        let entropy = 1e8 * (0.4f64 * 0.4f64.ln() + 0.6 * 0.6f64.ln());
        assert!((log_marginal - entropy).abs() < 30.0, "{log_marginal} {entropy}");
    }
}
