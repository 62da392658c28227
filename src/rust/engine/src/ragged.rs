//! Sequences of numbers of different lengths, one after another in one vector: the items of antecedents, the rules of lists.

use crate::error::Error;
use crate::memory;

/// Sequences of numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ragged {
    values: Vec<u32>,
    /// By sequence, the value before which it ends.
    ends: Vec<usize>,
}

impl Ragged {
    /// From the values of all sequences and their lengths; `None` if the lengths do not add up to the number of values.
    pub fn from_flat(values: Vec<u32>, lengths: &[usize]) -> Result<Option<Self>, Error> {
        let total = lengths.iter().try_fold(0usize, |sum, &n| sum.checked_add(n));
        if total != Some(values.len()) {
            return Ok(None);
        }
        let mut end = 0;
        let ends = lengths.iter().map(|&length| {
            end += length;
            end
        });
        Ok(Some(Ragged { ends: memory::collect(ends)?, values }))
    }

    /// Append a sequence.
    pub fn push(&mut self, values: &[u32]) -> Result<(), Error> {
        memory::extend_from_slice(&mut self.values, values)?;
        memory::push(&mut self.ends, self.values.len())
    }

    /// Append all sequences of `other`.
    pub fn append(&mut self, other: &Ragged) -> Result<(), Error> {
        let before = self.values.len();
        memory::extend_from_slice(&mut self.values, &other.values)?;
        memory::extend(&mut self.ends, other.ends.iter().map(|end| before + end))
    }

    /// Keep the first `n` sequences only.
    pub fn truncate(&mut self, n: usize) {
        self.ends.truncate(n);
        self.values.truncate(self.start(self.len()));
    }

    /// The same sequences with other values.
    pub fn map(&self, value: impl FnMut(&u32) -> u32) -> Ragged {
        Ragged { values: self.values.iter().map(value).collect(), ends: self.ends.clone() }
    }

    /// Number of sequences.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Number of values in the sequences before this one.
    pub fn start(&self, index: usize) -> usize {
        if index == 0 {
            0
        } else {
            self.ends[index - 1]
        }
    }

    /// A sequence.
    pub fn get(&self, index: usize) -> &[u32] {
        &self.values[self.start(index)..self.ends[index]]
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// The values of all, one after another.
    pub fn flat(&self) -> &[u32] {
        &self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_come_back_as_they_were_stored() {
        let mut all = Ragged::from_flat(vec![5, 6, 7], &[0, 2, 1]).unwrap().unwrap();
        assert_eq!(all.iter().collect::<Vec<_>>(), [&[][..], &[5, 6], &[7]]);
        all.push(&[8, 9]).unwrap();
        all.append(&all.clone()).unwrap();
        assert_eq!((all.len(), all.get(3), all.get(5), all.start(5)), (8, &[8, 9][..], &[5, 6][..], 5));
        all.truncate(4);
        assert_eq!(all.map(|value| value - 5).flat(), [0, 1, 2, 3, 4]);
        all.truncate(0);
        assert!(all.is_empty() && all.flat().is_empty());
    }

    #[test]
    fn lengths_must_add_up() {
        for lengths in [&[1][..], &[1, 2], &[usize::MAX, 3]] {
            assert!(Ragged::from_flat(vec![1, 2], lengths).unwrap().is_none());
        }
    }
}
