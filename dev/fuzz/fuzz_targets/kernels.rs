//! Any words, any classes: every form of the counting kernels against the naive twins.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sbrl_engine::bitset::bit_sliced::UnitWeight;
use sbrl_engine::bitset::blocks::{Blocks, MaskedBits, MaskedBitsRef, WORDS_PER_BLOCK};
use sbrl_engine::bitset::kernel::Kernel;
use sbrl_engine::bitset::simd::{Simd, WithSimd};
use sbrl_engine::bitset::{BitColumns, MaskedColumns, Masks};
use sbrl_engine::naive;

/// Columns that take rows.
const N: usize = 4;

/// What a column and a cover have in common, then taken out of it.
struct Both<'a>(&'a Blocks, &'a mut MaskedBits, MaskedBitsRef<'a>, [&'a mut [u64]; 2]);

impl WithSimd for Both<'_> {
    type Output = ();

    fn run<L: Simd>(self, simd: L) {
        let [common, taken] = self.3;
        simd.common(self.0, self.1.view(), self.2, UnitWeight, common);
        simd.take(self.0, self.1, self.2, UnitWeight, taken);
    }
}

fuzz_target!(|input: (Vec<[[u64; WORDS_PER_BLOCK]; N + 1]>, Vec<u8>, Vec<u8>)| {
    let (blocks, classes, rules) = input;
    let mut ends: Vec<usize> =
        classes.iter().take(5).map(|&end| usize::from(end) % (blocks.len() + 1) * WORDS_PER_BLOCK).collect();
    ends.push(blocks.len() * WORDS_PER_BLOCK);
    ends.sort_unstable();
    let column = |index: usize| blocks.iter().flat_map(|block| block[index]).collect::<Vec<u64>>();
    let mut columns = BitColumns::zeroed(N, blocks.len() * WORDS_PER_BLOCK).expect("small");
    (0..N).for_each(|index| columns.column_mut(index).copy_from_slice(&column(index)));
    let layout = Blocks::new(&ends);
    let masks = Masks::new(&columns, &layout);
    let covers = MaskedColumns::new(&columns, &masks);
    let mut part = MaskedBits { words: column(N), mask: vec![0; layout.n_masks()] };
    layout.mask_of(&part.words, &mut part.mask);
    let rules: Vec<u32> = rules.iter().take(8).map(|&rule| u32::from(rule) % N as u32).collect();
    let common = naive::count_and(&part.words, columns.column(0), &ends);
    let handed = naive::hand_down(&part.words, &columns, &rules, &ends);
    for kernel in Kernel::available() {
        let mut counts = vec![7; ends.len()];
        kernel.count_and(&part.words, columns.column(0), &ends, UnitWeight, &mut counts);
        assert_eq!(counts, common);
        let mut free = part.clone();
        let (mut common, mut taken) = (vec![0; handed.len()], vec![0; handed.len()]);
        let out = common.chunks_exact_mut(ends.len()).zip(taken.chunks_exact_mut(ends.len()));
        for (&rule, (common, taken)) in rules.iter().zip(out) {
            kernel.run(Both(&layout, &mut free, covers.get(rule as usize), [common, taken]));
        }
        assert_eq!(common, handed);
        assert_eq!(taken, handed);
    }
});
