//! Columns in bins: at most 256 of them, so that one byte per row is enough.

use super::rows::TreeColumn;
use crate::column::{InputColumn, Values, MISSING, ROWS_PER_BATCH};
use crate::error::Error;
use crate::memory;

/// Numbers with more values than this are divided at quantiles.
const MAX_INTERVALS: usize = 64;

/// Bins that a byte can tell apart. The last is that of missing codes, the one before that of rare levels, if there are too
/// many.
pub(super) const MAX_BINS: usize = 256;
const OTHERS: u8 = (MAX_BINS - 2) as u8;

/// A column as bins. Missing values have the last one.
#[derive(Debug, Clone)]
pub(super) struct BinColumn {
    /// The bin of each row.
    pub bins: Vec<u8>,
    pub n_bins: usize,
    /// Whether the order of the bins means something.
    pub is_ordered: bool,
}

impl BinColumn {
    pub fn new(column: &TreeColumn) -> Result<Self, Error> {
        let (bins, is_ordered) = match column {
            TreeColumn::Numbers(Values::Integers(values)) => {
                let value = |&value: &i32| if value == i32::MIN { f64::NAN } else { f64::from(value) };
                (of_numbers(values.iter().map(value))?, true)
            }
            TreeColumn::Numbers(Values::Doubles(values)) => (of_numbers(values.iter().copied())?, true),
            TreeColumn::Ordered(codes) => (of_codes(codes, spread)?, true),
            TreeColumn::Levels(codes) => (of_codes(codes, most_frequent)?, false),
        };
        let n_bins = bins.iter().map(|&bin| usize::from(bin) + 1).max().unwrap_or(0);
        Ok(BinColumn { bins, n_bins, is_ordered })
    }
}

/// The smallest value of each bin but the first.
fn starts(sorted: &[f64]) -> Vec<f64> {
    let mut starts: Vec<f64> = Vec::new();
    let mut distinct = sorted.windows(2).filter(|pair| pair[0] < pair[1]).map(|pair| pair[1]);
    starts.extend(distinct.by_ref().take(MAX_INTERVALS - 1));
    if distinct.next().is_some() {
        let quantile = |k: usize| sorted[k * sorted.len() / MAX_INTERVALS];
        starts = (1..MAX_INTERVALS).map(quantile).filter(|&start| start > sorted[0]).collect();
        starts.dedup();
    }
    starts
}

fn of_numbers(values: impl Iterator<Item = f64> + Clone) -> Result<Vec<u8>, Error> {
    // the two zeros are the same number
    let mut sorted = memory::collect(values.clone().filter(|x| !x.is_nan()).map(|x| x + 0.0))?;
    sorted.sort_unstable_by(f64::total_cmp);
    let starts = starts(&sorted);
    let missing = if sorted.is_empty() { 0 } else { starts.len() + 1 };
    let bin = |x: f64| if x.is_nan() { missing } else { starts.partition_point(|&start| start <= x) };
    memory::collect(values.map(|x| bin(x) as u8))
}

fn of_codes(column: &InputColumn, bins: fn(&[usize]) -> Vec<u8>) -> Result<Vec<u8>, Error> {
    let mut all = memory::filled(MISSING, column.len())?;
    for start in (0..column.len()).step_by(ROWS_PER_BATCH) {
        let rows = start..(start + ROWS_PER_BATCH).min(column.len());
        column.codes(rows.clone(), &mut all[rows]);
    }
    let n_codes = all.iter().map(|&code| code.max(0) as usize).max().unwrap_or(0);
    let mut counts = memory::filled(0, n_codes)?;
    for &code in all.iter().filter(|&&code| code > 0) {
        counts[code as usize - 1] += 1;
    }
    let bins = bins(&counts);
    let missing = bins.iter().max().map_or(0, |&bin| bin.saturating_add(1));
    memory::collect(all.into_iter().map(|code| if code > 0 { bins[code as usize - 1] } else { missing }))
}

/// Neighbouring codes share a bin if there are too many.
fn spread(counts: &[usize]) -> Vec<u8> {
    let n_bins = counts.len().min(MAX_BINS - 1);
    (0..counts.len()).map(|code| (code * n_bins / counts.len()) as u8).collect()
}

/// Rare codes share a bin if there are too many.
fn most_frequent(counts: &[usize]) -> Vec<u8> {
    if counts.len() < MAX_BINS {
        return (0..counts.len()).map(|code| code as u8).collect();
    }
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_by_key(|&code| std::cmp::Reverse(counts[code]));
    let mut bins = vec![OTHERS; counts.len()];
    for (bin, &code) in order.iter().take(usize::from(OTHERS)).enumerate() {
        bins[code] = bin as u8;
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_values_have_a_bin_each_and_missing_values_the_last() {
        let values = [2.0, f64::NAN, -0.0, 0.0, 5.5, f64::INFINITY];
        let column = BinColumn::new(&TreeColumn::Numbers(Values::Doubles(&values))).unwrap();
        assert_eq!((column.bins, column.n_bins), (vec![1, 4, 0, 0, 2, 3], 5));
        let column = BinColumn::new(&TreeColumn::Numbers(Values::Integers(&[7, i32::MIN, 7]))).unwrap();
        assert_eq!(column.bins, [0, 1, 0]);
        let column = BinColumn::new(&TreeColumn::Numbers(Values::Integers(&[i32::MIN; 2]))).unwrap();
        assert_eq!(column.bins, [0, 0]);
    }

    #[test]
    fn many_values_have_bins_of_nearly_equal_size() {
        let values: Vec<i32> = (0..6400).map(|i| i * 37 % 6400).collect();
        let column = BinColumn::new(&TreeColumn::Numbers(Values::Integers(&values))).unwrap();
        assert_eq!(column.n_bins, 64);
        for bin in 0..64 {
            assert_eq!(column.bins.iter().filter(|&&x| x == bin).count(), 100);
        }
        // most rows have the smallest value
        let values: Vec<i32> = (0..6400).map(|i| (i - 6000).max(0)).collect();
        let column = BinColumn::new(&TreeColumn::Numbers(Values::Integers(&values))).unwrap();
        assert!(column.n_bins >= 4 && column.bins[..6001].iter().all(|&bin| bin == 0));
    }

    #[test]
    fn rare_levels_share_a_bin_and_ordered_ones_stay_in_order() {
        let codes: Vec<i32> = (0..2000).map(|i| if i < 1000 { i + 1 } else { i % 7 }).collect();
        let column = BinColumn::new(&TreeColumn::Levels(InputColumn::of_codes(&codes))).unwrap();
        let missing = column.bins[1008];
        assert_eq!((column.n_bins, missing), (256, 255));
        let shared = column.bins.iter().filter(|&&bin| bin == OTHERS).count();
        assert_eq!(shared, 1000 - 254);
        let column = BinColumn::new(&TreeColumn::Ordered(InputColumn::of_codes(&codes[..1000]))).unwrap();
        assert!(column.bins.windows(2).all(|pair| pair[0] <= pair[1]) && column.n_bins == 255);
    }
}
