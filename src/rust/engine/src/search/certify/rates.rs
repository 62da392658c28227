//! **B11 (rates).** What it costs at least to capture rows by rules, per row: a bound on all continuations of a prefix, prices
//! included, for two classes. It is the bound for nearly separable data, where the rules that come first must be pure.
//!
//! By F1 (`bounds.rs`) mixed patterns are taken out of every leaf at their cost, so let all rows R be those of pure patterns,
//! r = (r_0, r_1) of them, and b(a) the class counts of candidate a on R. A list goes on with rules a_1, …, a_t and leaves
//! x_1, …, x_t. Let A = x_1 + … + x_{i−1} be what was captured before rule i. Rows that a_i covers and does not capture are among
//! them, so x_i lies in the box from lo = max(0, b(a_i) − A) to b(a_i): *a rule is pure only if its other rows are gone.* It costs
//! c(x) = −π(a) − log f(x), where π(a) ≤ 0 bounds its price; c is concave (F2) and grows with x.
//!
//! *Rates.* Let ρ_0, ρ_1 be functions that do not grow, at most the constants ρ̄_0, ρ̄_1, such that for every rule in every state A
//!
//! c(x) ≥ ρ_1(A_0) x_1 + ρ_0(A_1) x_0.   (1)
//!
//! Let Φ(Z) be the cheapest way from 0 to Z in unit steps, where a step in class 1 costs ρ_1(A_0) and one in class 0 costs ρ_0(A_1).
//! A rule leads from A to A + x, and so do x_1 steps in class 1 and then x_0 steps in class 0, which cost at most the right side of
//! (1). So the rules of the list cost at least Φ(Z), Z = Σ x_i, and log likelihood and prices are at most
//! log f(r − Z) − Φ(Z), which is maximised over Z.
//!
//! *Choice of rates.* c − (right side) is concave in x, so (1) holds on the box if it holds at its corners. Let
//!
//! ρ_1(z) = min( ρ̄_1, min over a and over m in {max(0, b_0 − z), b_0} of (c(m, b_1) − ρ̄_0 m) / b_1 ),   (2)
//!
//! ρ_0 likewise. The numerator is concave in m, so (2) covers all m in between, and ρ_1 does not grow with z. Corners (lo_0, b_1) and
//! b: by (2). Corner (b_0, lo_1): by (2) for class 0. Corner lo: if lo_0 = 0, the corner lies between 0, where c = −π ≥ 0, and
//! (0, b_1). The same if c(lo_0, 0) ≥ ρ̄_0 lo_0, which for each π holds up to some n_0, or if lo_1 ≤ n_1. Otherwise lo lies in the box
//! from (n_0, n_1) to b, and c(x) ≥ ρ̄_0 x_0 + ρ̄_1 x_1 is verified at its four corners. Where that fails ρ̄ is lowered.
//!
//! *Levels.* A_l is divided into levels with first and last values. ρ is taken at the last value of a level, where it is least. With
//! `G(A)`, the most of log f(r − Z) − (cost of the way from A to Z), computed backwards at the first values, the lists that go
//! on after a rule with the leaf x are worth at most −c(x) + G(x). G grows with A: the way from A to Z becomes one from A′ ≥ A to
//! max(Z, A′) with fewer and cheaper steps, and log f(r − Z) grows with Z. So x is rounded up to first values, and Z to the last
//! values of its levels.
//!
//! Nothing is assumed about α, nor that counts are whole; the prices must be bounded, which `Prior::highest_price` does while no
//! length is used up.

use crate::leaf::TwoClasses;

/// Levels of the first quarter of the rows, where most leaves are, and of the others.
const FINE: u64 = 20;
const COARSE: u64 = 20;
/// How often the greatest rates are lowered, and by how much.
const LOWERED: usize = 4;
const LOWER: f64 = 0.5;

/// What is known of a candidate: rows of both classes, and the most that its price can be.
#[derive(Debug, Clone, Copy)]
struct Offer {
    counts: [u64; 2],
    price: f64,
    /// log f of its rows of each class alone.
    alone: [f64; 2],
    log_marginal: f64,
}

impl Offer {
    /// What a row of `class` costs in a pure leaf.
    fn pure_rate(&self, class: usize) -> f64 {
        (-self.price - self.alone[class]) / self.counts[class] as f64
    }
}

/// Rates and what they say, for one prefix; the memory is used again.
#[derive(Debug, Default)]
pub struct Rates {
    offers: Vec<Offer>,
    /// By class: first and last value of each level.
    levels: [Vec<[u64; 2]>; 2],
    /// By class: the rate at each level of the other class.
    rates: [Vec<f64>; 2],
    /// G by level of class 0 and level of class 1.
    most: Vec<f64>,
}

impl Rates {
    /// Find the rates for rows with the class counts `r`. `candidates`: their class counts and the most that their prices can be,
    /// which is one of `prices`. Whether there are rates.
    pub fn prepare(
        &mut self,
        f: TwoClasses<'_>,
        r: [u64; 2],
        candidates: impl Iterator<Item = ([u64; 2], f64)>,
        prices: &[f64],
    ) -> bool {
        self.offers.clear();
        self.offers.extend(candidates.map(|(counts, price)| Offer {
            counts,
            price,
            alone: [f.log_marginal([counts[0], 0]), f.log_marginal([0, counts[1]])],
            log_marginal: f.log_marginal(counts),
        }));
        self.levels.iter_mut().zip(r).for_each(|(levels, n)| divide(n, levels));
        let mut greatest = [self.greatest(0), self.greatest(1)];
        for _ in 0..LOWERED {
            let corners: Vec<Corner> =
                prices.iter().map(|&price| Corner::new(f, price, r, greatest)).collect();
            let is_safe = |offer: &Offer| {
                corners.iter().any(|corner| corner.price == offer.price && corner.is_safe(f, offer, greatest))
            };
            if self.offers.iter().all(is_safe) {
                self.set_rates(f, greatest);
                self.set_most(f, r);
                return true;
            }
            greatest = greatest.map(|rate| LOWER * rate);
        }
        false
    }

    /// The most that log marginals and prices of the rules after a leaf `x` and the log marginal of the default rule add up to.
    pub fn after(&self, x: [u64; 2]) -> f64 {
        let level = |class: usize| self.levels[class].partition_point(|level| level[0] < x[class]);
        self.most[level(0) * self.levels[1].len() + level(1)]
    }

    /// The rate of the cheapest candidate that is nearly pure.
    fn greatest(&self, class: usize) -> f64 {
        let other = 1 - class;
        let few = self.levels[other].iter().map(|level| level[1]).find(|&last| last > 0).unwrap_or(0);
        let pure = self.offers.iter().filter(|offer| offer.counts[class] > 0 && offer.counts[other] <= few);
        let greatest = pure.map(|offer| offer.pure_rate(class)).fold(f64::INFINITY, f64::min);
        if greatest < f64::INFINITY {
            return greatest;
        }
        let all = self.offers.iter().filter(|offer| offer.counts[class] > 0);
        let whole =
            |offer: &Offer| (-offer.price - offer.log_marginal) / (offer.counts[0] + offer.counts[1]) as f64;
        all.map(whole).fold(f64::INFINITY, f64::min).min(1.0)
    }

    /// (2) for both classes and all levels.
    fn set_rates(&mut self, f: TwoClasses<'_>, greatest: [f64; 2]) {
        for class in 0..2 {
            let other = 1 - class;
            let levels = &self.levels[other];
            let rates = &mut self.rates[class];
            rates.clear();
            rates.resize(levels.len(), greatest[class]);
            for offer in self.offers.iter().filter(|offer| offer.counts[class] > 0) {
                let (own, n) = (offer.counts[class] as f64, offer.counts[other]);
                let mixed = (-offer.price - offer.log_marginal - greatest[other] * n as f64) / own;
                let pure = offer.pure_rate(class);
                rates[0] = rates[0].min(mixed);
                // the numerator of (2) is concave in m: between two values of m it is at least the lesser of both
                if pure.min(mixed) >= greatest[class] {
                    continue;
                }
                let first_pure = levels.partition_point(|&[_, last]| last < n);
                if let Some(rate) = rates.get_mut(first_pure) {
                    *rate = rate.min(pure);
                }
                for (rate, &[_, last]) in rates[..first_pure].iter_mut().zip(levels).rev() {
                    let mut x = [n - last; 2];
                    x[class] = offer.counts[class];
                    let cost = -offer.price - f.log_marginal(x) - greatest[other] * (n - last) as f64;
                    *rate = rate.min(cost / own);
                    if cost / own >= greatest[class] && mixed >= greatest[class] {
                        break;
                    }
                }
            }
            for level in 1..rates.len() {
                rates[level] = rates[level].min(rates[level - 1]).max(0.0);
            }
            rates[0] = rates[0].max(0.0);
        }
    }

    /// G, from the last levels back. Within a row of levels the cost of a way is a difference of two products, so the best end of all ways
    /// is a running maximum.
    fn set_most(&mut self, f: TwoClasses<'_>, r: [u64; 2]) {
        let [levels0, levels1] = &self.levels;
        let n1 = levels1.len();
        self.most.clear();
        self.most.resize(levels0.len() * n1, 0.0);
        for (i, &[first0, last0]) in levels0.iter().enumerate().rev() {
            let (row, behind) = self.most.split_at_mut((i + 1) * n1);
            let row = &mut row[i * n1..];
            let width = levels0.get(i + 1).map_or(0, |next| next[0] - first0) as f64;
            let (rate, mut best) = (self.rates[1][i], f64::NEG_INFINITY);
            for (j, &[first1, last1]) in levels1.iter().enumerate().rev() {
                let mut most = f.log_marginal([r[0] - last0, r[1] - last1]);
                if let (Some(behind), Some(rate)) = (behind.get(j), self.rates[0].get(j)) {
                    most = larger(most, behind - rate * width);
                }
                let cost = rate * first1 as f64;
                best = larger(best, most - cost);
                row[j] = best + cost;
            }
        }
    }
}

/// The larger of two numbers, neither of which is NaN.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if b > a {
        b
    } else {
        a
    }
}

/// n_0 and n_1 for one price, at most the rows left.
#[derive(Debug, Clone, Copy)]
struct Corner {
    price: f64,
    n: [u64; 2],
    is_safe: bool,
}

impl Corner {
    fn new(f: TwoClasses<'_>, price: f64, r: [u64; 2], greatest: [f64; 2]) -> Self {
        let excess =
            |x: [u64; 2]| -price - f.log_marginal(x) - greatest[0] * x[0] as f64 - greatest[1] * x[1] as f64;
        // by bisection: the excess is concave along a class and not negative at 0
        let longest = |class: usize| {
            let alone = |n: u64| excess(if class == 0 { [n, 0] } else { [0, n] });
            let (mut low, mut high) = (0, r[class] + 1);
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                if alone(middle) >= 0.0 {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            low
        };
        let n = [longest(0), longest(1)];
        Corner { price, n, is_safe: excess(n) >= 0.0 }
    }

    /// Whether (1) holds at the lower corners of all boxes of a candidate.
    fn is_safe(&self, f: TwoClasses<'_>, offer: &Offer, greatest: [f64; 2]) -> bool {
        let [b0, b1] = offer.counts;
        let excess = |x: [u64; 2], log_marginal: f64| {
            -self.price - log_marginal - greatest[0] * x[0] as f64 - greatest[1] * x[1] as f64
        };
        let corner = |x: [u64; 2]| excess(x, f.log_marginal(x)) >= 0.0;
        b0 <= self.n[0]
            || b1 <= self.n[1]
            || (self.is_safe
                && corner([self.n[0], b1])
                && corner([b0, self.n[1]])
                && excess([b0, b1], offer.log_marginal) >= 0.0)
    }
}

/// Divide 0, …, n. The last level has n alone.
fn divide(n: u64, out: &mut Vec<[u64; 2]>) {
    out.clear();
    let fine = (0..FINE).map(|level| n * level / (4 * FINE));
    let coarse = (0..COARSE).map(|level| n / 4 + (n - n / 4) * level / COARSE);
    let high = [n - n / 64, n - n / 256, n].map(|end| end.saturating_sub(1)).into_iter();
    let mut next = 0;
    for last in [0, n / 256].into_iter().chain(fine).chain(coarse).chain(high).chain([n]) {
        if last >= next {
            out.push([next, last]);
            next = last + 1;
        }
    }
}

/// Worth is measured in one of this many windows of this many nodes.
const WINDOW: u64 = 4096;
const N_WINDOWS: u64 = 8;
/// The bound is used in the other windows if it was enough for one child in this many.
const ONE_IN: u64 = 8;

/// Of how many children the bound was asked, and for how many of them it was enough.
#[derive(Debug, Clone, Copy, Default)]
pub struct Uses {
    pub asked: u64,
    pub enough: u64,
}

/// Whether B11 is worth its cost, which is high where it does not help: as seen in the last window in which it was measured.
#[derive(Debug, Clone, Copy, Default)]
pub struct Worth(Uses);

impl Worth {
    /// Whether node `n_nodes` is in a window that measures.
    fn is_measured(n_nodes: u64) -> bool {
        (n_nodes / WINDOW) % N_WINDOWS == 0
    }

    /// A batch of at most `longest` nodes begins: the first one of such a window forgets the window before.
    pub fn begin_batch(&mut self, n_nodes: u64, longest: u64) {
        if Worth::is_measured(n_nodes) && n_nodes % WINDOW < longest {
            self.0 = Uses::default();
        }
    }

    /// Whether to use the bound.
    pub fn is_enough(&self, n_nodes: u64) -> bool {
        Worth::is_measured(n_nodes) || ONE_IN * self.0.enough >= self.0.asked
    }

    /// Take note of its uses, in a window that measures.
    pub fn count(&mut self, n_nodes: u64, uses: &Uses) {
        if Worth::is_measured(n_nodes) {
            self.0.asked += uses.asked;
            self.0.enough += uses.enough;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_gapless_and_end_with_the_last_value_alone() {
        for n in (0..300).chain([1_000_000, 1 << 40]) {
            let mut levels = Vec::new();
            divide(n, &mut levels);
            assert_eq!((levels[0], levels[levels.len() - 1]), ([0, 0], [n, n]), "{n}");
            assert!(levels.windows(2).all(|pair| pair[1][0] == pair[0][1] + 1), "{n}: {levels:?}");
        }
    }

    #[test]
    fn the_worth_of_one_window_decides_on_the_next_ones() {
        let mut worth = Worth::default();
        worth.count(0, &Uses { asked: 100, enough: 12 });
        assert!(worth.is_enough(WINDOW - 1) && !worth.is_enough(WINDOW));
        // outside such a window nothing counts
        worth.count(WINDOW, &Uses { asked: 0, enough: 100 });
        assert!(!worth.is_enough(N_WINDOWS * WINDOW - 1));
        worth.begin_batch(N_WINDOWS * WINDOW, 512);
        worth.count(N_WINDOWS * WINDOW, &Uses { asked: 100, enough: 13 });
        assert!(worth.is_enough((N_WINDOWS + 1) * WINDOW));
    }
}
