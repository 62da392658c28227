//! Log rising factorials, from tables built once: what Dirichlet–multinomial leaves are made of.

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

/// The log rising factorials of each class's pseudo-count and of their sum.
#[derive(Debug, Clone)]
pub(super) struct RisingTables {
    classes: Vec<LogRising>,
    total: LogRising,
}

impl RisingTables {
    /// For counts up to `class_counts`, which are in units.
    pub(super) fn new(alpha: &[f64], class_counts: &[u64], unit: f64) -> Self {
        let classes = alpha.iter().zip(class_counts).map(|(&a, &n)| LogRising::new(a, n, unit)).collect();
        let n = class_counts.iter().sum();
        RisingTables { classes, total: LogRising::new(alpha.iter().sum(), n, unit) }
    }

    /// Number of classes.
    #[inline(always)]
    pub(super) fn n_classes(&self) -> usize {
        self.classes.len()
    }

    /// The weight of one unit.
    pub(super) fn unit(&self) -> f64 {
        self.total.unit
    }

    /// The pseudo-count of a class.
    pub(super) fn alpha(&self, class: usize) -> f64 {
        self.classes[class].start
    }

    /// The tables of two classes and of their sum, if there are two.
    #[inline(always)]
    pub(super) fn of_two(&self) -> Option<[&[f64]; 3]> {
        match &self.classes[..] {
            [first, second] => Some([&first.table, &second.table, &self.total.table]),
            _ => None,
        }
    }

    /// log f(N).
    pub(super) fn log_marginal(&self, counts: &[u64]) -> f64 {
        let mut n = 0;
        let mut sum = 0.0;
        for (class, &count) in self.classes.iter().zip(counts) {
            n += count;
            sum += class.of(count);
        }
        sum - self.total.of(n)
    }

    /// log f of `n` rows that are all of class `class`.
    pub(super) fn log_marginal_pure(&self, class: usize, n: u64) -> f64 {
        self.classes[class].of(n) - self.total.of(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
