//! `bench-engine <problem> <seconds|iterations> [stage …]` times the stages of the engine on one thread.
//!
//! A problem is a name in `dev/bench/problems.csv`, a CSV file, or `synthetic:rows=10000,features=20,levels=3,seed=1`.
//! `2s` runs chains for two seconds, `100000` for as many iterations. Times are those of the processor, not of the clock.

mod engine;
mod problems;
mod proofs;
mod pysbrl;
mod stages;
mod strength;
mod synthetic;
mod table;

use problems::Spec;
use stages::{Amount, Plan, STAGES};

const USAGE: &str = "bench-engine <problem> <seconds, as 2s | iterations> [stage ...]
             [--support S | --support-pos S --support-neg S] [--maxlen L] [--minlen L]
             [--lambda X] [--max-length N] [--seed N] [--repeats N] [--csv]
bench-engine list                              the named problems
bench-engine count <problem> [options]         the number of candidates, and bytes of their bit columns
bench-engine strength <problem> <iterations>   what `map` finds with --repeats seeds from --seed on; --known X: the best known
bench-engine certify <problem> <seconds>       whether its best list can be proved to be the best; --threads, --nodes, --megabytes
bench-engine proofs [name ...]                 the proofs of dev/bench/proofs.csv, compared with the values there
bench-engine pysbrl <problem> <rules> <labels> the candidates as files for pysbrl
bench-engine write <problem> <file.csv.gz>     the problem's table
stages: binarise mine greedy chain chains polish search predict (all of them if none is named)";

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let Err(error) = run(&args) {
        eprintln!("bench-engine: {error}");
        std::process::exit(1);
    }
}

fn run(args: &[String]) -> Result<(), String> {
    let (words, options) = split(args)?;
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["list"] => problems::names().for_each(|name| println!("{name}")),
        ["count", name] => {
            let spec = with_options(Spec::find(name)?, &options)?;
            let (rows, items) = engine::stage_binarise(&spec.table()?)?;
            let pool = engine::stage_mine(&rows, &items, &spec)?;
            println!("{} candidates, {} bytes", pool.len(), 8 * pool.len() * rows.n_words());
        }
        ["strength", name, iterations] => {
            let wrong = || format!("`{iterations}` is no number of iterations");
            let iterations = iterations.parse().map_err(|_| wrong())?;
            let spec = with_options(Spec::find(name)?, &options)?;
            let known = number(&options, "known", f64::NEG_INFINITY)?;
            let first = number(&options, "seed", 1)?;
            strength::run(&spec, iterations, first, number(&options, "repeats", 3)?, known)?;
        }
        ["certify", name, seconds] => {
            let wrong = || format!("`{seconds}` is no number of seconds");
            let limits = proof_limits(&options, seconds.parse().map_err(|_| wrong())?)?;
            proofs::run(&with_options(Spec::find(name)?, &options)?, limits)?;
        }
        ["proofs", ref names @ ..] => proofs::run_all(names, proof_limits(&options, 600.0)?)?,
        ["pysbrl", name, rules, labels] => pysbrl::write(&Spec::find(name)?, rules, labels)?,
        ["write", name, file] => Spec::find(name)?.table()?.write(file.as_ref())?,
        [name, amount, ref stages @ ..] => {
            if let Some(odd) = stages.iter().find(|stage| !STAGES.contains(stage)) {
                return Err(format!("`{odd}` is no stage; these are: {}", STAGES.join(" ")));
            }
            let plan = Plan {
                spec: with_options(Spec::find(name)?, &options)?,
                amount: Amount::parse(amount)?,
                stages: if stages.is_empty() { STAGES.to_vec() } else { stages.to_vec() },
                seed: number(&options, "seed", 1)?,
                repeats: number(&options, "repeats", 3)?,
                csv: options.iter().any(|(name, _)| name == "csv"),
            };
            stages::run(&plan)?;
        }
        _ => return Err(format!("usage:\n{USAGE}")),
    }
    Ok(())
}

fn proof_limits(options: &Options, seconds: f64) -> Result<proofs::Limits, String> {
    Ok(proofs::Limits {
        seconds,
        nodes: number(options, "nodes", u64::MAX)?,
        bytes: number(options, "megabytes", 2000usize)? << 20,
        threads: number(options, "threads", 2)?,
    })
}

type Options = Vec<(String, String)>;

/// Words and `--name value` options; `--csv` stands alone.
fn split(args: &[String]) -> Result<(Vec<String>, Options), String> {
    const NAMES: [&str; 13] = [
        "support",
        "support-pos",
        "support-neg",
        "maxlen",
        "minlen",
        "lambda",
        "max-length",
        "seed",
        "repeats",
        "known",
        "threads",
        "nodes",
        "megabytes",
    ];
    let (mut words, mut options) = (Vec::new(), Vec::new());
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        match arg.strip_prefix("--") {
            None => words.push(arg.clone()),
            Some("csv") => options.push(("csv".to_string(), String::new())),
            Some(name) if NAMES.contains(&name) => {
                let value = rest.next().ok_or_else(|| format!("--{name} needs a value"))?;
                options.push((name.to_string(), value.clone()));
            }
            Some(name) => return Err(format!("--{name} is no option; usage:\n{USAGE}")),
        }
    }
    Ok((words, options))
}

fn number<T: std::str::FromStr>(options: &Options, name: &str, usual: T) -> Result<T, String> {
    match options.iter().find(|(option, _)| option == name) {
        None => Ok(usual),
        Some((_, value)) => value.parse().map_err(|_| format!("--{name} must be a number, not `{value}`")),
    }
}

/// The problem with the limits that were given; its number of candidates is then no longer known.
fn with_options(spec: Spec, options: &Options) -> Result<Spec, String> {
    let [neg, pos] = spec.supports;
    let both = number(options, "support", f64::NAN)?;
    let or_both = |usual: f64| if both.is_nan() { usual } else { both };
    let changed = Spec {
        supports: [
            number(options, "support-neg", or_both(neg))?,
            number(options, "support-pos", or_both(pos))?,
        ],
        lambda: number(options, "lambda", spec.lambda)?,
        max_length: number(options, "max-length", spec.max_length)?,
        lengths: (number(options, "minlen", spec.lengths.0)?, number(options, "maxlen", spec.lengths.1)?),
        ..spec.clone()
    };
    let same = changed.supports == spec.supports && changed.lengths == spec.lengths;
    Ok(Spec { candidates: spec.candidates.filter(|_| same), ..changed })
}
