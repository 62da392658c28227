//! How the search stores sets of rows: chosen once per problem, by the number of rows and of distinct ones.

use super::row_patterns::RowPatterns;
use crate::bitset::kernel::Kernel;
use crate::bitset::short_columns::ShortColumns;
use crate::bitset::Masks;
use crate::control::Control;
use crate::leaf::LeafFamily;
use crate::mine::Pool;

/// Up to this many words, skipping empty blocks costs more than it saves.
const SHORT_WORDS: usize = 32;

/// The representation of sets of rows.
#[derive(Debug, Clone)]
pub enum RowSets {
    /// Few distinct rows: a set is one word, with a bit for each row pattern.
    Patterns(RowPatterns),
    /// Few rows: a set is a few words, all of which are read.
    Short(ShortColumns, Kernel),
    /// Any rows: words in blocks, and masks of the blocks that have a row.
    Blocks(Masks, Kernel),
}

impl RowSets {
    /// The fastest representation for this pool.
    pub fn choose(pool: &Pool, leaf: &LeafFamily, control: &Control) -> Self {
        RowSets::patterns(pool, control)
            .map(|row_sets| row_sets.with_log_marginals(leaf))
            .or_else(|| RowSets::short(pool))
            .unwrap_or_else(|| RowSets::blocks(pool))
    }

    /// Row patterns, if they are few and there is time to find them.
    pub fn patterns(pool: &Pool, control: &Control) -> Option<Self> {
        RowPatterns::find(&pool.rows, &pool.covers, control).map(RowSets::Patterns)
    }

    /// The same, with tables of log marginals where they pay.
    pub fn with_log_marginals(self, leaf: &LeafFamily) -> Self {
        match self {
            RowSets::Patterns(patterns) => RowSets::Patterns(patterns.with_log_marginals(leaf)),
            other => other,
        }
    }

    /// Short columns, if words are few, rows have no weights and leaves two sums: the usual case of small data.
    pub fn short(pool: &Pool) -> Option<Self> {
        let rows = &pool.rows;
        if rows.weights().is_some() || rows.n_words() > SHORT_WORDS || rows.n_classes() != 2 {
            return None;
        }
        let shape = ShortColumns::new(rows.n_words(), rows.ends()[0]);
        Some(RowSets::Short(shape, Kernel::widest()))
    }

    /// Blocks, which suit any pool.
    pub fn blocks(pool: &Pool) -> Self {
        RowSets::Blocks(Masks::new(&pool.covers, pool.rows.blocks()), Kernel::widest())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::ChainRng;
    use crate::testing::random_source;

    #[test]
    fn few_patterns_go_before_few_rows_and_weights_need_blocks() {
        let mut seen = [0; 3];
        for seed in 0..200 {
            let source = random_source(&mut ChainRng::new(seed, 0));
            let problem = source.problem();
            let n_patterns = RowPatterns::find(&problem.pool.rows, &problem.pool.covers, &Control::default());
            match problem.row_sets() {
                RowSets::Patterns(_) => seen[0] += 1,
                RowSets::Short(..) => {
                    seen[1] += 1;
                    assert!(n_patterns.is_none() && source.table.n_classes == 2);
                    assert!(source.table.weights.iter().all(|&weight| weight == source.table.weights[0]));
                }
                RowSets::Blocks(..) => {
                    seen[2] += 1;
                    assert!(n_patterns.is_none());
                }
            }
        }
        assert!(seen.iter().all(|&n| n > 0), "{seen:?}");
    }
}
