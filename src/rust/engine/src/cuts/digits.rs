//! Rounds cut points to as few digits as possible.

/// A number with few significant digits in (low, high]: the middle or the upper end, rounded as far as possible.
pub fn short_between(low: f64, high: f64) -> f64 {
    // halved first, because the sum could overflow
    let middle = match (low.is_finite(), high.is_finite()) {
        (true, true) => low / 2.0 + high / 2.0,
        (true, false) => (low + low.abs().max(1.0)).min(f64::MAX),
        (false, true) => high,
        (false, false) => 0.0,
    };
    let separates = |cut: &f64| low < *cut && *cut <= high;
    let nearer = |a: &f64, b: &f64| (a - middle).abs().total_cmp(&(b - middle).abs());
    (1..=17)
        .find_map(|digits| {
            [round_to(middle, digits), round_to(high, digits)].into_iter().filter(separates).min_by(nearer)
        })
        .unwrap_or(high)
}

/// `x` rounded to about a hundredth of `step`.
pub fn short_near(x: f64, step: f64) -> f64 {
    (1..=17).map(|digits| round_to(x, digits)).find(|cut| (cut - x).abs() <= step / 100.0).unwrap_or(x)
}

/// `x` rounded to this many significant decimal digits.
fn round_to(x: f64, digits: usize) -> f64 {
    format!("{:.*e}", digits - 1, x).parse().unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_have_few_digits_and_separate_their_neighbours() {
        assert_eq!(short_between(37.0, 38.0), 38.0);
        assert_eq!(short_between(5060.0, 5178.0), 5100.0);
        assert_eq!(short_between(12.0, 13.0), 13.0);
        assert_eq!(short_between(4.0, 5.0), 5.0);
        assert_eq!(short_between(0.1, 0.2), 0.2);
        assert_eq!(short_between(-1.0, 1.0), 0.0);
        assert_eq!(short_between(f64::NEG_INFINITY, 3.25), 3.0);
        assert_eq!(short_between(5.0, f64::INFINITY), 10.0);
        let next = f64::from_bits(1f64.to_bits() + 1);
        assert_eq!(short_between(1.0, next), next);
        assert!(short_between(-f64::MAX, f64::MAX).is_finite());
    }
}
