//! The problem that a model was fitted to: its candidates on its training rows, without mining them again.

use crate::columns::read_target;
use crate::convert::{Arg, Read};
use crate::fit::TrainingLabels;
use sbrl_engine::binarise::item_bits;
use sbrl_engine::column::InputColumn;
use sbrl_engine::control::Control;
use sbrl_engine::error::Error;
use sbrl_engine::hyperparameters::Hyperparameters;
use sbrl_engine::mine::Pool;
use sbrl_engine::model::{Antecedents, Item};
use sbrl_engine::search::Problem;
use std::time::Duration;

/// Training rows and candidates as R has them.
pub struct KnownPool {
    columns: Vec<InputColumn<'static>>,
    target: TrainingLabels,
    items: Vec<Item>,
    antecedents: Antecedents,
    hyperparameters: Hyperparameters,
    max_length: usize,
    pub threads: usize,
    /// None if there is no limit.
    pub time_limit: Option<Duration>,
}

impl KnownPool {
    pub fn read(training: Arg<'static>, candidates: Arg, settings: Arg) -> Read<Self> {
        let items = training.field("items")?.items()?;
        let time_limit = settings.field("time_limit")?.number("time_limit")?;
        Ok(KnownPool {
            columns: training.field("columns")?.columns("columns")?,
            target: read_target(training)?,
            antecedents: candidates.antecedents(items.len())?,
            items,
            hyperparameters: settings.hyperparameters()?,
            max_length: settings.field("max_length")?.count("max_length")?,
            threads: settings.field("threads")?.threads()?,
            // an infinite number of seconds is not a duration
            time_limit: Duration::try_from_secs_f64(time_limit).ok(),
        })
    }

    pub fn n_candidates(&self) -> usize {
        self.antecedents.len()
    }

    /// The limit of time for a job about this problem.
    pub fn control(&self) -> Control {
        self.time_limit.map_or_else(Control::default, Control::with_time_limit)
    }

    pub fn problem(self, control: &Control) -> Result<Problem, Error> {
        let rows = self.target.rows(&self.columns, control)?;
        drop(self.target);
        let bits = item_bits(&rows, &self.columns, &self.items, self.threads, control)?;
        let covers = self.antecedents.covers(&rows, &bits)?;
        drop(bits);
        let pool = Pool::of(rows, self.antecedents, covers);
        Problem::prepare(pool, &self.hyperparameters, self.max_length, control)
    }
}
