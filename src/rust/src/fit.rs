//! A fit from columns to the best list.

use crate::job::Plan;
use sbrl_engine::binarise::item_bits;
use sbrl_engine::column::InputColumn;
use sbrl_engine::control::{Control, Phase};
use sbrl_engine::data::Rows;
use sbrl_engine::error::Error;
use sbrl_engine::mine::{mine, Items, Limits, Pool};
use sbrl_engine::model::Item;
use sbrl_engine::posterior::Hyperparameters;
use sbrl_engine::row_order::cluster_rows;
use sbrl_engine::search::{search, Outcome, Problem, Settings};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// R waits for a fit without looking up for no longer than this, and only for one of at most so many words and cells to be
/// read: about a quarter of that time. For those, starting a thread and waking up R would take a good part of the whole.
const AT_ONCE: Duration = Duration::from_millis(100);
const LITTLE: u64 = 12_000_000;
const FEW_CELLS: usize = 1 << 21;

/// A fit with a time limit below this is never done at once.
const SHORT_LIMIT: Duration = Duration::from_secs(1);

/// Up to so many rows are too few for their order to matter.
const FEW_ROWS: usize = 2048;

/// Labels of the rows, from 0, and their weights.
pub struct Target {
    pub labels: Vec<u32>,
    pub n_classes: usize,
    pub weights: Option<Vec<f64>>,
}

impl Target {
    /// Labelled rows, those that are alike in `columns` side by side.
    pub fn rows(&self, columns: &[InputColumn], control: &Control) -> Result<Rows, Error> {
        let (labels, n_classes) = (&self.labels, self.n_classes);
        let rows = if labels.len() <= FEW_ROWS {
            Rows::new(labels, n_classes)?
        } else {
            let order = cluster_rows(columns, labels, n_classes, control)?;
            Rows::arranged(labels, n_classes, order.into_iter(), control)?
        };
        match &self.weights {
            None => Ok(rows),
            Some(weights) => rows.with_weights(labels, weights),
        }
    }
}

/// All a fit needs.
pub struct Input {
    /// Read where they are: R keeps them.
    pub columns: Vec<InputColumn<'static>>,
    pub target: Target,
    pub items: Vec<Item>,
    pub item_names: Vec<String>,
    pub limits: Limits,
    pub hyperparameters: Hyperparameters,
    pub settings: Settings,
    /// Most rules in a list.
    pub max_length: usize,
    /// None for as long as it takes.
    pub time_limit: Option<Duration>,
}

impl Input {
    fn total_iterations(&self) -> u64 {
        self.settings.iterations.saturating_mul(self.settings.n_chains as u64)
    }

    fn is_little(&self) -> bool {
        let n_rows = self.target.labels.len();
        // an iteration has work besides the words; mining looks at pairs of items at least
        let words = n_rows as u64 / 64 + 16;
        let n_items = self.items.len() as u64;
        let times = self.total_iterations().saturating_add(n_items.saturating_mul(n_items));
        let is_hurried = self.time_limit.is_some_and(|limit| limit <= SHORT_LIMIT);
        let n_cells = n_rows.saturating_mul(self.columns.len());
        !is_hurried && n_cells <= FEW_CELLS && times.saturating_mul(words) <= LITTLE
    }

    /// A small fit is done at once, unless that takes longer than was thought.
    pub fn plan(&self) -> Plan {
        Plan {
            at_once: self.is_little().then(|| Control::with_deadline(Instant::now() + AT_ONCE)),
            on_thread: self.time_limit.map_or_else(Control::default, Control::with_time_limit),
            total_iterations: self.total_iterations(),
        }
    }

    pub fn fit(self, control: &Control) -> Result<Fit, Error> {
        let start = Instant::now();
        let rows = self.target.rows(&self.columns, control)?;
        // each part is let go of as soon as it is no longer needed
        drop(self.target);
        let threads = self.settings.threads;
        let columns = item_bits(&rows, &self.columns, &self.items, threads, control)?;
        let items = Items::new(self.items, self.item_names, columns)?;
        let read = Instant::now();
        control.enter(Phase::Mine);
        let pool = mine(&rows, &items, &self.limits, threads, control)?;
        let mined = Instant::now();
        drop((rows, items));
        let problem = Problem::prepare(pool, &self.hyperparameters, self.max_length, control)?;
        let outcome = search(&problem, &self.settings, control)?;
        let seconds = [read - start, mined - read, mined.elapsed()].map(|time| time.as_secs_f64());
        Ok(Fit { pool: problem.pool, outcome, seconds })
    }
}

/// What a fit gives.
pub struct Fit {
    pub pool: Arc<Pool>,
    pub outcome: Outcome,
    /// Read, mine, search.
    pub seconds: [f64; 3],
}
