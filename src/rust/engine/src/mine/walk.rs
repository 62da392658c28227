//! The depth-first walk over antecedents, on bit columns.

use super::order::{NameOrder, Step};
use super::{min_count, Items, Limits};
use crate::bitset::and_into;
use crate::control::Control;
use crate::data::Rows;
use crate::error::Error;
use crate::memory;
use crate::model::Antecedents;
use crate::parallel;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// All that a walk needs to know; it can be walked again with other supports.
pub struct Ground<'a> {
    pub rows: &'a Rows,
    pub items: &'a Items,
    pub limits: &'a Limits,
    pub order: NameOrder,
    pub threads: usize,
    pub control: &'a Control,
}

/// Items that are looked at between two looks at the flags.
const PER_LOOK: usize = 64;

/// How far a walk may go.
#[derive(Debug, Clone, Copy)]
pub struct Reach {
    /// Candidates it may meet.
    pub candidates: usize,
    /// Words it may read, about.
    pub words: u64,
}

/// Why a walk did not reach its end.
enum Break {
    /// It went as far as it may.
    Reach,
    Error(Error),
}

impl From<Error> for Break {
    fn from(error: Error) -> Self {
        Break::Error(error)
    }
}

impl Ground<'_> {
    /// All antecedents with these supports in the order of their names, or `None` if they are beyond reach.
    pub fn walk(&self, supports: &[f64], reach: Reach) -> Result<Option<Antecedents>, Error> {
        match self.walk_through(supports, reach) {
            Ok(found) => Ok(Some(self.order.arrange(found, &self.items.names, self.control)?)),
            Err(Break::Reach) => Ok(None),
            Err(Break::Error(error)) => Err(error),
        }
    }

    /// The same as the walk meets them.
    fn walk_through(&self, supports: &[f64], reach: Reach) -> Result<Antecedents, Break> {
        // weights that are no whole numbers carry rounding of their own, and so must not decide at the boundary
        let slack = if self.rows.unit() == 1.0 { 1.0 } else { 1.0 - 1e-12 };
        let thresholds = supports.iter().zip(self.rows.class_counts());
        let min_counts: Vec<u64> = thresholds.map(|(&support, &n)| min_count(support * slack, n)).collect();
        let all = self.rows.all();
        let left =
            Left { candidates: AtomicU64::new(reach.candidates as u64), words: AtomicU64::new(reach.words) };
        let new_walk = || Walk::new(self, &min_counts, &left);
        let mut first = new_walk();
        let mut frequent = memory::collect(0..self.items.items.len() as u32)?;
        first.keep_frequent(all, &mut frequent)?;
        let steps = first.enter(&frequent)?;
        // pairs are what most walks spend their time on
        let n_words = self.rows.n_words().saturating_mul(frequent.len().saturating_mul(frequent.len()));
        let threads = parallel::threads_for(self.threads, n_words);
        let parts = parallel::try_map(threads, steps, |step| {
            let mut walk = new_walk();
            walk.take(all, &frequent, step).map(|()| walk.found)
        })?;
        let mut found = Antecedents::default();
        for part in parts {
            found.append(&part)?;
        }
        Ok(found)
    }
}

/// What all threads together may still do.
struct Left {
    candidates: AtomicU64,
    words: AtomicU64,
}

/// Take `n` of what is left, if there is as much.
fn spend(left: &AtomicU64, n: usize) -> Result<(), Break> {
    let taken = left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(n as u64));
    taken.map(|_| ()).map_err(|_| Break::Reach)
}

/// Where one thread is.
struct Walk<'a> {
    ground: &'a Ground<'a>,
    min_counts: &'a [u64],
    left: &'a Left,
    counts: Vec<u64>,
    prefix: Vec<u32>,
    buffers: Vec<Vec<u64>>,
    found: Antecedents,
}

impl<'a> Walk<'a> {
    fn new(ground: &'a Ground<'a>, min_counts: &'a [u64], left: &'a Left) -> Self {
        Walk {
            ground,
            min_counts,
            left,
            counts: vec![0; min_counts.len()],
            prefix: Vec::new(),
            buffers: Vec::new(),
            found: Antecedents::default(),
        }
    }

    /// Keep those of `items` that narrow `cover` to rows enough.
    fn keep_frequent(&mut self, cover: &[u64], items: &mut Vec<u32>) -> Result<(), Break> {
        let mut n_kept = 0;
        for first in (0..items.len()).step_by(PER_LOOK) {
            let end = items.len().min(first + PER_LOOK);
            self.ground.control.check_unfinished()?;
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

    /// Whether `cover`, narrowed by `item`, still has its support in some class.
    fn is_frequent(&mut self, cover: &[u64], item: u32) -> bool {
        let column = self.ground.items.columns.column(item as usize);
        self.ground.rows.count_and(cover, column, &mut self.counts);
        self.counts.iter().zip(self.min_counts).any(|(count, min)| count >= min)
    }

    /// The steps from the prefix to `siblings`, all known to be frequent with it.
    fn enter(&mut self, siblings: &[u32]) -> Result<Vec<Step>, Break> {
        let length = self.prefix.len() + 1;
        if length >= self.ground.limits.min_items {
            spend(&self.left.candidates, siblings.len())?;
        }
        Ok(self.ground.order.steps(siblings, length < self.ground.limits.max_items)?)
    }

    /// Take one step from the prefix, whose cover and frequent `siblings` these are.
    fn take(&mut self, cover: &[u64], siblings: &[u32], step: Step) -> Result<(), Break> {
        self.prefix.push(step.item);
        let taken = match step.ends {
            true => self.note(),
            false => self.descend(cover, siblings, step.item),
        };
        self.prefix.pop();
        taken
    }

    fn note(&mut self) -> Result<(), Break> {
        if self.prefix.len() >= self.ground.limits.min_items {
            self.found.push(&self.prefix)?;
        }
        Ok(())
    }

    /// Visit what lies below the prefix that `item` has just been added to. Support only falls with length, so an
    /// infrequent sibling stays out of the whole subtree.
    fn descend(&mut self, cover: &[u64], siblings: &[u32], item: u32) -> Result<(), Break> {
        let items = self.ground.items;
        let this = items.items[item as usize];
        let joins = |&other: &u32| other > item && this.can_join(&items.items[other as usize]);
        let mut next = memory::with_capacity(siblings.len())?;
        next.extend(siblings.iter().copied().filter(joins));
        if next.is_empty() {
            return Ok(());
        }
        let mut narrowed = self.buffers.pop().map_or_else(|| memory::filled(0, cover.len()), Ok)?;
        and_into(cover, items.columns.column(item as usize), &mut narrowed);
        self.keep_frequent(&narrowed, &mut next)?;
        for step in self.enter(&next)? {
            self.take(&narrowed, &next, step)?;
        }
        self.buffers.push(narrowed);
        Ok(())
    }
}
