//! Columns of codes → items as bit columns.

use crate::bitset::BitColumns;
use crate::data::Rows;
use crate::error::Error;
use crate::model::Item;

/// No feature has codes beyond this one.
pub const MAX_CODE: i32 = 1 << 20;

/// Check that every item speaks of one of `n_features` features, with a proper range of codes.
pub fn check_items(items: &[Item], n_features: usize) -> Result<(), Error> {
    let proper = |item: &Item| 0 <= item.lo && item.lo <= item.hi && item.hi <= MAX_CODE;
    let bad = |item: &&Item| item.feature as usize >= n_features || !proper(item);
    match items.iter().find(bad) {
        Some(item) => Err(Error::Data(format!("An item does not fit its feature: {item:?}."))),
        None => Ok(()),
    }
}

/// One bit column per item. `columns[f][i]` is row `i`'s code of feature `f`; a feature without items may be empty.
pub fn item_columns(rows: &Rows, columns: &[&[i32]], items: &[Item]) -> Result<BitColumns, Error> {
    check_items(items, columns.len())?;
    let mut bits = BitColumns::zeroed(items.len(), rows.n_words())?;
    let mut by_feature = vec![Vec::new(); columns.len()];
    for (index, item) in items.iter().enumerate() {
        by_feature[item.feature as usize].push(index);
    }
    for (feature, of_feature) in by_feature.iter().enumerate().filter(|(_, items)| !items.is_empty()) {
        if columns[feature].len() != rows.n_rows() {
            return Err(Error::Data(format!(
                "Feature {} has {} rows, not {}.",
                feature + 1,
                columns[feature].len(),
                rows.n_rows()
            )));
        }
        let lookup = Lookup::new(of_feature, items);
        for (&code, &position) in columns[feature].iter().zip(rows.positions()) {
            for &item in lookup.items(code) {
                bits.set(item as usize, position as usize);
            }
        }
    }
    Ok(bits)
}

/// Which items of one feature hold for each code: one pass over the rows sets all their bits.
struct Lookup {
    first: i32,
    starts: Vec<usize>,
    items: Vec<u32>,
}

impl Lookup {
    fn new(of_feature: &[usize], items: &[Item]) -> Self {
        let ranges = || of_feature.iter().map(|&item| (item, items[item]));
        let mut edges: Vec<i32> = ranges().flat_map(|(_, i)| [i.lo, i.hi]).collect();
        edges.sort_unstable();
        let (first, last) = match (edges.first(), edges.last()) {
            (Some(&first), Some(&last)) => (first, last),
            _ => (0, -1),
        };
        let mut starts = vec![0];
        let mut flat = Vec::new();
        for code in first..=last {
            flat.extend(ranges().filter(|(_, i)| i.holds(code)).map(|(item, _)| item as u32));
            starts.push(flat.len());
        }
        Lookup { first, starts, items: flat }
    }

    fn items(&self, code: i32) -> &[u32] {
        let Some(index) = code.checked_sub(self.first).filter(|&i| i >= 0) else {
            return &[];
        };
        match self.starts.get(index as usize..index as usize + 2) {
            Some(range) => &self.items[range[0]..range[1]],
            None => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_what_the_items_say() {
        let labels: Vec<u32> = (0..200).map(|i| (i % 3) as u32).collect();
        let rows = Rows::new(&labels, 3).unwrap();
        let codes: Vec<i32> = (0..200).map(|i| if i % 11 == 0 { i32::MIN } else { i * 7 % 6 }).collect();
        let other = vec![1; 200];
        let item = |feature, lo, hi| Item { feature, lo, hi };
        let items =
            [item(1, 1, 1), item(0, 2, 2), item(0, 1, 3), item(0, 3, 5), item(1, 2, 2), item(0, 1, 1)];
        let bits = item_columns(&rows, &[&codes, &other], &items).unwrap();
        for (index, item) in items.iter().enumerate() {
            let column = if item.feature == 0 { &codes } else { &other };
            for (row, &position) in rows.positions().iter().enumerate() {
                let bit = (bits.column(index)[position as usize / 64] >> (position % 64)) & 1 == 1;
                assert_eq!(bit, item.holds(column[row]), "item {index}, row {row}");
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let rows = Rows::new(&[0, 1], 2).unwrap();
        let item = |feature, lo, hi| [Item { feature, lo, hi }];
        let codes: &[i32] = &[1, 2];
        assert!(item_columns(&rows, &[codes], &item(1, 1, 1)).is_err());
        assert!(item_columns(&rows, &[codes], &item(0, 2, 1)).is_err());
        assert!(item_columns(&rows, &[codes], &item(0, i32::MIN, 1)).is_err());
        assert!(item_columns(&rows, &[&codes[..1]], &item(0, 1, 1)).is_err());
        assert!(item_columns(&rows, &[&[]], &[]).is_ok());
    }
}
