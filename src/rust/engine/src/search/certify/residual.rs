//! The rows that a prefix leaves, packed, with the candidates that still differ on them.

use super::table::Table;
use crate::bitset::distinct::hash;
use crate::bitset::BitColumns;
use crate::control::Control;
use crate::data::Rows;
use crate::error::Error;
use crate::memory;
use std::collections::HashMap;

/// Rows left and candidates, one for each column and length.
///
/// **B10 (representatives).** Two candidates of one length that cover the same of these rows are worth the same from here on, so
/// the one with the smaller number is enough; candidates that cover none or all of the rows are not part of a best list. This
/// holds where no length is used up and no empty rule pays ([`super::prices::Prices::is_plain`]), and only then.
#[derive(Debug)]
pub struct Residual {
    pub rows: Rows,
    pub covers: BitColumns,
    /// The candidates, in increasing order.
    pub candidates: Vec<u32>,
    /// Counts by group of rows: of each candidate, and of all rows.
    pub counts: Vec<u64>,
    pub total: Vec<u64>,
}

impl Residual {
    /// All rows of a table.
    pub fn whole(table: &Table<'_>, control: &Control) -> Result<Self, Error> {
        let candidates = memory::collect(0..table.lengths.len() as u32)?;
        Residual::of(table, (&table.rows, &table.covers), &candidates, table.rows.all(), control)
    }

    /// What is left after candidate `index`.
    pub fn after(&self, table: &Table<'_>, index: usize, control: &Control) -> Result<Self, Error> {
        let cover = self.covers.column(index);
        let kept = memory::collect(self.rows.all().iter().zip(cover).map(|(rows, cover)| rows & !cover))?;
        Residual::of(table, (&self.rows, &self.covers), &self.candidates, &kept, control)
    }

    fn of(
        table: &Table<'_>,
        (rows, covers): (&Rows, &BitColumns),
        candidates: &[u32],
        kept: &[u64],
        control: &Control,
    ) -> Result<Self, Error> {
        let n_groups = table.n_groups();
        let total = rows.count(kept);
        let mut counts = memory::filled(0, candidates.len() * n_groups)?;
        rows.count_each(kept, covers.words(), &mut counts);
        let (rows, selection) = rows.only(kept, control)?;
        let mut chosen = Chosen::new(rows.n_words());
        let mut left = Residual {
            rows,
            covers: BitColumns::zeroed(0, 0)?,
            candidates: Vec::new(),
            counts: Vec::new(),
            total,
        };
        for (index, counts) in counts.chunks_exact(n_groups).enumerate() {
            if counts.iter().all(|&n| n == 0) || counts == left.total {
                continue;
            }
            let length = table.lengths[candidates[index] as usize];
            if chosen.insert(&selection.pack(covers.column(index)), length)? {
                memory::push(&mut left.candidates, candidates[index])?;
                memory::extend_from_slice(&mut left.counts, counts)?;
            }
        }
        left.covers = chosen.finish()?;
        Ok(left)
    }

    /// The group counts of candidate `index`.
    pub fn counts(&self, index: usize) -> &[u64] {
        &self.counts[index * self.total.len()..(index + 1) * self.total.len()]
    }

    /// The candidates in another order.
    pub fn reordered(&self, order: &[usize]) -> Result<BitColumns, Error> {
        let mut covers = BitColumns::zeroed(order.len(), self.covers.n_words())?;
        for (to, &from) in order.iter().enumerate() {
            covers.column_mut(to).copy_from_slice(self.covers.column(from));
        }
        Ok(covers)
    }
}

/// Columns, each kept once per length.
struct Chosen {
    words: Vec<u64>,
    n_words: usize,
    by_hash: HashMap<(u64, usize), Vec<usize>>,
    n: usize,
}

impl Chosen {
    fn new(n_words: usize) -> Self {
        Chosen { words: Vec::new(), n_words, by_hash: HashMap::new(), n: 0 }
    }

    /// Whether the column is new.
    fn insert(&mut self, column: &[u64], length: usize) -> Result<bool, Error> {
        let same_hash = self.by_hash.entry((hash(column), length)).or_default();
        if same_hash.iter().any(|&index| self.words[index * self.n_words..][..self.n_words] == *column) {
            return Ok(false);
        }
        same_hash.push(self.n);
        self.n += 1;
        memory::extend_from_slice(&mut self.words, column)?;
        Ok(true)
    }

    fn finish(self) -> Result<BitColumns, Error> {
        BitColumns::from_words(self.words, self.n, self.n_words)
    }
}
