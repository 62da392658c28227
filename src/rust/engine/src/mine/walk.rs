//! The depth-first walk over antecedents, on bit columns.

use super::order::{NameOrder, Step};
use super::{min_count, Items, Limits};
use crate::bitset::and_into;
use crate::control::Control;
use crate::data::Rows;
use crate::error::Error;
use crate::model::Antecedents;
use crate::parallel;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// All that a walk needs to know; it can be walked again with other supports.
pub struct Ground<'a> {
    pub rows: &'a Rows,
    pub items: &'a Items,
    pub limits: &'a Limits,
    pub order: NameOrder,
    pub threads: usize,
    pub control: &'a Control,
}

/// Why a walk did not reach its end.
enum Break {
    /// There are more candidates than asked for.
    Limit,
    Error(Error),
}

impl Ground<'_> {
    /// All antecedents with these supports in the order of their names, or `None` if there are more than `limit`.
    pub fn walk(&self, supports: &[f64], limit: usize) -> Result<Option<Antecedents>, Error> {
        // weights that are no whole numbers carry rounding of their own, and so must not decide at the boundary
        let slack = if self.rows.unit() == 1.0 { 1.0 } else { 1.0 - 1e-12 };
        let thresholds = supports.iter().zip(self.rows.class_counts());
        let min_counts: Vec<u64> = thresholds.map(|(&support, &n)| min_count(support * slack, n)).collect();
        let all = self.rows.all();
        let n_found = AtomicUsize::new(0);
        let new_walk = || Walk::new(self, &min_counts, limit, &n_found);
        let mut first = new_walk();
        let n_items = self.items.items.len();
        let frequent: Vec<u32> = (0..n_items as u32).filter(|&item| first.is_frequent(all, item)).collect();
        let steps = match first.enter(&frequent) {
            Ok(steps) => steps,
            Err(reason) => return reason.into_answer(),
        };
        // pairs are what most walks spend their time on
        let n_words = self.rows.n_words().saturating_mul(frequent.len() * frequent.len());
        let threads = parallel::threads_for(self.threads, n_words);
        let parts = parallel::map(threads, steps, |step| {
            let mut walk = new_walk();
            walk.take(all, &frequent, step).map(|()| walk.found)
        })?;
        let mut found = Antecedents::default();
        for part in parts {
            match part {
                Ok(part) => found.append(&part)?,
                Err(reason) => return reason.into_answer(),
            }
        }
        Ok(Some(self.order.arrange(found, &self.items.names)?))
    }
}

impl Break {
    fn into_answer(self) -> Result<Option<Antecedents>, Error> {
        match self {
            Break::Limit => Ok(None),
            Break::Error(error) => Err(error),
        }
    }
}

/// Where one thread is.
struct Walk<'a> {
    ground: &'a Ground<'a>,
    min_counts: &'a [u64],
    limit: usize,
    /// Candidates that all threads have met.
    n_found: &'a AtomicUsize,
    counts: Vec<u64>,
    prefix: Vec<u32>,
    buffers: Vec<Vec<u64>>,
    found: Antecedents,
}

impl<'a> Walk<'a> {
    fn new(ground: &'a Ground<'a>, min_counts: &'a [u64], limit: usize, n_found: &'a AtomicUsize) -> Self {
        Walk {
            ground,
            min_counts,
            limit,
            n_found,
            counts: vec![0; min_counts.len()],
            prefix: Vec::new(),
            buffers: Vec::new(),
            found: Antecedents::default(),
        }
    }

    /// Whether `cover`, narrowed by `item`, still has its support in some class.
    fn is_frequent(&mut self, cover: &[u64], item: u32) -> bool {
        let column = self.ground.items.columns.column(item as usize);
        self.ground.rows.count_and(cover, column, &mut self.counts);
        self.counts.iter().zip(self.min_counts).any(|(count, min)| count >= min)
    }

    /// The steps from the prefix to `siblings`, all known to be frequent with it.
    fn enter(&mut self, siblings: &[u32]) -> Result<Vec<Step>, Break> {
        self.ground.control.check_unfinished().map_err(Break::Error)?;
        let length = self.prefix.len() + 1;
        if length >= self.ground.limits.min_length {
            let n_before = self.n_found.fetch_add(siblings.len(), Relaxed);
            if n_before + siblings.len() > self.limit {
                return Err(Break::Limit);
            }
        }
        Ok(self.ground.order.steps(siblings, length < self.ground.limits.max_length))
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
        if self.prefix.len() >= self.ground.limits.min_length {
            self.found.push(&self.prefix).map_err(Break::Error)?;
        }
        Ok(())
    }

    /// Visit what lies below the prefix that `item` has just been added to. Support only falls with length, so an
    /// infrequent sibling stays out of the whole subtree.
    fn descend(&mut self, cover: &[u64], siblings: &[u32], item: u32) -> Result<(), Break> {
        let items = self.ground.items;
        let this = items.items[item as usize];
        let joins = |&other: &u32| other > item && this.can_join(&items.items[other as usize]);
        let mut next: Vec<u32> = siblings.iter().copied().filter(joins).collect();
        if next.is_empty() {
            return Ok(());
        }
        let mut narrowed = self.buffers.pop().unwrap_or_else(|| vec![0; cover.len()]);
        and_into(cover, items.columns.column(item as usize), &mut narrowed);
        next.retain(|&other| self.is_frequent(&narrowed, other));
        for step in self.enter(&next)? {
            self.take(&narrowed, &next, step)?;
        }
        self.buffers.push(narrowed);
        Ok(())
    }
}
