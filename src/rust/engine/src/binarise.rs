//! Turns the columns of features into one bit column per item.

use crate::column::{InputColumn, ROWS_PER_BATCH};
use crate::control::Control;
use crate::data::Rows;
use crate::error::Error;
use crate::memory;
use crate::model::Item;
use crate::parallel;

pub use crate::bitset::BitColumns;

/// Check that each item refers to one of `n_features` features.
pub(crate) fn check_items(items: &[Item], n_features: usize) -> Result<(), Error> {
    match items.iter().find(|item| item.feature as usize >= n_features) {
        Some(item) => Err(Error::Data(format!("There is no feature number {}.", item.feature + 1))),
        None => Ok(()),
    }
}

/// One bit column per item, from columns of codes.
#[cfg(any(test, feature = "naive"))]
pub fn item_columns(rows: &Rows, columns: &[&[i32]], items: &[Item]) -> Result<BitColumns, Error> {
    let columns: Vec<InputColumn> = columns.iter().map(|codes| InputColumn::of_codes(codes)).collect();
    item_bits(rows, &columns, items, 1, &Control::default())
}

/// One bit column per item. There is one column per feature; that of a feature without items may be empty.
pub fn item_bits(
    rows: &Rows,
    columns: &[InputColumn],
    items: &[Item],
    threads: usize,
    control: &Control,
) -> Result<BitColumns, Error> {
    check_items(items, columns.len())?;
    let mut bits = BitColumns::zeroed_unless_ended(items.len(), rows.n_words(), control)?;
    let mut tasks = memory::collect(columns.iter().map(|column| Task { column, items: Vec::new() }))?;
    for (item, words) in items.iter().zip(bits.columns_mut()) {
        tasks[item.feature as usize].items.push((item, words));
    }
    let (n_rows, positions) = (rows.n_rows(), rows.positions());
    for (index, task) in tasks.iter().enumerate().filter(|(_, task)| !task.items.is_empty()) {
        let (feature, n) = (index + 1, task.column.len());
        if n != n_rows {
            return Err(Error::Data(format!("Feature {feature} has {n} rows, not {n_rows}.")));
        }
    }
    tasks.retain(|task| !task.items.is_empty());
    // encoding a row takes about as long as reading a word of bits
    let threads = parallel::threads_for(threads, n_rows.saturating_mul(tasks.len()));
    parallel::try_map(threads, tasks, |task| task.set_bits(positions, control))?;
    Ok(bits)
}

/// Items whose bits are made in one pass: one per bit of a byte.
const ITEMS_PER_GROUP: usize = 8;

/// A column and the bit columns of its items.
struct Task<'a> {
    column: &'a InputColumn<'a>,
    items: Vec<(&'a Item, &'a mut [u64])>,
}

impl Task<'_> {
    fn set_bits(self, positions: &[u32], control: &Control) -> Result<(), Error> {
        let n_matches: i64 = self.items.iter().map(|(item, _)| item.n_codes()).sum();
        let n_codes = self.items.iter().map(|(item, _)| i64::from(item.largest()) + 1).max().unwrap_or(0);
        let n_groups = self.items.len().div_ceil(ITEMS_PER_GROUP) as i64;
        // a pass over the rows costs about as much as setting two bits per row
        if n_groups * n_codes <= 2 * n_matches + n_codes {
            self.set_by_group(positions, control)
        } else {
            self.set_by_row(positions, control)
        }
    }

    /// For many items of which each row matches few.
    fn set_by_row(mut self, positions: &[u32], control: &Control) -> Result<(), Error> {
        let n_codes = self.items.iter().map(|(item, _)| item.largest() as usize + 1).max().unwrap_or(0);
        let mut items_by_code = vec![Vec::new(); n_codes];
        for (index, (item, _)) in self.items.iter().enumerate() {
            item.codes().for_each(|code| items_by_code[code as usize].push(index));
        }
        for_each_code(self.column, positions, control, |code, position| {
            for &item in
                usize::try_from(code).ok().and_then(|code| items_by_code.get(code)).into_iter().flatten()
            {
                self.items[item].1[position / 64] |= 1 << (position % 64);
            }
        })
    }

    /// For few items, or items that most rows match: one byte per row position for the matching items of a group.
    fn set_by_group(mut self, positions: &[u32], control: &Control) -> Result<(), Error> {
        let n_bits = self.items.first().map_or(0, |(_, words)| words.len() * 64);
        let mut matching = memory::filled(0u8, n_bits)?;
        for group in self.items.chunks_mut(ITEMS_PER_GROUP) {
            let lookup = Lookup::new(group);
            for_each_code(self.column, positions, control, |code, position| {
                matching[position] = lookup.items(code);
            })?;
            for (index, rows) in matching.chunks_exact(64).enumerate() {
                for (item, word) in transposed(rows).into_iter().enumerate().take(group.len()) {
                    group[item].1[index] = word;
                }
            }
        }
        Ok(())
    }
}

/// Call `visit` with the code and the bit position of each row, in row order.
fn for_each_code(
    column: &InputColumn,
    positions: &[u32],
    control: &Control,
    mut visit: impl FnMut(i32, usize),
) -> Result<(), Error> {
    let mut codes = [0; ROWS_PER_BATCH];
    for (index, positions) in positions.chunks(ROWS_PER_BATCH).enumerate() {
        control.check_unfinished()?;
        let codes = &mut codes[..positions.len()];
        column.codes(index * ROWS_PER_BATCH..index * ROWS_PER_BATCH + positions.len(), codes);
        for (&code, &position) in codes.iter().zip(positions) {
            visit(code, position as usize);
        }
    }
    Ok(())
}

/// Word k collects bit k of each of 64 bytes.
fn transposed(rows: &[u8]) -> [u64; ITEMS_PER_GROUP] {
    let mut columns = [[0u8; 8]; ITEMS_PER_GROUP];
    for (index, eight) in rows.chunks_exact(8).enumerate() {
        let mut square = u64::from_le_bytes(eight.try_into().unwrap_or_default());
        // transpose the 8 × 8 square: swap bits across the diagonal of 2 × 2, 4 × 4, then 8 × 8 squares
        for (shift, mask) in [(7, 0x00AA_00AA_00AA_00AA), (14, 0x0000_CCCC_0000_CCCC), (28, 0xF0F0_F0F0)] {
            let moved = (square ^ (square >> shift)) & mask;
            square ^= moved ^ (moved << shift);
        }
        columns.iter_mut().zip(square.to_le_bytes()).for_each(|(column, byte)| column[index] = byte);
    }
    columns.map(u64::from_le_bytes)
}

/// For each code, the matching items of a group as bits of a byte.
struct Lookup {
    first: i32,
    items: Vec<u8>,
}

impl Lookup {
    fn new(group: &[(&Item, &mut [u64])]) -> Self {
        let first = group.iter().map(|(item, _)| item.smallest()).min().unwrap_or(0);
        let last = group.iter().map(|(item, _)| item.largest()).max().unwrap_or(-1);
        let bits = |code: i32| {
            let matching = group.iter().enumerate().filter(|(_, (item, _))| item.matches(code));
            matching.fold(0, |bits, (index, _)| bits | 1 << index)
        };
        Lookup { first, items: (first..=last).map(bits).collect() }
    }

    #[inline]
    fn items(&self, code: i32) -> u8 {
        self.items.get(code.wrapping_sub(self.first) as u32 as usize).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bit_is_set_where_the_item_matches() {
        let labels: Vec<u32> = (0..200).map(|i| (i % 3) as u32).collect();
        let rows = Rows::new(&labels, 3).unwrap();
        let codes: Vec<i32> = (0..200).map(|i| if i % 11 == 0 { i32::MIN } else { i * 7 % 6 }).collect();
        let other = vec![1; 200];
        let item = |feature, lo, hi| Item::range(feature, lo, hi).unwrap();
        let set = |codes| Item::set(0, codes).unwrap();
        let ranges = [item(1, 1, 1), item(0, 2, 2), item(0, 1, 3), item(0, 3, 5), item(1, 2, 2)];
        let items = [&ranges[..], &[set(&[0, 2, 5]), set(&[1, 4]), item(0, 1, 1)]].concat();
        let bits = item_columns(&rows, &[&codes, &other], &items).unwrap();
        for (index, item) in items.iter().enumerate() {
            let column = if item.feature == 0 { &codes } else { &other };
            for (row, &position) in rows.positions().iter().enumerate() {
                let bit = (bits.column(index)[position as usize / 64] >> (position % 64)) & 1 == 1;
                assert_eq!(bit, item.matches(column[row]), "item {index}, row {row}");
            }
        }
    }

    #[test]
    fn both_ways_set_the_same_bits() {
        let labels: Vec<u32> = (0..9000).map(|i| i * 7 % 11 % 2).collect();
        let rows = Rows::new(&labels, 2).unwrap();
        let codes: Vec<i32> = (0..9000).map(|i| if i % 13 == 0 { -1 } else { i * 31 % 61 }).collect();
        let column = InputColumn::of_codes(&codes);
        let items: Vec<Item> = (0..60)
            .map(|lo| match lo % 5 {
                0 => Item::set(0, &[lo, lo + 2, lo + 3, lo + 17]).unwrap(),
                _ => Item::range(0, lo, if lo % 3 == 0 { lo } else { lo + lo % 9 }).unwrap(),
            })
            .collect();
        let control = Control::default();
        let make = |work: fn(Task, &[u32], &Control) -> Result<(), Error>| {
            let mut bits = BitColumns::zeroed(items.len(), rows.n_words()).unwrap();
            let items = items.iter().zip(bits.columns_mut()).collect();
            work(Task { column: &column, items }, rows.positions(), &control).unwrap();
            bits
        };
        let by_row = make(|task, rows, control| task.set_by_row(rows, control));
        let by_group = make(|task, rows, control| task.set_by_group(rows, control));
        let chosen = make(|task, rows, control| task.set_bits(rows, control));
        for (index, item) in items.iter().enumerate() {
            assert_eq!(by_row.column(index), by_group.column(index));
            assert_eq!(by_row.column(index), chosen.column(index));
            let n_matches = codes.iter().filter(|&&code| item.matches(code)).count() as u64;
            assert_eq!(rows.count(by_row.column(index)).iter().sum::<u64>(), n_matches);
        }
    }

    #[test]
    fn rows_become_columns() {
        let rows: Vec<u8> = (0..64u32).map(|i| (i * i * 37 + i * 11 + 5) as u8).collect();
        let columns = transposed(&rows);
        for (row, byte) in rows.iter().enumerate() {
            for (item, column) in columns.iter().enumerate() {
                assert_eq!(column >> row & 1, u64::from(byte >> item & 1), "row {row}, item {item}");
            }
        }
    }

    #[test]
    fn items_and_columns_that_do_not_fit_are_refused() {
        let rows = Rows::new(&[0, 1], 2).unwrap();
        let item = |feature| [Item::range(feature, 1, 1).unwrap()];
        let codes: &[i32] = &[1, 2];
        assert!(item_columns(&rows, &[codes], &item(1)).is_err());
        assert!(item_columns(&rows, &[&codes[..1]], &item(0)).is_err());
        assert!(item_columns(&rows, &[&[]], &[]).is_ok());
        let control = Control::default();
        control.cancel();
        let bits = item_bits(&rows, &[InputColumn::of_codes(codes)], &item(0), 1, &control);
        assert_eq!(bits.unwrap_err(), Error::Cancelled);
    }

    #[test]
    fn the_number_of_threads_does_not_change_the_bits() {
        let n = 150_000;
        let labels: Vec<u32> = (0..n).map(|i| (i % 7 % 2) as u32).collect();
        let rows = Rows::new(&labels, 2).unwrap();
        let data: Vec<Vec<i32>> = (1..40).map(|f| (0..n).map(|i| (i / f) % 5).collect()).collect();
        let columns: Vec<InputColumn> = data.iter().map(|codes| InputColumn::of_codes(codes)).collect();
        let items: Vec<Item> = (0..39 * 6)
            .map(|i| Item::range(i % 39, i as i32 / 39, 2 + i as i32 / 78))
            .filter_map(Result::ok)
            .collect();
        let make = |threads| item_bits(&rows, &columns, &items, threads, &Control::default()).unwrap();
        let (one, many) = (make(1), make(4));
        let covered = |bits: &BitColumns, item: usize| rows.count(bits.column(item)).iter().sum::<u64>();
        for (index, item) in items.iter().enumerate() {
            assert_eq!(one.column(index), many.column(index));
            let column = &data[item.feature as usize];
            assert_eq!(
                covered(&one, index),
                column.iter().filter(|&&code| item.matches(code)).count() as u64
            );
        }
    }
}
