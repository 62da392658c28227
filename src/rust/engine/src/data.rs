//! Labelled rows: the class of each row and the position of its bit, and what rows weigh.

mod rows;
mod weights;

pub use rows::Rows;
