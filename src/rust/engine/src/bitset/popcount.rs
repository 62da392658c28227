//! Population counts of vector registers, in two ways.

use std::arch::asm;
use std::arch::x86_64::*;

/// How the set bits of a block are counted.
///
/// # Safety
///
/// All methods require a processor with AVX2 and the features that the implementor names.
pub unsafe trait CountOnes {
    /// Counts of set bits per lane of `x`; how wide a lane is depends on the implementor.
    ///
    /// # Safety
    ///
    /// See the trait.
    unsafe fn lane_counts(x: __m256i) -> __m256i;

    /// Lane-wise sum. The counts of up to 31 blocks fit into a lane.
    ///
    /// # Safety
    ///
    /// See the trait.
    unsafe fn add(a: __m256i, b: __m256i) -> __m256i;

    /// Sums of the lanes within each 64 bits.
    ///
    /// # Safety
    ///
    /// See the trait.
    unsafe fn widen_to_u64x4(counts: __m256i) -> __m256i;
}

/// Counts by table look-ups of half bytes (Muła); lanes are bytes. Needs AVX2 only.
#[derive(Debug)]
pub struct NibbleLookup;

// SAFETY: the methods use AVX2 only
unsafe impl CountOnes for NibbleLookup {
    #[inline(always)]
    unsafe fn lane_counts(x: __m256i) -> __m256i {
        count_in_bytes(x)
    }

    #[inline(always)]
    unsafe fn add(a: __m256i, b: __m256i) -> __m256i {
        _mm256_add_epi8(a, b)
    }

    #[inline(always)]
    unsafe fn widen_to_u64x4(counts: __m256i) -> __m256i {
        _mm256_sad_epu8(counts, _mm256_setzero_si256())
    }
}

/// Counts by the instruction of that name; lanes are 64 bits. Needs AVX512VPOPCNTDQ and AVX512VL.
#[derive(Debug)]
pub struct Vpopcntq;

// SAFETY: the methods use AVX2 and the features named above
unsafe impl CountOnes for Vpopcntq {
    #[inline(always)]
    unsafe fn lane_counts(x: __m256i) -> __m256i {
        vpopcntq(x)
    }

    #[inline(always)]
    unsafe fn add(a: __m256i, b: __m256i) -> __m256i {
        _mm256_add_epi64(a, b)
    }

    #[inline(always)]
    unsafe fn widen_to_u64x4(counts: __m256i) -> __m256i {
        counts
    }
}

/// Set bits in each 64 bits of `x`. The registers of the assembly need `avx` by name in Rust 1.75.
///
/// # Safety
///
/// Requires AVX2, AVX512VPOPCNTDQ and AVX512VL.
// `_mm256_popcnt_epi64` does the same but is stable since Rust 1.89 only, and the oldest supported Rust is older.
#[target_feature(enable = "avx,avx2")]
#[inline]
unsafe fn vpopcntq(x: __m256i) -> __m256i {
    let counts: __m256i;
    // SAFETY: the instruction only reads and writes registers
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

/// Set bits in each byte of `x`.
///
/// # Safety
///
/// Requires AVX2.
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

/// The sum of the four 64-bit lanes.
///
/// # Safety
///
/// Requires AVX2.
#[target_feature(enable = "avx2")]
#[inline]
pub unsafe fn sum(x: __m256i) -> u64 {
    let two = _mm_add_epi64(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
    (_mm_cvtsi128_si64(two) + _mm_extract_epi64(two, 1)) as u64
}

/// The sums of the 64-bit lanes of `x` and of `y`.
///
/// # Safety
///
/// Requires AVX2.
#[target_feature(enable = "avx2")]
#[inline]
pub unsafe fn sums(x: __m256i, y: __m256i) -> [u64; 2] {
    let halves = _mm256_add_epi64(_mm256_unpacklo_epi64(x, y), _mm256_unpackhi_epi64(x, y));
    let both = _mm_add_epi64(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1));
    [_mm_cvtsi128_si64(both) as u64, _mm_extract_epi64(both, 1) as u64]
}
