//! Counts the sets of rules that extend smaller sets by one rule; see `sets.rs`.

use super::prices::Prices;
use super::subsets::Subsets;
use crate::bitset::{without, BitColumns};
use crate::control::Control;
use crate::data::Rows;
use crate::error::Error;
use crate::leaf::TwoClasses;
use crate::memory;

/// The sets of one size, in lexicographic order.
#[derive(Debug, Default)]
pub struct Level {
    /// W of each set.
    log_marginals: Vec<f64>,
    /// Rows that it captures, by class.
    counts: Vec<[u32; 2]>,
}

impl Level {
    pub fn with_capacity(n: u64) -> Result<Self, Error> {
        let n = usize::try_from(n).unwrap_or(usize::MAX);
        Ok(Level { log_marginals: memory::with_capacity(n)?, counts: memory::with_capacity(n)? })
    }

    pub fn push(&mut self, log_marginal: f64, [n, m]: [u64; 2]) -> Result<(), Error> {
        memory::push(&mut self.log_marginals, log_marginal)?;
        memory::push(&mut self.counts, [n as u32, m as u32])
    }

    pub fn append(&mut self, other: &Level) -> Result<(), Error> {
        memory::extend_from_slice(&mut self.log_marginals, &other.log_marginals)?;
        memory::extend_from_slice(&mut self.counts, &other.counts)
    }

    #[inline(always)]
    fn get(&self, set: usize) -> (f64, [u64; 2]) {
        (self.log_marginals[set], self.counts[set].map(u64::from))
    }
}

/// What does not change while sets of one size are counted.
#[derive(Debug, Clone, Copy)]
pub struct Task<'s> {
    pub leaf: TwoClasses<'s>,
    pub prices: &'s Prices,
    pub subsets: &'s Subsets,
    /// The length of the candidate at each place.
    pub lengths: &'s [usize],
    /// How many places may come first.
    pub n_first: usize,
    /// All rows, by class.
    pub total: [u64; 2],
    pub size: usize,
    /// All sets with one place fewer.
    pub shorter: &'s Level,
    /// Whether the sets are needed later.
    pub keeps_level: bool,
    /// The best log posterior known.
    pub best: f64,
}

/// What was found in some of the sets.
#[derive(Debug, Default)]
pub struct Found {
    pub level: Level,
    /// The best log posterior above the one known, and its set.
    pub best: Option<(f64, Vec<usize>)>,
    pub n_counted: u64,
}

/// Goes through the sets that begin with some places.
pub struct SetSweep<'s> {
    task: Task<'s>,
    rows: &'s Rows,
    /// The columns of the last places.
    covers: &'s BitColumns,
    places: Vec<usize>,
    /// The rows left before the first place that was added, and after each.
    left: Vec<Vec<u64>>,
    n_added: usize,
    used: Vec<u32>,
    counts: Vec<u64>,
    pub found: Found,
}

impl<'s> SetSweep<'s> {
    /// Begin with `places`. `rows` are those that they leave, and `covers` has the columns of the last places.
    pub fn new(
        task: Task<'s>,
        (rows, covers): (&'s Rows, &'s BitColumns),
        places: &[usize],
    ) -> Result<Self, Error> {
        let mut used = vec![0; task.prices.n_lengths()];
        places.iter().for_each(|&place| used[task.lengths[place]] += 1);
        let left = (places.len()..task.size).map(|_| memory::copied(rows.all()));
        Ok(SetSweep {
            task,
            rows,
            covers,
            places: places.to_vec(),
            left: left.collect::<Result<_, _>>()?,
            n_added: 0,
            used,
            counts: memory::filled(0, 2 * covers.n_columns())?,
            found: Found::default(),
        })
    }

    /// Where the cover of a place is.
    fn column(&self, place: usize) -> usize {
        place + self.covers.n_columns() - self.task.lengths.len()
    }

    /// All sets that go on with `place`.
    pub fn go_on_with(&mut self, place: usize, control: &Control) -> Result<(), Error> {
        let cover = self.covers.column(self.column(place));
        let (before, after) = self.left.split_at_mut(self.n_added + 1);
        after[0]
            .iter_mut()
            .zip(without(&before[self.n_added], cover))
            .for_each(|(after, left)| *after = left);
        self.n_added += 1;
        self.places.push(place);
        self.used[self.task.lengths[place]] += 1;
        let n_missing = self.task.size - self.places.len();
        if n_missing == 1 {
            control.check_deadline();
            control.check_unfinished()?;
            self.sweep(place)?;
        } else {
            for next in place + 1..=self.task.lengths.len() - n_missing {
                self.go_on_with(next, control)?;
            }
        }
        self.used[self.task.lengths[place]] -= 1;
        self.places.pop();
        self.n_added -= 1;
        Ok(())
    }

    /// Count all sets that have one more place, behind the `last` one.
    fn sweep(&mut self, last: usize) -> Result<(), Error> {
        let Task { leaf: f, shorter, total, .. } = self.task;
        let columns = &self.covers.words()[self.column(last + 1) * self.covers.n_words()..];
        let n_behind = self.task.lengths.len() - 1 - last;
        self.rows.count_each(&self.left[self.n_added], columns, &mut self.counts[..2 * n_behind]);
        self.found.n_counted += n_behind as u64;
        let (own, own_counts) = shorter.get(self.start_without(self.places.len() - 1).wrapping_add(last));
        let starts = self.starts();
        let prior = self.prior();
        let mut best = (self.found.best.as_ref().map_or(self.task.best, |best| best.0), None);
        for (place, captured) in (last + 1..).zip(self.counts[..2 * n_behind].chunks_exact(2)) {
            let captured = [captured[0], captured[1]];
            let union = [own_counts[0] + captured[0], own_counts[1] + captured[1]];
            let mut value = own + f.log_marginal(captured);
            for start in &starts {
                let (before, [n, m]) = shorter.get(start.wrapping_add(place));
                value = value.max(before + f.log_marginal([union[0] - n, union[1] - m]));
            }
            let rest = f.log_marginal([total[0] - union[0], total[1] - union[1]]);
            let end = value + rest + prior[self.task.lengths[place]];
            if end > best.0 {
                best = (end, Some(place));
            }
            if self.task.keeps_level {
                self.found.level.push(value, union)?;
            }
        }
        if let (log_posterior, Some(place)) = best {
            self.found.best = Some((log_posterior, [&self.places[..], &[place]].concat()));
        }
        Ok(())
    }

    /// Where the sets are that have all places but one, and one more.
    fn start_without(&self, out: usize) -> usize {
        let places = self.places.iter().enumerate().filter(|&(i, _)| i != out).map(|(_, &place)| place);
        self.task.subsets.start(places, self.task.size - 1)
    }

    /// The same for each place that may come last in place of the new one. Sets in which no place may come first are not stored.
    fn starts(&self) -> Vec<usize> {
        let is_there =
            |out: &usize| *out > 0 || self.places.get(1).map_or(true, |&next| next < self.task.n_first);
        (0..self.places.len()).filter(is_there).map(|out| self.start_without(out)).collect()
    }

    /// What the prior adds, by the length of the new one.
    fn prior(&mut self) -> Vec<f64> {
        let (prior, m) = (self.task.prices.prior(), self.places.len() + 1);
        let of = |c: usize| {
            self.used[c] += 1;
            let total = prior.log_prior_unexhausted(&self.used, m);
            self.used[c] -= 1;
            total
        };
        (0..self.task.prices.n_lengths()).map(of).collect()
    }
}
