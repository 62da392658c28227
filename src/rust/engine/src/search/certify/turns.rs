//! Best-first search and the search for short lists by turns.

use super::best_first::BestFirst;
use super::blocks::BlockTables;
use super::limited::Limited;
use super::prices::Prices;
use super::proof::{Ended, LengthProof, RESOLUTION};
use super::table::ProofTable;
use super::work::{Improve, Work};
use crate::error::Error;
use crate::search::record::ScoredList;
use crate::search::residual::Residual;

/// Nodes of the first turn of each search, and of the longest.
const FIRST_TURN: u64 = 512;
const LONGEST_TURN: u64 = 1 << 16;
/// Words read per turn, at most.
const WORDS_PER_TURN: u64 = 1 << 32;
/// How many times as many nodes the favoured search gets.
const FAVOUR: u64 = 8;
/// Best-first search is favoured in pools of at most this many candidates, or with a gap of at most this many nats.
const FEW_CANDIDATES: usize = 64;
const SMALL_GAP: f64 = 150.0;
/// Entries of the block tables, by the nodes that best-first search needed so far.
const BLOCK_VALUES: [(u64, usize); 2] = [(0, 1 << 20), (40_000, 1 << 24)];

/// After this many nodes, and again after each four times as many, a better list is searched for: without the best list a proof takes
/// several times as long.
const SEARCH_AFTER: u64 = 40_000;

/// Sets of rules take at most one part in this many of the memory.
const SETS_SHARE: usize = 4;

/// Shorter lists are soon proved whatever the best one is.
const SEARCHED_LENGTH: usize = 4;

/// Both searches.
pub struct Turns<'t> {
    table: &'t ProofTable<'t>,
    prices: Prices,
    best_first: BestFirst<'t>,
    is_full: bool,
    n_tables: usize,
    /// The list that was made better last.
    improved: Vec<u32>,
    /// Searches so far, and the nodes after which the next one begins.
    n_searches: u64,
    search_after: u64,
    /// Nodes that the search for short lists may use, and how many it waits for.
    credit: u64,
    needed: u64,
    /// Whether its next step needs more nodes than the budget has left.
    is_stuck: bool,
}

impl<'t> Turns<'t> {
    pub fn new(table: &'t ProofTable<'t>, prices: Prices, best: ScoredList, tolerance: f64) -> Self {
        Turns {
            table,
            prices: prices.clone(),
            improved: best.rules.clone(),
            n_searches: 1,
            search_after: SEARCH_AFTER,
            best_first: BestFirst::new(table, prices, best, tolerance),
            is_full: false,
            n_tables: 0,
            credit: 0,
            needed: 0,
            is_stuck: false,
        }
    }

    /// Work until everything is looked at or the budget is used up.
    pub fn run(&mut self, work: &mut Work<'_>, improve: &Improve<'_>) -> Result<(), Error> {
        work.set_bound(self.best_first.upper_bound());
        let root = Residual::whole(&self.table.rows, &self.table.covers, &self.table.lengths, work.control)?;
        let mut limited = self.next_limited(&root, 1, None, improve)?;
        let mut turn = FIRST_TURN;
        loop {
            let favours_limited = limited.is_some() && self.favours_limited();
            let [most, least] = [turn, turn / FAVOUR];
            let mut ended = None;
            if !self.is_full {
                let n_nodes = if favours_limited { least } else { most };
                let n_taken = limited.as_ref().map_or(0, |(_, search)| search.n_bytes());
                ended = self.turn_best_first(work, n_nodes, n_taken)?;
            }
            self.credit += if favours_limited || self.is_full { most } else { least };
            if let (Some((length, search)), None) = (&mut limited, ended) {
                let length = *length;
                ended = self.turn_limited(work, length, search)?;
                if search.is_done() && ended.is_none() {
                    let best = search.best().clone();
                    limited = self.next_limited(&root, length + 1, Some(best), improve)?;
                }
            }
            self.exchange(work, &mut limited, improve)?;
            work.set_bound(self.best_first.upper_bound());
            if let Some(ended) = ended.or_else(|| self.why_end(work, limited.is_some())) {
                self.end(work, ended, limited.as_ref());
                return Ok(());
            }
            turn = (2 * turn).min(self.longest_turn());
        }
    }

    /// Why there is no further turn, if there is none. `has_limited`: whether the search for short lists goes on.
    fn why_end(&self, work: &Work<'_>, has_limited: bool) -> Option<Ended> {
        if self.best_first.is_done() {
            return Some(Ended::Solved);
        }
        if self.is_full && !has_limited {
            return Some(Ended::Memory);
        }
        // a search that takes no step would get another turn without end
        if work.certificate.n_nodes >= work.budget.max_nodes || (self.is_full && self.is_stuck) {
            return Some(Ended::Nodes);
        }
        work.control.should_end_now().then_some(Ended::Stopped)
    }

    /// A turn lasts seconds at most, so that the progress is seen.
    fn longest_turn(&self) -> u64 {
        let affordable = WORDS_PER_TURN / self.table.covers.words().len().max(1) as u64;
        affordable.clamp(FIRST_TURN, LONGEST_TURN)
    }

    fn favours_limited(&self) -> bool {
        let gap = self.best_first.upper_bound() - self.best_first.best().log_posterior;
        self.table.lengths.len() > FEW_CANDIDATES && gap > SMALL_GAP && self.best_first.n_nodes() > 0
    }

    /// A turn of best-first search, while the other one takes some memory; what ends all work, if something does.
    fn turn_best_first(
        &mut self,
        work: &mut Work<'_>,
        n_nodes: u64,
        n_taken: usize,
    ) -> Result<Option<Ended>, Error> {
        self.set_blocks(work)?;
        let before = self.best_first.n_nodes();
        let mut limits = work.limits(n_nodes.max(1));
        limits.n_bytes = limits.n_bytes.saturating_sub(n_taken);
        let ended = self.best_first.run(&limits, work.control)?;
        work.certificate.n_nodes += self.best_first.n_nodes() - before;
        match ended {
            Ended::Solved | Ended::Stopped => return Ok(Some(ended)),
            Ended::Memory => self.is_full = true,
            Ended::Nodes => {}
        }
        Ok(None)
    }

    /// Block tables, larger ones once the search has taken long.
    fn set_blocks(&mut self, work: &Work<'_>) -> Result<(), Error> {
        let due = BLOCK_VALUES.iter().filter(|(nodes, _)| *nodes <= self.best_first.n_nodes()).count();
        if due > self.n_tables {
            self.n_tables = due;
            // tables take at most a sixteenth of the memory, and several times as much while they are filled
            let n_values = BLOCK_VALUES[due - 1].1.min(work.budget.max_bytes / 64);
            if let Some(blocks) = BlockTables::new(self.table, n_values, work.budget.threads, work.control)? {
                self.best_first.set_blocks(blocks);
            }
        }
        Ok(())
    }

    /// The search for lists of at most `length` rules, if there is one: the prior must be plain. What it proves is exact, whatever the
    /// gap.
    fn next_limited<'s>(
        &self,
        root: &'s Residual,
        length: usize,
        best: Option<ScoredList>,
        improve: &Improve<'_>,
    ) -> Result<Option<(usize, Limited<'s>)>, Error>
    where
        't: 's,
    {
        let prices = self.prices.limited_to(length);
        if length > self.prices.max_length() || !prices.is_plain() || prices.max_length() < length {
            return Ok(None);
        }
        let mut start = best.unwrap_or_else(|| ScoredList::new(&[], f64::NEG_INFINITY));
        let known = self.best_first.best();
        for length in 1..=length.min(known.rules.len()) {
            let rules = &known.rules[..length];
            start.improve(rules, self.table.problem.log_posterior(rules));
        }
        let problem = self.table.problem.limited_to(length);
        let better = match length < SEARCHED_LENGTH {
            true => (improve.climb)(&problem, &start.rules)?,
            false => (improve.search)(&problem, &start.rules, 0)?,
        };
        start.improve(&better, self.table.problem.log_posterior(&better));
        Ok(Some((length, Limited::new(self.table, root, prices, start, RESOLUTION))))
    }

    /// A turn of the search for short lists; what ends all work, if something does. A first rule that needs more nodes than it got
    /// is begun again, so the search waits until it has twice as many.
    fn turn_limited(
        &mut self,
        work: &mut Work<'_>,
        length: usize,
        search: &mut Limited<'_>,
    ) -> Result<Option<Ended>, Error> {
        let is_last = work.certificate.n_nodes.saturating_add(self.credit) >= work.budget.max_nodes;
        if self.credit < self.needed && !is_last {
            return Ok(None);
        }
        let before = (search.n_nodes(), search.n_open());
        let mut limits = work.limits(self.credit);
        let n_free = limits.n_bytes.saturating_sub(self.best_first.n_bytes());
        limits.n_bytes = n_free.min(limits.n_bytes / SETS_SHARE);
        let ended = search.run(&limits, work.control)?;
        let used = search.n_nodes() - before.0;
        work.certificate.n_nodes += used;
        self.is_stuck = is_last && used == 0 && !search.is_done();
        self.needed = if search.n_open() < before.1 { 0 } else { 2 * self.credit };
        self.credit = self.credit.saturating_sub(used);
        if !search.is_done() {
            return Ok((ended == Ended::Stopped).then_some(ended));
        }
        let certificate = &mut work.certificate;
        certificate.max_length_proved = length;
        let log_posterior = search.best().log_posterior;
        certificate.by_length.push(LengthProof { length, log_posterior, is_proved: true });
        // no longer list can win
        if length < self.best_first.max_length() {
            return Ok(None);
        }
        self.best_first.close(search.best(), search.upper_bound());
        Ok(Some(Ended::Solved))
    }

    /// Let both searches know the best list, and try to make a new one better.
    fn exchange(
        &mut self,
        work: &mut Work<'_>,
        limited: &mut Option<(usize, Limited<'_>)>,
        improve: &Improve<'_>,
    ) -> Result<(), Error> {
        if let Some((_, search)) = limited {
            self.best_first.improve(&search.best().rules, search.best().log_posterior);
        }
        let problem = self.table.problem;
        if self.best_first.n_nodes() >= self.search_after && !self.best_first.is_done() {
            let better = (improve.search)(problem, &self.best_first.best().rules, self.n_searches)?;
            self.best_first.improve(&better, problem.log_posterior(&better));
            self.n_searches += 1;
            self.search_after *= 4;
        }
        if self.best_first.best().rules != self.improved {
            let better = (improve.climb)(problem, &self.best_first.best().rules)?;
            self.best_first.improve(&better, problem.log_posterior(&better));
            self.improved = self.best_first.best().rules.clone();
        }
        let best = self.best_first.best();
        work.certificate.best.improve(&best.rules, best.log_posterior);
        Ok(())
    }

    fn end(&self, work: &mut Work<'_>, ended: Ended, limited: Option<&(usize, Limited<'_>)>) {
        work.certificate.ended = ended;
        if let (Some((length, search)), true) = (limited, ended != Ended::Solved) {
            let log_posterior = search.best().log_posterior;
            let unproved = LengthProof { length: *length, log_posterior, is_proved: false };
            if !search.is_done() {
                work.certificate.by_length.push(unproved);
            }
        }
        if ended == Ended::Solved {
            work.finish(self.best_first.upper_bound());
        }
    }
}
