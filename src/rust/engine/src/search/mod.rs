//! Run the chains on threads, keep the best list and polish it.

pub mod attempt;
pub mod chain;
pub mod deep;
pub mod ground;
pub mod layout;
pub mod map;
pub mod moves;
pub mod patterns;
pub mod polish;
pub mod proposal;
pub mod rest;
pub mod room;
pub mod start;
pub mod state;
mod turns;
pub mod walk;

use crate::control::{Control, Phase};
use crate::error::Error;
use crate::memory;
use crate::mine::Pool;
use crate::model::captured_counts;
use crate::parallel;
use crate::posterior::{Hyperparameters, Posterior, Score};
use crate::rng::ChainRng;
use chain::{Chain, ChainReport};
use ground::Ground;
use state::State;
use turns::Pace;

/// Points of their way that one chain, and all chains together, keep at most.
const TRACE_POINTS: (u64, u64) = (250, 25_000);

/// A look at all moves of a list takes as long as about so many iterations, for each candidate: so many lists have one that
/// these looks take no longer than the chains.
const ITERATIONS_PER_LOOK: u64 = 10;

/// Share of a time limit that chains may take where walks get the rest.
const MAP_CHAINS_TIME: f64 = 0.1;

/// What is searched: the candidates and how lists of them are scored.
#[derive(Debug, Clone)]
pub struct Problem {
    pub pool: Pool,
    pub posterior: Posterior,
    ground: Ground,
}

impl Problem {
    pub fn new(pool: Pool, hyperparameters: &Hyperparameters) -> Result<Self, Error> {
        Problem::prepared(pool, hyperparameters, &Control::default())
    }

    /// The same, unless it is cancelled.
    pub fn prepared(pool: Pool, hyperparameters: &Hyperparameters, control: &Control) -> Result<Self, Error> {
        memory::check_room(room::of_tables(&pool))?;
        let posterior = Posterior::new(hyperparameters, &pool.n_by_length(), &pool.rows)?;
        Problem::of(pool, posterior, control)
    }

    fn of(pool: Pool, posterior: Posterior, control: &Control) -> Result<Self, Error> {
        let ground = Ground::choose(&pool, control).tabled(&posterior.likelihood);
        match control.is_cancelled() {
            true => Err(Error::Cancelled),
            false => Ok(Problem { pool, posterior, ground }),
        }
    }

    /// How sets of rows are kept.
    #[inline(always)]
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// The same problem with sets of rows kept in another way.
    #[cfg(any(test, feature = "naive"))]
    pub fn on(&self, ground: Ground) -> Self {
        Problem { ground, ..self.clone() }
    }

    /// Score a list from nothing but the covers of its rules; also the class counts its rules capture.
    pub fn score(&self, rules: &[u32]) -> (Score, Vec<u64>) {
        let covers = rules.iter().map(|&rule| self.pool.covers.column(rule as usize));
        let counts = captured_counts(&self.pool.rows, covers);
        let lengths = rules.iter().map(|&rule| self.pool.length(rule as usize));
        (self.posterior.score(lengths, &counts), counts)
    }
}

/// What the iterations are spent on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Chains that sample the posterior.
    Mcmc,
    /// Shorter chains, then walks that only look for the best list.
    Map,
}

/// How long and with what numbers to search.
#[derive(Debug, Clone)]
pub struct Settings {
    pub method: Method,
    pub n_chains: usize,
    pub iterations: u64,
    pub seed: u64,
    pub threads: usize,
    /// Longer lists are not looked at.
    pub max_length: usize,
}

impl Settings {
    fn total_iterations(&self) -> u64 {
        self.iterations.saturating_mul(self.n_chains as u64)
    }

    /// What each chain gets: all, or a small part where walks get the rest.
    fn chain_iterations(&self) -> u64 {
        match self.method {
            Method::Mcmc => self.iterations,
            Method::Map => self.iterations / 20,
        }
    }
}

/// What the search found.
#[derive(Debug, Clone)]
pub struct Outcome {
    pub rules: Vec<u32>,
    /// Captured rows per rule and class, the default rule's last.
    pub counts: Vec<u64>,
    pub score: Score,
    pub chains: Vec<ChainReport>,
    /// Whether it was stopped before it was done.
    pub stopped_early: bool,
}

/// Find the best list. The answer depends on the seed, never on the number of threads.
pub fn search(problem: &Problem, settings: &Settings, control: &Control) -> Result<Outcome, Error> {
    control.enter(Phase::Search);
    memory::check_room(room::of_lists(problem, settings, control.time_left().is_some()))?;
    let greedy = start::greedy(problem, settings.max_length, control);
    let greedy_score = greedy.score().log_posterior();
    let empty_score = State::empty(problem).score().log_posterior();
    let promising = start::promising(problem, greedy_score.max(empty_score), control);
    let mut known = ChainReport::new(greedy.rules(), greedy_score);
    let pace = Pace::new(control);
    let mut chains = run_chains(problem, &promising, settings, control)?;
    chains.iter().for_each(|chain| known.offer(&chain.best_rules, chain.best_log_posterior));
    if settings.method == Method::Map {
        let of_chains = settings.chain_iterations().saturating_mul(settings.n_chains as u64);
        let left = settings.total_iterations() - of_chains;
        chains.extend(map::look(problem, settings, pace.affordable(left), &known, control)?);
        chains.iter().for_each(|chain| known.offer(&chain.best_rules, chain.best_log_posterior));
    }

    control.enter(Phase::Polish);
    let rules = polish_best(problem, &known, &chains, settings, control)?;
    if control.is_cancelled() {
        return Err(Error::Cancelled);
    }
    let (score, counts) = problem.score(&rules);
    Ok(Outcome { rules, counts, score, chains, stopped_early: control.is_shortened() })
}

/// The best list known, polished; or that of a chain which comes to be better. Lists that are worse than half of the
/// others after a look at all moves are left at that.
fn polish_best<'a>(
    problem: &'a Problem,
    known: &ChainReport,
    chains: &[ChainReport],
    settings: &Settings,
    control: &Control,
) -> Result<Vec<u32>, Error> {
    let mut lists = vec![Climber { stays: true, ..Climber::at(problem, known) }];
    // walks leave polished lists, and on a few rows chains take less time than this
    if settings.method == Method::Mcmc && matches!(problem.ground(), Ground::Blocks(..)) {
        let mut best: Vec<&ChainReport> = chains.iter().collect();
        best.sort_by(|a, b| b.best_log_posterior.total_cmp(&a.best_log_posterior));
        best.dedup_by_key(|chain| chain.best_log_posterior);
        best.truncate(n_polished(problem, settings));
        let best = best.into_iter().take_while(|_| !control.should_end());
        lists.extend(best.map(|chain| Climber::at(problem, chain)));
        keep_best(&mut lists, usize::MAX);
    }
    while !lists.iter().all(|list| list.is_up) && !control.should_end() {
        let threads = (settings.threads / lists.len()).max(1);
        let climb = |mut list: Climber<'a>| {
            list.is_up =
                list.is_up || !polish::improve(&mut list.state, settings.max_length, threads, control)?;
            Ok(list)
        };
        lists = parallel::try_map::<_, _, Error>(settings.threads, lists, climb)?;
        let half = lists.len().div_ceil(2);
        keep_best(&mut lists, half);
    }
    let best = lists.iter().max_by(|a, b| a.score().total_cmp(&b.score()));
    Ok(best.map_or_else(Vec::new, |best| best.state.rules().to_vec()))
}

/// How many chains' lists are polished at most.
fn n_polished(problem: &Problem, settings: &Settings) -> usize {
    let n = settings.total_iterations() / (ITERATIONS_PER_LOOK * problem.pool.len().max(1) as u64);
    usize::try_from(n).unwrap_or(usize::MAX).min(settings.n_chains)
}

/// A list on its way up.
struct Climber<'a> {
    state: State<'a>,
    /// Whether no move improves it.
    is_up: bool,
    /// Whether it goes on to its end, however good the others.
    stays: bool,
}

impl<'a> Climber<'a> {
    fn at(problem: &'a Problem, report: &ChainReport) -> Self {
        Climber { state: State::with_rules(problem, &report.best_rules), is_up: false, stays: false }
    }

    fn score(&self) -> f64 {
        self.state.score().log_posterior()
    }
}

/// Keep the `n` best and those that stay. Of lists with the same score, which nearly always capture the same, one is enough.
fn keep_best(lists: &mut Vec<Climber<'_>>, n: usize) {
    lists.sort_by(|a, b| b.score().total_cmp(&a.score()).then(b.stays.cmp(&a.stays)));
    lists.dedup_by(|next, kept| !next.stays && kept.score() - next.score() < polish::LEAST_GAIN);
    let mut rank = 0;
    lists.retain(|list| {
        rank += 1;
        rank <= n || list.stays
    });
}

/// Run all chains on at most `settings.threads` threads; reports come in chain order.
fn run_chains(
    problem: &Problem,
    promising: &[u32],
    settings: &Settings,
    control: &Control,
) -> Result<Vec<ChainReport>, Error> {
    let points = (TRACE_POINTS.1 / settings.n_chains.max(1) as u64).clamp(1, TRACE_POINTS.0);
    let begin = |index: u64| {
        let mut rng = ChainRng::new(settings.seed, index);
        let mut rules = start::draw_start(&mut rng, promising);
        rules.truncate(settings.max_length);
        Chain::new(problem, &rules, settings.max_length, rng)
    };
    let iterations = settings.chain_iterations();
    let Some(time) = control.time_left() else {
        let run = |index: u64| begin(index).run(iterations, points, control);
        return parallel::map(settings.threads, (0..settings.n_chains as u64).collect(), run);
    };
    let go_on = |chain: &mut Chain<'_>, turn: &Control| {
        chain.go_on(iterations, points, turn);
        chain.is_done(iterations)
    };
    let share = if settings.method == Method::Map { MAP_CHAINS_TIME } else { 1.0 };
    let in_time = control.turn(Some(time.mul_f64(share)));
    let reports = turns::take_turns(settings.n_chains, settings.threads, begin, go_on, &in_time);
    control.check_deadline();
    reports
}
