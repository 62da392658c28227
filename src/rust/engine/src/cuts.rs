//! Cut points of numeric features.

mod code_weights;
mod digits;
mod grouping;
mod mdlp;
mod modl;
mod partition;
mod sorted;

use crate::column::Values;
use crate::control::Control;
use crate::error::Error;
pub use code_weights::code_weights;
pub use digits::round_between;
use digits::{short_between, short_near};
pub use grouping::group_levels;
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
    /// Boullé: the partition with the highest posterior probability; or quantiles in the same way.
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

/// Where a column is cut: it separates the values below `at` from the others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CutPoint {
    /// The greatest value below the cut.
    pub below: f64,
    /// The cut, with few digits.
    pub at: f64,
    /// The smallest value that is not below the cut.
    pub above: f64,
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
) -> Result<Vec<CutPoint>, Error> {
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
        Method::ModlOrQuantile => or_quantiles(modl(&values, n_classes, bins - 1, control)?, &values, bins),
        Method::Quantile => quantiles(&values, bins),
        Method::Width => return Ok(equal_width(values.values(), bins)),
    };
    let cut = |start| {
        let (below, above) = (values.value(start - 1), values.value(start));
        CutPoint { below, at: short_between(below, above), above }
    };
    Ok(starts.into_iter().map(cut).collect())
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
fn equal_width(values: &[f64], bins: usize) -> Vec<CutPoint> {
    let mut finite = values.iter().copied().filter(|value| value.is_finite());
    let Some(low) = finite.next() else { return Vec::new() };
    let high = finite.next_back().unwrap_or(low);
    let step = (high / bins as f64) - (low / bins as f64);
    let mut cuts: Vec<f64> = (1..bins).map(|k| short_near(low + step * k as f64, step)).collect();
    cuts.retain(|&cut| low < cut && cut <= high);
    cuts.dedup();
    let place = |&at: &f64| {
        let above = values.partition_point(|&value| value < at);
        CutPoint { below: values[above - 1], at, above: values[above] }
    };
    cuts.iter().map(place).collect()
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
        let cuts = super::cut_points(values, &target, method, bins, &Control::default())?;
        for cut in &cuts {
            assert!(cut.below < cut.at && cut.at <= cut.above);
            assert!(values.contains(&cut.below) && values.contains(&cut.above));
            assert!(!values.iter().any(|&value| cut.below < value && value < cut.above));
        }
        Ok(cuts.iter().map(|cut| cut.at).collect())
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
