//! The first rule that covers a row.

use crate::binarise::check_items;
use crate::column::{InputColumn, ROWS_PER_BATCH};
use crate::control::Control;
use crate::error::Error;
use crate::memory;
use crate::model::{Antecedents, Item};

/// For each row, the number of the rule that captures it, from 1; 0 is the default rule. A feature that no rule uses may
/// be empty.
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
    let mut block = Block::new(columns, n_rows);
    let mut captured_by = memory::filled(0i32, n_rows)?;
    for (index, captured_by) in captured_by.chunks_mut(ROWS_PER_BATCH).enumerate() {
        control.check_unfinished()?;
        block.enter(index * ROWS_PER_BATCH, captured_by.len());
        block.capture(items, rules, captured_by);
    }
    Ok(captured_by)
}

/// Some neighbouring rows. The codes of a feature are made when a rule first asks for them.
struct Block<'a> {
    columns: &'a [InputColumn<'a>],
    start: usize,
    n_rows: usize,
    codes: Vec<Vec<i32>>,
    is_read: Vec<bool>,
    /// Rows of the block that no rule has captured yet, and those of them that obey the items looked at so far.
    free: Vec<u32>,
    taken: Vec<u32>,
}

impl<'a> Block<'a> {
    fn new(columns: &'a [InputColumn<'a>], n_rows: usize) -> Self {
        let size = ROWS_PER_BATCH.min(n_rows);
        Block {
            columns,
            start: 0,
            n_rows: 0,
            codes: vec![Vec::new(); columns.len()],
            is_read: vec![false; columns.len()],
            free: Vec::with_capacity(size),
            taken: Vec::with_capacity(size),
        }
    }

    fn enter(&mut self, start: usize, n_rows: usize) {
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
            self.taken.clear();
            self.taken.extend_from_slice(&self.free);
            for &item in antecedent {
                self.keep(&items[item as usize]);
            }
            for &row in &self.taken {
                captured_by[row as usize] = index as i32 + 1;
            }
            if !self.taken.is_empty() {
                self.free.retain(|&row| captured_by[row as usize] == 0);
            }
        }
    }

    /// Let go of the taken rows that do not obey `item`.
    fn keep(&mut self, item: &Item) {
        let feature = item.feature as usize;
        let codes = &mut self.codes[feature];
        if !self.is_read[feature] {
            codes.resize(self.n_rows, 0);
            self.columns[feature].codes(self.start..self.start + self.n_rows, codes);
            self.is_read[feature] = true;
        }
        self.taken.retain(|&row| item.holds(codes[row as usize]));
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
    fn the_first_rule_that_covers_the_row_takes_it() {
        let a: Vec<i32> = (0..10_000).map(|i| i * 7 % 5).collect();
        let b: Vec<i32> = (0..10_000).map(|i| if i % 13 == 0 { i32::MIN } else { i % 3 }).collect();
        let item = |feature, lo, hi| Item { feature, lo, hi };
        let items = [item(0, 1, 1), item(1, 1, 1), item(1, 2, 2), item(0, 2, 4)];
        let rules = Antecedents::from_flat(&[0, 1, 3, 2], &[2, 1, 1], 4).unwrap();
        let columns = [InputColumn::of_codes(&a), InputColumn::of_codes(&b)];
        let found = capturing_rule(&columns, &items, &rules, a.len()).unwrap();
        for row in 0..a.len() {
            let obeys = |rule: usize| {
                rules.get(rule).iter().all(|&i| {
                    let item = items[i as usize];
                    item.holds(if item.feature == 0 { a[row] } else { b[row] })
                })
            };
            let expected = (0..3).find(|&rule| obeys(rule)).map_or(0, |rule| rule as i32 + 1);
            assert_eq!(found[row], expected, "row {row}");
        }
    }

    #[test]
    fn unused_features_may_be_absent_and_used_ones_not() {
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
