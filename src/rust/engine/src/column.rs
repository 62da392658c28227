//! The column of a feature as the caller passed it: read in place, encoded one batch of rows at a time, never copied.

use crate::error::Error;
use std::ops::Range;

/// Rows encoded together; their codes fit into the first-level cache.
pub(crate) const ROWS_PER_BATCH: usize = 4096;

/// The largest code of any feature.
pub const MAX_CODE: i32 = 1 << 20;

/// The code of a missing value.
pub(crate) const MISSING: i32 = 0;

/// The code of a value that is not a level.
pub(crate) const UNKNOWN: i32 = -1;

/// The values of a column. `i32::MIN` and NaN are missing values.
#[derive(Debug, Clone, Copy)]
pub enum Values<'a> {
    /// Whole numbers, factor codes or logicals.
    Integers(&'a [i32]),
    /// Numbers.
    Doubles(&'a [f64]),
}

impl Values<'_> {
    /// Number of rows.
    pub fn len(&self) -> usize {
        match self {
            Values::Integers(values) => values.len(),
            Values::Doubles(values) => values.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<'a> From<&'a [f64]> for Values<'a> {
    fn from(values: &'a [f64]) -> Self {
        Values::Doubles(values)
    }
}

/// How values are encoded.
#[derive(Debug, Clone, PartialEq)]
pub enum Reading {
    /// Values are codes already.
    Codes,
    /// Values 0, 1, … have these codes: those of a factor, or FALSE and TRUE.
    Table(Vec<i32>),
    /// The code is one more than the number of cuts less than or equal to the value.
    Cuts(Vec<f64>),
    /// A value equal to `levels[k]` has code `codes[k]`.
    Levels {
        /// Increasing values.
        levels: Vec<f64>,
        /// One code per level.
        codes: Vec<i32>,
    },
}

/// Values and how they are encoded.
#[derive(Debug, Clone)]
pub struct InputColumn<'a> {
    values: Values<'a>,
    reading: Reading,
}

impl<'a> InputColumn<'a> {
    /// Cuts and levels must increase; codes must be in `UNKNOWN..=MAX_CODE`.
    pub fn new(values: Values<'a>, reading: Reading) -> Result<Self, Error> {
        let is_increasing =
            |x: &[f64]| x.windows(2).all(|pair| pair[0] < pair[1]) && !x.iter().any(|x| x.is_nan());
        let are_codes = |codes: &[i32]| codes.iter().all(|code| (UNKNOWN..=MAX_CODE).contains(code));
        let fits = match (&reading, values) {
            (Reading::Codes, Values::Integers(_)) => true,
            (Reading::Table(codes), Values::Integers(_)) => are_codes(codes),
            (Reading::Cuts(cuts), _) => is_increasing(cuts) && cuts.len() < MAX_CODE as usize,
            (Reading::Levels { levels, codes }, _) => {
                is_increasing(levels) && are_codes(codes) && levels.len() == codes.len()
            }
            _ => false,
        };
        if !fits {
            return Err(Error::Data("The values of a column do not fit its encoding.".into()));
        }
        Ok(InputColumn { values, reading })
    }

    /// A column of codes.
    pub fn of_codes(codes: &'a [i32]) -> Self {
        InputColumn { values: Values::Integers(codes), reading: Reading::Codes }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Write the codes of `rows` to `out`, which must have the same length.
    pub fn codes(&self, rows: Range<usize>, out: &mut [i32]) {
        match (self.values, &self.reading) {
            (Values::Integers(values), Reading::Codes) => out.copy_from_slice(&values[rows]),
            (Values::Integers(values), Reading::Table(codes)) => {
                fill(out, &values[rows], |value| look_up(value, codes))
            }
            (Values::Integers(values), reading) => fill(out, &values[rows], |value| {
                if value == i32::MIN {
                    return MISSING;
                }
                reading.code_of_number(f64::from(value))
            }),
            (Values::Doubles(values), reading) => {
                fill(out, &values[rows], |value| reading.code_of_number(value))
            }
        }
    }

    /// Counts of unknown values, of missing values, then of the codes 1 to `n_codes`.
    pub fn count_codes(&self, n_codes: usize) -> Vec<u64> {
        // four counters per code, because adding to the same counter in consecutive rows stalls
        let mut counts = vec![[0u64; 4]; n_codes + 2];
        let mut codes = [0; ROWS_PER_BATCH];
        for start in (0..self.len()).step_by(ROWS_PER_BATCH) {
            let rows = start..(start + ROWS_PER_BATCH).min(self.len());
            let codes = &mut codes[..rows.len()];
            self.codes(rows, codes);
            for (row, &code) in codes.iter().enumerate() {
                let is_known = (code.wrapping_add(1) as u32 as usize) < counts.len();
                counts[if is_known { (code + 1) as usize } else { 0 }][row % 4] += 1;
            }
        }
        counts.into_iter().map(|counts| counts.iter().sum()).collect()
    }
}

#[inline]
fn fill<T: Copy>(out: &mut [i32], values: &[T], code: impl Fn(T) -> i32) {
    for (out, &value) in out.iter_mut().zip(values) {
        *out = code(value);
    }
}

#[inline]
fn look_up(value: i32, codes: &[i32]) -> i32 {
    if value == i32::MIN {
        return MISSING;
    }
    usize::try_from(value).ok().and_then(|value| codes.get(value)).copied().unwrap_or(UNKNOWN)
}

impl Reading {
    #[inline]
    fn code_of_number(&self, value: f64) -> i32 {
        if value.is_nan() {
            return MISSING;
        }
        match self {
            Reading::Cuts(cuts) => 1 + n_not_above(cuts, value) as i32,
            Reading::Levels { levels, codes } => {
                let index = levels.partition_point(|&level| level < value);
                if levels.get(index) == Some(&value) {
                    codes[index]
                } else {
                    UNKNOWN
                }
            }
            // `InputColumn::new()` refuses these for doubles, and `codes()` handles integers
            Reading::Codes | Reading::Table(_) => UNKNOWN,
        }
    }
}

/// Number of cuts less than or equal to `value`; a linear scan beats bisection up to eight cuts.
#[inline]
fn n_not_above(cuts: &[f64], value: f64) -> usize {
    if cuts.len() <= 8 {
        return cuts.iter().map(|&cut| usize::from(cut <= value)).sum();
    }
    cuts.partition_point(|&cut| cut <= value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(column: &InputColumn) -> Vec<i32> {
        let mut out = vec![9; column.len()];
        column.codes(0..column.len(), &mut out);
        out
    }

    #[test]
    fn tables_encode_factors_and_logicals() {
        let values = [1, 3, i32::MIN, 2, 0, 4, -5];
        let column = InputColumn::new(Values::Integers(&values), Reading::Table(vec![7, 2, -1, 1])).unwrap();
        assert_eq!(codes(&column), [2, 1, 0, -1, 7, -1, -1]);
        assert_eq!(column.count_codes(2), [4, 1, 1, 1]);
        let part = &mut [0; 2];
        column.codes(1..3, part);
        assert_eq!(part, &[1, 0]);
    }

    #[test]
    fn cuts_encode_integers_and_doubles() {
        let values = [f64::NEG_INFINITY, -1.0, 0.0, 0.5, 1.0, f64::INFINITY, f64::NAN];
        for n_cuts in [2, 30] {
            let cuts: Vec<f64> = (0..n_cuts).map(f64::from).collect();
            let naive = |x: f64| {
                if x.is_nan() {
                    0
                } else {
                    1 + cuts.iter().filter(|&&cut| x >= cut).count() as i32
                }
            };
            let column = InputColumn::new(Values::Doubles(&values), Reading::Cuts(cuts.clone())).unwrap();
            assert_eq!(codes(&column), values.map(naive));
            let whole = [-1, 0, 1, 29, i32::MIN];
            let column = InputColumn::new(Values::Integers(&whole), Reading::Cuts(cuts.clone())).unwrap();
            assert_eq!(codes(&column)[..4], [-1, 0, 1, 29].map(|x| naive(f64::from(x))));
            assert_eq!(codes(&column)[4], MISSING);
        }
    }

    #[test]
    fn numbers_match_levels_exactly() {
        let reading = Reading::Levels { levels: vec![-0.5, 0.0, 2.0], codes: vec![3, 1, 2] };
        let values = [0.0, -0.0, 2.0, 1.0, f64::NAN, -0.5];
        let column = InputColumn::new(Values::Doubles(&values), reading.clone()).unwrap();
        assert_eq!(codes(&column), [1, 1, 2, -1, 0, 3]);
        let column = InputColumn::new(Values::Integers(&[2, 0, i32::MIN, 3]), reading).unwrap();
        assert_eq!(codes(&column), [2, 1, 0, -1]);
    }

    #[test]
    fn counts_add_up_over_batches() {
        let values: Vec<i32> = (0..10_000).map(|i| i * i % 11 - 1).collect();
        let column = InputColumn::of_codes(&values);
        let mut expected = vec![0; 7];
        for &value in &values {
            expected[if (0..=5).contains(&value) { value as usize + 1 } else { 0 }] += 1;
        }
        assert_eq!(column.count_codes(5), expected);
    }

    #[test]
    fn values_and_readings_that_do_not_fit_are_refused() {
        let numbers = Values::Doubles(&[1.0]);
        let integers = Values::Integers(&[1]);
        let levels = |levels: &[f64], codes: &[i32]| Reading::Levels {
            levels: levels.to_vec(),
            codes: codes.to_vec(),
        };
        for (values, reading) in [
            (numbers, Reading::Codes),
            (numbers, Reading::Table(vec![1])),
            (integers, Reading::Table(vec![-2])),
            (integers, Reading::Table(vec![i32::MAX])),
            (numbers, Reading::Cuts(vec![1.0, 1.0])),
            (numbers, Reading::Cuts(vec![f64::NAN])),
            (numbers, levels(&[2.0, 1.0], &[1, 2])),
            (numbers, levels(&[1.0], &[])),
        ] {
            assert!(InputColumn::new(values, reading).is_err());
        }
    }
}
