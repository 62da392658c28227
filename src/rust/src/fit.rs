//! A fit from columns to the best list.

use crate::job::JobPlan;
use crate::row_stream::RowStream;
use crate::settings::FitSettings;
use sbrl_engine::binarise::{item_bits, BitColumns};
use sbrl_engine::column::InputColumn;
use sbrl_engine::control::{Control, Phase};
use sbrl_engine::data::Rows;
use sbrl_engine::error::Error;
use sbrl_engine::mine::{mine, Items, Pool};
use sbrl_engine::model::Item;
use sbrl_engine::row_order::cluster_rows;
use sbrl_engine::search::certify::{Certificate, ProofBudget};
use sbrl_engine::search::{
    among_equals, certify_list, search, search_until_settled, CountedList, Outcome, Problem,
};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A fit estimated to read at most `SMALL_WORDS` words and `SMALL_CELLS` cells runs inline, on R's own thread, for at most
/// `INLINE_LIMIT`, about four times as long as such a fit takes. Starting a thread and waking R up would cost as much again.
const INLINE_LIMIT: Duration = Duration::from_millis(100);
const SMALL_WORDS: u64 = 12_000_000;
const SMALL_CELLS: usize = 1 << 21;

/// A fit with a time limit of at most this never runs inline.
const SHORT_LIMIT: Duration = Duration::from_secs(1);

/// With at most this many rows, sorting them does not pay.
const UNSORTED_ROWS: usize = 2048;

/// Memory for a certificate that is part of a fit.
const CERTIFY_BYTES: usize = 2_000_000_000;

/// Labels of the rows, from 0, and their weights.
pub struct TrainingLabels {
    pub labels: Vec<u32>,
    pub n_classes: usize,
    pub weights: Option<Vec<f64>>,
}

impl TrainingLabels {
    /// Labelled rows, ordered so that rows with similar values in `columns` are neighbours.
    pub fn rows(&self, columns: &[InputColumn], control: &Control) -> Result<Rows, Error> {
        let (labels, n_classes) = (&self.labels, self.n_classes);
        let rows = if labels.len() <= UNSORTED_ROWS {
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

/// The training rows of a fit.
pub enum Data {
    /// Read in place; R keeps them alive.
    Columns { columns: Vec<InputColumn<'static>>, target: TrainingLabels },
    /// Rows that came in chunks; `is_reused` if a later fit needs them, too.
    Stream { rows: RowStream, is_reused: bool },
}

impl Data {
    fn n_rows(&self) -> usize {
        match self {
            Data::Columns { target, .. } => target.labels.len(),
            Data::Stream { rows, .. } => rows.n_rows(),
        }
    }

    fn n_cells(&self) -> usize {
        match self {
            Data::Columns { columns, .. } => self.n_rows().saturating_mul(columns.len()),
            Data::Stream { .. } => 0,
        }
    }

    /// The rows, and the bit columns of these items.
    fn bits(
        self,
        items: &[Item],
        threads: usize,
        control: &Control,
    ) -> Result<(Rows, Arc<BitColumns>), Error> {
        match self {
            Data::Columns { columns, target } => {
                let rows = target.rows(&columns, control)?;
                // freed as soon as it is no longer needed
                drop(target);
                let bits = item_bits(&rows, &columns, items, threads, control)?;
                Ok((rows, Arc::new(bits)))
            }
            Data::Stream { rows, is_reused: true } => rows.share(control),
            Data::Stream { rows, is_reused: false } => rows.take(control),
        }
    }
}

/// Everything a fit needs.
pub struct Input {
    pub data: Data,
    pub items: Vec<Item>,
    pub item_names: Vec<String>,
    /// How many words it takes to say each item.
    pub item_words: Vec<u32>,
    pub settings: FitSettings,
}

impl Input {
    /// 0 if that is not known: the search ends by itself.
    fn total_iterations(&self) -> u64 {
        let search = &self.settings.search;
        if self.settings.settle.is_some() {
            return 0;
        }
        search.iterations.saturating_mul(search.n_chains as u64)
    }

    fn is_small(&self) -> bool {
        if self.settings.settle.is_some() {
            return false;
        }
        let n_rows = self.data.n_rows();
        // an iteration also has work that is not reading words; mining reads all pairs of items at least
        let words = n_rows as u64 / 64 + 16;
        let n_items = self.items.len() as u64;
        let times = self.total_iterations().saturating_add(n_items.saturating_mul(n_items));
        let is_hurried = self.settings.time_limit.is_some_and(|limit| limit <= SHORT_LIMIT);
        !is_hurried && self.data.n_cells() <= SMALL_CELLS && times.saturating_mul(words) <= SMALL_WORDS
    }

    /// A small fit runs inline, unless it takes longer than estimated. Then it begins anew, and needs its rows again.
    pub fn plan(&mut self) -> JobPlan {
        if let (true, Data::Stream { is_reused, .. }) = (self.is_small(), &mut self.data) {
            *is_reused = true;
        }
        JobPlan {
            inline: self.is_small().then(|| Control::with_deadline(Instant::now() + INLINE_LIMIT)),
            on_thread: self.settings.time_limit.map_or_else(Control::default, Control::with_time_limit),
            total_iterations: self.total_iterations(),
        }
    }

    pub fn fit(self, control: &Control) -> Result<Fit, Error> {
        let start = Instant::now();
        let FitSettings {
            limits,
            hyperparameters,
            max_length,
            search: settings,
            settle,
            simplify,
            certify_nodes,
            ..
        } = &self.settings;
        let threads = settings.threads;
        let (rows, columns) = self.data.bits(&self.items, threads, control)?;
        let items = Items::new(self.items, self.item_names, columns)?;
        let read = Instant::now();
        control.enter(Phase::Mine);
        let mut pool = mine(rows, &items, limits, threads, control)?;
        pool.item_words = self.item_words;
        let mined = Instant::now();
        drop(items);
        let problem = Problem::prepare(pool, hyperparameters, *max_length, control)?;
        let mut outcome = match settle {
            None => search(&problem, settings, control)?,
            Some(plan) => search_until_settled(&problem, settings, plan, control)?,
        };
        let mut certificate = None;
        if *certify_nodes > 0 {
            let threads = settings.threads;
            let budget =
                ProofBudget { gap: 0.0, max_nodes: *certify_nodes, max_bytes: CERTIFY_BYTES, threads };
            let proved = certify_list(&problem, &outcome.best.rules, &budget, control)?;
            if proved.best.log_posterior > outcome.best.score.log_posterior() {
                let rules = among_equals(&problem, proved.best.rules.clone(), settings.among_equals, control);
                outcome.best = problem.count(rules);
                // what was known of the other list
                outcome.settled = None;
            }
            certificate = Some(proved);
        }
        let (list, else_rule) = simplify.apply(&problem, &outcome.best);
        let seconds = [read - start, mined - read, mined.elapsed()].map(|time| time.as_secs_f64());
        Ok(Fit { pool: problem.pool, list, else_rule, outcome, certificate, seconds })
    }
}

/// The result of a fit.
pub struct Fit {
    pub pool: Arc<Pool>,
    /// The list that is returned.
    pub list: CountedList,
    /// The candidate whose place the default rule took, if it did.
    pub else_rule: Option<u32>,
    pub outcome: Outcome,
    /// What is proved about it, if that was asked for.
    pub certificate: Option<Certificate>,
    /// Time to read, to mine and to search.
    pub seconds: [f64; 3],
}
