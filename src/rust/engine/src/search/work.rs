//! What scoring costs, in units of somewhat less than a nanosecond: by the words that are read, whatever the machine and the threads.

use super::problem::row_sets::RowSets;
use super::problem::Problem;

/// What is done besides reading words; with more than two classes, each word is read several times.
const TWO_CLASSES: (u64, u64) = (100, 1);
const MORE_CLASSES: (u64, u64) = (200, 4);
/// Skipping blocks of rows.
const BLOCKS: u64 = 60;
/// With this many rules more, a move costs as much again: it changes what several of them capture.
const RULES: u64 = 8;

impl Problem {
    /// Of drawing and scoring one move of a list with `n_rules` rules.
    pub fn work_per_move(&self, n_rules: usize) -> u64 {
        let n_words = self.pool.rows.n_words() as u64;
        let (n_words, extra) = match self.row_sets() {
            RowSets::Patterns(_) => (1, 0),
            RowSets::Short(..) => (n_words, 0),
            RowSets::Blocks(..) => (n_words, BLOCKS),
        };
        let (fixed, times) = if self.n_classes() == 2 { TWO_CLASSES } else { MORE_CLASSES };
        (fixed + extra + times * n_words) * (RULES + n_rules as u64) / RULES
    }
}
