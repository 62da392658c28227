//! Finds equal columns: a hash shows where to look, the words decide.

use super::columns::BitColumns;
use crate::control::Control;
use crate::error::Error;
use crate::memory;
use std::collections::HashMap;

/// Columns, each kept once for each kind of column.
#[derive(Debug, Clone)]
pub struct DistinctColumns {
    words: Vec<u64>,
    n_words: usize,
    n_columns: usize,
    /// Indices of the columns with each hash and of each kind.
    by_hash: HashMap<(u64, usize), Vec<usize>>,
}

impl DistinctColumns {
    /// No columns yet; each will have `n_words` words.
    pub fn new(n_words: usize) -> Self {
        DistinctColumns { words: Vec::new(), n_words, n_columns: 0, by_hash: HashMap::new() }
    }

    /// The index of the equal column of this kind. A new column gets the next free index.
    pub fn insert(&mut self, column: &[u64], kind: usize) -> Result<usize, Error> {
        let same_hash = self.by_hash.entry((hash(column), kind)).or_default();
        let is_equal = |&&index: &&usize| self.words[index * self.n_words..][..self.n_words] == *column;
        if let Some(&index) = same_hash.iter().find(is_equal) {
            return Ok(index);
        }
        memory::extend_from_slice(&mut self.words, column)?;
        same_hash.push(self.n_columns);
        self.n_columns += 1;
        Ok(self.n_columns - 1)
    }

    /// The columns.
    pub fn finish(self) -> Result<BitColumns, Error> {
        BitColumns::from_words(self.words, self.n_columns, self.n_words)
    }
}

/// A hash of `words`. Four independent sums keep the processor's multipliers busy.
pub fn hash(words: &[u64]) -> u64 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let mix = |sum: u64, word: u64| (sum ^ word).wrapping_mul(ODD).rotate_left(29);
    let mut sums = [1u64, 2, 3, 4];
    let mut chunks = words.chunks_exact(4);
    for chunk in &mut chunks {
        for (sum, &word) in sums.iter_mut().zip(chunk) {
            *sum = mix(*sum, word);
        }
    }
    let rest = chunks.remainder().iter().fold(5, |sum, &word| mix(sum, word));
    sums.iter().fold(rest, |all, &sum| mix(all, sum))
}

/// How many of `columns` differ, given the [`hash`] of each: the columns are not copied, and the hashes may have been
/// computed by several threads.
pub fn count_distinct(columns: &BitColumns, hashes: &[u64], control: &Control) -> Result<usize, Error> {
    let mut order = memory::collect(0..hashes.len() as u32)?;
    order.sort_unstable_by_key(|&index| hashes[index as usize]);
    let mut n_distinct = 0;
    let mut same_hash: Vec<&[u64]> = Vec::new();
    let mut last = None;
    for index in order {
        control.check_unfinished()?;
        let hash = hashes[index as usize];
        if last.replace(hash) != Some(hash) {
            same_hash.clear();
        }
        let column = columns.column(index as usize);
        if !same_hash.contains(&column) {
            memory::push(&mut same_hash, column)?;
            n_distinct += 1;
        }
    }
    Ok(n_distinct)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_column_is_kept_once() {
        let mut columns = DistinctColumns::new(2);
        let inserted = [([1, 2], 0), ([2, 1], 0), ([1, 2], 0), ([0, 0], 0), ([2, 1], 0), ([2, 1], 7)];
        let index = |(column, kind): &([u64; 2], usize)| columns.insert(column, *kind).unwrap();
        let indices: Vec<usize> = inserted.iter().map(index).collect();
        assert_eq!(indices, [0, 1, 0, 2, 1, 3]);
        let columns = columns.finish().unwrap();
        assert_eq!(
            (columns.n_columns(), columns.column(1), columns.column(3)),
            (4, &[2, 1][..], &[2, 1][..])
        );
        assert_eq!(DistinctColumns::new(4).finish().unwrap().n_columns(), 0);
    }

    #[test]
    fn equal_hashes_do_not_make_columns_equal() {
        let mut columns = BitColumns::zeroed(5, 3).unwrap();
        for (index, word) in [(0, 7), (1, 8), (2, 7), (3, 8), (4, 9)] {
            columns.column_mut(index)[1] = word;
        }
        let control = Control::default();
        assert_eq!(count_distinct(&columns, &[1; 5], &control), Ok(3));
        assert_eq!(count_distinct(&columns, &[1, 2, 1, 2, 1], &control), Ok(3));
        control.cancel();
        assert_eq!(count_distinct(&columns, &[1; 5], &control), Err(Error::Cancelled));
    }
}
