//! The two theorems of the paper: the longest list that can be optimal, and the best score of any list with a prefix.

use crate::error::Error;
use crate::posterior::Posterior;
use statrs::function::factorial::ln_binomial;

/// Theorem 2: an upper bound of the log posterior of all lists that begin with a prefix. `lengths` are the antecedent lengths
/// of the prefix; `counts` has the class counts of each of its rules, then those of the rows it does not capture.
pub fn prefix_bound(posterior: &Posterior, lengths: &[usize], counts: &[u64], n_classes: usize) -> f64 {
    let (captured, left) = counts.split_at(lengths.len() * n_classes);
    let leaf = &posterior.leaf;
    let captured: f64 = captured.chunks_exact(n_classes).map(|row| leaf.log_marginal(row)).sum();
    let left = leaf.as_leaf().log_divided(left);
    let prior = &posterior.prior;
    prior.log_length(prior.most_probable_length(lengths.len()))
        + prior.log_rules(lengths.iter().copied())
        + captured
        + left
}

/// Longest list considered. Only a λ of this size allows longer ones.
const LENGTH_LIMIT: u64 = 100_000_000;

/// Theorem 1 in the paper's form: a MAP list over all conjunctions of `n_items` items has at most this many rules.
/// `log_marginal_all` is log f of all class counts together, the likelihood of the empty list.
pub fn max_length_paper(log_marginal_all: f64, lambda: f64, n_items: u64) -> Result<u64, Error> {
    let n_antecedents = if n_items < 63 { (1u64 << n_items) - 1 } else { u64::MAX };
    // b_1, b_2, …: count down from C(P, c) to 1, then again for C(P, P − c), for c = 0, 1, …; the first 1 is b_0, left out
    let sizes = (0..=n_items / 2).flat_map(|c| {
        let log_size = ln_binomial(n_items, c);
        let times = if 2 * c == n_items { 1 } else { 2 };
        std::iter::repeat(log_size).take(times)
    });
    max_length(log_marginal_all, lambda, n_antecedents, sizes.flat_map(log_countdown).skip(1))
}

/// Theorem 1 for a mined pool with `n_by_length[c]` antecedents of length `c`: the bound assumes that the lengths with fewest
/// antecedents are exhausted first. The paper's form assumes that all conjunctions are candidates; if some are missing, each
/// remaining one is more likely, and that form does not hold.
pub fn max_length_pool(log_marginal_all: f64, lambda: f64, n_by_length: &[u32]) -> Result<u64, Error> {
    let mut sizes: Vec<u32> = n_by_length.iter().copied().filter(|&n| n > 0).collect();
    sizes.sort_unstable();
    let pool_size = sizes.iter().map(|&n| u64::from(n)).sum();
    let logs = sizes.into_iter().flat_map(|n| (1..=n).rev().map(|left| f64::from(left).ln()));
    max_length(log_marginal_all, lambda, pool_size, logs)
}

/// log n, log(n − 1), …, log 1 for n = exp(log_n), which may overflow.
fn log_countdown(log_n: f64) -> Box<dyn Iterator<Item = f64>> {
    if log_n > 34.0 {
        // beyond 2^49 the steps are below the precision, and the end is out of reach
        return Box::new(std::iter::repeat(log_n));
    }
    let n = log_n.exp().round() as u64;
    Box::new((1..=n).rev().map(|left| (left as f64).ln()))
}

/// The largest m ≤ `limit` with λ^m / m! ≥ f(N) Π_{j ≤ m} b_j.
fn max_length(
    log_marginal_all: f64,
    lambda: f64,
    limit: u64,
    log_b: impl Iterator<Item = f64>,
) -> Result<u64, Error> {
    let mut slack = -log_marginal_all;
    let mut best = 0;
    for (m, log_b) in (1..=limit).zip(log_b) {
        if m > LENGTH_LIMIT {
            return Err(Error::Argument(format!(
                "`lambda` = {lambda} gives no useful bound: lists of {LENGTH_LIMIT} rules are within it."
            )));
        }
        slack += lambda.ln() - (m as f64).ln() - log_b;
        if slack >= 0.0 {
            best = m;
        } else if m as f64 > lambda {
            // from here on, each further rule lowers the slack
            break;
        }
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::leaf::{DirichletMultinomial, Leaf};

    fn log_marginal_all(counts: &[u64]) -> f64 {
        DirichletMultinomial::new(&[1.0, 1.0], counts, 1.0).log_marginal(counts)
    }

    #[test]
    fn the_examples_of_the_paper() {
        assert_eq!(max_length_paper(log_marginal_all(&[100, 100]), 3.0, 10), Ok(36));
        assert_eq!(max_length_paper(log_marginal_all(&[50, 50]), 3.0, 10), Ok(24));
    }

    #[test]
    fn a_list_has_no_more_rules_than_there_are_antecedents() {
        assert_eq!(max_length_paper(log_marginal_all(&[100, 100]), 100.0, 2), Ok(3));
        assert_eq!(max_length_pool(log_marginal_all(&[100, 100]), 100.0, &[0, 2, 3]), Ok(5));
        assert_eq!(max_length_pool(log_marginal_all(&[100, 100]), 100.0, &[]), Ok(0));
    }

    #[test]
    fn both_forms_agree_on_the_pool_of_all_conjunctions() {
        let all =
            |p: u64| (0..=p).map(move |c| if c == 0 { 0 } else { ln_binomial(p, c).exp().round() as u32 });
        for p in 1..8 {
            for counts in [[5, 7], [100, 100], [3, 400]] {
                let pool: Vec<u32> = all(p).collect();
                let log_marginal = log_marginal_all(&counts);
                assert_eq!(max_length_pool(log_marginal, 3.0, &pool), max_length_paper(log_marginal, 3.0, p));
            }
        }
    }

    #[test]
    fn extreme_arguments_give_a_bound_or_an_error() {
        assert!(max_length_paper(log_marginal_all(&[100, 100]), 1e-6, 5000).is_ok());
        assert!(max_length_paper(log_marginal_all(&[100, 100]), 1e6, 5000).is_ok());
        assert!(matches!(max_length_paper(-10.0, 1e300, 100), Err(Error::Argument(_))));
    }
}
