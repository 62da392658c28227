//! Which candidates are in the list and which are not.

use super::moves::Move;
use crate::rng::{BoundedDraws, ChainRng};

/// A permutation of all candidates whose first `n_used` entries are in the list.
#[derive(Debug, Clone)]
pub struct Unused {
    order: Vec<u32>,
    place: Vec<u32>,
    n_used: usize,
}

impl Unused {
    /// All candidates but those in the list `rules`.
    pub fn new(n_candidates: usize, rules: &[u32]) -> Self {
        let order: Vec<u32> = (0..n_candidates as u32).collect();
        let mut unused = Unused { place: order.clone(), order, n_used: 0 };
        rules.iter().for_each(|&rule| unused.take(rule));
        unused
    }

    /// All candidates but those in the list `rules`, in another order than `new()` gives.
    pub fn restart(&mut self, rules: &[u32]) {
        self.n_used = 0;
        rules.iter().for_each(|&rule| self.take(rule));
    }

    /// Candidates in all.
    pub fn n_candidates(&self) -> usize {
        self.order.len()
    }

    fn n_unused(&self) -> usize {
        self.order.len() - self.n_used
    }

    /// A random unused candidate; there must be one.
    pub fn draw(&self, rng: &mut ChainRng) -> u32 {
        self.order[self.n_used + rng.below(self.n_unused())]
    }

    /// The same, out of a draw that yields other numbers too.
    #[inline(always)]
    pub fn draw_from(&self, draws: &mut BoundedDraws) -> u32 {
        self.order[self.n_used + draws.below(self.n_unused())]
    }

    /// Follow `change`, which is about to be applied to `rules`.
    #[inline(always)]
    pub fn follow(&mut self, change: Move, rules: &[u32]) {
        let (gained, lost) = change.gained_and_lost();
        if let Some(position) = lost {
            self.give_back(rules[position]);
        }
        if let Some(candidate) = gained {
            self.take(candidate);
        }
    }

    fn take(&mut self, candidate: u32) {
        self.exchange(candidate, self.n_used);
        self.n_used += 1;
    }

    fn give_back(&mut self, candidate: u32) {
        self.n_used -= 1;
        self.exchange(candidate, self.n_used);
    }

    fn exchange(&mut self, candidate: u32, to: usize) {
        let from = self.place[candidate as usize] as usize;
        let other = self.order[to];
        self.order.swap(from, to);
        self.place[candidate as usize] = to as u32;
        self.place[other as usize] = from as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unused_candidates_are_drawn() {
        let mut rng = ChainRng::new(5, 0);
        let mut unused = Unused::new(6, &[3, 0, 5]);
        unused.follow(Move::Remove { position: 1 }, &[3, 0, 5]);
        let mut seen: Vec<u32> = (0..300).map(|_| unused.draw(&mut rng)).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen, [0, 1, 2, 4]);
    }
}
