//! The sums that one move transfers between rules.

use crate::leaf::form::{AnySums, Form};
use crate::leaf::TwoClassTables;

/// Sums that one move transfers between rules.
#[derive(Debug, Clone, Default)]
pub(super) struct Transfer<S> {
    /// Captured by the rule that is inserted: so far, or still to come (see `delta.rs`).
    pub(super) inserted: S,
    /// Released and not yet captured again.
    pub(super) released: S,
    /// Moved away from or to the current position.
    pub(super) moved: S,
    /// Left at the current position after the move.
    pub(super) remaining: S,
}

/// Where the sums of one move are kept.
pub(super) trait Buffered: Form {
    /// Buffers for one move, reusing `kept` if they are on the heap. Nothing is inserted yet.
    fn borrow(self, kept: &mut Option<Transfer<Vec<u64>>>) -> Transfer<Self::Sums>;
    fn give_back(transfer: Transfer<Self::Sums>, kept: &mut Option<Transfer<Vec<u64>>>);
}

impl Buffered for TwoClassTables<'_> {
    #[inline(always)]
    fn borrow(self, _: &mut Option<Transfer<Vec<u64>>>) -> Transfer<[u64; 2]> {
        Transfer::default()
    }

    #[inline(always)]
    fn give_back(_: Transfer<[u64; 2]>, _: &mut Option<Transfer<Vec<u64>>>) {}
}

impl Buffered for AnySums<'_> {
    fn borrow(self, kept: &mut Option<Transfer<Vec<u64>>>) -> Transfer<Vec<u64>> {
        let mut transfer = kept.take().unwrap_or_else(|| Transfer {
            inserted: self.zeros(),
            released: self.zeros(),
            moved: self.zeros(),
            remaining: self.zeros(),
        });
        transfer.inserted.fill(0);
        transfer
    }

    fn give_back(transfer: Transfer<Vec<u64>>, kept: &mut Option<Transfer<Vec<u64>>>) {
        *kept = Some(transfer);
    }
}
