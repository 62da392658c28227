//! Weights of rows, as whole numbers of a unit, so that sums are exact in any order.

use super::rows::Rows;
use crate::bitset::bit_sliced::BitSlicedWeights;
use crate::error::Error;
use crate::memory;
use std::sync::Arc;

/// Largest sum of weights in units: well within the integers that a double represents exactly.
const LARGEST_TOTAL: f64 = (1u64 << 51) as f64;

impl Rows {
    /// These rows, which came class by class, with positive weights in the same order: see [`Rows::with_weights`].
    pub fn with_weights_by_class(mut self, weights: &[Vec<f64>]) -> Result<Self, Error> {
        let all = || weights.iter().flatten().copied();
        let is_right =
            weights.iter().map(|weights| weights.len() as u64).eq(self.class_counts.iter().copied());
        let unit = if is_right { unit_of(all()) } else { None };
        self.unit = unit.ok_or_else(bad_weights)?;
        if all().all(|weight| weight == 1.0) {
            return Ok(self);
        }
        let starts: Vec<usize> = std::iter::once(0).chain(self.ends.iter().copied()).collect();
        let places = weights.iter().zip(starts).enumerate().flat_map(|(class, (weights, start))| {
            weights.iter().enumerate().map(move |(index, &weight)| (start * 64 + index, class, weight))
        });
        let unit = self.unit;
        let units = places.map(|(position, class, weight)| (position, class, in_units(weight, unit)));
        self.set_units(units, unit)?;
        Ok(self)
    }

    /// Rows with weights, see [`Rows::with_weights`].
    #[cfg(any(test, feature = "naive"))]
    pub fn weighted(labels: &[u32], n_classes: usize, weights: &[f64]) -> Result<Self, Error> {
        Rows::new(labels, n_classes)?.with_weights(labels, weights)
    }

    /// These rows, of the classes `labels`, with positive weights. Weights become whole numbers of a unit, so that sums are exact
    /// in any order: the unit is 1 if all weights are whole, else a power of two at most 2⁻⁵⁰ of the total.
    pub fn with_weights(self, labels: &[u32], weights: &[f64]) -> Result<Self, Error> {
        if weights.len() != labels.len() {
            return Err(bad_weights());
        }
        let mut rows = self;
        rows.unit = unit_of(weights.iter().copied()).ok_or_else(bad_weights)?;
        if weights.iter().any(|&weight| weight != 1.0) {
            let unit = rows.unit;
            let positions = Arc::clone(&rows.positions);
            let of_rows = positions.iter().zip(labels).zip(weights);
            let units = of_rows.map(|((&position, &label), &weight)| {
                (position as usize, label as usize, in_units(weight, unit))
            });
            rows.set_units(units, unit)?;
        }
        Ok(rows)
    }

    /// Let rows, given by position and class, count this many units.
    pub(super) fn set_units(
        &mut self,
        of_rows: impl Iterator<Item = (usize, usize, u64)>,
        unit: f64,
    ) -> Result<(), Error> {
        let mut by_bit = memory::filled(0u64, self.n_words() * 64)?;
        self.class_counts.fill(0);
        for (position, class, units) in of_rows {
            by_bit[position] = units;
            self.class_counts[class] += units;
        }
        (self.weights, self.unit) = (Some(Arc::new(BitSlicedWeights::new(&by_bit)?)), unit);
        Ok(())
    }
}

fn bad_weights() -> Error {
    Error::Data("Weights must be positive numbers, one per row.".into())
}

/// The unit of weights, see [`Rows::with_weights`]; nothing if one is not positive or the total is too large.
fn unit_of(weights: impl Iterator<Item = f64> + Clone) -> Option<f64> {
    let total: f64 = weights.clone().sum();
    if !weights.clone().all(|weight| weight > 0.0 && weight.is_finite()) || total >= 1e300 {
        return None;
    }
    let whole = total <= LARGEST_TOTAL && weights.clone().all(|weight| weight.fract() == 0.0);
    Some(if whole { 1.0 } else { (total / LARGEST_TOTAL).log2().ceil().exp2() })
}

fn in_units(weight: f64, unit: f64) -> u64 {
    ((weight / unit).round() as u64).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_become_whole_numbers_of_a_unit() {
        let whole = Rows::weighted(&[0, 1, 1], 2, &[2.0, 1.0, 5.0]).unwrap();
        assert_eq!((whole.unit(), whole.class_counts()), (1.0, &[2, 6][..]));
        assert_eq!(whole.count(whole.all()), [2, 6]);
        let parts = Rows::weighted(&[0, 1, 1], 2, &[0.1, 0.2, 1e-30]).unwrap();
        let weight = |class: usize| parts.class_counts()[class] as f64 * parts.unit();
        assert!((weight(0) - 0.1).abs() < 1e-14 && (weight(1) - 0.2).abs() < 1e-14);
        assert_eq!(parts.count(parts.all()), parts.class_counts());
        let large = Rows::weighted(&[0, 1], 2, &[1e200, 3e200]).unwrap();
        assert!((large.class_counts()[1] as f64 / large.class_counts()[0] as f64 - 3.0).abs() < 1e-12);
    }

    #[test]
    fn invalid_weights_are_refused() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e305] {
            assert!(Rows::weighted(&[0, 1], 2, &[1.0, bad]).is_err());
        }
        assert!(Rows::weighted(&[0, 1], 2, &[1.0]).is_err());
    }
}
