//! A search for the best list and nothing else: a race of cooling walks, then the best of them improved part by part.
//!
//! Many walks start hot from the empty list; they cool in rounds, and after each round the better half goes on. Then the
//! lists that are left are taken up again and again: a prefix of one is kept, and what follows it (its own rules, or those
//! of another list) is warmed up, cooled and polished (`attempt.rs`). First each list stays for itself, and of those too the
//! better half goes on; at last a few are improved together, and a good one drives out the others. From the best
//! one, changes of two rules at once are looked at too (`deep.rs`).

use super::attempt::Attempt;
use super::chain::ChainReport;
use super::deep::{deepen, Reach};
use super::polish;
use super::turns::Pace;
use super::walk::Walk;
use super::{Problem, Settings, TRACE_POINTS};
use crate::bounds::max_length_pool;
use crate::control::Control;
use crate::error::Error;
use crate::parallel;
use crate::rng::ChainRng;

/// Rounds of the race, and walks that come to its end; each round before has twice as many.
const ROUNDS: u32 = 2;
const WINNERS: usize = 16;
pub const N_WALKS: usize = WINNERS << (ROUNDS - 1);
/// Where the race begins and where it ends.
const HOT: f64 = 12.0;
const COOL: f64 = 1.5;
/// Share of the iterations that the race gets.
const RACE: f64 = 0.3;

/// Iterations of one attempt, unless there are so many candidates that laying out the smaller problem costs more.
const LEAST_ATTEMPT: u64 = 2_500;
/// There are so many of them at least in a round, however short.
const LEAST_ATTEMPTS: u64 = 12;
/// Between these temperatures, where each draws its own, it begins.
const WARM: (f64, f64) = (2.0, 5.0);
/// How often it begins with the rules of another list.
const CROSSED: f64 = 0.5;
/// Attempts between two meetings: a number that does not depend on the threads, since the answer must not.
const AT_ONCE: usize = 4;

/// Share of the attempts in which each list stays for itself, in as many rounds; after each the better half goes on.
const ALONE: f64 = 0.7;
const ALONE_ROUNDS: usize = 3;
/// Lists that are then improved together.
const TOGETHER: usize = 5;

/// At the end so many neighbours of the best list have their own looked at, as far as that reads no more than a quarter of
/// the words that the iterations read: each a column, and as much as some words for the step itself.
const NEIGHBOURS: usize = 100;
const PART_AHEAD: u64 = 4;
const STEP_ITSELF: usize = 64;

/// Who makes way for a list that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
enum MakesWay {
    /// The one it came from, if that is worse.
    Parent,
    /// The same, or else the worst.
    ParentOrWorst,
}

/// Spend `iterations` on lists better than `known`. One report per list that was kept.
pub fn look(
    problem: &Problem,
    settings: &Settings,
    iterations: u64,
    known: &ChainReport,
    control: &Control,
) -> Result<Vec<ChainReport>, Error> {
    let max_length = longest_useful(problem).min(settings.max_length);
    let lists = Vec::new();
    let mut hunt = Hunt { problem, settings, max_length, control, lists, streams: 0, polishes_ends: false };
    let race = (RACE * iterations as f64) as u64;
    let pace = Pace::new(control);
    hunt.race(race)?;
    let known = ChainReport::new(&known.best_rules, known.best_log_posterior);
    hunt.lists.push(known);
    let left = pace.affordable(iterations - race);
    let mut alone = (ALONE * left as f64) as u64;
    if alone < hunt.usual_attempt() * hunt.lists.len() as u64 {
        // not every list would have its turn
        alone = 0;
    }
    for round in (0..ALONE_ROUNDS).filter(|_| alone > 0) {
        hunt.polishes_ends = round > 0;
        hunt.improve(share(alone, ALONE_ROUNDS, round), MakesWay::Parent)?;
        hunt.keep_best(hunt.lists.len().div_ceil(2).max(TOGETHER));
    }
    hunt.keep_best(TOGETHER);
    hunt.polishes_ends = true;
    hunt.improve(left - alone, MakesWay::ParentOrWorst)?;
    hunt.finish(iterations)
}

/// Theorem 1: no best list is longer.
fn longest_useful(problem: &Problem) -> usize {
    let posterior = &problem.posterior;
    let log_marginal_all = posterior.likelihood.log_marginal(problem.pool.rows.class_counts());
    max_length_pool(log_marginal_all, posterior.lambda, &problem.pool.n_by_length())
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
    /// Whether attempts polish where they end: not at first, when they find something better anyway.
    polishes_ends: bool,
}

impl<'a> Hunt<'a> {
    /// A stream that neither a chain nor another walk has.
    fn new_rng(&mut self) -> ChainRng {
        self.streams += 1;
        ChainRng::new(self.settings.seed, self.settings.n_chains as u64 + self.streams - 1)
    }

    /// Many walks cool; the better half of them goes on, round after round.
    fn race(&mut self, iterations: u64) -> Result<(), Error> {
        let max_length = self.max_length;
        let mut walks: Vec<Walk<'a>> =
            (0..N_WALKS).map(|_| Walk::new(self.problem, &[], max_length, self.new_rng())).collect();
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

    /// Iterations of an attempt, if there are enough.
    fn usual_attempt(&self) -> u64 {
        LEAST_ATTEMPT.max(8 * self.problem.pool.len() as u64)
    }

    /// Attempts at the lists, in which `iterations` are shared out.
    fn improve(&mut self, iterations: u64, way: MakesWay) -> Result<(), Error> {
        let n_attempts = iterations.div_ceil(self.usual_attempt()).max(LEAST_ATTEMPTS) as usize;
        let mut rng = self.new_rng();
        for first in (0..n_attempts).step_by(AT_ONCE) {
            let attempts: Vec<Attempt> = (first..n_attempts.min(first + AT_ONCE))
                .map(|part| self.plan(part, share(iterations, n_attempts, part), way, &mut rng))
                .collect();
            let (problem, max_length, control) = (self.problem, self.max_length, self.control);
            let carry_out = |attempt: Attempt| (attempt.of, attempt.carry_out(problem, max_length, control));
            for (of, report) in parallel::map(self.settings.threads, attempts, carry_out)? {
                self.settle(of, report?, way);
            }
            if self.control.should_end() {
                break;
            }
        }
        Ok(())
    }

    /// Keep a prefix of one list, and go on with its own rules or those of another list.
    fn plan(&mut self, part: usize, iterations: u64, way: MakesWay, rng: &mut ChainRng) -> Attempt {
        let n = self.lists.len();
        let of = match way {
            MakesWay::Parent => part % n,
            MakesWay::ParentOrWorst => self.better(rng.below(n), rng.below(n)),
        };
        let other = if rng.uniform() < CROSSED { (of + 1 + rng.below((n - 1).max(1))) % n } else { of };
        let rules = &self.lists[of].best_rules;
        let prefix = rules[..rng.below(rules.len().max(1))].to_vec();
        let wanted = self.lists[if way == MakesWay::Parent { of } else { self.worst() }].best_log_posterior;
        let temperature = WARM.0 * (WARM.1 / WARM.0).powf(rng.uniform());
        let start = self.lists[other].best_rules.clone();
        let (polishes_end, rng) = (self.polishes_ends, self.new_rng());
        Attempt { of, prefix, start, temperature, iterations, wanted, polishes_end, rng }
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

    fn worst(&self) -> usize {
        (0..self.lists.len()).reduce(|one, other| one + other - self.better(one, other)).unwrap_or(0)
    }

    /// A list takes the place of one that makes way, if it is better and not there already.
    fn settle(&mut self, of: usize, report: ChainReport, way: MakesWay) {
        self.lists[of].add_counts(&report);
        let found = report.best_log_posterior;
        self.control.report_best(found);
        if self.lists.iter().any(|list| (list.best_log_posterior - found).abs() < polish::LEAST_GAIN) {
            return;
        }
        let is_better = found > self.lists[of].best_log_posterior;
        let place = if is_better || way == MakesWay::Parent { of } else { self.worst() };
        self.lists[place].offer(&report.best_rules, found);
    }

    /// Keep the `n` best lists; what was done for the others counts too.
    fn keep_best(&mut self, n: usize) {
        self.lists.sort_by(|a, b| b.best_log_posterior.total_cmp(&a.best_log_posterior));
        let out = self.lists.split_off(n.clamp(1, self.lists.len()));
        for (at, list) in out.iter().enumerate() {
            self.lists[at % n].add_counts(list);
        }
    }

    /// Polish every list, and look two moves ahead from the best one.
    fn finish(self, iterations: u64) -> Result<Vec<ChainReport>, Error> {
        let (problem, max_length, control) = (self.problem, self.max_length, self.control);
        let best = (0..self.lists.len()).reduce(|one, other| self.better(one, other));
        let step = (problem.pool.rows.n_words() + STEP_ITSELF) as u64;
        let reach = Reach { neighbours: NEIGHBOURS, words: iterations.saturating_mul(step) / PART_AHEAD };
        let polish = |(at, mut report): (usize, ChainReport)| {
            let mut rules = polish::polished(problem, &report.best_rules, max_length, control)?;
            if Some(at) == best {
                rules = deepen(problem, &rules, max_length, reach, control)?;
            }
            report.offer(&rules, problem.score(&rules).0.log_posterior());
            Ok(report)
        };
        let lists = self.lists.into_iter().enumerate().collect();
        parallel::try_map(self.settings.threads, lists, polish)
    }
}
