//! Columns → items as bit columns.

use crate::bitset::BitColumns;
use crate::column::{Column, BLOCK, MAX_CODE};
use crate::data::Rows;
use crate::error::Error;
use crate::model::Item;
use crate::parallel;

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
    let columns: Vec<Column> = columns.iter().map(|codes| Column::of_codes(codes)).collect();
    let mut bits = ItemBits::new(rows.clone(), items.to_vec(), columns.len())?;
    bits.add(&columns, 1)?;
    Ok(bits.finish()?.2)
}

/// Bit columns in the making: features come in their order, some at a time, so that nobody waits long for an answer.
#[derive(Debug)]
pub struct ItemBits {
    rows: Rows,
    items: Vec<Item>,
    bits: BitColumns,
    n_features: usize,
    n_added: usize,
}

impl ItemBits {
    pub fn new(rows: Rows, items: Vec<Item>, n_features: usize) -> Result<Self, Error> {
        check_items(&items, n_features)?;
        let bits = BitColumns::zeroed(items.len(), rows.n_words())?;
        Ok(ItemBits { rows, items, bits, n_features, n_added: 0 })
    }

    /// The next features. One without items may be empty.
    pub fn add(&mut self, columns: &[Column], threads: usize) -> Result<(), Error> {
        let first = self.n_added;
        if columns.len() > self.n_features - first {
            return Err(Error::Data("There are more columns than features.".into()));
        }
        self.n_added += columns.len();
        let mut tasks: Vec<Task> = columns.iter().map(|column| Task { column, items: Vec::new() }).collect();
        for (item, words) in self.items.iter().zip(self.bits.columns_mut()) {
            let task = (item.feature as usize).checked_sub(first).and_then(|index| tasks.get_mut(index));
            if let Some(task) = task {
                task.items.push((*item, words));
            }
        }
        let (n_rows, positions) = (self.rows.n_rows(), self.rows.positions());
        for (index, task) in tasks.iter().enumerate().filter(|(_, task)| !task.items.is_empty()) {
            let n = task.column.len();
            if n != n_rows {
                let feature = first + index + 1;
                return Err(Error::Data(format!("Feature {feature} has {n} rows, not {n_rows}.")));
            }
        }
        tasks.retain(|task| !task.items.is_empty());
        // a row takes about as long as a word of bits
        let threads = parallel::threads_for(threads, n_rows.saturating_mul(tasks.len()));
        parallel::map(threads, tasks, |task| task.set_bits(positions))?;
        Ok(())
    }

    /// Rows, items and their columns, once every feature that has items is there.
    pub fn finish(self) -> Result<(Rows, Vec<Item>, BitColumns), Error> {
        if let Some(item) = self.items.iter().find(|item| item.feature as usize >= self.n_added) {
            return Err(Error::Data(format!("Feature {} is not there.", item.feature + 1)));
        }
        Ok((self.rows, self.items, self.bits))
    }
}

/// A column and the bits of its items.
struct Task<'a> {
    column: &'a Column<'a>,
    items: Vec<(Item, &'a mut [u64])>,
}

impl Task<'_> {
    /// One pass over the rows sets the bits of all items.
    fn set_bits(mut self, positions: &[u32]) {
        let lookup = Lookup::new(&self.items);
        let mut codes = [0; BLOCK];
        let mut start = 0;
        for positions in positions.chunks(BLOCK) {
            let codes = &mut codes[..positions.len()];
            self.column.codes(start..start + positions.len(), codes);
            start += positions.len();
            for (&code, &position) in codes.iter().zip(positions) {
                for &item in lookup.items(code) {
                    self.items[item as usize].1[position as usize / 64] |= 1 << (position % 64);
                }
            }
        }
    }
}

/// Which items of one feature hold for each code.
struct Lookup {
    first: i32,
    starts: Vec<usize>,
    items: Vec<u32>,
}

impl Lookup {
    fn new(of_feature: &[(Item, &mut [u64])]) -> Self {
        let first = of_feature.iter().map(|(item, _)| item.lo).min().unwrap_or(0);
        let last = of_feature.iter().map(|(item, _)| item.hi).max().unwrap_or(-1);
        let mut starts = vec![0];
        let mut flat = Vec::new();
        for code in first..=last {
            let hold = of_feature.iter().enumerate().filter(|(_, (item, _))| item.holds(code));
            flat.extend(hold.map(|(index, _)| index as u32));
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
        let columns = [Column::of_codes(codes), Column::of_codes(codes)];
        let mut bits = ItemBits::new(rows, item(1, 1, 1).to_vec(), 2).unwrap();
        bits.add(&columns[..1], 1).unwrap();
        assert!(bits.add(&columns, 1).is_err(), "too many");
        assert!(bits.finish().is_err(), "the second is not there");
    }

    #[test]
    fn threads_and_batches_make_no_difference() {
        let n = 150_000;
        let labels: Vec<u32> = (0..n).map(|i| (i % 7 % 2) as u32).collect();
        let rows = Rows::new(&labels, 2).unwrap();
        let data: Vec<Vec<i32>> =
            (1..40).map(|f| (0..n as i32).map(|i| (i / f) % 5).collect()).collect();
        let columns: Vec<Column> = data.iter().map(|codes| Column::of_codes(codes)).collect();
        let items: Vec<Item> = (0..39 * 6)
            .map(|i| Item { feature: i % 39, lo: i as i32 / 39, hi: 2 + i as i32 / 78 })
            .filter(|item| item.lo <= item.hi)
            .collect();
        let make = |threads, batch| {
            let mut bits = ItemBits::new(rows.clone(), items.clone(), columns.len()).unwrap();
            columns.chunks(batch).for_each(|columns| bits.add(columns, threads).unwrap());
            bits.finish().unwrap().2
        };
        let (one, many) = (make(1, 39), make(4, 20));
        let covered = |bits: &BitColumns, item: usize| rows.count(bits.column(item)).iter().sum::<u64>();
        for (index, item) in items.iter().enumerate() {
            assert_eq!(one.column(index), many.column(index));
            let column = &data[item.feature as usize];
            assert_eq!(covered(&one, index), column.iter().filter(|&&code| item.holds(code)).count() as u64);
        }
    }
}
