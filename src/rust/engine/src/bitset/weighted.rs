//! The counting kernels for rows that weigh more or less than one: bit by bit, in whole units.

use super::kernel::Cascade;

/// Weight of the bits of `a & b` per class block.
pub fn count_and(a: &[u64], b: &[u64], weights: &[u64], ends: &[usize], out: &mut [u64]) {
    let mut start = 0;
    for (&end, out) in ends.iter().zip(out) {
        *out = (start..end).map(|word| weight_of(a[word] & b[word], &weights[word * 64..])).sum();
        start = end;
    }
}

/// Weight, per rule and class block, of the rows that come down to it; the last row of `out` is who nobody takes.
pub fn cascade(flow: &Cascade<'_>, weights: &[u64], ends: &[usize], out: &mut [u64]) {
    out.fill(0);
    let n_classes = ends.len();
    let mut start = 0;
    for (class, &end) in ends.iter().enumerate() {
        for word in start..end {
            let weights = &weights[word * 64..];
            let mut free = flow.start[word] & !flow.exclude.map_or(0, |exclude| exclude[word]);
            for (index, &rule) in flow.rules.iter().enumerate() {
                let cover = flow.covers.column(rule as usize)[word];
                out[index * n_classes + class] += weight_of(free & cover, weights);
                free &= !cover;
            }
            out[flow.rules.len() * n_classes + class] += weight_of(free, weights);
        }
        start = end;
    }
}

/// Sum of the weights at the set bits of one word.
#[inline]
fn weight_of(mut word: u64, weights: &[u64]) -> u64 {
    let mut sum = 0;
    while word != 0 {
        sum += weights[word.trailing_zeros() as usize];
        word &= word - 1;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitset::BitColumns;
    use crate::naive;

    #[test]
    fn with_weights_of_one_it_counts() {
        let words =
            |seed: u64| (0..7).map(|i| seed.wrapping_mul(0x9E37_79B9_7F4A_7C15 ^ i)).collect::<Vec<u64>>();
        let ends = [2, 2, 7];
        let ones = vec![1; 7 * 64];
        let (a, b) = (words(3), words(5));
        let mut out = vec![9; 3];
        count_and(&a, &b, &ones, &ends, &mut out);
        assert_eq!(out, naive::count_and(&a, &b, &ends));
        let mut covers = BitColumns::zeroed(2, 7).unwrap();
        covers.column_mut(0).copy_from_slice(&words(11));
        covers.column_mut(1).copy_from_slice(&words(13));
        for exclude in [None, Some(&b[..])] {
            let flow = Cascade { start: &a, exclude, covers: &covers, rules: &[1, 0] };
            let mut out = vec![9; 9];
            cascade(&flow, &ones, &ends, &mut out);
            assert_eq!(out, naive::cascade(&flow, &ends));
        }
    }
}
