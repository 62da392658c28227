//! Prediction: the first rule whose antecedent a row matches, and whether a missing value leaves an earlier one open.

pub mod alike;
pub mod average;
pub mod lists;

use crate::binarise::check_items;
use crate::column::{InputColumn, MISSING, ROWS_PER_BATCH};
use crate::control::Control;
use crate::error::Error;
use crate::memory;
use crate::model::{Antecedents, Item};

/// What the rules capture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Captured {
    /// For each row, the number of the rule that captures it, from 1; 0 is the default rule.
    pub rule: Vec<i32>,
    /// Rows that an earlier rule would or would not have captured, depending on a value that is missing: the rule's other
    /// conditions hold. Rising.
    pub undecided: Vec<u32>,
}

/// Apply the rules to all rows. A missing value matches no condition but that it is missing. `missing_is_known` says of each
/// feature whether values were missing in training: if so, the rules have learnt what that means, and nothing is undecided.
/// The columns of features that no rule uses may be empty.
pub fn capturing_rules(
    columns: &[InputColumn],
    items: &[Item],
    rules: &Antecedents,
    missing_is_known: &[bool],
    n_rows: usize,
    control: &Control,
) -> Result<Captured, Error> {
    check_items(items, columns.len())?;
    for &item in rules.flat() {
        let column = items.get(item as usize).map(|item| &columns[item.feature as usize]);
        if column.map(InputColumn::len) != Some(n_rows) {
            let message = format!("The feature of item {} is not there for all rows.", item + 1);
            return Err(Error::Data(message));
        }
    }
    let mut batch = Batch::new(columns, missing_is_known, n_rows);
    let mut rule = memory::filled(0i32, n_rows)?;
    let mut undecided = Vec::new();
    for (index, captured_by) in rule.chunks_mut(ROWS_PER_BATCH).enumerate() {
        control.check_unfinished()?;
        let start = index * ROWS_PER_BATCH;
        batch.begin(start, captured_by.len());
        batch.capture(items, rules, captured_by);
        batch.undecided.sort_unstable();
        batch.undecided.dedup();
        memory::reserve(&mut undecided, batch.undecided.len())?;
        undecided.extend(batch.undecided.iter().map(|&row| start as u32 + row));
    }
    Ok(Captured { rule, undecided })
}

/// A batch of consecutive rows. The codes of a feature are made when a rule first needs them.
struct Batch<'a> {
    columns: &'a [InputColumn<'a>],
    missing_is_known: &'a [bool],
    start: usize,
    n_rows: usize,
    codes: Vec<Vec<i32>>,
    is_read: Vec<bool>,
    /// Of the features that were read: whether a missing value leaves anything open.
    has_unknown: Vec<bool>,
    /// Rows that no rule has captured yet, and those of them that match the current antecedent so far.
    free: Vec<u32>,
    matching: Vec<u32>,
    /// Rows that match it so far but for values that are missing, and those that some rule ended with.
    open: Vec<u32>,
    undecided: Vec<u32>,
}

impl<'a> Batch<'a> {
    fn new(columns: &'a [InputColumn<'a>], missing_is_known: &'a [bool], n_rows: usize) -> Self {
        let size = ROWS_PER_BATCH.min(n_rows);
        Batch {
            columns,
            missing_is_known,
            start: 0,
            n_rows: 0,
            codes: vec![Vec::new(); columns.len()],
            is_read: vec![false; columns.len()],
            has_unknown: vec![false; columns.len()],
            free: Vec::with_capacity(size),
            matching: Vec::with_capacity(size),
            open: Vec::new(),
            undecided: Vec::new(),
        }
    }

    fn begin(&mut self, start: usize, n_rows: usize) {
        (self.start, self.n_rows) = (start, n_rows);
        self.is_read.fill(false);
        self.undecided.clear();
        self.free.clear();
        self.free.extend(0..n_rows as u32);
    }

    fn capture(&mut self, items: &[Item], rules: &Antecedents, captured_by: &mut [i32]) {
        for (index, antecedent) in rules.iter().enumerate() {
            if self.free.is_empty() {
                return;
            }
            self.open.clear();
            self.matching.clear();
            self.matching.extend_from_slice(&self.free);
            for &item in antecedent {
                self.keep(&items[item as usize]);
            }
            self.undecided.extend_from_slice(&self.open);
            for &row in &self.matching {
                captured_by[row as usize] = index as i32 + 1;
            }
            if !self.matching.is_empty() {
                keep_where(&mut self.free, |row| captured_by[row as usize] == 0);
            }
        }
    }

    /// Drop the rows that do not match `item`; those whose value is missing stay open.
    fn keep(&mut self, item: &Item) {
        let feature = item.feature as usize;
        let codes = &mut self.codes[feature];
        if !self.is_read[feature] {
            codes.resize(self.n_rows, 0);
            self.columns[feature].codes(self.start..self.start + self.n_rows, codes);
            self.is_read[feature] = true;
            self.has_unknown[feature] = !self.missing_is_known[feature] && codes.contains(&MISSING);
        }
        // which codes match is asked for every row: nearly always a range
        match item.as_range() {
            Some((lo, hi)) => {
                // one comparison: codes below `lo` wrap around
                let span = hi.wrapping_sub(lo) as u32;
                self.keep_matching(feature, |code| code.wrapping_sub(lo) as u32 <= span);
            }
            None => self.keep_matching(feature, |code| item.matches(code)),
        }
    }

    #[inline(always)]
    fn keep_matching(&mut self, feature: usize, matches: impl Fn(i32) -> bool) {
        let codes = &self.codes[feature];
        let is_missing = |row: u32| codes[row as usize] == MISSING;
        let is_kept = |row: u32| matches(codes[row as usize]);
        if self.has_unknown[feature] && !matches(MISSING) {
            self.open.retain(|&row| is_kept(row) || is_missing(row));
            self.open.extend(self.matching.iter().filter(|&&row| is_missing(row)));
        } else {
            self.open.retain(|&row| is_kept(row));
        }
        keep_where(&mut self.matching, is_kept);
    }
}

/// `rows.retain(is_kept)` without a branch per row, which the processor could not predict.
#[inline(always)]
fn keep_where(rows: &mut Vec<u32>, is_kept: impl Fn(u32) -> bool) {
    let mut n_kept = 0;
    for index in 0..rows.len() {
        let row = rows[index];
        rows[n_kept] = row;
        n_kept += usize::from(is_kept(row));
    }
    rows.truncate(n_kept);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::ChainRng;

    fn capturing_rule(
        columns: &[InputColumn],
        items: &[Item],
        rules: &Antecedents,
        n_rows: usize,
    ) -> Result<Vec<i32>, Error> {
        let known = vec![true; columns.len()];
        let found = capturing_rules(columns, items, rules, &known, n_rows, &Control::default())?;
        assert!(found.undecided.is_empty());
        Ok(found.rule)
    }

    /// Rule by rule and condition by condition, in three-valued logic.
    fn is_undecided(codes: &[i32], items: &[Item], rules: &Antecedents, known: &[bool]) -> bool {
        for rule in rules.iter() {
            let mut holds = Some(true);
            for &item in rule {
                let item = &items[item as usize];
                let code = codes[item.feature as usize];
                let is_unknown =
                    code == 0 && item.codes().all(|code| code > 0) && !known[item.feature as usize];
                holds = match (holds, is_unknown) {
                    (Some(false), _) => Some(false),
                    (_, false) if !item.matches(code) => Some(false),
                    (holds, false) => holds,
                    (_, true) => None,
                };
            }
            match holds {
                None => return true,
                Some(true) => return false,
                Some(false) => {}
            }
        }
        false
    }

    #[test]
    fn a_row_is_undecided_if_a_missing_value_could_have_let_an_earlier_rule_capture_it() {
        let mut rng = ChainRng::new(1, 0);
        let mut n_undecided = 0;
        for _ in 0..50 {
            let n_rows = 9000;
            let mut column = || {
                // some columns have missing values in the later batches only, or none
                let first_missing = n_rows / 2 * rng.below(3);
                let code = |row| match rng.below(5) as i32 - 1 {
                    MISSING if row < first_missing => 1,
                    code => code,
                };
                (0..n_rows).map(code).collect::<Vec<i32>>()
            };
            let values = [column(), column(), column()];
            let columns: Vec<InputColumn> = values.iter().map(|codes| InputColumn::of_codes(codes)).collect();
            let items: Vec<Item> = (0..6)
                .map(|index| match rng.below(4) {
                    0 | 1 => Item::range(index % 3, 0, 0).unwrap(),
                    2 => Item::range(index % 3, 1, 2).unwrap(),
                    _ => Item::set(index % 3, &[1, 3]).unwrap(),
                })
                .collect();
            let rules = Antecedents::from_flat(&[0, 1, 2, 3, 4, 5], &[2, 1, 3], 6).unwrap();
            let known = [rng.below(2) == 0, rng.below(2) == 0, false];
            let found =
                capturing_rules(&columns, &items, &rules, &known, n_rows, &Control::default()).unwrap();
            let expected: Vec<u32> = (0..n_rows as u32)
                .filter(|&row| {
                    let codes = [0, 1, 2].map(|feature: usize| values[feature][row as usize]);
                    is_undecided(&codes, &items, &rules, &known)
                })
                .collect();
            n_undecided += expected.len();
            assert_eq!(found.undecided, expected);
        }
        assert!(n_undecided > 1000);
    }

    #[test]
    fn a_row_is_captured_by_the_first_rule_it_matches() {
        let a: Vec<i32> = (0..10_000).map(|i| i * 7 % 5).collect();
        let b: Vec<i32> = (0..10_000).map(|i| if i % 13 == 0 { i32::MIN } else { i % 3 }).collect();
        let item = |feature, lo, hi| Item::range(feature, lo, hi).unwrap();
        let items = [item(0, 1, 1), item(1, 1, 1), item(1, 2, 2), Item::set(0, &[2, 4]).unwrap()];
        let rules = Antecedents::from_flat(&[0, 1, 3, 2], &[2, 1, 1], 4).unwrap();
        let columns = [InputColumn::of_codes(&a), InputColumn::of_codes(&b)];
        let found = capturing_rule(&columns, &items, &rules, a.len()).unwrap();
        for row in 0..a.len() {
            let matches = |rule: usize| {
                rules.get(rule).iter().all(|&i| {
                    let item = &items[i as usize];
                    item.matches(if item.feature == 0 { a[row] } else { b[row] })
                })
            };
            let expected = (0..3).find(|&rule| matches(rule)).map_or(0, |rule| rule as i32 + 1);
            assert_eq!(found[row], expected, "row {row}");
        }
    }

    #[test]
    fn only_columns_of_unused_features_may_be_empty() {
        let items = [Item::range(1, 1, 1).unwrap()];
        let rules = Antecedents::from_flat(&[0], &[1], 1).unwrap();
        let (none, two) = (InputColumn::of_codes(&[]), InputColumn::of_codes(&[1, 2]));
        assert_eq!(capturing_rule(&[none.clone(), two.clone()], &items, &rules, 2), Ok(vec![1, 0]));
        assert!(capturing_rule(&[two, none.clone()], &items, &rules, 2).is_err());
        let nothing = [none.clone(), none];
        assert_eq!(capturing_rule(&nothing, &items, &Antecedents::default(), 3), Ok(vec![0; 3]));
        assert_eq!(capturing_rule(&nothing, &items, &rules, 0), Ok(vec![]));
    }
}
