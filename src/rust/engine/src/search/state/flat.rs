//! Captures as plain words, side by side: for few rows, or few different ones.

use super::captured::Captured;
use super::tabled::Tabled;
use crate::bitset::short_columns::ShortColumns;
use crate::bitset::simd::Simd;
use crate::search::moves::Move;
use crate::search::patterns::Patterns;

/// What the bits of a set mean.
pub(super) trait Bits<'a>: Copy {
    /// Words in a set.
    fn n_words(self) -> usize;
    /// The words of all candidates' covers.
    fn covers(self) -> &'a [u64];
}

/// A bit is a pattern.
impl<'a> Bits<'a> for &'a Patterns {
    #[inline(always)]
    fn n_words(self) -> usize {
        1
    }

    #[inline(always)]
    fn covers(self) -> &'a [u64] {
        Patterns::covers(self)
    }
}

/// A bit is a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowBits<'a> {
    pub(super) few: ShortColumns,
    pub(super) covers: &'a [u64],
}

impl<'a> Bits<'a> for RowBits<'a> {
    #[inline(always)]
    fn n_words(self) -> usize {
        self.few.n_words()
    }

    #[inline(always)]
    fn covers(self) -> &'a [u64] {
        self.covers
    }
}

/// Captures, the default rule's last.
#[derive(Debug, Clone)]
pub(super) struct Flat<'a, B> {
    bits: B,
    covers: &'a [u64],
    captures: Vec<u64>,
    /// The rows that nobody above captures, of each position; not kept up where tables score the moves.
    left: Vec<u64>,
    free: Vec<u64>,
}

impl<'a, B: Bits<'a>> Flat<'a, B> {
    /// Of the empty list: the default rule captures `all`.
    pub(super) fn new(bits: B, all: &[u64]) -> Self {
        let (captures, left) = (all.to_vec(), all.to_vec());
        Flat { bits, covers: bits.covers(), captures, left, free: vec![0; all.len()] }
    }

    #[inline(always)]
    fn cover(&self, candidate: u32) -> &'a [u64] {
        set(self.covers, candidate as usize, self.bits.n_words())
    }

    #[inline(always)]
    fn set_free(&mut self, at: usize, except: Option<&[u64]>) {
        set_free(&mut self.free, set(&self.captures, at, self.bits.n_words()), except);
    }

    /// Follow a change to `rules`, which become what it makes of them.
    #[inline(always)]
    pub(super) fn make(&mut self, change: Move, rules: &mut Vec<u32>) {
        change.apply_to(rules);
        let (n, m) = (self.bits.n_words(), rules.len());
        self.captures.resize((m + 1) * n, 0);
        self.left.resize((m + 1) * n, 0);
        let past = if let Move::Swap { second, .. } = change { second + 1 } else { m };
        let first = change.first_position();
        for (at, &rule) in (first..).zip(&rules[first..past]) {
            let cover = self.cover(rule);
            let (left, below) = self.left[at * n..(at + 2) * n].split_at_mut(n);
            let capture = &mut self.captures[at * n..(at + 1) * n];
            for (((left, below), capture), cover) in left.iter().zip(below).zip(capture).zip(cover) {
                (*capture, *below) = (left & cover, left & !cover);
            }
        }
        self.captures[m * n..].copy_from_slice(&self.left[m * n..]);
    }
}

/// Set number `index`, of `n` words.
#[inline(always)]
fn set(words: &[u64], index: usize, n: usize) -> &[u64] {
    &words[index * n..][..n]
}

#[inline(always)]
fn set_free(free: &mut [u64], capture: &[u64], except: Option<&[u64]>) {
    let Some(except) = except else {
        free.copy_from_slice(capture);
        return;
    };
    for ((free, capture), except) in free.iter_mut().zip(capture).zip(except) {
        *free = capture & !except;
    }
}

#[inline(always)]
fn set_free_common(free: &mut [u64], capture: &[u64], cover: &[u64]) {
    for ((free, capture), cover) in free.iter_mut().zip(capture).zip(cover) {
        *free = capture & cover;
    }
}

impl<'a> Flat<'a, RowBits<'a>> {
    /// To be counted with the instructions at hand.
    #[inline(always)]
    pub(super) fn seen<L>(&mut self, simd: L) -> SeenRows<'_, 'a, L> {
        let Flat { bits, covers, captures, left, free } = self;
        SeenRows { few: bits.few, covers, captures, left, free, simd }
    }
}

impl<'a> Flat<'a, &'a Patterns> {
    /// To score moves of `rules`, if the log f of every set is at hand.
    #[inline(always)]
    pub(super) fn tabled<'s>(&'s self, rules: &'s [u32]) -> Option<Tabled<'s>> {
        let (patterns, captures) = (self.bits, &self.captures[..]);
        patterns.log_marginals().map(|log_marginals| Tabled { patterns, log_marginals, rules, captures })
    }

    /// The words from position `first` on, of a list that gets `m` rules.
    #[inline(always)]
    pub(super) fn words_from(&mut self, first: usize, m: usize) -> &mut [u64] {
        self.captures.resize(m + 1, 0);
        &mut self.captures[first..]
    }

    /// Rows per capture and class, of which there are `k`.
    pub(super) fn count(&self, k: usize, counts: &mut Vec<u64>) {
        counts.clear();
        counts.resize(self.captures.len() * k, 0);
        for (&word, counts) in self.captures.iter().zip(counts.chunks_exact_mut(k)) {
            self.bits.count(word, counts);
        }
    }
}

/// Captures of patterns.
impl<'a> Captured for Flat<'a, &'a Patterns> {
    type Cover = &'a [u64];

    #[inline(always)]
    fn cover(&self, candidate: u32) -> &'a [u64] {
        Flat::cover(self, candidate)
    }

    #[inline(always)]
    fn common(&self, at: usize, cover: &'a [u64], out: &mut [u64]) {
        self.bits.count(self.captures[at] & cover[0], out);
    }

    #[inline(always)]
    fn set_free(&mut self, at: usize, except: Option<&'a [u64]>) {
        Flat::set_free(self, at, except);
    }

    #[inline(always)]
    fn set_free_common(&mut self, at: usize, cover: &'a [u64]) {
        set_free_common(&mut self.free, set(&self.captures, at, 1), cover);
    }

    #[inline(always)]
    fn take(&mut self, cover: &'a [u64], out: &mut [u64]) {
        self.bits.count(self.free[0] & cover[0], out);
        self.free[0] &= !cover[0];
    }
}

/// Captures of rows, to be counted with the instructions at hand. The parts are named one by one: what is written on the
/// way might else be lengths and addresses, which would be read again for every position.
pub(super) struct SeenRows<'s, 'a, L> {
    few: ShortColumns,
    covers: &'a [u64],
    captures: &'s [u64],
    left: &'s [u64],
    free: &'s mut [u64],
    simd: L,
}

impl<L: Simd> SeenRows<'_, '_, L> {
    /// Count what a cover has of the set at `at`.
    #[inline(always)]
    fn count(&self, sets: &[u64], at: usize, cover: &[u64], out: &mut [u64]) {
        let counts = self.simd.count_short(self.few, set(sets, at, self.few.n_words()), cover);
        out[0] += counts[0];
        out[1] += counts[1];
    }
}

impl<'a, L: Simd> Captured for SeenRows<'_, 'a, L> {
    type Cover = &'a [u64];
    const SEES_LEFT: bool = true;

    #[inline(always)]
    fn cover(&self, candidate: u32) -> &'a [u64] {
        set(self.covers, candidate as usize, self.few.n_words())
    }

    #[inline(always)]
    fn left(&self, at: usize, cover: &'a [u64], out: &mut [u64]) {
        self.count(self.left, at, cover, out);
    }

    #[inline(always)]
    fn common(&self, at: usize, cover: &'a [u64], out: &mut [u64]) {
        self.count(self.captures, at, cover, out);
    }

    #[inline(always)]
    fn set_free(&mut self, at: usize, except: Option<&'a [u64]>) {
        set_free(self.free, set(self.captures, at, self.few.n_words()), except);
    }

    #[inline(always)]
    fn set_free_common(&mut self, at: usize, cover: &'a [u64]) {
        set_free_common(self.free, set(self.captures, at, self.few.n_words()), cover);
    }

    #[inline(always)]
    fn take(&mut self, cover: &'a [u64], out: &mut [u64]) {
        let counts = self.simd.take_short(self.few, self.free, cover);
        out[0] += counts[0];
        out[1] += counts[1];
    }
}
