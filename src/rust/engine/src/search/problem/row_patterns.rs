//! Equivalence classes of rows: rows covered by the same candidates are one *row pattern*. If there are at most 64 of them, a
//! set of rows is one word.

use crate::bitset::{clear_covered, BitColumns};
use crate::control::Control;
use crate::data::Rows;
use crate::leaf::LeafFamily;

/// A word has a bit for each pattern.
const MAX_PATTERNS: usize = 64;
/// Up to this many patterns, the log marginals of all sets of them are tabled (128 kB).
const MAX_TABLED: usize = 14;
/// With more classes the tables would be too large to be fast.
const MAX_CLASSES: usize = 16;

/// The row patterns of a pool.
#[derive(Debug, Clone)]
pub struct RowPatterns {
    /// Per candidate: the patterns it covers, a bit each.
    covers: Vec<u64>,
    /// For each byte of a word and each of its 256 values: rows per class.
    tables: Vec<u64>,
    /// The same for two classes, as arrays whose index needs no check.
    pairs: Vec<[[u64; 2]; 256]>,
    /// The set of all patterns.
    all: u64,
    /// Log marginal of every set of patterns; empty unless they are few and a leaf was given.
    log_marginals: Vec<f64>,
}

impl RowPatterns {
    /// `None` if there are too many patterns or classes, or if the work is to end.
    pub fn find(rows: &Rows, covers: &BitColumns, control: &Control) -> Option<Self> {
        if rows.n_classes() > MAX_CLASSES {
            return None;
        }
        let groups = split(rows.all().to_vec(), covers, control)?;
        // any row of a pattern represents it
        let first_bits: Vec<(usize, u64)> = groups
            .iter()
            .map(|group| group.iter().position(|&word| word != 0).map_or((0, 0), |at| (at, group[at])))
            .map(|(at, word)| (at, word & word.wrapping_neg()))
            .collect();
        let pattern_cover = |candidate: usize| {
            let column = covers.column(candidate);
            let is_covered = first_bits.iter().map(|&(at, bit)| u64::from(column[at] & bit != 0));
            is_covered.zip(0..).fold(0, |cover, (is_covered, pattern)| cover | is_covered << pattern)
        };
        let counts: Vec<Vec<u64>> = groups.iter().map(|group| rows.count(group)).collect();
        let tables = tables(&counts, rows.n_classes());
        let pairs = if rows.n_classes() == 2 { pairs(&tables) } else { Vec::new() };
        Some(RowPatterns {
            pairs,
            tables,
            covers: (0..covers.n_columns()).map(pattern_cover).collect(),
            all: (0..groups.len()).fold(0, |all, pattern| all | 1 << pattern),
            log_marginals: Vec::new(),
        })
    }

    /// The same, with the log marginals of all sets of patterns if these are few: moves are then scored by look-ups, which
    /// a default fit of such a small table needs to be as quick as other methods.
    pub fn with_log_marginals(mut self, leaf: &LeafFamily) -> Self {
        if self.all >> MAX_TABLED == 0 {
            let mut counts = vec![0; leaf.n_sums()];
            let log_marginal = |set: u64| {
                counts.fill(0);
                self.count(set, &mut counts);
                leaf.log_marginal(&counts)
            };
            self.log_marginals = (0..=self.all).map(log_marginal).collect();
        }
        self
    }

    /// Log marginal of every set of patterns, if they are tabled.
    #[inline(always)]
    pub fn log_marginals(&self) -> Option<&[f64]> {
        (!self.log_marginals.is_empty()).then_some(&self.log_marginals[..])
    }

    /// Per candidate: the patterns it covers, a bit each.
    pub fn covers(&self) -> &[u64] {
        &self.covers
    }

    /// The set of all patterns.
    pub fn all(&self) -> u64 {
        self.all
    }

    /// Add the rows of these patterns, per class, to `out`.
    #[inline(always)]
    pub fn count(&self, patterns: u64, out: &mut [u64]) {
        let k = out.len();
        let mut rest = patterns;
        // two counts stay in registers
        if let [first, second] = out {
            // few patterns are the reason to have them: no loop for up to 16
            if let [low, high] = &self.pairs[..] {
                let (low, high) = (low[(rest & 255) as usize], high[(rest >> 8 & 255) as usize]);
                *first += low[0] + high[0];
                *second += low[1] + high[1];
                return;
            }
            let mut sums = (0, 0);
            for table in &self.pairs {
                let row = table[(rest & 255) as usize];
                sums = (sums.0 + row[0], sums.1 + row[1]);
                rest >>= 8;
            }
            *first += sums.0;
            *second += sums.1;
            return;
        }
        for table in self.tables.chunks_exact(256 * k) {
            let at = (rest & 255) as usize * k;
            out.iter_mut().zip(&table[at..at + k]).for_each(|(out, n)| *out += n);
            rest >>= 8;
        }
    }
}

/// The rows in groups that no column splits; `None` once there are too many, or if the work is to end.
fn split(all: Vec<u64>, columns: &BitColumns, control: &Control) -> Option<Vec<Vec<u64>>> {
    let mut groups: Vec<Vec<u64>> = Vec::new();
    if all.iter().any(|&word| word != 0) {
        groups.push(all);
    }
    for column in 0..columns.n_columns() {
        if control.should_end() {
            return None;
        }
        let column = columns.column(column);
        for index in 0..groups.len() {
            let group = &mut groups[index];
            let (mut inside, mut outside) = (0, 0);
            for (group, column) in group.iter().zip(column) {
                inside |= group & column;
                outside |= group & !column;
            }
            if inside == 0 || outside == 0 {
                continue;
            }
            let inside = group.iter().zip(column).map(|(group, column)| group & column).collect();
            clear_covered(group, column);
            groups.push(inside);
            if groups.len() > MAX_PATTERNS {
                return None;
            }
        }
    }
    Some(groups)
}

/// `counts[i]` are the rows of pattern `i`, per class. There is a table for each byte that has patterns.
fn tables(counts: &[Vec<u64>], n_classes: usize) -> Vec<u64> {
    let mut tables = vec![0; counts.len().div_ceil(8) * 256 * n_classes];
    for (counts, table) in counts.chunks(8).zip(tables.chunks_exact_mut(256 * n_classes)) {
        for (byte, row) in table.chunks_exact_mut(n_classes).enumerate() {
            let patterns = counts.iter().enumerate().filter(|(bit, _)| byte >> bit & 1 == 1);
            for (_, counts) in patterns {
                row.iter_mut().zip(counts).for_each(|(row, count)| *row += count);
            }
        }
    }
    tables
}

/// Tables of two classes, one array each.
fn pairs(tables: &[u64]) -> Vec<[[u64; 2]; 256]> {
    let pair = |table: &[u64], byte: usize| [table[2 * byte], table[2 * byte + 1]];
    tables.chunks_exact(512).map(|table| std::array::from_fn(|byte| pair(table, byte))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::ChainRng;
    use crate::testing::random_problem;

    #[test]
    fn patterns_count_what_rows_count() {
        let mut rng = ChainRng::new(31, 0);
        let mut n_found = 0;
        for _ in 0..60 {
            let pool = random_problem(&mut rng).pool;
            let Some(patterns) = RowPatterns::find(&pool.rows, &pool.covers, &Control::default()) else {
                continue;
            };
            n_found += 1;
            let k = pool.rows.n_classes();
            let count = |word: u64| {
                let mut counts = vec![0; k];
                patterns.count(word, &mut counts);
                counts
            };
            assert_eq!(count(patterns.all()), pool.rows.class_counts());
            for one in 0..pool.len() {
                let other = rng.below(pool.len());
                let mut expected = vec![0; k];
                pool.rows.count_and(pool.covers.column(one), pool.covers.column(other), &mut expected);
                assert_eq!(count(patterns.covers()[one] & patterns.covers()[other]), expected);
                assert_eq!(count(patterns.covers()[one]), pool.counts(one));
            }
        }
        assert!(n_found > 20, "{n_found} of 60 have few patterns");
    }

    #[test]
    fn the_limit_is_64_patterns() {
        let numbers = |n: u64| {
            let labels: Vec<u32> = (0..n).map(|row| (row % 3 == 0).into()).collect();
            let rows = Rows::new(&labels, 2).unwrap();
            let mut columns = BitColumns::zeroed(7, rows.n_words()).unwrap();
            for (row, &position) in rows.positions().iter().enumerate() {
                (0..7).filter(|bit| row >> bit & 1 == 1).for_each(|bit| columns.set(bit, position as usize));
            }
            RowPatterns::find(&rows, &columns, &Control::default())
        };
        assert_eq!(numbers(64).unwrap().all(), u64::MAX);
        assert_eq!(numbers(3).unwrap().all(), 0b111);
        assert_eq!(numbers(0).unwrap().all(), 0);
        assert!(numbers(65).is_none());
    }
}
