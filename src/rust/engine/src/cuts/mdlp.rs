//! Cut points by Fayyad and Irani's minimum description length principle (MDLP).

use super::sorted::Sorted;
use crate::control::Control;
use crate::error::Error;
use std::ops::Range;

/// Values visited between two checks of the control.
const VALUES_PER_CHECK: usize = 1 << 14;

/// Weight, entropy in bits, and number of classes of a set of rows.
#[derive(Debug, Clone, Copy)]
struct Mix {
    weight: f64,
    entropy: f64,
    n_classes: f64,
}

fn mix(weights: &[f64]) -> Mix {
    let weight: f64 = weights.iter().sum();
    let mut entropy = 0.0;
    let mut n_classes = 0.0;
    for &part in weights.iter().filter(|&&part| part > 0.0) {
        entropy -= part / weight * (part / weight).log2();
        n_classes += 1.0;
    }
    Mix { weight, entropy, n_classes }
}

/// A range of values and its best split.
struct Split {
    from: usize,
    split: usize,
    to: usize,
    /// Class entropy saved, in bits, over all rows.
    saved: f64,
}

/// Split the range that saves most, then the next, until no split passes the criterion or there are `max_cuts` cuts. Returns
/// the first value of each part but the first.
pub fn mdlp(
    values: &Sorted,
    n_classes: usize,
    max_cuts: usize,
    control: &Control,
) -> Result<Vec<usize>, Error> {
    let split = |from: usize, to: usize| best_split(values, n_classes, from..to, control);
    let mut open: Vec<Split> = split(0, values.len())?.into_iter().collect();
    let mut starts = Vec::new();
    while starts.len() < max_cuts {
        let best = open
            .iter()
            .enumerate()
            .max_by(|(_, a), (_, b)| a.saved.total_cmp(&b.saved).then(b.from.cmp(&a.from)));
        let Some((index, _)) = best else { break };
        let found = open.swap_remove(index);
        starts.push(found.split);
        if starts.len() < max_cuts {
            open.extend(split(found.from, found.split)?);
            open.extend(split(found.split, found.to)?);
        }
    }
    starts.sort_unstable();
    Ok(starts)
}

/// The split of a range of values that lowers class entropy most, if it passes the minimum description length criterion.
fn best_split(
    values: &Sorted,
    n_classes: usize,
    range: Range<usize>,
    control: &Control,
) -> Result<Option<Split>, Error> {
    let Range { start: from, end: to } = range;
    let mut total = vec![0.0; n_classes];
    values.add_weights(from, to, &mut total);
    let all = mix(&total);
    let (mut low, mut high) = (vec![0.0; n_classes], vec![0.0; n_classes]);
    let mut best: Option<(f64, usize, Mix, Mix)> = None;
    for split in from + 1..to {
        if split % VALUES_PER_CHECK == 0 {
            control.check_unfinished()?;
        }
        values.add_weights(split - 1, split, &mut low);
        // the best split never separates two values whose rows are all of the same class
        if values.continues_pure(split) {
            continue;
        }
        for ((high, total), low) in high.iter_mut().zip(&total).zip(&low) {
            *high = total - low;
        }
        let (below, above) = (mix(&low), mix(&high));
        let rest = below.weight * below.entropy + above.weight * above.entropy;
        if best.map_or(true, |(lowest, ..)| rest < lowest) {
            best = Some((rest, split, below, above));
        }
    }
    let Some((rest, split, below, above)) = best else { return Ok(None) };
    let gain = all.entropy - rest / all.weight;
    let described = |part: Mix| part.n_classes * part.entropy;
    let delta =
        (3f64.powf(all.n_classes) - 2.0).log2() - (described(all) - described(below) - described(above));
    let passes = gain > ((all.weight - 1.0).max(0.0).log2().max(0.0) + delta) / all.weight;
    Ok(passes.then_some(Split { from, split, to, saved: gain * all.weight }))
}

#[cfg(test)]
mod tests {
    use super::super::digits::short_between;
    use super::*;
    use crate::column::Values;
    use crate::rng::ChainRng;

    /// Fayyad and Irani's recursion as published, on rows, without a limit.
    fn naive_mdlp(rows: &mut [(f64, u32)], n_classes: usize) -> Vec<f64> {
        let entropy = |rows: &[(f64, u32)]| {
            let mut counts = vec![0.0; n_classes];
            rows.iter().for_each(|row| counts[row.1 as usize] += 1.0);
            let n = rows.len() as f64;
            let parts = counts.iter().filter(|&&c| c > 0.0);
            let k = parts.clone().count() as f64;
            (-parts.map(|c| c / n * f64::log2(c / n)).sum::<f64>(), k)
        };
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        let n = rows.len() as f64;
        let (all, k) = entropy(rows);
        let mut best: Option<(f64, usize)> = None;
        for split in (1..rows.len()).filter(|&split| rows[split - 1].0 < rows[split].0) {
            let (low, high) = rows.split_at(split);
            let rest = (low.len() as f64 * entropy(low).0 + high.len() as f64 * entropy(high).0) / n;
            if best.map_or(true, |(lowest, _)| rest < lowest - 1e-12) {
                best = Some((rest, split));
            }
        }
        let Some((rest, split)) = best else { return Vec::new() };
        let cut = short_between(rows[split - 1].0, rows[split].0);
        let (low, high) = rows.split_at_mut(split);
        let ((low_e, low_k), (high_e, high_k)) = (entropy(low), entropy(high));
        let delta = (3f64.powf(k) - 2.0).log2() - (k * all - low_k * low_e - high_k * high_e);
        if all - rest <= ((n - 1.0).log2() + delta) / n {
            return Vec::new();
        }
        let mut cuts = naive_mdlp(low, n_classes);
        cuts.push(cut);
        cuts.extend(naive_mdlp(high, n_classes));
        cuts
    }

    #[test]
    fn mdlp_equals_the_recursion_on_rows() {
        let mut found_some = 0;
        for seed in 0..200 {
            let mut rng = ChainRng::new(seed, 7);
            let (n_classes, spread) = (2 + rng.below(3), 1 + rng.below(40));
            let n = 2 + rng.below(120);
            let values: Vec<f64> = (0..n).map(|_| rng.below(spread) as f64 / 4.0 - 3.0).collect();
            let labels: Vec<u32> = values
                .iter()
                .map(|x| {
                    if rng.below(4) == 0 {
                        rng.below(n_classes) as u32
                    } else {
                        (x.abs() as u32) % n_classes as u32
                    }
                })
                .collect();
            let control = Control::default();
            let sorted = Sorted::new(Values::Doubles(&values), &labels, None, &control).unwrap();
            let starts = mdlp(&sorted, n_classes, 1000, &control).unwrap();
            let cut = |start: usize| short_between(sorted.value(start - 1), sorted.value(start));
            let cuts: Vec<f64> = starts.into_iter().map(cut).collect();
            let mut rows: Vec<(f64, u32)> = values.iter().copied().zip(labels.iter().copied()).collect();
            assert_eq!(cuts, naive_mdlp(&mut rows, n_classes), "seed {seed}");
            found_some += usize::from(!cuts.is_empty());
        }
        assert!(found_some > 50);
    }

    #[test]
    fn the_search_for_splits_can_be_cancelled() {
        let values: Vec<f64> = (0..10 * VALUES_PER_CHECK).map(|i| i as f64).collect();
        let labels: Vec<u32> = (0..values.len() as u32).map(|i| i % 3 % 2).collect();
        let control = Control::default();
        let sorted = Sorted::new(Values::Doubles(&values), &labels, None, &control).unwrap();
        control.cancel();
        assert_eq!(mdlp(&sorted, 2, 9, &control), Err(Error::Cancelled));
    }
}
