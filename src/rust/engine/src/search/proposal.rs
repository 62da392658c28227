//! Draw a move and its proposal ratio.

use super::moves::Move;
use crate::rng::ChainRng;

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

    fn n_unused(&self) -> usize {
        self.order.len() - self.n_used
    }

    fn draw(&self, rng: &mut ChainRng) -> u32 {
        self.order[self.n_used + rng.below(self.n_unused())]
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

/// Which kinds are possible for `m` rules out of `n` candidates. Each possible one is equally likely.
fn possible(m: usize, n: usize) -> [bool; 4] {
    [m < n, m >= 1, m >= 2, m >= 1 && m < n]
}

fn n_possible(m: usize, n: usize) -> usize {
    possible(m, n).iter().filter(|&&yes| yes).count()
}

/// Draw a move for the list `rules`; none exists only when there are no candidates.
pub fn propose(rng: &mut ChainRng, rules: &[u32], unused: &Unused) -> Option<Proposal> {
    let (m, n) = (rules.len(), unused.order.len());
    let n_kinds = n_possible(m, n);
    if n_kinds == 0 {
        return None;
    }
    let drawn = rng.below(n_kinds);
    let kind = possible(m, n).iter().enumerate().filter(|(_, &yes)| yes).nth(drawn)?.0;
    let (change, log_ratio) = match kind {
        0 => {
            let change = Move::Add { candidate: unused.draw(rng), at: rng.below(m + 1) };
            (change, log_ratio_of_adding(m, n))
        }
        1 => (Move::Remove { at: rng.below(m) }, -log_ratio_of_adding(m - 1, n)),
        2 => {
            let (one, other) = (rng.below(m), rng.below(m - 1));
            let other = if other >= one { other + 1 } else { other };
            (Move::Swap { first: one.min(other), second: one.max(other) }, 0.0)
        }
        _ => (Move::Replace { candidate: unused.draw(rng), at: rng.below(m) }, 0.0),
    };
    Some(Proposal { change, log_ratio, kind })
}

/// log of q(remove | m + 1) · (n − m) / q(add | m); the m + 1 positions cancel.
fn log_ratio_of_adding(m: usize, n: usize) -> f64 {
    let kinds = n_possible(m, n) as f64 / n_possible(m + 1, n) as f64;
    (kinds * (n - m) as f64).ln()
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

    #[test]
    fn impossible_moves_are_never_drawn() {
        let mut rng = ChainRng::new(6, 0);
        let mut unused = Unused::new(2);
        assert!((0..50).all(|_| propose(&mut rng, &[], &unused).unwrap().kind == 0));
        unused.take(0);
        assert!((0..50).all(|_| propose(&mut rng, &[0], &unused).unwrap().kind != 2));
        unused.take(1);
        let kinds = (0..50).map(|_| propose(&mut rng, &[0, 1], &unused).unwrap().kind);
        assert!(kinds.into_iter().all(|kind| kind == 1 || kind == 2));
        assert_eq!(propose(&mut rng, &[], &Unused::new(0)), None);
    }

    #[test]
    fn adding_and_removing_have_inverse_ratios() {
        let mut rng = ChainRng::new(7, 0);
        let mut unused = Unused::new(5);
        let add = propose(&mut rng, &[], &unused).unwrap();
        unused.take(2);
        let back = loop {
            let proposal = propose(&mut rng, &[2], &unused).unwrap();
            if proposal.kind == 1 {
                break proposal;
            }
        };
        assert_eq!(add.log_ratio, -back.log_ratio);
        // one kind of move from the empty list, three from one rule, five candidates
        assert!((add.log_ratio - (5.0f64 / 3.0).ln()).abs() < 1e-15);
    }
}
