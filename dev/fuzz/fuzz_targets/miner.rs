//! Any small table, weights, items, supports and lengths: the miner finds what the naive twin finds.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sbrl_engine::hyperparameters::Hyperparameters;
use sbrl_engine::mine::MiningLimits;
use sbrl_engine::model::Item;
use sbrl_engine::naive::Table;
use sbrl_engine::testing::Source;

type Input = (Vec<[u8; 5]>, Vec<(u8, u8, u8)>, [u8; 3], u8, u8);

fuzz_target!(|input: Input| {
    let (rows, ranges, supports, min_items, more) = input;
    let n_classes = 3;
    let labels: Vec<u32> = rows.iter().map(|row| u32::from(row[3]) % n_classes).collect();
    let weights = rows.iter().map(|row| u64::from(row[4] % 4) + 1).collect();
    let columns = (0..3).map(|f| rows.iter().map(|row| i32::from(row[f] % 6)).collect()).collect();
    let item = |&(feature, lo, width): &(u8, u8, u8)| {
        let (feature, lo) = (u32::from(feature % 3), i32::from(lo % 5) + 1);
        let item = match i32::from(width % 5) {
            more @ 0..=2 => Item::range(feature, lo, (lo + more).min(5)),
            3 => Item::set(feature, &[lo - 1, lo + 1]),
            _ => Item::set(feature, &[lo, lo + 2, lo + 3]),
        };
        item.unwrap()
    };
    let min_items = usize::from(min_items % 4) + 1;
    let source = Source {
        table: Table { columns, labels, weights, n_classes: n_classes as usize },
        items: ranges.iter().take(10).map(item).collect(),
        limits: MiningLimits {
            min_items,
            max_items: min_items + usize::from(more % 4),
            supports: supports.iter().map(|&s| f64::from(s) / 255.0).collect(),
            max_candidates: 5000,
            target: None,
            joins_feature: true,
        },
        hyperparameters: Hyperparameters { lambda: 1.0, eta: 1.0, alpha: vec![1.0; 3] },
    };
    let pool = source.problem().pool;
    let mut found: Vec<Vec<u32>> = pool.antecedents.iter().map(<[u32]>::to_vec).collect();
    let limits = &source.limits;
    let lengths = (limits.min_items, limits.max_items);
    let mut expected = source.table.mine(&source.items, lengths, &limits.supports);
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
});
