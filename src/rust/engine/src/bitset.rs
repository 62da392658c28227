//! Rows as bits: columns of 64-bit words, and the counting kernels over them.

#[cfg(target_arch = "x86_64")]
mod avx2;
pub mod bit_sliced;
pub mod blocks;
pub mod distinct;
pub mod kernel;
pub mod row_selection;
pub mod short_columns;
pub mod simd;
pub mod sparse;

use crate::control::Control;
use crate::error::Error;
use bitvec::prelude::{BitVec, Lsb0};
use blocks::{Blocks, MaskedBitsRef};

/// Words that are written between two looks at the flags.
const PER_LOOK: usize = 1 << 20;

/// Columns of equal length, one bit per row position, side by side in one allocation.
#[derive(Debug, Clone)]
pub struct BitColumns {
    bits: BitVec<u64, Lsb0>,
    n_columns: usize,
    n_words: usize,
}

impl BitColumns {
    /// `n_columns` columns of `n_words` words, all bits 0.
    pub fn zeroed(n_columns: usize, n_words: usize) -> Result<Self, Error> {
        BitColumns::zeroed_unless_ended(n_columns, n_words, &Control::default())
    }

    /// The same, unless told to end: to write the first zeros of a gigabyte takes a second.
    pub fn zeroed_unless_ended(n_columns: usize, n_words: usize, control: &Control) -> Result<Self, Error> {
        let total = n_columns.checked_mul(n_words).ok_or(Error::Memory(usize::MAX))?;
        let mut words: Vec<u64> = Vec::new();
        let refused = |_| Error::Memory(total.saturating_mul(8));
        words.try_reserve_exact(total).map_err(refused)?;
        while words.len() < total {
            control.check_unfinished()?;
            words.resize(total.min(words.len() + PER_LOOK), 0);
        }
        BitColumns::from_words(words, n_columns, n_words)
    }

    /// Columns that lie one behind the other in `words`.
    fn from_words(words: Vec<u64>, n_columns: usize, n_words: usize) -> Result<Self, Error> {
        let n_bytes = words.len().saturating_mul(8);
        let bits = BitVec::try_from_vec(words).map_err(|_| Error::Memory(n_bytes))?;
        Ok(BitColumns { bits, n_columns, n_words })
    }

    pub fn n_columns(&self) -> usize {
        self.n_columns
    }

    pub fn n_words(&self) -> usize {
        self.n_words
    }

    /// The words of all columns.
    pub fn words(&self) -> &[u64] {
        self.bits.as_raw_slice()
    }

    /// The words of column `index`.
    pub fn column(&self, index: usize) -> &[u64] {
        &self.bits.as_raw_slice()[index * self.n_words..(index + 1) * self.n_words]
    }

    /// The words of column `index`, to be written.
    pub fn column_mut(&mut self, index: usize) -> &mut [u64] {
        let (start, end) = (index * self.n_words, (index + 1) * self.n_words);
        &mut self.bits.as_raw_mut_slice()[start..end]
    }

    /// The words of every column, to be written.
    pub fn columns_mut(&mut self) -> impl Iterator<Item = &mut [u64]> {
        let n_words = self.n_words;
        let (words, n_columns) = (self.bits.as_raw_mut_slice(), self.n_columns);
        let mut rest = Some(words);
        (0..n_columns).map(move |_| {
            let (column, tail) = rest.take().unwrap_or_default().split_at_mut(n_words);
            rest = Some(tail);
            column
        })
    }

    /// Set the bit at row position `position` of column `index`.
    pub fn set(&mut self, index: usize, position: usize) {
        self.column_mut(index)[position / 64] |= 1 << (position % 64);
    }
}

/// Which blocks of each column hold a bit.
#[derive(Debug, Clone)]
pub struct Masks {
    words: Vec<u64>,
    per_column: usize,
}

impl Masks {
    pub fn new(columns: &BitColumns, blocks: &Blocks) -> Self {
        let per_column = blocks.n_masks();
        let mut words = vec![0; columns.n_columns() * per_column];
        for (index, mask) in words.chunks_exact_mut(per_column.max(1)).enumerate() {
            blocks.mask_of(columns.column(index), mask);
        }
        Masks { words, per_column }
    }
}

/// Columns with their masks.
#[derive(Debug, Clone, Copy)]
pub struct MaskedColumns<'a> {
    words: &'a [u64],
    n_words: usize,
    masks: &'a [u64],
    n_masks: usize,
}

impl<'a> MaskedColumns<'a> {
    pub fn new(columns: &'a BitColumns, masks: &'a Masks) -> Self {
        let words = columns.bits.as_raw_slice();
        MaskedColumns { words, n_words: columns.n_words, masks: &masks.words, n_masks: masks.per_column }
    }

    #[inline(always)]
    pub fn get(&self, index: usize) -> MaskedBitsRef<'a> {
        let (n, m) = (self.n_words, self.n_masks);
        MaskedBitsRef {
            words: &self.words[index * n..(index + 1) * n],
            mask: &self.masks[index * m..(index + 1) * m],
        }
    }
}

/// `to &= from`.
pub fn and_with(to: &mut [u64], from: &[u64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to &= from;
    }
}

/// `out = a & b`.
pub fn and_into(a: &[u64], b: &[u64], out: &mut [u64]) {
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        *out = a & b;
    }
}

/// Move the bits of `from` that lie in `cover` to `to`.
pub fn move_covered(from: &mut [u64], cover: &[u64], to: &mut [u64]) {
    for ((from, cover), to) in from.iter_mut().zip(cover).zip(to) {
        let moved = *from & cover;
        *to |= moved;
        *from ^= moved;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_do_not_touch_each_other() {
        let mut columns = BitColumns::zeroed(3, 2).unwrap();
        columns.set(1, 0);
        columns.set(1, 127);
        assert_eq!(columns.column(0), [0, 0]);
        assert_eq!(columns.column(1), [1, 1 << 63]);
        assert_eq!(columns.column(2), [0, 0]);
        columns.columns_mut().zip(5..).for_each(|(column, word)| column[1] = word);
        assert_eq!((0..3).map(|index| columns.column(index)[1]).collect::<Vec<_>>(), [5, 6, 7]);
        assert_eq!(BitColumns::zeroed(4, 0).unwrap().columns_mut().map(|column| column.len()).max(), Some(0));
    }

    #[test]
    fn an_impossible_size_is_an_error() {
        assert!(matches!(BitColumns::zeroed(usize::MAX, 2), Err(Error::Memory(_))));
        assert!(matches!(BitColumns::zeroed(1 << 40, 1 << 20), Err(Error::Memory(_))));
    }

    #[test]
    fn columns_that_nobody_waits_for_are_not_written() {
        let control = Control::default();
        control.cancel();
        assert_eq!(BitColumns::zeroed_unless_ended(3, 5, &control).unwrap_err(), Error::Cancelled);
        let columns = BitColumns::zeroed_unless_ended(3, PER_LOOK, &Control::default()).unwrap();
        assert!((0..3).all(|column| columns.column(column) == vec![0; PER_LOOK]));
    }

    #[test]
    fn moves_keep_every_bit_once() {
        let mut from = [0b1111_0000u64, 7];
        let mut to = [1u64, 0];
        move_covered(&mut from, &[0b0011_0011, 5], &mut to);
        assert_eq!(from, [0b1100_0000, 2]);
        assert_eq!(to, [0b0011_0001, 5]);
    }
}
