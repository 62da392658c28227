//! The rows each candidate covers, their class counts, and how many covers differ, in one pass over the columns.

use crate::bitset::distinct::{count_distinct, hash};
use crate::bitset::{and_into, and_with, BitColumns};
use crate::control::Control;
use crate::data::Rows;
use crate::error::Error;
use crate::memory;
use crate::model::Antecedents;
use crate::parallel;

/// Candidates per task of a thread.
const CANDIDATES_PER_TASK: usize = 64;

/// Covers of less than this are not worth a question to the system.
const LARGE_COVERS: u64 = 1 << 30;

/// Check that the covers fit into the memory that is available, if that is known: nine tenths of it, because the search needs
/// some, too.
pub fn check_room(candidates: usize, n_words: usize, available: Option<u64>) -> Result<(), Error> {
    let cover = 8 * (n_words as u64).max(1);
    let bytes = cover.saturating_mul(candidates as u64);
    match available {
        Some(available) if bytes > LARGE_COVERS && bytes > available / 10 * 9 => {
            Err(Error::Covers { candidates, bytes, available, enough: available / 10 * 9 / cover })
        }
        _ => Ok(()),
    }
}

/// The covers of all candidates.
#[derive(Debug)]
pub struct CandidateCovers {
    /// One column per candidate.
    pub columns: BitColumns,
    /// Covered rows per candidate and class.
    pub counts: Vec<u64>,
    /// Number of different covers.
    pub n_distinct: usize,
}

impl CandidateCovers {
    /// `items` has one column per item.
    pub fn new(
        rows: &Rows,
        items: &BitColumns,
        antecedents: &Antecedents,
        threads: usize,
        control: &Control,
    ) -> Result<Self, Error> {
        let n_words = rows.n_words();
        let mut columns = BitColumns::zeroed_unless_ended(antecedents.len(), n_words, control)?;
        let mut targets = memory::collect(antecedents.iter().zip(columns.columns_mut()))?;
        let threads = parallel::threads_for(threads, n_words.saturating_mul(antecedents.len()));
        let parts =
            parallel::try_map(threads, memory::collect(targets.chunks_mut(CANDIDATES_PER_TASK))?, |batch| {
                let mut counts = Vec::with_capacity(batch.len() * rows.n_classes());
                let mut hashes = Vec::with_capacity(batch.len());
                for (antecedent, cover) in batch {
                    control.check_unfinished()?;
                    fill(cover, antecedent, items);
                    counts.extend(rows.count(cover));
                    hashes.push(hash(cover));
                }
                Ok::<(Vec<u64>, Vec<u64>), Error>((counts, hashes))
            })?;
        let mut counts = memory::with_capacity(antecedents.len() * rows.n_classes())?;
        let mut hashes = memory::with_capacity(antecedents.len())?;
        for (more_counts, more_hashes) in parts {
            counts.extend(more_counts);
            hashes.extend(more_hashes);
        }
        let n_distinct = count_distinct(&columns, &hashes, control)?;
        Ok(CandidateCovers { columns, counts, n_distinct })
    }
}

/// Write the rows that match all items of `antecedent` to `cover`.
fn fill(cover: &mut [u64], antecedent: &[u32], items: &BitColumns) {
    let column = |item: u32| items.column(item as usize);
    match antecedent {
        [] => {}
        [item] => cover.copy_from_slice(column(*item)),
        [first, second, more @ ..] => {
            and_into(column(*first), column(*second), cover);
            more.iter().for_each(|&item| and_with(cover, column(item)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covers_that_do_not_fit_are_refused_before_they_are_made() {
        let gigabyte = 1_000_000_000;
        // ten million rows
        let n_words = 156_250;
        assert_eq!(check_room(4000, n_words, None), Ok(()));
        assert_eq!(check_room(4000, n_words, Some(6 * gigabyte)), Ok(()));
        assert_eq!(check_room(10, 10, Some(0)), Ok(()));
        let error = check_room(4000, n_words, Some(5 * gigabyte)).unwrap_err();
        assert_eq!(error.kind(), "memory");
        let text = error.to_string();
        assert!(
            text.contains("4000 candidates with one bit for each row take 5.0 GB, and 5.0 GB are free"),
            "{text}"
        );
        assert!(text.contains("Set `target_rules = 3600` or less"), "{text}");
        assert_eq!(check_room(3600, n_words, Some(5 * gigabyte)), Ok(()));
        assert!(!cfg!(target_os = "linux") || memory::available().is_some_and(|bytes| bytes > 1 << 20));
    }
    use crate::rng::ChainRng;
    use crate::testing::random_source;
    use std::collections::HashSet;

    #[test]
    fn covers_and_counts_equal_those_made_one_by_one() {
        for seed in 0..60 {
            let source = random_source(&mut ChainRng::new(seed, 1));
            let (rows, items) = source.rows_and_items();
            let antecedents = &source.problem().pool.antecedents;
            let covers =
                CandidateCovers::new(&rows, items.columns(), antecedents, 2, &Control::default()).unwrap();
            let slow = antecedents.covers(&rows, items.columns()).unwrap();
            let mut different = HashSet::new();
            for index in 0..antecedents.len() {
                assert_eq!(covers.columns.column(index), slow.column(index));
                let n_classes = rows.n_classes();
                let counts = &covers.counts[index * n_classes..(index + 1) * n_classes];
                assert_eq!(counts, rows.count(slow.column(index)));
                different.insert(slow.column(index));
            }
            assert_eq!(covers.n_distinct, different.len());
        }
    }
}
