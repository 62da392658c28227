//! Mines candidate antecedents: all conjunctions of items within the limits of support and length.

mod cover;
mod depth_first;
mod items;
mod order;
mod pool;
mod support;

use crate::control::Control;
use crate::data::Rows;
use crate::error::Error;
use crate::memory;
use crate::model::Antecedents;
use cover::CandidateCovers;
use depth_first::{Miner, MiningBudget};
use order::NameOrder;

pub use items::Items;
pub use pool::Pool;

/// Words that each of the seven mining runs in search of a feasible support may read: about a tenth of a second. A run that
/// needs more counts as infeasible, so the advised support may be larger than necessary.
const ADVICE_WORDS: u64 = 1 << 28;

/// What a candidate must be like.
#[derive(Debug, Clone)]
pub struct MiningLimits {
    /// Least number of items in an antecedent.
    pub min_items: usize,
    /// Greatest number of items in an antecedent.
    pub max_items: usize,
    /// Per class, the share of its rows a candidate must cover; one class is enough.
    pub supports: Vec<f64>,
    /// Greatest number of candidates; more are an error.
    pub max_candidates: usize,
    /// If given, `supports` is replaced by the smallest one on a 1% grid that gives at most this many.
    pub target: Option<usize>,
    /// Whether two conditions of an antecedent may be on the same feature, as two ends of an interval.
    pub joins_feature: bool,
}

/// All candidates within the limits, in the byte order of their names (then of their items, should two names be equal). The
/// number of threads does not change the result. The pool keeps the rows.
pub fn mine(
    rows: Rows,
    items: &Items,
    limits: &MiningLimits,
    threads: usize,
    control: &Control,
) -> Result<Pool, Error> {
    // names are written twice over to find their order, and copied into the pool
    memory::check_room(items.names().iter().map(|name| 4 * name.len() + 256).sum())?;
    let miner = Miner {
        rows: &rows,
        items,
        lengths: limits.min_items..=limits.max_items,
        joins_feature: limits.joins_feature,
        order: NameOrder::new(items.names())?,
        threads,
        control,
    };
    let (supports, antecedents) = candidates(&miner, limits)?;
    cover::check_room(antecedents.len(), rows.n_words(), memory::available())?;
    let covers = CandidateCovers::new(&rows, items.columns(), &antecedents, threads, control)?;
    Ok(Pool {
        rows,
        antecedents,
        item_names: items.names().to_vec(),
        item_words: Vec::new(),
        covers: covers.columns,
        counts: covers.counts,
        supports,
        n_distinct: covers.n_distinct,
    })
}

/// The supports that apply, and the candidates that have them.
fn candidates(miner: &Miner, limits: &MiningLimits) -> Result<(Vec<f64>, Antecedents), Error> {
    let n_classes = miner.rows.n_classes();
    let limit = limits.max_candidates;
    let supports = match limits.target {
        None => limits.supports.clone(),
        Some(target) => match support_for(miner, MiningBudget { candidates: target, words: u64::MAX })? {
            Some((support, found)) if found.len() <= limit => return Ok((vec![support; n_classes], found)),
            found => vec![found.map_or(1.0, |(support, _)| support); n_classes],
        },
    };
    if let Some(found) = miner.mine(&supports, MiningBudget { candidates: limit, words: u64::MAX })? {
        return Ok((supports, found));
    }
    let advised = support_for(miner, MiningBudget { candidates: limit, words: ADVICE_WORDS })?;
    Err(Error::MaxRules { limit, enough: advised.map(|(support, _)| support) })
}

/// The smallest support on a 1% grid, the same in each class, whose candidates are within the budget; and these candidates.
fn support_for(miner: &Miner, budget: MiningBudget) -> Result<Option<(f64, Antecedents)>, Error> {
    let (mut too_many, mut enough) = (0, 101);
    let mut best = None;
    while enough - too_many > 1 {
        let percent = (too_many + enough) / 2;
        let support = f64::from(percent) / 100.0;
        match miner.mine(&vec![support; miner.rows.n_classes()], budget)? {
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
    use crate::model::Item;
    use crate::rng::ChainRng;
    use crate::testing::{random_source, Source};

    #[test]
    fn finds_what_the_naive_twin_finds() {
        let ranges = |seed| random_source(&mut ChainRng::new(seed, 1));
        let has_few_sets = |source: &Source| {
            source.items.len() <= 14 && source.items.iter().any(|item| item.as_range().is_none())
        };
        let sets = (0..150).map(|seed| (seed, ranges(seed).with_sets()));
        let sets: Vec<_> = sets.filter(|(_, source)| has_few_sets(source)).collect();
        assert!(sets.len() > 20);
        for (seed, source) in (0..150).map(|seed| (seed, ranges(seed))).chain(sets) {
            let limits = &source.limits;
            let mut expected =
                source.table.mine(&source.items, (limits.min_items, limits.max_items), &limits.supports);
            expected.sort();
            let mined = |limits: &MiningLimits| {
                let (rows, items) = source.rows_and_items();
                let pool = mine_now(&rows, &items, limits).unwrap();
                let mut found: Vec<Vec<u32>> = pool.antecedents.iter().map(<[u32]>::to_vec).collect();
                found.sort();
                found
            };
            assert_eq!(mined(limits), expected, "seed {seed}");
            let feature = |&item: &u32| source.items[item as usize].feature;
            expected.retain(|antecedent| {
                let mut features: Vec<u32> = antecedent.iter().map(feature).collect();
                features.dedup();
                features.len() == antecedent.len()
            });
            assert_eq!(
                mined(&MiningLimits { joins_feature: false, ..limits.clone() }),
                expected,
                "seed {seed}"
            );
        }
    }

    #[test]
    fn candidates_are_in_byte_order_with_their_counts() {
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

    /// Ten copies of one feature: 2^10 − 1 conjunctions of their first levels.
    fn copies() -> (Rows, Items) {
        let labels: Vec<u32> = (0..40).map(|i| i % 2).collect();
        let codes: Vec<i32> = (0..40).map(|i| 1 + i32::from(i % 4 == 0)).collect();
        let rows = Rows::new(&labels, 2).unwrap();
        let items: Vec<Item> = (0..10).map(|feature| Item::range(feature, 1, 1).unwrap()).collect();
        let columns = vec![&codes[..]; 10];
        let columns = crate::binarise::item_columns(&rows, &columns, &items).unwrap();
        let names = (0..10).map(|i| format!("x{i}=1")).collect();
        (rows, Items::new(items, names, columns).unwrap())
    }

    /// On one thread, without a limit of time.
    fn mine_now(rows: &Rows, items: &Items, limits: &MiningLimits) -> Result<Pool, Error> {
        mine(rows.clone(), items, limits, 1, &Control::default())
    }

    fn limits(max_candidates: usize, target: Option<usize>) -> MiningLimits {
        MiningLimits {
            min_items: 1,
            max_items: 10,
            supports: vec![0.1, 0.1],
            max_candidates,
            target,
            joins_feature: true,
        }
    }

    #[test]
    fn too_many_candidates_is_an_error_with_advice() {
        let (rows, items) = copies();
        let pool = mine_now(&rows, &items, &limits(1023, None)).unwrap();
        assert_eq!((pool.len(), pool.n_distinct()), (1023, 1));
        // each candidate covers all of class 1 (odd rows), so no support helps
        let error = mine_now(&rows, &items, &limits(1022, None)).unwrap_err();
        assert_eq!(error, Error::MaxRules { limit: 1022, enough: None });
    }

    #[test]
    fn the_number_of_threads_does_not_change_the_pool() {
        let mut rng = ChainRng::new(8, 8);
        let n = 20_000;
        let data: Vec<Vec<i32>> =
            (0..25).map(|_| (0..n).map(|_| 1 + rng.below(4) as i32).collect()).collect();
        let labels: Vec<u32> = (0..n).map(|row| u32::from(data[0][row] + data[1][row] > 5)).collect();
        let rows = Rows::new(&labels, 2).unwrap();
        let columns: Vec<&[i32]> = data.iter().map(Vec::as_slice).collect();
        let levels = (0..100).map(|i| (i as u32 / 4, i % 4 + 1));
        let items = levels.clone().map(|(feature, level)| Item::range(feature, level, level).unwrap());
        let items: Vec<Item> = items.collect();
        let names = levels.map(|(feature, level)| format!("x{feature}={level}")).collect();
        let columns = crate::binarise::item_columns(&rows, &columns, &items).unwrap();
        let items = Items::new(items, names, columns).unwrap();
        for target in [None, Some(3000)] {
            let limits = MiningLimits {
                min_items: 1,
                max_items: 3,
                supports: vec![0.02, 0.02],
                max_candidates: 90_000,
                target,
                joins_feature: true,
            };
            let on = |threads| mine(rows.clone(), &items, &limits, threads, &Control::default()).unwrap();
            let (one, four) = (on(1), on(4));
            assert!(one.len() >= 100 && (target.is_some() || one.len() > 1000));
            assert_eq!((&one.antecedents, &one.counts), (&four.antecedents, &four.counts));
            assert_eq!((&one.supports, one.n_distinct()), (&four.supports, four.n_distinct()));
            assert!((0..one.len()).all(|index| one.covers.column(index) == four.covers.column(index)));
            let few = MiningLimits { max_candidates: 500, target: None, ..limits.clone() };
            let refused =
                |threads| mine(rows.clone(), &items, &few, threads, &Control::default()).unwrap_err();
            assert_eq!(refused(1), refused(4));
        }
    }

    #[test]
    fn a_target_gives_the_smallest_feasible_support() {
        let source = random_source(&mut ChainRng::new(2, 1));
        let (rows, items) = source.rows_and_items();
        let count = |percent: u32| {
            let supports = vec![f64::from(percent) / 100.0; rows.n_classes()];
            source.table.mine(&source.items, (1, 2), &supports).len()
        };
        let target = count(1) / 2;
        let limits = MiningLimits {
            min_items: 1,
            max_items: 2,
            supports: vec![],
            max_candidates: 1000,
            target: Some(target),
            joins_feature: true,
        };
        let pool = mine_now(&rows, &items, &limits).unwrap();
        let percent = (pool.supports[0] * 100.0).round() as u32;
        assert!(pool.len() <= target && percent > 1 && count(percent - 1) > target, "{percent} %");
    }

    #[test]
    fn mining_ends_when_stopped_or_cancelled() {
        let (rows, items) = copies();
        let control = Control::default();
        control.stop();
        assert_eq!(
            mine(rows.clone(), &items, &limits(5000, None), 1, &control).unwrap_err(),
            Error::TimeLimit
        );
        control.cancel();
        assert_eq!(
            mine(rows.clone(), &items, &limits(5000, None), 1, &control).unwrap_err(),
            Error::Cancelled
        );
    }

    /// Many items, each pair of which covers about half of the rows.
    fn many(n_items: u32) -> (Rows, Items) {
        let labels: Vec<u32> = (0..128).map(|i| i % 2).collect();
        let rows = Rows::new(&labels, 2).unwrap();
        let items: Vec<Item> = (0..n_items).map(|feature| Item::range(feature, 1, 1).unwrap()).collect();
        let mut columns = crate::bitset::BitColumns::zeroed(items.len(), rows.n_words()).unwrap();
        for item in 0..items.len() {
            let row = |k: usize| rows.positions()[(item * 7 + 2 * k) % 128] as usize;
            (0..100).for_each(|k| columns.set(item, row(k)));
        }
        let names = (0..n_items).map(|i| format!("x{i}=1")).collect();
        (rows, Items::new(items, names, columns).unwrap())
    }

    #[test]
    fn mining_many_items_ends_at_the_limit_before_all_pairs_are_counted() {
        let (rows, items) = many(100_000);
        for threads in [1, 2] {
            let limits = MiningLimits { max_items: 2, supports: vec![0.1; 2], ..limits(200_000, None) };
            let error = mine(rows.clone(), &items, &limits, threads, &Control::default()).unwrap_err();
            assert!(matches!(error, Error::MaxRules { limit: 200_000, .. }));
        }
    }

    #[test]
    fn mining_many_items_can_be_cancelled_at_any_time() {
        let (rows, items) = many(100_000);
        let limits = MiningLimits { max_items: 2, supports: vec![1.0; 2], ..limits(usize::MAX, None) };
        for threads in [1, 2] {
            let control =
                Control::with_deadline(std::time::Instant::now() + std::time::Duration::from_millis(300));
            let mined = mine(rows.clone(), &items, &limits, threads, &control);
            assert_eq!(mined.unwrap_err(), Error::Cancelled);
        }
    }
}
