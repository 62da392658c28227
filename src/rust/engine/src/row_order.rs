//! Reorders rows so that similar rows share blocks, and the rows a rule captures fill few of them.
//!
//! Rows are sorted by the features most informative about the label, the best first. Only speed depends on the order.

use crate::column::{InputColumn, ROWS_PER_BATCH};
use crate::control::Control;
use crate::error::Error;
use crate::memory;
use crate::radix::sort;
use std::ops::Range;

/// Rows sampled to rank the features, in runs of `RUN_LENGTH` rows spread evenly.
const SAMPLE_SIZE: usize = 1 << 14;
const RUN_LENGTH: usize = 64;

/// Row indices, similar rows next to each other. Columns whose length differs from that of `labels` are ignored.
pub fn cluster_rows(
    columns: &[InputColumn],
    labels: &[u32],
    n_classes: usize,
    control: &Control,
) -> Result<Vec<u32>, Error> {
    let sample = Sample::new(labels, n_classes)?;
    let usable = columns.iter().filter(|column| column.len() == labels.len());
    let mut ranked: Vec<(f64, &InputColumn)> = Vec::new();
    for column in usable {
        memory::push(&mut ranked, (sample.information(column)?, column))?;
    }
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut keys = memory::collect((0..labels.len() as u32).map(|row| (0u64, row)))?;
    let mut is_odd = memory::filled(false, labels.len())?;
    let mut codes = memory::filled(0, labels.len())?;
    let mut bits_left = 64;
    for (_, column) in ranked {
        if bits_left == 0 {
            break;
        }
        for (index, codes) in codes.chunks_mut(ROWS_PER_BATCH).enumerate() {
            control.check_unfinished()?;
            column.codes(index * ROWS_PER_BATCH..index * ROWS_PER_BATCH + codes.len(), codes);
        }
        let largest = codes.iter().copied().max().unwrap_or(0).max(0);
        let bits = 32 - largest.leading_zeros();
        if bits == 0 || bits > bits_left {
            continue;
        }
        bits_left -= bits;
        for ((key, &code), is_odd) in keys.iter_mut().zip(&codes).zip(&mut is_odd) {
            // every other group is reversed (as in a Gray code), so that the next group begins where the last one ended
            let code = if *is_odd { largest - code.max(0) } else { code.max(0) };
            *is_odd ^= code & 1 == 1;
            key.0 |= (code as u64) << bits_left;
        }
    }
    sort(&mut keys, control)?;
    memory::collect(keys.into_iter().map(|(_, row)| row))
}

/// A sample of the rows and their labels.
struct Sample {
    runs: Vec<Range<usize>>,
    labels: Vec<u32>,
    n_classes: usize,
}

impl Sample {
    fn new(labels: &[u32], n_classes: usize) -> Result<Self, Error> {
        let n_runs = (SAMPLE_SIZE / RUN_LENGTH).min(labels.len().div_ceil(RUN_LENGTH));
        let run = |index: usize| {
            let last_start = labels.len().saturating_sub(RUN_LENGTH);
            let start = (last_start * index).checked_div(n_runs - 1).unwrap_or(0);
            start..labels.len().min(start + RUN_LENGTH)
        };
        let runs: Vec<_> = (0..n_runs).map(run).collect();
        let labels = memory::collect(runs.iter().flat_map(|rows| &labels[rows.clone()]).copied())?;
        Ok(Sample { runs, labels, n_classes })
    }

    /// Mutual information of code and label times the sample size, up to a constant.
    fn information(&self, column: &InputColumn) -> Result<f64, Error> {
        let mut codes = memory::filled(0, self.labels.len())?;
        let mut rest = codes.as_mut_slice();
        for rows in &self.runs {
            let (run, later) = rest.split_at_mut(rows.len());
            column.codes(rows.clone(), run);
            rest = later;
        }
        let n_codes = codes.iter().copied().max().map_or(0, |largest| largest.max(0) as usize + 1);
        if n_codes.saturating_mul(self.n_classes) > 1 << 22 {
            return Ok(f64::NEG_INFINITY);
        }
        let mut counts = memory::filled(0u32, n_codes * self.n_classes)?;
        for (&code, &label) in codes.iter().zip(&self.labels) {
            // invalid labels are refused elsewhere
            if (label as usize) < self.n_classes {
                counts[code.max(0) as usize * self.n_classes + label as usize] += 1;
            }
        }
        let by_code = counts.chunks_exact(self.n_classes.max(1)).map(|counts| counts.iter().sum());
        let by_class =
            (0..self.n_classes).map(|class| counts.iter().skip(class).step_by(self.n_classes).sum());
        let joint = counts.iter().copied().map(x_log_x).sum::<f64>();
        Ok(joint - by_code.map(x_log_x).sum::<f64>() - by_class.map(x_log_x).sum::<f64>())
    }
}

fn x_log_x(n: u32) -> f64 {
    if n == 0 {
        return 0.0;
    }
    f64::from(n) * f64::from(n).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cluster_rows(columns: &[InputColumn], labels: &[u32], n_classes: usize) -> Vec<u32> {
        super::cluster_rows(columns, labels, n_classes, &Control::default()).unwrap()
    }

    #[test]
    fn the_order_is_a_permutation_with_similar_rows_next_to_each_other() {
        let noise: Vec<i32> = (0..1000).map(|i| i * 7919 % 13).collect();
        let informative: Vec<i32> = (0..1000).map(|i| if i % 7 == 0 { i32::MIN } else { i % 3 }).collect();
        let labels: Vec<u32> = informative.iter().map(|&code| u32::from(code == 1)).collect();
        let order = cluster_rows(
            &[InputColumn::of_codes(&noise), InputColumn::of_codes(&informative), InputColumn::of_codes(&[])],
            &labels,
            2,
        );
        let mut rows = order.clone();
        rows.sort_unstable();
        assert_eq!(rows, (0..1000).collect::<Vec<u32>>());
        let changes = |column: &[i32]| {
            order.windows(2).filter(|w| column[w[0] as usize].max(0) != column[w[1] as usize].max(0)).count()
        };
        assert_eq!(changes(&informative), 2);
        assert!(changes(&noise) <= 3 * 12);
    }

    #[test]
    fn without_informative_columns_the_order_stays() {
        assert_eq!(cluster_rows(&[], &[0, 1, 0], 2), [0, 1, 2]);
        assert_eq!(cluster_rows(&[InputColumn::of_codes(&[0, 0, -1])], &[0, 1, 0], 2), [0, 1, 2]);
        assert!(cluster_rows(&[InputColumn::of_codes(&[])], &[], 2).is_empty());
    }

    #[test]
    fn codes_that_do_not_fit_into_the_key_are_left_out() {
        let wide: Vec<i32> = (0..50).map(|i| (i * 7 % 50) << 20).collect();
        let labels = vec![0; 50];
        let order = cluster_rows(&vec![InputColumn::of_codes(&wide); 4], &labels, 1);
        assert!(order.windows(2).all(|w| wide[w[0] as usize] < wide[w[1] as usize]));
    }
}
