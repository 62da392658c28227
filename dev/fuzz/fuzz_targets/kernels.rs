//! Any words, any class blocks: every form of the counting kernels against the naive twins.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sbrl_engine::bitset::kernel::{Cascade, Kernel};
use sbrl_engine::bitset::BitColumns;
use sbrl_engine::naive;

/// Columns of the cascade.
const N: usize = 4;

fuzz_target!(|input: (Vec<[u64; N + 2]>, Vec<u8>, Vec<u8>, bool)| {
    let (words, blocks, rules, with_exclude) = input;
    let n_words = words.len();
    let mut ends: Vec<usize> = blocks.iter().take(5).map(|&b| usize::from(b) % (n_words + 1)).collect();
    ends.push(n_words);
    ends.sort_unstable();
    let column = |index: usize| words.iter().map(|row| row[index]).collect::<Vec<u64>>();
    let mut covers = BitColumns::zeroed(N, n_words).expect("small");
    (0..N).for_each(|index| covers.column_mut(index).copy_from_slice(&column(index)));
    let (start, exclude) = (column(N), column(N + 1));
    let rules: Vec<u32> = rules.iter().take(8).map(|&rule| u32::from(rule) % N as u32).collect();
    let flow =
        Cascade { start: &start, exclude: with_exclude.then_some(&exclude), covers: &covers, rules: &rules };
    for kernel in Kernel::available() {
        let mut counts = vec![7; ends.len()];
        kernel.count_and(&start, &exclude, &ends, &mut counts);
        assert_eq!(counts, naive::count_and(&start, &exclude, &ends));
        let mut taken = vec![7; (rules.len() + 1) * ends.len()];
        kernel.cascade(&flow, &ends, &mut taken);
        assert_eq!(taken, naive::cascade(&flow, &ends));
    }
});
