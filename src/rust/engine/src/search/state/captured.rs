//! Who captures what, in one of several forms, and how work is done on whichever it is.

use super::blocked::{Blocked, Seen};
use super::classes::{Classes, Many, Two};
use super::flat::{Flat, RowBits};
use super::tabled::Tabled;
use crate::bitset::bit_sliced::{BitSlicedWeights, RowWeight, UnitWeight};
use crate::bitset::kernel::Kernel;
use crate::bitset::simd::{Simd, WithSimd};
use crate::bitset::MaskedColumns;
use crate::search::ground::Ground;
use crate::search::moves::Move;
use crate::search::patterns::Patterns;
use crate::search::Problem;

/// What scoring asks of captures. Counts are added to `out`, one number per class.
pub(super) trait Captured {
    type Cover: Copy;

    /// Whether a position takes so long to count that it pays to look twice whether the next one is needed.
    const IS_DEAR: bool = false;

    /// Whether the rows that are left to each position are at hand.
    const SEES_LEFT: bool = false;

    fn cover(&self, candidate: u32) -> Self::Cover;

    /// Count what a cover has of the rows that nobody above `at` captures.
    fn left(&self, _at: usize, _cover: Self::Cover, _out: &mut [u64]) {}

    /// Count what the capture at `at` has in common with a cover.
    fn common(&self, at: usize, cover: Self::Cover, out: &mut [u64]);

    /// Let the rows of the capture at `at` begin their way down, less those that `except` covers.
    fn set_free(&mut self, at: usize, except: Option<Self::Cover>);

    /// Let only those rows of it begin their way down that `cover` covers.
    fn set_free_common(&mut self, at: usize, cover: Self::Cover);

    /// Take the rows that `cover` covers from those on their way down, and count them.
    fn take(&mut self, cover: Self::Cover, out: &mut [u64]);
}

/// WithSimd on captures of any form. It is to be inlined with all that it calls (see `WithSimd`).
pub(super) trait Task {
    type Output;

    fn run<G: Captured, C: Classes>(self, captured: &mut G, classes: C) -> Self::Output;
}

/// Captures in the form that suits the problem.
#[derive(Debug, Clone)]
pub(super) enum Captures<'a> {
    Patterns(Flat<'a, &'a Patterns>),
    Short(Flat<'a, RowBits<'a>>, Kernel),
    Ones(Blocked<'a, UnitWeight>, Kernel),
    Weighted(Blocked<'a, &'a BitSlicedWeights>, Kernel),
}

impl<'a> Captures<'a> {
    /// Of the empty list.
    pub(super) fn new(problem: &'a Problem) -> Self {
        let pool = &problem.pool;
        match problem.ground() {
            Ground::Patterns(patterns) => Captures::Patterns(Flat::new(patterns, &[patterns.all()])),
            Ground::Short(short) => {
                let bits = RowBits { few: short.few, covers: pool.covers.words() };
                Captures::Short(Flat::new(bits, pool.rows.all()), short.kernel)
            }
            Ground::Blocks(masks, kernel) => {
                let (blocks, covers) = (pool.rows.blocks(), MaskedColumns::new(&pool.covers, masks));
                let all = pool.rows.all().to_vec();
                match pool.rows.weights() {
                    None => Captures::Ones(Blocked::new(UnitWeight, blocks, covers, all), *kernel),
                    Some(weights) => Captures::Weighted(Blocked::new(weights, blocks, covers, all), *kernel),
                }
            }
        }
    }

    /// Do `task`, compiled for this form, for this processor and for two classes if `k` is two.
    #[inline(always)]
    pub(super) fn run<T: Task>(&mut self, k: usize, task: T) -> T::Output {
        match self {
            Captures::Patterns(flat) => run_among(k, flat, task),
            Captures::Short(flat, kernel) => kernel.run(OnShort { flat, task }),
            Captures::Ones(blocked, kernel) => kernel.run(OnBlocks { blocked, k, task }),
            Captures::Weighted(blocked, kernel) => kernel.run(OnBlocks { blocked, k, task }),
        }
    }

    /// To score moves of `rules`, if the log f of every set of rows is at hand.
    #[inline(always)]
    pub(super) fn tabled<'s>(&'s self, rules: &'s [u32]) -> Option<Tabled<'s>> {
        match self {
            Captures::Patterns(flat) => flat.tabled(rules),
            _ => None,
        }
    }

    /// Follow a change to `rules`, which become what it makes of them.
    pub(super) fn make(&mut self, change: Move, rules: &mut Vec<u32>) {
        match self {
            Captures::Patterns(flat) => flat.make(change, rules),
            Captures::Short(flat, kernel) => kernel.run(MakeShort { flat, change, rules }),
            Captures::Ones(blocked, _) => blocked.make(change, rules),
            Captures::Weighted(blocked, _) => blocked.make(change, rules),
        }
    }
}

#[inline(always)]
fn run_among<G: Captured, T: Task>(k: usize, captured: &mut G, task: T) -> T::Output {
    match k {
        2 => task.run(captured, Two),
        k => task.run(captured, Many(k)),
    }
}

struct OnShort<'s, 'a, T> {
    flat: &'s mut Flat<'a, RowBits<'a>>,
    task: T,
}

impl<T: Task> WithSimd for OnShort<'_, '_, T> {
    type Output = T::Output;

    #[inline(always)]
    fn run<L: Simd>(self, simd: L) -> T::Output {
        self.task.run(&mut self.flat.seen(simd), Two)
    }
}

struct MakeShort<'s, 'a> {
    flat: &'s mut Flat<'a, RowBits<'a>>,
    change: Move,
    rules: &'s mut Vec<u32>,
}

impl WithSimd for MakeShort<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Simd>(self, _: L) {
        self.flat.make(self.change, self.rules);
    }
}

struct OnBlocks<'s, 'a, W, T> {
    blocked: &'s mut Blocked<'a, W>,
    k: usize,
    task: T,
}

impl<W: RowWeight, T: Task> WithSimd for OnBlocks<'_, '_, W, T> {
    type Output = T::Output;

    #[inline(always)]
    fn run<L: Simd>(self, simd: L) -> T::Output {
        run_among(self.k, &mut Seen { blocked: self.blocked, simd }, self.task)
    }
}
