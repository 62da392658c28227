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

/// The roundest number in (low, high]: 0, or else the one with the fewest significant digits. Of several with as few digits
/// those that end in the most zeros are preferred, then those that end in a 5, then the nearest to the middle, then the lower.
///
/// A multiple of the highest power of ten that has a multiple in the interval has the fewest digits: no other multiple of
/// that power differs from it in the digits before. So powers of ten are tried from the highest down.
pub fn round_between(low: f64, high: f64) -> f64 {
    if !low.is_finite() || !high.is_finite() {
        return short_between(low, high);
    }
    if low < 0.0 && high >= 0.0 {
        return 0.0;
    }
    let middle = low / 2.0 + high / 2.0;
    let highest = low.abs().max(high.abs()).log10().floor() as i32 + 1;
    let roundest = |power: i32| {
        // numbers as far below the middle as above it are equally near, whatever their last bits
        let distance = |cut: f64| ((cut - middle).abs() / 10f64.powi(power) * 1e6).round() as u64;
        multiples(low, high, power).min_by_key(|&(factor, cut)| (factor % 5 != 0, distance(cut)))
    };
    (0..=18).find_map(|down| roundest(highest - down)).map_or(high, |(_, cut)| cut)
}

/// The multiples of a power of ten in (low, high], with their factors.
fn multiples(low: f64, high: f64, power: i32) -> impl Iterator<Item = (i64, f64)> {
    let unit: f64 = format!("1e{power}").parse().unwrap_or(0.0);
    // the factors of numbers with many digits are only about right
    let margin = |factor: f64| 1 + (factor.abs() as i64 >> 50);
    let (first, last) = (low / unit, high / unit);
    // no power of ten as small as this: no multiples
    let factors =
        (unit > 0.0).then(|| first.floor() as i64 - margin(first)..=last.ceil() as i64 + margin(last));
    factors
        .into_iter()
        .flatten()
        .map(move |factor| (factor, format!("{factor}e{power}").parse().unwrap_or(f64::NAN)))
        .filter(move |&(_, cut)| low < cut && cut <= high)
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
    fn the_roundest_number_is_found() {
        assert_eq!(round_between(24_986.0, 25_013.0), 25_000.0);
        assert_eq!(round_between(37.9, 38.47), 38.0);
        assert_eq!(round_between(24.0, 27.0), 25.0);
        assert_eq!(round_between(-27.0, -25.0), -25.0);
        assert_eq!(round_between(-27.0, -25.5), -26.0);
        assert_eq!(round_between(110.0, 160.0), 150.0);
        assert_eq!(round_between(0.0, 1.0), 1.0);
        assert_eq!(round_between(-3.0, 5.0), 0.0);
        assert_eq!(round_between(-3.0, 0.0), 0.0);
        assert_eq!(round_between(4.0, 12.0), 10.0);
        assert_eq!(round_between(0.11, 0.14), 0.12);
        assert_eq!(round_between(-0.84, -0.81), -0.83);
        assert_eq!(round_between(24_986.0, 24_987.0), 24_987.0);
        assert_eq!(round_between(0.1 + 0.2, 0.31), 0.31);
        assert_eq!(round_between(5.0, f64::INFINITY), short_between(5.0, f64::INFINITY));
        let next = f64::from_bits(1f64.to_bits() + 1);
        assert_eq!(round_between(1.0, next), next);
        assert_eq!(round_between(0.0, 5e-324), 5e-324);
        assert_eq!(round_between(f64::MAX / 2.0, f64::MAX), 1e308);
    }

    /// All decimal numbers of few digits, one by one.
    #[test]
    fn no_number_of_fewer_digits_lies_between() {
        let mut rng = crate::rng::ChainRng::new(7, 1);
        let digits = |x: f64| {
            let text = format!("{x:e}");
            let digits = text.trim_start_matches('-').split('e').next().unwrap_or("").replace('.', "");
            if x == 0.0 {
                0
            } else {
                digits.len()
            }
        };
        for _ in 0..2000 {
            let scale = [0.01, 1.0, 100.0][rng.below(3)];
            let mut ends = [0; 2].map(|_| (rng.below(20_001) as f64 - 10_000.0) * scale / 100.0);
            ends.sort_by(f64::total_cmp);
            let [low, high] = ends;
            if low == high {
                continue;
            }
            let found = round_between(low, high);
            assert!(low < found && found <= high);
            let fewest = (-4..=4)
                .flat_map(|power| {
                    (-1000..=1000).map(move |k| format!("{k}e{power}").parse::<f64>().unwrap_or(0.0))
                })
                .filter(|&x| low < x && x <= high)
                .map(digits)
                .min();
            assert!(fewest.is_none_or(|fewest| digits(found) <= fewest), "{low} {high} {found}");
        }
    }

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
