//! How two columns are counted, block by block, and the work that is compiled once for each kind of processor.
//!
//! [`Simd`] has the portable loops as its default methods; `avx2` replaces them. `kernel` chooses at run time.

use super::bit_sliced::RowWeight;
use super::blocks::{add_to_class, Blocks, MaskedBits, MaskedBitsRef, WORDS_PER_BLOCK};
use super::short_columns::ShortColumns;
use super::words::set_bits;

/// Work to be done with the instructions of a kernel. Everything it calls in its loops must be inlined: only code that
/// becomes part of `run()` is compiled for these instructions.
pub trait WithSimd {
    /// The result.
    type Output;

    /// Do the work.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// How one column is counted against another. All implementations give the same counts.
pub trait Simd: Copy {
    /// The weight of `a & b`, two stretches of as many words from word `first` on.
    #[inline(always)]
    fn count<W: RowWeight>(self, a: &[u64], b: &[u64], first: usize, weigh: W) -> u64 {
        a.iter().zip(b).enumerate().map(|(word, (a, b))| weigh.weigh(first + word, a & b)).sum()
    }

    /// Add the weight of `part & cover` per class to `out`.
    #[inline(always)]
    fn common<W: RowWeight>(
        self,
        blocks: &Blocks,
        part: MaskedBitsRef<'_>,
        cover: MaskedBitsRef<'_>,
        weigh: W,
        out: &mut [u64],
    ) {
        blocks.check(cover);
        blocks.check(part);
        for (index, group) in blocks.groups().iter().enumerate() {
            let mut sum = 0;
            for bit in set_bits(part.mask[index] & cover.mask[index]) {
                let first = group.block(bit);
                for word in first..first + WORDS_PER_BLOCK {
                    // SAFETY: `check()` asserts that the columns have the words of each block a mask can name
                    let bits = unsafe { part.words.get_unchecked(word) & cover.words.get_unchecked(word) };
                    sum += weigh.weigh(word, bits);
                }
            }
            add_to_class(out, group.class, sum);
        }
    }

    /// Take the rows of `cover` out of `free`, and add their weight per class to `out`.
    #[inline(always)]
    fn take<W: RowWeight>(
        self,
        blocks: &Blocks,
        free: &mut MaskedBits,
        cover: MaskedBitsRef<'_>,
        weigh: W,
        out: &mut [u64],
    ) {
        blocks.check(free.view());
        blocks.check(cover);
        for (index, group) in blocks.groups().iter().enumerate() {
            let mut sum = 0;
            for bit in set_bits(free.mask[index] & cover.mask[index]) {
                let first = group.block(bit);
                let mut left = 0;
                for word in first..first + WORDS_PER_BLOCK {
                    // SAFETY: `check()` asserts that the columns have the words of each block a mask can name
                    let (free, cover) =
                        unsafe { (free.words.get_unchecked_mut(word), cover.words.get_unchecked(word)) };
                    let taken = *free & cover;
                    sum += weigh.weigh(word, taken);
                    *free ^= taken;
                    left |= *free;
                }
                free.mask[index] &= !(u64::from(left == 0) << bit);
            }
            add_to_class(out, group.class, sum);
        }
    }

    /// Number of rows in `a & b` per class, for two columns of this shape.
    #[inline(always)]
    fn count_short(self, shape: ShortColumns, a: &[u64], b: &[u64]) -> [u64; 2] {
        let count =
            |a: &[u64], b: &[u64]| a.iter().zip(b).map(|(a, b)| u64::from((a & b).count_ones())).sum();
        let (a, b) = (a.split_at(shape.split()), b.split_at(shape.split()));
        [count(a.0, b.0), count(a.1, b.1)]
    }

    /// The same for `free & cover`, and take these rows out of `free`.
    #[inline(always)]
    fn take_short(self, shape: ShortColumns, free: &mut [u64], cover: &[u64]) -> [u64; 2] {
        let take = |free: &mut [u64], cover: &[u64]| {
            let mut sum = 0;
            for (free, cover) in free.iter_mut().zip(cover) {
                sum += u64::from((*free & cover).count_ones());
                *free &= !cover;
            }
            sum
        };
        let (free, cover) = (free.split_at_mut(shape.split()), cover.split_at(shape.split()));
        [take(free.0, cover.0), take(free.1, cover.1)]
    }
}

/// One word at a time.
#[derive(Debug, Clone, Copy)]
pub struct Scalar;

impl Simd for Scalar {}

#[cfg(test)]
mod tests {
    use super::super::bit_sliced::UnitWeight;
    use super::super::kernel::tests::{random_ends, random_words, up_to};
    use super::super::kernel::Kernel;
    use super::super::short_columns::MAX_SHORT_WORDS;
    use super::super::{BitColumns, MaskedColumns, Masks};
    use super::*;
    use crate::naive;
    use crate::rng::ChainRng;

    fn masked(blocks: &Blocks, words: Vec<u64>) -> MaskedBits {
        let mut column = MaskedBits { mask: vec![0; blocks.n_masks()], words };
        blocks.mask_of(&column.words, &mut column.mask);
        column
    }

    struct Common<'a>(&'a Blocks, &'a MaskedBits, MaskedBitsRef<'a>, &'a mut [u64]);

    impl WithSimd for Common<'_> {
        type Output = ();

        fn run<S: Simd>(self, simd: S) {
            simd.common(self.0, self.1.view(), self.2, UnitWeight, self.3);
        }
    }

    struct Take<'a>(&'a Blocks, &'a mut MaskedBits, MaskedBitsRef<'a>, &'a mut [u64]);

    impl WithSimd for Take<'_> {
        type Output = ();

        fn run<S: Simd>(self, simd: S) {
            simd.take(self.0, self.1, self.2, UnitWeight, self.3);
        }
    }

    struct CountAndTake<'a>(ShortColumns, &'a mut [u64], &'a [u64]);

    impl WithSimd for CountAndTake<'_> {
        type Output = ([u64; 2], [u64; 2]);

        fn run<S: Simd>(self, simd: S) -> ([u64; 2], [u64; 2]) {
            (simd.count_short(self.0, self.1, self.2), simd.take_short(self.0, self.1, self.2))
        }
    }

    #[test]
    fn every_kernel_counts_short_columns() {
        let mut rng = ChainRng::new(13, 0);
        for n_words in (0..=up_to(MAX_SHORT_WORDS)).step_by(WORDS_PER_BLOCK) {
            for (a, b) in [
                (random_words(&mut rng, n_words), random_words(&mut rng, n_words)),
                (vec![u64::MAX; n_words], vec![u64::MAX; n_words]),
            ] {
                let split = rng.below(n_words / WORDS_PER_BLOCK + 1) * WORDS_PER_BLOCK;
                let expected = naive::count_and(&a, &b, &[split, n_words]);
                let expected = [expected[0], expected[1]];
                for kernel in Kernel::available() {
                    let mut free = a.clone();
                    let found = kernel.run(CountAndTake(ShortColumns::new(n_words, split), &mut free, &b));
                    assert_eq!(found, (expected, expected), "{kernel:?}");
                    assert!(free.iter().zip(&a).zip(&b).all(|((free, a), b)| *free == a & !b));
                }
            }
        }
    }

    /// Includes columns so long that a class has several mask words.
    #[test]
    fn every_kernel_counts_by_mask_what_the_naive_twin_counts_by_bit() {
        let mut rng = ChainRng::new(12, 0);
        for n_blocks in (0..up_to(25)).chain([200, 255, 256, 257, 600].map(up_to)) {
            let n_words = n_blocks * WORDS_PER_BLOCK;
            let ends = random_ends(&mut rng, n_words, WORDS_PER_BLOCK);
            let blocks = Blocks::new(&ends);
            let mut columns = BitColumns::zeroed(5, n_words).unwrap();
            for column in 0..5 {
                columns.column_mut(column).copy_from_slice(&random_words(&mut rng, n_words));
            }
            let masks = Masks::new(&columns, &blocks);
            let covers = MaskedColumns::new(&columns, &masks);
            let part = masked(&blocks, random_words(&mut rng, n_words));
            let rules: Vec<u32> = (0..rng.below(5)).map(|_| rng.below(5) as u32).collect();
            for kernel in Kernel::available() {
                let mut out = vec![0; ends.len()];
                kernel.run(Common(&blocks, &part, covers.get(0), &mut out));
                let expected = naive::count_and(&part.words, columns.column(0), &ends);
                assert_eq!(out, expected, "{kernel:?}, {n_words} words");
                let mut free = part.clone();
                let mut out = vec![0; rules.len() * ends.len()];
                for (&rule, out) in rules.iter().zip(out.chunks_exact_mut(ends.len())) {
                    kernel.run(Take(&blocks, &mut free, covers.get(rule as usize), out));
                }
                let expected = naive::hand_down(&part.words, &columns, &rules, &ends);
                assert_eq!(out, expected, "{kernel:?}, {n_words} words");
                let left = masked(&blocks, free.words.clone());
                assert_eq!(free.mask, left.mask, "{kernel:?}: the mask is up to date");
            }
        }
    }
}
