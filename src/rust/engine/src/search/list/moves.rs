//! The moves that change a rule list.
//!
//! A new move needs a variant here and a branch in each function below. It is then scored and applied by recomputing the
//! list from its first changed position (`delta.rs`, `captures.rs`); a faster path there is optional.

/// A change to a rule list of `m` rules; positions count from 0.
#[allow(missing_docs)] // the variants describe their fields
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// Insert an unused candidate before `position` (`m`: at the end).
    Add { candidate: u32, position: usize },
    /// Remove the rule at `position`.
    Remove { position: usize },
    /// Swap the rules at two positions, `first < second`.
    Swap { first: usize, second: usize },
    /// Put an unused candidate in place of the rule at `position`.
    Replace { candidate: u32, position: usize },
    /// Remove the rule at `from`, then insert `candidate` (an unused one, or that rule) before `position` of the shorter list.
    Exchange { from: usize, candidate: u32, position: usize },
}

impl Move {
    /// The first position whose rule changes.
    #[inline(always)]
    pub fn first_position(self) -> usize {
        match self {
            Move::Add { position, .. } | Move::Remove { position } | Move::Replace { position, .. } => {
                position
            }
            Move::Swap { first, .. } => first,
            Move::Exchange { from, position, .. } => from.min(position),
        }
    }

    /// The positions of a list of `m` rules whose captures may change; the default rule's is `m`.
    #[inline(always)]
    pub fn changed_positions(self, m: usize) -> (usize, usize) {
        match self {
            Move::Swap { first, second } => (first, second + 1),
            _ => (self.first_position(), m + 1),
        }
    }

    /// The candidate that enters the list and the position whose rule leaves it.
    #[inline(always)]
    pub fn gained_and_lost(self) -> (Option<u32>, Option<usize>) {
        match self {
            Move::Add { candidate, .. } => (Some(candidate), None),
            Move::Remove { position } => (None, Some(position)),
            Move::Swap { .. } => (None, None),
            Move::Replace { candidate, position } => (Some(candidate), Some(position)),
            Move::Exchange { from, candidate, .. } => (Some(candidate), Some(from)),
        }
    }

    /// Change `rules`.
    #[inline(always)]
    pub fn apply_to(self, rules: &mut Vec<u32>) {
        match self {
            Move::Add { candidate, position } => rules.insert(position, candidate),
            Move::Remove { position } => drop(rules.remove(position)),
            Move::Swap { first, second } => rules.swap(first, second),
            Move::Replace { candidate, position } => rules[position] = candidate,
            Move::Exchange { from, candidate, position } => {
                rules.remove(from);
                rules.insert(position, candidate);
            }
        }
    }

    /// The list after the move.
    pub fn applied_to(self, rules: &[u32]) -> Vec<u32> {
        let mut rules = rules.to_vec();
        self.apply_to(&mut rules);
        rules
    }

    /// What the move is counted as.
    #[inline(always)]
    pub fn kind(self) -> MoveKind {
        match self {
            Move::Add { .. } => MoveKind::Add,
            Move::Remove { .. } => MoveKind::Remove,
            Move::Swap { .. } => MoveKind::Swap,
            Move::Replace { .. } => MoveKind::Replace,
            Move::Exchange { .. } => MoveKind::Exchange,
        }
    }
}

/// The kinds of move, as they are counted and reported; see `Move`.
#[allow(missing_docs)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MoveKind {
    Add,
    Remove,
    Swap,
    Replace,
    Exchange,
}

impl MoveKind {
    /// All of them, in the order of their discriminants.
    pub const ALL: [MoveKind; 5] =
        [MoveKind::Add, MoveKind::Remove, MoveKind::Swap, MoveKind::Replace, MoveKind::Exchange];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            MoveKind::Add => "add",
            MoveKind::Remove => "remove",
            MoveKind::Swap => "swap",
            MoveKind::Replace => "replace",
            MoveKind::Exchange => "exchange",
        }
    }
}
