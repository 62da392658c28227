//! Certificates on their way to R.

use crate::answer::Answer;
use crate::convert::{guard, Arg, Read};
use crate::job::{run, JobPlan};
use crate::known_pool::KnownPool;
use crate::portable::from_one;
use crate::settings::{read_among_equals, Simplification};
use extendr_api::prelude::*;
use sbrl_engine::error::Error;
use sbrl_engine::memory;
use sbrl_engine::search::certify::{Certificate, Ended, LengthProof, ProofBudget, TracePoint};
use sbrl_engine::search::{among_equals, certify_list, CountedList, Problem};
use std::time::{Duration, Instant};

/// Prove how good the rules of a model are, or find better ones.
/// @noRd
#[extendr]
fn native_certify(job: Robj, training: Robj, settings: Robj, pool: Robj, rules: Robj, budget: Robj) -> Robj {
    guard(|| {
        let settings = Arg::of(&settings);
        let pool = KnownPool::read(Arg::kept(&training), Arg::of(&pool), settings)?;
        let (simplify, which) = (Simplification::read(settings)?, read_among_equals(settings)?);
        let rules = Arg::of(&rules).wholes("rules", 1)?;
        if rules.iter().any(|&rule| rule as usize >= pool.n_candidates()) {
            return Err(Error::Argument("`rules` must be candidates.".into()));
        }
        let budget = read_budget(Arg::of(&budget), pool.threads.max(1))?;
        let plan = JobPlan { inline: None, on_thread: pool.control(), total_iterations: 0 };
        run(Arg::of(&job), plan, move |control| {
            let start = Instant::now();
            let problem = pool.problem(control)?;
            let certificate = certify_list(&problem, &rules, &budget, control)?;
            let best = among_equals(&problem, certificate.best.rules.clone(), which, control);
            write_proof(&Proof::of(&problem, &rules, best, simplify, certificate), start.elapsed())
        })
    })
}

fn read_budget(budget: Arg, threads: usize) -> Read<ProofBudget> {
    Ok(ProofBudget {
        gap: budget.field("gap")?.number("gap")?,
        max_nodes: budget.field("max_nodes")?.count("max_nodes")? as u64,
        max_bytes: budget.field("max_memory")?.count("max_memory")?,
        threads,
    })
}

/// The result of a proof.
struct Proof {
    /// The list that was given.
    given: CountedList,
    /// The best list known, as found and as it is returned.
    best: CountedList,
    list: CountedList,
    /// The candidate whose place the default rule took, if it did.
    else_rule: Option<u32>,
    /// The weight of one unit of its counts.
    unit: f64,
    certificate: Certificate,
}

impl Proof {
    fn of(
        problem: &Problem,
        rules: &[u32],
        best: Vec<u32>,
        simplify: Simplification,
        certificate: Certificate,
    ) -> Self {
        let best = problem.count(best);
        let (list, else_rule) = simplify.apply(problem, &best);
        Proof {
            given: problem.count(rules.to_vec()),
            best,
            list,
            else_rule,
            unit: problem.pool.rows.unit(),
            certificate,
        }
    }
}

fn write_proof(proof: &Proof, time: Duration) -> Read<Answer> {
    let list = |list: &CountedList| -> Read<Answer> {
        let weights = list.counts.iter().map(|&count| count as f64 * proof.unit);
        Ok(Answer::list([
            ("rules", Answer::Integers(from_one(&list.rules)?)),
            ("counts", Answer::Doubles(memory::collect(weights)?)),
            ("score", crate::write_score(list.score)),
        ]))
    };
    Ok(Answer::list([
        ("given", list(&proof.given)?),
        ("found", list(&proof.best)?),
        ("list", list(&proof.list)?),
        ("else_rule", crate::write_rule(proof.else_rule)),
        ("certificate", write(&proof.certificate, proof.best.score.log_posterior())?),
        ("seconds", Answer::number(time.as_secs_f64())),
    ]))
}

/// The same, or nothing.
pub fn write_optional(certificate: Option<&Certificate>, log_posterior: f64) -> Read<Answer> {
    certificate.map_or(Ok(Answer::Null), |certificate| write(certificate, log_posterior))
}

/// `log_posterior` is that of its list, from scratch.
fn write(certificate: &Certificate, log_posterior: f64) -> Read<Answer> {
    let ended = match certificate.ended {
        Ended::Solved => "solved",
        Ended::Nodes => "max_nodes",
        Ended::Memory => "max_memory",
        Ended::Stopped => "time_limit",
    };
    let upper_bound = log_posterior + (certificate.upper_bound - certificate.best.log_posterior);
    let by_length = |get: &dyn Fn(&LengthProof) -> f64| -> Read<Answer> {
        Ok(Answer::Doubles(memory::collect(certificate.by_length.iter().map(get))?))
    };
    let trace = |get: &dyn Fn(&TracePoint) -> f64| -> Read<Answer> {
        Ok(Answer::Doubles(memory::collect(certificate.trace.iter().map(get))?))
    };
    Ok(Answer::list([
        ("log_posterior", Answer::number(log_posterior)),
        ("upper_bound", Answer::number(upper_bound)),
        ("max_length_proved", Answer::number(certificate.max_length_proved as f64)),
        ("nodes", Answer::number(certificate.n_nodes as f64)),
        ("ended", Answer::text(ended)),
        (
            "by_length",
            Answer::list([
                ("max_length", by_length(&|proof| proof.length as f64)?),
                ("log_posterior", by_length(&|proof| proof.log_posterior)?),
                ("proved", by_length(&|proof| f64::from(proof.is_proved))?),
            ]),
        ),
        (
            "trace",
            Answer::list([
                ("nodes", trace(&|point| point.nodes as f64)?),
                ("seconds", trace(&|point| point.seconds)?),
                ("upper_bound", trace(&|point| point.upper_bound)?),
                ("log_posterior", trace(&|point| point.log_posterior)?),
            ]),
        ),
    ]))
}

extendr_module! {
    mod certify;
    fn native_certify;
}
