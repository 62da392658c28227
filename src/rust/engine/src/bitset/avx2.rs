//! Columns counted with AVX2: a block is one vector register.

use super::bit_sliced::RowWeight;
use super::blocks::{add_to_class, Blocks, MaskedBits, MaskedBitsRef, WORDS_PER_BLOCK};
use super::popcount::{sum, sums, CountOnes};
use super::short_columns::ShortColumns;
use super::simd::{Scalar, Simd};
use super::words::set_bits;
use std::arch::x86_64::*;
use std::marker::PhantomData;
use std::ops::Range;

const _: () = assert!(WORDS_PER_BLOCK * 8 == std::mem::size_of::<__m256i>());

/// One block at a time, where each row counts one; weighted rows are counted by [`Scalar`].
#[derive(Debug)]
pub struct Avx2<C>(PhantomData<C>);

impl<C> Avx2<C> {
    /// # Safety
    ///
    /// The processor must support AVX2, BMI1, POPCNT and what `C` needs.
    pub unsafe fn new() -> Self {
        Avx2(PhantomData)
    }
}

impl<C> Clone for Avx2<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Avx2<C> {}

impl<C: CountOnes> Simd for Avx2<C> {
    #[inline(always)]
    fn count<W: RowWeight>(self, a: &[u64], b: &[u64], first: usize, weigh: W) -> u64 {
        match W::IS_UNIT {
            // SAFETY: `new()` requires the features
            true => unsafe { count::<C>(a, b) },
            false => Scalar.count(a, b, first, weigh),
        }
    }

    #[inline(always)]
    fn common<W: RowWeight>(
        self,
        blocks: &Blocks,
        part: MaskedBitsRef<'_>,
        cover: MaskedBitsRef<'_>,
        weigh: W,
        out: &mut [u64],
    ) {
        match W::IS_UNIT {
            // SAFETY: `new()` requires the features
            true => unsafe { common::<C>(blocks, part, cover, out) },
            false => Scalar.common(blocks, part, cover, weigh, out),
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
        match W::IS_UNIT {
            // SAFETY: `new()` requires the features
            true => unsafe { take::<C>(blocks, free, cover, out) },
            false => Scalar.take(blocks, free, cover, weigh, out),
        }
    }

    #[inline(always)]
    fn count_short(self, shape: ShortColumns, a: &[u64], b: &[u64]) -> [u64; 2] {
        // SAFETY: `new()` requires the features
        unsafe { count_short::<C>(shape, a, b) }
    }

    #[inline(always)]
    fn take_short(self, shape: ShortColumns, free: &mut [u64], cover: &[u64]) -> [u64; 2] {
        // SAFETY: `new()` requires the features
        unsafe { take_short::<C>(shape, free, cover) }
    }
}

/// Blocks counted side by side, and how often before the counts would no longer fit into a lane.
const STRIDE: usize = 4;
const STRIDES: usize = 7;

/// As `Scalar::count` with each row counting one.
///
/// # Safety
///
/// Requires AVX2, POPCNT and what `C` needs.
#[target_feature(enable = "avx2,popcnt")]
#[inline]
unsafe fn count<C: CountOnes>(a: &[u64], b: &[u64]) -> u64 {
    const WORDS: usize = STRIDE * WORDS_PER_BLOCK;
    let (a_strides, b_strides) = (a.chunks_exact(WORDS), b.chunks_exact(WORDS));
    let (a_rest, b_rest) = (a_strides.remainder(), b_strides.remainder());
    let whole = a_rest.len().min(b_rest.len()) / WORDS_PER_BLOCK * WORDS_PER_BLOCK;
    // SAFETY: both have these blocks, fewer than a stride
    let mut total = unsafe { count_part::<C>(a_rest, b_rest, 0..whole) };
    let rest = a_rest[whole..].iter().zip(&b_rest[whole..]);
    let rest: u64 = rest.map(|(a, b)| u64::from((a & b).count_ones())).sum();
    let mut strides = a_strides.zip(b_strides);
    while strides.len() > 0 {
        let mut counts = _mm256_setzero_si256();
        for (a, b) in strides.by_ref().take(STRIDES) {
            // SAFETY: both stretches have the words of all blocks of a stride
            let lanes = |block: usize| unsafe {
                let word = block * WORDS_PER_BLOCK;
                C::lane_counts(_mm256_and_si256(
                    _mm256_loadu_si256(a.as_ptr().add(word).cast()),
                    _mm256_loadu_si256(b.as_ptr().add(word).cast()),
                ))
            };
            counts = C::add(counts, C::add(C::add(lanes(0), lanes(1)), C::add(lanes(2), lanes(3))));
        }
        total = _mm256_add_epi64(total, C::widen_to_u64x4(counts));
    }
    sum(total) + rest
}

/// As `Scalar::common` with each row counting one.
///
/// # Safety
///
/// Requires AVX2, BMI1, POPCNT and what `C` needs.
#[target_feature(enable = "avx2,bmi1,popcnt")]
#[inline]
unsafe fn common<C: CountOnes>(
    blocks: &Blocks,
    part: MaskedBitsRef<'_>,
    cover: MaskedBitsRef<'_>,
    out: &mut [u64],
) {
    blocks.check(cover);
    blocks.check(part);
    for ((group, &mine), &theirs) in blocks.groups().iter().zip(part.mask).zip(cover.mask) {
        let both = mine & theirs;
        if both == 0 {
            continue;
        }
        let mut counts = _mm256_setzero_si256();
        for bit in set_bits(both) {
            let word = group.block(bit);
            // SAFETY: `check()` asserts that the columns have the words of each block a mask can name
            let bits = unsafe {
                _mm256_and_si256(
                    _mm256_loadu_si256(part.words.as_ptr().add(word).cast()),
                    _mm256_loadu_si256(cover.words.as_ptr().add(word).cast()),
                )
            };
            counts = _mm256_add_epi64(counts, C::widen_to_u64x4(C::lane_counts(bits)));
        }
        add_to_class(out, group.class, sum(counts));
    }
}

/// As `Scalar::take` with each row counting one.
///
/// # Safety
///
/// Requires AVX2, BMI1, POPCNT and what `C` needs.
#[target_feature(enable = "avx2,bmi1,popcnt")]
#[inline]
unsafe fn take<C: CountOnes>(
    blocks: &Blocks,
    free: &mut MaskedBits,
    cover: MaskedBitsRef<'_>,
    out: &mut [u64],
) {
    blocks.check(free.view());
    blocks.check(cover);
    let words = free.words.as_mut_ptr();
    for ((group, mine), &theirs) in blocks.groups().iter().zip(&mut free.mask).zip(cover.mask) {
        let both = *mine & theirs;
        if both == 0 {
            continue;
        }
        let mut counts = _mm256_setzero_si256();
        for bit in set_bits(both) {
            let word = group.block(bit);
            // SAFETY: `check()` asserts that the columns have the words of each block a mask can name
            unsafe {
                let to = words.add(word).cast::<__m256i>();
                let bits = _mm256_loadu_si256(to);
                let cover = _mm256_loadu_si256(cover.words.as_ptr().add(word).cast());
                let left = _mm256_andnot_si256(cover, bits);
                _mm256_storeu_si256(to, left);
                *mine &= !((_mm256_testz_si256(left, left) as u64) << bit);
                let taken = C::lane_counts(_mm256_and_si256(bits, cover));
                counts = _mm256_add_epi64(counts, C::widen_to_u64x4(taken));
            }
        }
        add_to_class(out, group.class, sum(counts));
    }
}

/// As `Scalar::count_short`.
///
/// # Safety
///
/// Requires AVX2 and what `C` needs.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn count_short<C: CountOnes>(shape: ShortColumns, a: &[u64], b: &[u64]) -> [u64; 2] {
    assert!(a.len() == shape.n_words() && b.len() == shape.n_words());
    let first = count_part::<C>(a, b, 0..shape.split());
    sums(first, count_part::<C>(a, b, shape.split()..shape.n_words()))
}

/// As `Scalar::take_short`.
///
/// # Safety
///
/// Requires AVX2 and what `C` needs.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn take_short<C: CountOnes>(shape: ShortColumns, free: &mut [u64], cover: &[u64]) -> [u64; 2] {
    assert!(free.len() == shape.n_words() && cover.len() == shape.n_words());
    let first = take_part::<C>(free, cover, 0..shape.split());
    sums(first, take_part::<C>(free, cover, shape.split()..shape.n_words()))
}

/// Counts of `a & b` within the words `part`, per 64-bit lane.
///
/// # Safety
///
/// Requires AVX2 and what `C` needs. `part` must be whole blocks of both columns, at most `MAX_SHORT_WORDS` words.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn count_part<C: CountOnes>(a: &[u64], b: &[u64], part: Range<usize>) -> __m256i {
    let mut counts = _mm256_setzero_si256();
    let mut word = part.start;
    while word < part.end {
        // SAFETY: the block is part of both columns
        let bits = unsafe {
            _mm256_and_si256(
                _mm256_loadu_si256(a.as_ptr().add(word).cast()),
                _mm256_loadu_si256(b.as_ptr().add(word).cast()),
            )
        };
        counts = C::add(counts, C::lane_counts(bits));
        word += WORDS_PER_BLOCK;
    }
    C::widen_to_u64x4(counts)
}

/// The same, and take the bits out of `free`.
///
/// # Safety
///
/// As for `count_part`.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn take_part<C: CountOnes>(free: &mut [u64], cover: &[u64], part: Range<usize>) -> __m256i {
    let mut counts = _mm256_setzero_si256();
    let mut word = part.start;
    while word < part.end {
        // SAFETY: the block is part of both columns
        let bits = unsafe {
            let to = free.as_mut_ptr().add(word).cast::<__m256i>();
            let bits = _mm256_loadu_si256(to);
            let cover = _mm256_loadu_si256(cover.as_ptr().add(word).cast());
            _mm256_storeu_si256(to, _mm256_andnot_si256(cover, bits));
            _mm256_and_si256(bits, cover)
        };
        counts = C::add(counts, C::lane_counts(bits));
        word += WORDS_PER_BLOCK;
    }
    C::widen_to_u64x4(counts)
}
