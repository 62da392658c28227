//! Memory that runs out: every large request of the engine can be refused, and the memory of a search is estimated in advance.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use sbrl_engine::binarise::item_bits;
use sbrl_engine::column::InputColumn;
use sbrl_engine::control::Control;
use sbrl_engine::cuts::{cut_points, Method as Cutting, Target};
use sbrl_engine::data::Rows;
use sbrl_engine::error::Error;
use sbrl_engine::hyperparameters::Hyperparameters;
use sbrl_engine::mine::{mine, Items, MiningLimits, Pool};
use sbrl_engine::model::{Antecedents, Item};
use sbrl_engine::predict::capturing_rules;
use sbrl_engine::row_order::cluster_rows;
use sbrl_engine::search::certify::ProofBudget;
use sbrl_engine::search::memory_estimate::list_bytes;
use sbrl_engine::search::problem::table_bytes;
use sbrl_engine::search::{certify_list, search, AmongEquals, Method, Problem, Settings};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The system's allocator, which counts, and refuses one large request on demand.
struct Watched;

#[global_allocator]
static ALLOCATOR: Watched = Watched;

/// Requests of this size are large.
const LARGE: usize = 1 << 16;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
/// Requests of exactly this size do not count: those that only ask whether there is room.
static UNCOUNTED: AtomicUsize = AtomicUsize::new(usize::MAX);
static N_LARGE: AtomicUsize = AtomicUsize::new(0);
/// The large request that is refused, counted from 0.
static REFUSED: AtomicUsize = AtomicUsize::new(usize::MAX);

fn is_refused(size: usize) -> bool {
    if size < LARGE {
        return false;
    }
    N_LARGE.fetch_add(1, SeqCst) == REFUSED.load(SeqCst)
}

fn count(more: usize) {
    if more != UNCOUNTED.load(SeqCst) {
        PEAK.fetch_max(NOW.fetch_add(more, SeqCst) + more, SeqCst);
    }
}

fn discount(less: usize) {
    if less != UNCOUNTED.load(SeqCst) {
        NOW.fetch_sub(less, SeqCst);
    }
}

// SAFETY: all memory is the system allocator's, which keeps the promises
unsafe impl GlobalAlloc for Watched {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if is_refused(layout.size()) {
            return std::ptr::null_mut();
        }
        count(layout.size());
        // SAFETY: the caller keeps the promises
        unsafe { System.alloc(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if is_refused(size) {
            return std::ptr::null_mut();
        }
        // both may be there at one time
        count(size);
        discount(layout.size());
        // SAFETY: the caller keeps the promises
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        discount(layout.size());
        // SAFETY: the caller keeps the promises
        unsafe { System.dealloc(memory, layout) }
    }
}

/// Tests count for themselves, one at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// `work` again and again, with the first, the second, … large request refused, until none is.
fn refuse_each<T>(what: &str, work: impl Fn() -> Result<T, Error>) {
    for refused in 0.. {
        N_LARGE.store(0, SeqCst);
        REFUSED.store(refused, SeqCst);
        let result = work();
        REFUSED.store(usize::MAX, SeqCst);
        let n_large = N_LARGE.load(SeqCst);
        if n_large <= refused {
            assert!(result.is_ok(), "{what}: {:?}", result.err());
            assert!(refused > 0, "{what} asks for nothing large");
            return;
        }
        assert!(
            matches!(result, Ok(_) | Err(Error::Memory(_))),
            "{what}, request {refused}: {:?}",
            result.err()
        );
    }
}

/// The most that `work` takes on top of what is there, without the request that asks for so much room.
fn peak_of<T>(asked: usize, work: impl FnOnce() -> T) -> (T, usize) {
    UNCOUNTED.store(asked, SeqCst);
    let before = NOW.load(SeqCst);
    PEAK.store(before, SeqCst);
    let result = work();
    UNCOUNTED.store(usize::MAX, SeqCst);
    (result, PEAK.load(SeqCst).saturating_sub(before))
}

/// Columns of codes with their items and labels.
struct Table {
    data: Vec<Vec<i32>>,
    labels: Vec<u32>,
    weights: Vec<f64>,
    items: Vec<Item>,
}

impl Table {
    fn new(n_rows: usize, n_features: usize, n_levels: usize) -> Self {
        let code =
            |feature: usize, row: usize| (row * (2 * feature + 3) / (feature + 1) % n_levels) as i32 + 1;
        let item = |feature: usize, level: usize| {
            let code = level as i32 + 1;
            Item::range(feature as u32, code, code).unwrap()
        };
        Table {
            data: (0..n_features).map(|f| (0..n_rows).map(|row| code(f, row)).collect()).collect(),
            labels: (0..n_rows).map(|row| u32::from(row % 7 < 3 && row % 5 != 0)).collect(),
            weights: (0..n_rows).map(|row| 0.5 + (row % 4) as f64).collect(),
            items: (0..n_features).flat_map(|f| (0..n_levels).map(move |level| item(f, level))).collect(),
        }
    }

    fn columns(&self) -> Vec<InputColumn<'_>> {
        self.data.iter().map(|codes| InputColumn::of_codes(codes)).collect()
    }

    fn read(&self, weighted: bool) -> Result<(Rows, Items), Error> {
        let (labels, columns, control) = (&self.labels, self.columns(), Control::default());
        let order = cluster_rows(&columns, labels, 2, &control)?;
        let mut rows = Rows::arranged(labels, 2, order.into_iter(), &control)?;
        if weighted {
            rows = rows.with_weights(labels, &self.weights)?;
        }
        let name = |item: &Item| format!("x{}={:?}", item.feature, item.as_range());
        let names = self.items.iter().map(name).collect();
        let columns = item_bits(&rows, &columns, &self.items, 2, &control)?;
        Ok((rows, Items::new(self.items.clone(), names, columns)?))
    }
}

fn mined(rows: &Rows, items: &Items, max_items: usize) -> Result<Pool, Error> {
    let supports = vec![0.02, 0.02];
    let limits = MiningLimits {
        min_items: 1,
        max_items,
        supports,
        max_candidates: 1 << 20,
        target: None,
        joins_feature: true,
    };
    mine(rows.clone(), items, &limits, 2, &Control::default())
}

#[test]
fn every_large_request_of_reading_can_be_refused() {
    let _alone = alone();
    let table = Table::new(40_000, 5, 3);
    refuse_each("reading", || table.read(false));
    refuse_each("reading with weights", || table.read(true));
}

#[test]
fn every_large_request_of_mining_can_be_refused() {
    let _alone = alone();
    let (rows, items) = Table::new(600, 20, 3).read(false).unwrap();
    assert!(mined(&rows, &items, 3).unwrap().len() > 10_000);
    refuse_each("mining", || mined(&rows, &items, 3));
}

#[test]
fn every_large_request_for_cut_points_can_be_refused() {
    let _alone = alone();
    let Table { labels, weights, .. } = Table::new(40_000, 1, 2);
    let values: Vec<f64> = (0..labels.len()).map(|row| (row * 7919 % 65_537) as f64 / 3.0).collect();
    let target = Target { labels: &labels, n_classes: 2, weights: Some(&weights) };
    for method in [Cutting::MdlpOrQuantile, Cutting::Quantile, Cutting::Width] {
        refuse_each("cut points", || cut_points(&values[..], &target, method, 5, &Control::default()));
    }
}

#[test]
fn every_large_request_of_predicting_can_be_refused() {
    let _alone = alone();
    let table = Table::new(40_000, 5, 3);
    let columns = table.columns();
    let rules = Antecedents::from_flat(&[0, 4, 7, 11], &[1, 2, 1], 15).unwrap();
    let predict = || {
        capturing_rules(
            &columns,
            &table.items,
            &rules,
            &vec![true; columns.len()],
            40_000,
            &Control::default(),
        )
    };
    refuse_each("predicting", predict);
}

#[test]
fn a_search_takes_no_more_than_was_asked_for() {
    let _alone = alone();
    for (n_features, n_levels, max_items, weighted) in [(20, 2, 1, false), (8, 4, 2, true)] {
        let (rows, items) = Table::new(20_000, n_features, n_levels).read(weighted).unwrap();
        let pool = mined(&rows, &items, max_items).unwrap();
        let hyperparameters = Hyperparameters { lambda: 10.0, eta: 1.0, alpha: vec![1.0, 1.0] };
        let asked = table_bytes(&pool);
        let (problem, taken) =
            peak_of(asked, || Problem::prepare(pool, &hyperparameters, 25, &Control::default()).unwrap());
        assert!(taken <= asked, "tables of {} candidates: {taken} of {asked}", problem.pool.len());
        for (method, n_chains, limit) in
            [(Method::Mcmc, 2, None), (Method::Mcmc, 40, Some(3600)), (Method::Map, 2, None)]
        {
            let settings = Settings {
                method,
                n_chains,
                iterations: 100,
                seed: 1,
                threads: 2,
                among_equals: AmongEquals::Found,
            };
            let limit = limit.map(Duration::from_secs);
            let control = limit.map_or_else(Control::default, Control::with_time_limit);
            let asked = list_bytes(&problem, &settings, limit.is_some());
            let (_, taken) = peak_of(asked, || search(&problem, &settings, &control).unwrap());
            let what = format!("{method:?} of {} candidates, {n_chains} chains", problem.pool.len());
            assert!(taken <= asked, "{what}: {taken} of {asked}");
        }
    }
}

/// Noise, so that nothing is proved and the heap of open prefixes is full soon.
#[test]
fn a_proof_takes_no_more_than_a_tenth_beyond_its_budget() {
    let _alone = alone();
    let (rows, items) = Table::new(3_000, 30, 3).read(false).unwrap();
    let pool = mined(&rows, &items, 1).unwrap();
    let hyperparameters = Hyperparameters { lambda: 10.0, eta: 1.0, alpha: vec![1.0, 1.0] };
    let problem = Problem::prepare(pool, &hyperparameters, usize::MAX, &Control::default()).unwrap();
    assert!(problem.pool.len() > 60);
    let mut most = 0;
    for (max_bytes, threads) in [(8 << 20, 1), (16 << 20, 2), (40 << 20, 2), (40 << 20, 7)] {
        let budget = ProofBudget { gap: 0.0, max_nodes: 100_000, max_bytes, threads };
        let (proof, taken) =
            peak_of(usize::MAX, || certify_list(&problem, &[], &budget, &Control::default()));
        assert!(proof.unwrap().upper_bound.is_finite());
        assert!(taken <= max_bytes + max_bytes / 10, "{taken} of {max_bytes} on {threads} threads");
        most = most.max(100 * taken / max_bytes);
    }
    // the budget is what limits it
    assert!(most > 50, "{most}%");
}
