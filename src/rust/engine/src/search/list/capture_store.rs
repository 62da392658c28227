//! The operations on captures that scoring needs, whatever their representation.

use super::transfer::Buffered;

/// The captures of a list, the default rule's at the last position, and a set of *released* rows that belong to no rule
/// while a move is scored. Counts are added to `out`, one number per sum of the leaf.
pub(super) trait CaptureStore {
    type Cover: Copy;
    type Form: Buffered;

    /// Whether counting one position is expensive enough that a second bound on the score pays before the next one.
    const IS_EXPENSIVE: bool;

    /// Whether the rows that no earlier rule captures are stored per position, so that `count_uncaptured()` answers.
    const STORES_UNCAPTURED: bool;

    /// The leaf whose sums are counted.
    fn form(&self) -> Self::Form;

    /// The rows that a candidate covers.
    fn cover(&self, candidate: u32) -> Self::Cover;

    /// Count the rows of `cover` that no rule before `position` captures.
    fn count_uncaptured(&self, position: usize, cover: Self::Cover, out: &mut [u64]);

    /// Count the rows of `cover` that the rule at `position` captures.
    fn count_captured(&self, position: usize, cover: Self::Cover, out: &mut [u64]);

    /// Release the rows captured at `position`, except those that `except` covers.
    fn release(&mut self, position: usize, except: Option<Self::Cover>);

    /// Release only those rows captured at `position` that `cover` covers.
    fn release_covered(&mut self, position: usize, cover: Self::Cover);

    /// Release all rows captured at `position` or later.
    fn release_from(&mut self, position: usize);

    /// Capture the released rows of `cover`: count them, and release them no longer.
    fn take(&mut self, cover: Self::Cover, out: &mut [u64]);
}

/// Work on captures in any representation. It is compiled for each of them and for each instruction set, so it must be
/// inlined with everything it calls (see `WithSimd`).
pub(super) trait WithStore {
    type Output;

    fn run<S: CaptureStore>(self, store: &mut S) -> Self::Output;
}
