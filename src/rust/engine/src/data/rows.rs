//! Rows with labels, as positions of bits.

use crate::bitset::bit_sliced::{BitSlicedWeights, RowWeight, UnitWeight};
use crate::bitset::blocks::{Blocks, WORDS_PER_BLOCK};
use crate::bitset::kernel::Kernel;
use crate::bitset::row_selection::RowSelection;
use crate::bitset::set_bits;
use crate::control::Control;
use crate::error::Error;
use crate::memory;
use std::sync::Arc;

/// Rows processed between two checks of the control.
const ROWS_PER_CHECK: usize = 1 << 17;

/// Rows ordered by class. Each class begins with a new block, so that class counts are counts of whole words; the unused bits
/// of a class's last block are 0 in all columns. Clones share the large parts.
#[derive(Debug, Clone)]
pub struct Rows {
    n_rows: usize,
    /// Empty if the rows came class by class.
    pub(super) positions: Arc<Vec<u32>>,
    /// A column with the bits of all rows set.
    all: Arc<Vec<u64>>,
    /// Rows, or their weight in units, by class.
    pub(super) class_counts: Vec<u64>,
    pub(super) ends: Vec<usize>,
    blocks: Blocks,
    kernel: Kernel,
    /// Weights in units; `None` if each row counts one.
    pub(super) weights: Option<Arc<BitSlicedWeights>>,
    pub(super) unit: f64,
}

impl Rows {
    /// `labels[i]` is the class of row `i`, from 0.
    pub fn new(labels: &[u32], n_classes: usize) -> Result<Self, Error> {
        Rows::arranged(labels, n_classes, 0..labels.len() as u32, &Control::default())
    }

    /// The same with the rows of each class in the order of `order`, a permutation of all rows. Counts do not depend on it, but
    /// are faster if similar rows are neighbours.
    pub fn arranged(
        labels: &[u32],
        n_classes: usize,
        mut order: impl Iterator<Item = u32>,
        control: &Control,
    ) -> Result<Self, Error> {
        check_size(labels.len(), n_classes)?;
        let mut class_counts = vec![0u64; n_classes];
        for &label in labels {
            let count = class_counts.get_mut(label as usize);
            *count.ok_or_else(|| Error::Data(format!("Class {label} is not one of {n_classes}.")))? += 1;
        }
        let (mut next, ends) = segments(&class_counts);
        let mut positions = memory::filled(0u32, labels.len())?;
        for _ in (0..labels.len()).step_by(ROWS_PER_CHECK) {
            control.check_unfinished()?;
            for row in order.by_ref().take(ROWS_PER_CHECK) {
                let position = &mut next[labels[row as usize] as usize];
                positions[row as usize] = *position;
                *position += 1;
            }
        }
        let mut all = memory::filled(0u64, ends.last().copied().unwrap_or(0))?;
        for positions in positions.chunks(ROWS_PER_CHECK) {
            control.check_unfinished()?;
            for &position in positions {
                all[position as usize / 64] |= 1 << (position % 64);
            }
        }
        Ok(Rows::of_parts(positions, all, class_counts, ends, labels.len()))
    }

    /// Rows that come class by class, `counts[k]` of class `k`: their bits are in the same order, each class beginning with a
    /// new block.
    pub fn by_class(counts: &[u64]) -> Result<Self, Error> {
        let n_rows = counts.iter().fold(0u64, |sum, &count| sum.saturating_add(count));
        let n_rows = usize::try_from(n_rows).unwrap_or(usize::MAX);
        check_size(n_rows, counts.len())?;
        let (_, ends) = segments(counts);
        let mut all = memory::filled(0u64, ends.last().copied().unwrap_or(0))?;
        let mut start = 0;
        for (&count, &end) in counts.iter().zip(&ends) {
            let n_full = count as usize / 64;
            all[start..start + n_full].fill(u64::MAX);
            if count % 64 > 0 {
                all[start + n_full] = (1 << (count % 64)) - 1;
            }
            start = end;
        }
        Ok(Rows::of_parts(Vec::new(), all, counts.to_vec(), ends, n_rows))
    }

    fn of_parts(
        positions: Vec<u32>,
        all: Vec<u64>,
        class_counts: Vec<u64>,
        ends: Vec<usize>,
        n_rows: usize,
    ) -> Self {
        let blocks = Blocks::new(&ends);
        let kernel = Kernel::choose(all.len());
        let (positions, all) = (Arc::new(positions), Arc::new(all));
        Rows { n_rows, positions, all, class_counts, ends, blocks, kernel, weights: None, unit: 1.0 }
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Number of classes.
    pub fn n_classes(&self) -> usize {
        self.class_counts.len()
    }

    /// Rows by class; for weighted rows, their weight in units.
    pub fn class_counts(&self) -> &[u64] {
        &self.class_counts
    }

    /// The weight of one unit.
    pub fn unit(&self) -> f64 {
        self.unit
    }

    /// Words of a column.
    pub fn n_words(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    /// By class, the word before which it ends.
    pub fn ends(&self) -> &[usize] {
        &self.ends
    }

    /// How words are grouped into blocks.
    pub(crate) fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// Rows of `a & b` by class.
    #[inline]
    pub fn count_and(&self, a: &[u64], b: &[u64], out: &mut [u64]) {
        match self.weights() {
            None => self.kernel.count_and(a, b, &self.ends, UnitWeight, out),
            Some(weights) => self.kernel.count_and(a, b, &self.ends, weights, out),
        }
    }

    /// Rows of `a & b` by class, for each column `b` in `columns`; their counts one after the other.
    pub(crate) fn count_each(&self, a: &[u64], columns: &[u64], out: &mut [u64]) {
        match self.weights() {
            None => self.kernel.count_and_each(a, columns, &self.ends, UnitWeight, out),
            Some(weights) => self.kernel.count_and_each(a, columns, &self.ends, weights, out),
        }
    }

    /// The same rows in other classes, `groups[i]` being that of the row at the i-th position in use: counts by group cost what
    /// counts by class cost.
    pub(crate) fn regrouped(
        &self,
        groups: &[u32],
        n_groups: usize,
        control: &Control,
    ) -> Result<Rows, Error> {
        let mut rows = Rows::arranged(groups, n_groups, 0..groups.len() as u32, control)?;
        rows.unit = self.unit;
        if self.weights.is_some() {
            let positions = Arc::clone(&rows.positions);
            let units = memory::collect(self.used_positions().map(|position| self.weight(position)))?;
            let of_rows = positions.iter().zip(groups).zip(units);
            rows.set_units(
                of_rows.map(|((&position, &group), units)| (position as usize, group as usize, units)),
                self.unit,
            )?;
        }
        Ok(rows)
    }

    /// The same rows, each `n` classes that follow one another being one class.
    pub(crate) fn merged(&self, n: usize) -> Rows {
        let ends: Vec<usize> = self.ends.iter().copied().skip(n - 1).step_by(n).collect();
        let class_counts = self.class_counts.chunks_exact(n).map(|counts| counts.iter().sum()).collect();
        Rows { blocks: Blocks::new(&ends), ends, class_counts, ..self.clone() }
    }

    /// The positions of all rows, in increasing order.
    pub(crate) fn used_positions(&self) -> impl Iterator<Item = u32> + '_ {
        let words = self.all.iter().enumerate();
        words.flat_map(|(word, &bits)| set_bits(bits).map(move |bit| (word * 64 + bit) as u32))
    }

    /// What the row at this position counts, in units.
    pub(crate) fn weight(&self, position: u32) -> u64 {
        let weigh = |weights: &BitSlicedWeights| weights.weigh(position as usize / 64, 1 << (position % 64));
        self.weights().map_or(1, weigh)
    }

    /// Weights in units; `None` if each row counts one.
    pub(crate) fn weights(&self) -> Option<&BitSlicedWeights> {
        self.weights.as_deref()
    }

    /// Only the rows in `kept`, and how to restrict columns to them.
    pub(crate) fn only(&self, kept: &[u64], control: &Control) -> Result<(Rows, RowSelection), Error> {
        let selection = RowSelection::new(kept, &self.ends);
        let (mut labels, mut units) = (Vec::new(), Vec::new());
        let mut class = 0;
        for (word, &kept) in kept.iter().enumerate() {
            if word % (ROWS_PER_CHECK / 64) == 0 {
                control.check_unfinished()?;
            }
            class += self.ends[class..].iter().take_while(|&&end| end <= word).count();
            for bit in set_bits(kept) {
                memory::push(&mut labels, class as u32)?;
                if let Some(weights) = self.weights() {
                    memory::push(&mut units, weights.weigh(word, 1 << bit))?;
                }
            }
        }
        let order = 0..labels.len() as u32;
        let mut rows = Rows::arranged(&labels, self.n_classes(), order, control)?;
        if self.weights.is_some() {
            let positions = Arc::clone(&rows.positions);
            let of_rows = positions.iter().zip(&labels).zip(&units);
            rows.set_units(
                of_rows.map(|((&position, &label), &units)| (position as usize, label as usize, units)),
                self.unit,
            )?;
        }
        Ok((rows, selection))
    }

    /// The position of each row's bit, in row order.
    pub fn positions(&self) -> &[u32] {
        &self.positions
    }

    /// A column with the bits of all rows set.
    pub fn all(&self) -> &[u64] {
        &self.all
    }

    /// Rows of `words` by class.
    pub fn count(&self, words: &[u64]) -> Vec<u64> {
        let mut counts = vec![0; self.n_classes()];
        self.count_and(words, words, &mut counts);
        counts
    }
}

/// Positions have 32 bits, and padding takes at most one block per class.
fn check_size(n_rows: usize, n_classes: usize) -> Result<(), Error> {
    if n_rows > (u32::MAX / 2) as usize || n_classes == 0 || n_classes > 1 << 16 {
        let message = format!("{n_rows} rows in {n_classes} classes are more than the engine takes.");
        return Err(Error::Data(message));
    }
    Ok(())
}

/// By class, the first bit and the word before which the class ends.
fn segments(class_counts: &[u64]) -> (Vec<u32>, Vec<usize>) {
    let mut words = 0;
    let segment = |&count: &u64| {
        let start = (words * 64) as u32;
        words += (count as usize).div_ceil(64 * WORDS_PER_BLOCK) * WORDS_PER_BLOCK;
        (start, words)
    };
    class_counts.iter().map(segment).unzip()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_class_begins_with_a_new_block() {
        let labels: Vec<u32> = (0..130).map(|i| u32::from(i % 2 == 0)).collect();
        let rows = Rows::new(&labels, 3).unwrap();
        assert_eq!(rows.ends(), [4, 8, 8]);
        assert_eq!(rows.class_counts(), [65, 65, 0]);
        assert_eq!(rows.positions()[0], 256);
        assert_eq!(rows.positions()[1], 0);
        assert_eq!(rows.count(rows.all()), [65, 65, 0]);
    }

    #[test]
    fn each_row_has_its_own_position() {
        let labels: Vec<u32> = (0..1000).map(|i| (i * i % 7 % 3) as u32).collect();
        let rows = Rows::new(&labels, 3).unwrap();
        let mut positions = rows.positions().to_vec();
        positions.sort_unstable();
        positions.dedup();
        assert_eq!(positions.len(), 1000);
    }

    #[test]
    fn labels_outside_the_classes_are_refused() {
        assert!(matches!(Rows::new(&[0, 2], 2), Err(Error::Data(_))));
        assert!(matches!(Rows::new(&[], 0), Err(Error::Data(_))));
        assert_eq!(Rows::new(&[], 2).unwrap().n_words(), 0);
    }

    #[test]
    fn rows_that_come_class_by_class_are_those_of_their_labels() {
        for counts in [[300u64, 0, 64], [1, 700, 256], [0, 0, 5]] {
            let labels: Vec<u32> = (0..3).flat_map(|k| vec![k; counts[k as usize] as usize]).collect();
            let weights: Vec<f64> = (0..labels.len()).map(|i| (i % 5 + 1) as f64).collect();
            let mut split: Vec<Vec<f64>> = vec![Vec::new(); 3];
            labels.iter().zip(&weights).for_each(|(&label, &weight)| split[label as usize].push(weight));
            let (one, other) = (Rows::new(&labels, 3).unwrap(), Rows::by_class(&counts).unwrap());
            assert_eq!((one.all(), one.ends(), one.n_rows()), (other.all(), other.ends(), other.n_rows()));
            let one = one.with_weights(&labels, &weights).unwrap();
            let other = other.with_weights_by_class(&split).unwrap();
            assert_eq!((one.class_counts(), one.unit()), (other.class_counts(), other.unit()));
            let half: Vec<u64> = one.all().iter().map(|word| word & 0x5555_5555_5555_5555).collect();
            assert_eq!(one.count(&half), other.count(&half));
        }
        let rows = Rows::by_class(&[1, 2]).unwrap();
        assert!(rows.clone().with_weights_by_class(&[vec![1.0], vec![1.0]]).is_err());
        assert!(rows.with_weights_by_class(&[vec![1.0], vec![1.0, 0.0]]).is_err());
        assert!(Rows::by_class(&[u64::MAX, 2]).is_err());
    }
}
