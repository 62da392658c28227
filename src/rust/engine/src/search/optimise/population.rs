//! The search for the best list: an annealing race, then a population of lists that is improved part by part.
//!
//! 1. Race (successive halving): many annealing runs start hot from the empty list; after each round the better half goes on.
//! 2. Islands: each list is reannealed on its own, a prefix kept and the rest reheated; again the better half goes on.
//! 3. Pooled lists: a few lists are improved together, now also with the rules of another list after a prefix (crossover); a
//!    good list replaces the worst.
//! 4. All are polished, and the best one gets a two-step search.

use super::annealing::Annealer;
use super::limit::LengthLimit;
use super::local_search::{hill_climb, trim_and_climb};
use super::reanneal::{useful_prefix, Reanneal};
use super::two_step::{improve_tails, TailBudget};
use crate::bounds::max_length_pool;
use crate::control::Control;
use crate::error::Error;
use crate::parallel;
use crate::rng::ChainRng;
use crate::search::pace::Pace;
use crate::search::problem::{Problem, MIN_GAIN};
use crate::search::record::{RunReport, ScoredList, TRACE_POINTS};

/// Rounds of the race, and lists that reach its end; each round before has twice as many.
const ROUNDS: u32 = 2;
const FINALISTS: usize = 16;
/// Lists in the first round of the race.
pub const N_RUNS: usize = FINALISTS << (ROUNDS - 1);
/// First and last temperature of the race.
const HOT: f64 = 12.0;
const COOL: f64 = 1.5;
/// Share of the iterations that the race gets.
const RACE_SHARE: f64 = 0.3;

/// Iterations of one reannealing, unless there are more candidates, which make setting up the residual problem expensive.
const MIN_REANNEAL: u64 = 2_500;
/// Range of the temperature to which a list is reheated, drawn log-uniformly.
const REHEAT: (f64, f64) = (2.0, 5.0);
/// How often a list goes on with the rules of another one.
const CROSSOVER_RATE: f64 = 0.5;
/// Reannealings between two updates of the population. The number is fixed because the answer must not depend on threads.
const GENERATION: usize = 4;

/// Share of the remaining iterations during which lists are improved separately, and in how many rounds.
const ISLAND_SHARE: f64 = 0.7;
const ISLAND_ROUNDS: usize = 3;
/// Lists that are then improved together.
const POOLED_LISTS: usize = 5;

/// Two-step search: expand this many of the best neighbours, within a quarter of the words that the iterations read; an
/// iteration reads about a column and costs as much as some words more.
const TWO_STEP_NEIGHBOURS: usize = 100;
const TWO_STEP_SHARE: u64 = 4;
const STEP_OVERHEAD_WORDS: usize = 64;

/// Which list an improved one may replace.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Replacement {
    /// Its parent, if that is worse.
    Parent,
    /// The same, or else the worst.
    ParentOrWorst,
}

/// How many iterations to spend, with what random numbers, on how many threads.
#[derive(Debug, Clone, Copy)]
pub struct PopulationPlan {
    /// Iterations in all.
    pub iterations: u64,
    /// Determines all random numbers.
    pub seed: u64,
    /// The first random stream that nobody else uses.
    pub first_stream: u64,
    /// Most threads; they do not change the result.
    pub threads: usize,
}

/// What finds the best list and proves that it is, starting from a good one; `None` if it cannot.
pub type Prove<'a> = dyn Fn(&ScoredList) -> Result<Option<ScoredList>, Error> + 'a;

/// Search for lists better than `known`. One report per list that is kept. It ends after the race if the best list is then proved.
pub fn search_population(
    problem: &Problem,
    plan: PopulationPlan,
    known: &ScoredList,
    prove: &Prove<'_>,
    control: &Control,
) -> Result<Vec<RunReport>, Error> {
    let longest = longest_useful(problem);
    let limit = LengthLimit::of(problem, longest, known, control);
    let problem = problem.limited_to(longest);
    let relaxed = problem.relaxed_by(limit.n_extra);
    let lists = Vec::new();
    let mut search = PopulationSearch { problem: &problem, plan, control, limit, lists, n_streams: 0 };
    let race = (RACE_SHARE * plan.iterations as f64) as u64;
    let pace = Pace::new(control);
    search.race(&relaxed, race)?;
    search.lists.push(RunReport::new(&known.rules, known.log_posterior));
    if let Some(proved) = search.best().map_or(Ok(None), prove)? {
        search.keep_best(POOLED_LISTS);
        search.lists.push(RunReport::new(&proved.rules, proved.log_posterior));
        return Ok(search.lists);
    }
    let left = pace.affordable(plan.iterations - race);
    let mut islands = (ISLAND_SHARE * left as f64) as u64;
    if islands < search.usual_reanneal() * search.lists.len() as u64 {
        // not every list would have its turn
        islands = 0;
    }
    for round in (0..ISLAND_ROUNDS).filter(|_| islands > 0) {
        search.evolve(share(islands, ISLAND_ROUNDS, round), Replacement::Parent)?;
        search.keep_best(search.lists.len().div_ceil(2).max(POOLED_LISTS));
    }
    search.keep_best(POOLED_LISTS);
    search.evolve(left - islands, Replacement::ParentOrWorst)?;
    search.finish()
}

/// Theorem 1: no best list is longer.
fn longest_useful(problem: &Problem) -> usize {
    // it relies on log f ≤ 0
    if !problem.objective.leaf().stops_early() {
        return usize::MAX;
    }
    let log_marginal_all = problem.objective.leaf().log_marginal(problem.pool.rows.class_counts());
    let prior = problem.objective.prior();
    max_length_pool(log_marginal_all, prior.lambda(), prior.n_by_length())
        .map_or(usize::MAX, |length| usize::try_from(length).unwrap_or(usize::MAX))
}

/// Part number `part` of `iterations` divided into `n` equal parts.
fn share(iterations: u64, n: usize, part: usize) -> u64 {
    iterations / n as u64 + u64::from((part as u64) < iterations % n as u64)
}

struct PopulationSearch<'a> {
    problem: &'a Problem,
    plan: PopulationPlan,
    control: &'a Control,
    limit: LengthLimit,
    /// The lists that are kept, with what was done for them.
    lists: Vec<RunReport>,
    /// Random streams in use.
    n_streams: u64,
}

impl PopulationSearch<'_> {
    /// The best list.
    fn best(&self) -> Option<&ScoredList> {
        let best = (0..self.lists.len()).reduce(|one, other| self.better(one, other));
        best.map(|index| &self.lists[index].best)
    }

    /// A stream that neither a chain nor another run has.
    fn new_rng(&mut self) -> ChainRng {
        self.n_streams += 1;
        ChainRng::new(self.plan.seed, self.plan.first_stream + self.n_streams - 1)
    }

    /// Anneal many lists; after each round the half with the higher mean log posterior goes on.
    fn race<'p>(&mut self, relaxed: &'p Problem, iterations: u64) -> Result<(), Error> {
        let mut runs: Vec<Annealer<'p>> =
            (0..N_RUNS).map(|_| Annealer::new(relaxed, &[], self.new_rng())).collect();
        let hottest = self.limit.heat * HOT;
        let temperature = |round: u32| hottest * (COOL / hottest).powf(f64::from(round) / f64::from(ROUNDS));
        let mut dropped = Vec::new();
        for round in 0..ROUNDS {
            let all = share(iterations, ROUNDS as usize, round as usize);
            let n = runs.len();
            let cool = |(part, mut run): (usize, Annealer<'p>)| {
                let n_points = TRACE_POINTS / u64::from(2 * ROUNDS);
                let (hot, cold) = (temperature(round), temperature(round + 1));
                let mean = run.cool(hot, cold, share(all, n, part), n_points, self.control);
                (mean, run)
            };
            let runs_with_index = runs.into_iter().enumerate().collect();
            let mut cooled = parallel::map(self.plan.threads, runs_with_index, cool)?;
            cooled.sort_by(|a, b| b.0.total_cmp(&a.0));
            let n_kept = if round + 1 == ROUNDS { n } else { n / 2 };
            dropped.extend(cooled.split_off(n_kept).into_iter().map(|(_, run)| run.report));
            runs = cooled.into_iter().map(|(_, run)| run).collect();
        }
        self.lists = runs.into_iter().map(|run| run.report).collect();
        // count what was done for the others too
        for (loser, winner) in dropped.into_iter().zip((0..FINALISTS).cycle()) {
            self.lists[winner].add_counts(&loser);
        }
        self.trim()
    }

    /// Make all lists admissible, and leave out what is not from their traces.
    fn trim(&mut self) -> Result<(), Error> {
        let (problem, control) = (self.problem, self.control);
        let trim = |mut report: RunReport| {
            report.trace.retain(|point| problem.objective.admits(point.length));
            if problem.objective.admits(report.best.rules.len()) {
                return Ok(report);
            }
            let rules = trim_and_climb(problem, &report.best.rules, control)?;
            report.best = ScoredList { log_posterior: problem.log_posterior(&rules), rules };
            Ok(report)
        };
        let lists = std::mem::take(&mut self.lists);
        self.lists = parallel::try_map::<_, _, Error>(self.plan.threads, lists, trim)?;
        Ok(())
    }

    /// Iterations of one reannealing, if there are enough.
    fn usual_reanneal(&self) -> u64 {
        MIN_REANNEAL.max(8 * self.problem.pool.len() as u64)
    }

    /// Improve the lists by reannealings, which share the iterations.
    fn evolve(&mut self, iterations: u64, replacement: Replacement) -> Result<(), Error> {
        let n = iterations.div_ceil(self.usual_reanneal()).max(1) as usize;
        let mut rng = self.new_rng();
        for first in (0..n).step_by(GENERATION) {
            let tries: Vec<Reanneal> = (first..n.min(first + GENERATION))
                .map(|part| self.plan_reanneal(part, share(iterations, n, part), replacement, &mut rng))
                .collect();
            let run = |reanneal: Reanneal| (reanneal.parent, reanneal.run(self.problem, self.control));
            for (parent, report) in parallel::map(self.plan.threads, tries, run)? {
                self.replace(parent, report?, replacement);
            }
            if self.control.should_end() {
                break;
            }
        }
        Ok(())
    }

    /// Keep a prefix of one list, and go on with its own rules or those of another list.
    fn plan_reanneal(
        &mut self,
        part: usize,
        iterations: u64,
        replacement: Replacement,
        rng: &mut ChainRng,
    ) -> Reanneal {
        let n = self.lists.len();
        let parent = match replacement {
            Replacement::Parent => part % n,
            Replacement::ParentOrWorst => self.better(rng.below(n), rng.below(n)),
        };
        let is_crossed = rng.uniform() < CROSSOVER_RATE;
        let other = if is_crossed { (parent + 1 + rng.below((n - 1).max(1))) % n } else { parent };
        let rules = &self.lists[parent].best.rules;
        let best = self.best().map_or(f64::NEG_INFINITY, |best| best.log_posterior);
        let prefix = useful_prefix(self.problem, &rules[..rng.below(rules.len().max(1))], best).to_vec();
        let temperature = REHEAT.0 * (self.limit.heat * REHEAT.1 / REHEAT.0).powf(rng.uniform());
        let start = self.lists[other].best.rules.clone();
        let n_extra = if part % 2 == 0 { self.limit.n_extra } else { 0 };
        let rng = self.new_rng();
        Reanneal { parent, prefix, start, n_extra, temperature, iterations, rng }
    }

    /// The better of two lists.
    fn better(&self, one: usize, other: usize) -> usize {
        let score = |list: usize| self.lists[list].best.log_posterior;
        if score(other) > score(one) {
            other
        } else {
            one
        }
    }

    fn worst(&self) -> usize {
        (0..self.lists.len()).reduce(|one, other| one + other - self.better(one, other)).unwrap_or(0)
    }

    /// Put an improved list in place of its parent or the worst, unless it is there already.
    fn replace(&mut self, parent: usize, report: RunReport, replacement: Replacement) {
        self.lists[parent].add_counts(&report);
        let found = report.best.log_posterior;
        self.control.report_best(found);
        if self.lists.iter().any(|list| (list.best.log_posterior - found).abs() < MIN_GAIN) {
            return;
        }
        let is_better = found > self.lists[parent].best.log_posterior;
        let place = if is_better || replacement == Replacement::Parent { parent } else { self.worst() };
        self.lists[place].best.improve(&report.best.rules, found);
    }

    /// Keep the `n` best lists; count what was done for the others too.
    fn keep_best(&mut self, n: usize) {
        self.lists.sort_by(|a, b| b.best.log_posterior.total_cmp(&a.best.log_posterior));
        let dropped = self.lists.split_off(n.clamp(1, self.lists.len()));
        for (index, list) in dropped.iter().enumerate() {
            self.lists[index % n].add_counts(list);
        }
    }

    /// Polish every list, and the best one also by two steps at a time.
    fn finish(self) -> Result<Vec<RunReport>, Error> {
        let (problem, control) = (self.problem, self.control);
        let best = (0..self.lists.len()).reduce(|one, other| self.better(one, other));
        let step = (problem.pool.rows.n_words() + STEP_OVERHEAD_WORDS) as u64;
        let words = self.plan.iterations.saturating_mul(step) / TWO_STEP_SHARE;
        let budget = TailBudget { neighbours: TWO_STEP_NEIGHBOURS, words };
        let polish = |(index, mut report): (usize, RunReport)| {
            let mut rules = hill_climb(problem, &report.best.rules, control)?;
            if Some(index) == best {
                rules = improve_tails(problem, &rules, budget, control)?;
            }
            report.best.improve(&rules, problem.log_posterior(&rules));
            Ok(report)
        };
        let lists = self.lists.into_iter().enumerate().collect();
        parallel::try_map(self.plan.threads, lists, polish)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random_problem;

    #[test]
    fn shares_add_up_and_differ_by_one_at_most() {
        for (iterations, n) in [(0, 3), (7, 3), (100, 7), (5, 9)] {
            let shares: Vec<u64> = (0..n).map(|part| share(iterations, n, part)).collect();
            assert_eq!(shares.iter().sum::<u64>(), iterations);
            assert!(shares.iter().max().unwrap() - shares.iter().min().unwrap() <= 1);
        }
    }

    #[test]
    fn an_improved_list_replaces_its_parent_or_the_worst_but_never_joins_an_equal() {
        let problem = random_problem(&mut ChainRng::new(1, 0));
        let control = Control::default();
        let plan = PopulationPlan { iterations: 0, seed: 1, first_stream: 0, threads: 1 };
        let limit = LengthLimit::NONE;
        let population = |replacement: Replacement, found: f64| {
            let lists = [-3.0, -1.0, -2.0].map(|score| RunReport::new(&[], score)).to_vec();
            let mut search =
                PopulationSearch { problem: &problem, plan, control: &control, limit, lists, n_streams: 0 };
            assert_eq!((search.worst(), search.better(0, 2)), (0, 2));
            search.replace(1, RunReport::new(&[7], found), replacement);
            search.lists.iter().map(|list| list.best.log_posterior).collect::<Vec<f64>>()
        };
        for replacement in [Replacement::Parent, Replacement::ParentOrWorst] {
            assert_eq!(population(replacement, -0.5), [-3.0, -0.5, -2.0]);
            assert_eq!(population(replacement, -2.0), [-3.0, -1.0, -2.0]);
        }
        assert_eq!(population(Replacement::Parent, -1.5), [-3.0, -1.0, -2.0]);
        assert_eq!(population(Replacement::ParentOrWorst, -1.5), [-1.5, -1.0, -2.0]);
    }
}
