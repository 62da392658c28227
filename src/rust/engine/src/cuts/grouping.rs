//! Groups of levels by the partition with the highest posterior probability (Boullé's MODL for grouping values, 2005).
//!
//! A partition of V levels into G groups with class counts n_g has the log posterior, up to a constant,
//!
//! ```text
//! score = Σ_g log f(n_g) − log B(V, G),
//! ```
//!
//! where f is the marginal likelihood of class counts under a uniform prior of the class probabilities, as for cut points, and
//! B(V, G) is the number of partitions of V levels into at most G groups: the number of groups is as likely as any other, and
//! then each of these partitions is.
//!
//! 1. At most `EXACT_LEVELS` levels: best[G][M] = max over the subsets S of M that contain its first level of
//!    log f(S) + best[G − 1][M ∖ S]. The answer is exact.
//! 2. More levels: start with each level on its own and merge the two groups that lose least, down to one group. From the best
//!    partition on this way, levels move between groups and groups merge as long as that helps.

use super::modl::log_f;
use super::partition::{add, merge_down, MIN_GAIN};
use crate::control::Control;
use crate::error::Error;

/// Most levels for which all partitions are compared.
const EXACT_LEVELS: usize = 10;

/// Most rounds in which each level may move once.
const MAX_ROUNDS: usize = 20;

/// The group of each level, from 0 in the order of the first level of each. `counts`: the class counts of each level.
pub fn group_levels(counts: &[Vec<f64>], control: &Control) -> Result<Vec<usize>, Error> {
    if counts.is_empty() {
        return Ok(Vec::new());
    }
    let prices = log_n_partitions(counts.len());
    if counts.len() <= EXACT_LEVELS {
        return Ok(numbered(&best_partition(counts, &prices)));
    }
    let mut partition = merge_down(counts, &prices, control)?;
    for _ in 0..MAX_ROUNDS {
        control.check_unfinished()?;
        if !partition.move_levels(counts, &prices) & !partition.merge_two(&prices) {
            break;
        }
    }
    Ok(numbered(&partition.group))
}

/// log B(V, G) for G from 0 to V; the first is of no use.
fn log_n_partitions(n_levels: usize) -> Vec<f64> {
    // the logs of the Stirling numbers of the second kind, row by row
    let mut stirling = vec![f64::NEG_INFINITY; n_levels + 1];
    stirling[0] = 0.0;
    for _ in 0..n_levels {
        for groups in (1..=n_levels).rev() {
            stirling[groups] = log_add(stirling[groups] + (groups as f64).ln(), stirling[groups - 1]);
        }
        stirling[0] = f64::NEG_INFINITY;
    }
    let mut sum = f64::NEG_INFINITY;
    stirling
        .iter()
        .map(|&log_n| {
            sum = log_add(sum, log_n);
            sum
        })
        .collect()
}

/// log(exp(a) + exp(b)).
fn log_add(a: f64, b: f64) -> f64 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    if low == f64::NEG_INFINITY {
        return high;
    }
    high + (low - high).exp().ln_1p()
}

/// Groups numbered in the order of their first levels.
fn numbered(group: &[usize]) -> Vec<usize> {
    let mut seen = Vec::new();
    let mut number = |group: &usize| match seen.iter().position(|other| other == group) {
        Some(number) => number,
        None => {
            seen.push(*group);
            seen.len() - 1
        }
    };
    group.iter().map(&mut number).collect()
}

/// The group of each level in the best of all partitions. Sets of levels are bits.
fn best_partition(counts: &[Vec<f64>], prices: &[f64]) -> Vec<usize> {
    let (n, n_sets) = (counts.len(), 1usize << counts.len());
    let one_group: Vec<f64> = (0..n_sets)
        .map(|set| {
            let mut sum = vec![0.0; counts[0].len()];
            (0..n).filter(|level| set >> level & 1 == 1).for_each(|level| add(&mut sum, &counts[level], 1.0));
            log_f(&sum)
        })
        .collect();
    let mut best = one_group.clone();
    let mut firsts: Vec<Vec<usize>> = Vec::new();
    let (mut n_groups, mut highest) = (1, best[n_sets - 1] - prices[1]);
    for (groups, price) in prices.iter().enumerate().skip(2) {
        let mut next = vec![f64::NEG_INFINITY; n_sets];
        let mut first = vec![0; n_sets];
        for set in 1..n_sets {
            let lowest = set & set.wrapping_neg();
            let others = set ^ lowest;
            // the subsets of the other levels, all of them excepted, join the first level
            let mut joined = others;
            while joined > 0 {
                joined = (joined - 1) & others;
                let score = one_group[joined | lowest] + best[others ^ joined];
                if score > next[set] {
                    (next[set], first[set]) = (score, joined | lowest);
                }
            }
        }
        let score = next[n_sets - 1] - price;
        if score > highest + MIN_GAIN {
            (n_groups, highest) = (groups, score);
        }
        best = next;
        firsts.push(first);
    }
    let mut group = vec![0; n];
    let mut left = n_sets - 1;
    for (number, first) in firsts[..n_groups - 1].iter().rev().enumerate() {
        let members = first[left];
        (0..n).filter(|level| members >> level & 1 == 1).for_each(|level| group[level] = number + 1);
        left ^= members;
    }
    group
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::ChainRng;

    /// The number of partitions into at most `groups` groups, by the formula for Stirling numbers.
    fn n_partitions(n: u32, groups: u32) -> f64 {
        let choose = |n: u32, k: u32| (1..=k).map(|i| f64::from(n + 1 - i) / f64::from(i)).product::<f64>();
        let stirling = |k: u32| {
            let sum: f64 = (0..=k)
                .map(|j| (-1f64).powi((k - j) as i32) * choose(k, j) * f64::from(j).powi(n as i32))
                .sum();
            sum / (1..=k).map(f64::from).product::<f64>()
        };
        (1..=groups).map(stirling).sum()
    }

    /// The score of a partition, from its definition.
    fn score(counts: &[Vec<f64>], group: &[usize]) -> f64 {
        let n_groups = group.iter().max().unwrap() + 1;
        let log_f_of = |number| {
            let mut sum = vec![0.0; counts[0].len()];
            let members = counts.iter().zip(group).filter(|(_, group)| **group == number);
            members.for_each(|(counts, _)| add(&mut sum, counts, 1.0));
            log_f(&sum)
        };
        let price = n_partitions(counts.len() as u32, n_groups as u32).ln();
        (0..n_groups).map(log_f_of).sum::<f64>() - price
    }

    /// Every partition: each level joins an earlier group or begins the next one.
    fn partitions(n: usize) -> Vec<Vec<usize>> {
        let mut all = vec![Vec::new()];
        for _ in 0..n {
            let longer = |group: &Vec<usize>| {
                let next = group.iter().max().map_or(0, |last| last + 1);
                let group = group.clone();
                (0..=next).map(move |number| [&group[..], &[number]].concat())
            };
            all = all.iter().flat_map(longer).collect();
        }
        all
    }

    /// Class counts of levels of a few kinds; every other time they are sums of weights.
    fn random_counts(rng: &mut ChainRng, n_levels: usize) -> Vec<Vec<f64>> {
        let n_classes = 2 + rng.below(2);
        let has_weights = rng.below(2) == 0;
        (0..n_levels)
            .map(|_| {
                let (kind, n) = (rng.below(3), 1 + rng.below(40));
                let mut counts = vec![0.0; n_classes];
                for _ in 0..n {
                    let class = if rng.below(4) > 0 { kind % n_classes } else { rng.below(n_classes) };
                    counts[class] += if has_weights { 0.25 * (1 + rng.below(9)) as f64 } else { 1.0 };
                }
                counts
            })
            .collect()
    }

    #[test]
    fn the_grouping_of_few_levels_is_the_best_of_all() {
        let mut n_grouped = 0;
        for seed in 0..60 {
            let mut rng = ChainRng::new(seed, 35);
            let n_levels = if seed % 10 == 0 { 8 } else { 1 + rng.below(7) };
            let counts = random_counts(&mut rng, n_levels);
            let found = group_levels(&counts, &Control::default()).unwrap();
            let best = partitions(n_levels)
                .iter()
                .map(|group| score(&counts, group))
                .fold(f64::NEG_INFINITY, f64::max);
            let own = score(&counts, &found);
            assert!((own - best).abs() < 1e-8, "seed {seed}: {own} {best} {found:?}");
            n_grouped += usize::from(found.iter().max() > Some(&0));
        }
        assert!(n_grouped > 30);
    }

    #[test]
    fn merging_and_moving_levels_nearly_always_finds_the_best_grouping() {
        let mut n_best = 0;
        for seed in 0..100 {
            let mut rng = ChainRng::new(seed, 36);
            let n_levels = 2 + rng.below(9);
            let counts = random_counts(&mut rng, n_levels);
            let prices = log_n_partitions(counts.len());
            let mut partition = merge_down(&counts, &prices, &Control::default()).unwrap();
            while partition.move_levels(&counts, &prices) | partition.merge_two(&prices) {}
            let (own, best) = (score(&counts, &numbered(&partition.group)), {
                score(&counts, &numbered(&best_partition(&counts, &prices)))
            });
            assert!((partition.score(&prices) - own).abs() < 1e-8 && own < best + 1e-8, "seed {seed}");
            n_best += usize::from(own > best - 1e-8);
        }
        assert!(n_best >= 95, "{n_best}");
    }

    #[test]
    fn many_levels_of_three_kinds_are_three_groups() {
        let kinds = [[90.0, 10.0], [50.0, 50.0], [10.0, 90.0]];
        let counts: Vec<Vec<f64>> = (0..300).map(|level| kinds[level % 3].to_vec()).collect();
        let found = group_levels(&counts, &Control::default()).unwrap();
        assert!(found.iter().enumerate().all(|(level, &group)| group == level % 3));
        let control = Control::default();
        control.cancel();
        assert_eq!(group_levels(&counts, &control), Err(Error::Cancelled));
    }
}
