//! Items → candidate antecedents within support and length limits, depth first on bit columns.

use crate::bitset::{and_into, BitColumns};
use crate::control::Control;
use crate::data::Rows;
use crate::error::Error;
use crate::model::{antecedent_name, Antecedents, Item};
use std::collections::HashSet;

/// What a candidate must be like.
#[derive(Debug, Clone)]
pub struct Limits {
    pub min_length: usize,
    pub max_length: usize,
    /// Per class, the share of its rows a candidate must cover; one class is enough.
    pub supports: Vec<f64>,
    /// More candidates than this are an error.
    pub max_candidates: usize,
    /// If given, `supports` is replaced by the smallest one on a 1 % grid that gives at most this many.
    pub target: Option<usize>,
}

/// Items with names, and the rows they hold for.
#[derive(Debug, Clone)]
pub struct Items {
    pub items: Vec<Item>,
    pub names: Vec<String>,
    pub columns: BitColumns,
}

/// The candidates the search may use.
#[derive(Debug, Clone)]
pub struct Pool {
    pub rows: Rows,
    pub antecedents: Antecedents,
    pub names: Vec<String>,
    pub covers: BitColumns,
    /// Covered rows per candidate and class.
    pub counts: Vec<u64>,
    /// The supports that were used.
    pub supports: Vec<f64>,
}

impl Pool {
    pub fn len(&self) -> usize {
        self.antecedents.len()
    }

    pub fn is_empty(&self) -> bool {
        self.antecedents.is_empty()
    }

    /// Number of items of candidate `index`.
    pub fn length(&self, index: usize) -> usize {
        self.antecedents.get(index).len()
    }

    /// Covered rows of candidate `index` per class.
    pub fn counts(&self, index: usize) -> &[u64] {
        let n_classes = self.rows.n_classes();
        &self.counts[index * n_classes..(index + 1) * n_classes]
    }

    /// Candidates of length 0, 1, 2, …
    pub fn n_by_length(&self) -> Vec<u32> {
        let mut numbers = vec![0];
        for antecedent in self.antecedents.iter() {
            if numbers.len() <= antecedent.len() {
                numbers.resize(antecedent.len() + 1, 0);
            }
            numbers[antecedent.len()] += 1;
        }
        numbers
    }

    /// How many different sets of rows the candidates cover.
    pub fn n_distinct(&self) -> usize {
        (0..self.len()).map(|index| self.covers.column(index)).collect::<HashSet<_>>().len()
    }
}

/// The least count that is a share of at least `support` of `n` rows, as numbers of type double compare: 3 of 30 rows
/// are a share of 0.1. A candidate always covers a row; with no rows nothing has support.
pub fn min_count(support: f64, n: u64) -> u64 {
    if n == 0 {
        return u64::MAX;
    }
    let reaches = |count: u64| count as f64 / n as f64 >= support;
    // the rounded product is off by one at most
    let mut count = ((support * n as f64).ceil() as u64).clamp(1, n);
    while count > 1 && reaches(count - 1) {
        count -= 1;
    }
    while count <= n && !reaches(count) {
        count += 1;
    }
    count
}

/// All candidates within the limits, ordered by the bytes of their names (then by items, should two names agree).
pub fn mine(rows: &Rows, items: &Items, limits: &Limits, control: &Control) -> Result<Pool, Error> {
    let supports = match limits.target {
        Some(target) => {
            vec![support_for(rows, items, limits, target, control)?.unwrap_or(1.0); rows.n_classes()]
        }
        None => limits.supports.clone(),
    };
    let found = match walk(rows, items, limits, &supports, limits.max_candidates, control)? {
        Some(found) => found,
        None => {
            let enough = support_for(rows, items, limits, limits.max_candidates, control)?;
            return Err(Error::MaxRules { limit: limits.max_candidates, enough });
        }
    };
    let mut named: Vec<(String, &[u32])> =
        found.iter().map(|a| (antecedent_name(a, &items.names), a)).collect();
    named.sort_unstable();
    let mut antecedents = Antecedents::default();
    let mut names = Vec::with_capacity(named.len());
    for (name, antecedent) in named {
        antecedents.push(antecedent);
        names.push(name);
    }
    control.check_unfinished()?;
    let covers = antecedents.covers(rows, &items.columns)?;
    let counts = (0..names.len()).flat_map(|index| rows.count(covers.column(index))).collect();
    Ok(Pool { rows: rows.clone(), antecedents, names, covers, counts, supports })
}

/// The smallest support on a 1 % grid, the same in every class, with at most `limit` candidates.
fn support_for(
    rows: &Rows,
    items: &Items,
    limits: &Limits,
    limit: usize,
    control: &Control,
) -> Result<Option<f64>, Error> {
    let (mut too_many, mut enough) = (0, 101);
    while enough - too_many > 1 {
        let percent = (too_many + enough) / 2;
        let supports = vec![f64::from(percent) / 100.0; rows.n_classes()];
        match walk(rows, items, limits, &supports, limit, control)? {
            Some(_) => enough = percent,
            None => too_many = percent,
        }
    }
    Ok((enough <= 100).then(|| f64::from(enough) / 100.0))
}

/// All antecedents within the limits in depth-first order, or `None` if there are more than `limit`.
fn walk(
    rows: &Rows,
    items: &Items,
    limits: &Limits,
    supports: &[f64],
    limit: usize,
    control: &Control,
) -> Result<Option<Antecedents>, Error> {
    // weights that are no whole numbers carry rounding of their own, and so must not decide at the boundary
    let slack = if rows.unit() == 1.0 { 1.0 } else { 1.0 - 1e-12 };
    let thresholds = supports.iter().zip(rows.class_counts());
    let mut walk = Walk {
        rows,
        items,
        limits,
        control,
        limit,
        min_counts: thresholds.map(|(&support, &n)| min_count(support * slack, n)).collect(),
        counts: vec![0; rows.n_classes()],
        prefix: Vec::new(),
        buffers: Vec::new(),
        found: Antecedents::default(),
    };
    let all = rows.all();
    let frequent: Vec<u32> =
        (0..items.items.len() as u32).filter(|&item| walk.is_frequent(&all, item)).collect();
    Ok(walk.extend(&all, &frequent)?.then_some(walk.found))
}

/// The state of a depth-first walk over antecedents.
struct Walk<'a> {
    rows: &'a Rows,
    items: &'a Items,
    limits: &'a Limits,
    control: &'a Control,
    limit: usize,
    min_counts: Vec<u64>,
    counts: Vec<u64>,
    prefix: Vec<u32>,
    buffers: Vec<Vec<u64>>,
    found: Antecedents,
}

impl Walk<'_> {
    /// Whether `cover`, narrowed by `item`, still has its support in some class.
    fn is_frequent(&mut self, cover: &[u64], item: u32) -> bool {
        let column = self.items.columns.column(item as usize);
        self.rows.count_and(cover, column, &mut self.counts);
        self.counts.iter().zip(&self.min_counts).any(|(count, min)| count >= min)
    }

    /// Visit the prefix (with its cover) extended by each of `siblings`, all known to be frequent with it; false if
    /// the limit was passed. Support only falls with length, so an infrequent sibling stays out of the whole subtree.
    fn extend(&mut self, cover: &[u64], siblings: &[u32]) -> Result<bool, Error> {
        for (index, &item) in siblings.iter().enumerate() {
            self.control.check_unfinished()?;
            self.prefix.push(item);
            if self.prefix.len() >= self.limits.min_length {
                self.found.push(&self.prefix);
            }
            let within =
                self.found.len() <= self.limit && self.descend(cover, item, &siblings[index + 1..])?;
            self.prefix.pop();
            if !within {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Visit what lies below the prefix that `item` has just been added to.
    fn descend(&mut self, cover: &[u64], item: u32, later: &[u32]) -> Result<bool, Error> {
        if self.prefix.len() >= self.limits.max_length || later.is_empty() {
            return Ok(true);
        }
        let mut narrowed = self.buffers.pop().unwrap_or_else(|| vec![0; cover.len()]);
        and_into(cover, self.items.columns.column(item as usize), &mut narrowed);
        let this = self.items.items[item as usize];
        let joins = |&other: &u32| this.can_join(&self.items.items[other as usize]);
        let mut next: Vec<u32> = later.iter().copied().filter(joins).collect();
        next.retain(|&other| self.is_frequent(&narrowed, other));
        let within = self.extend(&narrowed, &next);
        self.buffers.push(narrowed);
        within
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::ChainRng;
    use crate::testing::random_source;

    #[test]
    fn thresholds_hold_at_the_boundary() {
        assert_eq!(min_count(0.1, 30), 3);
        assert_eq!(min_count(0.1, 31), 4);
        assert_eq!(min_count(0.29, 100), 29);
        assert_eq!(min_count(0.07, 100), 7);
        assert_eq!(min_count(0.0, 10), 1);
        assert_eq!(min_count(1.0, 7), 7);
        assert_eq!(min_count(0.5, 0), u64::MAX);
        // every share that can be written as a fraction of n, for many n
        for n in 1..300u64 {
            for count in 1..=n {
                assert_eq!(min_count(count as f64 / n as f64, n), count);
            }
        }
    }

    #[test]
    fn finds_what_the_naive_twin_finds() {
        for seed in 0..150 {
            let source = random_source(&mut ChainRng::new(seed, 1));
            let problem = source.problem();
            let limits = &source.limits;
            let mut expected =
                source.table.mine(&source.items, (limits.min_length, limits.max_length), &limits.supports);
            let mut found: Vec<Vec<u32>> = problem.pool.antecedents.iter().map(<[u32]>::to_vec).collect();
            expected.sort();
            found.sort();
            assert_eq!(found, expected, "seed {seed}");
        }
    }

    #[test]
    fn candidates_are_in_byte_order_and_counted() {
        let problem = random_source(&mut ChainRng::new(3, 1)).problem();
        let pool = &problem.pool;
        assert!(pool.names.windows(2).all(|pair| pair[0] <= pair[1]));
        for index in 0..pool.len() {
            assert_eq!(pool.counts(index), pool.rows.count(pool.covers.column(index)));
        }
        assert!(pool.n_distinct() <= pool.len());
        assert_eq!(pool.n_by_length().iter().sum::<u32>() as usize, pool.len());
    }

    /// Ten features that copy one another: 2^10 − 1 conjunctions of their first levels.
    fn copies() -> (Rows, Items) {
        let labels: Vec<u32> = (0..40).map(|i| i % 2).collect();
        let codes: Vec<i32> = (0..40).map(|i| 1 + i32::from(i % 4 == 0)).collect();
        let rows = Rows::new(&labels, 2).unwrap();
        let items: Vec<Item> = (0..10).map(|feature| Item { feature, lo: 1, hi: 1 }).collect();
        let columns = vec![&codes[..]; 10];
        let columns = crate::binarise::item_columns(&rows, &columns, &items).unwrap();
        let names = (0..10).map(|i| format!("x{i}=1")).collect();
        (rows, Items { items, names, columns })
    }

    fn limits(max_candidates: usize, target: Option<usize>) -> Limits {
        Limits { min_length: 1, max_length: 10, supports: vec![0.1, 0.1], max_candidates, target }
    }

    #[test]
    fn too_many_candidates_is_an_error_with_advice() {
        let (rows, items) = copies();
        let pool = mine(&rows, &items, &limits(1023, None), &Control::default()).unwrap();
        assert_eq!((pool.len(), pool.n_distinct()), (1023, 1));
        // class 1 (odd rows) is covered whole, so no support helps
        let error = mine(&rows, &items, &limits(1022, None), &Control::default()).unwrap_err();
        assert_eq!(error, Error::MaxRules { limit: 1022, enough: None });
    }

    #[test]
    fn the_target_picks_the_smallest_support() {
        let source = random_source(&mut ChainRng::new(2, 1));
        let rows = Rows::new(&source.table.labels, source.table.n_classes).unwrap();
        let columns: Vec<&[i32]> = source.table.columns.iter().map(Vec::as_slice).collect();
        let items = Items {
            items: source.items.clone(),
            names: (0..source.items.len()).map(|i| i.to_string()).collect(),
            columns: crate::binarise::item_columns(&rows, &columns, &source.items).unwrap(),
        };
        let count = |percent: u32| {
            let supports = vec![f64::from(percent) / 100.0; rows.n_classes()];
            source.table.mine(&source.items, (1, 2), &supports).len()
        };
        let target = count(1) / 2;
        let limits = Limits {
            min_length: 1,
            max_length: 2,
            supports: vec![],
            max_candidates: 1000,
            target: Some(target),
        };
        let pool = mine(&rows, &items, &limits, &Control::default()).unwrap();
        let percent = (pool.supports[0] * 100.0).round() as u32;
        assert!(pool.len() <= target && percent > 1 && count(percent - 1) > target, "{percent} %");
    }

    #[test]
    fn a_flag_ends_it() {
        let (rows, items) = copies();
        let control = Control::default();
        control.stop();
        assert_eq!(mine(&rows, &items, &limits(5000, None), &control).unwrap_err(), Error::TimeLimit);
        control.cancel();
        assert_eq!(mine(&rows, &items, &limits(5000, None), &control).unwrap_err(), Error::Cancelled);
    }
}
