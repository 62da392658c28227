//! Prediction: the first rule whose antecedent a row matches.

use crate::binarise::check_items;
use crate::column::{InputColumn, ROWS_PER_BATCH};
use crate::control::Control;
use crate::error::Error;
use crate::memory;
use crate::model::{Antecedents, Item};

/// For each row, the number of the rule that captures it, from 1; 0 is the default rule. The columns of features that no rule
/// uses may be empty.
pub fn capturing_rule(
    columns: &[InputColumn],
    items: &[Item],
    rules: &Antecedents,
    n_rows: usize,
    control: &Control,
) -> Result<Vec<i32>, Error> {
    check_items(items, columns.len())?;
    for &item in rules.flat() {
        let column = items.get(item as usize).map(|item| &columns[item.feature as usize]);
        if column.map(InputColumn::len) != Some(n_rows) {
            let message = format!("The feature of item {} is not there for all rows.", item + 1);
            return Err(Error::Data(message));
        }
    }
    let mut batch = Batch::new(columns, n_rows);
    let mut captured_by = memory::filled(0i32, n_rows)?;
    for (index, captured_by) in captured_by.chunks_mut(ROWS_PER_BATCH).enumerate() {
        control.check_unfinished()?;
        batch.begin(index * ROWS_PER_BATCH, captured_by.len());
        batch.capture(items, rules, captured_by);
    }
    Ok(captured_by)
}

/// A batch of consecutive rows. The codes of a feature are made when a rule first needs them.
struct Batch<'a> {
    columns: &'a [InputColumn<'a>],
    start: usize,
    n_rows: usize,
    codes: Vec<Vec<i32>>,
    is_read: Vec<bool>,
    /// Rows that no rule has captured yet, and those of them that match the current antecedent so far.
    free: Vec<u32>,
    matching: Vec<u32>,
}

impl<'a> Batch<'a> {
    fn new(columns: &'a [InputColumn<'a>], n_rows: usize) -> Self {
        let size = ROWS_PER_BATCH.min(n_rows);
        Batch {
            columns,
            start: 0,
            n_rows: 0,
            codes: vec![Vec::new(); columns.len()],
            is_read: vec![false; columns.len()],
            free: Vec::with_capacity(size),
            matching: Vec::with_capacity(size),
        }
    }

    fn begin(&mut self, start: usize, n_rows: usize) {
        (self.start, self.n_rows) = (start, n_rows);
        self.is_read.fill(false);
        self.free.clear();
        self.free.extend(0..n_rows as u32);
    }

    fn capture(&mut self, items: &[Item], rules: &Antecedents, captured_by: &mut [i32]) {
        for (index, antecedent) in rules.iter().enumerate() {
            if self.free.is_empty() {
                return;
            }
            self.matching.clear();
            self.matching.extend_from_slice(&self.free);
            for &item in antecedent {
                self.keep(&items[item as usize]);
            }
            for &row in &self.matching {
                captured_by[row as usize] = index as i32 + 1;
            }
            if !self.matching.is_empty() {
                self.free.retain(|&row| captured_by[row as usize] == 0);
            }
        }
    }

    /// Drop the rows that do not match `item`.
    fn keep(&mut self, item: &Item) {
        let feature = item.feature as usize;
        let codes = &mut self.codes[feature];
        if !self.is_read[feature] {
            codes.resize(self.n_rows, 0);
            self.columns[feature].codes(self.start..self.start + self.n_rows, codes);
            self.is_read[feature] = true;
        }
        self.matching.retain(|&row| item.matches(codes[row as usize]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn capturing_rule(
        columns: &[InputColumn],
        items: &[Item],
        rules: &Antecedents,
        n_rows: usize,
    ) -> Result<Vec<i32>, Error> {
        super::capturing_rule(columns, items, rules, n_rows, &Control::default())
    }

    #[test]
    fn a_row_is_captured_by_the_first_rule_it_matches() {
        let a: Vec<i32> = (0..10_000).map(|i| i * 7 % 5).collect();
        let b: Vec<i32> = (0..10_000).map(|i| if i % 13 == 0 { i32::MIN } else { i % 3 }).collect();
        let item = |feature, lo, hi| Item { feature, lo, hi };
        let items = [item(0, 1, 1), item(1, 1, 1), item(1, 2, 2), item(0, 2, 4)];
        let rules = Antecedents::from_flat(&[0, 1, 3, 2], &[2, 1, 1], 4).unwrap();
        let columns = [InputColumn::of_codes(&a), InputColumn::of_codes(&b)];
        let found = capturing_rule(&columns, &items, &rules, a.len()).unwrap();
        for row in 0..a.len() {
            let matches = |rule: usize| {
                rules.get(rule).iter().all(|&i| {
                    let item = items[i as usize];
                    item.matches(if item.feature == 0 { a[row] } else { b[row] })
                })
            };
            let expected = (0..3).find(|&rule| matches(rule)).map_or(0, |rule| rule as i32 + 1);
            assert_eq!(found[row], expected, "row {row}");
        }
    }

    #[test]
    fn only_columns_of_unused_features_may_be_empty() {
        let items = [Item { feature: 1, lo: 1, hi: 1 }];
        let rules = Antecedents::from_flat(&[0], &[1], 1).unwrap();
        let (none, two) = (InputColumn::of_codes(&[]), InputColumn::of_codes(&[1, 2]));
        assert_eq!(capturing_rule(&[none.clone(), two.clone()], &items, &rules, 2), Ok(vec![1, 0]));
        assert!(capturing_rule(&[two, none.clone()], &items, &rules, 2).is_err());
        let nothing = [none.clone(), none];
        assert_eq!(capturing_rule(&nothing, &items, &Antecedents::default(), 3), Ok(vec![0; 3]));
        assert_eq!(capturing_rule(&nothing, &items, &rules, 0), Ok(vec![]));
    }
}
