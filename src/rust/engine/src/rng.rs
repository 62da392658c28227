//! Random numbers: PCG XSL RR 128/64 (rand_pcg's `Pcg64`). A seed and a chain number give an independent stream.

use rand::RngCore;
use rand_pcg::Pcg64;
use std::sync::OnceLock;

/// The random numbers of one chain.
#[derive(Debug, Clone)]
pub struct ChainRng {
    numbers: Pcg64,
    /// The next number and the next logarithm, drawn one call ahead to hide latency.
    next: u64,
    next_log: f64,
    logarithm: &'static Logarithm,
}

impl ChainRng {
    /// The stream of chain `chain` for `seed`. PCG streams of one state never overlap.
    pub fn new(seed: u64, chain: u64) -> Self {
        // two rounds of SplitMix64, so that similar seeds give unrelated 128-bit states
        let high = split_mix(seed);
        let low = split_mix(high ^ seed.rotate_left(32));
        let state = (u128::from(high) << 64) | u128::from(low);
        let mut numbers = Pcg64::new(state, u128::from(chain));
        let next = numbers.next_u64();
        let logarithm = Logarithm::get();
        let next_log = logarithm.of(above_zero(split_mix(low ^ chain)));
        ChainRng { numbers, next, next_log, logarithm }
    }

    #[inline(always)]
    fn draw(&mut self) -> u64 {
        std::mem::replace(&mut self.next, self.numbers.next_u64())
    }

    /// A uniform integer in `0..n`; `n` must not be 0.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        loop {
            let mut draws = self.bounded_draws();
            let number = draws.below(n);
            if draws.is_unbiased() {
                return number;
            }
        }
    }

    /// Several bounded integers from one 64-bit draw. Unless [`BoundedDraws::is_unbiased`] in the end, they must be drawn again.
    #[inline(always)]
    pub(crate) fn bounded_draws(&mut self) -> BoundedDraws {
        BoundedDraws { rest: self.draw(), range_product: 1 }
    }

    /// A uniform number on [0, 1).
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        (self.draw() >> 11) as f64 * UNIT
    }

    /// The logarithm of a uniform number on (0, 1].
    #[inline]
    pub fn log_uniform(&mut self) -> f64 {
        let next = self.logarithm.of(above_zero(self.draw()));
        std::mem::replace(&mut self.next_log, next)
    }
}

/// A uniform number on (0, 1] from 64 random bits.
#[inline(always)]
fn above_zero(bits: u64) -> f64 {
    ((bits >> 11) + 1) as f64 * UNIT
}

/// 2^−53.
const UNIT: f64 = 1.0 / (1u64 << 53) as f64;

/// Several bounded integers from one 64-bit draw (Lemire's multiply-shift, applied repeatedly). Together they are the index of
/// one of `range_product` cells of nearly equal probability.
#[derive(Debug)]
pub struct BoundedDraws {
    rest: u64,
    range_product: u64,
}

impl BoundedDraws {
    /// A uniform integer in `0..n`, independent of those before. `n` must not be 0, and the product of all `n` must be below
    /// 2^64.
    #[inline(always)]
    pub fn below(&mut self, n: usize) -> usize {
        // not usize, so that all platforms draw the same
        let product = u128::from(self.rest) * n as u128;
        self.rest = product as u64;
        self.range_product = self.range_product.wrapping_mul(n as u64);
        (product >> 64) as usize
    }

    /// Whether the draw lies in the unbiased range, where each cell has the same number of draws.
    #[inline(always)]
    pub(crate) fn is_unbiased(&self) -> bool {
        // the division is rarely needed
        self.rest >= self.range_product || self.rest >= self.range_product.wrapping_neg() % self.range_product
    }
}

/// log x for normal x in (0, 1], the same on all machines: a table, additions and multiplications.
#[derive(Debug)]
struct Logarithm {
    /// 1 / c and log c for the midpoint c of each interval of √½ … √2.
    intervals: [(f64, f64); 1 << INTERVAL_BITS],
}

const INTERVAL_BITS: u32 = 7;
/// The bits of 1 and of √½: x = m 2^e with m from √½ to √2.
const ONE: u64 = 0x3FF0_0000_0000_0000;
const LOWEST: u64 = 0x3FE6_A09E_667F_3BCD;

impl Logarithm {
    fn get() -> &'static Self {
        static LOGARITHM: OnceLock<Logarithm> = OnceLock::new();
        LOGARITHM.get_or_init(|| {
            let width = 1u64 << (52 - INTERVAL_BITS);
            let intervals = std::array::from_fn(|index| {
                let first = LOWEST + index as u64 * width;
                // log 1 must be exactly 0
                let has_one = (first..first + width).contains(&ONE);
                let middle = if has_one { 1.0 } else { f64::from_bits(first + width / 2) };
                (1.0 / middle, ln_by_series(middle))
            });
            Logarithm { intervals }
        })
    }

    #[inline(always)]
    fn of(&self, x: f64) -> f64 {
        let shifted = x.to_bits() + (ONE - LOWEST);
        let exponent = (shifted >> 52) as i64 - 1023;
        let m = f64::from_bits((shifted & ((1 << 52) - 1)) + LOWEST);
        let (inverse, log) =
            self.intervals[(shifted >> (52 - INTERVAL_BITS)) as usize % (1 << INTERVAL_BITS)];
        // |r| < 0.004
        let r = m * inverse - 1.0;
        let r2 = r * r;
        let log_1_r = r - r2 * ((0.5 - r * (1.0 / 3.0)) + r2 * ((0.25 - r * 0.2) + r2 * (1.0 / 6.0)));
        exponent as f64 * std::f64::consts::LN_2 + (log + log_1_r)
    }
}

/// log x for x from √½ to √2, by the series of 2 artanh((x − 1) / (x + 1)).
fn ln_by_series(x: f64) -> f64 {
    let s = (x - 1.0) / (x + 1.0);
    // smallest terms first; s² < 0.03
    let sum = (0..12).rev().fold(0.0, |sum, i| sum * s * s + 1.0 / f64::from(2 * i + 1));
    2.0 * s * sum
}

pub(crate) fn split_mix(x: u64) -> u64 {
    let mut z = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this test changes, NEWS.md needs an entry "results change".
    #[test]
    fn first_draws_are_pinned() {
        let mut rng = ChainRng::new(1, 0);
        let draws: Vec<usize> = (0..6).map(|_| rng.below(1000)).collect();
        assert_eq!(draws, PINNED);
    }

    const PINNED: [usize; 6] = [768, 545, 219, 223, 631, 987];

    #[test]
    fn integers_from_one_draw_are_uniform_and_independent() {
        let mut rng = ChainRng::new(3, 0);
        let mut seen = [0.0; 30];
        for _ in 0..300_000 {
            let mut draws = rng.bounded_draws();
            let (n, m, k) = (draws.below(3), draws.below(5), draws.below(2));
            assert!(draws.is_unbiased());
            seen[(n * 5 + m) * 2 + k] += 1.0;
        }
        let chi_square: f64 = seen.iter().map(|n: &f64| (n - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi_square < 65.0, "{seen:?}");
    }

    /// With 3 · 2^62 cells, which do not divide 2^64 evenly, a quarter of the draws must be rejected.
    #[test]
    fn biased_draws_are_rejected() {
        let mut rng = ChainRng::new(3, 1);
        let mut seen = [0.0; 3];
        for _ in 0..30_000 {
            seen[rng.below(3 << 62) / (1 << 62)] += 1.0;
        }
        let chi_square: f64 = seen.iter().map(|n: &f64| (n - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi_square < 20.0, "{seen:?}");
    }

    #[test]
    fn the_table_gives_the_logarithm() {
        let mut rng = ChainRng::new(4, 0);
        let near_one = (1..100).map(|i| 1.0 - f64::from(i) * UNIT);
        let any = (0..100_000).map(|_| rng.uniform().max(UNIT));
        let middle = [0, 1, 2].map(|i| f64::from_bits(std::f64::consts::FRAC_1_SQRT_2.to_bits() - 1 + i));
        let ln = |x| Logarithm::get().of(x);
        for x in near_one.chain(any).chain([1.0, 0.5, UNIT]).chain(middle) {
            assert!((ln(x) - x.ln()).abs() <= 4e-16 + 4e-16 * x.ln().abs(), "{x}: {} {}", ln(x), x.ln());
        }
        assert_eq!(ln(1.0), 0.0);
    }

    #[test]
    fn streams_and_seeds_differ() {
        let first = |seed, chain| {
            let mut rng = ChainRng::new(seed, chain);
            [rng.below(1 << 30), rng.below(1 << 30)]
        };
        assert_eq!(first(7, 3), first(7, 3));
        assert_ne!(first(7, 3), first(7, 4));
        assert_ne!(first(7, 3), first(8, 3));
    }

    #[test]
    fn log_uniform_is_finite_and_not_positive() {
        let mut rng = ChainRng::new(0, 0);
        assert!((0..10_000).all(|_| {
            let log_u = rng.log_uniform();
            log_u.is_finite() && log_u <= 0.0
        }));
    }
}
