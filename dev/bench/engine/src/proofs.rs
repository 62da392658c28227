//! Proofs that no better list exists: what they cost, and whether they agree with the values of `dev/bench/proofs.csv`.

use crate::engine;
use crate::problems::{self, Data, Spec};
use cpu_time::ProcessTime;
use sbrl_engine::control::Control;
use sbrl_engine::search::certify::{Certificate, Ended, ProofBudget};
use sbrl_engine::search::{certify_list, Problem};
use std::time::{Duration, Instant};

const PROOFS: &str = include_str!("../../proofs.csv");
/// Iterations per chain of the search that gives the list to be proved.
const ITERATIONS: u64 = 50_000;
/// Certified values agree to this, in nats.
const SAME: f64 = 1e-5;

/// How much to spend on a proof.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub seconds: f64,
    pub nodes: u64,
    pub bytes: usize,
    pub threads: usize,
}

/// Whether a problem can be proved within the limits, as a line of CSV.
pub fn run(spec: &Spec, limits: Limits) -> Result<(), String> {
    println!("{HEADER}");
    certified(spec, limits).map(|(line, _)| println!("{line}"))
}

const HEADER: &str =
    "problem,candidates,ended,log_posterior,gap,max_length_proved,nodes,seconds,cpu,megabytes";

/// Prove all rows of `dev/bench/proofs.csv`, or the named ones; an error if one is not proved or has another value.
pub fn run_all(names: &[&str], limits: Limits) -> Result<(), String> {
    println!("{HEADER}");
    let mut wrong = Vec::new();
    for row in PROOFS.lines().skip(1) {
        let (spec, known) = parse(row).ok_or_else(|| format!("proofs.csv: cannot read `{row}`"))?;
        if !names.is_empty() && !names.contains(&spec.name.as_str()) {
            continue;
        }
        let (line, proof) = certified(&spec, limits)?;
        println!("{line}");
        let is_known = known.map_or(true, |known| (proof.best.log_posterior - known).abs() < SAME);
        if proof.ended != Ended::Solved || !is_known {
            wrong.push(spec.name);
        }
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(format!("not proved, or with another value: {}", wrong.join(", "))),
    }
}

fn certified(spec: &Spec, limits: Limits) -> Result<(String, Certificate), String> {
    let (rows, items) = engine::stage_binarise(&spec.table()?)?;
    let problem: Problem = engine::problem(engine::stage_mine(&rows, &items, spec)?, spec)?;
    let start = engine::stage_map(&problem, 1, ITERATIONS)?;
    let before = peak_megabytes();
    let (clock, cpu) = (Instant::now(), ProcessTime::now());
    let control = Control::with_time_limit(Duration::from_secs_f64(limits.seconds));
    let budget =
        ProofBudget { gap: 0.0, max_nodes: limits.nodes, max_bytes: limits.bytes, threads: limits.threads };
    let proof =
        certify_list(&problem, &start.best.rules, &budget, &control).map_err(|error| error.to_string())?;
    let line = format!(
        "{},{},{:?},{:.6},{:.4},{},{},{:.2},{:.2},{:.0}",
        spec.name,
        problem.pool.len(),
        proof.ended,
        proof.best.log_posterior,
        proof.upper_bound - proof.best.log_posterior,
        proof.max_length_proved,
        proof.n_nodes,
        clock.elapsed().as_secs_f64(),
        cpu.elapsed().as_secs_f64(),
        peak_megabytes() - before
    );
    Ok((line, proof))
}

/// The most memory that this process has had, where the system reports it.
fn peak_megabytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = peak.and_then(|peak| peak.split_whitespace().next()?.parse::<f64>().ok());
    kilobytes.map_or(f64::NAN, |kilobytes| kilobytes / 1024.0)
}

fn parse(row: &str) -> Option<(Spec, Option<f64>)> {
    let fields: Vec<&str> = row.split(',').collect();
    let [name, data, min_length, max_length, support, max_rules, known, _] = fields[..] else { return None };
    let support = support.parse().ok()?;
    let spec = Spec {
        name: name.to_string(),
        data: Data::File(problems::locate(data)),
        lengths: (min_length.parse().ok()?, max_length.parse().ok()?),
        supports: [support, support],
        lambda: 10.0,
        max_length: if max_rules == "Inf" { usize::MAX } else { max_rules.parse().ok()? },
        candidates: None,
    };
    Some((spec, known.parse().ok()))
}
