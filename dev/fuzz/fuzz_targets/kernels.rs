//! Any words, any classes: every form of the counting kernels against the naive twins.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sbrl_engine::bitset::blocks::{Blocks, Column, BLOCK};
use sbrl_engine::bitset::kernel::{Kernel, Takers};
use sbrl_engine::bitset::planes::Ones;
use sbrl_engine::bitset::{BitColumns, Covers, Masks};
use sbrl_engine::naive;

/// Columns that take rows.
const N: usize = 4;

fuzz_target!(|input: (Vec<[[u64; BLOCK]; N + 1]>, Vec<u8>, Vec<u8>)| {
    let (blocks, classes, rules) = input;
    let mut ends: Vec<usize> =
        classes.iter().take(5).map(|&end| usize::from(end) % (blocks.len() + 1) * BLOCK).collect();
    ends.push(blocks.len() * BLOCK);
    ends.sort_unstable();
    let column = |index: usize| blocks.iter().flat_map(|block| block[index]).collect::<Vec<u64>>();
    let mut columns = BitColumns::zeroed(N, blocks.len() * BLOCK).expect("small");
    (0..N).for_each(|index| columns.column_mut(index).copy_from_slice(&column(index)));
    let layout = Blocks::new(&ends);
    let masks = Masks::new(&columns, &layout);
    let covers = Covers::new(&columns, &masks);
    let mut part = Column { words: column(N), mask: vec![0; layout.n_masks()] };
    layout.mask_of(&part.words, &mut part.mask);
    let rules: Vec<u32> = rules.iter().take(8).map(|&rule| u32::from(rule) % N as u32).collect();
    let common = naive::count_and(&part.words, columns.column(0), &ends);
    let handed = naive::hand_down(&part.words, &columns, &rules, &ends);
    for kernel in Kernel::available() {
        let mut counts = vec![7; ends.len()];
        kernel.count_and((&part.words, columns.column(0)), &ends, Ones, &mut counts);
        assert_eq!(counts, common);
        counts.fill(7);
        kernel.common(&layout, std::slice::from_ref(&part), covers.get(0), Ones, &mut counts);
        assert_eq!(counts, common);
        let mut taken = vec![7; rules.len() * ends.len()];
        kernel.hand_down(&layout, &mut part.clone(), &Takers { covers, rules: &rules }, Ones, &mut taken);
        assert_eq!(taken, handed);
    }
});
