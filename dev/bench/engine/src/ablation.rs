//! What each idea is worth: the same chain, scored in slower and slower ways down to one row after the other.
//!
//! The chain here is the bench's own (add, remove, swap), so that all steps draw the same proposals and must visit the same
//! lists, which is asserted. The last steps are the engine's own chain, with and without single ideas, and its search.

use crate::engine::{self, captured_rows, naive_table, stage_search, N_CHAINS, N_ITERATIONS};
use crate::engine::{stage_chain, stage_chain_to_the_end};
use crate::kernels::{Flow, Form};
use crate::problems::Spec;
use crate::table::Table;
use cpu_time::ProcessTime;
use sbrl_engine::model::Item;
use sbrl_engine::naive;
use sbrl_engine::rng::ChainRng;
use sbrl_engine::search::chain::Chain;
use sbrl_engine::search::Problem;
use std::time::Instant;

/// Iterations of one of the engine's own chains.
type Run = fn(&mut Chain<'_>, u64);

/// How a proposed list is counted.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Step {
    /// Each row looks for the first rule it obeys.
    RowByRow,
    /// Bit vectors, the whole list each time.
    Bits(Form),
    /// Bit vectors, from the first changed rule on.
    Reuse(Form),
}

impl Step {
    /// From slow to fast, for this machine.
    fn all() -> Vec<Step> {
        let forms = Form::available();
        let mut steps = vec![Step::RowByRow];
        steps.extend(forms.iter().map(|&form| Step::Bits(form)));
        steps.extend(forms.last().map(|&form| Step::Reuse(form)));
        steps
    }

    fn name(self) -> String {
        match self {
            Step::RowByRow => "row by row".to_string(),
            Step::Bits(Form::Plain) => "bit vectors".to_string(),
            Step::Bits(form) => format!("bit vectors, {form:?}").to_lowercase(),
            Step::Reuse(_) => "reuse above the change".to_string(),
        }
    }

    /// Share of the iterations that this step is given: the slow ones would take all day.
    fn iterations(self, n: u64) -> u64 {
        (if self == Step::RowByRow { n / 50 } else { n }).max(1)
    }
}

/// What all chains look at.
struct Scene<'a> {
    problem: &'a Problem,
    twin: &'a naive::Table,
    items: &'a [Item],
}

/// A list, the rows that come down to each of its rules, and what they take.
struct Walk<'a> {
    scene: &'a Scene<'a>,
    step: Step,
    rules: Vec<u32>,
    free: Vec<Vec<u64>>,
    counts: Vec<u64>,
    log_posterior: f64,
    rng: ChainRng,
}

impl<'a> Walk<'a> {
    fn new(scene: &'a Scene<'a>, step: Step, rules: &[u32], seed: u64) -> Self {
        let free = vec![scene.problem.pool.rows.all().to_vec()];
        let rng = ChainRng::new(seed, 0);
        let mut walk =
            Walk { scene, step, rules: Vec::new(), free, counts: Vec::new(), log_posterior: 0.0, rng };
        let counts = walk.count(rules, 0);
        walk.accept(rules.to_vec(), 0, counts);
        walk
    }

    fn run(&mut self, iterations: u64) {
        (0..iterations).for_each(|_| self.iterate());
    }

    fn iterate(&mut self) {
        let (rules, first, log_ratio) = self.propose();
        let counts = self.count(&rules, first);
        let gain = self.score(&rules, &counts) - self.log_posterior;
        if self.rng.log_uniform() <= gain + log_ratio {
            self.accept(rules, first, counts);
        }
    }

    /// A changed list, its first changed position and the log ratio of the proposals there and back.
    fn propose(&mut self) -> (Vec<u32>, usize, f64) {
        let (m, n) = (self.rules.len(), self.scene.problem.pool.len());
        let mut rules = self.rules.clone();
        let kinds = |m: usize| 1 + usize::from(m >= 1) + usize::from(m >= 2);
        let log_ratio_of_adding = |m: usize| (kinds(m) as f64 / kinds(m + 1) as f64 * (n - m) as f64).ln();
        match self.rng.below(kinds(m)) {
            0 => {
                let candidate = loop {
                    let candidate = self.rng.below(n) as u32;
                    if !rules.contains(&candidate) {
                        break candidate;
                    }
                };
                let at = self.rng.below(m + 1);
                rules.insert(at, candidate);
                (rules, at, log_ratio_of_adding(m))
            }
            1 => {
                let at = self.rng.below(m);
                rules.remove(at);
                (rules, at, -log_ratio_of_adding(m - 1))
            }
            _ => {
                let (one, other) = (self.rng.below(m), self.rng.below(m));
                rules.swap(one, other);
                (rules, one.min(other), 0.0)
            }
        }
    }

    /// Class counts of what each rule captures, the default last.
    fn count(&self, rules: &[u32], first: usize) -> Vec<u64> {
        let pool = &self.scene.problem.pool;
        let (form, first) = match self.step {
            Step::RowByRow => {
                let list: Vec<Vec<u32>> =
                    rules.iter().map(|&rule| pool.antecedents.get(rule as usize).to_vec()).collect();
                return captured_rows(self.scene.twin, &list, self.scene.items).concat();
            }
            Step::Bits(form) => (form, 0),
            Step::Reuse(form) => (form, first),
        };
        let mut counts = self.counts.get(..2 * first).unwrap_or(&[]).to_vec();
        let (start, ends) = (&self.free[first], pool.rows.ends());
        let flow = Flow { start, covers: &pool.covers, rules: &rules[first..], ends };
        let mut below = vec![0; 2 * (rules.len() - first + 1)];
        form.count(&flow, &mut below);
        counts.extend(below);
        counts
    }

    fn score(&self, rules: &[u32], counts: &[u64]) -> f64 {
        let problem = self.scene.problem;
        let lengths = rules.iter().map(|&rule| problem.pool.length(rule as usize));
        problem.posterior.score(lengths, counts).log_posterior()
    }

    fn accept(&mut self, rules: Vec<u32>, first: usize, counts: Vec<u64>) {
        self.log_posterior = self.score(&rules, &counts);
        self.counts = counts;
        if matches!(self.step, Step::Reuse(_)) {
            self.free.truncate(first + 1);
            for &rule in &rules[first..] {
                let cover = self.scene.problem.pool.covers.column(rule as usize);
                let above = &self.free[self.free.len() - 1];
                let left = above.iter().zip(cover).map(|(free, cover)| free & !cover).collect();
                self.free.push(left);
            }
        }
        self.rules = rules;
    }
}

/// Print one line per step and repeat: ns of the processor per iteration on one thread; for the last step, of the clock.
pub fn run(spec: &Spec, iterations: u64, repeats: u64) -> Result<(), String> {
    let table = spec.table()?;
    let (rows, items) = engine::stage_binarise(&table)?;
    let problem = engine::problem(engine::stage_mine(&rows, &items, spec)?, spec.lambda)?;
    let collapsed = engine::problem(engine::stage_mine_collapsed(&table, spec)?, spec.lambda)?;
    if collapsed.pool.antecedents != problem.pool.antecedents {
        return Err("alike rows as one give other candidates".into());
    }
    let twin = naive_table(&table);
    let scene = Scene { problem: &problem, twin: &twin, items: items.items() };
    println!("problem,rows,candidates,step,run,iterations,length,ns");
    let line = |step: &str, repeat: u64, n: u64, length: usize, ns: f64| {
        println!(
            "{},{},{},\"{step}\",{repeat},{n},{length},{ns:.1}",
            spec.name,
            table.n_rows(),
            problem.pool.len()
        );
    };
    for repeat in 1..=repeats {
        let start = settled(&problem, &table, &scene, repeat)?;
        check_steps_agree(&scene, &start, repeat, (iterations / 100).clamp(1, 200))?;
        for step in Step::all() {
            let n = step.iterations(iterations);
            let mut walk = Walk::new(&scene, step, &start, repeat);
            let clock = ProcessTime::now();
            walk.run(n);
            let seconds = clock.elapsed().as_secs_f64();
            line(&step.name(), repeat, n, walk.rules.len(), 1e9 * seconds / n as f64);
        }
        let mut ends = Vec::new();
        let own: [(&str, &Problem, Run); 3] = [
            ("this package without early stop", &problem, stage_chain_to_the_end),
            ("this package", &problem, stage_chain),
            ("this package with alike rows as one", &collapsed, stage_chain),
        ];
        for (step, problem, run) in own {
            let mut chain = engine::chain_from(problem, &start, repeat);
            let clock = ProcessTime::now();
            run(&mut chain, iterations);
            let seconds = clock.elapsed().as_secs_f64();
            line(step, repeat, iterations, chain.rules().len(), 1e9 * seconds / iterations as f64);
            ends.push(chain.rules().to_vec());
        }
        if ends.iter().any(|rules| *rules != ends[0]) {
            return Err("the package's own chains come to different lists".into());
        }
        for threads in [1, 2] {
            let clock = Instant::now();
            let outcome = stage_search(&problem, repeat, threads)?;
            let (seconds, n) = (clock.elapsed().as_secs_f64(), N_CHAINS * N_ITERATIONS);
            let step = format!("whole search, {threads} thread{}", if threads == 1 { "" } else { "s" });
            line(&step, repeat, n, outcome.rules.len(), 1e9 * seconds / n as f64);
        }
    }
    Ok(())
}

/// A list that a chain of the paper's length has come to: there, lists are as long as they get.
fn settled(problem: &Problem, table: &Table, scene: &Scene<'_>, seed: u64) -> Result<Vec<u32>, String> {
    let mut chain = engine::chains(problem, seed, 1).pop().ok_or("no chain")?;
    stage_chain(&mut chain, N_ITERATIONS);
    engine::check_score(problem, table, scene.items, chain.rules())?;
    Ok(chain.rules().to_vec())
}

fn check_steps_agree(scene: &Scene<'_>, start: &[u32], seed: u64, iterations: u64) -> Result<(), String> {
    let mut expected: Option<Vec<u32>> = None;
    for step in Step::all() {
        let mut walk = Walk::new(scene, step, start, seed);
        walk.run(iterations);
        match &expected {
            None => expected = Some(walk.rules),
            Some(rules) if *rules == walk.rules => {}
            Some(_) => return Err(format!("{} leaves the way of the other steps", step.name())),
        }
    }
    Ok(())
}
