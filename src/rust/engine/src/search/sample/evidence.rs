//! The evidence, log p(labels), from lists at all temperatures.
//!
//! With Z_k = Σ prior · likelihood^β_k over the admissible lists, the evidence given that a list is admissible is
//! Z_0 / Z_{R−1} = ∏ Z_k / Z_{k+1}. Each factor is a ratio of two means, one over the lists of either temperature:
//!
//! ```text
//! Z_k / Z_{k+1} = E_{k+1}[exp(x/2)] / E_k[exp(−x/2)],      x = (β_k − β_{k+1}) ℓ,      ℓ: log likelihood
//! ```
//!
//! This is bridge sampling with the geometric bridge (Meng and Wong, 1996, Statistica Sinica 6, 831–860). The stepping stone
//! E_{k+1}[exp(x)] uses the lists of one side only; its logarithm is biased low, by half its relative variance. Here both
//! logarithms are, by about as much, so that their difference hardly is, and halved exponents have shorter tails.
//!
//! No estimator mends lists that are not yet distributed as their temperature demands. To notice that, the sums are kept in
//! blocks of rounds, so that the first half of a run can be compared with the second.

/// Most blocks that are kept; when there are more, neighbours are joined.
const MOST_BLOCKS: usize = 32;

/// log of the mean of exp(x) over the values seen.
#[derive(Debug, Clone, Copy, PartialEq)]
struct LogMeanExp {
    largest: f64,
    sum: f64,
    n: u64,
}

impl LogMeanExp {
    fn new() -> Self {
        LogMeanExp { largest: f64::NEG_INFINITY, sum: 0.0, n: 0 }
    }

    fn add(&mut self, x: f64) {
        self.n += 1;
        // a list that is not admissible: exp(x) is 0
        if x == f64::NEG_INFINITY {
            return;
        }
        if x > self.largest {
            self.sum *= (self.largest - x).exp();
            self.largest = x;
        }
        self.sum += (x - self.largest).exp();
    }

    /// The values of both.
    fn join(&mut self, other: &LogMeanExp) {
        let largest = self.largest.max(other.largest);
        if largest > f64::NEG_INFINITY {
            let scale = |part: &LogMeanExp| part.sum * (part.largest - largest).exp();
            self.sum = scale(self) + scale(other);
        }
        self.largest = largest;
        self.n += other.n;
    }

    /// The log mean; −∞ if all values were, not a number without values.
    fn value(&self) -> f64 {
        self.largest + (self.sum / self.n as f64).ln()
    }
}

/// The two means of a pair of temperatures.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Bridge {
    /// exp(−x/2) over the lists of the colder one.
    cold: LogMeanExp,
    /// exp(x/2) over the lists of the hotter one.
    hot: LogMeanExp,
}

/// The evidence as estimated from lists at all temperatures.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    n_pairs: usize,
    /// By block of rounds, the bridges of all pairs.
    blocks: Vec<Vec<Bridge>>,
    /// Rounds of a full block, and of the last one.
    per_block: u64,
    in_last: u64,
}

impl Evidence {
    /// No observations yet, for this many pairs of neighbouring temperatures.
    pub fn new(n_pairs: usize) -> Self {
        Evidence { n_pairs, blocks: Vec::new(), per_block: 1, in_last: 0 }
    }

    /// The lists of one round, the coldest first. The last one, from the prior, counts only if it is a new draw.
    pub fn add(&mut self, betas: &[f64], log_likelihoods: impl Iterator<Item = f64>, has_new_prior: bool) {
        if self.blocks.is_empty() || self.in_last == self.per_block {
            self.begin_block();
        }
        self.in_last += 1;
        let Some(block) = self.blocks.last_mut() else { return };
        for (k, log_likelihood) in log_likelihoods.enumerate() {
            if k < self.n_pairs {
                block[k].cold.add(-(betas[k] - betas[k + 1]) * log_likelihood / 2.0);
            }
            if k > 0 && (k < self.n_pairs || has_new_prior) {
                block[k - 1].hot.add((betas[k - 1] - betas[k]) * log_likelihood / 2.0);
            }
        }
    }

    fn begin_block(&mut self) {
        if self.blocks.len() == MOST_BLOCKS {
            self.blocks = self.blocks.chunks(2).map(|pair| joined(self.n_pairs, pair.iter())).collect();
            self.per_block *= 2;
        }
        self.blocks.push(joined(self.n_pairs, [].into_iter()));
        self.in_last = 0;
    }
}

fn joined<'a>(n_pairs: usize, blocks: impl Iterator<Item = &'a Vec<Bridge>>) -> Vec<Bridge> {
    let mut all = vec![Bridge { cold: LogMeanExp::new(), hot: LogMeanExp::new() }; n_pairs];
    for block in blocks {
        for (sum, part) in all.iter_mut().zip(block) {
            sum.cold.join(&part.cold);
            sum.hot.join(&part.hot);
        }
    }
    all
}

/// The log evidence from all rounds of these runs together.
pub fn log_evidence(runs: &[&Evidence]) -> f64 {
    evidence_of(runs, |run| &run.blocks)
}

/// The log evidence from the second half of the rounds minus that from the first.
pub fn drift(runs: &[&Evidence]) -> f64 {
    let middle = |run: &Evidence| run.blocks.len() / 2;
    evidence_of(runs, |run| &run.blocks[middle(run)..]) - evidence_of(runs, |run| &run.blocks[..middle(run)])
}

fn evidence_of(runs: &[&Evidence], blocks: impl Fn(&Evidence) -> &[Vec<Bridge>]) -> f64 {
    let n_pairs = runs.first().map_or(0, |run| run.n_pairs);
    let bridges = joined(n_pairs, runs.iter().flat_map(|run| blocks(run)));
    bridges.iter().map(|bridge| bridge.hot.value() - bridge.cold.value()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean_of(values: &[f64]) -> LogMeanExp {
        let mut mean = LogMeanExp::new();
        values.iter().for_each(|&x| mean.add(x));
        mean
    }

    #[test]
    fn log_means_agree_with_the_formula_and_can_be_joined() {
        let values = [-1000.0, -999.0, -1003.0, -998.5, -1010.0];
        let expected = values.iter().map(|x: &f64| (x + 1000.0).exp()).sum::<f64>().ln() - 1000.0 - 5f64.ln();
        assert!((mean_of(&values).value() - expected).abs() < 1e-10);
        for first in 0..5 {
            let mut both = mean_of(&values[..first]);
            both.join(&mean_of(&values[first..]));
            assert!((both.value() - expected).abs() < 1e-10);
        }
    }

    #[test]
    fn lists_that_are_not_admissible_count_as_0() {
        let none = f64::NEG_INFINITY;
        let expected = mean_of(&[-3.0, -2.0]).value() - 2f64.ln();
        for values in [[none, -3.0, none, -2.0], [-3.0, -2.0, none, none]] {
            assert!((mean_of(&values).value() - expected).abs() < 1e-12);
            let mut both = mean_of(&values[..1]);
            both.join(&mean_of(&values[1..]));
            assert!((both.value() - expected).abs() < 1e-12);
        }
        let mut both = mean_of(&[none]);
        both.join(&mean_of(&[none]));
        assert_eq!((both.value(), both.n), (none, 2));
    }

    /// Log likelihoods of round `round` at three temperatures: any numbers.
    fn round(round: u64) -> [f64; 3] {
        [0, 1, 2].map(|k| -50.0 - ((round * 37 + k * 11) % 17) as f64)
    }

    const BETAS: [f64; 3] = [1.0, 0.3, 0.0];

    /// The formula at the top of this file, from all values at once. The prior has a new draw in every other round.
    fn by_formula(rounds: std::ops::Range<u64>) -> f64 {
        let log_mean = |values: Vec<f64>| {
            (values.iter().map(|x| (x - values[0]).exp()).sum::<f64>() / values.len() as f64).ln() + values[0]
        };
        let at = |k: usize, factor: f64, every: usize| -> Vec<f64> {
            rounds.clone().step_by(every).map(|i| factor * round(i)[k] / 2.0).collect()
        };
        log_mean(at(1, 0.7, 1)) - log_mean(at(0, -0.7, 1)) + log_mean(at(2, 0.3, 2))
            - log_mean(at(1, -0.3, 1))
    }

    #[test]
    fn blocks_of_any_number_of_rounds_give_the_formula() {
        for n_rounds in [2, 31, 32, 33, 64, 65, 1000] {
            let mut evidence = Evidence::new(2);
            (0..n_rounds).for_each(|i| evidence.add(&BETAS, round(i).into_iter(), i % 2 == 0));
            assert!(evidence.blocks.len() <= MOST_BLOCKS);
            let found = log_evidence(&[&evidence]);
            assert!((found - by_formula(0..n_rounds)).abs() < 1e-9, "{n_rounds}: {found}");
            // the same run twice is no more
            assert!((log_evidence(&[&evidence, &evidence]) - found).abs() < 1e-9);
        }
    }

    #[test]
    fn drift_is_the_second_half_minus_the_first() {
        let mut evidence = Evidence::new(2);
        (0..64).for_each(|i| evidence.add(&BETAS, round(i).into_iter(), i % 2 == 0));
        let expected = by_formula(32..64) - by_formula(0..32);
        assert!((drift(&[&evidence]) - expected).abs() < 1e-9);
    }
}
