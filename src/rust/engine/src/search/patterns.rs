//! Rows that no candidate tells apart are one pattern. If there are few patterns, a set of them is one word.

use crate::bitset::BitColumns;
use crate::control::Control;
use crate::data::Rows;
use crate::posterior::{BinaryLikelihood, Likelihood};

/// As many patterns as a word has bits.
const MOST_PATTERNS: usize = 64;
/// Up to as many patterns, the log f of every set of them fits in a table of 128 kB.
const MOST_TABLED: usize = 14;
/// With more classes the tables would grow too large to be fast.
const MOST_CLASSES: usize = 16;

/// The patterns of a pool's rows.
#[derive(Debug, Clone)]
pub struct Patterns {
    /// Per candidate: the patterns it covers.
    covers: Vec<u64>,
    /// For each byte of a word and each of its 256 values: rows per class.
    tables: Vec<u64>,
    /// The same if there are two classes, at addresses that need no check.
    pairs: Vec<[[u64; 2]; 256]>,
    /// The word of all patterns.
    all: u64,
    /// log f of every set of patterns, if they are few and it has been asked for.
    log_marginals: Option<Vec<f64>>,
}

impl Patterns {
    /// `None` if there are too many patterns, or classes, or if told to end.
    pub fn find(rows: &Rows, covers: &BitColumns, control: &Control) -> Option<Self> {
        if rows.n_classes() > MOST_CLASSES {
            return None;
        }
        let groups = split(rows.all().to_vec(), covers, control)?;
        // any row of a pattern stands for it
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
        Some(Patterns {
            pairs,
            tables,
            covers: (0..covers.n_columns()).map(pattern_cover).collect(),
            all: (0..groups.len()).fold(0, |all, pattern| all | 1 << pattern),
            log_marginals: None,
        })
    }

    /// The same, with the log f of every set in a table if that is not too long.
    pub fn tabled(mut self, likelihood: &Likelihood) -> Self {
        if self.all >> MOST_TABLED == 0 {
            self.log_marginals = Some(match &self.pairs[..] {
                [] => self.log_fs_by(likelihood),
                [low, ..] => {
                    log_fs_of_two(self.all as usize + 1, low, self.pairs.get(1), likelihood.binary())
                }
            });
        }
        self
    }

    fn log_fs_by(&self, likelihood: &Likelihood) -> Vec<f64> {
        let mut counts = vec![0; likelihood.n_classes()];
        let log_marginal = |set: u64| {
            counts.fill(0);
            self.count(set, &mut counts);
            likelihood.log_marginal(&counts)
        };
        (0..=self.all).map(log_marginal).collect()
    }

    /// log f of every set of patterns, if it is at hand.
    #[inline(always)]
    pub fn log_marginals(&self) -> Option<&[f64]> {
        self.log_marginals.as_deref()
    }

    pub fn covers(&self) -> &[u64] {
        &self.covers
    }

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

/// log f of `n` sets of up to 16 patterns: for each set of the last eight, those of the first eight.
fn log_fs_of_two(
    n: usize,
    low: &[[u64; 2]; 256],
    high: Option<&[[u64; 2]; 256]>,
    likelihood: BinaryLikelihood<'_>,
) -> Vec<f64> {
    let mut log_marginals = Vec::with_capacity(n);
    for set in (0..n).step_by(256) {
        let [n_first, n_second] = high.map_or([0; 2], |high| high[set >> 8]);
        let sets = low.iter().take(n - set);
        log_marginals.extend(
            sets.map(|[first, second]| likelihood.log_marginal([n_first + first, n_second + second])),
        );
    }
    log_marginals
}

/// The rows in groups that no column splits; `None` once there are too many, or if told to end.
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
            group.iter_mut().zip(column).for_each(|(group, column)| *group &= !column);
            groups.push(inside);
            if groups.len() > MOST_PATTERNS {
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
            let Some(patterns) = Patterns::find(&pool.rows, &pool.covers, &Control::default()) else {
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
    fn tables_hold_the_log_f_of_every_set() {
        let mut rng = ChainRng::new(32, 0);
        let mut n_tabled = 0;
        for _ in 0..60 {
            let problem = random_problem(&mut rng);
            let pool = &problem.pool;
            let found = Patterns::find(&pool.rows, &pool.covers, &Control::default());
            let Some(patterns) = found else { continue };
            let likelihood = &problem.posterior.likelihood;
            let patterns = patterns.tabled(likelihood);
            let Some(log_marginals) = patterns.log_marginals() else { continue };
            n_tabled += 1;
            assert_eq!(log_marginals, patterns.log_fs_by(likelihood));
        }
        assert!(n_tabled > 10, "{n_tabled} of 60 are tabled");
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
            Patterns::find(&rows, &columns, &Control::default())
        };
        assert_eq!(numbers(64).unwrap().all(), u64::MAX);
        assert_eq!(numbers(3).unwrap().all(), 0b111);
        assert_eq!(numbers(0).unwrap().all(), 0);
        assert!(numbers(65).is_none());
    }
}
