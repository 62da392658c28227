//! What a move would make of the likelihood where the log f of every set of rows is in a table: few patterns.
//!
//! The same as `scoring.rs`, sum by sum, but what a position will have is a word, and its log f is looked up: so little work
//! that leaving off early would cost more than it saves.

use super::scoring::NewRows;
use crate::search::moves::Move;
use crate::search::patterns::Patterns;

/// Scores moves of a list of `rules` with these `captures`, the default rule's last.
pub(super) struct Tabled<'s> {
    pub(super) patterns: &'s Patterns,
    pub(super) log_marginals: &'s [f64],
    pub(super) rules: &'s [u32],
    pub(super) captures: &'s [u64],
}

impl Tabled<'_> {
    /// What the positions that `change` touches add to the log likelihood; `new` gets their words.
    #[inline(always)]
    pub(super) fn score(&self, change: Move, new: &mut NewRows) -> f64 {
        let (m, captures) = (self.rules.len(), self.captures);
        // who comes in or up, where the rules below begin and end, and whose rows come down
        let (cover, first, until, left) = match change {
            Move::Add { candidate, at } => (self.cover(candidate), at, m, 0),
            Move::Remove { at } => (0, at + 1, m, captures[at]),
            Move::Replace { candidate, at } => (self.cover(candidate), at + 1, m, captures[at]),
            Move::Swap { first, second } => {
                (self.cover(self.rules[second]), first + 1, second, captures[first])
            }
        };
        // the first place is for who comes in
        let n_new = usize::from(!matches!(change, Move::Remove { .. }));
        let (mut taken, mut free, mut sum) = (left & cover, left & !cover, 0.0);
        let (words, log_marginals) = (&mut new.words[n_new..], &mut new.log_marginals[n_new..]);
        let below = self.rules[first..until].iter().zip(&captures[first..until]);
        for (((&rule, &capture), word), log_marginal) in below.zip(&mut *words).zip(&mut *log_marginals) {
            let (given, gained) = (capture & cover, free & self.cover(rule));
            taken |= given;
            free ^= gained;
            *word = (capture ^ given) | gained;
            *log_marginal = self.log_marginal(*word);
            sum += *log_marginal;
        }
        // the last gets all that still come down; in a swap, who goes down has nothing else
        let (stays, rises) = match change {
            Move::Swap { .. } => (0, captures[until]),
            _ => (captures[until] & !cover, captures[until] & cover),
        };
        let last = until - first;
        words[last] = stays | free;
        log_marginals[last] = self.log_marginal(words[last]);
        sum += log_marginals[last];
        if n_new > 0 {
            new.words[0] = taken | rises;
            new.log_marginals[0] = self.log_marginal(new.words[0]);
            sum += new.log_marginals[0];
        }
        sum
    }

    #[inline(always)]
    fn cover(&self, candidate: u32) -> u64 {
        self.patterns.covers()[candidate as usize]
    }

    #[inline(always)]
    fn log_marginal(&self, word: u64) -> f64 {
        self.log_marginals[word as usize]
    }
}
