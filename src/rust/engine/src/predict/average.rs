//! Averaged predictions of many rule lists, with intervals over lists and class probabilities.

use super::lists::{ListInput, RuleLists, ROWS_PER_BATCH};
use crate::control::Control;
use crate::error::Error;
use crate::memory;

/// What the cells predict.
#[derive(Debug)]
pub struct CellTable {
    /// Number of classes.
    pub n_classes: usize,
    /// Class probabilities of each cell, one row of `n_classes` after the other.
    pub probs: Vec<f64>,
    /// Number of points that represent the distribution of a probability, or 0.
    pub n_points: usize,
    /// For each cell and class, the points.
    pub points: Vec<f64>,
    /// Share of the points below the interval, and above it.
    pub tail: f64,
}

impl CellTable {
    fn check(&self, lists: &RuleLists) -> Result<(), Error> {
        let n = lists.n_cells().checked_mul(self.n_classes);
        let has_points = n.and_then(|n| n.checked_mul(self.n_points)) == Some(self.points.len());
        if self.n_classes < 2 || n != Some(self.probs.len()) || !has_points || lists.is_empty() {
            return Err(Error::Data("The table does not have one row for each rule of the lists.".into()));
        }
        Ok(())
    }

    fn probs_of(&self, cell: u32) -> &[f64] {
        &self.probs[cell as usize * self.n_classes..][..self.n_classes]
    }

    fn points_of(&self, cell: u32, class: usize) -> &[f64] {
        &self.points[(cell as usize * self.n_classes + class) * self.n_points..][..self.n_points]
    }
}

/// The average over lists.
#[derive(Debug)]
pub struct Averaged {
    /// Mean class probabilities: all rows of the first class, then of the second, …
    pub mean: Vec<f64>,
    /// Ends of the interval of the reported class: the second of two, else the likeliest. Empty without points.
    pub lower: Vec<f64>,
    /// See `lower`.
    pub upper: Vec<f64>,
    /// Rows that some list leaves undecided.
    pub undecided: Vec<u32>,
}

/// Average the predictions of all lists.
pub fn averaged(input: &ListInput, table: &CellTable, control: &Control) -> Result<Averaged, Error> {
    table.check(&input.lists)?;
    let (n, k, n_lists) = (input.n_rows, table.n_classes, input.lists.len());
    let n_ends = if table.n_points > 0 { n } else { 0 };
    let mut mean = memory::filled(0.0, n.saturating_mul(k))?;
    let (mut lower, mut upper) = (memory::filled(0.0, n_ends)?, memory::filled(0.0, n_ends)?);
    let mut values = memory::filled(0.0, n_lists.saturating_mul(table.n_points))?;
    let mut sums = memory::filled(0.0, ROWS_PER_BATCH.saturating_mul(k))?;
    let undecided = input.for_each_batch(control, |batch| {
        sums.fill(0.0);
        for list in 0..n_lists {
            for (sum, &cell) in sums.chunks_exact_mut(k).zip(batch.cells_of(list)) {
                for (sum, prob) in sum.iter_mut().zip(table.probs_of(cell)) {
                    *sum += prob;
                }
            }
        }
        for (row, sum) in sums.chunks_exact(k).take(batch.n_rows).enumerate() {
            for (class, sum) in sum.iter().enumerate() {
                mean[class * n + batch.start + row] = sum / n_lists as f64;
            }
            if table.n_points > 0 {
                let class = if k == 2 { 1 } else { likeliest(sum) };
                for (list, values) in values.chunks_exact_mut(table.n_points).enumerate() {
                    values.copy_from_slice(table.points_of(batch.cells_of(list)[row], class));
                }
                (lower[batch.start + row], upper[batch.start + row]) = interval(&mut values, table.tail);
            }
        }
        Ok(())
    })?;
    Ok(Averaged { mean, lower, upper, undecided })
}

/// The first of the greatest.
fn likeliest(sums: &[f64]) -> usize {
    (1..sums.len()).fold(0, |best, class| if sums[class] > sums[best] { class } else { best })
}

/// The values below and above which lies this share of `values`, interpolated between neighbours: the value of rank i of n
/// is the quantile at (i − ½)/n.
fn interval(values: &mut [f64], tail: f64) -> (f64, f64) {
    let rank = (tail * values.len() as f64 - 0.5).clamp(0.0, values.len() as f64 - 1.0);
    let lower = at_rank(values, rank);
    (lower, at_rank(values, (values.len() - 1) as f64 - rank))
}

fn at_rank(values: &mut [f64], rank: f64) -> f64 {
    let below = rank.floor() as usize;
    let (_, value, above) = values.select_nth_unstable_by(below, f64::total_cmp);
    let (value, share) = (*value, rank - below as f64);
    if share == 0.0 {
        return value;
    }
    let next = above.iter().copied().fold(f64::INFINITY, f64::min);
    value + share * (next - value)
}

#[cfg(test)]
mod tests {
    use super::super::lists::{list_cells, tests::random_case};
    use super::*;
    use crate::column::InputColumn;
    use crate::model::Antecedents;
    use crate::rng::ChainRng;

    #[test]
    fn averages_are_means_of_the_cells_and_intervals_their_quantiles() {
        let mut rng = ChainRng::new(5, 0);
        let mut values = [Vec::new(), Vec::new(), Vec::new()];
        let n_rows = 1500;
        let (items, antecedents) = random_case(&mut rng, &mut values, n_rows);
        for k in [2, 3] {
            let lists = RuleLists::new(vec![0, 3, 1, 5, 2], &[2, 0, 3], 7).unwrap();
            let n_cells = lists.n_cells();
            let mut numbers = |n: usize| (0..n).map(|_| rng.uniform()).collect::<Vec<f64>>();
            let (probs, points) = (numbers(n_cells * k), numbers(n_cells * k * 4));
            let table = CellTable { n_classes: k, probs, n_points: 4, points, tail: 0.2 };
            let input = ListInput {
                columns: values.iter().map(|codes| InputColumn::of_codes(codes)).collect(),
                items: items.clone(),
                antecedents: antecedents.clone(),
                lists,
                missing_is_known: vec![true; 3],
                undecided_get_base_rate: false,
                n_rows,
            };
            let (cells, _) = list_cells(&input, &Control::default()).unwrap();
            let found = averaged(&input, &table, &Control::default()).unwrap();
            for row in 0..n_rows {
                let of_row: Vec<u32> = (0..3).map(|list| cells[list * n_rows + row] as u32).collect();
                let means: Vec<f64> = (0..k)
                    .map(|class| of_row.iter().map(|&cell| table.probs_of(cell)[class]).sum::<f64>() / 3.0)
                    .collect();
                for (class, mean) in means.iter().enumerate() {
                    assert!((found.mean[class * n_rows + row] - mean).abs() < 1e-12);
                }
                let class = if k == 2 { 1 } else { likeliest(&means) };
                let mut all: Vec<f64> =
                    of_row.iter().flat_map(|&cell| table.points_of(cell, class).to_vec()).collect();
                all.sort_by(f64::total_cmp);
                // rank .2 * 12 - .5 = 1.9 from below and from above
                assert!((found.lower[row] - (0.1 * all[1] + 0.9 * all[2])).abs() < 1e-12);
                assert!((found.upper[row] - (0.1 * all[10] + 0.9 * all[9])).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn lists_and_tables_that_do_not_fit_are_refused() {
        assert!(RuleLists::new(vec![0, 1], &[1], 2).is_err());
        assert!(RuleLists::new(vec![2], &[1], 2).is_err());
        let input = ListInput {
            columns: Vec::new(),
            items: Vec::new(),
            antecedents: Antecedents::default(),
            lists: RuleLists::new(Vec::new(), &[0], 0).unwrap(),
            missing_is_known: Vec::new(),
            undecided_get_base_rate: false,
            n_rows: 2,
        };
        let table =
            |probs: Vec<f64>| CellTable { n_classes: 2, probs, n_points: 0, points: Vec::new(), tail: 0.0 };
        assert!(averaged(&input, &table(vec![0.5; 3]), &Control::default()).is_err());
        let found = averaged(&input, &table(vec![0.25, 0.75, 0.5, 0.5]), &Control::default()).unwrap();
        assert_eq!(found.mean, [0.25, 0.25, 0.75, 0.75]);
    }
}
