//! Items: what a row is asked about one feature. How the matching codes are kept is known here and nowhere else.

use crate::column::MAX_CODE;
use crate::error::Error;
use std::sync::Arc;

/// One condition on a feature: the codes that match it. A level of a factor is one code, an interval or half-line of a number
/// a range of bins, a set of levels any codes. Code 0 is a missing value, −1 an unseen level, which no item matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Index of the feature, from 0.
    pub feature: u32,
    codes: ItemCodes,
}

/// The codes of an item, of which there is at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
enum ItemCodes {
    Range {
        lo: i32,
        hi: i32,
    },
    /// Increasing, with a gap: codes without one are a range.
    Set(Arc<[i32]>),
}

impl Item {
    /// The item of the codes from `lo` to `hi`.
    pub fn range(feature: u32, lo: i32, hi: i32) -> Result<Self, Error> {
        if 0 <= lo && lo <= hi && hi <= MAX_CODE {
            return Ok(Item { feature, codes: ItemCodes::Range { lo, hi } });
        }
        Err(Error::Data(format!("An item cannot have the codes from {lo} to {hi}.")))
    }

    /// The item of these codes, which must increase.
    pub fn set(feature: u32, codes: &[i32]) -> Result<Self, Error> {
        let (&[lo, ..], &[.., hi]) = (codes, codes) else {
            return Err(Error::Data("An item must have a code.".into()));
        };
        if !codes.windows(2).all(|pair| pair[0] < pair[1]) {
            return Err(Error::Data("The codes of an item must increase.".into()));
        }
        let range = Item::range(feature, lo, hi)?;
        if range.n_codes() == codes.len() as i64 {
            return Ok(range);
        }
        Ok(Item { feature, codes: ItemCodes::Set(codes.into()) })
    }

    /// Whether a row with this code matches the item.
    #[inline]
    pub(crate) fn matches(&self, code: i32) -> bool {
        match &self.codes {
            ItemCodes::Range { lo, hi } => *lo <= code && code <= *hi,
            ItemCodes::Set(codes) => codes.binary_search(&code).is_ok(),
        }
    }

    /// The matching codes, in increasing order.
    pub fn codes(&self) -> impl Iterator<Item = i32> + '_ {
        let (range, set) = match &self.codes {
            ItemCodes::Range { lo, hi } => (Some(*lo..=*hi), &[][..]),
            ItemCodes::Set(codes) => (None, &codes[..]),
        };
        range.into_iter().flatten().chain(set.iter().copied())
    }

    /// Number of matching codes.
    pub fn n_codes(&self) -> i64 {
        match &self.codes {
            ItemCodes::Range { lo, hi } => i64::from(hi - lo) + 1,
            ItemCodes::Set(codes) => codes.len() as i64,
        }
    }

    /// The smallest and the largest matching code, if all codes between them match, too.
    pub fn as_range(&self) -> Option<(i32, i32)> {
        match self.codes {
            ItemCodes::Range { lo, hi } => Some((lo, hi)),
            ItemCodes::Set(_) => None,
        }
    }

    /// The smallest matching code.
    pub fn smallest(&self) -> i32 {
        match &self.codes {
            ItemCodes::Range { lo, .. } => *lo,
            ItemCodes::Set(codes) => codes[0],
        }
    }

    /// The largest matching code.
    pub fn largest(&self) -> i32 {
        match &self.codes {
            ItemCodes::Range { hi, .. } => *hi,
            ItemCodes::Set(codes) => codes[codes.len() - 1],
        }
    }

    /// Whether an antecedent may contain both items: neither excludes nor implies the other.
    pub(crate) fn can_join(&self, other: &Item) -> bool {
        if self.feature != other.feature {
            return true;
        }
        let n_common = self.n_common(other);
        0 < n_common && n_common < self.n_codes() && n_common < other.n_codes()
    }

    /// Number of codes that match both items.
    fn n_common(&self, other: &Item) -> i64 {
        match (&self.codes, &other.codes) {
            (ItemCodes::Range { lo, hi }, ItemCodes::Range { lo: other_lo, hi: other_hi }) => {
                (i64::from(*hi.min(other_hi)) - i64::from(*lo.max(other_lo)) + 1).max(0)
            }
            (ItemCodes::Set(codes), _) => codes.iter().filter(|&&code| other.matches(code)).count() as i64,
            (_, ItemCodes::Set(_)) => other.n_common(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(codes: &[i32]) -> Item {
        Item::set(0, codes).unwrap()
    }

    /// All items of the codes 0 to 5: every set that is not empty.
    fn all_items() -> Vec<(Vec<i32>, Item)> {
        let codes = |bits: u32| (0..6).filter(|code| bits >> code & 1 == 1).collect::<Vec<i32>>();
        (1..1 << 6).map(|bits| (codes(bits), set(&codes(bits)))).collect()
    }

    #[test]
    fn ranges_and_sets_are_the_codes_they_are_made_of() {
        let mut n_sets = 0;
        for (codes, item) in all_items() {
            assert_eq!(item.codes().collect::<Vec<i32>>(), codes);
            assert_eq!((item.smallest(), item.largest()), (codes[0], codes[codes.len() - 1]));
            assert_eq!(item.n_codes() as usize, codes.len());
            for code in [i32::MIN, -1, 0, 1, 2, 3, 4, 5, 6, i32::MAX] {
                assert_eq!(item.matches(code), codes.contains(&code), "{item:?}, {code}");
            }
            match item.as_range() {
                Some((lo, hi)) => assert_eq!(item, Item::range(0, lo, hi).unwrap()),
                None => n_sets += 1,
            }
        }
        // 21 of the 63 sets have no gap
        assert_eq!(n_sets, 42);
    }

    #[test]
    fn items_of_one_feature_join_only_if_some_rows_match_both_and_neither_implies_the_other() {
        let all = all_items();
        for (codes, item) in &all {
            for (other_codes, other) in &all {
                let n_both = codes.iter().filter(|code| other_codes.contains(code)).count();
                let expected = n_both > 0 && n_both < codes.len().min(other_codes.len());
                assert_eq!(item.can_join(other), expected, "{codes:?}, {other_codes:?}");
            }
            assert!(item.can_join(&Item { feature: 1, ..item.clone() }));
        }
        let largest = Item::range(0, 0, MAX_CODE).unwrap();
        assert!(!largest.can_join(&set(&[3, 7])));
    }

    #[test]
    fn codes_that_no_row_can_have_or_that_do_not_increase_are_refused() {
        for (lo, hi) in [(2, 1), (-1, 1), (i32::MIN, i32::MAX), (1, MAX_CODE + 1)] {
            assert!(matches!(Item::range(0, lo, hi), Err(Error::Data(_))), "{lo}, {hi}");
        }
        for codes in [&[][..], &[2, 1], &[1, 1], &[-1, 3], &[1, 3, MAX_CODE + 1], &[i32::MIN, i32::MAX]] {
            assert!(matches!(Item::set(0, codes), Err(Error::Data(_))), "{codes:?}");
        }
    }
}
