//! Sets of rows as lists of their non-zero words: counting a column against all of them is one pass over the lists.

use super::bit_sliced::{BitSlicedWeights, RowWeight, UnitWeight};
use super::kernel::Kernel;
use super::simd::{Simd, WithSimd};

/// A set of rows: index and bits of each non-zero word, in order.
pub type Words = Vec<(u32, u64)>;

/// Several sets of rows, stored one after the other.
#[derive(Debug, Clone, Default)]
pub struct SparseSets {
    words: Words,
    /// By set and class: where the class's words end.
    ends: Vec<usize>,
}

impl SparseSets {
    /// Append a set. Class `l` ends before word `class_ends[l]`.
    pub fn push(&mut self, set: &[(u32, u64)], class_ends: &[usize]) {
        let start = self.words.len();
        self.words.extend_from_slice(set);
        let end = |&end: &usize| start + set.partition_point(|&(word, _)| (word as usize) < end);
        self.ends.extend(class_ends.iter().map(end));
    }

    /// Non-zero words of all sets.
    pub fn n_words(&self) -> usize {
        self.words.len()
    }

    /// Weight of the intersection of `column` with each set, by set and class.
    pub fn count(&self, kernel: Kernel, column: &[u64], weights: Option<&BitSlicedWeights>, out: &mut [u64]) {
        match weights {
            None => kernel.run_scalar(Count { sets: self, column, weigh: UnitWeight, out }),
            Some(weigh) => kernel.run_scalar(Count { sets: self, column, weigh, out }),
        }
    }
}

struct Count<'a, W> {
    sets: &'a SparseSets,
    column: &'a [u64],
    weigh: W,
    out: &'a mut [u64],
}

impl<W: RowWeight> WithSimd for Count<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _simd: S) {
        let mut start = 0;
        for (&end, out) in self.sets.ends.iter().zip(self.out) {
            let mut sum = 0;
            for &(word, bits) in &self.sets.words[start..end] {
                sum += self.weigh.weigh(word as usize, bits & self.column[word as usize]);
            }
            *out = sum;
            start = end;
        }
    }
}

/// The non-zero words of a column.
pub fn words_of(column: &[u64]) -> Words {
    (0..).zip(column).filter(|(_, &bits)| bits != 0).map(|(word, &bits)| (word, bits)).collect()
}

/// Take the rows of `column` out of `set`, and return them.
pub fn take(set: &mut Words, column: &[u64]) -> Words {
    let mut taken = Words::new();
    set.retain_mut(|(word, bits)| {
        let covered = *bits & column[*word as usize];
        if covered != 0 {
            taken.push((*word, covered));
            *bits ^= covered;
        }
        *bits != 0
    });
    taken
}

#[cfg(test)]
mod tests {
    use super::super::kernel::tests::up_to;
    use super::*;
    use crate::naive;
    use crate::rng::ChainRng;

    #[test]
    fn every_kernel_counts_as_the_naive_twin() {
        let mut rng = ChainRng::new(21, 0);
        for n_words in 0..up_to(40) {
            let mut column = || -> Vec<u64> {
                let bits = |rng: &mut ChainRng| (rng.below(1 << 32) * rng.below(3)) as u64;
                (0..n_words).map(|_| bits(&mut rng)).collect()
            };
            let (a, b, mut left) = (column(), column(), column());
            let ends = [n_words / 3, n_words];
            let mut sets = SparseSets::default();
            sets.push(&words_of(&a), &ends);
            sets.push(&words_of(&left), &ends);
            let expected = [naive::count_and(&a, &b, &ends), naive::count_and(&left, &b, &ends)].concat();
            let ones = BitSlicedWeights::new(&vec![1; n_words * 64]).unwrap();
            for kernel in Kernel::available() {
                for weights in [None, Some(&ones)] {
                    let mut out = vec![9; 4];
                    sets.count(kernel, &b, weights, &mut out);
                    assert_eq!(out, expected, "{kernel:?}, {n_words} words");
                }
            }
            let mut set = words_of(&left);
            let taken = take(&mut set, &b);
            let both: Vec<u64> = left.iter().zip(&b).map(|(left, b)| left & b).collect();
            assert_eq!(taken, words_of(&both));
            left.iter_mut().zip(&b).for_each(|(left, b)| *left &= !b);
            assert_eq!(set, words_of(&left));
        }
    }
}
