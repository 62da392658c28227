//! From a minimum support to a minimum number of rows.

/// The smallest count whose share of `n` rows is at least `support`, compared as doubles: 3 of 30 rows are a share of 0.1.
/// A candidate covers at least one row; of no rows, nothing has support.
pub fn min_count(support: f64, n: u64) -> u64 {
    if n == 0 {
        return u64::MAX;
    }
    let is_enough = |count: u64| count as f64 / n as f64 >= support;
    // the rounded product is off by one at most
    let mut count = ((support * n as f64).ceil() as u64).clamp(1, n);
    while count > 1 && is_enough(count - 1) {
        count -= 1;
    }
    while count <= n && !is_enough(count) {
        count += 1;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_equal_to_the_support_is_enough() {
        assert_eq!(min_count(0.1, 30), 3);
        assert_eq!(min_count(0.1, 31), 4);
        assert_eq!(min_count(0.29, 100), 29);
        assert_eq!(min_count(0.07, 100), 7);
        assert_eq!(min_count(0.0, 10), 1);
        assert_eq!(min_count(1.0, 7), 7);
        assert_eq!(min_count(0.5, 0), u64::MAX);
        // all fractions of n rows, for many n
        for n in 1..300u64 {
            for count in 1..=n {
                assert_eq!(min_count(count as f64 / n as f64, n), count);
            }
        }
    }
}
