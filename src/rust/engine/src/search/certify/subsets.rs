//! Sets of numbers from 0 to n − 1 in lexicographic order.

use crate::error::Error;
use crate::memory;

/// Numbers of subsets of up to `largest` of `n` numbers.
#[derive(Debug)]
pub struct Subsets {
    n: usize,
    largest: usize,
    /// C(i, r) at i (largest + 1) + r.
    binomials: Vec<u64>,
}

impl Subsets {
    pub fn new(n: usize, largest: usize) -> Result<Self, Error> {
        let width = largest + 1;
        let mut binomials = memory::filled(0u64, (n + 1) * width)?;
        for i in 0..=n {
            binomials[i * width] = 1;
            for r in 1..=largest.min(i) {
                let above = &binomials[(i - 1) * width..];
                binomials[i * width + r] = above[r - 1].saturating_add(above[r]);
            }
        }
        Ok(Subsets { n, largest, binomials })
    }

    /// C(i, r).
    pub fn choose(&self, i: usize, r: usize) -> u64 {
        self.binomials[i * (self.largest + 1) + r]
    }

    /// How many sets of this size begin with a number below `n_first`.
    pub fn count(&self, size: usize, n_first: usize) -> u64 {
        self.choose(self.n, size) - self.choose(self.n - n_first, size)
    }

    /// Where the sets are that begin with all but one of their `size` numbers: the one that ends with v is the set at this plus v. It may be
    /// below zero, so the sum wraps around.
    pub fn start(&self, numbers: impl Iterator<Item = usize>, size: usize) -> usize {
        // before a number come the sets with a smaller one there: a sum of C(n − c − 1, r), which is a difference of two binomials
        let (mut start, mut next) = (0u64, 0);
        for (done, number) in numbers.enumerate() {
            let r = size - done;
            start = start.wrapping_add(self.choose(self.n - next, r) - self.choose(self.n - number, r));
            next = number + 1;
        }
        start.wrapping_sub(next as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All sets in order, by brute force.
    fn in_order(n: usize, size: usize) -> Vec<Vec<usize>> {
        let mut sets: Vec<Vec<usize>> = (0..1u32 << n)
            .map(|set| (0..n).filter(|&number| set >> number & 1 == 1).collect())
            .filter(|set: &Vec<usize>| set.len() == size)
            .collect();
        sets.sort();
        sets
    }

    #[test]
    fn sets_are_where_they_are_found() {
        for n in 1..9 {
            for size in 1..=n {
                let subsets = Subsets::new(n, size).unwrap();
                let sets = in_order(n, size);
                assert_eq!(subsets.choose(n, size), sets.len() as u64);
                for n_first in 0..=n {
                    let expected = sets.iter().filter(|set| set[0] < n_first).count();
                    assert_eq!(subsets.count(size, n_first), expected as u64);
                }
                for (place, set) in sets.iter().enumerate() {
                    let (last, begin) = set.split_last().unwrap();
                    assert_eq!(subsets.start(begin.iter().copied(), size).wrapping_add(*last), place);
                }
            }
        }
    }

    #[test]
    fn numbers_that_are_too_large_stay_large() {
        let subsets = Subsets::new(5000, 40).unwrap();
        assert_eq!(subsets.choose(5000, 40), u64::MAX);
    }
}
