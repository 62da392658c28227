//! Row weights as a bit-sliced index: plane `i` of a word contains bit `i` of the weight of each of its 64 rows.

use crate::error::Error;
use crate::memory;

/// What the rows of a word count.
pub trait RowWeight: Copy {
    /// Whether each row counts one.
    const IS_UNIT: bool = false;

    /// Total weight of the rows `bits` of word number `word`.
    fn weigh(self, word: usize, bits: u64) -> u64;
}

/// Each row counts one.
#[derive(Debug, Clone, Copy)]
pub struct UnitWeight;

impl RowWeight for UnitWeight {
    const IS_UNIT: bool = true;

    #[inline(always)]
    fn weigh(self, _word: usize, bits: u64) -> u64 {
        u64::from(bits.count_ones())
    }
}

/// Rows count whole numbers of units.
#[derive(Debug, Clone)]
pub struct BitSlicedWeights {
    n_planes: usize,
    /// The planes of each word in turn, lowest bit first.
    planes: Vec<u64>,
}

impl BitSlicedWeights {
    /// `weights[i]` is the weight of the row at position `i`.
    pub fn new(weights: &[u64]) -> Result<Self, Error> {
        let largest = weights.iter().copied().max().unwrap_or(0);
        let n_planes = (64 - largest.leading_zeros()) as usize;
        let mut planes = memory::filled(0, weights.len().div_ceil(64) * n_planes)?;
        for (position, &weight) in weights.iter().enumerate() {
            for plane in 0..n_planes {
                planes[position / 64 * n_planes + plane] |= (weight >> plane & 1) << (position % 64);
            }
        }
        Ok(BitSlicedWeights { n_planes, planes })
    }
}

impl RowWeight for &BitSlicedWeights {
    #[inline(always)]
    fn weigh(self, word: usize, bits: u64) -> u64 {
        if bits == 0 {
            return 0;
        }
        let planes = &self.planes[word * self.n_planes..(word + 1) * self.n_planes];
        planes.iter().rev().fold(0, |sum, plane| 2 * sum + u64::from((bits & plane).count_ones()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_give_the_sum_of_the_weights_bit_by_bit() {
        let weights: Vec<u64> =
            (0..130).map(|i| (i * i * 7919) % 1000 + u64::from(i == 70) * (1 << 50)).collect();
        let planes = BitSlicedWeights::new(&weights).unwrap();
        for (word, bits) in [(0, u64::MAX), (0, 0), (1, 0x1234_5678_9ABC_DEF0), (2, 3), (1, 1 << 6)] {
            let expected: u64 =
                (0..64).filter(|bit| bits >> bit & 1 == 1).map(|bit| weights[word * 64 + bit]).sum();
            assert_eq!((&planes).weigh(word, bits), expected);
        }
    }

    #[test]
    fn no_rows_weigh_nothing() {
        assert_eq!((&BitSlicedWeights::new(&[]).unwrap()).weigh(0, 0), 0);
    }
}
