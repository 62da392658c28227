//! All lists that end with two more rules, from the number of rows that each pair of candidates has in common.

use super::table::ProofTable;
use crate::leaf::{Leaf, TwoClasses};
use crate::search::residual::Residual;

/// The candidates of a residual problem in some order, those that may come first before the others.
pub struct Pairs<'r> {
    table: &'r ProofTable<'r>,
    candidates: Vec<u32>,
    lengths: Vec<usize>,
    /// Class counts of each candidate.
    counts: Vec<u64>,
    log_marginals: Vec<f64>,
    total: Vec<u64>,
    n_first: usize,
    /// By the lengths of both rules.
    prices: Vec<Vec<f64>>,
}

impl<'r> Pairs<'r> {
    pub fn new(
        table: &'r ProofTable<'r>,
        residual: &Residual,
        order: &[usize],
        n_first: usize,
        prices: Vec<Vec<f64>>,
    ) -> Self {
        let k = table.n_classes();
        let mut counts = vec![0; order.len() * k];
        for (&index, counts) in order.iter().zip(counts.chunks_exact_mut(k)) {
            table.by_class(residual.counts(index), counts);
        }
        let mut total = vec![0; k];
        table.by_class(&residual.total, &mut total);
        let candidates: Vec<u32> = order.iter().map(|&index| residual.candidates[index]).collect();
        Pairs {
            table,
            lengths: candidates.iter().map(|&candidate| table.lengths[candidate as usize]).collect(),
            candidates,
            log_marginals: counts.chunks_exact(k).map(|counts| table.leaf.log_marginal(counts)).collect(),
            counts,
            total,
            n_first,
            prices,
        }
    }

    /// The best list above `threshold` with the candidate at `place` and a later one, in either order where both may come first:
    /// what its two rules and the default rule add, and the rules. `common` are the group counts of the pairs.
    pub fn best_with(&self, place: usize, common: &[u64], threshold: f64) -> Option<(f64, [u32; 2])> {
        let mut best = (threshold, None);
        match self.table.two_classes() {
            Some(two) => self.offer_two(two, place, common, &mut best),
            None => self.offer_all(place, common, &mut best),
        }
        best.1.map(|rules| (best.0, rules))
    }

    /// The later candidate's place, and the group counts of the pair.
    fn pairs<'c>(&self, place: usize, common: &'c [u64]) -> impl Iterator<Item = (usize, &'c [u64])> {
        (place + 1..).zip(common.chunks_exact(self.table.n_groups()))
    }

    /// Compare both orders of a pair with the best: `second` and `first` are the log marginals of what the later and the earlier
    /// candidate capture as second rule, `rest` that of the default rule.
    #[inline(always)]
    fn offer(
        &self,
        [place, later]: [usize; 2],
        [second, first, rest]: [f64; 3],
        best: &mut (f64, Option<[u32; 2]>),
    ) {
        let prices = [
            self.prices[self.lengths[place]][self.lengths[later]],
            self.prices[self.lengths[later]][self.lengths[place]],
        ];
        let in_order = self.log_marginals[place] + second + rest + prices[0];
        if in_order > best.0 {
            *best = (in_order, Some([self.candidates[place], self.candidates[later]]));
        }
        let swapped = self.log_marginals[later] + first + rest + prices[1];
        if swapped > best.0 && later < self.n_first {
            *best = (swapped, Some([self.candidates[later], self.candidates[place]]));
        }
    }

    fn offer_two(&self, f: TwoClasses<'_>, place: usize, common: &[u64], best: &mut (f64, Option<[u32; 2]>)) {
        let n_levels = self.table.costs().len();
        let own = [self.counts[2 * place], self.counts[2 * place + 1]];
        for (later, common) in self.pairs(place, common) {
            let (zero, one) = common.split_at(n_levels);
            let common: [u64; 2] = [zero.iter().sum(), one.iter().sum()];
            let other = [self.counts[2 * later], self.counts[2 * later + 1]];
            let second = f.log_marginal([other[0] - common[0], other[1] - common[1]]);
            let first = f.log_marginal([own[0] - common[0], own[1] - common[1]]);
            let left = |class: usize| self.total[class] + common[class] - own[class] - other[class];
            let rest = f.log_marginal([left(0), left(1)]);
            self.offer([place, later], [second, first, rest], best);
        }
    }

    fn offer_all(&self, place: usize, common: &[u64], best: &mut (f64, Option<[u32; 2]>)) {
        let (k, leaf) = (self.table.n_classes(), self.table.leaf);
        let own = &self.counts[place * k..(place + 1) * k];
        let mut shared = vec![0; k];
        let mut part = vec![0; k];
        for (later, common) in self.pairs(place, common) {
            self.table.by_class(common, &mut shared);
            let other = &self.counts[later * k..(later + 1) * k];
            let mut log_marginal = |count: &dyn Fn(usize) -> u64| {
                part.iter_mut().enumerate().for_each(|(class, part)| *part = count(class));
                leaf.log_marginal(&part)
            };
            let second = log_marginal(&|class| other[class] - shared[class]);
            let first = log_marginal(&|class| own[class] - shared[class]);
            let rest = log_marginal(&|class| self.total[class] + shared[class] - own[class] - other[class]);
            self.offer([place, later], [second, first, rest], best);
        }
    }
}
