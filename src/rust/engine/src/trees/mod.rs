//! Class probabilities of the training rows from trees that have not seen them, for lists that learn from these instead of
//! labels.
//!
//! Two methods are averaged, because they err in different rows. *Boosted trees* of depth 3 are cross-fitted: the rows are
//! dealt into five folds, and the trees for the rows of a fold are grown on the others. A *forest* has deep trees on
//! bootstrap samples, and each row gets the mean over the trees whose sample does not contain it. Columns are divided into
//! bins once; a split is found from the sums of each bin (`grow`).
//!
//! Every tree has a random stream of its own, and sums are made in the order of rows and trees, so that the number of
//! threads does not matter. Nothing that reads labels, the order of levels included, has seen the rows that it predicts.

mod average;
mod bins;
mod boosted;
mod forest;
mod grow;
mod rows;
mod sample;
#[cfg(test)]
mod tests;

pub use average::{n_trees_grown, out_of_sample, OutOfSample};
pub use rows::{TreeColumn, TreeRows};
