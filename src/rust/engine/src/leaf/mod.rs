//! What the rows of one leaf are worth: the marginal likelihood of a rule's rows, from sums over them.
//!
//! A rule list divides the rows into *leaves*, those that each rule captures and those of the default rule. What it says
//! about a leaf depends on a few sums over its rows, which are whole numbers (for classes: how many rows of each class), so
//! that they are exact in any order. The search adds and subtracts sums and asks a [`Leaf`] for their log marginal; it
//! needs to know nothing else about the outcome. [`LeafFamily`] has one member for each kind of outcome.
//!
//! # The contract
//!
//! 1. [`Leaf::log_marginal`] depends on nothing but the sums. Sums of 0 have the log marginal 0.
//! 2. If [`Leaf::stops_early`], log marginals are at most 0 and do not increase as rows are added. Scoring then ends as soon
//!    as a list cannot reach its threshold (`search/list/delta.rs`, `neighbourhood.rs`). A density that can exceed 1 is divided by
//!    its largest value for each row, and [`Leaf::offset`] gives back the constant; if there is no largest value, or it is
//!    not a function of the sums, the leaf does not stop early, and every list is scored to its end.
//! 3. What a family cannot offer it leaves at its default. Whoever needs a capability asks for it, and does without or refuses:
//!    without [`Leaf::two_classes`] the code for any sums runs, without [`LeafFamily::classes`] there are no certificates.
//!
//! # How to add a family
//!
//! 1. A file here with a struct that implements [`Leaf`], as in the example below (`rates.rs` is one, compiled for tests).
//! 2. A variant of [`LeafFamily`], and its line in [`LeafFamily::as_leaf`] and the two below it. The compiler names them.
//! 3. Rows: each sum is a segment of `data::Rows`. A row of several statistics is placed once in the segment of each, weighted
//!    by its value there.
//! 4. A slow twin on raw rows, with which tests compare scores, search, sampler and evidence as `engine/tests/leaves.rs` does.
//!
//! # Example: a leaf of counts
//!
//! Rows have events and a known exposure; the rate of events has a gamma prior with this shape and rate. The sums are the
//! exposure and the events.
//!
//! ```
//! use sbrl_engine::leaf::Leaf;
//! use statrs::function::gamma::ln_gamma;
//!
//! struct Rates {
//!     shape: f64,
//!     rate: f64,
//! }
//!
//! impl Leaf for Rates {
//!     fn n_sums(&self) -> usize {
//!         2
//!     }
//!
//!     fn log_marginal(&self, sums: &[u64]) -> f64 {
//!         let (exposure, events) = (sums[0] as f64, sums[1] as f64);
//!         ln_gamma(self.shape + events) - ln_gamma(self.shape) + self.shape * self.rate.ln()
//!             - (self.shape + events) * (self.rate + exposure).ln()
//!     }
//!
//!     // the posterior mean, by which lists can be ordered
//!     fn estimate(&self, _: usize, sums: &[u64]) -> f64 {
//!         (self.shape + sums[1] as f64) / (self.rate + sums[0] as f64)
//!     }
//! }
//!
//! let leaf = Rates { shape: 1.0, rate: 2.0 };
//! assert_eq!(leaf.log_marginal(&[0, 0]), 0.0);
//! // of rows with at most one event per unit of exposure the contract holds: more rows are worth less
//! assert!(leaf.log_marginal(&[10, 4]) < leaf.log_marginal(&[9, 4]));
//! assert!(leaf.log_marginal(&[10, 5]) < leaf.log_marginal(&[9, 4]));
//! // and it says nothing about bounds, so it has no certificates
//! assert!(leaf.log_maximum(&[10, 4]).is_none() && leaf.two_classes().is_none());
//! ```

mod classes;
mod contract;
pub mod counts;
mod family;
pub(crate) mod form;
mod rising;
mod two_classes;

#[cfg(any(test, feature = "naive"))]
mod rates;

pub(crate) use classes::max_log_likelihood;
pub use classes::{log_marginal, DirichletMultinomial};
pub use contract::Leaf;
pub use family::LeafFamily;
#[cfg(any(test, feature = "naive"))]
pub use rates::GammaRates;
pub(crate) use two_classes::TwoClassTables;
pub use two_classes::TwoClasses;
