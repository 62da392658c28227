//! Cut points of numeric features.

mod digits;
mod mdlp;
mod modl;
mod sorted;

use crate::column::Values;
use crate::control::Control;
use crate::error::Error;
use crate::memory;
use digits::{short_between, short_near};
use mdlp::mdlp;
use modl::modl;
use sorted::Sorted;

/// How cut points are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Fayyad and Irani: split where class entropy falls most, as long as the description length decreases.
    #[cfg(any(test, feature = "naive"))]
    Mdlp,
    /// The same, or quantiles if it finds no cut, so that antecedents of several items can still use the feature.
    MdlpOrQuantile,
    /// Boullé: the partition with the highest posterior probability, whose heavy intervals are then halved; or quantiles in the
    /// same way.
    ModlOrQuantile,
    /// Bins of equal weight.
    Quantile,
    /// Bins of equal width.
    Width,
}

/// The classes that cut points should separate.
#[derive(Debug, Clone, Copy)]
pub struct Target<'a> {
    /// The class of each row, from 0.
    pub labels: &'a [u32],
    /// Number of classes.
    pub n_classes: usize,
    /// The weight of each row; `None` if each counts one.
    pub weights: Option<&'a [f64]>,
}

/// Most quantile bins of a column in which no cut pays.
const FALLBACK_BINS: usize = 4;

/// At most `bins − 1` cut points of `values`, increasing. A cut `c` separates the values below `c` from the others and is
/// rounded as far as it still separates the same observed values. Missing values are left out.
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
        #[cfg(any(test, feature = "naive"))]
        Method::Mdlp => mdlp(&values, n_classes, bins - 1, control)?,
        Method::MdlpOrQuantile => or_quantiles(mdlp(&values, n_classes, bins - 1, control)?, &values, bins),
        Method::ModlOrQuantile => {
            let starts = modl(&values, n_classes, bins - 1, control)?;
            or_quantiles(halved(starts, &values, bins)?, &values, bins)
        }
        Method::Quantile => quantiles(&values, bins),
        Method::Width => return Ok(equal_width(values.values(), bins)),
    };
    Ok(starts.into_iter().map(|start| short_between(values.value(start - 1), values.value(start))).collect())
}

/// Least weight of both halves of an interval.
const LEAST_HALF: f64 = 100.0;

/// Halve the heaviest interval that can be halved until there are `bins` intervals. A feature may matter only together with
/// another one, where its own classes show no cut; so many rows deserve finer intervals than the classes ask for.
fn halved(mut starts: Vec<usize>, values: &Sorted, bins: usize) -> Result<Vec<usize>, Error> {
    let mut below = memory::with_capacity(values.len() + 1)?;
    below.push(0.0);
    let mut sum = 0.0;
    for index in 0..values.len() {
        sum += values.weight(index);
        below.push(sum);
    }
    while starts.len() + 1 < bins {
        let ends = [&[0], &starts[..], &[values.len()]].concat();
        let halves = ends.windows(2).filter_map(|pair| {
            Some((below[pair[1]] - below[pair[0]], half(&below, pair[0], pair[1])?))
        });
        // of equally heavy intervals the first
        let heaviest = halves.fold(None, |best: Option<(f64, usize)>, one| match best {
            Some(best) if best.0 >= one.0 => Some(best),
            _ => Some(one),
        });
        let Some((_, start)) = heaviest else { break };
        starts.insert(starts.partition_point(|&other| other < start), start);
    }
    Ok(starts)
}

/// The place between two values that divides the interval `from..to` most evenly, if both halves are heavy enough. `below` has
/// the weight of all values before each.
fn half(below: &[f64], from: usize, to: usize) -> Option<usize> {
    let middle = (below[from] + below[to]) / 2.0;
    let after = from + below[from..to].partition_point(|&weight| weight < middle);
    let lighter = |place: usize| (below[place] - below[from]).min(below[to] - below[place]);
    let places = [after.saturating_sub(1), after].into_iter().filter(|&place| from < place && place < to);
    let best = places.fold(None, |best: Option<usize>, place| match best {
        Some(best) if lighter(best) >= lighter(place) => Some(best),
        _ => Some(place),
    });
    best.filter(|&place| lighter(place) >= LEAST_HALF)
}

/// The first values of the parts, or those of quantiles if there is one part only.
fn or_quantiles(starts: Vec<usize>, values: &Sorted, bins: usize) -> Vec<usize> {
    if starts.is_empty() {
        quantiles(values, bins.min(FALLBACK_BINS))
    } else {
        starts
    }
}

/// First values of the parts: where the weight below first reaches 1/bins, 2/bins, … of the total.
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

/// Cuts at equal distances between the smallest and the largest finite value.
fn equal_width(values: &[f64], bins: usize) -> Vec<f64> {
    let mut finite = values.iter().copied().filter(|value| value.is_finite());
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

    #[test]
    fn a_weight_counts_as_repeated_rows() {
        let mut rng = ChainRng::new(1, 8);
        let values: Vec<f64> = (0..60).map(|_| rng.below(30) as f64).collect();
        let labels: Vec<u32> =
            values.iter().map(|x| u32::from(*x > 11.0) ^ u32::from(rng.below(5) == 0)).collect();
        let weights: Vec<f64> = (0..60).map(|_| rng.below(4) as f64 + 1.0).collect();
        let times = |x: usize| weights[x] as usize;
        let many = |v: &[f64]| (0..60).flat_map(|i| vec![v[i]; times(i)]).collect::<Vec<f64>>();
        let many_labels: Vec<u32> = (0..60).flat_map(|i| vec![labels[i]; times(i)]).collect();
        for method in [Method::Mdlp, Method::ModlOrQuantile, Method::Quantile, Method::Width] {
            let weighted = cut_points(&values[..], &labels, Some(&weights), 2, method, 5).unwrap();
            let repeated = cut_points(&many(&values)[..], &many_labels, None, 2, method, 5).unwrap();
            assert_eq!(weighted, repeated);
            assert!(!weighted.is_empty());
        }
    }

    #[test]
    fn the_limit_keeps_the_most_informative_cuts() {
        let values: Vec<f64> = (0..400).map(f64::from).collect();
        let labels: Vec<u32> = (0..400).map(|i| [0, 1, 0, 1][i / 100]).collect();
        let cuts = |bins| cut_points(&values[..], &labels, None, 2, Method::Mdlp, bins).unwrap();
        assert_eq!(cuts(100).len(), 3);
        assert_eq!(cuts(3).len(), 2);
        assert!(cuts(3).iter().all(|cut| cuts(100).contains(cut)));
        assert!(cuts(1).is_empty());
    }

    #[test]
    fn quantiles_are_used_if_mdlp_finds_no_cut() {
        let values: Vec<f64> = (0..400).map(f64::from).collect();
        let cuts =
            |labels: &[u32], method, bins| cut_points(&values[..], labels, None, 2, method, bins).unwrap();
        let noise: Vec<u32> = (0..400).map(|i| i % 2).collect();
        assert!(cuts(&noise, Method::Mdlp, 9).is_empty());
        assert_eq!(cuts(&noise, Method::MdlpOrQuantile, 9), cuts(&noise, Method::Quantile, FALLBACK_BINS));
        assert_eq!(cuts(&noise, Method::MdlpOrQuantile, 3), cuts(&noise, Method::Quantile, 3));
        let informative: Vec<u32> = (0..400).map(|i| u32::from(i > 77)).collect();
        assert_eq!(cuts(&informative, Method::MdlpOrQuantile, 9), cuts(&informative, Method::Mdlp, 9));
    }

    /// The place of the most even division of the heaviest interval that has one, by trying all places.
    fn naive_halving(weights: &[f64], starts: &[usize]) -> Option<usize> {
        let weigh = |from: usize, to: usize| weights[from..to].iter().sum::<f64>();
        let ends = [&[0], starts, &[weights.len()]].concat();
        let mut best: Option<(f64, f64, usize)> = None;
        for pair in ends.windows(2) {
            for place in pair[0] + 1..pair[1] {
                let lighter = weigh(pair[0], place).min(weigh(place, pair[1]));
                let found = (weigh(pair[0], pair[1]), lighter, place);
                if lighter >= LEAST_HALF && best.map_or(true, |best| (found.0, found.1) > (best.0, best.1)) {
                    best = Some(found);
                }
            }
        }
        best.map(|best| best.2)
    }

    #[test]
    fn heavy_intervals_are_halved() {
        let mut n_halved = 0;
        for seed in 0..60 {
            let mut rng = ChainRng::new(seed, 4);
            let n = 100 + rng.below(1500);
            let spread = 3 + rng.below(400);
            let values: Vec<f64> = (0..n).map(|_| (rng.below(spread) * rng.below(spread)) as f64).collect();
            let labels: Vec<u32> = (0..n).map(|_| rng.below(2) as u32).collect();
            let sorted = Sorted::new((&values[..]).into(), &labels, None, &Control::default()).unwrap();
            let weights: Vec<f64> = (0..sorted.len()).map(|index| sorted.weight(index)).collect();
            let starts = if rng.below(2) == 0 { Vec::new() } else { vec![1 + rng.below(sorted.len() - 1)] };
            for bins in starts.len() + 1..9 {
                let found = halved(starts.clone(), &sorted, bins).unwrap();
                let mut expected = starts.clone();
                while let Some(place) = naive_halving(&weights, &expected).filter(|_| expected.len() + 1 < bins) {
                    expected.push(place);
                    expected.sort_unstable();
                    n_halved += 1;
                }
                assert_eq!(found, expected, "seed {seed}, {bins} bins");
            }
        }
        assert!(n_halved > 100);
    }

    #[test]
    fn a_feature_that_matters_only_in_a_pair_is_cut_finely_where_rows_are_many() {
        let values: Vec<f64> = (0..4000).map(f64::from).collect();
        let noise: Vec<u32> = (0..4000).map(|i| i % 2).collect();
        let cuts =
            |n: usize, bins| cut_points(&values[..n], &noise[..n], None, 2, Method::ModlOrQuantile, bins).unwrap();
        assert_eq!(cuts(4000, 8), [500.0, 1000.0, 1500.0, 2000.0, 2500.0, 3000.0, 3500.0]);
        assert_eq!(cuts(450, 8).len(), 3);
        assert_eq!(cuts(150, 8).len(), FALLBACK_BINS - 1);
        assert_eq!(cuts(4000, 3), [1000.0, 2000.0]);
    }

    #[test]
    fn constant_missing_and_infinite_values_are_accepted() {
        let cut = |values: &[f64], method| {
            let labels: Vec<u32> = (0..values.len() as u32).map(|i| i % 2).collect();
            cut_points(values, &labels, None, 2, method, 4).unwrap()
        };
        for method in [Method::Mdlp, Method::ModlOrQuantile, Method::Quantile, Method::Width] {
            assert!(cut(&[], method).is_empty());
            assert!(cut(&[f64::NAN, f64::NAN], method).is_empty());
            assert!(cut(&[1.0, 1.0, 1.0], method).is_empty());
            assert!(cut(&[-0.0, 0.0, -0.0, 0.0], method).is_empty());
            let extreme = [f64::INFINITY, f64::NEG_INFINITY, f64::MAX, -f64::MAX, 0.0, 1e-300];
            assert!(cut(&extreme, method).windows(2).all(|pair| pair[0] < pair[1]));
        }
        assert_eq!(cut(&[1.0, 2.0, 3.0, 4.0], Method::Quantile).len(), 3);
        assert_eq!(cut(&[0.0, 10.0], Method::Width), [2.5, 5.0, 7.5]);
    }

    #[test]
    fn inputs_of_different_lengths_are_refused() {
        assert!(cut_points(&[1.0][..], &[], None, 2, Method::Mdlp, 4).is_err());
        assert!(cut_points(&[1.0][..], &[2], None, 2, Method::Mdlp, 4).is_err());
        assert!(cut_points(&[1.0][..], &[0], Some(&[]), 2, Method::Mdlp, 4).is_err());
    }

    #[test]
    fn cutting_can_be_cancelled() {
        let control = Control::default();
        control.cancel();
        let target = Target { labels: &[0, 1, 0], n_classes: 2, weights: None };
        let cut = super::cut_points(&[1.0, 2.0, 3.0][..], &target, Method::Width, 4, &control);
        assert_eq!(cut, Err(Error::Cancelled));
    }
}
