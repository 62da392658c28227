//! The block kernels with AVX2: a block is one vector register.

use super::blocks::{Blocks, MaskedBits, MaskedBitsRef, WORDS_PER_BLOCK};
use super::short_columns::ShortColumns;
use super::simd::add_to;
use std::arch::asm;
use std::arch::x86_64::*;
use std::ops::Range;

const _: () = assert!(WORDS_PER_BLOCK * 8 == std::mem::size_of::<__m256i>());

/// How the bits of a block are counted. A processor that has AVX2 must be at hand, and what else the way needs.
pub trait CountOnes {
    /// The number of set bits in each part of `x`. What a few blocks give may be added up.
    unsafe fn lane_counts(x: __m256i) -> __m256i;

    unsafe fn add(a: __m256i, b: __m256i) -> __m256i;

    /// The numbers of each quarter out of those of its parts.
    unsafe fn widen_to_u64x4(parts: __m256i) -> __m256i;
}

/// By look-ups of half bytes (Muła); the parts are bytes.
pub struct NibbleLookup;

impl CountOnes for NibbleLookup {
    #[inline(always)]
    unsafe fn lane_counts(x: __m256i) -> __m256i {
        count_in_bytes(x)
    }

    #[inline(always)]
    unsafe fn add(a: __m256i, b: __m256i) -> __m256i {
        _mm256_add_epi8(a, b)
    }

    #[inline(always)]
    unsafe fn widen_to_u64x4(parts: __m256i) -> __m256i {
        _mm256_sad_epu8(parts, _mm256_setzero_si256())
    }
}

/// By the instruction that does it (AVX-512's VPOPCNTDQ and VL); the parts are quarters.
pub struct Vpopcntq;

impl CountOnes for Vpopcntq {
    #[inline(always)]
    unsafe fn lane_counts(x: __m256i) -> __m256i {
        vpopcntq(x)
    }

    #[inline(always)]
    unsafe fn add(a: __m256i, b: __m256i) -> __m256i {
        _mm256_add_epi64(a, b)
    }

    #[inline(always)]
    unsafe fn widen_to_u64x4(parts: __m256i) -> __m256i {
        parts
    }
}

/// The number of set bits in each quarter of `x`. Rust 1.75 wants `avx` to be named for its registers.
#[target_feature(enable = "avx,avx2")]
#[inline]
unsafe fn vpopcntq(x: __m256i) -> __m256i {
    let counts: __m256i;
    // SAFETY: it reads and writes registers only; Rust 1.75 has no name for it
    unsafe {
        asm!(
            "vpopcntq {}, {}",
            out(ymm_reg) counts,
            in(ymm_reg) x,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    counts
}

/// The number of set bits in each byte of `x`.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn count_in_bytes(x: __m256i) -> __m256i {
    let ones = _mm256_setr_epi8(
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
    );
    let low = _mm256_set1_epi8(15);
    let halves = (_mm256_and_si256(x, low), _mm256_and_si256(_mm256_srli_epi16(x, 4), low));
    _mm256_add_epi8(_mm256_shuffle_epi8(ones, halves.0), _mm256_shuffle_epi8(ones, halves.1))
}

/// The sum of the four quarters.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn sum(x: __m256i) -> u64 {
    let two = _mm_add_epi64(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
    (_mm_cvtsi128_si64(two) + _mm_extract_epi64(two, 1)) as u64
}

/// As `Scalar::common` with every row counting one.
#[target_feature(enable = "avx2,bmi1,popcnt")]
#[inline]
pub unsafe fn common<C: CountOnes>(
    blocks: &Blocks,
    part: MaskedBitsRef<'_>,
    cover: MaskedBitsRef<'_>,
    out: &mut [u64],
) {
    blocks.check(cover);
    blocks.check(part);
    for ((place, &mine), &theirs) in blocks.places().iter().zip(part.mask).zip(cover.mask) {
        let mut both = mine & theirs;
        if both == 0 {
            continue;
        }
        let mut counts = _mm256_setzero_si256();
        while both != 0 {
            let at = place.first_word + both.trailing_zeros() as usize * WORDS_PER_BLOCK;
            both &= both - 1;
            // SAFETY: `check` has made sure that the words of every block a mask can name are there
            let bits = unsafe {
                _mm256_and_si256(
                    _mm256_loadu_si256(part.words.as_ptr().add(at).cast()),
                    _mm256_loadu_si256(cover.words.as_ptr().add(at).cast()),
                )
            };
            counts = _mm256_add_epi64(counts, C::widen_to_u64x4(C::lane_counts(bits)));
        }
        add_to(out, place.class, sum(counts));
    }
}

/// As `Scalar::take` with every row counting one.
#[target_feature(enable = "avx2,bmi1,popcnt")]
#[inline]
pub unsafe fn take<C: CountOnes>(
    blocks: &Blocks,
    free: &mut MaskedBits,
    cover: MaskedBitsRef<'_>,
    out: &mut [u64],
) {
    blocks.check(free.view());
    blocks.check(cover);
    let words = free.words.as_mut_ptr();
    for ((place, mine), &theirs) in blocks.places().iter().zip(&mut free.mask).zip(cover.mask) {
        let mut both = *mine & theirs;
        if both == 0 {
            continue;
        }
        let mut counts = _mm256_setzero_si256();
        while both != 0 {
            let bit = both.trailing_zeros();
            both &= both - 1;
            let at = place.first_word + bit as usize * WORDS_PER_BLOCK;
            // SAFETY: `check` has made sure that the words of every block a mask can name are there
            unsafe {
                let to = words.add(at).cast::<__m256i>();
                let bits = _mm256_loadu_si256(to);
                let cover = _mm256_loadu_si256(cover.words.as_ptr().add(at).cast());
                let left = _mm256_andnot_si256(cover, bits);
                _mm256_storeu_si256(to, left);
                *mine &= !((_mm256_testz_si256(left, left) as u64) << bit);
                counts = _mm256_add_epi64(
                    counts,
                    C::widen_to_u64x4(C::lane_counts(_mm256_and_si256(bits, cover))),
                );
            }
        }
        add_to(out, place.class, sum(counts));
    }
}

/// The sums of the quarters of `x` and of `y`.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn sums(x: __m256i, y: __m256i) -> [u64; 2] {
    let halves = _mm256_add_epi64(_mm256_unpacklo_epi64(x, y), _mm256_unpackhi_epi64(x, y));
    let both = _mm_add_epi64(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1));
    [_mm_cvtsi128_si64(both) as u64, _mm_extract_epi64(both, 1) as u64]
}

/// Bits of `a & b`, two columns of a few blocks, per class.
#[target_feature(enable = "avx2")]
#[inline]
pub unsafe fn count_short<C: CountOnes>(few: ShortColumns, a: &[u64], b: &[u64]) -> [u64; 2] {
    check_few(few, a, b);
    let first = count_part::<C>(a, b, 0..few.split());
    sums(first, count_part::<C>(a, b, few.split()..few.n_words()))
}

/// The same, and take the bits out of `free`.
#[target_feature(enable = "avx2")]
#[inline]
pub unsafe fn take_short<C: CountOnes>(few: ShortColumns, free: &mut [u64], cover: &[u64]) -> [u64; 2] {
    check_few(few, free, cover);
    let first = take_part::<C>(free, cover, 0..few.split());
    sums(first, take_part::<C>(free, cover, few.split()..few.n_words()))
}

/// Both columns have the shape `few`: whole blocks on both sides of where the second class begins.
#[inline(always)]
fn check_few(few: ShortColumns, a: &[u64], b: &[u64]) {
    assert!(a.len() == few.n_words() && b.len() == few.n_words());
}

/// `check_few` came before, and the part lies within.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn count_part<C: CountOnes>(a: &[u64], b: &[u64], part: Range<usize>) -> __m256i {
    let mut counts = _mm256_setzero_si256();
    let mut at = part.start;
    while at < part.end {
        // SAFETY: both columns hold the whole block, as has been made sure
        let bits = unsafe {
            _mm256_and_si256(
                _mm256_loadu_si256(a.as_ptr().add(at).cast()),
                _mm256_loadu_si256(b.as_ptr().add(at).cast()),
            )
        };
        // no byte overflows: there are few blocks
        counts = C::add(counts, C::lane_counts(bits));
        at += WORDS_PER_BLOCK;
    }
    C::widen_to_u64x4(counts)
}

/// The same, and take the bits out of `free`.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn take_part<C: CountOnes>(free: &mut [u64], cover: &[u64], part: Range<usize>) -> __m256i {
    let mut counts = _mm256_setzero_si256();
    let mut at = part.start;
    while at < part.end {
        // SAFETY: both columns hold the whole block, as has been made sure
        let bits = unsafe {
            let to = free.as_mut_ptr().add(at).cast::<__m256i>();
            let bits = _mm256_loadu_si256(to);
            let cover = _mm256_loadu_si256(cover.as_ptr().add(at).cast());
            _mm256_storeu_si256(to, _mm256_andnot_si256(cover, bits));
            _mm256_and_si256(bits, cover)
        };
        counts = C::add(counts, C::lane_counts(bits));
        at += WORDS_PER_BLOCK;
    }
    C::widen_to_u64x4(counts)
}
