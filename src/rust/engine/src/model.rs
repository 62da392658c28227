//! Items, antecedents, and the rows that the rules of a list capture.

mod item;

use crate::bitset::BitColumns;
use crate::data::Rows;
use crate::error::Error;
use crate::memory;
use crate::ragged::Ragged;

pub use item::Item;

/// A sequence of antecedents, each an increasing sequence of item indices.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Antecedents(Ragged);

impl Antecedents {
    /// From all item indices in sequence and the length of each antecedent. All indices must be below `n_items`.
    pub fn from_flat(items: &[u32], lengths: &[usize], n_items: usize) -> Result<Self, Error> {
        let Some(antecedents) = Ragged::from_flat(memory::copied(items)?, lengths)? else {
            return Err(Error::Data("The antecedents' lengths do not add up.".into()));
        };
        if lengths.contains(&0) {
            return Err(Error::Data("An antecedent is empty.".into()));
        }
        if let Some(item) = items.iter().find(|&&item| item as usize >= n_items) {
            return Err(Error::Data(format!("There is no item number {}.", item + 1)));
        }
        Ok(Antecedents(antecedents))
    }

    /// Append an antecedent.
    pub fn push(&mut self, items: &[u32]) -> Result<(), Error> {
        self.0.push(items)
    }

    /// Append all antecedents of `other`.
    pub(crate) fn append(&mut self, other: &Antecedents) -> Result<(), Error> {
        self.0.append(&other.0)
    }

    /// Number of antecedents.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no antecedents.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The items of antecedent `index`.
    pub fn get(&self, index: usize) -> &[u32] {
        self.0.get(index)
    }

    /// The items of each antecedent.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.0.iter()
    }

    /// All item indices in sequence.
    pub fn flat(&self) -> &[u32] {
        self.0.flat()
    }

    /// The items that occur, in increasing order, and the same antecedents as indices into them.
    pub fn used_items(&self) -> (Vec<u32>, Antecedents) {
        let mut used = self.flat().to_vec();
        used.sort_unstable();
        used.dedup();
        let antecedents = self.0.map(|item| used.partition_point(|other| other < item) as u32);
        (used, Antecedents(antecedents))
    }

    /// The rows each antecedent covers.
    pub fn covers(&self, rows: &Rows, items: &BitColumns) -> Result<BitColumns, Error> {
        let mut covers = BitColumns::zeroed(self.len(), rows.n_words())?;
        for (index, antecedent) in self.iter().enumerate() {
            let Some((&first, more)) = antecedent.split_first() else {
                continue;
            };
            covers.column_mut(index).copy_from_slice(items.column(first as usize));
            for &item in more {
                crate::bitset::and_with(covers.column_mut(index), items.column(item as usize));
            }
        }
        Ok(covers)
    }
}

/// The name of an antecedent, such as `{a=u,b=p}`.
pub(crate) fn antecedent_name(antecedent: &[u32], item_names: &[String]) -> String {
    let mut name = String::with_capacity(2 + 16 * antecedent.len());
    for (index, &item) in antecedent.iter().enumerate() {
        name.push(if index == 0 { '{' } else { ',' });
        name.push_str(&item_names[item as usize]);
    }
    name.push('}');
    name
}

/// Class counts of the rows each rule of a list captures, the default rule last: `n_classes` counts per rule.
pub fn captured_counts<'a>(rows: &Rows, covers: impl Iterator<Item = &'a [u64]>) -> Vec<u64> {
    let mut free = rows.all().to_vec();
    let mut counts = Vec::new();
    let mut captured = vec![0u64; rows.n_words()];
    for cover in covers {
        captured.fill(0);
        crate::bitset::move_covered(&mut free, cover, &mut captured);
        counts.extend(rows.count(&captured));
    }
    counts.extend(rows.count(&free));
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flat_antecedents_are_checked() {
        let good = Antecedents::from_flat(&[0, 1, 2], &[1, 2], 3).unwrap();
        assert_eq!(good.iter().collect::<Vec<_>>(), [&[0][..], &[1, 2]]);
        let mut twice = good.clone();
        twice.append(&good).unwrap();
        assert_eq!(twice.iter().collect::<Vec<_>>(), [&[0][..], &[1, 2], &[0], &[1, 2]]);
        for (items, lengths) in
            [(&[0, 1][..], &[1][..]), (&[0], &[1, 0]), (&[7], &[1]), (&[0], &[usize::MAX, 2])]
        {
            assert!(matches!(Antecedents::from_flat(items, lengths, 3), Err(Error::Data(_))));
        }
    }

    #[test]
    fn used_items_are_renumbered() {
        let list = Antecedents::from_flat(&[7, 2, 4, 7], &[1, 3], 9).unwrap();
        let (used, renumbered) = list.used_items();
        assert_eq!(used, [2, 4, 7]);
        assert_eq!(renumbered, Antecedents::from_flat(&[2, 0, 1, 2], &[1, 3], 3).unwrap());
    }

    #[test]
    fn names_are_joined_by_commas() {
        let names = ["a=u".to_string(), "b = p, q".to_string()];
        assert_eq!(antecedent_name(&[0, 1], &names), "{a=u,b = p, q}");
    }

    #[test]
    fn each_row_is_captured_once() {
        let rows = Rows::new(&[0, 1, 0, 1, 1], 2).unwrap();
        let mut covers = BitColumns::zeroed(2, rows.n_words()).unwrap();
        for row in [0, 1] {
            covers.set(0, rows.positions()[row] as usize);
        }
        for row in [1, 2, 3] {
            covers.set(1, rows.positions()[row] as usize);
        }
        let counts = captured_counts(&rows, (0..2).map(|i| covers.column(i)));
        assert_eq!(counts, [1, 1, 1, 1, 0, 1]);
    }
}
