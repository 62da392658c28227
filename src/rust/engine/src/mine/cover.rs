//! The rows candidates cover, their class counts, and how many differ: all made in one pass over the columns.

use super::Items;
use crate::bitset::{and_into, and_with, BitColumns};
use crate::control::Control;
use crate::data::Rows;
use crate::error::Error;
use crate::memory;
use crate::model::Antecedents;
use crate::parallel;

/// Candidates a thread takes at a time.
const BATCH: usize = 64;

/// What the candidates cover.
#[derive(Debug)]
pub struct CandidateCovers {
    pub columns: BitColumns,
    /// Covered rows per candidate and class.
    pub counts: Vec<u64>,
    /// How many different sets of rows are covered.
    pub n_distinct: usize,
}

impl CandidateCovers {
    pub fn new(
        rows: &Rows,
        items: &Items,
        antecedents: &Antecedents,
        threads: usize,
        control: &Control,
    ) -> Result<Self, Error> {
        let n_words = rows.n_words();
        let mut columns = BitColumns::zeroed_unless_ended(antecedents.len(), n_words, control)?;
        let mut targets = memory::collect(antecedents.iter().zip(columns.columns_mut()))?;
        let threads = parallel::threads_for(threads, n_words.saturating_mul(antecedents.len()));
        let parts = parallel::try_map(threads, memory::collect(targets.chunks_mut(BATCH))?, |batch| {
            let mut counts = Vec::with_capacity(batch.len() * rows.n_classes());
            let mut hashes = Vec::with_capacity(batch.len());
            for (antecedent, cover) in batch {
                control.check_unfinished()?;
                fill(cover, antecedent, &items.columns);
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

/// The rows that have every item of the antecedent.
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

/// Covers that differ nearly always have different hashes. Four sums at a time keep the processor busy.
fn hash(words: &[u64]) -> u64 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let mix = |sum: u64, word: u64| (sum ^ word).wrapping_mul(ODD).rotate_left(29);
    let mut sums = [1u64, 2, 3, 4];
    let mut chunks = words.chunks_exact(4);
    for chunk in &mut chunks {
        for (sum, &word) in sums.iter_mut().zip(chunk) {
            *sum = mix(*sum, word);
        }
    }
    let rest = chunks.remainder().iter().fold(5, |sum, &word| mix(sum, word));
    sums.iter().fold(rest, |all, &sum| mix(all, sum))
}

/// Equal hashes only say where to look: the columns decide.
fn count_distinct(columns: &BitColumns, hashes: &[u64], control: &Control) -> Result<usize, Error> {
    let mut order = memory::collect(0..hashes.len() as u32)?;
    order.sort_unstable_by_key(|&index| hashes[index as usize]);
    let mut n_distinct = 0;
    let mut group: Vec<&[u64]> = Vec::new();
    let mut last = None;
    for index in order {
        control.check_unfinished()?;
        let hash = hashes[index as usize];
        if last.replace(hash) != Some(hash) {
            group.clear();
        }
        let column = columns.column(index as usize);
        if !group.contains(&column) {
            memory::push(&mut group, column)?;
            n_distinct += 1;
        }
    }
    Ok(n_distinct)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::ChainRng;
    use crate::testing::random_source;
    use std::collections::HashSet;

    #[test]
    fn covers_counts_and_differences_are_those_of_the_slow_ways() {
        for seed in 0..60 {
            let source = random_source(&mut ChainRng::new(seed, 1));
            let (rows, items) = source.rows_and_items();
            let antecedents = &source.problem().pool.antecedents;
            let covers = CandidateCovers::new(&rows, &items, antecedents, 2, &Control::default()).unwrap();
            let slow = antecedents.covers(&rows, &items.columns).unwrap();
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

    #[test]
    fn equal_hashes_do_not_make_columns_equal() {
        let mut columns = BitColumns::zeroed(5, 3).unwrap();
        for (index, word) in [(0, 7), (1, 8), (2, 7), (3, 8), (4, 9)] {
            columns.column_mut(index)[1] = word;
        }
        let control = Control::default();
        assert_eq!(count_distinct(&columns, &[1; 5], &control), Ok(3));
        assert_eq!(count_distinct(&columns, &[1, 2, 1, 2, 1], &control), Ok(3));
        control.cancel();
        assert_eq!(count_distinct(&columns, &[1; 5], &control), Err(Error::Cancelled));
    }
}
