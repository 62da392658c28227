//! Score one move where the log marginal of every set of row patterns is tabled.
//!
//! The same sums as in `delta.rs`, but a set of rows is one word and its log marginal one look-up, so that giving up early
//! would cost more than it saves. Tables with at most 14 distinct rows need it: without it a whole fit of the Titanic data
//! takes a third longer, and longer than one of rpart.

use super::moves::Move;

/// A list of `rules` with these `captures`, the default rule's last; all sets are words of row patterns.
pub(super) struct TableScorer<'s> {
    pub(super) covers: &'s [u64],
    pub(super) log_marginals: &'s [f64],
    pub(super) captures: &'s [u64],
    pub(super) rules: &'s [u32],
}

impl TableScorer<'_> {
    /// The sum of the log marginals of the changed positions, which are written to `out`; `None` for moves that it does not
    /// know.
    #[inline(always)]
    pub(super) fn score(&self, change: Move, out: &mut [f64]) -> Option<f64> {
        let (m, captures) = (self.rules.len(), self.captures);
        // the cover inserted, the positions after it that change, and the rows released
        let (cover, first, until, freed) = match change {
            Move::Add { candidate, position } => (self.cover(candidate), position, m, 0),
            Move::Remove { position } => (0, position + 1, m, captures[position]),
            Move::Replace { candidate, position } => {
                (self.cover(candidate), position + 1, m, captures[position])
            }
            Move::Swap { first, second } => {
                (self.cover(self.rules[second]), first + 1, second, captures[first])
            }
            _ => return None,
        };
        // an inserted rule comes first
        let n_inserted = usize::from(!matches!(change, Move::Remove { .. }));
        let (mut inserted, mut released, mut sum) = (freed & cover, freed & !cover, 0.0);
        let below = self.rules[first..until].iter().zip(&captures[first..until]);
        for ((&rule, &capture), out) in below.zip(&mut out[n_inserted..]) {
            let (lost, gained) = (capture & cover, released & self.cover(rule));
            inserted |= lost;
            released ^= gained;
            *out = self.log_marginal((capture ^ lost) | gained);
            sum += *out;
        }
        // the last position gains what is still released; after a swap it has nothing else
        let (remains, rises) = match change {
            Move::Swap { .. } => (0, captures[until]),
            _ => (captures[until] & !cover, captures[until] & cover),
        };
        let last = &mut out[n_inserted + until - first];
        *last = self.log_marginal(remains | released);
        sum += *last;
        if n_inserted > 0 {
            out[0] = self.log_marginal(inserted | rises);
            sum += out[0];
        }
        Some(sum)
    }

    #[inline(always)]
    fn cover(&self, candidate: u32) -> u64 {
        self.covers[candidate as usize]
    }

    #[inline(always)]
    fn log_marginal(&self, set: u64) -> f64 {
        self.log_marginals[set as usize]
    }
}
