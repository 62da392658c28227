//! How often each code of a column occurs with each class.

use crate::column::{InputColumn, ROWS_PER_BATCH};
use crate::control::Control;
use crate::error::Error;
use crate::memory;

/// The weight of the rows of each class that have each code from 0, a missing value, to `n_codes`.
pub fn code_weights(
    column: &InputColumn,
    labels: &[u32],
    n_classes: usize,
    weights: Option<&[f64]>,
    n_codes: usize,
    control: &Control,
) -> Result<Vec<Vec<f64>>, Error> {
    if column.len() != labels.len() || weights.is_some_and(|w| w.len() != labels.len()) {
        return Err(Error::Data("Values, labels and weights differ in number.".into()));
    }
    if labels.iter().any(|&label| label as usize >= n_classes) {
        return Err(Error::Data("A label is not one of the classes.".into()));
    }
    memory::check_room((n_codes + 1).saturating_mul(n_classes).saturating_mul(8))?;
    let mut sums = vec![vec![0.0; n_classes]; n_codes + 1];
    let mut codes = [0; ROWS_PER_BATCH];
    for start in (0..labels.len()).step_by(ROWS_PER_BATCH) {
        control.check_unfinished()?;
        let rows = start..labels.len().min(start + ROWS_PER_BATCH);
        let codes = &mut codes[..rows.len()];
        column.codes(rows.clone(), codes);
        for (row, &code) in rows.zip(codes.iter()) {
            if let Some(sums) = usize::try_from(code).ok().and_then(|code| sums.get_mut(code)) {
                sums[labels[row] as usize] += weights.map_or(1.0, |weights| weights[row]);
            }
        }
    }
    Ok(sums)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_added_up_by_code_and_class() {
        let codes = [1, 2, 0, -1, 2, 3, 9];
        let labels = [0, 1, 1, 0, 1, 0, 0];
        let sums = |labels: &[u32], n_classes, weights| {
            code_weights(&InputColumn::of_codes(&codes), labels, n_classes, weights, 3, &Control::default())
        };
        assert_eq!(sums(&labels, 2, None).unwrap(), [[0.0, 1.0], [1.0, 0.0], [0.0, 2.0], [1.0, 0.0]]);
        let weights = [0.5, 1.0, 2.0, 1.0, 0.25, 4.0, 1.0];
        let weighted = [[0.0, 2.0], [0.5, 0.0], [0.0, 1.25], [4.0, 0.0]];
        assert_eq!(sums(&labels, 2, Some(&weights)).unwrap(), weighted);
        assert!(sums(&labels[..2], 2, None).is_err());
        assert!(sums(&labels, 1, None).is_err());
    }
}
