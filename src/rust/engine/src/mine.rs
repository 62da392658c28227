//! Items → candidate antecedents within support and length limits, depth first on bit columns.

mod cover;
mod order;
mod walk;

use crate::bitset::BitColumns;
use crate::control::Control;
use crate::data::Rows;
use crate::error::Error;
use crate::memory;
use crate::model::{antecedent_name, Antecedents, Item};
use cover::Covers;
use order::NameOrder;
use walk::{Ground, Reach};

/// Words that each of the seven walks which look for a better support may read: a tenth of a second or so. Where that is not
/// enough to see that a support will do, a larger one is named.
const ADVICE_WORDS: u64 = 1 << 28;

/// What a candidate must be like.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Least and greatest number of items in an antecedent.
    pub min_items: usize,
    pub max_items: usize,
    /// Per class, the share of its rows a candidate must cover; one class is enough.
    pub supports: Vec<f64>,
    /// Greatest number of candidates; more are an error.
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
    pub item_names: Vec<String>,
    pub covers: BitColumns,
    /// Covered rows per candidate and class.
    pub counts: Vec<u64>,
    /// The supports that were used.
    pub supports: Vec<f64>,
    n_distinct: usize,
}

impl Pool {
    /// Candidates that were not mined, but whose covers are known.
    pub fn of(rows: Rows, antecedents: Antecedents, covers: BitColumns) -> Self {
        let counts = (0..covers.n_columns()).flat_map(|index| rows.count(covers.column(index))).collect();
        let n_distinct = covers.n_columns();
        Pool { rows, antecedents, item_names: Vec::new(), covers, counts, supports: Vec::new(), n_distinct }
    }

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

    /// The name of candidate `index`, made when asked for: a pool of millions is not to hold them all twice.
    pub fn name(&self, index: usize) -> String {
        antecedent_name(self.antecedents.get(index), &self.item_names)
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
        self.n_distinct
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
    mine_on(1, rows.clone(), items, limits, control)
}

/// The same on at most `threads` threads; their number makes no difference to the answer. The pool keeps the rows.
pub fn mine_on(
    threads: usize,
    rows: Rows,
    items: &Items,
    limits: &Limits,
    control: &Control,
) -> Result<Pool, Error> {
    // the names are written twice over for their order, and kept with the pool
    memory::check_room(items.names.iter().map(|name| 4 * name.len() + 256).sum())?;
    let order = NameOrder::new(&items.names)?;
    let (supports, antecedents) =
        candidates(&Ground { rows: &rows, items, limits, order, threads, control })?;
    let covers = Covers::new(&rows, items, &antecedents, threads, control)?;
    Ok(Pool {
        rows,
        antecedents,
        item_names: items.names.clone(),
        covers: covers.columns,
        counts: covers.counts,
        supports,
        n_distinct: covers.n_distinct,
    })
}

/// The supports to be used and the candidates that have them.
fn candidates(ground: &Ground) -> Result<(Vec<f64>, Antecedents), Error> {
    let (limits, n_classes) = (ground.limits, ground.rows.n_classes());
    let limit = limits.max_candidates;
    let supports = match limits.target {
        None => limits.supports.clone(),
        Some(target) => match support_for(ground, Reach { candidates: target, words: u64::MAX })? {
            Some((support, found)) if found.len() <= limit => return Ok((vec![support; n_classes], found)),
            found => vec![found.map_or(1.0, |(support, _)| support); n_classes],
        },
    };
    if let Some(found) = ground.walk(&supports, Reach { candidates: limit, words: u64::MAX })? {
        return Ok((supports, found));
    }
    let advised = support_for(ground, Reach { candidates: limit, words: ADVICE_WORDS })?;
    Err(Error::MaxRules { limit, enough: advised.map(|(support, _)| support) })
}

/// The smallest support on a 1 % grid, the same in every class, whose candidates are within reach, and these.
fn support_for(ground: &Ground, reach: Reach) -> Result<Option<(f64, Antecedents)>, Error> {
    let (mut too_many, mut enough) = (0, 101);
    let mut best = None;
    while enough - too_many > 1 {
        let percent = (too_many + enough) / 2;
        let support = f64::from(percent) / 100.0;
        match ground.walk(&vec![support; ground.rows.n_classes()], reach)? {
            Some(found) => {
                enough = percent;
                best = Some((support, found));
            }
            None => too_many = percent,
        }
    }
    Ok(best)
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
                source.table.mine(&source.items, (limits.min_items, limits.max_items), &limits.supports);
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
        let names: Vec<String> = (0..pool.len()).map(|index| pool.name(index)).collect();
        assert!(names.windows(2).all(|pair| pair[0] <= pair[1]));
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
        Limits { min_items: 1, max_items: 10, supports: vec![0.1, 0.1], max_candidates, target }
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
    fn threads_make_no_difference() {
        let mut rng = ChainRng::new(8, 8);
        let n = 20_000;
        let data: Vec<Vec<i32>> =
            (0..25).map(|_| (0..n).map(|_| 1 + rng.below(4) as i32).collect()).collect();
        let labels: Vec<u32> = (0..n).map(|row| u32::from(data[0][row] + data[1][row] > 5)).collect();
        let rows = Rows::new(&labels, 2).unwrap();
        let columns: Vec<&[i32]> = data.iter().map(Vec::as_slice).collect();
        let items: Vec<Item> =
            (0..100).map(|i| Item { feature: i / 4, lo: i as i32 % 4 + 1, hi: i as i32 % 4 + 1 }).collect();
        let names = items.iter().map(|item| format!("x{}={}", item.feature, item.lo)).collect();
        let columns = crate::binarise::item_columns(&rows, &columns, &items).unwrap();
        let items = Items { items, names, columns };
        for target in [None, Some(3000)] {
            let limits = Limits {
                min_items: 1,
                max_items: 3,
                supports: vec![0.02, 0.02],
                max_candidates: 90_000,
                target,
            };
            let on = |threads| mine_on(threads, rows.clone(), &items, &limits, &Control::default()).unwrap();
            let (one, four) = (on(1), on(4));
            assert!(one.len() >= 100 && (target.is_some() || one.len() > 1000));
            assert_eq!((&one.antecedents, &one.counts), (&four.antecedents, &four.counts));
            assert_eq!((&one.supports, one.n_distinct()), (&four.supports, four.n_distinct()));
            assert!((0..one.len()).all(|index| one.covers.column(index) == four.covers.column(index)));
            let few = Limits { max_candidates: 500, target: None, ..limits.clone() };
            let refused =
                |threads| mine_on(threads, rows.clone(), &items, &few, &Control::default()).unwrap_err();
            assert_eq!(refused(1), refused(4));
        }
    }

    #[test]
    fn the_target_picks_the_smallest_support() {
        let source = random_source(&mut ChainRng::new(2, 1));
        let (rows, items) = source.rows_and_items();
        let count = |percent: u32| {
            let supports = vec![f64::from(percent) / 100.0; rows.n_classes()];
            source.table.mine(&source.items, (1, 2), &supports).len()
        };
        let target = count(1) / 2;
        let limits = Limits {
            min_items: 1,
            max_items: 2,
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

    /// Many items, each pair of which covers a row in two.
    fn many(n_items: u32) -> (Rows, Items) {
        let labels: Vec<u32> = (0..128).map(|i| i % 2).collect();
        let rows = Rows::new(&labels, 2).unwrap();
        let items: Vec<Item> = (0..n_items).map(|feature| Item { feature, lo: 1, hi: 1 }).collect();
        let mut columns = crate::bitset::BitColumns::zeroed(items.len(), rows.n_words()).unwrap();
        for item in 0..items.len() {
            let row = |k: usize| rows.positions()[(item * 7 + 2 * k) % 128] as usize;
            (0..100).for_each(|k| columns.set(item, row(k)));
        }
        let names = (0..n_items).map(|i| format!("x{i}=1")).collect();
        (rows, Items { items, names, columns })
    }

    #[test]
    fn mining_of_many_items_ends_at_the_limit_without_a_look_at_all_pairs() {
        let (rows, items) = many(100_000);
        for threads in [1, 2] {
            let limits = Limits { max_items: 2, supports: vec![0.1; 2], ..limits(200_000, None) };
            let error = mine_on(threads, rows.clone(), &items, &limits, &Control::default()).unwrap_err();
            assert!(matches!(error, Error::MaxRules { limit: 200_000, .. }));
        }
    }

    #[test]
    fn mining_of_many_items_can_be_cancelled_at_any_time() {
        let (rows, items) = many(100_000);
        let limits = Limits { max_items: 2, supports: vec![1.0; 2], ..limits(usize::MAX, None) };
        for threads in [1, 2] {
            let control = Control::until(std::time::Instant::now() + std::time::Duration::from_millis(300));
            let mined = mine_on(threads, rows.clone(), &items, &limits, &control);
            assert_eq!(mined.unwrap_err(), Error::Cancelled);
        }
    }
}
