//! A search for the best list and nothing else: a race of cooling walks, then the best of them improved part by part.
//!
//! Many walks start hot from the empty list; they cool in rounds, and after each round the better half goes on. Then the
//! lists that are left are taken up again and again: a prefix of one is kept, and what follows it (its own rules, or those
//! of another list) is warmed up and cooled in the problem that the prefix leaves (`rest.rs`).

use super::chain::ChainReport;
use super::polish;
use super::rest::Rest;
use super::walk::Walk;
use super::{Problem, Settings, TRACE_POINTS};
use crate::bounds::max_length_pool;
use crate::control::Control;
use crate::error::Error;
use crate::parallel;
use crate::rng::ChainRng;

/// Rounds of the race, and walks that come to its end; each round before has twice as many.
const ROUNDS: u32 = 4;
const WINNERS: usize = 4;
/// Where the race begins and where it ends.
const HOT: f64 = 12.0;
const COOL: f64 = 1.5;
/// Share of the iterations that the race gets.
const RACE: f64 = 0.4;

/// Iterations of one improvement, unless there are so many candidates that laying out the smaller problem would cost more.
const LEAST_TRY: u64 = 5_000;
/// There are so many at least, however short.
const LEAST_TRIES: u64 = 12;
/// With a part of the rows, iterations are that much longer; but a step is never quite free.
const MOST_STEPS: u64 = 6;
/// Between these temperatures, where each draws its own, it begins; and there it ends.
const WARM: (f64, f64) = (2.0, 5.0);
const COLD: f64 = 1.0;
/// How often it begins with the rules of another list.
const CROSSED: f64 = 0.5;
/// Improvements between two meetings: a number that does not depend on the threads, since the answer must not.
const AT_ONCE: usize = 4;

/// Spend `iterations` on lists better than `known`. One report per list that was kept.
pub fn look(
    problem: &Problem,
    settings: &Settings,
    iterations: u64,
    known: &ChainReport,
    control: &Control,
) -> Result<Vec<ChainReport>, Error> {
    let max_length = longest_useful(problem).min(settings.max_length);
    let mut hunt = Hunt { problem, settings, max_length, control, lists: Vec::new(), streams: 0 };
    let race = (RACE * iterations as f64) as u64;
    hunt.race(race)?;
    let known = ChainReport::new(&known.best_rules, known.best_log_posterior);
    hunt.lists.push(known);
    hunt.improve(iterations - race)?;
    hunt.finish()
}

/// Theorem 1: no best list is longer.
fn longest_useful(problem: &Problem) -> usize {
    let posterior = &problem.posterior;
    let log_f_all = posterior.likelihood.log_f(problem.pool.rows.class_counts());
    max_length_pool(log_f_all, posterior.lambda, &problem.pool.n_by_length())
        .map_or(usize::MAX, |length| usize::try_from(length).unwrap_or(usize::MAX))
}

/// `part` of `iterations` shared out to `n`.
fn share(iterations: u64, n: usize, part: usize) -> u64 {
    iterations / n as u64 + u64::from((part as u64) < iterations % n as u64)
}

struct Hunt<'a> {
    problem: &'a Problem,
    settings: &'a Settings,
    max_length: usize,
    control: &'a Control,
    /// The lists that are kept, and how each came about.
    lists: Vec<ChainReport>,
    /// Random streams given out so far.
    streams: u64,
}

/// A prefix to keep, what to begin with behind it, and how.
struct Try {
    of: usize,
    prefix: Vec<u32>,
    start: Vec<u32>,
    warm: f64,
    iterations: u64,
    rng: ChainRng,
}

impl<'a> Hunt<'a> {
    /// A stream that neither a chain nor another walk has.
    fn new_rng(&mut self) -> ChainRng {
        self.streams += 1;
        ChainRng::new(self.settings.seed, self.settings.n_chains as u64 + self.streams - 1)
    }

    /// Many walks cool; the better half of them goes on, round after round.
    fn race(&mut self, iterations: u64) -> Result<(), Error> {
        let n_walks = WINNERS << (ROUNDS - 1);
        let max_length = self.max_length;
        let mut walks: Vec<Walk<'a>> =
            (0..n_walks).map(|_| Walk::new(self.problem, &[], max_length, self.new_rng())).collect();
        let temperature = |round: u32| HOT * (COOL / HOT).powf(f64::from(round) / f64::from(ROUNDS));
        let mut out = Vec::new();
        for round in 0..ROUNDS {
            let all = share(iterations, ROUNDS as usize, round as usize);
            let n = walks.len();
            let cool = |(part, mut walk): (usize, Walk<'a>)| {
                let points = TRACE_POINTS.0 / u64::from(2 * ROUNDS);
                let (hot, cold) = (temperature(round), temperature(round + 1));
                let mean = walk.cool(hot, cold, share(all, n, part), points, self.control);
                (mean, walk)
            };
            let mut cooled =
                parallel::map(self.settings.threads, walks.into_iter().enumerate().collect(), cool)?;
            cooled.sort_by(|a, b| b.0.total_cmp(&a.0));
            let stay = if round + 1 == ROUNDS { n } else { n / 2 };
            out.extend(cooled.split_off(stay).into_iter().map(|(_, walk)| walk.report));
            walks = cooled.into_iter().map(|(_, walk)| walk).collect();
        }
        self.lists = walks.into_iter().map(|walk| walk.report).collect();
        // what the others did counts too
        for (loser, winner) in out.into_iter().zip((0..WINNERS).cycle()) {
            self.lists[winner].add_counts(&loser);
        }
        Ok(())
    }

    fn improve(&mut self, iterations: u64) -> Result<(), Error> {
        let usual = LEAST_TRY.max(4 * self.problem.pool.len() as u64);
        let n_tries = iterations.div_ceil(usual).max(LEAST_TRIES) as usize;
        let mut rng = self.new_rng();
        for first in (0..n_tries).step_by(AT_ONCE) {
            let tries: Vec<Try> = (first..n_tries.min(first + AT_ONCE))
                .map(|part| self.plan(share(iterations, n_tries, part), &mut rng))
                .collect();
            let (problem, max_length, control) = (self.problem, self.max_length, self.control);
            let carry_out = |a_try: Try| carry_out(problem, a_try, max_length, control);
            for (of, report) in parallel::map(self.settings.threads, tries, carry_out)? {
                self.settle(of, report);
            }
            if self.control.should_end() {
                break;
            }
        }
        Ok(())
    }

    fn plan(&mut self, iterations: u64, rng: &mut ChainRng) -> Try {
        let n = self.lists.len();
        let of = self.better(rng.below(n), rng.below(n));
        let other = if rng.uniform() < CROSSED { (of + 1 + rng.below(n - 1)) % n } else { of };
        let rules = &self.lists[of].best_rules;
        let prefix = rules[..rng.below(rules.len().max(1))].to_vec();
        let start = self.lists[other].best_rules.clone();
        let warm = WARM.0 * (WARM.1 / WARM.0).powf(rng.uniform());
        Try { of, prefix, start, warm, iterations, rng: self.new_rng() }
    }

    /// The better of two lists.
    fn better(&self, one: usize, other: usize) -> usize {
        let score = |list: usize| self.lists[list].best_log_posterior;
        if score(other) > score(one) {
            other
        } else {
            one
        }
    }

    /// A list takes the place of the one it came from, or of the worst, if it is better and not there already.
    fn settle(&mut self, of: usize, report: ChainReport) {
        self.lists[of].add_counts(&report);
        let found = report.best_log_posterior;
        self.control.offer_best(found);
        if self.lists.iter().any(|list| (list.best_log_posterior - found).abs() < polish::LEAST_GAIN) {
            return;
        }
        let worst =
            (0..self.lists.len()).reduce(|one, other| one + other - self.better(one, other)).unwrap_or(of);
        let place = if found > self.lists[of].best_log_posterior { of } else { worst };
        self.lists[place].offer(&report.best_rules, found);
    }

    /// Polish every list.
    fn finish(self) -> Result<Vec<ChainReport>, Error> {
        let (problem, max_length, control) = (self.problem, self.max_length, self.control);
        let polish = |mut report: ChainReport| {
            let rules = polish::polish(problem, &report.best_rules, max_length, 1, control)?;
            report.offer(&rules, problem.score(&rules).0.log_posterior());
            Ok(report)
        };
        parallel::map(self.settings.threads, self.lists, polish)?.into_iter().collect()
    }
}

/// Keep the prefix, warm up and cool down what follows.
fn carry_out(problem: &Problem, a_try: Try, max_length: usize, control: &Control) -> (usize, ChainReport) {
    let Try { of, prefix, start, warm, iterations, rng } = a_try;
    let mut report = ChainReport::new(&prefix, problem.score(&prefix).0.log_posterior());
    // where there is no memory for it, the list stays as it is
    let Ok(rest) = Rest::new(problem, &prefix) else { return (of, report) };
    let room = max_length.saturating_sub(prefix.len());
    let mut start = rest.within(&start);
    start.truncate(room);
    let shrunk = problem.pool.rows.n_rows() / rest.problem.pool.rows.n_rows().max(1);
    let mut walk =
        Walk::new(&rest.problem, &start, room, rng).with_pace((shrunk as u64).clamp(1, MOST_STEPS));
    walk.cool(warm, COLD, iterations, 0, control);
    let rules = rest.whole(&walk.report.best_rules);
    report.offer(&rules, problem.score(&rules).0.log_posterior());
    report.add_counts(&walk.report);
    (of, report)
}
