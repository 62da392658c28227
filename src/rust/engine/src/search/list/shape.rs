//! Which moves lead to admissible lists, where captures decide on that.
//!
//! A move is scored first, which is where most fail; then its captures are checked where they change. Insertions at every
//! position at once: with `covered_q` = what the candidate covers of leaf q, an insertion at p leaves
//!
//! ```text
//! N_0, …, N_{p−1},   Σ_{q≥p} covered_q,   N_p − covered_p, …, N_m − covered_m
//! ```
//!
//! so it is admissible if the leaves before p follow each other, those from p on do once the candidate's rows are gone, and the
//! inserted one fits between.

use super::delta::Proposed;
use super::moves::Move;
use crate::leaf::counts::{add, at, subtract};
use crate::search::problem::objective::Objective;

/// Whether the list after `change` is admissible, whose changed positions were counted. `counts` are those before it.
pub(super) fn admits_change(
    objective: &Objective,
    is_admissible: bool,
    change: Move,
    counts: &[u64],
    proposed: &Proposed,
) -> bool {
    let (leaf, k) = (objective.leaf(), objective.leaf().n_sums());
    let m = counts.len() / k - 1;
    let (first, past) = change.changed_positions(m);
    let n_after = m + 1 + usize::from(matches!(change, Move::Add { .. }))
        - usize::from(matches!(change, Move::Remove { .. }));
    let n_changed = n_after - first - (m + 1 - past);
    let changed = proposed.counts[..n_changed * k].chunks_exact(k);
    // what does not change is as it was
    let (start, end) = if is_admissible { (first, past + 1) } else { (0, m + 1) };
    let end = end.min(m + 1);
    let leaves: Vec<&[u64]> = counts[start * k..first * k]
        .chunks_exact(k)
        .chain(changed)
        .chain(counts[past * k..end * k].chunks_exact(k))
        .collect();
    let admission = objective.admission();
    let before = match start {
        0 => admission.before_first(),
        _ => admission.estimate(leaf, at(counts, start - 1, k)),
    };
    admission.admits_leaves(leaf, before, leaves.into_iter(), end == m + 1)
}

/// For each position of a list with these `counts`: whether inserting a candidate there that covers `covered` is admissible.
pub(super) fn admits_insertions(objective: &Objective, counts: &[u64], covered: &[u64], out: &mut Vec<bool>) {
    let (admission, leaf, k) = (objective.admission(), objective.leaf(), objective.leaf().n_sums());
    let n = counts.len() / k;
    out.clear();
    out.resize(n, true);
    let (mut inserted, mut left) = (vec![0; k], vec![0; k]);
    // from below: what is left at a position, and all that follows
    let (mut follows, mut next) = (true, None);
    for position in (0..n).rev() {
        add(&mut inserted, at(covered, position, k));
        left.copy_from_slice(at(counts, position, k));
        subtract(&mut left, at(covered, position, k));
        let estimate = admission.estimate(leaf, &left);
        follows &= next.map_or(true, |next| admission.admits_next(estimate, next));
        follows &= position + 1 == n || admission.admits_rule(leaf, &left);
        next = Some(estimate);
        let of_rule = admission.estimate(leaf, &inserted);
        let before = match position {
            0 => admission.before_first(),
            _ => admission.estimate(leaf, at(counts, position - 1, k)),
        };
        out[position] = follows
            && admission.admits_rule(leaf, &inserted)
            && admission.admits_next(before, of_rule)
            && admission.admits_next(of_rule, estimate);
    }
    // from above: the leaves before a position
    let (mut follows, mut before) = (true, admission.before_first());
    for (position, out) in out.iter_mut().enumerate().take(n).skip(1) {
        let sums = at(counts, position - 1, k);
        let estimate = admission.estimate(leaf, sums);
        follows &= admission.admits_next(before, estimate) && admission.admits_rule(leaf, sums);
        before = estimate;
        *out &= follows;
    }
}
