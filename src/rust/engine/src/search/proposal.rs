//! Draw a move and its proposal ratio.

use super::moves::Move;
use crate::rng::{BoundedDraws, ChainRng};

/// The kinds of move, in the order reports list them.
pub const KINDS: [&str; 4] = ["add", "remove", "swap", "replace"];

/// A drawn move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Proposal {
    pub change: Move,
    /// log of q(back) / q(there), the Hastings ratio's proposal part.
    pub log_ratio: f64,
    /// Index into `KINDS`.
    pub kind: usize,
}

/// Which candidates stand in the list: a permutation of all whose first `n_used` entries do.
#[derive(Debug, Clone)]
pub struct Unused {
    order: Vec<u32>,
    place: Vec<u32>,
    n_used: usize,
}

impl Unused {
    pub fn new(n_candidates: usize) -> Self {
        let order: Vec<u32> = (0..n_candidates as u32).collect();
        Unused { place: order.clone(), order, n_used: 0 }
    }

    /// All but those in the list `rules`.
    pub fn without(n_candidates: usize, rules: &[u32]) -> Self {
        let mut unused = Unused::new(n_candidates);
        rules.iter().for_each(|&rule| unused.take(rule));
        unused
    }

    pub fn n_candidates(&self) -> usize {
        self.order.len()
    }

    /// Take note that `change` is being made to `rules`.
    pub fn follow(&mut self, change: Move, rules: &[u32]) {
        match change {
            Move::Add { candidate, .. } => self.take(candidate),
            Move::Remove { at } => self.give_back(rules[at]),
            Move::Swap { .. } => {}
            Move::Replace { candidate, at } => {
                self.give_back(rules[at]);
                self.take(candidate);
            }
        }
    }

    fn n_unused(&self) -> usize {
        self.order.len() - self.n_used
    }

    pub fn draw(&self, rng: &mut ChainRng) -> u32 {
        self.order[self.n_used + rng.below(self.n_unused())]
    }

    #[inline(always)]
    fn draw_from(&self, digits: &mut BoundedDraws) -> u32 {
        self.order[self.n_used + digits.below(self.n_unused())]
    }

    pub fn take(&mut self, candidate: u32) {
        self.exchange(candidate, self.n_used);
        self.n_used += 1;
    }

    pub fn give_back(&mut self, candidate: u32) {
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

/// Draws moves for lists of at most `max_length` rules.
#[derive(Debug, Clone)]
pub struct Proposer {
    unused: Unused,
    max_length: usize,
    /// Of m = 0, 1, 2, … as far as needed: log of q(remove | m + 1) · (n − m) / q(add | m); the m + 1 positions cancel.
    log_ratios: Vec<f64>,
}

impl Proposer {
    /// For the list `rules`, out of `n_candidates`.
    pub fn new(n_candidates: usize, max_length: usize, rules: &[u32]) -> Self {
        let unused = Unused::without(n_candidates, rules);
        Proposer { unused, max_length: max_length.min(n_candidates), log_ratios: Vec::new() }
    }

    fn n_candidates(&self) -> usize {
        self.unused.n_candidates()
    }

    /// Which kinds are possible for `m` rules. Each possible one is equally likely.
    fn possible(&self, m: usize) -> [bool; 4] {
        [m < self.max_length, m >= 1, m >= 2, m >= 1 && m < self.n_candidates()]
    }

    fn n_possible(&self, m: usize) -> usize {
        self.possible(m).iter().filter(|&&yes| yes).count()
    }

    /// The kind of the next move.
    #[inline(always)]
    fn draw_kind(&self, digits: &mut BoundedDraws, m: usize) -> usize {
        // nearly always all are possible
        if m >= 2 && m < self.max_length {
            return digits.below(KINDS.len());
        }
        let drawn = digits.below(self.n_possible(m).max(1));
        (0..KINDS.len()).filter(|&kind| self.possible(m)[kind]).nth(drawn).unwrap_or(0)
    }

    /// Draw a move for the list `rules`; none exists only when no list has any.
    #[inline(always)]
    pub fn propose(&mut self, rng: &mut ChainRng, rules: &[u32]) -> Option<Proposal> {
        let m = rules.len();
        if self.max_length == 0 {
            return None;
        }
        loop {
            let mut digits = rng.digits();
            let kind = self.draw_kind(&mut digits, m);
            let (change, log_ratio) = match kind {
                0 => {
                    let (candidate, at) = (self.unused.draw_from(&mut digits), digits.below(m + 1));
                    (Move::Add { candidate, at }, self.log_ratio_of_adding(m))
                }
                1 => (Move::Remove { at: digits.below(m) }, -self.log_ratio_of_adding(m - 1)),
                2 => {
                    let (one, other) = (digits.below(m), digits.below(m - 1));
                    let other = other + usize::from(other >= one);
                    (Move::Swap { first: one.min(other), second: one.max(other) }, 0.0)
                }
                _ => {
                    let (candidate, at) = (self.unused.draw_from(&mut digits), digits.below(m));
                    (Move::Replace { candidate, at }, 0.0)
                }
            };
            if digits.is_unbiased() {
                return Some(Proposal { change, log_ratio, kind });
            }
        }
    }

    #[inline]
    fn log_ratio_of_adding(&mut self, m: usize) -> f64 {
        if let Some(&log_ratio) = self.log_ratios.get(m) {
            return log_ratio;
        }
        self.more_log_ratios(m)
    }

    #[cold]
    fn more_log_ratios(&mut self, m: usize) -> f64 {
        for m in self.log_ratios.len()..=m {
            let kinds = self.n_possible(m) as f64 / self.n_possible(m + 1) as f64;
            self.log_ratios.push((kinds * (self.n_candidates() - m) as f64).ln());
        }
        self.log_ratios[m]
    }

    /// Take note that `change` is being made to `rules`.
    pub fn accept(&mut self, change: Move, rules: &[u32]) {
        self.unused.follow(change, rules);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unused_draws_only_what_is_unused() {
        let mut rng = ChainRng::new(5, 0);
        let mut unused = Unused::new(6);
        for candidate in [3, 0, 5] {
            unused.take(candidate);
        }
        unused.give_back(0);
        let mut seen: Vec<u32> = (0..300).map(|_| unused.draw(&mut rng)).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen, [0, 1, 2, 4]);
    }

    /// The kinds of 100 moves drawn for `rules` out of `n` candidates, each once, in order.
    fn kinds(n: usize, max_length: usize, rules: &[u32]) -> Vec<usize> {
        let mut rng = ChainRng::new(6, 0);
        let mut proposer = Proposer::new(n, max_length, rules);
        let mut kinds: Vec<usize> =
            (0..100).filter_map(|_| Some(proposer.propose(&mut rng, rules)?.kind)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    #[test]
    fn impossible_moves_are_never_drawn() {
        assert_eq!(kinds(2, 9, &[]), [0]);
        assert_eq!(kinds(2, 9, &[0]), [0, 1, 3]);
        assert_eq!(kinds(2, 9, &[0, 1]), [1, 2]);
        assert_eq!(kinds(3, 2, &[0, 1]), [1, 2, 3]);
        assert!(kinds(0, 9, &[]).is_empty());
    }

    #[test]
    fn adding_and_removing_have_inverse_ratios() {
        let mut rng = ChainRng::new(7, 0);
        let mut proposer = Proposer::new(5, 9, &[]);
        let add = proposer.propose(&mut rng, &[]).unwrap();
        proposer.accept(Move::Add { candidate: 2, at: 0 }, &[]);
        let back = loop {
            let proposal = proposer.propose(&mut rng, &[2]).unwrap();
            if proposal.kind == 1 {
                break proposal;
            }
        };
        assert_eq!(add.log_ratio, -back.log_ratio);
        // one kind of move from the empty list, three from one rule, five candidates
        assert!((add.log_ratio - (5.0f64 / 3.0).ln()).abs() < 1e-15);
    }
}
