//! The way from a table to each stage of the engine: the only file that calls the engine.
//!
//! Each stage is a function of its own that is never inlined, so that valgrind and perf can distinguish them.

use crate::problems::Spec;
use crate::table::Table;
use sbrl_engine::binarise::item_columns;
use sbrl_engine::column::InputColumn;
use sbrl_engine::control::Control;
use sbrl_engine::data::Rows;
use sbrl_engine::hyperparameters::Hyperparameters;
use sbrl_engine::mine::{mine, Items, MiningLimits, Pool};
use sbrl_engine::model::{Antecedents, Item};
use sbrl_engine::naive;
use sbrl_engine::predict::capturing_rules;
use sbrl_engine::rng::ChainRng;
use sbrl_engine::row_order::cluster_rows;
use sbrl_engine::search::optimise::local_search::hill_climb;
use sbrl_engine::search::record::Trace;
use sbrl_engine::search::sample::chain::Chain;
use sbrl_engine::search::sample::start;
use sbrl_engine::search::{search, AmongEquals, Method, Outcome, Problem, Settings};

/// The paper's setting.
pub const N_CHAINS: u64 = 20;
pub const N_ITERATIONS: u64 = 5000;

fn hyperparameters(lambda: f64) -> Hyperparameters {
    Hyperparameters { lambda, eta: 1.0, alpha: vec![1.0, 1.0] }
}

fn told<T>(result: Result<T, sbrl_engine::error::Error>) -> Result<T, String> {
    result.map_err(|error| error.to_string())
}

/// Rows by class and a bit column per item.
#[inline(never)]
pub fn stage_binarise(table: &Table) -> Result<(Rows, Items), String> {
    let (items, names) = table.items();
    let columns: Vec<InputColumn> = table.columns.iter().map(|codes| InputColumn::of_codes(codes)).collect();
    let order = told(cluster_rows(&columns, &table.labels, 2, &Control::default()))?;
    let rows = told(Rows::arranged(&table.labels, 2, order.into_iter(), &Control::default()))?;
    let columns = told(item_columns(&rows, &table.column_slices(), &items))?;
    let items = told(Items::new(items, names, columns))?;
    Ok((rows, items))
}

#[inline(never)]
pub fn stage_mine(rows: &Rows, items: &Items, spec: &Spec) -> Result<Pool, String> {
    let limits = MiningLimits {
        min_items: spec.lengths.0,
        max_items: spec.lengths.1,
        supports: spec.supports.to_vec(),
        max_candidates: 1_000_000,
        target: None,
        joins_feature: true,
    };
    told(mine(rows.clone(), items, &limits, 1, &Control::default()))
}

pub fn problem(pool: Pool, spec: &Spec) -> Result<Problem, String> {
    told(Problem::prepare(pool, &hyperparameters(spec.lambda), spec.max_length, &Control::default()))
}

/// The greedy list.
#[inline(never)]
pub fn stage_greedy(problem: &Problem) -> Vec<u32> {
    start::greedy(problem, &Control::default()).rules().to_vec()
}

/// Chains where the search would start them.
pub fn chains(problem: &Problem, seed: u64, n_chains: u64) -> Vec<Chain<'_>> {
    let score = |rules: &[u32]| problem.log_posterior(rules);
    let promising =
        start::promising(problem, score(&stage_greedy(problem)).max(score(&[])), &Control::default());
    let begin = |index: u64| {
        let mut rng = ChainRng::new(seed, index);
        let rules = start::draw_start(&mut rng, &promising);
        Chain::new(problem, &rules, rng, Trace::new(1, 1))
    };
    (0..n_chains).map(begin).collect()
}

/// Iterations of a chain.
#[inline(never)]
pub fn stage_chain(chain: &mut Chain<'_>, iterations: u64) {
    for _ in 0..iterations {
        chain.step();
    }
}

/// Climb from `rules`.
#[inline(never)]
pub fn stage_polish(problem: &Problem, rules: &[u32]) -> Result<Vec<u32>, String> {
    told(hill_climb(problem, rules, &Control::default()))
}

/// The whole search: greedy start, chains, polish.
#[inline(never)]
pub fn stage_search(problem: &Problem, seed: u64, threads: usize) -> Result<Outcome, String> {
    told(search(problem, &settings(Method::Mcmc, N_ITERATIONS, seed, threads), &Control::default()))
}

/// A search for the best list and nothing else, on one thread.
#[inline(never)]
pub fn stage_map(problem: &Problem, seed: u64, iterations: u64) -> Result<Outcome, String> {
    told(search(problem, &settings(Method::Map, iterations, seed, 1), &Control::default()))
}

fn settings(method: Method, iterations: u64, seed: u64, threads: usize) -> Settings {
    let (n_chains, among_equals) = (N_CHAINS as usize, AmongEquals::Found);
    Settings { method, n_chains, iterations, seed, threads, among_equals }
}

#[inline(never)]
pub fn stage_predict(table: &Table, items: &[Item], rules: &Antecedents) -> Result<Vec<i32>, String> {
    let columns: Vec<InputColumn> = table.columns.iter().map(|codes| InputColumn::of_codes(codes)).collect();
    let known = vec![true; columns.len()];
    told(capturing_rules(&columns, items, rules, &known, table.n_rows(), &Control::default()))
        .map(|found| found.rule)
}

/// The antecedents of a list, for prediction.
pub fn antecedents(problem: &Problem, rules: &[u32]) -> Result<Antecedents, String> {
    let mut list = Antecedents::default();
    for &rule in rules {
        told(list.push(problem.pool.antecedents.get(rule as usize)))?;
    }
    Ok(list)
}

/// The log posterior of a list by the slow twins: row by row, term by term. An error if the engine's differs.
pub fn check_score(problem: &Problem, table: &Table, items: &[Item], rules: &[u32]) -> Result<f64, String> {
    let twin = naive_table(table);
    let pool = &problem.pool;
    let list: Vec<Vec<u32>> =
        rules.iter().map(|&rule| pool.antecedents.get(rule as usize).to_vec()).collect();
    let lengths: Vec<usize> = list.iter().map(Vec::len).collect();
    let pool_lengths: Vec<usize> = (0..pool.len()).map(|index| pool.length(index)).collect();
    let captured = captured_rows(&twin, &list, items);
    let hyperparameters = hyperparameters(problem.objective.prior().lambda());
    let likelihood: f64 =
        captured.iter().map(|counts| naive::log_marginal(&hyperparameters.alpha, counts)).sum();
    let expected = naive::log_prior(&hyperparameters, &pool_lengths, &lengths) + likelihood;
    let found = problem.log_posterior(rules);
    if (found - expected).abs() > 1e-6 * expected.abs() {
        return Err(format!("log posterior {found}, but {expected} by the naive twin"));
    }
    Ok(found)
}

/// The table as the slow twins take it.
pub fn naive_table(table: &Table) -> naive::Table {
    naive::Table {
        columns: table.columns.clone(),
        labels: table.labels.clone(),
        weights: vec![1; table.n_rows()],
        n_classes: 2,
    }
}

/// Class counts of what each rule captures, the default last, in one pass over the rows.
pub fn captured_rows(twin: &naive::Table, list: &[Vec<u32>], items: &[Item]) -> Vec<Vec<u64>> {
    let mut counts = vec![vec![0; 2]; list.len() + 1];
    for row in 0..twin.labels.len() {
        let first = list.iter().position(|a| twin.matches(row, a, items)).unwrap_or(list.len());
        counts[first][twin.labels[row] as usize] += 1;
    }
    counts
}
