//! Draw a move and its proposal ratio.

use crate::rng::{BoundedDraws, ChainRng};
use crate::search::list::moves::{Move, MoveKind};
use crate::search::list::unused::Unused;

/// The kinds of move that chains propose, each that is possible equally often, in the order of [`KINDS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Drawn {
    Add,
    Remove,
    Swap,
    Replace,
}

const DRAWN: [Drawn; 4] = [Drawn::Add, Drawn::Remove, Drawn::Swap, Drawn::Replace];

/// The same, as they are counted.
pub const KINDS: [MoveKind; 4] = [MoveKind::Add, MoveKind::Remove, MoveKind::Swap, MoveKind::Replace];

/// A drawn move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Proposal {
    /// The move.
    pub change: Move,
    /// log of q(back) / q(there), the proposal part of the Hastings ratio.
    pub log_ratio: f64,
}

/// Draws moves for lists of at most `max_length` rules.
#[derive(Debug, Clone)]
pub struct Proposer {
    unused: Unused,
    max_length: usize,
    /// For m = 0, 1, 2, … as far as needed: log of q(remove | m + 1) · (n − m) / q(add | m); the m + 1 positions cancel.
    log_ratios: Vec<f64>,
}

impl Proposer {
    /// For the list `rules`, out of `n_candidates`.
    pub fn new(n_candidates: usize, max_length: usize, rules: &[u32]) -> Self {
        let unused = Unused::new(n_candidates, rules);
        Proposer { unused, max_length: max_length.min(n_candidates), log_ratios: Vec::new() }
    }

    /// Go on with the list `rules`.
    pub fn restart(&mut self, rules: &[u32]) {
        self.unused.restart(rules);
    }

    fn n_candidates(&self) -> usize {
        self.unused.n_candidates()
    }

    /// Whether moves of this kind are possible for `m` rules.
    fn is_possible(&self, kind: Drawn, m: usize) -> bool {
        match kind {
            Drawn::Add => m < self.max_length,
            Drawn::Remove => m >= 1,
            Drawn::Swap => m >= 2,
            Drawn::Replace => m >= 1 && m < self.n_candidates(),
        }
    }

    fn n_possible(&self, m: usize) -> usize {
        DRAWN.iter().filter(|&&kind| self.is_possible(kind, m)).count()
    }

    /// The kind of the next move.
    #[inline(always)]
    fn draw_kind(&self, draws: &mut BoundedDraws, m: usize) -> Drawn {
        // nearly always all are possible
        if m >= 2 && m < self.max_length {
            return DRAWN[draws.below(DRAWN.len())];
        }
        let drawn = draws.below(self.n_possible(m).max(1));
        DRAWN.into_iter().filter(|&kind| self.is_possible(kind, m)).nth(drawn).unwrap_or(Drawn::Add)
    }

    /// Draw a move for the list `rules`; there is none only if no list has any.
    #[inline(always)]
    pub fn propose(&mut self, rng: &mut ChainRng, rules: &[u32]) -> Option<Proposal> {
        let m = rules.len();
        if self.max_length == 0 {
            return None;
        }
        loop {
            let mut draws = rng.bounded_draws();
            let (change, log_ratio) = match self.draw_kind(&mut draws, m) {
                Drawn::Add => {
                    let (candidate, position) = (self.unused.draw_from(&mut draws), draws.below(m + 1));
                    (Move::Add { candidate, position }, self.log_ratio_of_adding(m))
                }
                Drawn::Remove => {
                    (Move::Remove { position: draws.below(m) }, -self.log_ratio_of_adding(m - 1))
                }
                Drawn::Swap => {
                    let (one, other) = (draws.below(m), draws.below(m - 1));
                    let other = other + usize::from(other >= one);
                    (Move::Swap { first: one.min(other), second: one.max(other) }, 0.0)
                }
                Drawn::Replace => {
                    let (candidate, position) = (self.unused.draw_from(&mut draws), draws.below(m));
                    (Move::Replace { candidate, position }, 0.0)
                }
            };
            if draws.is_unbiased() {
                return Some(Proposal { change, log_ratio });
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

    /// Follow `change`, which is about to be applied to `rules`.
    #[inline(always)]
    pub fn accept(&mut self, change: Move, rules: &[u32]) {
        self.unused.follow(change, rules);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kinds of 100 moves drawn for `rules` out of `n` candidates, each once, in order.
    fn kinds(n: usize, max_length: usize, rules: &[u32]) -> Vec<MoveKind> {
        let mut rng = ChainRng::new(6, 0);
        let mut proposer = Proposer::new(n, max_length, rules);
        let mut kinds: Vec<MoveKind> =
            (0..100).filter_map(|_| Some(proposer.propose(&mut rng, rules)?.change.kind())).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    #[test]
    fn impossible_moves_are_never_drawn() {
        use MoveKind::{Add, Remove, Replace, Swap};
        assert_eq!(kinds(2, 9, &[]), [Add]);
        assert_eq!(kinds(2, 9, &[0]), [Add, Remove, Replace]);
        assert_eq!(kinds(2, 9, &[0, 1]), [Remove, Swap]);
        assert_eq!(kinds(3, 2, &[0, 1]), [Remove, Swap, Replace]);
        assert!(kinds(0, 9, &[]).is_empty());
    }

    #[test]
    fn adding_and_removing_have_inverse_ratios() {
        let mut rng = ChainRng::new(7, 0);
        let mut proposer = Proposer::new(5, 9, &[]);
        let add = proposer.propose(&mut rng, &[]).unwrap();
        proposer.accept(Move::Add { candidate: 2, position: 0 }, &[]);
        let back = loop {
            let proposal = proposer.propose(&mut rng, &[2]).unwrap();
            if proposal.change.kind() == MoveKind::Remove {
                break proposal;
            }
        };
        assert_eq!(add.log_ratio, -back.log_ratio);
        // one kind of move from the empty list, three from one rule, five candidates
        assert!((add.log_ratio - (5.0f64 / 3.0).ln()).abs() < 1e-15);
    }
}
