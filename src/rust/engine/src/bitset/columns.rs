//! Bit columns of equal length in one allocation.

use crate::control::Control;
use crate::error::Error;
use bitvec::prelude::{BitVec, Lsb0};

/// Words written between two checks of the control.
const WORDS_PER_CHECK: usize = 1 << 20;

/// Columns of equal length, one bit per row position.
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

    /// The same, unless `control` ends it: writing the first gigabyte takes a second.
    pub fn zeroed_unless_ended(n_columns: usize, n_words: usize, control: &Control) -> Result<Self, Error> {
        let total = n_columns.checked_mul(n_words).ok_or(Error::Memory(usize::MAX))?;
        let mut words: Vec<u64> = Vec::new();
        let refused = |_| Error::Memory(total.saturating_mul(8));
        words.try_reserve_exact(total).map_err(refused)?;
        while words.len() < total {
            control.check_unfinished()?;
            words.resize(total.min(words.len() + WORDS_PER_CHECK), 0);
        }
        BitColumns::from_words(words, n_columns, n_words)
    }

    /// Columns stored one after the other in `words`.
    pub(crate) fn from_words(words: Vec<u64>, n_columns: usize, n_words: usize) -> Result<Self, Error> {
        let n_bytes = words.len().saturating_mul(8);
        let bits = BitVec::try_from_vec(words).map_err(|_| Error::Memory(n_bytes))?;
        Ok(BitColumns { bits, n_columns, n_words })
    }

    /// Number of columns.
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// Words per column.
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

    /// The words of column `index`, writable.
    pub fn column_mut(&mut self, index: usize) -> &mut [u64] {
        let (start, end) = (index * self.n_words, (index + 1) * self.n_words);
        &mut self.bits.as_raw_mut_slice()[start..end]
    }

    /// The words of each column, writable.
    pub(crate) fn columns_mut(&mut self) -> impl Iterator<Item = &mut [u64]> {
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
    #[cfg(any(test, feature = "naive"))]
    pub fn set(&mut self, index: usize, position: usize) {
        assert!(position < self.n_words * 64);
        self.bits.set(index * self.n_words * 64 + position, true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writing_one_column_leaves_the_others_alone() {
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
    fn a_cancelled_job_allocates_no_columns() {
        let control = Control::default();
        control.cancel();
        assert_eq!(BitColumns::zeroed_unless_ended(3, 5, &control).unwrap_err(), Error::Cancelled);
        let columns = BitColumns::zeroed_unless_ended(3, WORDS_PER_CHECK, &Control::default()).unwrap();
        assert!((0..3).all(|column| columns.column(column) == vec![0; WORDS_PER_CHECK]));
    }
}
