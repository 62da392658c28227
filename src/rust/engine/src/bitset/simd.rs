//! Work that counts bits, compiled once for each kind of processor; and how two columns are counted there, block by block.

#[cfg(target_arch = "x86_64")]
use super::avx2::{self, CountOnes, NibbleLookup, Vpopcntq};
use super::bit_sliced::RowWeight;
use super::blocks::{Blocks, MaskedBits, MaskedBitsRef, WORDS_PER_BLOCK};
use super::kernel::Kernel;
use super::short_columns::ShortColumns;
#[cfg(target_arch = "x86_64")]
use std::marker::PhantomData;

/// Something to be done with the instructions of a kernel. All it calls on the way to its counts is to be inlined, since
/// only what becomes part of it is compiled for them.
pub trait WithSimd {
    type Output;

    fn run<L: Simd>(self, simd: L) -> Self::Output;
}

impl Kernel {
    /// Do `work` in this form.
    #[inline(always)]
    pub fn run<T: WithSimd>(self, work: T) -> T::Output {
        match self {
            Kernel::Portable => work.run(Scalar),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `available()` makes this form only where the processor has the features
            Kernel::Popcnt => unsafe { x86::run_popcnt(work) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `available()` makes this form only where the processor has the features
            Kernel::Avx2 => unsafe { x86::run_avx2::<_, NibbleLookup>(work) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `available()` makes this form only where the processor has the features
            Kernel::Vpopcnt => unsafe { x86::run_avx2::<_, Vpopcntq>(work) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    //! The same work, compiled for processors that have the named features.
    use super::{Avx2, CountOnes, PhantomData, Scalar, WithSimd};

    #[target_feature(enable = "popcnt,bmi1")]
    pub unsafe fn run_popcnt<T: WithSimd>(work: T) -> T::Output {
        work.run(Scalar)
    }

    #[target_feature(enable = "avx2,popcnt,bmi1")]
    pub unsafe fn run_avx2<T: WithSimd, C: CountOnes>(work: T) -> T::Output {
        work.run(Avx2::<C>(PhantomData))
    }
}

/// How a column is counted against another.
pub trait Simd: Copy {
    /// Add the weight of what `part` and `cover` have in common, per class, to `out`.
    fn common<W: RowWeight>(
        self,
        blocks: &Blocks,
        part: MaskedBitsRef<'_>,
        cover: MaskedBitsRef<'_>,
        weigh: W,
        out: &mut [u64],
    );

    /// Take what `cover` covers out of `free`, and add its weight per class to `out`.
    fn take<W: RowWeight>(
        self,
        blocks: &Blocks,
        free: &mut MaskedBits,
        cover: MaskedBitsRef<'_>,
        weigh: W,
        out: &mut [u64],
    );

    /// Bits of `a & b` per class: columns of the shape `few`, every row counting one.
    fn count_short(self, few: ShortColumns, a: &[u64], b: &[u64]) -> [u64; 2];

    /// The same, and take the bits out of `free`.
    fn take_short(self, few: ShortColumns, free: &mut [u64], cover: &[u64]) -> [u64; 2];
}

/// Add `n` to the count of `class`. Two counts stay in registers: their address is never computed.
#[inline(always)]
pub fn add_to(out: &mut [u64], class: usize, n: u64) {
    if let [first, second] = out {
        let is_second = (class as u64).wrapping_neg();
        *first += n & !is_second;
        *second += n & is_second;
        return;
    }
    out[class] += n;
}

/// One word at a time.
#[derive(Debug, Clone, Copy)]
pub struct Scalar;

impl Simd for Scalar {
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
        for (mask, place) in blocks.places().iter().enumerate() {
            let mut both = part.mask[mask] & cover.mask[mask];
            let mut sum = 0;
            while both != 0 {
                let at = place.first_word + both.trailing_zeros() as usize * WORDS_PER_BLOCK;
                both &= both - 1;
                for word in at..at + WORDS_PER_BLOCK {
                    // SAFETY: `check` has made sure that the words of every block a mask can name are there
                    let bits = unsafe { part.words.get_unchecked(word) & cover.words.get_unchecked(word) };
                    sum += weigh.weigh(word, bits);
                }
            }
            add_to(out, place.class, sum);
        }
    }

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
        for (mask, place) in blocks.places().iter().enumerate() {
            let mut both = free.mask[mask] & cover.mask[mask];
            let mut sum = 0;
            while both != 0 {
                let bit = both.trailing_zeros();
                both &= both - 1;
                let at = place.first_word + bit as usize * WORDS_PER_BLOCK;
                let mut left = 0;
                for word in at..at + WORDS_PER_BLOCK {
                    // SAFETY: `check` has made sure that the words of every block a mask can name are there
                    let (free, cover) =
                        unsafe { (free.words.get_unchecked_mut(word), cover.words.get_unchecked(word)) };
                    let taken = *free & cover;
                    sum += weigh.weigh(word, taken);
                    *free ^= taken;
                    left |= *free;
                }
                free.mask[mask] &= !(u64::from(left == 0) << bit);
            }
            add_to(out, place.class, sum);
        }
    }

    #[inline(always)]
    fn count_short(self, few: ShortColumns, a: &[u64], b: &[u64]) -> [u64; 2] {
        let count =
            |a: &[u64], b: &[u64]| a.iter().zip(b).map(|(a, b)| u64::from((a & b).count_ones())).sum();
        let (a, b) = (a.split_at(few.split()), b.split_at(few.split()));
        [count(a.0, b.0), count(a.1, b.1)]
    }

    #[inline(always)]
    fn take_short(self, few: ShortColumns, free: &mut [u64], cover: &[u64]) -> [u64; 2] {
        let take = |free: &mut [u64], cover: &[u64]| {
            let mut sum = 0;
            for (free, cover) in free.iter_mut().zip(cover) {
                sum += u64::from((*free & cover).count_ones());
                *free &= !cover;
            }
            sum
        };
        let (free, cover) = (free.split_at_mut(few.split()), cover.split_at(few.split()));
        [take(free.0, cover.0), take(free.1, cover.1)]
    }
}

/// A block at a time, where every row counts one. There is one of these only inside work for processors that have AVX2
/// and what `C` needs.
#[cfg(target_arch = "x86_64")]
#[derive(Debug)]
pub struct Avx2<C>(PhantomData<C>);

#[cfg(target_arch = "x86_64")]
impl<C> Clone for Avx2<C> {
    fn clone(&self) -> Self {
        *self
    }
}

#[cfg(target_arch = "x86_64")]
impl<C> Copy for Avx2<C> {}

#[cfg(target_arch = "x86_64")]
impl<C: CountOnes> Simd for Avx2<C> {
    #[inline(always)]
    fn common<W: RowWeight>(
        self,
        blocks: &Blocks,
        part: MaskedBitsRef<'_>,
        cover: MaskedBitsRef<'_>,
        weigh: W,
        out: &mut [u64],
    ) {
        if !W::IS_UNIT {
            return Scalar.common(blocks, part, cover, weigh, out);
        }
        // SAFETY: only `run_avx2` makes an `Avx2`
        unsafe { avx2::common::<C>(blocks, part, cover, out) }
    }

    #[inline(always)]
    fn take<W: RowWeight>(
        self,
        blocks: &Blocks,
        free: &mut MaskedBits,
        cover: MaskedBitsRef<'_>,
        weigh: W,
        out: &mut [u64],
    ) {
        if !W::IS_UNIT {
            return Scalar.take(blocks, free, cover, weigh, out);
        }
        // SAFETY: only `run_avx2` makes an `Avx2`
        unsafe { avx2::take::<C>(blocks, free, cover, out) }
    }

    #[inline(always)]
    fn count_short(self, few: ShortColumns, a: &[u64], b: &[u64]) -> [u64; 2] {
        // SAFETY: only `run_avx2` makes an `Avx2`
        unsafe { avx2::count_short::<C>(few, a, b) }
    }

    #[inline(always)]
    fn take_short(self, few: ShortColumns, free: &mut [u64], cover: &[u64]) -> [u64; 2] {
        // SAFETY: only `run_avx2` makes an `Avx2`
        unsafe { avx2::take_short::<C>(few, free, cover) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bit_sliced::UnitWeight;
    use super::super::kernel::tests::{random_ends, random_words, up_to};
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

        fn run<L: Simd>(self, simd: L) {
            simd.common(self.0, self.1.view(), self.2, UnitWeight, self.3);
        }
    }

    struct Take<'a>(&'a Blocks, &'a mut MaskedBits, MaskedBitsRef<'a>, &'a mut [u64]);

    impl WithSimd for Take<'_> {
        type Output = ();

        fn run<L: Simd>(self, simd: L) {
            simd.take(self.0, self.1, self.2, UnitWeight, self.3);
        }
    }

    struct CountAndTake<'a>(ShortColumns, &'a mut [u64], &'a [u64]);

    impl WithSimd for CountAndTake<'_> {
        type Output = ([u64; 2], [u64; 2]);

        fn run<L: Simd>(self, simd: L) -> ([u64; 2], [u64; 2]) {
            (simd.count_short(self.0, self.1, self.2), simd.take_short(self.0, self.1, self.2))
        }
    }

    #[test]
    fn every_form_counts_few_words() {
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

    /// Long columns too, so that there are several mask words to a class.
    #[test]
    fn every_form_goes_by_masks_as_the_naive_twin_goes_by_bits() {
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
                assert_eq!(free.mask, left.mask, "{kernel:?}: the mask follows");
            }
        }
    }
}
