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

    /// Make the move.
    pub fn apply_to(self, rules: &mut Vec<u32>) {
        match self {
            Move::Add { candidate, at } => rules.insert(at, candidate),
            Move::Remove { at } => drop(rules.remove(at)),
            Move::Swap { first, second } => rules.swap(first, second),
            Move::Replace { candidate, at } => rules[at] = candidate,
        }
    }

    /// The list after the move.
    pub fn applied_to(self, rules: &[u32]) -> Vec<u32> {
        let mut rules = rules.to_vec();
        self.apply_to(&mut rules);
        rules
    }
}
