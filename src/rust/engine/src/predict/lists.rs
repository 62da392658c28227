//! Prediction with many rule lists over the same antecedents: each antecedent is matched once per batch of rows, whatever
//! the number of lists.

use crate::binarise::check_items;
use crate::bitset::set_bits;
use crate::column::{InputColumn, MISSING};
use crate::control::Control;
use crate::error::Error;
use crate::memory;
use crate::model::{Antecedents, Item};
use crate::ragged::Ragged;

/// Rows handled together: their cells, one per list, fit into the second-level cache for some hundred lists.
pub(super) const ROWS_PER_BATCH: usize = 1024;
const WORDS_PER_BATCH: usize = ROWS_PER_BATCH / 64;

/// Rule lists: the antecedents of each, in order. The *cells* of a list are its rules, its default rule and its base rate;
/// the cells of all lists are numbered in sequence.
#[derive(Debug, Clone)]
pub struct RuleLists(Ragged);

impl RuleLists {
    /// From the rules of all lists in sequence and the length of each list. All rules must be below `n_antecedents`.
    pub fn new(rules: Vec<u32>, lengths: &[usize], n_antecedents: usize) -> Result<Self, Error> {
        let Some(lists) = Ragged::from_flat(rules, lengths)? else {
            return Err(Error::Data("The lengths of the lists do not add up.".into()));
        };
        if let Some(rule) = lists.flat().iter().find(|&&rule| rule as usize >= n_antecedents) {
            return Err(Error::Data(format!("There is no antecedent number {}.", rule + 1)));
        }
        Ok(RuleLists(lists))
    }

    /// Number of lists.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no lists.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Number of cells.
    pub fn n_cells(&self) -> usize {
        self.0.flat().len() + 2 * self.len()
    }

    /// The rules of each list and the number of its first cell.
    fn iter(&self) -> impl Iterator<Item = (&[u32], u32)> {
        self.0.iter().enumerate().map(|(list, rules)| (rules, (self.0.start(list) + 2 * list) as u32))
    }
}

/// What is predicted from: columns, the antecedents on them, and the lists.
#[derive(Debug)]
pub struct ListInput<'a> {
    /// Columns of the features; those of features that no antecedent uses may be empty.
    pub columns: Vec<InputColumn<'a>>,
    /// Items of the antecedents.
    pub items: Vec<Item>,
    /// Antecedents that the lists refer to.
    pub antecedents: Antecedents,
    /// The lists.
    pub lists: RuleLists,
    /// For each feature, whether values were missing in training; see `capturing_rules()`.
    pub missing_is_known: Vec<bool>,
    /// Whether a row that a missing value leaves undecided gets the base rate of the list; else later rules decide.
    pub undecided_get_base_rate: bool,
    /// Number of rows.
    pub n_rows: usize,
}

impl ListInput<'_> {
    fn check(&self) -> Result<(), Error> {
        check_items(&self.items, self.columns.len())?;
        for &item in self.antecedents.flat() {
            let column = self.items.get(item as usize).map(|item| &self.columns[item.feature as usize]);
            if column.map(InputColumn::len) != Some(self.n_rows) {
                return Err(Error::Data(format!(
                    "The feature of item {} is not there for all rows.",
                    item + 1
                )));
            }
        }
        if self.missing_is_known.len() != self.columns.len() {
            return Err(Error::Data("`missing_is_known` must have one value per feature.".into()));
        }
        Ok(())
    }

    /// Call `see` with each batch of rows. Returns the rows that some list leaves undecided, in rising order.
    pub(super) fn for_each_batch(
        &self,
        control: &Control,
        mut see: impl FnMut(&Batch) -> Result<(), Error>,
    ) -> Result<Vec<u32>, Error> {
        self.check()?;
        let mut batch = Batch::new(self)?;
        let mut undecided = Vec::new();
        let mut start = 0;
        while start < self.n_rows {
            control.check_unfinished()?;
            batch.begin(self, start);
            batch.match_antecedents(self);
            batch.fill_cells(self);
            see(&batch)?;
            let rows = set_rows(&batch.undecided).map(|row| (start + row) as u32);
            memory::extend(&mut undecided, rows.take_while(|&row| (row as usize) < self.n_rows))?;
            start += ROWS_PER_BATCH;
        }
        Ok(undecided)
    }
}

/// The rows of the bits that are set.
fn set_rows(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(word, &bits)| set_bits(bits).map(move |bit| 64 * word + bit))
}

type Words = [u64; WORDS_PER_BATCH];

/// Consecutive rows: what each antecedent covers, and which cell of each list each row gets.
pub(super) struct Batch {
    pub(super) start: usize,
    pub(super) n_rows: usize,
    codes: Vec<i32>,
    /// For each item, the rows that match it, and those whose value is missing where that is undecided.
    matches: Vec<Words>,
    unknown: Vec<Words>,
    /// For each antecedent, the rows it covers, and those it covers or not depending on values that are missing.
    covers: Vec<Words>,
    open: Vec<Words>,
    /// The cell of list l and row r is at `l * ROWS_PER_BATCH + r`.
    cells: Vec<u32>,
    undecided: Words,
}

impl Batch {
    fn new(input: &ListInput) -> Result<Self, Error> {
        let none = [0; WORDS_PER_BATCH];
        Ok(Batch {
            start: 0,
            n_rows: 0,
            codes: memory::filled(0, ROWS_PER_BATCH)?,
            matches: memory::filled(none, input.items.len())?,
            unknown: memory::filled(none, input.items.len())?,
            covers: memory::filled(none, input.antecedents.len())?,
            open: memory::filled(none, input.antecedents.len())?,
            cells: memory::filled(0, input.lists.len().saturating_mul(ROWS_PER_BATCH))?,
            undecided: none,
        })
    }

    fn begin(&mut self, input: &ListInput, start: usize) {
        self.start = start;
        self.n_rows = ROWS_PER_BATCH.min(input.n_rows - start);
        self.undecided = [0; WORDS_PER_BATCH];
    }

    /// The cells of one list.
    pub(super) fn cells_of(&self, list: usize) -> &[u32] {
        &self.cells[list * ROWS_PER_BATCH..][..self.n_rows]
    }

    /// Match the items, feature by feature, then the antecedents.
    fn match_antecedents(&mut self, input: &ListInput) {
        let mut order: Vec<usize> = (0..input.items.len()).collect();
        order.sort_unstable_by_key(|&index| input.items[index].feature);
        let mut read = None;
        for index in order {
            let item = &input.items[index];
            let column = &input.columns[item.feature as usize];
            if column.is_empty() {
                continue;
            }
            if read != Some(item.feature) {
                column.codes(self.start..self.start + self.n_rows, &mut self.codes[..self.n_rows]);
                read = Some(item.feature);
            }
            let is_open = !item.matches(MISSING) && !input.missing_is_known[item.feature as usize];
            self.match_item(index, item, is_open);
        }
        for (index, antecedent) in input.antecedents.iter().enumerate() {
            let mut cover = [u64::MAX; WORDS_PER_BATCH];
            let mut possible = [u64::MAX; WORDS_PER_BATCH];
            for &item in antecedent {
                let (matches, unknown) = (&self.matches[item as usize], &self.unknown[item as usize]);
                for word in 0..WORDS_PER_BATCH {
                    cover[word] &= matches[word];
                    possible[word] &= matches[word] | unknown[word];
                }
            }
            for word in 0..WORDS_PER_BATCH {
                possible[word] &= !cover[word];
            }
            (self.covers[index], self.open[index]) = (cover, possible);
        }
    }

    fn match_item(&mut self, index: usize, item: &Item, is_open: bool) {
        let (matches, unknown) = (&mut self.matches[index], &mut self.unknown[index]);
        *matches = [0; WORDS_PER_BATCH];
        *unknown = [0; WORDS_PER_BATCH];
        for (word, codes) in self.codes[..self.n_rows].chunks(64).enumerate() {
            for (bit, &code) in codes.iter().enumerate() {
                matches[word] |= u64::from(item.matches(code)) << bit;
                unknown[word] |= u64::from(is_open && code == MISSING) << bit;
            }
        }
    }

    fn fill_cells(&mut self, input: &ListInput) {
        for (list, (rules, first)) in input.lists.iter().enumerate() {
            let cells = &mut self.cells[list * ROWS_PER_BATCH..][..ROWS_PER_BATCH];
            let default = first + rules.len() as u32;
            cells.fill(default);
            let mut free = [u64::MAX; WORDS_PER_BATCH];
            let mut undecided = [0u64; WORDS_PER_BATCH];
            for (position, &rule) in rules.iter().enumerate() {
                let covers = self.covers[rule as usize].iter().zip(&self.open[rule as usize]);
                let rows = free.iter_mut().zip(&mut undecided).zip(covers).zip(cells.chunks_exact_mut(64));
                for (((free, undecided), (&cover, &open)), cells) in rows {
                    *undecided |= *free & open;
                    set_bits(*free & cover).for_each(|bit| cells[bit] = first + position as u32);
                    *free &= !cover;
                }
            }
            if input.undecided_get_base_rate {
                set_rows(&undecided).for_each(|row| cells[row] = default + 1);
            }
            self.undecided.iter_mut().zip(undecided).for_each(|(all, here)| *all |= here);
        }
    }
}

/// The cell that each list gives each row, list by list, and the rows that some list leaves undecided.
pub fn list_cells(input: &ListInput, control: &Control) -> Result<(Vec<i32>, Vec<u32>), Error> {
    let n = input.n_rows;
    let mut cells = memory::filled(0i32, n.saturating_mul(input.lists.len()))?;
    let undecided = input.for_each_batch(control, |batch| {
        for list in 0..input.lists.len() {
            let out = &mut cells[list * n + batch.start..][..batch.n_rows];
            for (out, &cell) in out.iter_mut().zip(batch.cells_of(list)) {
                *out = cell as i32;
            }
        }
        Ok(())
    })?;
    Ok((cells, undecided))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::predict::capturing_rules;
    use crate::rng::ChainRng;

    /// Columns of codes −1 to 3, all kinds of items, and antecedents of them.
    pub fn random_case(
        rng: &mut ChainRng,
        values: &mut [Vec<i32>; 3],
        n_rows: usize,
    ) -> (Vec<Item>, Antecedents) {
        for column in values.iter_mut() {
            *column = (0..n_rows).map(|_| rng.below(5) as i32 - 1).collect();
        }
        let items: Vec<Item> = (0..9)
            .map(|index| {
                let (feature, lo) = (index % 3, rng.below(4) as i32);
                let item = match lo {
                    0 => Item::range(feature, 0, 0),
                    1 => Item::set(feature, &[1, 3]),
                    _ => Item::range(feature, lo, lo + rng.below(4 - lo as usize) as i32),
                };
                item.unwrap()
            })
            .collect();
        let mut antecedents = Antecedents::default();
        for _ in 0..7 {
            let mut antecedent: Vec<u32> = (0..9).filter(|_| rng.below(4) == 0).collect();
            if antecedent.is_empty() {
                antecedent.push(rng.below(9) as u32);
            }
            antecedents.push(&antecedent).unwrap();
        }
        (items, antecedents)
    }

    #[test]
    fn every_list_captures_what_it_captures_alone() {
        let mut rng = ChainRng::new(3, 0);
        let mut values = [Vec::new(), Vec::new(), Vec::new()];
        for n_rows in [0, 1, 63, 1024, 2500] {
            let (items, antecedents) = random_case(&mut rng, &mut values, n_rows);
            let lists: Vec<Vec<u32>> =
                (0..6).map(|n| (0..n).map(|_| rng.below(7) as u32).collect::<Vec<u32>>()).collect();
            let known = vec![rng.below(2) == 0, rng.below(2) == 0, false];
            for undecided_get_base_rate in [false, true] {
                let lengths: Vec<usize> = lists.iter().map(Vec::len).collect();
                let input = ListInput {
                    columns: values.iter().map(|codes| InputColumn::of_codes(codes)).collect(),
                    items: items.clone(),
                    antecedents: antecedents.clone(),
                    lists: RuleLists::new(lists.concat(), &lengths, 7).unwrap(),
                    missing_is_known: known.clone(),
                    undecided_get_base_rate,
                    n_rows,
                };
                let (cells, undecided) = list_cells(&input, &Control::default()).unwrap();
                let mut all_undecided = vec![false; n_rows];
                let mut first = 0;
                for (index, list) in lists.iter().enumerate() {
                    let mut alone = Antecedents::default();
                    list.iter().for_each(|&rule| alone.push(antecedents.get(rule as usize)).unwrap());
                    let found =
                        capturing_rules(&input.columns, &items, &alone, &known, n_rows, &Control::default())
                            .unwrap();
                    let mut expected: Vec<i32> = found
                        .rule
                        .iter()
                        .map(|&rule| first + if rule == 0 { list.len() as i32 } else { rule - 1 })
                        .collect();
                    for &row in &found.undecided {
                        all_undecided[row as usize] = true;
                        if undecided_get_base_rate {
                            expected[row as usize] = first + list.len() as i32 + 1;
                        }
                    }
                    assert_eq!(&cells[index * n_rows..][..n_rows], &expected);
                    first += list.len() as i32 + 2;
                }
                let expected: Vec<u32> =
                    (0..n_rows as u32).filter(|&row| all_undecided[row as usize]).collect();
                assert_eq!(undecided, expected);
            }
        }
    }
}
