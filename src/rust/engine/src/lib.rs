//! The engine of sbrl: Scalable Bayesian Rule Lists (Yang, Rudin and Seltzer, 2017), without R.
//!
//! Data flows one way. `data` orders labelled rows by class, so that a count per class is a count of bits in neighbouring
//! words; `row_order` places similar rows next to each other; `column` reads columns in place; `cuts` finds cut points;
//! `trees` predicts rows that it has not seen, for lists that are taught; `binarise` makes one bit column per item; `mine` finds the candidates; `leaf` knows what captured rows are worth;
//! `posterior` scores lists of candidates; `bounds` has the two theorems of the paper; `search` samples and optimises rule
//! lists; `predict` and `export` use the fitted list.
//!
//! ```
//! use sbrl_engine::binarise::item_bits;
//! use sbrl_engine::column::InputColumn;
//! use sbrl_engine::control::Control;
//! use sbrl_engine::data::Rows;
//! use sbrl_engine::mine::{mine, Items, MiningLimits};
//! use sbrl_engine::model::{Antecedents, Item};
//! use sbrl_engine::hyperparameters::Hyperparameters;
//! use sbrl_engine::predict::capturing_rules;
//! use sbrl_engine::search::{search, AmongEquals, Method, Problem, Settings};
//!
//! # fn main() -> Result<(), sbrl_engine::error::Error> {
//! // one feature with the levels 1 and 2, which decides the label of 40 rows
//! let colour: Vec<i32> = (0..40).map(|row| 1 + row % 2).collect();
//! let labels: Vec<u32> = colour.iter().map(|&code| u32::from(code == 2)).collect();
//! let columns = [InputColumn::of_codes(&colour)];
//! let conditions = vec![Item::range(0, 1, 1)?, Item::range(0, 2, 2)?];
//! let names = vec!["colour=red".to_string(), "colour=blue".to_string()];
//!
//! let control = Control::default();
//! let rows = Rows::new(&labels, 2)?;
//! let bits = item_bits(&rows, &columns, &conditions, 1, &control)?;
//! let items = Items::new(conditions.clone(), names, bits)?;
//! let limits =
//!     MiningLimits { min_items: 1, max_items: 2, supports: vec![0.1; 2], max_candidates: 1000, target: None, joins_feature: true };
//! let pool = mine(rows, &items, &limits, 1, &control)?;
//! assert_eq!(pool.name(0), "{colour=blue}");
//!
//! let hyperparameters = Hyperparameters { lambda: 1.0, eta: 1.0, alpha: vec![1.0, 1.0] };
//! let problem = Problem::new(pool, &hyperparameters)?;
//! let settings = Settings { method: Method::Mcmc, n_chains: 2, iterations: 1000, seed: 1, threads: 1, among_equals: AmongEquals::Found };
//! let found = search(&problem, &settings, &control)?;
//! assert_eq!(found.best.rules.len(), 1);
//!
//! let mut rules = Antecedents::default();
//! for &rule in &found.best.rules {
//!     rules.push(problem.pool.antecedents.get(rule as usize))?;
//! }
//! let captured = capturing_rules(&columns, &conditions, &rules, &[false], colour.len(), &control)?;
//! assert_eq!(captured.rule.iter().filter(|&&rule| rule == 1).count(), 20);
//! # Ok(())
//! # }
//! ```
//!
//! The engine prints nothing and opens no file. It reads the clock only if there is a deadline, and to time a proof, and its only global is a
//! constant table of logarithms. All random numbers derive from one seed, and results do not depend on the number of threads.
//! Refused input and work that ends early are an [`error::Error`].

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]
#![warn(missing_docs)]

// Public for the fuzz targets and benches only; otherwise the compiler reports what nobody calls.
#[cfg(not(feature = "naive"))]
mod bitset;
#[cfg(feature = "naive")]
pub mod bitset;
#[cfg(not(feature = "naive"))]
mod rng;
#[cfg(feature = "naive")]
pub mod rng;

pub mod binarise;
pub mod bounds;
pub mod column;
pub mod control;
pub mod cuts;
pub mod data;
pub mod error;
pub mod export;
pub mod hyperparameters;
pub mod leaf;
pub mod memory;
pub mod mine;
pub mod model;
#[cfg(any(test, feature = "naive"))]
pub mod naive;
pub mod parallel;
pub mod posterior;
pub mod predict;
pub mod prior;
mod radix;
pub mod ragged;
pub mod row_order;
pub mod row_wise;
pub mod search;
#[cfg(any(test, feature = "naive"))]
pub mod testing;
pub mod trees;
