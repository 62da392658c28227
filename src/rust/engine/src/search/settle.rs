//! A search that ends when its list has settled: several independent chains agree, and searches of another kind find nothing better.
//!
//! The chains are looked at after rounds of growing length, and go on from where they were. The best list of each is polished.
//! The longer they ran, the fewer must have found the best list: agreement after few iterations is a poor signal, because
//! chains are caught in the same basins (dev/notes/0019-settling.md). Then two searches of another kind try to find a better one from scratch,
//! annealing in a population, which is caught in other basins. If the chains do not agree, such searches decide in rounds of four,
//! together with at least one chain.
//!
//! All of it stops at a given amount of work, which is counted by what was read (`Control::add_work()`).

use super::canonical::tolerance;
use super::certify::prove_at_once;
use super::optimise::local_search::hill_climb;
use super::optimise::polish::n_affordable;
use super::optimise::population::{search_population, PopulationPlan};
use super::problem::Problem;
use super::record::{RunReport, ScoredList};
use super::sample::chain::Chain;
use super::sample::{begin_chains, ChainPlan};
use super::settings::Settings;
use crate::control::Control;
use crate::error::Error;
use crate::parallel;

/// Iterations of each chain at the end of each round, and how many of ten chains must then have found the best list.
const ROUNDS: [(u64, usize); 5] = [(10_000, 9), (30_000, 9), (100_000, 8), (300_000, 6), (1_000_000, 4)];
/// Fewer chains than this never decide.
const MIN_AGREEING: usize = 3;
/// The part of the work that chains may do after the first rounds.
const CHAIN_SHARE: u64 = 2;
/// Searches that challenge the list that the chains agree on, and the range of their iterations.
const N_CHALLENGES: usize = 2;
const CHALLENGE: (u64, u64) = (30_000, 300_000);
/// Rounds of searches of the other kind if the chains do not agree; how many there are, and must find the list.
const OTHER_ROUNDS: [u64; 3] = [100_000, 300_000, 1_000_000];
const N_OTHERS: usize = 4;
const MIN_OTHERS: usize = 2;
/// A search costs about as many iterations of a chain for each of its own, before it is known how many.
const OTHER_COST: u64 = 2;
/// Random streams of each search.
const STREAMS: u64 = 1 << 32;
/// With at most this many candidates, a proof is tried, with this many nodes.
const SMALL_POOL: usize = 65;
const PROOF_NODES: u64 = 100_000;

/// How much work there may be.
#[derive(Debug, Clone, Copy)]
pub struct SettlePlan {
    /// In the units of `Control::add_work()`.
    pub max_work: u64,
    /// Whether a proof is tried.
    pub proves: bool,
}

/// What is known of the best list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// A better list may well exist.
    Open,
    /// Independent searches agree.
    Settled,
    /// A proof shows that no list is better.
    Proved,
}

/// What is known of the best list, and from how many searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settled {
    /// What is known.
    pub verdict: Verdict,
    /// How many chains found it, of how many.
    pub n_chains: (usize, usize),
    /// How many searches of the last round of the other kind found it, of how many.
    pub n_others: (usize, usize),
}

impl Settled {
    /// Of a search that was stopped.
    pub fn open(n_chains: usize) -> Self {
        Settled { verdict: Verdict::Open, n_chains: (0, n_chains), n_others: (0, 0) }
    }
}

/// What was found.
pub struct Found {
    /// The best list, and others with its score.
    pub rules: Vec<Vec<u32>>,
    pub chains: Vec<RunReport>,
    pub settled: Settled,
}

/// Search until the best list has settled. `known` is a list to begin with.
pub fn settle(
    problem: &Problem,
    promising: &[u32],
    known: ScoredList,
    settings: &Settings,
    plan: &SettlePlan,
    control: &Control,
) -> Result<Found, Error> {
    let (n_chains, seed, threads) = (settings.n_chains, settings.seed, settings.threads);
    let chain_plan = ChainPlan { n_chains, iterations: settings.iterations, seed, threads, time: None };
    let chains = begin_chains(problem, promising, &chain_plan)?;
    let own = vec![ScoredList::new(&[], f64::NEG_INFINITY); chains.len()];
    let before = control.work();
    let mut settling = Settling {
        problem,
        settings,
        plan,
        control,
        before,
        chains,
        own,
        polished: Vec::new(),
        known,
        is_polished: false,
        n_rounds: 0,
        n_iterations: 0,
        previous: None,
        n_searches: 0,
    };
    let settled = settling.run()?;
    settling.finish(settled)
}

struct Settling<'a> {
    problem: &'a Problem,
    settings: &'a Settings,
    plan: &'a SettlePlan,
    control: &'a Control,
    /// Work that was done before.
    before: u64,
    chains: Vec<Chain<'a>>,
    /// The best polished list of each chain.
    own: Vec<ScoredList>,
    /// Log posteriors of lists that were polished, and what became of them.
    polished: Vec<(u64, ScoredList)>,
    /// The best list.
    known: ScoredList,
    is_polished: bool,
    /// Rounds of chains that are done, the iterations of each chain, and the best log posterior after the last round.
    n_rounds: usize,
    n_iterations: u64,
    previous: Option<f64>,
    /// Searches of the other kind so far.
    n_searches: u64,
}

impl<'a> Settling<'a> {
    fn run(&mut self) -> Result<Settled, Error> {
        if let Some(settled) = self.run_chains(self.plan.max_work / CHAIN_SHARE)? {
            return Ok(settled);
        }
        let mut others = (0, 0);
        for iterations in OTHER_ROUNDS {
            let cost = OTHER_COST * N_OTHERS as u64 * iterations * self.work_per_iteration();
            if self.is_over() || self.work() + cost > self.plan.max_work {
                break;
            }
            let found = self.search_others(N_OTHERS, iterations)?;
            others = (found, N_OTHERS);
            let chains = self.n_agreeing();
            if found >= MIN_OTHERS && chains >= 1 && found + chains >= MIN_AGREEING && !self.is_over() {
                return Ok(self.verdict(Verdict::Settled, others));
            }
            if found == 0 {
                // they are caught by worse lists
                break;
            }
        }
        if let Some(settled) = self.run_chains(self.plan.max_work)? {
            return Ok(settled);
        }
        self.spend_what_is_left()?;
        Ok(self.verdict(Verdict::Open, others))
    }

    /// Rounds of chains, those that are left, until enough of them agree and nothing better is found from scratch.
    fn run_chains(&mut self, max_work: u64) -> Result<Option<Settled>, Error> {
        while let Some(&(iterations, of_ten)) = ROUNDS.get(self.n_rounds) {
            let n_more = (iterations - self.n_iterations) * self.chains.len() as u64;
            let cost = n_more * self.work_per_iteration();
            let is_optional = iterations > self.settings.iterations;
            if self.is_over() || (is_optional && self.work() + cost > max_work) {
                break;
            }
            (self.n_rounds, self.n_iterations) = (self.n_rounds + 1, iterations);
            self.continue_chains(iterations)?;
            if self.is_over() {
                break;
            }
            if iterations == self.settings.iterations && self.is_proved()? {
                return Ok(Some(self.verdict(Verdict::Proved, (0, 0))));
            }
            let enough = (of_ten * self.chains.len()).div_ceil(10).max(MIN_AGREEING);
            let before = self.previous.replace(self.known.log_posterior);
            let is_steady =
                before.is_some_and(|before| self.known.log_posterior <= before + tolerance(before));
            if self.n_agreeing() < enough || !is_steady {
                continue;
            }
            let agreed = self.known.log_posterior;
            let found = self.search_others(N_CHALLENGES, iterations.clamp(CHALLENGE.0, CHALLENGE.1))?;
            if self.known.log_posterior <= agreed + tolerance(agreed) && !self.is_over() {
                return Ok(Some(self.verdict(Verdict::Settled, (found, N_CHALLENGES))));
            }
        }
        Ok(None)
    }

    /// Let all chains go on until each has done this many iterations, and polish their lists.
    fn continue_chains(&mut self, iterations: u64) -> Result<(), Error> {
        let chains = std::mem::take(&mut self.chains);
        let go_on = |mut chain: Chain<'a>| {
            chain.run(iterations, self.control);
            chain
        };
        self.chains = parallel::map(self.settings.threads, chains, go_on)?;
        self.polish(iterations)
    }

    /// Polish the different best lists, best first, as many as cost no more than the chains.
    fn polish(&mut self, iterations: u64) -> Result<(), Error> {
        let lists: Vec<ScoredList> = self.chains.iter().map(|chain| chain.best().clone()).collect();
        let mut open: Vec<&ScoredList> =
            lists.iter().filter(|list| self.polished_form(list).is_none()).collect();
        open.sort_by(|a, b| b.log_posterior.total_cmp(&a.log_posterior));
        open.dedup_by_key(|list| list.log_posterior.to_bits());
        open.truncate(n_affordable(self.problem, iterations * lists.len() as u64).max(1));
        let best = open.first().map_or(f64::NEG_INFINITY, |list| list.log_posterior);
        if !self.is_polished && self.known.log_posterior > best {
            open.insert(0, &self.known);
        }
        let (problem, control) = (self.problem, self.control);
        let climb = |list: &ScoredList| {
            let rules = hill_climb(problem, &list.rules, control)?;
            let mut better = list.clone();
            better.improve(&rules, problem.log_posterior(&rules));
            Ok((list.log_posterior.to_bits(), better))
        };
        let polished = parallel::try_map::<_, _, Error>(self.settings.threads, open, climb)?;
        self.is_polished = true;
        polished.iter().for_each(|(_, list)| self.known.improve(&list.rules, list.log_posterior));
        self.polished.extend(polished);
        for (index, list) in lists.iter().enumerate() {
            let form = self.polished_form(list).unwrap_or(list).clone();
            self.own[index].improve(&form.rules, form.log_posterior);
            self.known.improve(&form.rules, form.log_posterior);
        }
        Ok(())
    }

    fn polished_form(&self, list: &ScoredList) -> Option<&ScoredList> {
        let bits = list.log_posterior.to_bits();
        self.polished.iter().find(|(score, _)| *score == bits).map(|(_, form)| form)
    }

    fn is_known(&self, list: &ScoredList) -> bool {
        list.log_posterior >= self.known.log_posterior - tolerance(self.known.log_posterior)
    }

    /// Chains that found the best list.
    fn n_agreeing(&self) -> usize {
        self.own.iter().filter(|list| self.is_known(list)).count()
    }

    /// Search from scratch in the other way, several times; how many of them found the list that is then the best.
    fn search_others(&mut self, n: usize, iterations: u64) -> Result<usize, Error> {
        let empty = ScoredList::new(&[], self.problem.log_posterior(&[]));
        let mut found = Vec::with_capacity(n);
        for _ in 0..n {
            found.push(self.search_other(&empty, iterations)?);
        }
        found.iter().for_each(|list| self.known.improve(&list.rules, list.log_posterior));
        let n_found = found.iter().filter(|list| self.is_known(list)).count();
        self.polished.extend(found.into_iter().map(|list| (u64::MAX, list)));
        Ok(n_found)
    }

    fn search_other(&mut self, start: &ScoredList, iterations: u64) -> Result<ScoredList, Error> {
        self.n_searches += 1;
        let (seed, threads) = (self.settings.seed, self.settings.threads);
        let plan = PopulationPlan { iterations, seed, first_stream: self.n_searches * STREAMS, threads };
        let runs = search_population(self.problem, plan, start, &|_| Ok(None), self.control)?;
        let mut best = start.clone();
        runs.iter().for_each(|run| best.improve(&run.best.rules, run.best.log_posterior));
        Ok(ScoredList { log_posterior: self.problem.log_posterior(&best.rules), ..best })
    }

    /// One more search, which begins with the best list.
    fn spend_what_is_left(&mut self) -> Result<(), Error> {
        let left = self.plan.max_work.saturating_sub(self.work());
        if left == 0 || self.is_over() {
            return Ok(());
        }
        let n = left / (OTHER_COST * self.work_per_iteration()).max(1);
        let start = self.known.clone();
        let found = self.search_other(&start, n.clamp(CHALLENGE.0, OTHER_ROUNDS[2]))?;
        self.known.improve(&found.rules, found.log_posterior);
        Ok(())
    }

    /// Whether the best list is proved, or one that is and takes its place.
    fn is_proved(&mut self) -> Result<bool, Error> {
        let is_tried = self.plan.proves && self.problem.pool.len() <= SMALL_POOL;
        // what can be proved in a limited time differs
        if !is_tried || self.control.time_left().is_some() {
            return Ok(false);
        }
        let proved =
            prove_at_once(self.problem, &self.known, PROOF_NODES, self.settings.threads, self.control)?;
        if let Some(list) = &proved {
            self.known.improve(&list.rules, list.log_posterior);
        }
        Ok(proved.is_some())
    }

    fn verdict(&self, verdict: Verdict, n_others: (usize, usize)) -> Settled {
        Settled { verdict, n_chains: (self.n_agreeing(), self.chains.len()), n_others }
    }

    fn work(&self) -> u64 {
        self.control.work() - self.before
    }

    /// What an iteration of a chain costs, by those so far.
    fn work_per_iteration(&self) -> u64 {
        self.problem.work_per_move(self.known.rules.len())
    }

    fn is_over(&self) -> bool {
        self.control.should_end_now()
    }

    fn finish(self, settled: Settled) -> Result<Found, Error> {
        let mut rules = vec![self.known.rules.clone()];
        let others = self.own.iter().chain(self.polished.iter().map(|(_, list)| list));
        let equal = others.filter(|list| self.is_known(list)).map(|list| list.rules.clone());
        rules.extend(equal);
        rules.sort_unstable();
        rules.dedup();
        // the best one first
        let best = rules.iter().position(|rules| *rules == self.known.rules).unwrap_or(0);
        rules.swap(0, best);
        if self.control.should_end() {
            rules.truncate(1);
        }
        Ok(Found { rules, chains: self.chains.into_iter().map(Chain::into_report).collect(), settled })
    }
}
