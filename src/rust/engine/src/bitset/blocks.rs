//! Columns divided into blocks of a few words, with masks of the blocks that are not empty.
//!
//! Similar rows are neighbours (`row_order`), so the rows a rule captures fill few blocks; loops that follow the masks skip
//! the rest. Where a mask bit is 0 the words of the block are undefined and never read: clearing a column clears its mask.

use super::words::set_bits;

/// Words in a block: half a cache line, 256 rows.
pub const WORDS_PER_BLOCK: usize = 4;

/// How the words of a column are grouped into blocks, mask words and classes. Each class begins with a new block and a new
/// mask word.
#[derive(Debug, Clone)]
pub struct Blocks {
    groups: Vec<MaskGroup>,
    n_words: usize,
}

/// The blocks of one mask word.
#[derive(Debug, Clone, Copy)]
pub struct MaskGroup {
    /// First word of its first block.
    pub first_word: usize,
    /// The class of its rows.
    pub class: usize,
}

impl MaskGroup {
    /// First word of the block of bit `bit`.
    #[inline(always)]
    pub fn block(self, bit: usize) -> usize {
        self.first_word + bit * WORDS_PER_BLOCK
    }
}

impl Blocks {
    /// `ends[l]` is the word before which class `l` ends, a multiple of `WORDS_PER_BLOCK`.
    pub fn new(ends: &[usize]) -> Self {
        let mut groups = Vec::new();
        let mut start = 0;
        for (class, &end) in ends.iter().enumerate() {
            debug_assert_eq!(end % WORDS_PER_BLOCK, 0);
            let first_words = (start..end).step_by(64 * WORDS_PER_BLOCK);
            groups.extend(first_words.map(|first_word| MaskGroup { first_word, class }));
            start = end;
        }
        Blocks { groups, n_words: start }
    }

    /// Mask words per column.
    pub fn n_masks(&self) -> usize {
        self.groups.len()
    }

    /// The blocks of each mask word.
    #[inline(always)]
    pub fn groups(&self) -> &[MaskGroup] {
        &self.groups
    }

    /// Panic unless `column` has the words and the mask words of this layout.
    #[inline(always)]
    pub fn check(&self, column: MaskedBitsRef<'_>) {
        assert!(column.words.len() == self.n_words && column.mask.len() == self.groups.len());
    }

    /// Write the mask of `words` to `mask`.
    pub fn mask_of(&self, words: &[u64], mask: &mut [u64]) {
        mask.fill(0);
        let ends = self.groups.iter().skip(1).map(|group| group.first_word).chain([words.len()]);
        for ((mask, group), end) in mask.iter_mut().zip(&self.groups).zip(ends) {
            for (bit, block) in words[group.first_word..end].chunks_exact(WORDS_PER_BLOCK).enumerate() {
                *mask |= u64::from(block.iter().any(|&word| word != 0)) << bit;
            }
        }
    }
}

/// Add `n` to the count of `class`. Without a computed address, two counts stay in registers.
#[inline(always)]
pub(super) fn add_to_class(out: &mut [u64], class: usize, n: u64) {
    if let [first, second] = out {
        let is_second = (class as u64).wrapping_neg();
        *first += n & !is_second;
        *second += n & is_second;
        return;
    }
    out[class] += n;
}

/// A borrowed column with its mask.
#[derive(Debug, Clone, Copy)]
pub struct MaskedBitsRef<'a> {
    /// The words of the column.
    pub words: &'a [u64],
    /// One bit per block: whether it contains a set bit.
    pub mask: &'a [u64],
}

/// An owned column with its mask.
#[derive(Debug, Clone, Default)]
pub struct MaskedBits {
    /// The words of the column.
    pub words: Vec<u64>,
    /// One bit per block: whether it contains a set bit.
    pub mask: Vec<u64>,
}

impl MaskedBits {
    /// No bit set.
    pub fn empty(n_words: usize, n_masks: usize) -> Self {
        MaskedBits { words: vec![0; n_words], mask: vec![0; n_masks] }
    }

    /// The column, borrowed.
    pub fn view(&self) -> MaskedBitsRef<'_> {
        MaskedBitsRef { words: &self.words, mask: &self.mask }
    }

    /// Unset all bits.
    pub fn clear(&mut self) {
        self.mask.fill(0);
    }

    /// Become `from`, without the rows in `except`.
    pub fn copy_from(&mut self, blocks: &Blocks, from: &MaskedBits, except: Option<MaskedBitsRef<'_>>) {
        self.mask.copy_from_slice(&from.mask);
        for (index, group) in blocks.groups.iter().enumerate() {
            for bit in set_bits(from.mask[index]) {
                let words = group.block(bit)..group.block(bit + 1);
                let to = &mut self.words[words.clone()];
                to.copy_from_slice(&from.words[words.clone()]);
                let Some(except) = except.filter(|except| except.mask[index] >> bit & 1 == 1) else {
                    continue;
                };
                let mut left = 0;
                for (to, except) in to.iter_mut().zip(&except.words[words]) {
                    *to &= !except;
                    left |= *to;
                }
                self.mask[index] &= !(u64::from(left == 0) << bit);
            }
        }
    }

    /// Become the intersection of `from` and `cover`.
    pub fn copy_common(&mut self, blocks: &Blocks, from: &MaskedBits, cover: MaskedBitsRef<'_>) {
        for (index, group) in blocks.groups.iter().enumerate() {
            self.mask[index] = 0;
            for bit in set_bits(from.mask[index] & cover.mask[index]) {
                let words = group.block(bit)..group.block(bit + 1);
                let both = from.words[words.clone()].iter().zip(&cover.words[words.clone()]);
                let mut any = 0;
                for (to, (from, cover)) in self.words[words].iter_mut().zip(both) {
                    *to = from & cover;
                    any |= *to;
                }
                self.mask[index] |= u64::from(any != 0) << bit;
            }
        }
    }

    /// Move the bits that are in `cover` to `to`.
    pub fn give(&mut self, blocks: &Blocks, cover: MaskedBitsRef<'_>, to: &mut MaskedBits) {
        for (index, group) in blocks.groups.iter().enumerate() {
            for bit in set_bits(self.mask[index] & cover.mask[index]) {
                let words = group.block(bit)..group.block(bit + 1);
                let (mut moved, mut any, mut left) = ([0; WORDS_PER_BLOCK], 0, 0);
                let from = self.words[words.clone()].iter_mut().zip(&cover.words[words]);
                for (moved, (from, cover)) in moved.iter_mut().zip(from) {
                    *moved = *from & cover;
                    *from ^= *moved;
                    any |= *moved;
                    left |= *from;
                }
                self.mask[index] &= !(u64::from(left == 0) << bit);
                if any != 0 {
                    to.add_block(group, index, bit, &moved);
                }
            }
        }
    }

    /// Set all bits of `from` as well.
    pub fn take_all(&mut self, blocks: &Blocks, from: MaskedBitsRef<'_>) {
        for (index, group) in blocks.groups.iter().enumerate() {
            for bit in set_bits(from.mask[index]) {
                self.add_block(group, index, bit, &from.words[group.block(bit)..group.block(bit + 1)]);
            }
        }
    }

    /// Set the bits `block` in the block of bit `bit` of mask word `index`, whose blocks are `group`.
    fn add_block(&mut self, group: &MaskGroup, index: usize, bit: usize, block: &[u64]) {
        let to = &mut self.words[group.block(bit)..group.block(bit + 1)];
        if self.mask[index] >> bit & 1 == 1 {
            to.iter_mut().zip(block).for_each(|(to, word)| *to |= word);
        } else {
            to.copy_from_slice(block);
            self.mask[index] |= 1 << bit;
        }
    }
}
