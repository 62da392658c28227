//! Named items and the rows that match them: the input of mining.

use crate::bitset::BitColumns;
use crate::error::Error;
use crate::model::Item;
use std::sync::Arc;

/// Items with their names and one bit column each.
#[derive(Debug, Clone)]
pub struct Items {
    items: Vec<Item>,
    names: Vec<String>,
    columns: Arc<BitColumns>,
}

impl Items {
    /// One name and one column per item.
    pub fn new(
        items: Vec<Item>,
        names: Vec<String>,
        columns: impl Into<Arc<BitColumns>>,
    ) -> Result<Self, Error> {
        let columns = columns.into();
        if names.len() != items.len() || columns.n_columns() != items.len() {
            return Err(Error::Data(format!(
                "{} items have {} names and {} columns.",
                items.len(),
                names.len(),
                columns.n_columns()
            )));
        }
        Ok(Items { items, names, columns })
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Item `index`.
    pub fn item(&self, index: u32) -> &Item {
        &self.items[index as usize]
    }

    /// The items.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Their names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// One bit column per item.
    pub fn columns(&self) -> &BitColumns {
        &self.columns
    }

    /// The rows that match item `index`.
    pub fn column(&self, index: u32) -> &[u64] {
        self.columns.column(index as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_columns_must_be_as_many_as_items() {
        let item = Item::range(0, 1, 1).unwrap();
        let columns = |n| BitColumns::zeroed(n, 4).unwrap();
        assert!(Items::new(vec![item.clone()], vec!["a".into()], columns(1)).is_ok());
        assert!(Items::new(vec![item.clone()], vec![], columns(1)).is_err());
        assert!(Items::new(vec![item], vec!["a".into()], columns(2)).is_err());
    }
}
