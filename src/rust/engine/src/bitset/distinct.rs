//! Columns of which no two are the same.

use super::BitColumns;
use crate::error::Error;
use std::collections::hash_map::DefaultHasher;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};

/// Columns, each kept once.
#[derive(Debug, Clone)]
pub struct DistinctColumns {
    words: Vec<u64>,
    n_words: usize,
    n_columns: usize,
    /// Columns by hash.
    by_hash: HashMap<u64, Vec<usize>>,
}

impl DistinctColumns {
    /// Columns of `n_words` words, none yet.
    pub fn new(n_words: usize) -> Self {
        DistinctColumns { words: Vec::new(), n_words, n_columns: 0, by_hash: HashMap::new() }
    }

    /// The index of `column`, which is the number of those before it if it is new.
    pub fn insert(&mut self, column: &[u64]) -> Result<usize, Error> {
        let mut hasher = DefaultHasher::new();
        column.hash(&mut hasher);
        let alike = self.by_hash.entry(hasher.finish()).or_default();
        let is_same = |&&index: &&usize| self.words[index * self.n_words..][..self.n_words] == *column;
        if let Some(&index) = alike.iter().find(is_same) {
            return Ok(index);
        }
        let n_bytes = (self.words.len() + self.n_words).saturating_mul(8);
        let refused = |_| Error::Memory(n_bytes);
        self.words.try_reserve(self.n_words).map_err(refused)?;
        self.words.extend_from_slice(column);
        alike.push(self.n_columns);
        self.n_columns += 1;
        Ok(self.n_columns - 1)
    }

    /// The columns.
    pub fn finish(self) -> Result<BitColumns, Error> {
        BitColumns::from_words(self.words, self.n_columns, self.n_words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_column_is_kept_once() {
        let mut columns = DistinctColumns::new(2);
        let indices: Vec<usize> = [[1, 2], [2, 1], [1, 2], [0, 0], [2, 1]]
            .iter()
            .map(|column| columns.insert(column).unwrap())
            .collect();
        assert_eq!(indices, [0, 1, 0, 2, 1]);
        let columns = columns.finish().unwrap();
        assert_eq!((columns.n_columns(), columns.column(1)), (3, &[2, 1][..]));
        assert_eq!(DistinctColumns::new(4).finish().unwrap().n_columns(), 0);
    }
}
