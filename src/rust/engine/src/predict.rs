//! The first rule that covers a row.

use crate::binarise::check_items;
use crate::error::Error;
use crate::model::{Antecedents, Item};

/// Rows looked at together: their free list stays in the nearest cache.
const BLOCK: usize = 4096;

/// For each row, the number of the rule that captures it, from 1; 0 is the default rule. `columns[f][i]` is row `i`'s
/// code of feature `f`; a feature that no rule uses may be empty.
pub fn capturing_rule(
    columns: &[&[i32]],
    items: &[Item],
    rules: &Antecedents,
    n_rows: usize,
) -> Result<Vec<i32>, Error> {
    check_items(items, columns.len())?;
    for &item in rules.flat() {
        let column = items.get(item as usize).map(|item| columns[item.feature as usize]);
        match column {
            Some(column) if column.len() == n_rows => {}
            _ => {
                return Err(Error::Data(format!(
                    "The feature of item {} is not there for all rows.",
                    item + 1
                )))
            }
        }
    }
    let mut captured_by = vec![0i32; n_rows];
    let mut free = Vec::with_capacity(BLOCK);
    let mut taken = Vec::with_capacity(BLOCK);
    for start in (0..n_rows).step_by(BLOCK) {
        free.clear();
        free.extend(start..(start + BLOCK).min(n_rows));
        for (index, antecedent) in rules.iter().enumerate() {
            taken.clear();
            taken.extend_from_slice(&free);
            for &item in antecedent {
                let item = items[item as usize];
                let column = columns[item.feature as usize];
                taken.retain(|&row| item.holds(column[row]));
            }
            for &row in &taken {
                captured_by[row] = index as i32 + 1;
            }
            if !taken.is_empty() {
                free.retain(|&row| captured_by[row] == 0);
            }
        }
    }
    Ok(captured_by)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_rule_that_covers_the_row_takes_it() {
        let a: Vec<i32> = (0..10_000).map(|i| i * 7 % 5).collect();
        let b: Vec<i32> = (0..10_000).map(|i| if i % 13 == 0 { i32::MIN } else { i % 3 }).collect();
        let item = |feature, lo, hi| Item { feature, lo, hi };
        let items = [item(0, 1, 1), item(1, 1, 1), item(1, 2, 2), item(0, 2, 4)];
        let rules = Antecedents::from_flat(&[0, 1, 3, 2], &[2, 1, 1], 4).unwrap();
        let found = capturing_rule(&[&a, &b], &items, &rules, a.len()).unwrap();
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
        assert_eq!(capturing_rule(&[&[], &[1, 2]], &items, &rules, 2), Ok(vec![1, 0]));
        assert!(capturing_rule(&[&[1, 2], &[]], &items, &rules, 2).is_err());
        assert_eq!(capturing_rule(&[&[], &[]], &items, &Antecedents::default(), 3), Ok(vec![0; 3]));
        assert_eq!(capturing_rule(&[&[], &[]], &items, &rules, 0), Ok(vec![]));
    }
}
