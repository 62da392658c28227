//! Sorts rows by a 64-bit key in linear time, and can be cancelled.

use crate::control::Control;
use crate::error::Error;
use crate::memory;

/// Below this many rows a comparison sort is faster.
const RADIX_FROM: usize = 2048;

/// Bits of a key per pass, and the number of passes.
const DIGIT: u32 = 11;
const N_PASSES: usize = 6;

/// Rows processed between two checks of the control.
pub const ROWS_PER_CHECK: usize = 1 << 17;

/// Sort pairs of key and row by key; the sort is stable.
pub fn sort(rows: &mut Vec<(u64, u32)>, control: &Control) -> Result<(), Error> {
    if rows.len() < RADIX_FROM {
        rows.sort_by_key(|&(key, _)| key);
        return Ok(());
    }
    radix_sort(rows, control)
}

fn digit(key: u64, pass: usize) -> usize {
    (key >> (pass as u32 * DIGIT)) as usize & ((1 << DIGIT) - 1)
}

/// From the lowest digit to the highest. A digit that all keys share is skipped; whole numbers share most.
fn radix_sort(rows: &mut Vec<(u64, u32)>, control: &Control) -> Result<(), Error> {
    let mut counts = vec![[0u32; 1 << DIGIT]; N_PASSES];
    for rows in rows.chunks(ROWS_PER_CHECK) {
        control.check_unfinished()?;
        for &(key, _) in rows {
            for (pass, counts) in counts.iter_mut().enumerate() {
                counts[digit(key, pass)] += 1;
            }
        }
    }
    let n_rows = rows.len() as u32;
    let mut sorted = memory::filled((0, 0), rows.len())?;
    for (pass, counts) in counts.iter_mut().enumerate().filter(|(_, counts)| !counts.contains(&n_rows)) {
        let mut next = 0;
        for count in counts.iter_mut() {
            next += std::mem::replace(count, next);
        }
        for rows in rows.chunks(ROWS_PER_CHECK) {
            control.check_unfinished()?;
            for &row in rows {
                let place = &mut counts[digit(row.0, pass)];
                sorted[*place as usize] = row;
                *place += 1;
            }
        }
        std::mem::swap(rows, &mut sorted);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::ChainRng;

    fn random_rows(n: usize, seed: u64) -> Vec<(u64, u32)> {
        let mut rng = ChainRng::new(seed, 3);
        let mut key = |row: u32| match row % 3 {
            0 => rng.below(50) as u64,
            1 => (rng.below(50) as u64) << 50,
            _ => (rng.below(1 << 32) as u64) << 32 | rng.below(1 << 32) as u64,
        };
        (0..n as u32).map(|row| (key(row), row)).collect()
    }

    #[test]
    fn radix_sort_equals_a_stable_comparison_sort() {
        for (seed, n) in [(1, 0), (2, 1), (3, 5000), (4, 20_000)] {
            let mut rows = random_rows(n, seed);
            let mut expected = rows.clone();
            expected.sort_by_key(|&(key, _)| key);
            radix_sort(&mut rows, &Control::default()).unwrap();
            assert_eq!(rows, expected);
        }
    }

    #[test]
    fn sorting_can_be_cancelled() {
        let control = Control::default();
        control.cancel();
        assert_eq!(sort(&mut random_rows(5000, 5), &control), Err(Error::Cancelled));
    }
}
