//! An order of the rows that puts alike ones side by side, so that what a rule captures fills few blocks of words.
//!
//! Rows are sorted by the features that tell most about the label, the most telling first. Nothing but speed depends on it.

/// Rows that are looked at to find which features tell most.
const SAMPLE: usize = 1 << 14;

/// Row numbers, alike rows together. `columns[f][i]` is row `i`'s code of feature `f`; columns of another length are ignored.
pub fn alike(columns: &[&[i32]], labels: &[u32], n_classes: usize) -> Vec<u32> {
    let usable = columns.iter().filter(|column| column.len() == labels.len());
    let mut ranked: Vec<(f64, &[i32])> =
        usable.map(|column| (information(column, labels, n_classes), *column)).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut keys: Vec<(u64, u32)> = (0..labels.len() as u32).map(|row| (0, row)).collect();
    let mut bits_left = 64;
    for (_, column) in ranked {
        let bits = 32 - column.iter().copied().max().unwrap_or(0).max(0).leading_zeros();
        if bits > 0 && bits <= bits_left {
            bits_left -= bits;
            for (key, &code) in keys.iter_mut().zip(column) {
                key.0 |= (code.max(0) as u64) << bits_left;
            }
        }
    }
    keys.sort_unstable();
    keys.into_iter().map(|(_, row)| row).collect()
}

/// How much the codes tell about the label: mutual information times the number of rows looked at.
fn information(codes: &[i32], labels: &[u32], n_classes: usize) -> f64 {
    let step = labels.len().div_ceil(SAMPLE).max(1);
    // a class that does not exist is refused elsewhere
    let exists = |&(_, &label): &(usize, &u32)| (label as usize) < n_classes;
    let seen = || codes.iter().map(|&code| code.max(0) as usize).zip(labels).step_by(step).filter(exists);
    let n_codes = seen().map(|(code, _)| code + 1).max().unwrap_or(0);
    let mut counts = vec![0u32; n_codes * n_classes];
    let (mut by_code, mut by_class) = (vec![0u32; n_codes], vec![0u32; n_classes]);
    for (code, &label) in seen() {
        counts[code * n_classes + label as usize] += 1;
        by_code[code] += 1;
        by_class[label as usize] += 1;
    }
    let sum = |counts: &[u32]| counts.iter().map(|&n| x_log_x(n)).sum::<f64>();
    sum(&counts) - sum(&by_code) - sum(&by_class)
}

fn x_log_x(n: u32) -> f64 {
    if n == 0 {
        return 0.0;
    }
    f64::from(n) * f64::from(n).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_named_once_and_alike_rows_are_neighbours() {
        let noise: Vec<i32> = (0..1000).map(|i| i * 7919 % 13).collect();
        let telling: Vec<i32> = (0..1000).map(|i| if i % 7 == 0 { i32::MIN } else { i % 3 }).collect();
        let labels: Vec<u32> = telling.iter().map(|&code| u32::from(code == 1)).collect();
        let order = alike(&[&noise, &telling, &[]], &labels, 2);
        let mut rows = order.clone();
        rows.sort_unstable();
        assert_eq!(rows, (0..1000).collect::<Vec<u32>>());
        let changes = |column: &[i32]| {
            order.windows(2).filter(|w| column[w[0] as usize].max(0) != column[w[1] as usize].max(0)).count()
        };
        assert_eq!(changes(&telling), 2);
        assert!(changes(&noise) <= 3 * 13);
    }

    #[test]
    fn nothing_to_sort_by_leaves_rows_as_they_are() {
        assert_eq!(alike(&[], &[0, 1, 0], 2), [0, 1, 2]);
        assert_eq!(alike(&[&[0, 0, -1]], &[0, 1, 0], 2), [0, 1, 2]);
        assert!(alike(&[&[]], &[], 2).is_empty());
    }

    #[test]
    fn codes_too_wide_for_the_key_are_left_out() {
        let wide: Vec<i32> = (0..50).map(|i| (i * 7 % 50) << 20).collect();
        let labels = vec![0; 50];
        let order = alike(&[&wide, &wide, &wide, &wide], &labels, 1);
        assert!(order.windows(2).all(|w| wide[w[0] as usize] < wide[w[1] as usize]));
    }
}
