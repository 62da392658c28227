//! The moves that change a rule list.

/// A change to a rule list of `m` rules; positions count from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// Put an unused candidate before position `at` (`at == m`: at the end).
    Add {
        candidate: u32,
        at: usize,
    },
    Remove {
        at: usize,
    },
    /// Exchange the rules at two positions, `first < second`.
    Swap {
        first: usize,
        second: usize,
    },
    /// Put an unused candidate in a rule's place.
    Replace {
        candidate: u32,
        at: usize,
    },
}

impl Move {
    /// The first position whose rule changes.
    pub fn first_position(self) -> usize {
        match self {
            Move::Add { at, .. } | Move::Remove { at } | Move::Replace { at, .. } => at,
            Move::Swap { first, .. } => first,
        }
    }

    /// The rules after the move, one after the other.
    pub fn rules_after(self, rules: &[u32]) -> impl Iterator<Item = u32> + Clone + '_ {
        // what stays, what comes in between, what stays, what goes down, what stays
        let (first, came, next, went, past) = match self {
            Move::Add { candidate, at } => (at, Some(candidate), at..rules.len(), None, rules.len()),
            Move::Remove { at } => (at, None, at + 1..rules.len(), None, rules.len()),
            Move::Replace { candidate, at } => (at, Some(candidate), at + 1..rules.len(), None, rules.len()),
            Move::Swap { first, second } => {
                (first, Some(rules[second]), first + 1..second, Some(rules[first]), second + 1)
            }
        };
        let stay = |range: std::ops::Range<usize>| rules[range].iter().copied();
        stay(0..first).chain(came).chain(stay(next)).chain(went).chain(stay(past..rules.len()))
    }

    /// The list after the move.
    pub fn applied_to(self, rules: &[u32]) -> Vec<u32> {
        let mut rules = rules.to_vec();
        match self {
            Move::Add { candidate, at } => rules.insert(at, candidate),
            Move::Remove { at } => drop(rules.remove(at)),
            Move::Swap { first, second } => rules.swap(first, second),
            Move::Replace { candidate, at } => rules[at] = candidate,
        }
        rules
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_one_after_the_other_are_the_list() {
        let rules = [7, 3, 9];
        let mut moves: Vec<Move> = (0..=3).map(|at| Move::Add { candidate: 5, at }).collect();
        for at in 0..3 {
            moves.extend([Move::Remove { at }, Move::Replace { candidate: 5, at }]);
            moves.extend((at + 1..3).map(|second| Move::Swap { first: at, second }));
        }
        for change in moves {
            assert_eq!(
                change.rules_after(&rules).collect::<Vec<_>>(),
                change.applied_to(&rules),
                "{change:?}"
            );
        }
    }
}
