//! Captures as columns of blocks with masks: for many rows.

use super::captured::Captured;
use crate::bitset::bit_sliced::RowWeight;
use crate::bitset::blocks::{Blocks, MaskedBits, MaskedBitsRef};
use crate::bitset::simd::Simd;
use crate::bitset::MaskedColumns;
use crate::search::moves::Move;
use std::ops::Range;

/// Captures, the default rule's last.
#[derive(Debug, Clone)]
pub(super) struct Blocked<'a, W> {
    weigh: W,
    blocks: &'a Blocks,
    covers: MaskedColumns<'a>,
    captures: Vec<MaskedBits>,
    free: MaskedBits,
    spare: Vec<MaskedBits>,
}

impl<'a, W: RowWeight> Blocked<'a, W> {
    /// Of the empty list: the default rule captures `all`.
    pub(super) fn new(weigh: W, blocks: &'a Blocks, covers: MaskedColumns<'a>, all: Vec<u64>) -> Self {
        let free = MaskedBits::empty(all.len(), blocks.n_masks());
        let mut all = MaskedBits { words: all, mask: vec![0; blocks.n_masks()] };
        blocks.mask_of(&all.words, &mut all.mask);
        Blocked { weigh, blocks, covers, captures: vec![all], free, spare: Vec::new() }
    }
}

impl<W> Blocked<'_, W> {
    /// Follow a change to `rules`, which become what it makes of them.
    pub(super) fn make(&mut self, change: Move, rules: &mut Vec<u32>) {
        match change {
            Move::Swap { first, second } => self.swap(first, second, rules),
            Move::Add { candidate, at } | Move::Replace { candidate, at } => self.insert(candidate, at),
            Move::Remove { .. } => {}
        }
        change.apply_to(rules);
        match change {
            Move::Remove { at } => self.remove(at, rules),
            Move::Replace { at, .. } => self.remove(at + 1, rules),
            Move::Add { .. } | Move::Swap { .. } => {}
        }
    }

    fn insert(&mut self, candidate: u32, at: usize) {
        let empty = || MaskedBits::empty(self.free.words.len(), self.free.mask.len());
        let mut taken = self.spare.pop().unwrap_or_else(empty);
        taken.clear();
        let cover = self.covers.get(candidate as usize);
        for capture in &mut self.captures[at..] {
            capture.give(self.blocks, cover, &mut taken);
        }
        self.captures.insert(at, taken);
    }

    /// `rules` are those that stay.
    fn remove(&mut self, at: usize, rules: &[u32]) {
        let mut freed = self.captures.remove(at);
        self.hand_down(&mut freed, at..rules.len(), rules);
        self.captures[rules.len()].take_all(self.blocks, freed.view());
        self.spare.push(freed);
    }

    /// `rules` are those before the change.
    fn swap(&mut self, first: usize, second: usize, rules: &[u32]) {
        let cover = self.covers.get(rules[second] as usize);
        let (above, below) = self.captures.split_at_mut(second);
        for capture in &mut above[first..] {
            capture.give(self.blocks, cover, &mut below[0]);
        }
        let mut freed = std::mem::take(&mut self.captures[first]);
        self.hand_down(&mut freed, first + 1..second, rules);
        // what is left obeys the earlier rule, which now stands at `second`
        self.captures[first] = std::mem::replace(&mut self.captures[second], freed);
    }

    /// Give rows to the first of the rules at `positions` that covers them.
    fn hand_down(&mut self, freed: &mut MaskedBits, positions: Range<usize>, rules: &[u32]) {
        for position in positions {
            let cover = self.covers.get(rules[position] as usize);
            freed.give(self.blocks, cover, &mut self.captures[position]);
        }
    }
}

/// The same, to be counted with the instructions at hand.
pub(super) struct Seen<'s, 'a, W, L> {
    pub(super) blocked: &'s mut Blocked<'a, W>,
    pub(super) simd: L,
}

impl<'a, W: RowWeight, L: Simd> Captured for Seen<'_, 'a, W, L> {
    type Cover = MaskedBitsRef<'a>;
    const IS_DEAR: bool = true;

    #[inline(always)]
    fn cover(&self, candidate: u32) -> MaskedBitsRef<'a> {
        self.blocked.covers.get(candidate as usize)
    }

    #[inline(always)]
    fn common(&self, at: usize, cover: MaskedBitsRef<'a>, out: &mut [u64]) {
        let Blocked { weigh, blocks, captures, .. } = &*self.blocked;
        self.simd.common(blocks, captures[at].view(), cover, *weigh, out);
    }

    #[inline(always)]
    fn set_free(&mut self, at: usize, except: Option<MaskedBitsRef<'a>>) {
        let Blocked { blocks, captures, free, .. } = &mut *self.blocked;
        free.copy_from(blocks, &captures[at], except);
    }

    fn set_free_common(&mut self, at: usize, cover: MaskedBitsRef<'a>) {
        let Blocked { blocks, captures, free, .. } = &mut *self.blocked;
        free.copy_common(blocks, &captures[at], cover);
    }

    #[inline(always)]
    fn take(&mut self, cover: MaskedBitsRef<'a>, out: &mut [u64]) {
        let Blocked { weigh, blocks, free, .. } = &mut *self.blocked;
        self.simd.take(blocks, free, cover, *weigh, out);
    }
}
