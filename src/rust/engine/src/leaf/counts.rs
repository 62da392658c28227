//! Sums of several leaves in one vector, those of one leaf next to each other.

/// The sums of leaf number `index`, of `k` each.
#[inline(always)]
pub fn at(sums: &[u64], index: usize, k: usize) -> &[u64] {
    &sums[index * k..][..k]
}

/// The same, to be changed.
#[inline(always)]
pub fn at_mut(sums: &mut [u64], index: usize, k: usize) -> &mut [u64] {
    &mut sums[index * k..][..k]
}

/// Add the sums of other rows.
#[inline(always)]
pub fn add(sums: &mut [u64], other: &[u64]) {
    sums.iter_mut().zip(other).for_each(|(n, other)| *n += other);
}

/// Take away the sums of some of the rows.
#[inline(always)]
pub fn subtract(sums: &mut [u64], other: &[u64]) {
    sums.iter_mut().zip(other).for_each(|(n, other)| *n -= other);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sums_of_one_leaf_change_alone() {
        let mut sums = vec![1, 2, 3, 4, 5, 6];
        add(at_mut(&mut sums, 1, 2), &[10, 20]);
        subtract(at_mut(&mut sums, 2, 2), &[5, 1]);
        assert_eq!(sums, [1, 2, 13, 24, 0, 5]);
        assert_eq!(at(&sums, 1, 2), [13, 24]);
    }
}
