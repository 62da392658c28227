//! Made-up tables: factors that depend on hidden groups, and a label from a known noisy rule list.

use crate::table::Table;
use sbrl_engine::rng::ChainRng;

/// The shape of a made-up table; the same shape and seed give the same table everywhere.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shape {
    pub rows: usize,
    pub features: usize,
    pub levels: usize,
    pub seed: u64,
}

/// Rules of the true list, each on one level of two features, and per cent of label 1 among the rows it takes.
const RULES: [usize; 8] = [92, 8, 85, 15, 80, 20, 75, 10];
const DEFAULT: usize = 35;
/// Hidden groups that the features lean on.
const GROUPS: usize = 6;
/// Per cent of values that follow the row's group.
const LEAN: usize = 40;

impl Shape {
    pub fn make(self) -> Table {
        let mut rng = ChainRng::new(self.seed, 0);
        // each group prefers one level of each feature
        let preferred: Vec<Vec<usize>> =
            (0..self.features).map(|_| (0..GROUPS).map(|_| rng.below(self.levels)).collect()).collect();
        let groups: Vec<usize> = (0..self.rows).map(|_| rng.below(GROUPS)).collect();
        let columns: Vec<Vec<i32>> = (0..self.features)
            .map(|feature| {
                let mut rng = ChainRng::new(self.seed, 1 + feature as u64);
                let value = |&group: &usize| match rng.below(100) < LEAN {
                    true => preferred[feature][group],
                    false => rng.below(self.levels),
                };
                groups.iter().map(value).map(|level| level as i32 + 1).collect()
            })
            .collect();
        let labels = self.labels(&columns, &mut rng);
        let level = |index: usize| char::from(b'a' + (index % 26) as u8).to_string();
        Table {
            names: (1..=self.features).map(|feature| format!("x{feature:03}")).collect(),
            levels: vec![(0..self.levels).map(level).collect(); self.features],
            columns,
            labels,
        }
    }

    fn labels(self, columns: &[Vec<i32>], rng: &mut ChainRng) -> Vec<u32> {
        let mut item = || (rng.below(self.features), rng.below(self.levels) as i32 + 1);
        let rules: Vec<[(usize, i32); 2]> = RULES.iter().map(|_| [item(), item()]).collect();
        let mut label = |row: usize| {
            let obeys = |rule: &[(usize, i32); 2]| rule.iter().all(|&(f, level)| columns[f][row] == level);
            let percent = rules.iter().position(obeys).map_or(DEFAULT, |rule| RULES[rule]);
            u32::from(rng.below(100) < percent)
        };
        (0..self.rows).map(&mut label).collect()
    }

    /// Read `rows=1000,features=20,levels=3,seed=1`; what is not named keeps its default.
    pub fn parse(text: &str) -> Result<Shape, String> {
        let mut shape = Shape { rows: 10_000, features: 20, levels: 3, seed: 1 };
        for part in text.split(',').filter(|part| !part.is_empty()) {
            let wrong = || format!("`{part}` is not rows=, features=, levels= or seed= and a whole number");
            let (name, value) = part.split_once('=').ok_or_else(wrong)?;
            let value: usize = value.parse().map_err(|_| wrong())?;
            match name {
                "rows" => shape.rows = value,
                "features" => shape.features = value,
                "levels" => shape.levels = value,
                "seed" => shape.seed = value as u64,
                _ => return Err(wrong()),
            }
        }
        if shape.rows == 0 || shape.features == 0 || !(2..=26).contains(&shape.levels) {
            return Err(format!("rows and features from 1, levels from 2 to 26, not {shape:?}"));
        }
        Ok(shape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_table() {
        let shape = Shape::parse("rows=500,features=7,levels=4,seed=3").unwrap();
        let (one, other) = (shape.make(), shape.make());
        assert_eq!((&one.columns, &one.labels), (&other.columns, &other.labels));
        assert!(one.columns.iter().flatten().all(|code| (1..=4).contains(code)));
        assert!(Shape { seed: 4, ..shape }.make().labels != one.labels);
        assert!(Shape::parse("rows=x").is_err() && Shape::parse("levels=1").is_err());
    }
}
