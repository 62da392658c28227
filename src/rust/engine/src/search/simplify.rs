//! A list without what it does not need: empty rules, a last rule that takes all that is left, rules that cost more than they gain.

use super::problem::{CountedList, Problem, MIN_GAIN};

impl Problem {
    /// `list` without the rules that captured no row. It captures the same rows and so has the same likelihood; only its
    /// prior differs, and may be lower: a prior that expects more rules pays for empty ones.
    pub fn without_empty(&self, list: &CountedList) -> CountedList {
        let captured = list.counts.chunks_exact(self.n_classes());
        let rules = list.rules.iter().zip(captured).filter(|(_, counts)| is_captured(counts));
        self.count(rules.map(|(&rule, _)| rule).collect())
    }

    /// If the last rule captured all rows that were left, the default rule takes its place: it captures the same rows, so
    /// that the likelihood is the same. Also the candidate of that rule.
    pub fn with_last_as_default(&self, list: &CountedList) -> Option<(CountedList, u32)> {
        let (&last, others) = list.rules.split_last()?;
        let mut captured = list.counts.chunks_exact(self.n_classes()).rev();
        let is_default_empty = !is_captured(captured.next()?);
        (is_default_empty && is_captured(captured.next()?)).then(|| (self.count(others.to_vec()), last))
    }

    /// The list `rules` without empty rules, and without those whose removal, one after the other, raises the log
    /// posterior, the most costly one first. The default rule has rows unless there are none.
    pub fn pruned(&self, rules: &[u32]) -> CountedList {
        let mut list = self.without_empty(&self.count(rules.to_vec()));
        while let Some(better) = self.best_removal(&list) {
            list = better;
        }
        self.with_last_as_default(&list).map_or(list, |(shorter, _)| shorter)
    }

    fn best_removal(&self, list: &CountedList) -> Option<CountedList> {
        let without = |position: usize| {
            let (before, after) = list.rules.split_at(position);
            self.count([before, &after[1..]].concat())
        };
        (0..list.rules.len())
            .map(without)
            .filter(|shorter| shorter.score.log_posterior() > list.score.log_posterior() + MIN_GAIN)
            .max_by(|one, other| one.score.log_posterior().total_cmp(&other.score.log_posterior()))
    }
}

fn is_captured(counts: &[u64]) -> bool {
    counts.iter().any(|&n| n > 0)
}
