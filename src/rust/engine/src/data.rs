//! Labelled rows: which class each row has and where its bit lies.

use crate::bitset::kernel::Kernel;
use crate::error::Error;

/// Rows ordered by class. Each class begins at a whole word, so that counts per class are counts of whole words; the
/// bits that fill up a class's last word belong to no row and stay 0 everywhere.
#[derive(Debug, Clone)]
pub struct Rows {
    positions: Vec<u32>,
    class_counts: Vec<u32>,
    ends: Vec<usize>,
    kernel: Kernel,
}

impl Rows {
    /// `labels[i]` is the class of row `i`, from 0.
    pub fn new(labels: &[u32], n_classes: usize) -> Result<Self, Error> {
        // positions are 32 bit, and filling up takes at most one word per class
        if labels.len() > (u32::MAX / 2) as usize || n_classes == 0 || n_classes > 1 << 16 {
            return Err(Error::Data(format!(
                "{} rows in {n_classes} classes are more than the engine takes.",
                labels.len()
            )));
        }
        let mut class_counts = vec![0u32; n_classes];
        for &label in labels {
            let count = class_counts.get_mut(label as usize);
            *count.ok_or_else(|| Error::Data(format!("Class {label} is not one of {n_classes}.")))? += 1;
        }
        let mut ends = Vec::with_capacity(n_classes);
        let mut next = Vec::with_capacity(n_classes);
        let mut words = 0usize;
        for &count in &class_counts {
            next.push((words * 64) as u32);
            words += (count as usize).div_ceil(64);
            ends.push(words);
        }
        let place = |&label: &u32| {
            let position = &mut next[label as usize];
            *position += 1;
            *position - 1
        };
        let positions = labels.iter().map(place).collect();
        Ok(Rows { positions, class_counts, ends, kernel: Kernel::choose(words) })
    }

    pub fn n_rows(&self) -> usize {
        self.positions.len()
    }

    pub fn n_classes(&self) -> usize {
        self.class_counts.len()
    }

    pub fn class_counts(&self) -> &[u32] {
        &self.class_counts
    }

    pub fn n_words(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    /// Where each class's words end.
    pub fn ends(&self) -> &[usize] {
        &self.ends
    }

    /// The kernel that counts fastest on columns of this length.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// The bit of each row, in row order.
    pub fn positions(&self) -> &[u32] {
        &self.positions
    }

    /// A column with the bit of every row set.
    pub fn all(&self) -> Vec<u64> {
        let mut words = vec![0u64; self.n_words()];
        for &position in &self.positions {
            words[position as usize / 64] |= 1 << (position % 64);
        }
        words
    }

    /// Rows of `words` per class.
    pub fn count(&self, words: &[u64]) -> Vec<u32> {
        let mut counts = vec![0; self.n_classes()];
        self.kernel.count(words, &self.ends, &mut counts);
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_begin_at_whole_words() {
        let labels: Vec<u32> = (0..130).map(|i| u32::from(i % 2 == 0)).collect();
        let rows = Rows::new(&labels, 3).unwrap();
        assert_eq!(rows.ends(), [2, 4, 4]);
        assert_eq!(rows.class_counts(), [65, 65, 0]);
        assert_eq!(rows.positions()[0], 128);
        assert_eq!(rows.positions()[1], 0);
        assert_eq!(rows.count(&rows.all()), [65, 65, 0]);
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
}
