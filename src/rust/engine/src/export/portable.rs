//! A fitted model as plain data.

use crate::hyperparameters::Hyperparameters;
use crate::model::{Antecedents, Item};

/// `format` and `format_version` of the files.
pub(super) const FORMAT: &str = "sbrl rule list";

/// The newest format that this version reads. R upgrades models of older ones, and chooses the format that is written: 2 as
/// long as it makes no sets of levels.
pub(super) const NEWEST_FORMAT: u64 = 3;

/// The first format in which an item may be a set of codes; else it is a range of them.
pub(super) const FORMAT_WITH_SETS: u64 = 3;

/// A feature of a fitted model.
#[derive(Debug, Clone, PartialEq)]
pub struct Feature {
    /// Its column name.
    pub name: String,
    /// R's name for its type.
    pub kind: String,
    /// Unit or time zone, or empty.
    pub unit: String,
    /// Levels of a factor, with codes from 1.
    pub levels: Vec<String>,
    /// Cut points of a number; its bins are numbered from 1.
    pub cuts: Vec<f64>,
}

impl Feature {
    /// The largest code of the feature.
    pub(super) fn n_codes(&self) -> usize {
        self.levels.len().max(self.cuts.len() + usize::from(!self.cuts.is_empty()))
    }
}

/// A list of candidates and its score.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Candidates, from 0, in list order.
    pub rules: Vec<u32>,
    /// Log prior, log likelihood, log posterior.
    pub score: [f64; 3],
}

/// Named columns of numbers; `None` is "not available".
pub type ReportTable = Vec<(String, Vec<Option<f64>>)>;

/// A fitted model: what predicting, printing and scoring need, and a report of the fit.
#[derive(Debug, Clone, PartialEq)]
pub struct Portable {
    /// Number of the format; R upgrades older ones.
    pub format: u64,
    /// Version of sbrl that fitted the model.
    pub package_version: String,
    /// Name of the label's column.
    pub label: String,
    /// The formula the model was fitted with, or empty.
    pub formula: String,
    /// The classes of the label.
    pub classes: Vec<String>,
    /// The features that items refer to.
    pub features: Vec<Feature>,
    /// Names of the columns left out of the model.
    pub dropped: Vec<String>,
    /// The items that candidates refer to.
    pub items: Vec<Item>,
    /// Their names.
    pub item_names: Vec<String>,
    /// The candidates.
    pub pool: Antecedents,
    /// Candidates, from 0, in list order.
    pub rules: Vec<u32>,
    /// One row of class counts per rule, the default last.
    pub counts: Vec<f64>,
    /// The same shape: class probabilities.
    pub probs: Vec<f64>,
    /// Hyperparameters of the model.
    pub hyperparameters: Hyperparameters,
    /// Rows of the base rate that are added to the counts of each rule for its probabilities, in place of alpha; 0 if they are
    /// not shrunk.
    pub shrinkage: f64,
    /// Log prior, log likelihood, log posterior.
    pub score: [f64; 3],
    /// The list as the search found it, with rules that captured no row.
    pub found: Found,
    /// What people call features, label and classes: names and texts.
    pub labels: Vec<(String, String)>,
    /// What a prediction does when a value that a rule needs is missing; R has the choices.
    pub missing: String,
    /// Training rows, or their weight, per class.
    pub class_counts: Vec<f64>,
    /// Named tables about the fit, such as one row per chain.
    pub report: Vec<(String, ReportTable)>,
}
