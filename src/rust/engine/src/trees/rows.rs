//! The rows that trees learn from.

use crate::column::{InputColumn, Values};

/// A column as trees read it.
#[derive(Debug, Clone)]
pub enum TreeColumn<'a> {
    /// Numbers, to be divided at quantiles.
    Numbers(Values<'a>),
    /// Codes in an order that means something.
    Ordered(InputColumn<'a>),
    /// Codes in no order.
    Levels(InputColumn<'a>),
}

/// The rows that trees learn from.
#[derive(Debug)]
pub struct TreeRows<'a> {
    /// The features.
    pub columns: Vec<TreeColumn<'a>>,
    /// The class of each row.
    pub labels: &'a [u32],
    /// Number of classes.
    pub n_classes: usize,
    /// The weight of each row, above 0.
    pub weights: Option<&'a [f64]>,
    /// Rows of the same group are seen or not seen together.
    pub groups: Option<&'a [u32]>,
}

impl TreeColumn<'_> {
    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        match self {
            TreeColumn::Numbers(values) => values.len(),
            TreeColumn::Ordered(codes) | TreeColumn::Levels(codes) => codes.len(),
        }
    }
}
