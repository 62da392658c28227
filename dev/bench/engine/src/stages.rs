//! Time the stages: assert what a stage gives, then repeat it and print the median.

use crate::engine::{self, *};
use crate::problems::Spec;
use crate::table::Table;
use cpu_time::ProcessTime;
use sbrl_engine::mine::Items;
use sbrl_engine::search::sample::chain::Chain;
use sbrl_engine::search::Problem;

pub const STAGES: [&str; 8] =
    ["binarise", "mine", "greedy", "chain", "chains", "polish", "search", "predict"];

/// How long chains run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Amount {
    Seconds(f64),
    Iterations(u64),
}

impl Amount {
    pub fn parse(text: &str) -> Result<Amount, String> {
        let wrong = || format!("`{text}` is neither seconds, as in 2s, nor a number of iterations");
        match text.strip_suffix('s') {
            Some(seconds) => seconds.parse().map(Amount::Seconds).map_err(|_| wrong()),
            None => text.parse().map(Amount::Iterations).map_err(|_| wrong()),
        }
    }
}

/// What to measure.
pub struct Plan<'a> {
    pub spec: Spec,
    pub amount: Amount,
    pub stages: Vec<&'a str>,
    pub seed: u64,
    pub repeats: usize,
    pub csv: bool,
}

/// A stage's figure: seconds of the processor for this many units.
struct Figure {
    stage: &'static str,
    seconds: f64,
    units: u64,
    unit: &'static str,
    note: String,
    /// Rules in the list that the stage came to, or had on average.
    length: f64,
}

pub fn run(plan: &Plan<'_>) -> Result<(), String> {
    let table = plan.spec.table()?;
    let (rows, items) = stage_binarise(&table)?;
    let pool = stage_mine(&rows, &items, &plan.spec)?;
    if plan.spec.candidates.is_some_and(|expected| expected != pool.len()) {
        return Err(format!("{} candidates, but problems.csv says {:?}", pool.len(), plan.spec.candidates));
    }
    let problem = problem(pool, &plan.spec)?;
    report_problem(plan, &problem);
    for stage in &plan.stages {
        let figure = match *stage {
            "binarise" => time_binarise(plan, &table)?,
            "mine" => time_mine(plan, &problem, &items)?,
            "greedy" => time_greedy(plan, &problem),
            "chain" => time_chain(plan, &problem, &table, &items)?,
            "chains" => time_chains(plan, &problem),
            "polish" => time_polish(plan, &problem, &table, &items)?,
            "search" => time_search(plan, &problem)?,
            _ => time_predict(plan, &problem, &table, &items)?,
        };
        report(plan, &problem, &figure);
    }
    Ok(())
}

fn report_problem(plan: &Plan<'_>, problem: &Problem) {
    let pool = &problem.pool;
    if plan.csv {
        println!("problem,rows,candidates,stage,seconds,units,ns_per_unit,length");
        return;
    }
    println!("{}: {} rows, {} candidates", plan.spec.name, pool.rows.n_rows(), pool.len());
}

fn report(plan: &Plan<'_>, problem: &Problem, figure: &Figure) {
    let Figure { stage, seconds, units, unit, note, length } = figure;
    let ns = 1e9 * seconds / (*units).max(1) as f64;
    if plan.csv {
        let name = plan.spec.name.replace(',', ";");
        let (rows, candidates) = (problem.pool.rows.n_rows(), problem.pool.len());
        println!("{name},{rows},{candidates},{stage},{seconds:.6},{units},{ns:.2},{length:.1}");
        return;
    }
    println!("  {stage:<9} {seconds:>10.4} s {ns:>12.1} ns per {unit} ({units}) {note}");
}

/// What is timed and nothing else; valgrind counts the instructions in here (`--toggle-collect`).
#[inline(never)]
fn measured<T>(work: impl FnOnce() -> T) -> T {
    std::hint::black_box(work())
}

/// Median processor seconds of `work`, done `repeats` times.
fn median_seconds<T>(repeats: usize, mut work: impl FnMut() -> T) -> (f64, T) {
    let mut once = || {
        let start = ProcessTime::now();
        let value = measured(&mut work);
        (start.elapsed().as_secs_f64(), value)
    };
    let (first, mut value) = once();
    let mut seconds = vec![first];
    for _ in 1..repeats {
        let (more, latest) = once();
        seconds.push(more);
        value = latest;
    }
    seconds.sort_by(f64::total_cmp);
    (seconds[seconds.len() / 2], value)
}

fn time_binarise(plan: &Plan<'_>, table: &Table) -> Result<Figure, String> {
    let (seconds, made) = median_seconds(plan.repeats, || stage_binarise(table));
    let (rows, items) = made?;
    // every row has one level of each feature
    let held: u64 = (0..items.len()).flat_map(|item| rows.count(items.columns().column(item))).sum();
    let features = table.levels.iter().filter(|levels| levels.len() > 1).count();
    if held != (features * table.n_rows()) as u64 {
        return Err("the item columns do not hold every row once per feature".into());
    }
    Ok(Figure {
        stage: "binarise",
        seconds,
        units: held,
        unit: "value",
        note: String::new(),
        length: f64::NAN,
    })
}

fn time_mine(plan: &Plan<'_>, problem: &Problem, items: &Items) -> Result<Figure, String> {
    let rows = &problem.pool.rows;
    let (seconds, pool) = median_seconds(plan.repeats, || stage_mine(rows, items, &plan.spec));
    let pool = pool?;
    if pool.antecedents != problem.pool.antecedents {
        return Err("mining twice gave two pools".into());
    }
    Ok(Figure {
        stage: "mine",
        seconds,
        units: pool.len() as u64,
        unit: "candidate",
        note: String::new(),
        length: f64::NAN,
    })
}

fn time_greedy(plan: &Plan<'_>, problem: &Problem) -> Figure {
    let (seconds, rules) = median_seconds(plan.repeats, || stage_greedy(problem));
    let looks = (rules.len() as u64 + 1) * problem.pool.len() as u64;
    let note = describe(problem, &rules);
    Figure { stage: "greedy", seconds, units: looks, unit: "look", note, length: rules.len() as f64 }
}

fn time_chain(plan: &Plan<'_>, problem: &Problem, table: &Table, items: &Items) -> Result<Figure, String> {
    let mut chain = first_chain(problem, plan.seed)?;
    let (mut seconds, mut iterations, mut lengths) = (0.0, 0, Vec::new());
    let more = |seconds: f64, iterations: u64| match plan.amount {
        Amount::Seconds(limit) => seconds < limit,
        Amount::Iterations(limit) => iterations < limit,
    };
    let batch = match plan.amount {
        Amount::Seconds(_) => 1000,
        Amount::Iterations(limit) => (limit / 20).clamp(1, 10_000),
    };
    while more(seconds, iterations) {
        let (spent, ()) = median_seconds(1, || stage_chain(&mut chain, batch));
        seconds += spent;
        iterations += batch;
        lengths.push(chain.rules().len() as f64);
    }
    check_score(problem, table, items.items(), chain.rules())?;
    let length = lengths.iter().sum::<f64>() / lengths.len() as f64;
    let note = format!("now at {}", describe(problem, chain.rules()));
    Ok(Figure { stage: "chain", seconds, units: iterations, unit: "iteration", note, length })
}

fn time_polish(plan: &Plan<'_>, problem: &Problem, table: &Table, items: &Items) -> Result<Figure, String> {
    let mut chain = first_chain(problem, plan.seed)?;
    stage_chain(&mut chain, N_ITERATIONS);
    let start = chain.rules().to_vec();
    let (seconds, rules) = median_seconds(plan.repeats, || stage_polish(problem, &start));
    let rules = rules?;
    let before = problem.score(&start).0.log_posterior();
    if check_score(problem, table, items.items(), &rules)? < before {
        return Err("the polished list is worse".into());
    }
    let (length, note) = (rules.len() as f64, describe(problem, &rules));
    Ok(Figure { stage: "polish", seconds, units: 1, unit: "climb", note, length })
}

/// The paper's setting, chains only: 20 short chains.
fn time_chains(plan: &Plan<'_>, problem: &Problem) -> Figure {
    let (mut seconds, mut length) = (Vec::new(), 0.0);
    for _ in 0..plan.repeats.max(1) {
        let mut chains = engine::chains(problem, plan.seed, N_CHAINS);
        let all = || chains.iter_mut().for_each(|chain| stage_chain(chain, N_ITERATIONS));
        seconds.push(median_seconds(1, all).0);
        length = chains.iter().map(|chain| chain.rules().len() as f64).sum::<f64>() / N_CHAINS as f64;
    }
    seconds.sort_by(f64::total_cmp);
    Figure {
        stage: "chains",
        seconds: seconds[seconds.len() / 2],
        units: N_CHAINS * N_ITERATIONS,
        unit: "iteration",
        note: format!("now {length:.1} rules long"),
        length,
    }
}

fn first_chain(problem: &Problem, seed: u64) -> Result<Chain<'_>, String> {
    engine::chains(problem, seed, 1).pop().ok_or_else(|| "no chain".into())
}

/// The paper's setting, on one thread.
fn time_search(plan: &Plan<'_>, problem: &Problem) -> Result<Figure, String> {
    let (seconds, outcome) = median_seconds(plan.repeats, || stage_search(problem, plan.seed, 1));
    let outcome = outcome?;
    if outcome.best.score != problem.score(&outcome.best.rules).0 {
        return Err("the search reports another score than its list has".into());
    }
    Ok(Figure {
        stage: "search",
        seconds,
        units: N_CHAINS * N_ITERATIONS,
        unit: "iteration",
        note: describe(problem, &outcome.best.rules),
        length: outcome.best.rules.len() as f64,
    })
}

fn time_predict(plan: &Plan<'_>, problem: &Problem, table: &Table, items: &Items) -> Result<Figure, String> {
    let rules = stage_greedy(problem);
    let list = antecedents(problem, &rules)?;
    let (seconds, fired) = median_seconds(plan.repeats, || stage_predict(table, items.items(), &list));
    let fired = fired?;
    let counts = problem.score(&rules).1;
    for rule in 0..=rules.len() {
        let number = if rule == rules.len() { 0 } else { rule as i32 + 1 };
        let rows = fired.iter().filter(|&&by| by == number).count() as u64;
        if rows != counts[2 * rule] + counts[2 * rule + 1] {
            return Err(format!("rule {} predicts {rows} rows, but captures others", rule + 1));
        }
    }
    Ok(Figure {
        stage: "predict",
        seconds,
        units: fired.len() as u64,
        unit: "row",
        note: String::new(),
        length: rules.len() as f64,
    })
}

fn describe(problem: &Problem, rules: &[u32]) -> String {
    format!("log posterior {:.3} with {} rules", problem.score(rules).0.log_posterior(), rules.len())
}
