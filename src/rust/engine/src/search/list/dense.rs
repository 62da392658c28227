//! Captures as a few plain words per rule: for few rows, or few distinct ones.

use super::capture_store::CaptureStore;
use super::moves::Move;
use super::transfer::Buffered;
use crate::bitset::short_columns::ShortColumns;
use crate::bitset::simd::Simd;
use crate::search::problem::row_patterns::RowPatterns;

/// Sets of `n_words` words, one after the other, per position; the default rule's last.
#[derive(Debug, Clone)]
pub(super) struct Dense<'a> {
    n_words: usize,
    covers: &'a [u64],
    captures: Vec<u64>,
    /// The rows that no earlier rule captures.
    uncaptured: Vec<u64>,
    released: Vec<u64>,
}

impl<'a> Dense<'a> {
    /// Of the empty list: the default rule captures `all`.
    pub(super) fn new(covers: &'a [u64], all: &[u64]) -> Self {
        Dense {
            n_words: all.len(),
            covers,
            captures: all.to_vec(),
            uncaptured: all.to_vec(),
            released: vec![0; all.len()],
        }
    }

    /// The sets captured at all positions.
    #[inline(always)]
    pub(super) fn captures(&self) -> &[u64] {
        &self.captures
    }

    /// Follow `change`, which is applied to `rules` too: capture again from its first position on.
    #[inline(always)]
    pub(super) fn apply(&mut self, change: Move, rules: &mut Vec<u32>) {
        let (first, past) = change.changed_positions(rules.len());
        change.apply_to(rules);
        let (n, m) = (self.n_words, rules.len());
        self.captures.resize((m + 1) * n, 0);
        self.uncaptured.resize((m + 1) * n, 0);
        let past = if matches!(change, Move::Swap { .. }) { past } else { m };
        // one word, as for row patterns, gets loops compiled for one
        match n {
            1 => self.recapture(1, first, &rules[first..past]),
            n => self.recapture(n, first, &rules[first..past]),
        }
        self.captures[m * n..].copy_from_slice(&self.uncaptured[m * n..]);
    }

    /// Capture for `rules`, which begin at position `first`, sets of `n` words.
    #[inline(always)]
    fn recapture(&mut self, n: usize, first: usize, rules: &[u32]) {
        for (position, &rule) in (first..).zip(rules) {
            let cover = set(self.covers, rule as usize, n);
            let (uncaptured, next) = self.uncaptured[position * n..(position + 2) * n].split_at_mut(n);
            let capture = &mut self.captures[position * n..(position + 1) * n];
            for (((uncaptured, next), capture), cover) in uncaptured.iter().zip(next).zip(capture).zip(cover)
            {
                (*capture, *next) = (uncaptured & cover, uncaptured & !cover);
            }
        }
    }
}

/// Set number `index`, of `n` words.
#[inline(always)]
fn set(words: &[u64], index: usize, n: usize) -> &[u64] {
    &words[index * n..][..n]
}

/// What the bits of a set stand for, and how they are counted per class.
pub(super) trait Bits: Copy {
    fn n_words(self) -> usize;

    /// Count the bits of `a & b`.
    fn count(self, a: &[u64], b: &[u64], out: &mut [u64]);

    /// Count the bits of `set & cover`, and clear them in `set`.
    fn take(self, set: &mut [u64], cover: &[u64], out: &mut [u64]);
}

/// A bit is a row pattern.
#[derive(Debug, Clone, Copy)]
pub(super) struct PatternBits<'a>(pub(super) &'a RowPatterns);

impl Bits for PatternBits<'_> {
    #[inline(always)]
    fn n_words(self) -> usize {
        1
    }

    #[inline(always)]
    fn count(self, a: &[u64], b: &[u64], out: &mut [u64]) {
        self.0.count(a[0] & b[0], out);
    }

    #[inline(always)]
    fn take(self, set: &mut [u64], cover: &[u64], out: &mut [u64]) {
        self.0.count(set[0] & cover[0], out);
        set[0] &= !cover[0];
    }
}

/// A bit is a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowBits<L> {
    pub(super) shape: ShortColumns,
    pub(super) simd: L,
}

impl<L: Simd> Bits for RowBits<L> {
    #[inline(always)]
    fn n_words(self) -> usize {
        self.shape.n_words()
    }

    #[inline(always)]
    fn count(self, a: &[u64], b: &[u64], out: &mut [u64]) {
        let counts = self.simd.count_short(self.shape, a, b);
        out[0] += counts[0];
        out[1] += counts[1];
    }

    #[inline(always)]
    fn take(self, set: &mut [u64], cover: &[u64], out: &mut [u64]) {
        let counts = self.simd.take_short(self.shape, set, cover);
        out[0] += counts[0];
        out[1] += counts[1];
    }
}

/// The same captures, ready to be counted. Fields are borrowed one by one so that lengths and pointers stay in registers:
/// the compiler must assume that a write through a shared struct changes them.
pub(super) struct DenseView<'s, 'a, B, F> {
    covers: &'a [u64],
    captures: &'s [u64],
    uncaptured: &'s [u64],
    released: &'s mut [u64],
    bits: B,
    form: F,
}

impl<'s, 'a, B, F> DenseView<'s, 'a, B, F> {
    #[inline(always)]
    pub(super) fn new(dense: &'s mut Dense<'a>, bits: B, form: F) -> Self {
        let Dense { covers, captures, uncaptured, released, .. } = dense;
        DenseView { covers, captures, uncaptured, released, bits, form }
    }
}

impl<'a, B: Bits, F: Buffered> CaptureStore for DenseView<'_, 'a, B, F> {
    type Cover = &'a [u64];
    type Form = F;
    const IS_EXPENSIVE: bool = false;
    const STORES_UNCAPTURED: bool = true;

    #[inline(always)]
    fn form(&self) -> F {
        self.form
    }

    #[inline(always)]
    fn cover(&self, candidate: u32) -> &'a [u64] {
        set(self.covers, candidate as usize, self.bits.n_words())
    }

    #[inline(always)]
    fn count_uncaptured(&self, position: usize, cover: &'a [u64], out: &mut [u64]) {
        self.bits.count(set(self.uncaptured, position, self.bits.n_words()), cover, out);
    }

    #[inline(always)]
    fn count_captured(&self, position: usize, cover: &'a [u64], out: &mut [u64]) {
        self.bits.count(set(self.captures, position, self.bits.n_words()), cover, out);
    }

    #[inline(always)]
    fn release(&mut self, position: usize, except: Option<&'a [u64]>) {
        let capture = set(self.captures, position, self.bits.n_words());
        let Some(except) = except else {
            self.released.copy_from_slice(capture);
            return;
        };
        for ((released, capture), except) in self.released.iter_mut().zip(capture).zip(except) {
            *released = capture & !except;
        }
    }

    #[inline(always)]
    fn release_covered(&mut self, position: usize, cover: &'a [u64]) {
        let capture = set(self.captures, position, self.bits.n_words());
        for ((released, capture), cover) in self.released.iter_mut().zip(capture).zip(cover) {
            *released = capture & cover;
        }
    }

    #[inline(always)]
    fn release_from(&mut self, position: usize) {
        self.released.copy_from_slice(set(self.uncaptured, position, self.bits.n_words()));
    }

    #[inline(always)]
    fn take(&mut self, cover: &'a [u64], out: &mut [u64]) {
        self.bits.take(self.released, cover, out);
    }
}
