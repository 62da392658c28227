//! Antecedents that cover nearly the same rows: conditions such as `age < 37.5` and `age < 38` mean the same.

use crate::bitset::BitColumns;
use crate::control::Control;
use crate::data::Rows;
use crate::error::Error;
use crate::memory;

/// The weight of the rows that each antecedent covers, in the unit of `rows`.
pub fn cover_weights(rows: &Rows, covers: &BitColumns, control: &Control) -> Result<Vec<u64>, Error> {
    let mut weights = memory::with_capacity(covers.n_columns())?;
    for index in 0..covers.n_columns() {
        control.check_unfinished()?;
        weights.push(rows.count(covers.column(index)).iter().sum());
    }
    Ok(weights)
}

/// For each antecedent the number of its group, which is that of the group's first antecedent in `order`. In this order each
/// antecedent joins the first group whose first antecedent is alike, or begins a new one. Two are alike if the rows that
/// both cover weigh at least the share `similarity` of those that one or the other covers (Jaccard's index).
pub fn groups(
    rows: &Rows,
    covers: &BitColumns,
    order: &[u32],
    similarity: f64,
    control: &Control,
) -> Result<Vec<u32>, Error> {
    let weights = cover_weights(rows, covers, control)?;
    let mut group = memory::collect(0..covers.n_columns() as u32)?;
    let mut leaders: Vec<u32> = Vec::new();
    let mut both = vec![0u64; rows.n_classes()];
    for &index in order {
        control.check_unfinished()?;
        let (cover, weight) = (covers.column(index as usize), weights[index as usize]);
        let mut is_alike = |leader: u32| {
            let (small, large) = ordered(weight, weights[leader as usize]);
            // the cheap test first: what both cover weighs no more than the lighter one
            if (small as f64) < similarity * large as f64 {
                return false;
            }
            both.fill(0);
            rows.count_and(cover, covers.column(leader as usize), &mut both);
            let shared: u64 = both.iter().sum();
            shared as f64 >= similarity * (small + large - shared) as f64
        };
        match leaders.iter().copied().find(|&leader| is_alike(leader)) {
            Some(leader) => group[index as usize] = leader,
            None => memory::push(&mut leaders, index)?,
        }
    }
    Ok(group)
}

fn ordered(a: u64, b: u64) -> (u64, u64) {
    (a.min(b), a.max(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn antecedents_of_nearly_equal_cover_are_one_group() {
        let labels: Vec<u32> = (0..100).map(|row| row % 2).collect();
        let rows = Rows::new(&labels, 2).unwrap();
        let mut covers = BitColumns::zeroed(4, rows.n_words()).unwrap();
        // rows below 50, 48 and 40, and the others
        for (index, from, to) in [(0, 0, 50), (1, 0, 48), (2, 0, 40), (3, 50, 100)] {
            (from..to).for_each(|row: usize| covers.set(index, rows.positions()[row] as usize));
        }
        let control = Control::default();
        assert_eq!(cover_weights(&rows, &covers, &control).unwrap(), [50, 48, 40, 50]);
        let found = |order: &[u32], similarity| groups(&rows, &covers, order, similarity, &control).unwrap();
        assert_eq!(found(&[0, 1, 2, 3], 0.9), [0, 0, 2, 3]);
        assert_eq!(found(&[2, 1, 0, 3], 0.8), [2, 2, 2, 3]);
        assert_eq!(found(&[0, 1, 2, 3], 1.0), [0, 1, 2, 3]);
    }

    #[test]
    fn weights_count() {
        let rows = Rows::weighted(&[0, 1, 1], 2, &[1.0, 10.0, 1.0]).unwrap();
        let mut covers = BitColumns::zeroed(2, rows.n_words()).unwrap();
        covers.set(0, rows.positions()[0] as usize);
        covers.set(0, rows.positions()[1] as usize);
        covers.set(1, rows.positions()[1] as usize);
        let control = Control::default();
        assert_eq!(groups(&rows, &covers, &[0, 1], 0.9, &control).unwrap(), [0, 0]);
        assert_eq!(groups(&rows, &covers, &[0, 1], 0.95, &control).unwrap(), [0, 1]);
    }
}
