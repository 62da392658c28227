//! Depth-first search for frequent antecedents (as in Eclat) on bit columns.

use super::items::Items;
use super::order::{NameOrder, Step};
use super::support::min_count;
use crate::bitset::and_into;
use crate::control::Control;
use crate::data::Rows;
use crate::error::Error;
use crate::memory;
use crate::model::{Antecedents, Item};
use crate::parallel;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What mining needs besides the supports; it can be repeated with other supports.
pub struct Miner<'a> {
    pub rows: &'a Rows,
    pub items: &'a Items,
    /// Numbers of items a candidate may have.
    pub lengths: RangeInclusive<usize>,
    /// Whether a candidate may have two items of one feature.
    pub joins_feature: bool,
    pub order: NameOrder,
    pub threads: usize,
    pub control: &'a Control,
}

/// Items counted between two checks of the control.
const ITEMS_PER_CHECK: usize = 64;

/// What one run may cost.
#[derive(Debug, Clone, Copy)]
pub struct MiningBudget {
    /// Candidates it may find.
    pub candidates: usize,
    /// Words it may read, approximately.
    pub words: u64,
}

/// Why a run ended early.
enum Break {
    /// The budget is spent.
    Spent,
    Error(Error),
}

impl From<Error> for Break {
    fn from(error: Error) -> Self {
        Break::Error(error)
    }
}

impl Miner<'_> {
    /// All antecedents with these supports in the order of their names, or `None` if the budget does not suffice.
    pub fn mine(&self, supports: &[f64], budget: MiningBudget) -> Result<Option<Antecedents>, Error> {
        match self.find(supports, budget) {
            Ok(found) => Ok(Some(self.order.arrange(found, self.items.names(), self.control)?)),
            Err(Break::Spent) => Ok(None),
            Err(Break::Error(error)) => Err(error),
        }
    }

    /// The same in the order in which they are found.
    fn find(&self, supports: &[f64], budget: MiningBudget) -> Result<Antecedents, Break> {
        // weights that are not whole numbers are rounded, which must not decide at the boundary
        let slack = if self.rows.unit() == 1.0 { 1.0 } else { 1.0 - 1e-12 };
        let thresholds = supports.iter().zip(self.rows.class_counts());
        let min_counts: Vec<u64> = thresholds.map(|(&support, &n)| min_count(support * slack, n)).collect();
        let all = self.rows.all();
        let left = BudgetLeft {
            candidates: AtomicU64::new(budget.candidates as u64),
            words: AtomicU64::new(budget.words),
        };
        let new_search = || DepthFirst::new(self, &min_counts, &left);
        let mut first = new_search();
        let mut frequent = memory::collect(0..self.items.len() as u32)?;
        first.keep_frequent(all, &mut frequent)?;
        let steps = first.enter(&frequent)?;
        // pairs take most of the time
        let n_words = self.rows.n_words().saturating_mul(frequent.len().saturating_mul(frequent.len()));
        let threads = parallel::threads_for(self.threads, n_words);
        let parts = parallel::try_map(threads, steps, |step| {
            let mut search = new_search();
            search.take(all, &frequent, step).map(|()| search.found)
        })?;
        let mut found = Antecedents::default();
        for part in parts {
            found.append(&part)?;
        }
        Ok(found)
    }
}

/// What is left of the budget of all threads together.
struct BudgetLeft {
    candidates: AtomicU64,
    words: AtomicU64,
}

/// Spend `n` of what is left.
fn spend(left: &AtomicU64, n: usize) -> Result<(), Break> {
    let taken = left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(n as u64));
    taken.map(|_| ()).map_err(|_| Break::Spent)
}

/// The state of one thread.
struct DepthFirst<'a> {
    miner: &'a Miner<'a>,
    min_counts: &'a [u64],
    left: &'a BudgetLeft,
    counts: Vec<u64>,
    prefix: Vec<u32>,
    buffers: Vec<Vec<u64>>,
    found: Antecedents,
}

impl<'a> DepthFirst<'a> {
    fn new(miner: &'a Miner<'a>, min_counts: &'a [u64], left: &'a BudgetLeft) -> Self {
        DepthFirst {
            miner,
            min_counts,
            left,
            counts: vec![0; min_counts.len()],
            prefix: Vec::new(),
            buffers: Vec::new(),
            found: Antecedents::default(),
        }
    }

    /// Keep the items with which `cover` is still frequent.
    fn keep_frequent(&mut self, cover: &[u64], items: &mut Vec<u32>) -> Result<(), Break> {
        let mut n_kept = 0;
        for first in (0..items.len()).step_by(ITEMS_PER_CHECK) {
            let end = items.len().min(first + ITEMS_PER_CHECK);
            self.miner.control.check_unfinished()?;
            spend(&self.left.words, (end - first) * cover.len())?;
            for index in first..end {
                let item = items[index];
                if self.is_frequent(cover, item) {
                    items[n_kept] = item;
                    n_kept += 1;
                }
            }
        }
        items.truncate(n_kept);
        Ok(())
    }

    /// Whether the rows of `cover` that match `item` have the support of some class.
    fn is_frequent(&mut self, cover: &[u64], item: u32) -> bool {
        self.miner.rows.count_and(cover, self.miner.items.column(item), &mut self.counts);
        self.counts.iter().zip(self.min_counts).any(|(count, min)| count >= min)
    }

    /// The steps from the prefix to `siblings`, all of which are frequent with it.
    fn enter(&mut self, siblings: &[u32]) -> Result<Vec<Step>, Break> {
        let length = self.prefix.len() + 1;
        if length >= *self.miner.lengths.start() {
            spend(&self.left.candidates, siblings.len())?;
        }
        Ok(self.miner.order.steps(siblings, length < *self.miner.lengths.end())?)
    }

    /// Take one step from the prefix, which has this cover and these frequent `siblings`.
    fn take(&mut self, cover: &[u64], siblings: &[u32], step: Step) -> Result<(), Break> {
        self.prefix.push(step.item);
        let taken = match step.ends {
            true => self.record(),
            false => self.descend(cover, siblings, step.item),
        };
        self.prefix.pop();
        taken
    }

    fn record(&mut self) -> Result<(), Break> {
        if self.prefix.len() >= *self.miner.lengths.start() {
            self.found.push(&self.prefix)?;
        }
        Ok(())
    }

    /// Visit the extensions of the prefix, to which `item` has just been added. Support only falls with length, so an
    /// infrequent sibling is left out of the whole subtree.
    fn descend(&mut self, cover: &[u64], siblings: &[u32], item: u32) -> Result<(), Break> {
        let items = self.miner.items;
        let this = items.item(item);
        let may_join = |other: &Item| {
            this.can_join(other) && (self.miner.joins_feature || this.feature != other.feature)
        };
        let joins = |&other: &u32| other > item && may_join(items.item(other));
        let mut next = memory::with_capacity(siblings.len())?;
        next.extend(siblings.iter().copied().filter(joins));
        if next.is_empty() {
            return Ok(());
        }
        let mut narrowed = self.buffers.pop().map_or_else(|| memory::filled(0, cover.len()), Ok)?;
        and_into(cover, items.column(item), &mut narrowed);
        self.keep_frequent(&narrowed, &mut next)?;
        for step in self.enter(&next)? {
            self.take(&narrowed, &next, step)?;
        }
        self.buffers.push(narrowed);
        Ok(())
    }
}
