//! One tree: grown from sums of gradients by bin, with leaves that are Newton steps.

use super::bins::MAX_BINS;
use super::sample::{Ranks, Training};
use crate::rng::ChainRng;

/// A gain below this is rounding.
const LEAST_GAIN: f64 = 1e-9;

/// When to stop, and where to look for splits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub depth: usize,
    /// Rows in each leaf.
    pub min_rows: usize,
    /// Columns that are tried at each split.
    pub n_tried: usize,
    /// Added to the second derivatives of a leaf.
    pub ridge: f64,
}

/// What a tree learns from.
pub(super) struct Sample<'a> {
    pub training: &'a Training<'a>,
    /// See `Training::ranks()`.
    pub ranks: &'a Ranks,
    /// The columns that may be tried.
    pub columns: &'a [u32],
    /// First and second derivative of each row, negative and positive.
    pub slopes: &'a [[f64; 2]],
}

#[derive(Debug, Clone, Copy)]
struct Node {
    /// The column of the split, and the greatest rank that goes left.
    split: Option<(u32, u8)>,
    /// The left child; the right one is the next.
    left: u32,
    value: f64,
}

/// A tree for the rows of one training set.
pub(super) struct Tree {
    nodes: Vec<Node>,
}

/// Sums of the slopes and the number of the rows of each rank; all are 0 between two uses.
type Histogram = [[f64; 3]; MAX_BINS];

/// A node whose split is not known yet: its rows and its depth.
struct Open {
    node: usize,
    rows: std::ops::Range<usize>,
    depth: usize,
}

#[derive(Clone, Copy)]
struct Split {
    gain: f64,
    column: u32,
    rank: u8,
}

impl Tree {
    /// Grow a tree on `rows`, which change their order.
    pub fn grow(sample: &Sample, rows: &mut [u32], limits: &Limits, rng: &mut ChainRng) -> Self {
        let mut tree = Tree { nodes: vec![Node { split: None, left: 0, value: 0.0 }] };
        let mut columns = sample.columns.to_vec();
        let mut histogram = [[0.0; 3]; MAX_BINS];
        let mut open = vec![Open { node: 0, rows: 0..rows.len(), depth: 0 }];
        while let Some(Open { node, rows: range, depth }) = open.pop() {
            let rows = &mut rows[range.clone()];
            let sums = total(sample.slopes, rows);
            tree.nodes[node].value = sums[0] / (sums[1] + limits.ridge);
            if depth >= limits.depth || rows.len() < 2 * limits.min_rows {
                continue;
            }
            let n_tried = limits.n_tried.min(columns.len());
            // all columns: nothing to draw
            if n_tried < columns.len() {
                for place in 0..n_tried {
                    let other = place + rng.below(columns.len() - place);
                    columns.swap(place, other);
                }
            }
            let Some(split) = best_split(sample, &columns[..n_tried], rows, (sums, limits), &mut histogram)
            else {
                continue;
            };
            let n_left = sample.divide(split, rows);
            let (left, middle) = (tree.nodes.len(), range.start + n_left);
            tree.nodes[node].split = Some((split.column, split.rank));
            tree.nodes[node].left = left as u32;
            tree.nodes.extend([Node { split: None, left: 0, value: 0.0 }; 2]);
            open.push(Open { node: left + 1, rows: middle..range.end, depth: depth + 1 });
            open.push(Open { node: left, rows: range.start..middle, depth: depth + 1 });
        }
        tree
    }

    /// The value of the leaf that a row reaches.
    pub fn value(&self, sample: &Sample, row: usize) -> f64 {
        let mut node = &self.nodes[0];
        while let Some((column, rank)) = node.split {
            let right = usize::from(sample.rank(column, row) > rank);
            node = &self.nodes[node.left as usize + right];
        }
        node.value
    }
}

impl Sample<'_> {
    #[inline]
    fn rank(&self, column: u32, row: usize) -> u8 {
        let bin = self.training.columns[column as usize].bins[row];
        self.ranks[column as usize].as_ref().map_or(bin, |ranks| ranks[usize::from(bin)])
    }

    /// Rows of the left child to the front; their number.
    fn divide(&self, split: Split, rows: &mut [u32]) -> usize {
        let mut n_left = 0;
        for index in 0..rows.len() {
            if self.rank(split.column, rows[index] as usize) <= split.rank {
                rows.swap(index, n_left);
                n_left += 1;
            }
        }
        n_left
    }
}

fn total(slopes: &[[f64; 2]], rows: &[u32]) -> [f64; 2] {
    rows.iter().fold([0.0; 2], |sum, &row| {
        let slope = slopes[row as usize];
        [sum[0] + slope[0], sum[1] + slope[1]]
    })
}

fn best_split(
    sample: &Sample,
    columns: &[u32],
    rows: &[u32],
    node: ([f64; 2], &Limits),
    histogram: &mut Histogram,
) -> Option<Split> {
    let mut best = Split { gain: LEAST_GAIN, column: u32::MAX, rank: 0 };
    for &column in columns {
        let bins = &sample.training.columns[column as usize].bins;
        let ranks = match &sample.ranks[column as usize] {
            None => add_up(bins, rows, sample.slopes, |bin| bin, histogram),
            Some(ranks) => add_up(bins, rows, sample.slopes, |bin| ranks[usize::from(bin)], histogram),
        };
        let found = split_column(&histogram[ranks.clone()], rows.len(), node);
        if let Some((gain, rank)) = found.filter(|&(gain, _)| gain > best.gain) {
            best = Split { gain, column, rank: (ranks.start + rank) as u8 };
        }
        histogram[ranks].fill([0.0; 3]);
    }
    (best.column != u32::MAX).then_some(best)
}

/// Sums by rank, and the ranks that occur.
#[inline]
fn add_up(
    bins: &[u8],
    rows: &[u32],
    slopes: &[[f64; 2]],
    rank: impl Fn(u8) -> u8,
    histogram: &mut Histogram,
) -> std::ops::Range<usize> {
    let (mut least, mut greatest) = (u8::MAX, 0);
    for &row in rows {
        let rank = rank(bins[row as usize]);
        (least, greatest) = (least.min(rank), greatest.max(rank));
        let ([g, h], sum) = (slopes[row as usize], &mut histogram[usize::from(rank)]);
        *sum = [sum[0] + g, sum[1] + h, sum[2] + 1.0];
    }
    usize::from(least)..usize::from(greatest) + 1
}

/// The best split of a column: its gain, and the greatest rank that goes left, counted from the first one.
fn split_column(
    histogram: &[[f64; 3]],
    n_rows: usize,
    (sums, limits): ([f64; 2], &Limits),
) -> Option<(f64, usize)> {
    let worth = |g: f64, h: f64| g * g / (h + limits.ridge);
    let whole = worth(sums[0], sums[1]);
    let (least, n) = (limits.min_rows as f64, n_rows as f64);
    let mut best = None;
    let mut left = [0.0; 3];
    for (rank, sum) in histogram.iter().enumerate() {
        if sum[2] == 0.0 {
            continue;
        }
        left = [left[0] + sum[0], left[1] + sum[1], left[2] + sum[2]];
        if n - left[2] < least {
            break;
        }
        if left[2] >= least {
            let gain = worth(left[0], left[1]) + worth(sums[0] - left[0], sums[1] - left[1]) - whole;
            if best.map_or(true, |(greatest, _)| gain > greatest) {
                best = Some((gain, rank));
            }
        }
    }
    best
}
