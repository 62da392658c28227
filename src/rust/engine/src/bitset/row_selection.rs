//! Columns restricted to some of the rows, without gaps.

use super::blocks::WORDS_PER_BLOCK;

/// The rows that are kept, and their new positions.
#[derive(Debug, Clone)]
pub struct RowSelection {
    words: Vec<Compress>,
    /// By class: where its words end in the input, and where they begin in the output.
    ends: Vec<usize>,
    starts: Vec<usize>,
    n_words: usize,
}

impl RowSelection {
    /// Keep the rows in `kept`. Class `l` ends before word `ends[l]`; each class begins with a new block, before and after.
    pub fn new(kept: &[u64], ends: &[usize]) -> Self {
        let (mut start, mut n_words, mut starts) = (0, 0, Vec::new());
        for &end in ends {
            starts.push(n_words);
            let n_rows: u32 = kept[start..end].iter().map(|word| word.count_ones()).sum();
            n_words += (n_rows as usize).div_ceil(64 * WORDS_PER_BLOCK) * WORDS_PER_BLOCK;
            start = end;
        }
        let words = kept.iter().map(|&kept| Compress::new(kept)).collect();
        RowSelection { words, ends: ends.to_vec(), starts, n_words }
    }

    /// The kept rows of `column`.
    pub fn pack(&self, column: &[u64]) -> Vec<u64> {
        let mut packed = vec![0; self.n_words];
        let mut start = 0;
        for (&end, &first) in self.ends.iter().zip(&self.starts) {
            let mut bit = first * 64;
            for (compress, &word) in self.words[start..end].iter().zip(&column[start..end]) {
                let n_bits = compress.kept.count_ones() as usize;
                let bits = if word == 0 { 0 } else { compress.apply(word) };
                if bits != 0 {
                    packed[bit / 64] |= bits << (bit % 64);
                    if bit % 64 + n_bits > 64 {
                        packed[bit / 64 + 1] |= bits >> (64 - bit % 64);
                    }
                }
                bit += n_bits;
            }
            start = end;
        }
        packed
    }
}

/// Moves the kept bits of a word to its low end, by 1, 2, 4, … places at a time (Hacker's Delight, "compress").
#[derive(Debug, Clone, Copy)]
struct Compress {
    kept: u64,
    /// The bits that move in each step.
    moves: [u64; 6],
}

impl Compress {
    fn new(kept: u64) -> Self {
        let (mut mask, mut moves) = (kept, [0; 6]);
        // a bit moves by the number of dropped bits below it; each step uses one binary digit of that number
        let mut dropped = !kept << 1;
        for (step, move_now) in moves.iter_mut().enumerate() {
            let mut odd = dropped;
            for shift in [1, 2, 4, 8, 16, 32] {
                odd ^= odd << shift;
            }
            *move_now = odd & mask;
            mask = (mask ^ *move_now) | (*move_now >> (1 << step));
            dropped &= !odd;
        }
        Compress { kept, moves }
    }

    fn apply(&self, word: u64) -> u64 {
        let mut bits = word & self.kept;
        for (step, &move_now) in self.moves.iter().enumerate() {
            let moved = bits & move_now;
            bits = (bits ^ moved) | (moved >> (1 << step));
        }
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::ChainRng;

    #[test]
    fn packing_keeps_the_kept_rows_in_order() {
        let mut rng = ChainRng::new(31, 0);
        let mut word = || match rng.below(6) {
            0 => 0,
            1 => u64::MAX,
            _ => ((rng.below(1 << 32) as u64) << 32) | rng.below(1 << 32) as u64,
        };
        for n_blocks in 0..8 {
            let n_words = n_blocks * WORDS_PER_BLOCK;
            let (kept, column): (Vec<u64>, Vec<u64>) = (0..n_words).map(|_| (word(), word())).unzip();
            let ends = [n_blocks / 2 * WORDS_PER_BLOCK, n_words];
            let selection = RowSelection::new(&kept, &ends);
            let packed = selection.pack(&column);
            let bit = |words: &[u64], position: usize| words[position / 64] >> (position % 64) & 1;
            let mut expected = vec![0u64; packed.len()];
            for (class, range) in [(0, 0..ends[0] * 64), (1, ends[0] * 64..n_words * 64)] {
                let rows = range.filter(|&position| bit(&kept, position) == 1);
                for (to, position) in (selection.starts[class] * 64..).zip(rows) {
                    expected[to / 64] |= bit(&column, position) << (to % 64);
                }
            }
            assert_eq!(packed, expected);
        }
    }
}
