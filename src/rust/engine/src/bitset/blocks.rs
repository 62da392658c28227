//! Columns cut into blocks of a few words, with masks that tell which blocks hold any bit.
//!
//! Alike rows lie side by side (`order.rs`), so what a rule captures fills few blocks; work that goes by the masks skips
//! the rest. Where a mask bit is 0 the block's words mean nothing and are never read: columns need no clearing.

/// Words in a block: half a cache line, 256 rows.
pub const WORDS_PER_BLOCK: usize = 4;

/// Where classes, blocks and mask words lie. Each class begins with a whole block and a mask word of its own.
#[derive(Debug, Clone)]
pub struct Blocks {
    places: Vec<Place>,
    n_classes: usize,
    n_words: usize,
}

/// What a mask word stands for.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// The data word where its first block begins.
    pub first_word: usize,
    /// The class of its rows.
    pub class: usize,
}

impl Blocks {
    /// `ends[l]` is where class `l`'s words end, a multiple of `WORDS_PER_BLOCK`.
    pub fn new(ends: &[usize]) -> Self {
        let mut places = Vec::new();
        let mut start = 0;
        for (class, &end) in ends.iter().enumerate() {
            debug_assert_eq!(end % WORDS_PER_BLOCK, 0);
            places.extend(
                (start..end).step_by(64 * WORDS_PER_BLOCK).map(|first_word| Place { first_word, class }),
            );
            start = end;
        }
        Blocks { places, n_classes: ends.len(), n_words: start }
    }

    pub fn n_masks(&self) -> usize {
        self.places.len()
    }

    pub fn n_classes(&self) -> usize {
        self.n_classes
    }

    /// What each mask word stands for.
    #[inline(always)]
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// Make sure that a column has the words and the mask that this layout asks for.
    #[inline(always)]
    pub fn check(&self, column: MaskedBitsRef<'_>) {
        assert!(column.words.len() == self.n_words && column.mask.len() == self.places.len());
    }

    /// The data word where the block of bit `bit` of mask word `mask` begins.
    #[inline(always)]
    fn first_word(&self, mask: usize, bit: u32) -> usize {
        self.places[mask].first_word + bit as usize * WORDS_PER_BLOCK
    }

    /// Which blocks of `words` hold a bit.
    pub fn mask_of(&self, words: &[u64], mask: &mut [u64]) {
        mask.fill(0);
        let ends = self.places.iter().skip(1).map(|place| place.first_word).chain([words.len()]);
        for ((mask, place), end) in mask.iter_mut().zip(&self.places).zip(ends) {
            for (bit, block) in words[place.first_word..end].chunks_exact(WORDS_PER_BLOCK).enumerate() {
                *mask |= u64::from(block.iter().any(|&word| word != 0)) << bit;
            }
        }
    }
}

/// A column to read.
#[derive(Debug, Clone, Copy)]
pub struct MaskedBitsRef<'a> {
    pub words: &'a [u64],
    pub mask: &'a [u64],
}

/// A column of its own.
#[derive(Debug, Clone, Default)]
pub struct MaskedBits {
    pub words: Vec<u64>,
    pub mask: Vec<u64>,
}

impl MaskedBits {
    /// No bit set.
    pub fn empty(n_words: usize, n_masks: usize) -> Self {
        MaskedBits { words: vec![0; n_words], mask: vec![0; n_masks] }
    }

    pub fn view(&self) -> MaskedBitsRef<'_> {
        MaskedBitsRef { words: &self.words, mask: &self.mask }
    }

    pub fn clear(&mut self) {
        self.mask.fill(0);
    }

    /// Become `from`, less what `except` covers.
    pub fn copy_from(&mut self, blocks: &Blocks, from: &MaskedBits, except: Option<MaskedBitsRef<'_>>) {
        self.mask.copy_from_slice(&from.mask);
        for (mask, mut bits) in from.mask.iter().copied().enumerate() {
            while bits != 0 {
                let bit = bits.trailing_zeros();
                bits &= bits - 1;
                let at = blocks.first_word(mask, bit);
                let to = &mut self.words[at..at + WORDS_PER_BLOCK];
                to.copy_from_slice(&from.words[at..at + WORDS_PER_BLOCK]);
                let Some(except) = except.filter(|except| (except.mask[mask] >> bit) & 1 == 1) else {
                    continue;
                };
                let mut left = 0;
                for (to, except) in to.iter_mut().zip(&except.words[at..at + WORDS_PER_BLOCK]) {
                    *to &= !except;
                    left |= *to;
                }
                self.mask[mask] &= !(u64::from(left == 0) << bit);
            }
        }
    }

    /// Become what `from` and `cover` have in common.
    pub fn copy_common(&mut self, blocks: &Blocks, from: &MaskedBits, cover: MaskedBitsRef<'_>) {
        for mask in 0..from.mask.len() {
            let mut bits = from.mask[mask] & cover.mask[mask];
            self.mask[mask] = 0;
            while bits != 0 {
                let bit = bits.trailing_zeros();
                bits &= bits - 1;
                let at = blocks.first_word(mask, bit);
                let both =
                    from.words[at..at + WORDS_PER_BLOCK].iter().zip(&cover.words[at..at + WORDS_PER_BLOCK]);
                let mut any = 0;
                for (to, (from, cover)) in self.words[at..at + WORDS_PER_BLOCK].iter_mut().zip(both) {
                    *to = from & cover;
                    any |= *to;
                }
                self.mask[mask] |= u64::from(any != 0) << bit;
            }
        }
    }

    /// Give the bits that lie in `cover` to `to`.
    pub fn give(&mut self, blocks: &Blocks, cover: MaskedBitsRef<'_>, to: &mut MaskedBits) {
        for mask in 0..self.mask.len() {
            let mut bits = self.mask[mask] & cover.mask[mask];
            while bits != 0 {
                let bit = bits.trailing_zeros();
                bits &= bits - 1;
                let at = blocks.first_word(mask, bit);
                let (mut moved, mut any, mut left) = ([0; WORDS_PER_BLOCK], 0, 0);
                let from = self.words[at..at + WORDS_PER_BLOCK]
                    .iter_mut()
                    .zip(&cover.words[at..at + WORDS_PER_BLOCK]);
                for (moved, (from, cover)) in moved.iter_mut().zip(from) {
                    *moved = *from & cover;
                    *from ^= *moved;
                    any |= *moved;
                    left |= *from;
                }
                self.mask[mask] &= !(u64::from(left == 0) << bit);
                if any != 0 {
                    to.add_block(at, (mask, bit), &moved);
                }
            }
        }
    }

    /// Take all bits of `from`.
    pub fn take_all(&mut self, blocks: &Blocks, from: MaskedBitsRef<'_>) {
        for (mask, mut bits) in from.mask.iter().copied().enumerate() {
            while bits != 0 {
                let bit = bits.trailing_zeros();
                bits &= bits - 1;
                let at = blocks.first_word(mask, bit);
                self.add_block(at, (mask, bit), &from.words[at..at + WORDS_PER_BLOCK]);
            }
        }
    }

    fn add_block(&mut self, at: usize, (mask, bit): (usize, u32), block: &[u64]) {
        let to = &mut self.words[at..at + WORDS_PER_BLOCK];
        if (self.mask[mask] >> bit) & 1 == 1 {
            to.iter_mut().zip(block).for_each(|(to, word)| *to |= word);
        } else {
            to.copy_from_slice(block);
            self.mask[mask] |= 1 << bit;
        }
    }
}
