//! How the search keeps sets of rows: chosen once per problem, by the number of rows and of different rows.

use super::patterns::Patterns;
use crate::bitset::kernel::Kernel;
use crate::bitset::short_columns::ShortColumns;
use crate::bitset::Masks;
use crate::control::Control;
use crate::mine::Pool;
use crate::posterior::Likelihood;

/// Up to this many words, going by the masks costs more than it saves.
const SHORT_WORDS: usize = 32;

/// How sets of rows are kept.
#[derive(Debug, Clone)]
pub enum Ground {
    /// ShortColumns different rows: a set is one word, a bit for each kind of row.
    Patterns(Patterns),
    /// ShortColumns rows: a set is a few words, all of them looked at.
    Short(Short),
    /// Any rows: words in blocks, and masks that say which blocks hold a row.
    Blocks(Masks, Kernel),
}

/// The shape of columns, and the fastest way to count their bits.
#[derive(Debug, Clone)]
pub struct Short {
    pub few: ShortColumns,
    pub kernel: Kernel,
}

impl Ground {
    /// The fastest for this pool.
    pub fn choose(pool: &Pool, control: &Control) -> Self {
        Ground::patterns(pool, control)
            .or_else(|| Ground::short(pool))
            .unwrap_or_else(|| Ground::blocks(pool))
    }

    /// The same, with what else a likelihood allows to be worked out ahead.
    pub fn tabled(self, likelihood: &Likelihood) -> Self {
        match self {
            Ground::Patterns(patterns) => Ground::Patterns(patterns.tabled(likelihood)),
            other => other,
        }
    }

    /// By patterns, if they are few, and if there is time to see that.
    pub fn patterns(pool: &Pool, control: &Control) -> Option<Self> {
        Patterns::find(&pool.rows, &pool.covers, control).map(Ground::Patterns)
    }

    /// By words, if they are few, every row counts one and there are two classes: the usual case of small data.
    pub fn short(pool: &Pool) -> Option<Self> {
        let rows = &pool.rows;
        if rows.weights().is_some() || rows.n_words() > SHORT_WORDS || rows.n_classes() != 2 {
            return None;
        }
        let few = ShortColumns::new(rows.n_words(), rows.ends()[0]);
        Some(Ground::Short(Short { few, kernel: Kernel::choose(usize::MAX) }))
    }

    /// By blocks, which always will do.
    pub fn blocks(pool: &Pool) -> Self {
        Ground::Blocks(Masks::new(&pool.covers, pool.rows.blocks()), Kernel::choose(usize::MAX))
    }
}
