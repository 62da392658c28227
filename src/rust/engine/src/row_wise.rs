//! Rows that arrive in chunks become bit columns row by row: the table is never in memory as a whole.
//!
//! The codes of a row are packed into a few numbers by mixed radix: a pack of features with n₁, n₂, … codes is
//! (c₁ n₂ + c₂) n₃ + …, so that the first feature is the most significant digit. The features are numbered in the order of
//! the packs, and their codes consecutively over all features.
//!
//! Each class collects 64 rows at a time in one word per code. The word of an item is the union of the words of its codes:
//!
//! ```text
//! for each row of class k:    for each feature: words[k][code] |= 1 << n_pending[k]
//! when 64 rows are pending:   for each item: append the union of words[k][code] over its codes
//! ```
//!
//! How many rows there are is known at the end only. Until then the words wait in slabs, those of all items side by side. At the
//! end they move to their columns, and each slab is freed once it is empty, so that the bits are in memory once.
//!
//! The rows of a chunk are sorted by class and first pack, so that similar rows are neighbours (see `row_order.rs`).

use crate::bitset::BitColumns;
use crate::control::Control;
use crate::data::Rows;
use crate::error::Error;
use crate::memory;
use crate::radix::sort;

/// A pack must be a whole number that a double represents exactly.
const LARGEST_PACK: f64 = (1u64 << 53) as f64;

/// Bits of a sort key that the class takes.
const CLASS_BITS: u32 = 10;

/// Words in a slab at most. The memory of allocations of more than 32 MiB goes back to the system when they are freed; that of
/// smaller ones may stay with the process.
const SLAB_WORDS: usize = 5 << 20;

/// Words of each item that move from a slab to its column at a time, few enough to stay in the cache.
const WORDS_PER_MOVE: usize = 512;

/// What the numbers of a row mean.
#[derive(Debug, Clone)]
pub struct Layout {
    /// By pack, the number of codes of each of its features.
    pub radices: Vec<Vec<u32>>,
    /// By item, its codes.
    pub items: Vec<Vec<u32>>,
    /// Number of classes.
    pub n_classes: usize,
}

impl Layout {
    fn n_codes(&self) -> usize {
        self.radices.iter().flatten().map(|&radix| radix as usize).sum()
    }

    fn check(&self) -> Result<(), Error> {
        let fits = |pack: &Vec<u32>| {
            pack.iter().all(|&radix| radix > 0)
                && pack.iter().map(|&radix| f64::from(radix)).product::<f64>() <= LARGEST_PACK
        };
        let n_codes = self.n_codes();
        let are_codes = |codes: &Vec<u32>| codes.iter().all(|&code| (code as usize) < n_codes);
        let has_classes = (1..1 << CLASS_BITS).contains(&self.n_classes);
        if has_classes && self.radices.iter().all(fits) && self.items.iter().all(are_codes) {
            return Ok(());
        }
        Err(Error::Data("Packs, items and classes do not fit together.".into()))
    }
}

/// Some rows.
#[derive(Debug, Clone, Copy)]
pub struct Chunk<'a> {
    /// One number per row in each pack.
    pub packs: &'a [&'a [f64]],
    /// The class of each row, from 0.
    pub labels: &'a [u32],
    /// The weight of each row; `None` if each counts one.
    pub weights: Option<&'a [f64]>,
}

/// The rows of one class.
#[derive(Debug, Default)]
struct ClassBits {
    n_rows: u64,
    /// By code, the pending rows that have it.
    pending: Vec<u64>,
    /// The words so far: one of each item, then the next of each item, and so on.
    slabs: Vec<Vec<u64>>,
    weights: Vec<f64>,
}

impl ClassBits {
    fn add_row(&mut self, codes: &[u32], weight: Option<f64>, items: &[Vec<u32>]) -> Result<(), Error> {
        let bit = 1 << (self.n_rows % 64);
        for &code in codes {
            self.pending[code as usize] |= bit;
        }
        if let Some(weight) = weight {
            memory::push(&mut self.weights, weight)?;
        }
        self.n_rows += 1;
        if self.n_rows % 64 == 0 {
            self.flush(items)?;
        }
        Ok(())
    }

    fn flush(&mut self, items: &[Vec<u32>]) -> Result<(), Error> {
        let pending = &self.pending;
        let word = |codes: &Vec<u32>| codes.iter().fold(0, |word, &code| word | pending[code as usize]);
        match self.slabs.last_mut() {
            Some(slab) if slab.capacity() - slab.len() >= items.len() => slab.extend(items.iter().map(word)),
            last => {
                // small tables need small slabs
                let n_words = last.map_or(0, |slab| 2 * slab.capacity()).min(SLAB_WORDS);
                let mut slab = memory::with_capacity(n_words.max(64 * items.len()))?;
                slab.extend(items.iter().map(word));
                self.slabs.push(slab);
            }
        }
        self.pending.fill(0);
        Ok(())
    }

    /// Moves the words to the columns of the items, which have `n_words` words each: those of this class begin at `start`.
    fn move_to(&mut self, words: &mut [u64], n_items: usize, n_words: usize, start: usize) {
        let mut place = start;
        for slab in std::mem::take(&mut self.slabs) {
            for part in slab.chunks(WORDS_PER_MOVE * n_items.max(1)) {
                let n = part.len() / n_items.max(1);
                for item in 0..n_items {
                    let target = &mut words[item * n_words + place..][..n];
                    for (word, &from) in target.iter_mut().zip(part[item..].iter().step_by(n_items)) {
                        *word = from;
                    }
                }
                place += n;
            }
        }
    }
}

/// Bit columns in the making.
#[derive(Debug)]
pub struct RowWise {
    layout: Layout,
    classes: Vec<ClassBits>,
    is_weighted: Option<bool>,
}

impl RowWise {
    /// No rows yet.
    pub fn new(layout: Layout) -> Result<Self, Error> {
        layout.check()?;
        let class = || ClassBits { pending: vec![0; layout.n_codes()], ..ClassBits::default() };
        let classes = (0..layout.n_classes).map(|_| class()).collect();
        Ok(RowWise { layout, classes, is_weighted: None })
    }

    /// Number of rows.
    pub fn n_rows(&self) -> u64 {
        self.classes.iter().map(|class| class.n_rows).sum()
    }

    /// Add the rows of a chunk. After an error the rows are not to be used.
    pub fn push(&mut self, chunk: Chunk, control: &Control) -> Result<(), Error> {
        self.check_chunk(chunk)?;
        let first = chunk.packs.first();
        let key = |(row, &label): (usize, &u32)| {
            let pack = first.map_or(0, |pack| pack[row] as u64);
            (u64::from(label) << (64 - CLASS_BITS) | pack, row as u32)
        };
        let mut rows = memory::collect(chunk.labels.iter().enumerate().map(key))?;
        sort(&mut rows, control)?;
        let mut codes = Vec::new();
        for &(_, row) in &rows {
            let row = row as usize;
            codes.clear();
            self.unpack(chunk.packs, row, &mut codes);
            let class = &mut self.classes[chunk.labels[row] as usize];
            class.add_row(&codes, chunk.weights.map(|weights| weights[row]), &self.layout.items)?;
        }
        Ok(())
    }

    fn check_chunk(&mut self, chunk: Chunk) -> Result<(), Error> {
        let n = chunk.labels.len();
        let n_classes = self.layout.n_classes;
        let is_pack = |(pack, radices): (&&[f64], &Vec<u32>)| {
            let end = radices.iter().map(|&radix| f64::from(radix)).product::<f64>();
            pack.len() == n && pack.iter().all(|&x| x >= 0.0 && x < end && x.fract() == 0.0)
        };
        let is_weighted = *self.is_weighted.get_or_insert(chunk.weights.is_some());
        let is_good = chunk.packs.len() == self.layout.radices.len()
            && n <= u32::MAX as usize
            && chunk.packs.iter().zip(&self.layout.radices).all(is_pack)
            && chunk.labels.iter().all(|&label| (label as usize) < n_classes)
            && chunk.weights.map_or(!is_weighted, |weights| is_weighted && weights.len() == n);
        if is_good {
            return Ok(());
        }
        Err(Error::Data("Rows do not fit the codes that were announced.".into()))
    }

    /// The codes of a row, numbered over all features.
    fn unpack(&self, packs: &[&[f64]], row: usize, codes: &mut Vec<u32>) {
        let mut end = 0;
        for (pack, radices) in packs.iter().zip(&self.layout.radices) {
            end += radices.iter().sum::<u32>();
            let (mut rest, mut start) = (pack[row] as u64, end);
            for &radix in radices.iter().rev() {
                start -= radix;
                codes.push(start + (rest % u64::from(radix)) as u32);
                rest /= u64::from(radix);
            }
        }
    }

    /// The rows and one bit column per item.
    pub fn finish(mut self, control: &Control) -> Result<(Rows, BitColumns), Error> {
        for class in self.classes.iter_mut().filter(|class| class.n_rows % 64 > 0) {
            class.flush(&self.layout.items)?;
        }
        let counts: Vec<u64> = self.classes.iter().map(|class| class.n_rows).collect();
        let mut rows = Rows::by_class(&counts)?;
        if self.is_weighted == Some(true) {
            let weights: Vec<_> =
                self.classes.iter_mut().map(|class| std::mem::take(&mut class.weights)).collect();
            rows = rows.with_weights_by_class(&weights)?;
        }
        let (n_items, n_words) = (self.layout.items.len(), rows.n_words());
        let mut words = memory::zeroed(n_items.saturating_mul(n_words))?;
        let mut start = 0;
        for (class, &end) in self.classes.iter_mut().zip(rows.ends()) {
            control.check_unfinished()?;
            class.move_to(&mut words, n_items, n_words, start);
            start = end;
        }
        let bits = BitColumns::from_words(words, n_items, n_words)?;
        Ok((rows, bits))
    }
}

/// The weight of the rows of each class that match each item, item by item.
pub fn item_weights(rows: &Rows, bits: &BitColumns, control: &Control) -> Result<Vec<f64>, Error> {
    let mut weights = Vec::new();
    for item in 0..bits.n_columns() {
        control.check_unfinished()?;
        let counts = rows.count(bits.column(item));
        memory::extend(&mut weights, counts.into_iter().map(|count| count as f64 * rows.unit()))?;
    }
    Ok(weights)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binarise::item_columns;
    use crate::model::Item;
    use crate::rng::ChainRng;

    /// Three features with 3, 5 and 2 codes in two packs.
    fn layout(items: &[Item]) -> Layout {
        let starts = [0, 3, 8];
        let codes =
            |item: &Item| item.codes().map(|code| starts[item.feature as usize] + code as u32).collect();
        Layout { radices: vec![vec![3, 5], vec![2]], items: items.iter().map(codes).collect(), n_classes: 3 }
    }

    #[test]
    fn chunks_give_the_columns_of_the_whole_table() {
        let mut items: Vec<Item> = [(0, 0, 1), (0, 2, 2), (1, 1, 3), (1, 4, 4), (1, 0, 4), (2, 1, 1)]
            .map(|(feature, lo, hi)| Item::range(feature, lo, hi).unwrap())
            .to_vec();
        items.push(Item::set(1, &[0, 2, 4]).unwrap());
        // the last have several slabs in each class
        for (seed, n) in [(1, 0), (2, 1), (3, 63), (4, 64), (5, 1000), (6, 5000), (7, 60_000)] {
            let mut rng = ChainRng::new(seed, 1);
            let mut draw = |k: usize| (0..n).map(|_| rng.below(k) as i32).collect::<Vec<i32>>();
            let (a, b, c) = (draw(3), draw(5), draw(2));
            let labels: Vec<u32> = draw(3).iter().map(|&x| x as u32).collect();
            let weights: Vec<f64> = draw(4).iter().map(|&x| f64::from(x + 1)).collect();
            let first: Vec<f64> = (0..n).map(|i| f64::from(a[i] * 5 + b[i])).collect();
            let second: Vec<f64> = c.iter().map(|&x| f64::from(x)).collect();
            for is_weighted in [false, true] {
                let mut row_wise = RowWise::new(layout(&items)).unwrap();
                for start in (0..n).step_by(3000) {
                    let part = start..(start + 3000).min(n);
                    let weights = is_weighted.then(|| &weights[part.clone()]);
                    let packs = [&first[part.clone()], &second[part.clone()]];
                    let chunk = Chunk { packs: &packs, labels: &labels[part], weights };
                    row_wise.push(chunk, &Control::default()).unwrap();
                }
                assert_eq!(row_wise.n_rows(), n as u64);
                let (rows, bits) = row_wise.finish(&Control::default()).unwrap();
                let expected = Rows::new(&labels, 3).unwrap();
                let twin = item_columns(&expected, &[&a, &b, &c], &items).unwrap();
                let expected = if is_weighted && n > 0 {
                    expected.with_weights(&labels, &weights).unwrap()
                } else {
                    expected
                };
                for one in 0..items.len() {
                    for other in 0..items.len() {
                        let (mut found, mut naive) = (vec![0; 3], vec![0; 3]);
                        rows.count_and(bits.column(one), bits.column(other), &mut found);
                        expected.count_and(twin.column(one), twin.column(other), &mut naive);
                        assert_eq!(found, naive, "{n} rows, items {one} and {other}");
                    }
                }
            }
        }
    }

    #[test]
    fn rows_that_do_not_fit_are_refused() {
        let items = [Item::range(2, 0, 0).unwrap()];
        let push = |packs: &[&[f64]], labels: &[u32], weights: Option<&[f64]>| {
            let mut row_wise = RowWise::new(layout(&items)).unwrap();
            row_wise.push(Chunk { packs, labels, weights }, &Control::default())
        };
        assert!(push(&[&[14.0], &[1.0]], &[2], None).is_ok());
        for pack in [15.0, -1.0, 0.5, f64::NAN, f64::INFINITY] {
            assert!(push(&[&[pack], &[1.0]], &[2], None).is_err());
        }
        assert!(push(&[&[1.0]], &[2], None).is_err());
        assert!(push(&[&[1.0, 1.0], &[1.0]], &[2], None).is_err());
        assert!(push(&[&[1.0], &[1.0]], &[3], None).is_err());
        assert!(push(&[&[1.0], &[1.0]], &[2], Some(&[])).is_err());
        let bad = Layout { radices: vec![vec![1 << 30, 1 << 30]], items: vec![], n_classes: 2 };
        assert!(RowWise::new(bad).is_err());
    }
}
