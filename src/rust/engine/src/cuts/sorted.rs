//! The distinct values of a column in increasing order, with the classes of their rows.

use crate::column::Values;
use crate::control::Control;
use crate::error::Error;
use crate::memory;
use crate::radix::{sort, ROWS_PER_CHECK};

/// Marks a value whose rows are of different classes.
const MIXED: u32 = u32::MAX;

/// Distinct values in increasing order. Missing values are left out; −0 and 0 are one value.
#[derive(Debug)]
pub struct Sorted {
    values: Vec<f64>,
    /// Where the rows of each value begin, and where the last rows end.
    starts: Vec<u32>,
    /// The class of all rows of a value, or `MIXED`.
    pure: Vec<u32>,
    /// Classes and weights of the rows, ordered by value, then by row.
    labels: Vec<u32>,
    weights: Option<Vec<f64>>,
}

impl Sorted {
    /// `labels` and `weights` have one element per row.
    pub fn new(
        values: Values,
        labels: &[u32],
        weights: Option<&[f64]>,
        control: &Control,
    ) -> Result<Self, Error> {
        let mut rows = keyed_rows(values, control)?;
        sort(&mut rows, control)?;
        let mut sorted = Sorted {
            values: Vec::new(),
            starts: Vec::new(),
            pure: Vec::new(),
            labels: gathered(&rows, labels, control)?,
            weights: weights.map(|weights| gathered(&rows, weights, control)).transpose()?,
        };
        let mut last = None;
        for (index, &(key, _)) in rows.iter().enumerate() {
            if index % ROWS_PER_CHECK == 0 {
                control.check_unfinished()?;
            }
            if last != Some(key) {
                last = Some(key);
                memory::push(&mut sorted.values, value_of(key))?;
                memory::push(&mut sorted.starts, index as u32)?;
                memory::push(&mut sorted.pure, sorted.labels[index])?;
            } else if sorted.pure.last() != Some(&sorted.labels[index]) {
                sorted.pure.pop();
                sorted.pure.push(MIXED);
            }
        }
        memory::push(&mut sorted.starts, rows.len() as u32)?;
        Ok(sorted)
    }

    /// Number of distinct values.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Value `index`.
    pub fn value(&self, index: usize) -> f64 {
        self.values[index]
    }

    /// All values.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Add the class weights of the values `from..to` to `sums`.
    #[inline]
    pub fn add_weights(&self, from: usize, to: usize, sums: &mut [f64]) {
        let rows = self.starts[from] as usize..self.starts[to] as usize;
        match &self.weights {
            None => self.labels[rows].iter().for_each(|&label| sums[label as usize] += 1.0),
            Some(weights) => {
                for (&label, &weight) in self.labels[rows.clone()].iter().zip(&weights[rows]) {
                    sums[label as usize] += weight;
                }
            }
        }
    }

    /// The weight of one value.
    pub fn weight(&self, index: usize) -> f64 {
        let rows = self.starts[index] as usize..self.starts[index + 1] as usize;
        self.weights.as_ref().map_or(rows.len() as f64, |weights| weights[rows].iter().sum())
    }

    /// Whether all rows of value `index` and of the value before it have the same class.
    #[inline]
    pub fn continues_pure(&self, index: usize) -> bool {
        self.pure[index] != MIXED && self.pure[index] == self.pure[index - 1]
    }
}

/// The elements of `of_row`, in the order of `rows`.
fn gathered<T: Copy>(rows: &[(u64, u32)], of_row: &[T], control: &Control) -> Result<Vec<T>, Error> {
    let mut gathered = memory::with_capacity(rows.len())?;
    for rows in rows.chunks(ROWS_PER_CHECK) {
        control.check_unfinished()?;
        gathered.extend(rows.iter().map(|&(_, row)| of_row[row as usize]));
    }
    Ok(gathered)
}

/// Key and index of each row that has a value; keys are ordered as the numbers are.
fn keyed_rows(values: Values, control: &Control) -> Result<Vec<(u64, u32)>, Error> {
    match values {
        Values::Integers(values) => {
            keyed(values, |value: i32| (value != i32::MIN).then(|| f64::from(value)), control)
        }
        Values::Doubles(values) => keyed(values, |value: f64| (!value.is_nan()).then_some(value), control),
    }
}

/// The same, given how to read a value.
fn keyed<T: Copy>(
    values: &[T],
    number: impl Fn(T) -> Option<f64>,
    control: &Control,
) -> Result<Vec<(u64, u32)>, Error> {
    let mut rows = memory::with_capacity(values.len())?;
    for (index, values) in values.chunks(ROWS_PER_CHECK).enumerate() {
        control.check_unfinished()?;
        let numbered = values.iter().zip((index * ROWS_PER_CHECK) as u32..);
        rows.extend(numbered.filter_map(|(&value, row)| Some((key_of(number(value)?), row))));
    }
    Ok(rows)
}

/// Bits whose order as an integer is that of the number: negative numbers have all bits inverted, others the sign bit.
#[inline]
fn key_of(value: f64) -> u64 {
    let bits = (value + 0.0).to_bits();
    bits ^ if bits >> 63 == 1 { u64::MAX } else { 1 << 63 }
}

fn value_of(key: u64) -> f64 {
    f64::from_bits(key ^ if key >> 63 == 1 { 1 << 63 } else { u64::MAX })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::ChainRng;

    fn wild_values(n: usize, seed: u64) -> Vec<f64> {
        let mut rng = ChainRng::new(seed, 3);
        let special = [0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e-310, -1e-310, f64::MAX];
        let mut draw = |_| match rng.below(4) {
            0 => special[rng.below(special.len())],
            1 => rng.below(50) as f64 - 25.0,
            2 => (rng.below(1 << 30) as f64 - 5e8) * 1.1f64.powi(rng.below(400) as i32 - 200),
            _ => f64::from_bits((rng.below(1 << 32) as u64) << 32 | rng.below(1 << 32) as u64),
        };
        (0..n).map(&mut draw).collect()
    }

    #[test]
    fn keys_are_ordered_as_numbers_and_can_be_decoded() {
        let values: Vec<f64> = wild_values(3000, 1).into_iter().filter(|x| !x.is_nan()).collect();
        for pair in values.windows(2) {
            assert_eq!(key_of(pair[0]).cmp(&key_of(pair[1])), (pair[0] + 0.0).total_cmp(&(pair[1] + 0.0)));
            assert_eq!(value_of(key_of(pair[0])), pair[0]);
        }
        assert_eq!(key_of(-0.0), key_of(0.0));
    }

    #[test]
    fn class_weights_are_sums_over_rows() {
        let mut rng = ChainRng::new(5, 5);
        let values: Vec<i32> =
            (0..5000).map(|_| if rng.below(9) == 0 { i32::MIN } else { rng.below(60) as i32 - 30 }).collect();
        let labels: Vec<u32> = values.iter().map(|&x| if x < 0 { 1 } else { rng.below(3) as u32 }).collect();
        let weights: Vec<f64> = (0..5000).map(|_| rng.below(8) as f64 / 4.0).collect();
        for weights in [None, Some(&weights[..])] {
            let sorted =
                Sorted::new(Values::Integers(&values), &labels, weights, &Control::default()).unwrap();
            assert_eq!(sorted.values(), (-30..30).map(f64::from).collect::<Vec<f64>>());
            let naive = |is_included: &dyn Fn(i32) -> bool, class: u32| -> f64 {
                let rows = (0..5000).filter(|&row| values[row] != i32::MIN && is_included(values[row]));
                let of_class = rows.filter(|&row| class == 9 || labels[row] == class);
                of_class.map(|row| weights.map_or(1.0, |weights| weights[row])).sum()
            };
            let mut sums = [0.0; 3];
            sorted.add_weights(4, 55, &mut sums);
            assert_eq!(sums, [0, 1, 2].map(|class| naive(&|x| (-26..25).contains(&x), class)));
            assert_eq!(sorted.weight(7), naive(&|x| x == -23, 9));
            assert!((1..30).all(|index| sorted.continues_pure(index)));
            assert!(!(30..60).any(|index| sorted.continues_pure(index)));
        }
    }
}
