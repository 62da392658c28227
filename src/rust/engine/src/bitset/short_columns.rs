//! Columns of a few words, counted whole: how long they are and where the second class begins.

use super::blocks::WORDS_PER_BLOCK;

/// Words that are few: no byte overflows that counts the bits at one place of every block.
pub const MAX_SHORT_WORDS: usize = 64;

/// The shape of such columns: whole blocks, on both sides of `split`. It is looked into once, not with every count.
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

    #[inline(always)]
    pub fn n_words(self) -> usize {
        self.n_words
    }

    #[inline(always)]
    pub fn split(self) -> usize {
        self.split
    }
}
