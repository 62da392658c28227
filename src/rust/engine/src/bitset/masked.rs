//! Bit columns together with the masks of their non-empty blocks.

use super::blocks::{Blocks, MaskedBitsRef};
use super::columns::BitColumns;

/// For each column, the blocks that contain a set bit.
#[derive(Debug, Clone)]
pub struct Masks {
    words: Vec<u64>,
    per_column: usize,
}

impl Masks {
    /// The masks of `columns`, whose words are grouped as in `blocks`.
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
    /// `masks` must be those of `columns`.
    pub fn new(columns: &'a BitColumns, masks: &'a Masks) -> Self {
        MaskedColumns {
            words: columns.words(),
            n_words: columns.n_words(),
            masks: &masks.words,
            n_masks: masks.per_column,
        }
    }

    /// Column `index`.
    #[inline(always)]
    pub fn get(&self, index: usize) -> MaskedBitsRef<'a> {
        let (n, m) = (self.n_words, self.n_masks);
        MaskedBitsRef {
            words: &self.words[index * n..(index + 1) * n],
            mask: &self.masks[index * m..(index + 1) * m],
        }
    }
}
