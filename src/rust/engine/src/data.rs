//! Labelled rows: which class each row has and where its bit lies.

use crate::bitset::bit_sliced::{BitSlicedWeights, RowWeight, UnitWeight};
use crate::bitset::blocks::{Blocks, WORDS_PER_BLOCK};
use crate::bitset::kernel::Kernel;
use crate::bitset::row_selection::RowSelection;
use crate::control::Control;
use crate::error::Error;
use crate::memory;
use std::sync::Arc;

/// Units that weights add up to at most: far within what a double holds exactly.
const LARGEST_TOTAL: f64 = (1u64 << 51) as f64;

/// Rows that are worked on between two looks at the flags.
const PER_LOOK: usize = 1 << 17;

/// Rows ordered by class. Each class begins at a whole block of words, so that counts per class are counts of whole words;
/// the bits that fill up a class's last block belong to no row and stay 0 everywhere. Copies share what is large.
#[derive(Debug, Clone)]
pub struct Rows {
    positions: Arc<Vec<u32>>,
    /// A column with the bit of every row set.
    all: Arc<Vec<u64>>,
    /// Rows of each class, or their weight in units.
    class_counts: Vec<u64>,
    ends: Vec<usize>,
    blocks: Blocks,
    kernel: Kernel,
    /// Weights in units; none if every row counts one.
    weights: Option<Arc<BitSlicedWeights>>,
    unit: f64,
}

impl Rows {
    /// `labels[i]` is the class of row `i`, from 0.
    pub fn new(labels: &[u32], n_classes: usize) -> Result<Self, Error> {
        Rows::arranged(labels, n_classes, 0..labels.len() as u32, &Control::default())
    }

    /// The same with the rows of each class in the order they have in `order`, which must name each row once. No count
    /// depends on it, but alike rows side by side are counted sooner.
    pub fn arranged(
        labels: &[u32],
        n_classes: usize,
        mut order: impl Iterator<Item = u32>,
        control: &Control,
    ) -> Result<Self, Error> {
        // positions are 32 bit, and filling up takes at most one block per class
        if labels.len() > (u32::MAX / 2) as usize || n_classes == 0 || n_classes > 1 << 16 {
            return Err(Error::Data(format!(
                "{} rows in {n_classes} classes are more than the engine takes.",
                labels.len()
            )));
        }
        let mut class_counts = vec![0u64; n_classes];
        for &label in labels {
            let count = class_counts.get_mut(label as usize);
            *count.ok_or_else(|| Error::Data(format!("Class {label} is not one of {n_classes}.")))? += 1;
        }
        let mut ends = Vec::with_capacity(n_classes);
        let mut next = Vec::with_capacity(n_classes);
        let mut words = 0usize;
        for &count in &class_counts {
            next.push((words * 64) as u32);
            words += (count as usize).div_ceil(64 * WORDS_PER_BLOCK) * WORDS_PER_BLOCK;
            ends.push(words);
        }
        let mut positions = memory::filled(0u32, labels.len())?;
        for _ in (0..labels.len()).step_by(PER_LOOK) {
            control.check_unfinished()?;
            for row in order.by_ref().take(PER_LOOK) {
                let position = &mut next[labels[row as usize] as usize];
                positions[row as usize] = *position;
                *position += 1;
            }
        }
        let mut all = memory::filled(0u64, words)?;
        for positions in positions.chunks(PER_LOOK) {
            control.check_unfinished()?;
            for &position in positions {
                all[position as usize / 64] |= 1 << (position % 64);
            }
        }
        let blocks = Blocks::new(&ends);
        let kernel = Kernel::choose(words);
        let (positions, all) = (Arc::new(positions), Arc::new(all));
        Ok(Rows { positions, all, class_counts, ends, blocks, kernel, weights: None, unit: 1.0 })
    }

    /// Rows that count `weights[i]` each, all positive. Weights become whole numbers of a unit, so that sums are exact and
    /// do not depend on their order: the unit is 1 if all are whole, else so small that rounding is in the last bits of the total.
    pub fn weighted(labels: &[u32], n_classes: usize, weights: &[f64]) -> Result<Self, Error> {
        Rows::new(labels, n_classes)?.with_weights(labels, weights)
    }

    /// These rows, which have the classes `labels`, with weights.
    pub fn with_weights(self, labels: &[u32], weights: &[f64]) -> Result<Self, Error> {
        let total: f64 = weights.iter().sum();
        let good = |&weight: &f64| weight > 0.0 && weight.is_finite();
        if weights.len() != labels.len() || !weights.iter().all(good) || total >= 1e300 {
            return Err(Error::Data("Weights must be positive numbers, one per row.".into()));
        }
        let mut rows = self;
        let whole = total <= LARGEST_TOTAL && weights.iter().all(|weight| weight.fract() == 0.0);
        rows.unit = if whole { 1.0 } else { (total / LARGEST_TOTAL).log2().ceil().exp2() };
        if weights.iter().any(|&weight| weight != 1.0) {
            let units = weights.iter().map(|weight| ((weight / rows.unit).round() as u64).max(1));
            rows.set_units(labels, &memory::collect(units)?, rows.unit)?;
        }
        Ok(rows)
    }

    pub fn n_rows(&self) -> usize {
        self.positions.len()
    }

    pub fn n_classes(&self) -> usize {
        self.class_counts.len()
    }

    /// Rows of each class; for weighted rows, their weight in units.
    pub fn class_counts(&self) -> &[u64] {
        &self.class_counts
    }

    /// What one unit of a count weighs.
    pub fn unit(&self) -> f64 {
        self.unit
    }

    pub fn n_words(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    /// Where each class's words end.
    pub fn ends(&self) -> &[usize] {
        &self.ends
    }

    /// How words are grouped in blocks.
    pub fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// Rows of `a & b` per class.
    #[inline]
    pub fn count_and(&self, a: &[u64], b: &[u64], out: &mut [u64]) {
        match self.weights() {
            None => self.kernel.count_and((a, b), &self.ends, UnitWeight, out),
            Some(weights) => self.kernel.count_and((a, b), &self.ends, weights, out),
        }
    }

    /// Weights in units; none if every row counts one.
    pub fn weights(&self) -> Option<&BitSlicedWeights> {
        self.weights.as_deref()
    }

    /// The rows in `kept` alone, and how columns become columns of theirs.
    pub fn only(&self, kept: &[u64], control: &Control) -> Result<(Rows, RowSelection), Error> {
        let selection = RowSelection::new(kept, &self.ends);
        let (mut labels, mut units) = (Vec::new(), Vec::new());
        let mut class = 0;
        for (word, &kept) in kept.iter().enumerate() {
            if word % (PER_LOOK / 64) == 0 {
                control.check_unfinished()?;
            }
            class += self.ends[class..].iter().take_while(|&&end| end <= word).count();
            for bit in (0..64).filter(|bit| kept >> bit & 1 == 1) {
                memory::push(&mut labels, class as u32)?;
                if let Some(weights) = self.weights() {
                    memory::push(&mut units, weights.weigh(word, 1 << bit))?;
                }
            }
        }
        let order = 0..labels.len() as u32;
        let mut rows = Rows::arranged(&labels, self.n_classes(), order, control)?;
        if self.weights.is_some() {
            rows.set_units(&labels, &units, self.unit)?;
        }
        Ok((rows, selection))
    }

    /// Rows count `units[i]` units each.
    fn set_units(&mut self, labels: &[u32], units: &[u64], unit: f64) -> Result<(), Error> {
        let mut by_bit = memory::filled(0u64, self.n_words() * 64)?;
        self.class_counts.fill(0);
        for ((&position, &label), &units) in self.positions.iter().zip(labels).zip(units) {
            by_bit[position as usize] = units;
            self.class_counts[label as usize] += units;
        }
        (self.weights, self.unit) = (Some(Arc::new(BitSlicedWeights::new(&by_bit)?)), unit);
        Ok(())
    }

    /// The bit of each row, in row order.
    pub fn positions(&self) -> &[u32] {
        &self.positions
    }

    /// A column with the bit of every row set.
    pub fn all(&self) -> &[u64] {
        &self.all
    }

    /// Rows of `words` per class.
    pub fn count(&self, words: &[u64]) -> Vec<u64> {
        let mut counts = vec![0; self.n_classes()];
        self.count_and(words, words, &mut counts);
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_begin_at_whole_blocks() {
        let labels: Vec<u32> = (0..130).map(|i| u32::from(i % 2 == 0)).collect();
        let rows = Rows::new(&labels, 3).unwrap();
        assert_eq!(rows.ends(), [4, 8, 8]);
        assert_eq!(rows.class_counts(), [65, 65, 0]);
        assert_eq!(rows.positions()[0], 256);
        assert_eq!(rows.positions()[1], 0);
        assert_eq!(rows.count(rows.all()), [65, 65, 0]);
    }

    #[test]
    fn every_row_has_a_place_of_its_own() {
        let labels: Vec<u32> = (0..1000).map(|i| (i * i % 7 % 3) as u32).collect();
        let rows = Rows::new(&labels, 3).unwrap();
        let mut places = rows.positions().to_vec();
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), 1000);
    }

    #[test]
    fn foreign_classes_are_refused() {
        assert!(matches!(Rows::new(&[0, 2], 2), Err(Error::Data(_))));
        assert!(matches!(Rows::new(&[], 0), Err(Error::Data(_))));
        assert_eq!(Rows::new(&[], 2).unwrap().n_words(), 0);
    }

    #[test]
    fn weights_are_whole_numbers_of_a_unit() {
        let whole = Rows::weighted(&[0, 1, 1], 2, &[2.0, 1.0, 5.0]).unwrap();
        assert_eq!((whole.unit(), whole.class_counts()), (1.0, &[2, 6][..]));
        assert_eq!(whole.count(whole.all()), [2, 6]);
        let parts = Rows::weighted(&[0, 1, 1], 2, &[0.1, 0.2, 1e-30]).unwrap();
        let weight = |class: usize| parts.class_counts()[class] as f64 * parts.unit();
        assert!((weight(0) - 0.1).abs() < 1e-14 && (weight(1) - 0.2).abs() < 1e-14);
        assert_eq!(parts.count(parts.all()), parts.class_counts());
        let large = Rows::weighted(&[0, 1], 2, &[1e200, 3e200]).unwrap();
        assert!((large.class_counts()[1] as f64 / large.class_counts()[0] as f64 - 3.0).abs() < 1e-12);
    }

    #[test]
    fn weights_that_are_none_are_refused() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e305] {
            assert!(Rows::weighted(&[0, 1], 2, &[1.0, bad]).is_err());
        }
        assert!(Rows::weighted(&[0, 1], 2, &[1.0]).is_err());
    }
}
