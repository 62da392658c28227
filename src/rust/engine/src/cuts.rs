//! Cut points of a number: where its values are best told apart.

mod digits;
mod sorted;

use crate::column::Values;
use crate::control::Control;
use crate::error::Error;
use digits::{short_between, short_near};
use sorted::Sorted;
use std::ops::Range;

/// Values that are looked at between two looks at the flags.
const PER_LOOK: usize = 1 << 14;

/// How cut points are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Fayyad and Irani: the cut that lowers class entropy most, as long as it pays for its description.
    Mdlp,
    /// The same; where it finds no cut, equal shares, so that pairs can still use the column.
    MdlpOrQuantile,
    /// Equal shares of the weight.
    Quantile,
    /// Equal steps of the value.
    Width,
}

/// What the values are told apart for.
#[derive(Debug, Clone, Copy)]
pub struct Target<'a> {
    /// The class of each row, from 0.
    pub labels: &'a [u32],
    pub n_classes: usize,
    pub weights: Option<&'a [f64]>,
}

/// A column in which the classes show no cut is cut into at most this many parts.
const FALLBACK_BINS: usize = 4;

/// Cut points of `values`, rising, at most `bins − 1` of them. A cut `c` parts the values below `c` from the others, and has as
/// few digits as part the observed values the same way. Missing values are left out.
pub fn cut_points<'a>(
    values: impl Into<Values<'a>>,
    target: &Target,
    method: Method,
    bins: usize,
    control: &Control,
) -> Result<Vec<f64>, Error> {
    let (values, &Target { labels, n_classes, weights }) = (values.into(), target);
    if labels.len() != values.len() || weights.is_some_and(|w| w.len() != values.len()) {
        return Err(Error::Data("Values, labels and weights differ in number.".into()));
    }
    if labels.len() > u32::MAX as usize {
        return Err(Error::Data(format!("{} rows are more than the engine takes.", labels.len())));
    }
    if labels.iter().any(|&label| label as usize >= n_classes) {
        return Err(Error::Data("A label is not one of the classes.".into()));
    }
    let values = Sorted::new(values, labels, weights, control)?;
    let starts = match method {
        _ if values.len() < 2 || bins < 2 => Vec::new(),
        Method::Mdlp => mdlp(&values, n_classes, bins - 1, control)?,
        Method::MdlpOrQuantile => {
            let starts = mdlp(&values, n_classes, bins - 1, control)?;
            if starts.is_empty() {
                quantiles(&values, bins.min(FALLBACK_BINS))
            } else {
                starts
            }
        }
        Method::Quantile => quantiles(&values, bins),
        Method::Width => return Ok(equal_width(values.values(), bins)),
    };
    Ok(starts.into_iter().map(|start| short_between(values.value(start - 1), values.value(start))).collect())
}

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

/// A stretch of values with the best place to part it, if parting pays.
struct Split {
    from: usize,
    at: usize,
    to: usize,
    /// Bits of class entropy saved over all rows.
    saved: f64,
}

/// Part the stretch that saves most, then the next, until nothing pays or there are `most` cuts. Gives the first value
/// of each part but the first.
fn mdlp(values: &Sorted, n_classes: usize, most: usize, control: &Control) -> Result<Vec<usize>, Error> {
    let split = |from: usize, to: usize| best_split(values, n_classes, from..to, control);
    let mut open: Vec<Split> = split(0, values.len())?.into_iter().collect();
    let mut starts = Vec::new();
    while starts.len() < most {
        let best = open
            .iter()
            .enumerate()
            .max_by(|(_, a), (_, b)| a.saved.total_cmp(&b.saved).then(b.from.cmp(&a.from)));
        let Some((index, _)) = best else { break };
        let found = open.swap_remove(index);
        starts.push(found.at);
        if starts.len() < most {
            open.extend(split(found.from, found.at)?);
            open.extend(split(found.at, found.to)?);
        }
    }
    starts.sort_unstable();
    Ok(starts)
}

/// The cut of a stretch of values that lowers class entropy most, if it passes the criterion of minimum description length.
fn best_split(
    values: &Sorted,
    n_classes: usize,
    stretch: Range<usize>,
    control: &Control,
) -> Result<Option<Split>, Error> {
    let Range { start: from, end: to } = stretch;
    let mut total = vec![0.0; n_classes];
    values.add_weights(from, to, &mut total);
    let all = mix(&total);
    let (mut low, mut high) = (vec![0.0; n_classes], vec![0.0; n_classes]);
    let mut best: Option<(f64, usize, Mix, Mix)> = None;
    for at in from + 1..to {
        if at % PER_LOOK == 0 {
            control.check_unfinished()?;
        }
        values.add_weights(at - 1, at, &mut low);
        // a best cut never lies between two values that are pure in the same class
        if values.continues_pure(at) {
            continue;
        }
        for ((high, total), low) in high.iter_mut().zip(&total).zip(&low) {
            *high = total - low;
        }
        let (below, above) = (mix(&low), mix(&high));
        let rest = below.weight * below.entropy + above.weight * above.entropy;
        if best.map_or(true, |(least, ..)| rest < least) {
            best = Some((rest, at, below, above));
        }
    }
    let Some((rest, at, below, above)) = best else { return Ok(None) };
    let gain = all.entropy - rest / all.weight;
    let described = |part: Mix| part.n_classes * part.entropy;
    let delta =
        (3f64.powf(all.n_classes) - 2.0).log2() - (described(all) - described(below) - described(above));
    let pays = gain > ((all.weight - 1.0).max(0.0).log2().max(0.0) + delta) / all.weight;
    Ok(pays.then_some(Split { from, at, to, saved: gain * all.weight }))
}

/// Where the weight below first reaches 1/bins, 2/bins, … of all of it.
fn quantiles(values: &Sorted, bins: usize) -> Vec<usize> {
    let total: f64 = (0..values.len()).map(|index| values.weight(index)).sum();
    let mut starts = Vec::new();
    let mut below = 0.0;
    let mut next = 1;
    for index in 0..values.len() - 1 {
        below += values.weight(index);
        let reached = next;
        while next < bins && below * bins as f64 >= total * next as f64 * (1.0 - 1e-12) {
            next += 1;
        }
        if next > reached {
            starts.push(index + 1);
        }
    }
    starts
}

/// Equal steps between the least and the greatest finite value.
fn equal_width(values: &[f64], bins: usize) -> Vec<f64> {
    let mut finite = values.iter().copied().filter(|at| at.is_finite());
    let Some(low) = finite.next() else { return Vec::new() };
    let high = finite.next_back().unwrap_or(low);
    let step = (high / bins as f64) - (low / bins as f64);
    let mut cuts: Vec<f64> = (1..bins).map(|k| short_near(low + step * k as f64, step)).collect();
    cuts.retain(|&cut| low < cut && cut <= high);
    cuts.dedup();
    cuts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::ChainRng;

    fn cut_points(
        values: &[f64],
        labels: &[u32],
        weights: Option<&[f64]>,
        n_classes: usize,
        method: Method,
        bins: usize,
    ) -> Result<Vec<f64>, Error> {
        let target = Target { labels, n_classes, weights };
        super::cut_points(values, &target, method, bins, &Control::default())
    }

    /// Fayyad and Irani's recursion word by word, on rows, without a cap.
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
        for at in (1..rows.len()).filter(|&at| rows[at - 1].0 < rows[at].0) {
            let (low, high) = rows.split_at(at);
            let rest = (low.len() as f64 * entropy(low).0 + high.len() as f64 * entropy(high).0) / n;
            if best.map_or(true, |(least, _)| rest < least - 1e-12) {
                best = Some((rest, at));
            }
        }
        let Some((rest, at)) = best else { return Vec::new() };
        let cut = short_between(rows[at - 1].0, rows[at].0);
        let (low, high) = rows.split_at_mut(at);
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
            let cuts = cut_points(&values[..], &labels, None, n_classes, Method::Mdlp, 1000).unwrap();
            let mut rows: Vec<(f64, u32)> = values.iter().copied().zip(labels.iter().copied()).collect();
            assert_eq!(cuts, naive_mdlp(&mut rows, n_classes), "seed {seed}");
            found_some += usize::from(!cuts.is_empty());
        }
        assert!(found_some > 50);
    }

    #[test]
    fn weights_are_repetitions() {
        let mut rng = ChainRng::new(1, 8);
        let values: Vec<f64> = (0..60).map(|_| rng.below(30) as f64).collect();
        let labels: Vec<u32> =
            values.iter().map(|x| u32::from(*x > 11.0) ^ u32::from(rng.below(5) == 0)).collect();
        let weights: Vec<f64> = (0..60).map(|_| rng.below(4) as f64 + 1.0).collect();
        let times = |x: usize| weights[x] as usize;
        let many = |v: &[f64]| (0..60).flat_map(|i| vec![v[i]; times(i)]).collect::<Vec<f64>>();
        let many_labels: Vec<u32> = (0..60).flat_map(|i| vec![labels[i]; times(i)]).collect();
        for method in [Method::Mdlp, Method::Quantile, Method::Width] {
            let weighted = cut_points(&values[..], &labels, Some(&weights), 2, method, 5).unwrap();
            let repeated = cut_points(&many(&values)[..], &many_labels, None, 2, method, 5).unwrap();
            assert_eq!(weighted, repeated);
            assert!(!weighted.is_empty());
        }
    }

    #[test]
    fn the_cap_keeps_the_cuts_that_save_most() {
        let values: Vec<f64> = (0..400).map(f64::from).collect();
        let labels: Vec<u32> = (0..400).map(|i| [0, 1, 0, 1][i / 100]).collect();
        let cuts = |bins| cut_points(&values[..], &labels, None, 2, Method::Mdlp, bins).unwrap();
        assert_eq!(cuts(100).len(), 3);
        assert_eq!(cuts(3).len(), 2);
        assert!(cuts(3).iter().all(|cut| cuts(100).contains(cut)));
        assert!(cuts(1).is_empty());
    }

    #[test]
    fn quantiles_stand_in_where_no_cut_pays() {
        let values: Vec<f64> = (0..400).map(f64::from).collect();
        let cuts =
            |labels: &[u32], method, bins| cut_points(&values[..], labels, None, 2, method, bins).unwrap();
        let noise: Vec<u32> = (0..400).map(|i| i % 2).collect();
        assert!(cuts(&noise, Method::Mdlp, 9).is_empty());
        assert_eq!(cuts(&noise, Method::MdlpOrQuantile, 9), cuts(&noise, Method::Quantile, FALLBACK_BINS));
        assert_eq!(cuts(&noise, Method::MdlpOrQuantile, 3), cuts(&noise, Method::Quantile, 3));
        let telling: Vec<u32> = (0..400).map(|i| u32::from(i > 77)).collect();
        assert_eq!(cuts(&telling, Method::MdlpOrQuantile, 9), cuts(&telling, Method::Mdlp, 9));
    }

    #[test]
    fn odd_values_are_fine() {
        let cut = |values: &[f64], method| {
            let labels: Vec<u32> = (0..values.len() as u32).map(|i| i % 2).collect();
            cut_points(values, &labels, None, 2, method, 4).unwrap()
        };
        for method in [Method::Mdlp, Method::Quantile, Method::Width] {
            assert!(cut(&[], method).is_empty());
            assert!(cut(&[f64::NAN, f64::NAN], method).is_empty());
            assert!(cut(&[1.0, 1.0, 1.0], method).is_empty());
            assert!(cut(&[-0.0, 0.0, -0.0, 0.0], method).is_empty());
            let wild = [f64::INFINITY, f64::NEG_INFINITY, f64::MAX, -f64::MAX, 0.0, 1e-300];
            assert!(cut(&wild, method).windows(2).all(|pair| pair[0] < pair[1]));
        }
        assert_eq!(cut(&[1.0, 2.0, 3.0, 4.0], Method::Quantile).len(), 3);
        assert_eq!(cut(&[0.0, 10.0], Method::Width), [2.5, 5.0, 7.5]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert!(cut_points(&[1.0][..], &[], None, 2, Method::Mdlp, 4).is_err());
        assert!(cut_points(&[1.0][..], &[2], None, 2, Method::Mdlp, 4).is_err());
        assert!(cut_points(&[1.0][..], &[0], Some(&[]), 2, Method::Mdlp, 4).is_err());
    }

    #[test]
    fn a_flag_ends_it() {
        let values: Vec<f64> = (0..10 * PER_LOOK).map(|i| i as f64).collect();
        let labels: Vec<u32> = (0..values.len() as u32).map(|i| i % 3 % 2).collect();
        let control = Control::default();
        let sorted = Sorted::new(Values::Doubles(&values), &labels, None, &control).unwrap();
        control.cancel();
        assert_eq!(mdlp(&sorted, 2, 9, &control), Err(Error::Cancelled));
        let target = Target { labels: &labels, n_classes: 2, weights: None };
        let cut = super::cut_points(&values[..], &target, Method::Width, 4, &control);
        assert_eq!(cut, Err(Error::Cancelled));
    }
}
