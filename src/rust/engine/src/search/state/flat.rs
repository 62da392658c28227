//! Captures as plain words, side by side: for few rows, or few different ones.

use super::captured::{Captured, Follow};
use super::tabled::Tabled;
use crate::bitset::few::Few;
use crate::bitset::lanes::Lanes;
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
    pub(super) few: Few,
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
    free: Vec<u64>,
}

impl<'a, B: Bits<'a>> Flat<'a, B> {
    /// Of the empty list: the default rule captures `all`.
    pub(super) fn new(bits: B, all: &[u64]) -> Self {
        Flat { bits, covers: bits.covers(), captures: all.to_vec(), free: vec![0; all.len()] }
    }

    #[inline(always)]
    fn cover(&self, candidate: u32) -> &'a [u64] {
        set(self.covers, candidate as usize, self.bits.n_words())
    }

    #[inline(always)]
    fn set_free(&mut self, at: usize, except: Option<&[u64]>) {
        set_free(&mut self.free, set(&self.captures, at, self.bits.n_words()), except);
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
    pub(super) fn seen<L>(&mut self, lanes: L) -> SeenRows<'_, 'a, L> {
        let Flat { bits, covers, captures, free } = self;
        SeenRows { few: bits.few, covers, captures, free, lanes }
    }
}

impl<'a> Flat<'a, &'a Patterns> {
    /// To score moves of `rules`, if the log f of every set is at hand.
    #[inline(always)]
    pub(super) fn tabled<'s>(&'s self, rules: &'s [u32]) -> Option<Tabled<'s>> {
        let (patterns, captures) = (self.bits, &self.captures[..]);
        patterns.log_fs().map(|log_fs| Tabled { patterns, log_fs, rules, captures })
    }

    /// The words from position `first` on become `words`, and the list `m` rules long; rows per class go to `counts`.
    pub(super) fn put(&mut self, first: usize, words: &[u64], m: usize, counts: &mut [u64]) {
        self.captures.resize(m + 1, 0);
        self.captures[first..first + words.len()].copy_from_slice(words);
        let k = counts.len() / words.len();
        for (&word, counts) in words.iter().zip(counts.chunks_exact_mut(k)) {
            counts.fill(0);
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
    few: Few,
    covers: &'a [u64],
    captures: &'s [u64],
    free: &'s mut [u64],
    lanes: L,
}

impl<'a, L: Lanes> Captured for SeenRows<'_, 'a, L> {
    type Cover = &'a [u64];

    #[inline(always)]
    fn cover(&self, candidate: u32) -> &'a [u64] {
        set(self.covers, candidate as usize, self.few.n_words())
    }

    #[inline(always)]
    fn common(&self, at: usize, cover: &'a [u64], out: &mut [u64]) {
        let capture = set(self.captures, at, self.few.n_words());
        let counts = self.lanes.count_few(self.few, capture, cover);
        out[0] += counts[0];
        out[1] += counts[1];
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
        let counts = self.lanes.take_few(self.few, self.free, cover);
        out[0] += counts[0];
        out[1] += counts[1];
    }
}

/// Changes to the list. Every capture below the change is looked at anyway, so moving it by a place costs nothing.
impl<'a, B: Bits<'a>> Follow for Flat<'a, B> {
    #[inline(always)]
    fn insert(&mut self, candidate: u32, at: usize, m: usize) {
        let n = self.bits.n_words();
        let cover = self.cover(candidate);
        self.captures.resize((m + 2) * n, 0);
        self.free.fill(0);
        for position in (at..=m).rev() {
            let (from, to) = self.captures[position * n..(position + 2) * n].split_at_mut(n);
            for (((from, to), cover), free) in from.iter().zip(to).zip(cover).zip(&mut self.free) {
                *free |= from & cover;
                *to = from & !cover;
            }
        }
        self.captures[at * n..(at + 1) * n].copy_from_slice(&self.free);
    }

    #[inline(always)]
    fn remove(&mut self, at: usize, rules: &[u32]) {
        let (n, m) = (self.bits.n_words(), rules.len());
        self.set_free(at, None);
        for (position, &rule) in rules.iter().enumerate().skip(at) {
            let cover = self.cover(rule);
            let (to, from) = self.captures[position * n..(position + 2) * n].split_at_mut(n);
            for (((to, from), cover), free) in to.iter_mut().zip(from).zip(cover).zip(&mut self.free) {
                *to = *from | (*free & cover);
                *free &= !cover;
            }
        }
        self.captures.copy_within((m + 1) * n.., m * n);
        self.captures.truncate((m + 1) * n);
        self.captures[m * n..].iter_mut().zip(&self.free).for_each(|(to, free)| *to |= free);
    }

    #[inline(always)]
    fn swap(&mut self, first: usize, second: usize, rules: &[u32]) {
        let n = self.bits.n_words();
        let upper = self.cover(rules[second]);
        self.set_free(first, Some(upper));
        let (above, below) = self.captures.split_at_mut(second * n);
        // what `second` has and takes on its way up
        let rising = &mut below[..n];
        for position in first..second {
            let capture = &mut above[position * n..(position + 1) * n];
            for ((rising, capture), upper) in rising.iter_mut().zip(capture).zip(upper) {
                *rising |= *capture & upper;
                *capture &= !upper;
            }
        }
        above[first * n..(first + 1) * n].copy_from_slice(rising);
        for position in first + 1..second {
            let cover = &self.covers[rules[position] as usize * n..][..n];
            let capture = &mut above[position * n..(position + 1) * n];
            for ((capture, cover), free) in capture.iter_mut().zip(cover).zip(&mut self.free) {
                *capture |= *free & cover;
                *free &= !cover;
            }
        }
        rising.copy_from_slice(&self.free);
    }
}
