//! Captures as columns of blocks, with masks of the blocks that have a row: for many rows.

use super::capture_store::CaptureStore;
use super::moves::Move;
use super::transfer::Buffered;
use crate::bitset::bit_sliced::RowWeight;
use crate::bitset::blocks::{Blocks, MaskedBits, MaskedBitsRef};
use crate::bitset::simd::Simd;
use crate::bitset::MaskedColumns;
use std::ops::Range;

/// Captures per position, the default rule's last.
#[derive(Debug, Clone)]
pub(super) struct Blocked<'a, W> {
    weight: W,
    blocks: &'a Blocks,
    covers: MaskedColumns<'a>,
    captures: Vec<MaskedBits>,
    released: MaskedBits,
    /// Columns to be used again.
    spare: Vec<MaskedBits>,
}

impl<'a, W: RowWeight> Blocked<'a, W> {
    /// Of the empty list: the default rule captures `all`.
    pub(super) fn new(weight: W, blocks: &'a Blocks, covers: MaskedColumns<'a>, all: Vec<u64>) -> Self {
        let released = MaskedBits::empty(all.len(), blocks.n_masks());
        let mut all = MaskedBits { words: all, mask: vec![0; blocks.n_masks()] };
        blocks.mask_of(&all.words, &mut all.mask);
        Blocked { weight, blocks, covers, captures: vec![all], released, spare: Vec::new() }
    }
}

impl<W> Blocked<'_, W> {
    /// Follow `change`, which is applied to `rules` too.
    pub(super) fn apply(&mut self, change: Move, rules: &mut Vec<u32>) {
        match change {
            Move::Add { candidate, position } => {
                self.insert(candidate, position);
                change.apply_to(rules);
            }
            Move::Remove { position } => {
                change.apply_to(rules);
                self.remove(position, rules);
            }
            Move::Swap { first, second } => {
                self.swap(first, second, rules);
                change.apply_to(rules);
            }
            Move::Replace { candidate, position } => {
                self.insert(candidate, position);
                change.apply_to(rules);
                self.remove(position + 1, rules);
            }
            _ => {
                change.apply_to(rules);
                self.recapture(change.first_position(), rules);
            }
        }
    }

    /// A column without rows.
    fn new_column(&mut self) -> MaskedBits {
        let (n_words, n_masks) = (self.released.words.len(), self.released.mask.len());
        let mut column = self.spare.pop().unwrap_or_else(|| MaskedBits::empty(n_words, n_masks));
        column.clear();
        column
    }

    /// Capture again from `first` on. `rules` is the list after the change.
    fn recapture(&mut self, first: usize, rules: &[u32]) {
        let mut rows = self.new_column();
        for capture in self.captures.drain(first..) {
            rows.take_all(self.blocks, capture.view());
            self.spare.push(capture);
        }
        for &rule in &rules[first..] {
            let mut capture = self.new_column();
            rows.give(self.blocks, self.covers.get(rule as usize), &mut capture);
            self.captures.push(capture);
        }
        self.captures.push(rows);
    }

    fn insert(&mut self, candidate: u32, position: usize) {
        let mut inserted = self.new_column();
        let cover = self.covers.get(candidate as usize);
        for capture in &mut self.captures[position..] {
            capture.give(self.blocks, cover, &mut inserted);
        }
        self.captures.insert(position, inserted);
    }

    /// `rules` are those that remain.
    fn remove(&mut self, position: usize, rules: &[u32]) {
        let mut rows = self.captures.remove(position);
        self.pass_down(&mut rows, position..rules.len(), rules);
        self.captures[rules.len()].take_all(self.blocks, rows.view());
        self.spare.push(rows);
    }

    /// `rules` are those before the change.
    fn swap(&mut self, first: usize, second: usize, rules: &[u32]) {
        let cover = self.covers.get(rules[second] as usize);
        let (above, below) = self.captures.split_at_mut(second);
        for capture in &mut above[first..] {
            capture.give(self.blocks, cover, &mut below[0]);
        }
        let mut rows = std::mem::take(&mut self.captures[first]);
        self.pass_down(&mut rows, first + 1..second, rules);
        // the rule that is now at `second` captures what is left of its rows
        self.captures[first] = std::mem::replace(&mut self.captures[second], rows);
    }

    /// Give each of `rows` to the first rule at `positions` that covers it.
    fn pass_down(&mut self, rows: &mut MaskedBits, positions: Range<usize>, rules: &[u32]) {
        for position in positions {
            let cover = self.covers.get(rules[position] as usize);
            rows.give(self.blocks, cover, &mut self.captures[position]);
        }
    }
}

/// The same captures, ready to be counted with the instructions of `L`.
pub(super) struct BlockedView<'s, 'a, W, L, F> {
    pub(super) blocked: &'s mut Blocked<'a, W>,
    pub(super) simd: L,
    pub(super) form: F,
}

impl<'a, W: RowWeight, L: Simd, F: Buffered> CaptureStore for BlockedView<'_, 'a, W, L, F> {
    type Cover = MaskedBitsRef<'a>;
    type Form = F;
    const IS_EXPENSIVE: bool = true;
    const STORES_UNCAPTURED: bool = false;

    #[inline(always)]
    fn form(&self) -> F {
        self.form
    }

    #[inline(always)]
    fn cover(&self, candidate: u32) -> MaskedBitsRef<'a> {
        self.blocked.covers.get(candidate as usize)
    }

    /// One capture after the other.
    fn count_uncaptured(&self, position: usize, cover: MaskedBitsRef<'a>, out: &mut [u64]) {
        (position..self.blocked.captures.len())
            .for_each(|position| self.count_captured(position, cover, out));
    }

    #[inline(always)]
    fn count_captured(&self, position: usize, cover: MaskedBitsRef<'a>, out: &mut [u64]) {
        let Blocked { weight, blocks, captures, .. } = &*self.blocked;
        self.simd.common(blocks, captures[position].view(), cover, *weight, out);
    }

    #[inline(always)]
    fn release(&mut self, position: usize, except: Option<MaskedBitsRef<'a>>) {
        let Blocked { blocks, captures, released, .. } = &mut *self.blocked;
        released.copy_from(blocks, &captures[position], except);
    }

    fn release_covered(&mut self, position: usize, cover: MaskedBitsRef<'a>) {
        let Blocked { blocks, captures, released, .. } = &mut *self.blocked;
        released.copy_common(blocks, &captures[position], cover);
    }

    fn release_from(&mut self, position: usize) {
        let Blocked { blocks, captures, released, .. } = &mut *self.blocked;
        released.clear();
        captures[position..].iter().for_each(|capture| released.take_all(blocks, capture.view()));
    }

    #[inline(always)]
    fn take(&mut self, cover: MaskedBitsRef<'a>, out: &mut [u64]) {
        let Blocked { weight, blocks, released, .. } = &mut *self.blocked;
        self.simd.take(blocks, released, cover, *weight, out);
    }
}
