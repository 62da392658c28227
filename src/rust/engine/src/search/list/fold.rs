//! One candidate at every position of a list, as a fold over the positions from the last one up.
//!
//! Inserted at p, a candidate takes what it covers of every capture from p on. So with `covered_q` of the sums `captured_q` at q,
//!
//! ```text
//! taken(p) = Σ_{q≥p} covered_q,      left(p) = Σ_{q≥p} log f(captured_q − covered_q)
//! ```
//!
//! and a list with the candidate at p has the log likelihood (sum of the log marginals above p) + log f(taken(p)) + left(p).

use crate::leaf::form::Form;

/// Give `see` every position, the last of `n` first, with log f(taken) and what is left there; `sums` are `captured` and `covered` by
/// position and number of the sum.
#[inline(always)]
pub(super) fn fold_from_below(
    form: impl Form,
    n: usize,
    buffer: &mut Vec<u64>,
    sums: impl Fn(usize, usize) -> (u64, u64),
    mut see: impl FnMut(usize, f64, f64),
) {
    let k = form.n();
    let (taken, left) = grown(buffer, 2 * k).split_at_mut(k);
    taken.fill(0);
    let mut log_left = 0.0;
    for position in (0..n).rev() {
        for i in 0..k {
            let (captured, covered) = sums(position, i);
            taken[i] += covered;
            left[i] = captured - covered;
        }
        log_left += form.log_marginal(left);
        see(position, form.log_marginal(taken), log_left);
    }
}

/// The first `n` numbers of a buffer that only grows.
#[inline(always)]
pub(super) fn grown(buffer: &mut Vec<u64>, n: usize) -> &mut [u64] {
    if buffer.len() < n {
        buffer.resize(n, 0);
    }
    &mut buffer[..n]
}
