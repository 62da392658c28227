//! The engine of sbrl: Scalable Bayesian Rule Lists without R.
//!
//! Data flows one way. `data` orders labelled rows by class, so that counting per class is counting bits in neighbouring
//! words, and `row_order` puts alike rows side by side; `column` reads columns in place; `binarise` turns them into one bit
//! column per item; `mine` finds the candidate antecedents;
//! `posterior` scores rule lists of them; `bounds` holds the two theorems of Yang, Rudin and Seltzer; `search` runs
//! the Markov chains and polishes the best list; `predict` and `export` serve the fitted model.
//!
//! The engine never prints, touches a file or keeps a global; it reads a clock only where a time limit is set. Random numbers come from one seed, and the
//! answer is the same for any number of threads. Everything that can be refused is an [`error::Error`].

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod binarise;
pub mod bitset;
pub mod bounds;
pub mod column;
pub mod control;
pub mod cuts;
pub mod data;
pub mod error;
pub mod export;
pub mod memory;
pub mod mine;
pub mod model;
#[cfg(any(test, feature = "naive"))]
pub mod naive;
pub mod parallel;
pub mod posterior;
pub mod predict;
mod radix;
pub mod rng;
pub mod row_order;
pub mod search;
#[cfg(any(test, feature = "naive"))]
pub mod testing;
