//! The rows that each rule of a list captures, in one of several representations.
//!
//! `dense.rs` stores few words per rule, `blocked.rs` skips empty blocks of many. `Captures::new()` is the only place that
//! names all representations; a new one is a file that implements `CaptureStore`, a variant of `Captures` and one of
//! `RowSets`.

use super::blocked::{Blocked, BlockedView};
use super::capture_store::WithStore;
use super::dense::{Dense, DenseView, PatternBits, RowBits};
use super::moves::Move;
use super::tabled::TableScorer;
use super::transfer::Buffered;
use crate::bitset::bit_sliced::{BitSlicedWeights, RowWeight, UnitWeight};
use crate::bitset::kernel::Kernel;
use crate::bitset::short_columns::ShortColumns;
use crate::bitset::simd::{Simd, WithSimd};
use crate::bitset::MaskedColumns;
use crate::leaf::form::AnySums;
use crate::leaf::LeafFamily;
use crate::search::problem::row_patterns::RowPatterns;
use crate::search::problem::row_sets::RowSets;
use crate::search::problem::Problem;

/// Captures in the representation that suits the problem.
#[derive(Debug, Clone)]
pub(super) enum Captures<'a> {
    Patterns(Dense<'a>, &'a RowPatterns),
    Short(Dense<'a>, ShortColumns, Kernel),
    Blocked(Blocked<'a, UnitWeight>, Kernel),
    Weighted(Blocked<'a, &'a BitSlicedWeights>, Kernel),
}

impl<'a> Captures<'a> {
    /// Of the empty list: the default rule captures everything.
    pub(super) fn new(problem: &'a Problem) -> Self {
        let pool = &problem.pool;
        match problem.row_sets() {
            RowSets::Patterns(patterns) => {
                Captures::Patterns(Dense::new(patterns.covers(), &[patterns.all()]), patterns)
            }
            RowSets::Short(shape, kernel) => {
                Captures::Short(Dense::new(pool.covers.words(), pool.rows.all()), *shape, *kernel)
            }
            RowSets::Blocks(masks, kernel) => {
                let (blocks, covers) = (pool.rows.blocks(), MaskedColumns::new(&pool.covers, masks));
                let all = pool.rows.all().to_vec();
                match pool.rows.weights() {
                    None => Captures::Blocked(Blocked::new(UnitWeight, blocks, covers, all), *kernel),
                    Some(weights) => Captures::Weighted(Blocked::new(weights, blocks, covers, all), *kernel),
                }
            }
        }
    }

    /// Do `work`, compiled for this representation, this processor, and the form of the leaf.
    #[inline(always)]
    pub(super) fn run<T: WithStore>(&mut self, leaf: &LeafFamily, work: T) -> T::Output {
        // the form is asked for where it is used: blocks do so in `OnBlocks`
        match self {
            Captures::Patterns(dense, patterns) => match leaf.two_class_tables() {
                Some(two) => work.run(&mut DenseView::new(dense, PatternBits(patterns), two)),
                None => work.run(&mut DenseView::new(dense, PatternBits(patterns), AnySums::of(leaf))),
            },
            Captures::Short(dense, shape, kernel) => match leaf.two_class_tables() {
                Some(form) => kernel.run(OnShort { dense, shape: *shape, form, work }),
                None => kernel.run_scalar(OnShort { dense, shape: *shape, form: AnySums::of(leaf), work }),
            },
            Captures::Blocked(blocked, kernel) => kernel.run(OnBlocks { blocked, leaf, work }),
            // no vector instructions count weights
            Captures::Weighted(blocked, kernel) => kernel.run_scalar(OnBlocks { blocked, leaf, work }),
        }
    }

    /// Scores moves of `rules` by look-ups, if log marginals are tabled.
    #[inline(always)]
    pub(super) fn table_scorer<'s>(&'s self, rules: &'s [u32]) -> Option<TableScorer<'s>> {
        let Captures::Patterns(dense, patterns) = self else { return None };
        let (covers, captures) = (patterns.covers(), dense.captures());
        patterns.log_marginals().map(|log_marginals| TableScorer { covers, log_marginals, captures, rules })
    }

    /// Count the rows captured from position `first` on, `k` sums each, if log marginals are tabled: scoring by look-ups
    /// leaves no counts. Whether it did.
    pub(super) fn recount(&self, first: usize, k: usize, counts: &mut [u64]) -> bool {
        let Captures::Patterns(dense, patterns) = self else { return false };
        if patterns.log_marginals().is_none() {
            return false;
        }
        for (&set, counts) in dense.captures()[first..].iter().zip(counts[first * k..].chunks_exact_mut(k)) {
            // two counts stay in registers; memory that was just written would be waited for
            if let [negative, positive] = counts {
                let mut both = [0, 0];
                patterns.count(set, &mut both);
                [*negative, *positive] = both;
            } else {
                counts.fill(0);
                patterns.count(set, counts);
            }
        }
        true
    }

    /// Follow `change`, which is applied to `rules` too.
    pub(super) fn apply(&mut self, change: Move, rules: &mut Vec<u32>) {
        match self {
            Captures::Patterns(dense, _) => dense.apply(change, rules),
            Captures::Short(dense, _, kernel) => kernel.run(ApplyDense { dense, change, rules }),
            Captures::Blocked(blocked, _) => blocked.apply(change, rules),
            Captures::Weighted(blocked, _) => blocked.apply(change, rules),
        }
    }
}

struct OnShort<'s, 'a, F, T> {
    dense: &'s mut Dense<'a>,
    shape: ShortColumns,
    form: F,
    work: T,
}

impl<F: Buffered, T: WithStore> WithSimd for OnShort<'_, '_, F, T> {
    type Output = T::Output;

    #[inline(always)]
    fn run<L: Simd>(self, simd: L) -> T::Output {
        let bits = RowBits { shape: self.shape, simd };
        self.work.run(&mut DenseView::new(self.dense, bits, self.form))
    }
}

struct ApplyDense<'s, 'a> {
    dense: &'s mut Dense<'a>,
    change: Move,
    rules: &'s mut Vec<u32>,
}

impl WithSimd for ApplyDense<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Simd>(self, _: L) {
        self.dense.apply(self.change, self.rules);
    }
}

struct OnBlocks<'s, 'a, W, T> {
    blocked: &'s mut Blocked<'a, W>,
    leaf: &'s LeafFamily,
    work: T,
}

impl<W: RowWeight, T: WithStore> WithSimd for OnBlocks<'_, '_, W, T> {
    type Output = T::Output;

    #[inline(always)]
    fn run<L: Simd>(self, simd: L) -> T::Output {
        let OnBlocks { blocked, leaf, work } = self;
        match leaf.two_class_tables() {
            Some(form) => work.run(&mut BlockedView { blocked, simd, form }),
            None => work.run(&mut BlockedView { blocked, simd, form: AnySums::of(leaf) }),
        }
    }
}
