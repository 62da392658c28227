//! All lists of at most t rules by dynamic programming over their sets of rules, for two classes.
//!
//! What a set of rules captures does not depend on their order, so the last rule of a list captures |∪S| − |∪(S ∖ v)| rows. Let W(S)
//! be the most that the log marginals of the rules of S add up to in any order. Then
//!
//! ```text
//! W(S) = max over v in S of  W(S ∖ v) + log f(|∪S| − |∪(S ∖ v)|)
//! ```
//!
//! and the best list with these rules is worth W(S) + log f(rows left) + what the prior adds, which does not depend on the order
//! while no length is used up. Each set is counted once, where the depth-first search counts it in all orders that no bound cuts:
//! on noisy data, where bounds cut little, this is many times faster. It needs the W and |∪S| of all sets with one rule fewer.
//!
//! Candidates are numbered by *place*: first those that may come first in a list, then the others. A set is the increasing sequence of
//! its places, and the sets of one size are in lexicographic order. So sets that begin alike are neighbours. Sets in which no rule may
//! come first are at the end, and are left out.

use super::prices::Prices;
use super::proof::{Ended, TurnLimits};
use super::set_sweep::{Found, Level, SetSweep, Task};
use super::subsets::Subsets;
use super::table::ProofTable;
use crate::bitset::{without, BitColumns};
use crate::control::Control;
use crate::data::Rows;
use crate::error::Error;
use crate::leaf::TwoClasses;
use crate::memory;
use crate::parallel;
use crate::search::record::ScoredList;
use crate::search::residual::Residual;

/// Bytes that are kept of each set.
const SET_BYTES: u64 = 16;
/// Sets per round of tasks, unless one task has more.
const ROUND: u64 = 1 << 22;

/// The rows that a place leaves, and the covers of all places behind it on them.
#[derive(Debug)]
struct Behind {
    place: usize,
    rows: Rows,
    covers: BitColumns,
}

/// The enumeration; it can be continued.
#[derive(Debug)]
pub struct Sets<'t> {
    table: &'t ProofTable<'t>,
    leaf: TwoClasses<'t>,
    prices: Prices,
    rows: Rows,
    covers: BitColumns,
    /// By place.
    candidates: Vec<u32>,
    lengths: Vec<usize>,
    n_first: usize,
    subsets: Subsets,
    /// The size of the sets being counted, the sets with one place fewer, and those of this size so far if they are needed.
    size: usize,
    shorter: Level,
    level: Level,
    /// The next sets begin with these two places.
    next: [usize; 2],
    behind: Option<Behind>,
    best: ScoredList,
    /// Sets counted so far, and those left.
    n_counted: [u64; 2],
}

/// What it takes to count all sets.
#[derive(Debug, Clone, Copy)]
pub struct Cost<'t> {
    /// The leaf of two classes that it is for.
    pub leaf: TwoClasses<'t>,
    /// Sweeps: as many sets as there are candidates are one.
    pub n_nodes: u64,
    pub n_bytes: u64,
}

/// The cost for lists of at most as many rules as `prices` allow, `n_first` candidates of which may come first; `None` if it is not possible,
/// or if there are no sets to keep.
pub fn cost<'t>(
    table: &'t ProofTable<'_>,
    root: &Residual,
    prices: &Prices,
    n_first: usize,
) -> Result<Option<Cost<'t>>, Error> {
    let (n, t) = (root.candidates.len(), prices.max_length());
    let is_counted = (3..=n).contains(&t) && root.total.iter().sum::<u64>() <= u64::from(u32::MAX);
    let Some(leaf) = table.two_classes().filter(|_| is_counted) else { return Ok(None) };
    let subsets = Subsets::new(n, t)?;
    let n_sets = |size: usize| subsets.count(size, n_first);
    // the sets of two sizes are there at one time, and those of a round
    let n_kept = n_sets(t - 1).saturating_add(n_sets(t - 2)).saturating_add(n_sets(t - 1).min(ROUND));
    let n_counted = (2..=t).fold(0u64, |sum, size| sum.saturating_add(n_sets(size)));
    // two copies of the covers
    let n_bytes = n_kept.saturating_mul(SET_BYTES).saturating_add(16 * root.covers.words().len() as u64);
    Ok(Some(Cost { leaf, n_nodes: n_counted / n as u64, n_bytes }))
}

impl<'t> Sets<'t> {
    /// Lists better than `best` whose first rule is one of `first`, numbers of candidates of `root`. The prior must be plain.
    pub fn new(
        table: &'t ProofTable<'t>,
        leaf: TwoClasses<'t>,
        root: &Residual,
        prices: Prices,
        first: &[usize],
        best: ScoredList,
    ) -> Result<Self, Error> {
        let mut is_first = vec![false; root.candidates.len()];
        first.iter().for_each(|&index| is_first[index] = true);
        let others = (0..is_first.len()).filter(|&index| !is_first[index]);
        let order: Vec<usize> = first.iter().copied().chain(others).collect();
        let candidates: Vec<u32> = order.iter().map(|&index| root.candidates[index]).collect();
        let subsets = Subsets::new(order.len(), prices.max_length())?;
        let n_sets = (2..=prices.max_length()).map(|size| subsets.count(size, first.len())).sum();
        Ok(Sets {
            subsets,
            rows: root.rows.merged(table.costs().len()),
            covers: root.reordered(&order)?,
            lengths: candidates.iter().map(|&candidate| table.lengths[candidate as usize]).collect(),
            candidates,
            n_first: first.len(),
            table,
            leaf,
            prices,
            size: 2,
            shorter: Level::default(),
            level: Level::default(),
            next: [0, 0],
            behind: None,
            best,
            n_counted: [0, n_sets],
        })
    }

    /// The best list.
    pub fn best(&self) -> &ScoredList {
        &self.best
    }

    /// Sets not yet counted.
    pub fn n_open(&self) -> u64 {
        self.n_counted[1]
    }

    /// Sweeps so far.
    pub fn n_nodes(&self) -> u64 {
        self.n_counted[0].div_ceil(self.candidates.len() as u64)
    }

    /// Count the sets of one and two places, to begin with.
    pub fn count_pairs(&mut self, control: &Control) -> Result<(), Error> {
        let mut counts = memory::filled(0, 2 * self.candidates.len())?;
        self.rows.count_each(self.rows.all(), self.covers.words(), &mut counts);
        let f = self.leaf;
        for counts in counts.chunks_exact(2) {
            let counts = [counts[0], counts[1]];
            self.shorter.push(f.log_marginal(counts), counts)?;
        }
        let mut sweep = SetSweep::new(self.task(), (&self.rows, &self.covers), &[])?;
        for first in 0..self.n_first {
            sweep.go_on_with(first, control)?;
        }
        let found = sweep.found;
        self.adopt(found)?;
        self.begin(3)
    }

    /// Begin with the sets of another size.
    fn begin(&mut self, size: usize) -> Result<(), Error> {
        self.shorter = std::mem::take(&mut self.level);
        (self.size, self.next) = (size, [0, 1]);
        if self.keeps_level() {
            self.level = Level::with_capacity(self.subsets.count(size, self.n_first))?;
        }
        Ok(())
    }

    /// Whether longer lists follow.
    fn keeps_level(&self) -> bool {
        self.size < self.prices.max_length()
    }

    fn adopt(&mut self, found: Found) -> Result<(), Error> {
        self.n_counted[0] += found.n_counted;
        self.n_counted[1] -= found.n_counted;
        if let Some((_, places)) = found.best {
            let rules = self.best_order(&places);
            self.best.improve(&rules, self.table.problem.log_posterior(&rules));
        }
        self.level.append(&found.level)
    }

    /// The best list of all rules of a set.
    fn best_order(&self, places: &[usize]) -> Vec<u32> {
        let f = self.leaf;
        let mut counts = vec![[0; 2]; 1 << places.len()];
        let mut best = vec![(0.0, Vec::new()); 1 << places.len()];
        for set in 1..best.len() {
            let members = || (0..places.len()).filter(|bit| set >> bit & 1 == 1);
            let mut captured = vec![0; self.rows.n_words()];
            for bit in members() {
                captured
                    .iter_mut()
                    .zip(self.covers.column(places[bit]))
                    .for_each(|(all, cover)| *all |= cover);
            }
            self.rows.count_and(&captured, &captured, &mut counts[set]);
            let last = |bit: usize| {
                let before: &[u64; 2] = &counts[set & !(1 << bit)];
                let own = [counts[set][0] - before[0], counts[set][1] - before[1]];
                (best[set & !(1 << bit)].0 + f.log_marginal(own), bit)
            };
            let Some((value, bit)) = members().map(last).max_by(|a, b| a.0.total_cmp(&b.0)) else { continue };
            let mut rules: Vec<u32> = best[set & !(1 << bit)].1.clone();
            rules.push(self.candidates[places[bit]]);
            best[set] = (value, rules);
        }
        best.pop().map(|(_, rules)| rules).unwrap_or_default()
    }

    /// Go on until everything was looked at or a limit is reached.
    pub fn run(&mut self, limits: &TurnLimits, control: &Control) -> Result<Ended, Error> {
        let most = limits.n_nodes.saturating_mul(self.candidates.len() as u64);
        let end = self.n_counted[0].saturating_add(most);
        loop {
            // as many places follow as a set still needs
            let last_second = self.candidates.len() + 1 - self.size;
            while self.next[0] < self.n_first.min(last_second) {
                let tasks = self.next_tasks(last_second, end - self.n_counted[0]);
                let Some(&last) = tasks.last() else { return Ok(Ended::Nodes) };
                let behind = self.behind.take().filter(|behind| behind.place == self.next[0]);
                self.behind = Some(behind.map_or_else(|| self.look_behind(self.next[0], control), Ok)?);
                let found =
                    parallel::try_map(limits.threads, tasks, |second| self.sets_from(second, control));
                let found = match found {
                    // the round is done again should the search go on
                    Err(Error::TimeLimit | Error::Cancelled) => return Ok(Ended::Stopped),
                    found => found?,
                };
                found.into_iter().try_for_each(|found| self.adopt(found))?;
                let first = self.next[0];
                self.next = if last < last_second { [first, last + 1] } else { [first + 1, first + 2] };
            }
            if !self.keeps_level() {
                return Ok(Ended::Solved);
            }
            self.begin(self.size + 1)?;
        }
    }

    /// The second places of the next round, of at most `most` sets.
    fn next_tasks(&self, last_second: usize, most: u64) -> Vec<usize> {
        let mut n_sets = 0u64;
        let fits = |&second: &usize| {
            let is_first = n_sets == 0;
            let n_behind = self.candidates.len() - 1 - second;
            n_sets = n_sets.saturating_add(self.subsets.choose(n_behind, self.size - 2));
            n_sets <= most && (is_first || n_sets <= ROUND)
        };
        (self.next[1]..=last_second).take_while(fits).collect()
    }

    fn look_behind(&self, place: usize, control: &Control) -> Result<Behind, Error> {
        let left: Vec<u64> = without(self.rows.all(), self.covers.column(place)).collect();
        let (rows, selection) = self.rows.only(&left, control)?;
        let n_behind = self.candidates.len() - 1 - place;
        let mut covers = BitColumns::zeroed(n_behind, rows.n_words())?;
        for index in 0..n_behind {
            covers.column_mut(index).copy_from_slice(&selection.pack(self.covers.column(place + 1 + index)));
        }
        Ok(Behind { place, rows, covers })
    }

    /// All sets of this size that begin with the next first place and this second one.
    fn sets_from(&self, second: usize, control: &Control) -> Result<Found, Error> {
        let Some(behind) = &self.behind else { return Ok(Found::default()) };
        let mut sweep = SetSweep::new(self.task(), (&behind.rows, &behind.covers), &[behind.place])?;
        if self.keeps_level() {
            let n_behind = self.candidates.len() - 1 - second;
            sweep.found.level = Level::with_capacity(self.subsets.choose(n_behind, self.size - 2))?;
        }
        sweep.go_on_with(second, control)?;
        Ok(sweep.found)
    }

    fn task(&self) -> Task<'_> {
        Task {
            leaf: self.leaf,
            prices: &self.prices,
            subsets: &self.subsets,
            lengths: &self.lengths,
            n_first: self.n_first,
            total: [self.rows.class_counts()[0], self.rows.class_counts()[1]],
            size: self.size,
            shorter: &self.shorter,
            keeps_level: self.keeps_level(),
            best: self.best.log_posterior,
        }
    }
}
