//! Which rule lists are admissible: by their length, and by what their rules capture.
//!
//! Captures are judged locally, one rule alone or a leaf and the next one, so that a move is checked where it changes the list. A list
//! whose captures are not admissible has log likelihood −∞. The prior stays the prior over all lists of admissible length: what is
//! sampled is the posterior given that the list is admissible, and the evidence counts other lists as 0. Problems whose
//! captures are all admissible are *free*, the others *shaped*.
//!
//! An order compares what models predict ([`crate::leaf::Leaf::estimate`]), as doubles and without a tolerance: what
//! is printed then never rises, or never falls. Neighbours are enough, because an order is transitive; the default
//! rule is the last leaf. The least number of captured rows does not apply to the default rule, so the empty list satisfies it.
//!
//! To add a constraint on captures: a field here, [`Admission::is_shaped`], and its part of [`Admission::admits_rule`] or
//! [`Admission::admits_next`]. Moves (`list/shape.rs`), scores and residual problems ask only these.

use crate::leaf::LeafFamily;

/// How estimates may change from leaf to leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// In any way.
    #[default]
    Any,
    /// Estimate number `which` never rises.
    Falling {
        /// Of classes, the one whose probability is compared.
        which: usize,
    },
    /// It never falls.
    Rising {
        /// Likewise.
        which: usize,
    },
}

/// Which lists are admissible.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Admission {
    /// Most rules.
    pub max_length: usize,
    /// Rows that every rule captures at least, by weight in units.
    pub min_captured: u64,
    /// What estimates may do from leaf to leaf.
    pub order: Order,
    /// What the leaf before the first one predicts, if the list is the rest of one.
    before: Option<f64>,
}

impl Admission {
    /// All lists of at most this many rules.
    pub fn of_length(max_length: usize) -> Self {
        Admission { max_length, min_captured: 0, order: Order::Any, before: None }
    }

    /// The same, but at most this many rules.
    pub fn with_max_length(self, max_length: usize) -> Self {
        Admission { max_length, ..self }
    }

    /// The same lists, if each rule captures at least this many rows.
    pub fn with_min_captured(self, min_captured: u64) -> Self {
        Admission { min_captured, ..self }
    }

    /// The same lists, if their estimates have this order.
    pub fn with_order(self, order: Order) -> Self {
        Admission { order, ..self }
    }

    /// Whether captures can make a list inadmissible. If not, nothing else here needs to be asked.
    #[inline(always)]
    pub fn is_shaped(&self) -> bool {
        self.min_captured > 0 || self.order != Order::Any
    }

    /// Whether lists of `n_rules` rules are admissible.
    #[inline(always)]
    pub fn admits_length(&self, n_rules: usize) -> bool {
        n_rules <= self.max_length
    }

    /// Whether a rule may capture rows with these sums.
    pub fn admits_rule(&self, leaf: &LeafFamily, sums: &[u64]) -> bool {
        self.min_captured == 0 || leaf.as_leaf().n_rows(sums) >= self.min_captured
    }

    /// What the order compares.
    pub fn estimate(&self, leaf: &LeafFamily, sums: &[u64]) -> f64 {
        match self.order {
            Order::Any => 0.0,
            Order::Falling { which } | Order::Rising { which } => leaf.as_leaf().estimate(which, sums),
        }
    }

    /// Whether a leaf with one estimate may follow another.
    pub fn admits_next(&self, before: f64, after: f64) -> bool {
        match self.order {
            Order::Any => true,
            Order::Falling { .. } => after <= before,
            Order::Rising { .. } => after >= before,
        }
    }

    /// What the leaf before the first one predicts: anything may follow if there is none.
    pub fn before_first(&self) -> f64 {
        self.before.unwrap_or(match self.order {
            Order::Rising { .. } => f64::NEG_INFINITY,
            _ => f64::INFINITY,
        })
    }

    /// Whether these leaves may come one after another behind a leaf that predicts `before`. If `has_default`, the last is the default
    /// rule's.
    pub fn admits_leaves<'s>(
        &self,
        leaf: &LeafFamily,
        before: f64,
        leaves: impl ExactSizeIterator<Item = &'s [u64]>,
        has_default: bool,
    ) -> bool {
        let n_rules = leaves.len() - usize::from(has_default);
        let mut before = before;
        leaves.enumerate().all(|(position, sums)| {
            let estimate = self.estimate(leaf, sums);
            let follows = self.admits_next(before, estimate);
            before = estimate;
            follows && (position >= n_rules || self.admits_rule(leaf, sums))
        })
    }

    /// Whether a whole list is admissible whose rules capture rows with these sums, the default rule last.
    pub fn admits(&self, leaf: &LeafFamily, sums: &[u64]) -> bool {
        !self.is_shaped()
            || self.admits_leaves(leaf, self.before_first(), sums.chunks_exact(leaf.n_sums()), true)
    }

    /// Which lists are admissible after a prefix of `n_rules` rules, the last of which captures rows with the sums `last`.
    pub fn after(&self, leaf: &LeafFamily, n_rules: usize, last: Option<&[u64]>) -> Self {
        let before = last.filter(|_| self.order != Order::Any).map(|sums| self.estimate(leaf, sums));
        let max_length = self.max_length.saturating_sub(n_rules);
        Admission { max_length, before: before.or(self.before), ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::leaf::DirichletMultinomial;

    fn leaf(alpha: [f64; 2]) -> LeafFamily {
        LeafFamily::Classes(DirichletMultinomial::new(&alpha, &[100, 100], 1.0))
    }

    #[test]
    fn neighbours_decide_on_an_order_and_ties_are_admissible() {
        let leaf = leaf([1.0, 1.0]);
        let falls = Admission::of_length(9).with_order(Order::Falling { which: 1 });
        let rises = Admission::of_length(9).with_order(Order::Rising { which: 1 });
        // 2/3 (3 of 4 and 1 of 1), then 1/2
        assert!(falls.admits(&leaf, &[1, 3, 0, 1, 2, 2]) && !rises.admits(&leaf, &[1, 3, 0, 1, 2, 2]));
        assert!(falls.admits(&leaf, &[1, 3, 0, 1]) && rises.admits(&leaf, &[1, 3, 0, 1]));
        assert!(!falls.admits(&leaf, &[1, 3, 2, 2, 0, 1]) && rises.admits(&leaf, &[2, 2, 0, 1]));
        // of the other class the reverse
        let other = Admission::of_length(9).with_order(Order::Rising { which: 0 });
        assert!(other.admits(&leaf, &[1, 3, 0, 1, 2, 2]) && !other.admits(&leaf, &[2, 2, 0, 1]));
        assert!(falls.admits(&leaf, &[5, 0]) && rises.admits(&leaf, &[5, 0]));
    }

    #[test]
    fn every_rule_but_the_default_rule_needs_its_rows() {
        let (leaf, least) = (leaf([1.0, 1.0]), Admission::of_length(9).with_min_captured(3));
        assert!(least.admits(&leaf, &[1, 2, 0, 0]) && least.admits(&leaf, &[0, 0]));
        assert!(!least.admits(&leaf, &[1, 1, 9, 9]) && least.is_shaped());
        assert!(Admission::of_length(9).admits(&leaf, &[0, 0, 0, 9]));
    }

    #[test]
    fn a_list_is_admissible_if_its_prefix_is_and_the_rest_after_it() {
        let leaf = leaf([0.1, 0.7]);
        for order in [Order::Falling { which: 1 }, Order::Rising { which: 0 }, Order::Any] {
            let whole = Admission::of_length(4).with_order(order).with_min_captured(2);
            for code in 0..3u64.pow(6) {
                let sums: Vec<u64> = (0..6).map(|i| code / 3u64.pow(i) % 3).collect();
                let (first, rest) = sums.split_at(2);
                let after = whole.after(&leaf, 1, Some(first));
                let both = whole.admits_rule(&leaf, first) && after.admits(&leaf, rest);
                assert_eq!(whole.admits(&leaf, &sums), both, "{order:?} {sums:?}");
                assert_eq!(after.max_length, 3);
                assert_eq!(after.after(&leaf, 0, None), after);
            }
        }
    }
}
