//! Searches for the best list. Their states are not draws from the posterior.

pub mod annealing;
mod limit;
pub mod local_search;
pub mod polish;
pub mod population;
pub mod reanneal;
pub mod two_step;
