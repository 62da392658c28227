//! The candidates that the search may use, with the rows that they cover.

use crate::bitset::BitColumns;
use crate::data::Rows;
use crate::model::{antecedent_name, Antecedents};

/// The candidates that the search may use.
#[derive(Debug, Clone)]
pub struct Pool {
    /// The training rows.
    pub rows: Rows,
    /// The items of each candidate.
    pub antecedents: Antecedents,
    /// The names of all items.
    pub item_names: Vec<String>,
    /// How many words it takes to say each item; where there are none, all are alike.
    pub item_words: Vec<u32>,
    /// The rows each candidate covers.
    pub covers: BitColumns,
    /// Covered rows per candidate and class.
    pub counts: Vec<u64>,
    /// The supports that were used.
    pub supports: Vec<f64>,
    pub(super) n_distinct: usize,
}

impl Pool {
    /// Candidates with known covers that were not mined.
    pub fn of(rows: Rows, antecedents: Antecedents, covers: BitColumns) -> Self {
        let counts = (0..covers.n_columns()).flat_map(|index| rows.count(covers.column(index))).collect();
        let n_distinct = covers.n_columns();
        Pool {
            rows,
            antecedents,
            item_names: Vec::new(),
            item_words: Vec::new(),
            covers,
            counts,
            supports: Vec::new(),
            n_distinct,
        }
    }

    /// Number of candidates.
    pub fn len(&self) -> usize {
        self.antecedents.len()
    }

    /// Whether there are no candidates.
    pub fn is_empty(&self) -> bool {
        self.antecedents.is_empty()
    }

    /// Number of items of candidate `index`.
    pub fn length(&self, index: usize) -> usize {
        self.antecedents.get(index).len()
    }

    /// The name of candidate `index`, made on request: a pool of millions need not store them all.
    pub fn name(&self, index: usize) -> String {
        antecedent_name(self.antecedents.get(index), &self.item_names)
    }

    /// Covered rows of candidate `index` per class.
    pub fn counts(&self, index: usize) -> &[u64] {
        let n_classes = self.rows.n_classes();
        &self.counts[index * n_classes..(index + 1) * n_classes]
    }

    /// Number of candidates of length 0, 1, 2, …
    pub fn n_by_length(&self) -> Vec<u32> {
        let mut numbers = vec![0];
        for antecedent in self.antecedents.iter() {
            if numbers.len() <= antecedent.len() {
                numbers.resize(antecedent.len() + 1, 0);
            }
            numbers[antecedent.len()] += 1;
        }
        numbers
    }

    /// Number of different sets of rows that the candidates cover.
    pub fn n_distinct(&self) -> usize {
        self.n_distinct
    }
}
