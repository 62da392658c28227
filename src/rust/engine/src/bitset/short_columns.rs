//! The shape of columns short enough to be counted whole, without masks.

use super::blocks::WORDS_PER_BLOCK;

/// Most words per column: 16 blocks keep the per-byte counters below 256.
pub const MAX_SHORT_WORDS: usize = 64;

/// Length of a short column and where its second class begins, both whole blocks. Checked once, not with every count.
#[derive(Debug, Clone, Copy)]
pub struct ShortColumns {
    n_words: usize,
    split: usize,
}

impl ShortColumns {
    /// For columns of `n_words` words whose second class begins at the word `split`.
    pub fn new(n_words: usize, split: usize) -> Self {
        assert!(split <= n_words && (n_words | split) % WORDS_PER_BLOCK == 0 && n_words <= MAX_SHORT_WORDS);
        ShortColumns { n_words, split }
    }

    /// Words per column.
    #[inline(always)]
    pub fn n_words(self) -> usize {
        self.n_words
    }

    /// The word where the second class begins.
    #[inline(always)]
    pub fn split(self) -> usize {
        self.split
    }
}
