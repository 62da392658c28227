//! Cut points by the partition with the highest posterior probability (Boullé's MODL, 2006).
//!
//! A partition of N rows into I intervals with class counts n_i has the log posterior, up to a constant,
//!
//! ```text
//! score = Σ_i log f(n_i) − log C(N + I − 1, I − 1),
//! ```
//!
//! where f is the marginal likelihood of class counts under a uniform prior of the class probabilities (the same f, with
//! alpha = 1, that scores rules), and the second term spreads the prior evenly over the places of I − 1 cuts. A greedy search
//! stops where no single cut pays; here the best I − 1 cuts are found at once, so that an effect that goes up and down again,
//! which needs two cuts, is not missed.
//!
//! 1. Neighbouring values are put together into at most `MAX_GROUPS` groups of about equal weight.
//! 2. Dynamic programming: best[I][j] = max over i < j of best[I − 1][i] + log f(groups i..j), for all I up to the limit.
//! 3. The number of intervals with the highest score is kept.
//! 4. Each cut moves to the best place within the two groups it separates, and cuts that are then not worth their price are
//!    removed, until nothing changes.
//!
//! Without step 1, which is only needed where there are more distinct values, the answer is exact.

use super::sorted::Sorted;
use crate::control::Control;
use crate::error::Error;
use statrs::function::gamma::ln_gamma;

/// Most groups that dynamic programming divides into intervals.
const MAX_GROUPS: usize = 128;

/// A smaller gain is rounding.
const MIN_GAIN: f64 = 1e-9;

/// Most rounds in which cuts move.
const MAX_ROUNDS: usize = 10;

/// Values visited between two checks of the control.
const VALUES_PER_CHECK: usize = 1 << 14;

/// The first value of each interval but the first, at most `max_cuts` of them.
pub fn modl(
    values: &Sorted,
    n_classes: usize,
    max_cuts: usize,
    control: &Control,
) -> Result<Vec<usize>, Error> {
    let groups = Groups::new(values, n_classes, control)?;
    let cuts = groups.best_cuts(max_cuts);
    refine(values, n_classes, &groups, &cuts, control)
}

/// Groups of neighbouring values.
struct Groups {
    /// The first value of each group, and the number of values.
    starts: Vec<usize>,
    /// Class weights of all values before each of these.
    below: Vec<Vec<f64>>,
}

impl Groups {
    fn new(values: &Sorted, n_classes: usize, control: &Control) -> Result<Self, Error> {
        // the best cut never separates two values whose rows are all of the same class
        let n_places = (1..values.len()).filter(|&index| !values.continues_pure(index)).count();
        let total: f64 = (0..values.len()).map(|index| values.weight(index)).sum();
        let least = if n_places < MAX_GROUPS { 0.0 } else { total / MAX_GROUPS as f64 };
        let mut groups = Groups { starts: vec![0], below: vec![vec![0.0; n_classes]] };
        let mut sums = vec![0.0; n_classes];
        let mut weight = 0.0;
        for index in 0..values.len() {
            if index % VALUES_PER_CHECK == 0 {
                control.check_unfinished()?;
            }
            if index > 0 && weight >= least && !values.continues_pure(index) {
                groups.push(index, &sums);
                weight = 0.0;
            }
            values.add_weights(index, index + 1, &mut sums);
            weight += values.weight(index);
        }
        groups.push(values.len(), &sums);
        Ok(groups)
    }

    fn push(&mut self, start: usize, below: &[f64]) {
        self.starts.push(start);
        self.below.push(below.to_vec());
    }

    /// Number of groups.
    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The first group of each interval but the first.
    fn best_cuts(&self, max_cuts: usize) -> Vec<usize> {
        let n = self.len();
        let most = (max_cuts + 1).min(n);
        // log f of the groups i..j
        let log_f: Vec<Vec<f64>> =
            (0..n).map(|i| (0..=n).map(|j| if j > i { self.log_f(i, j) } else { 0.0 }).collect()).collect();
        let mut best: Vec<f64> = log_f[0].clone();
        let mut origins: Vec<Vec<usize>> = Vec::new();
        let weight: f64 = self.below[n].iter().sum();
        let (mut n_intervals, mut highest) = (1, best[n]);
        for i in 2..=most {
            let mut next = vec![f64::NEG_INFINITY; n + 1];
            let mut origin = vec![0; n + 1];
            for j in i..=n {
                for from in i - 1..j {
                    let score = best[from] + log_f[from][j];
                    if score > next[j] {
                        (next[j], origin[j]) = (score, from);
                    }
                }
            }
            let score = next[n] - log_n_partitions(weight, i);
            if score > highest {
                (n_intervals, highest) = (i, score);
            }
            best = next;
            origins.push(origin);
        }
        let mut cuts = Vec::with_capacity(n_intervals - 1);
        let mut end = n;
        for origin in origins[..n_intervals - 1].iter().rev() {
            end = origin[end];
            cuts.push(end);
        }
        cuts.reverse();
        cuts
    }

    fn log_f(&self, from: usize, to: usize) -> f64 {
        let counts: Vec<f64> =
            self.below[to].iter().zip(&self.below[from]).map(|(to, from)| to - from).collect();
        log_f(&counts)
    }
}

/// log C(N + I − 1, I − 1), for a weight N that need not be whole.
fn log_n_partitions(weight: f64, n_intervals: usize) -> f64 {
    let i = n_intervals as f64;
    ln_gamma(weight + i) - ln_gamma(i) - ln_gamma(weight + 1.0)
}

/// The log marginal likelihood of class counts under a uniform prior; rounding may leave a count a little below zero.
pub(super) fn log_f(counts: &[f64]) -> f64 {
    let (mut log_f, mut n) = (0.0, 0.0);
    for count in counts.iter().map(|count| count.max(0.0)) {
        log_f += ln_gamma(count + 1.0);
        n += count;
    }
    log_f + ln_gamma(counts.len() as f64) - ln_gamma(n + counts.len() as f64)
}

/// A partition whose cuts may be at any value.
struct Partition<'a> {
    values: &'a Sorted,
    n_classes: usize,
    /// First and last value between which each cut may move, and where it is.
    cuts: Vec<(usize, usize, usize)>,
}

impl Partition<'_> {
    /// Class weights of the values from one cut to another; 0 is the beginning, and one more than the cuts the end.
    fn counts(&self, from: usize, to: usize) -> Vec<f64> {
        let mut counts = vec![0.0; self.n_classes];
        self.values.add_weights(self.place(from), self.place(to), &mut counts);
        counts
    }

    fn place(&self, cut: usize) -> usize {
        match cut {
            0 => 0,
            _ => self.cuts.get(cut - 1).map_or(self.values.len(), |cut| cut.2),
        }
    }

    /// Move each cut to the best value in its range. Whether one has moved.
    fn move_cuts(&mut self, control: &Control) -> Result<bool, Error> {
        let mut has_moved = false;
        for index in 1..=self.cuts.len() {
            control.check_unfinished()?;
            let (first, last, now) = self.cuts[index - 1];
            let (before, after) = (self.place(index - 1), self.place(index + 1));
            let range = first.max(before + 1)..last.min(after);
            let (mut low, mut high) = (vec![0.0; self.n_classes], vec![0.0; self.n_classes]);
            self.values.add_weights(before, range.start, &mut low);
            self.values.add_weights(range.start, after, &mut high);
            let mut best = (f64::NEG_INFINITY, now);
            for place in range {
                if place == now || !self.values.continues_pure(place) {
                    let score = log_f(&low) + log_f(&high);
                    if score > best.0 + MIN_GAIN {
                        best = (score, place);
                    }
                }
                let mut moved = vec![0.0; self.n_classes];
                self.values.add_weights(place, place + 1, &mut moved);
                low.iter_mut().zip(&moved).for_each(|(low, moved)| *low += moved);
                high.iter_mut().zip(&moved).for_each(|(high, moved)| *high -= moved);
            }
            has_moved |= best.1 != now;
            self.cuts[index - 1].2 = best.1;
        }
        Ok(has_moved)
    }

    /// Remove the cut that is least worth it, if the partition is better without. Whether one was removed.
    fn remove_cut(&mut self) -> bool {
        let n_intervals = self.cuts.len() + 1;
        let weight: f64 = self.counts(0, n_intervals).iter().sum();
        let price = log_n_partitions(weight, n_intervals) - log_n_partitions(weight, n_intervals - 1);
        let worth = |cut: usize| {
            log_f(&self.counts(cut - 1, cut)) + log_f(&self.counts(cut, cut + 1))
                - log_f(&self.counts(cut - 1, cut + 1))
        };
        let least = (1..n_intervals).map(|cut| (worth(cut), cut)).min_by(|a, b| a.0.total_cmp(&b.0));
        match least.filter(|(worth, _)| *worth < price) {
            None => false,
            Some((_, cut)) => {
                self.cuts.remove(cut - 1);
                true
            }
        }
    }
}

/// Move each cut between two groups to the best value in them and remove cuts that are then not worth it, as long as that helps:
/// a group across which the classes change may have been an interval of its own.
fn refine(
    values: &Sorted,
    n_classes: usize,
    groups: &Groups,
    cuts: &[usize],
    control: &Control,
) -> Result<Vec<usize>, Error> {
    let starts = &groups.starts;
    let cuts = cuts.iter().map(|&cut| (starts[cut - 1], starts[cut + 1], starts[cut])).collect();
    let mut partition = Partition { values, n_classes, cuts };
    if groups.len() < values.len() {
        for _ in 0..MAX_ROUNDS {
            let has_moved = partition.move_cuts(control)?;
            if !partition.remove_cut() && !has_moved {
                break;
            }
        }
    }
    Ok(partition.cuts.into_iter().map(|cut| cut.2).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::Values;
    use crate::rng::ChainRng;

    fn sorted(values: &[f64], labels: &[u32]) -> Sorted {
        Sorted::new(Values::Doubles(values), labels, None, &Control::default()).unwrap()
    }

    /// The score of a partition, from its definition.
    fn score(values: &Sorted, n_classes: usize, starts: &[usize]) -> f64 {
        let ends: Vec<usize> = [&[0], starts, &[values.len()]].concat();
        let parts = ends.windows(2).map(|pair| {
            let mut counts = vec![0.0; n_classes];
            values.add_weights(pair[0], pair[1], &mut counts);
            log_f(&counts)
        });
        let weight: f64 = (0..values.len()).map(|index| values.weight(index)).sum();
        parts.sum::<f64>() - log_n_partitions(weight, starts.len() + 1)
    }

    /// Every set of at most `max_cuts` cuts.
    fn partitions(n: usize, max_cuts: usize) -> Vec<Vec<usize>> {
        let mut all = vec![Vec::new()];
        let mut last = all.clone();
        for _ in 0..max_cuts {
            let longer = |cuts: &Vec<usize>| {
                let cuts = cuts.clone();
                (cuts.last().copied().unwrap_or(0) + 1..n).map(move |next| [&cuts[..], &[next]].concat())
            };
            last = last.iter().flat_map(longer).collect();
            all.extend(last.clone());
        }
        all
    }

    #[test]
    fn the_partition_found_is_the_best_of_all() {
        let mut n_cut = 0;
        for seed in 0..150 {
            let mut rng = ChainRng::new(seed, 17);
            let (n_classes, spread, n) = (2 + rng.below(2), 2 + rng.below(12), 5 + rng.below(80));
            let values: Vec<f64> = (0..n).map(|_| rng.below(spread) as f64).collect();
            let labels: Vec<u32> = values
                .iter()
                .map(|x| {
                    if rng.below(6) == 0 {
                        rng.below(n_classes) as u32
                    } else {
                        (*x as u32 / 3) % n_classes as u32
                    }
                })
                .collect();
            let sorted = sorted(&values, &labels);
            for max_cuts in 1..4 {
                let found = modl(&sorted, n_classes, max_cuts, &Control::default()).unwrap();
                let best = partitions(sorted.len(), max_cuts)
                    .iter()
                    .map(|starts| score(&sorted, n_classes, starts))
                    .fold(f64::NEG_INFINITY, f64::max);
                let own = score(&sorted, n_classes, &found);
                assert!((own - best).abs() < 1e-9, "seed {seed}: {own} {best} {found:?}");
                n_cut += usize::from(!found.is_empty());
            }
        }
        assert!(n_cut > 100);
    }

    #[test]
    fn many_values_are_cut_where_the_classes_change() {
        let values: Vec<f64> = (0..20_000).map(f64::from).collect();
        let mut rng = ChainRng::new(3, 3);
        let mut label = |index: usize| {
            let is_inside = (4321..9876).contains(&index);
            u32::from(is_inside) ^ u32::from(rng.below(10) == 0)
        };
        let labels: Vec<u32> = (0..20_000).map(&mut label).collect();
        let found = modl(&sorted(&values, &labels), 2, 4, &Control::default()).unwrap();
        assert_eq!(found.len(), 2);
        assert!(found[0].abs_diff(4321) < 10 && found[1].abs_diff(9876) < 10, "{found:?}");
    }

    #[test]
    fn noise_is_not_cut_and_work_can_be_cancelled() {
        let values: Vec<f64> = (0..3000).map(f64::from).collect();
        let mut rng = ChainRng::new(4, 4);
        let labels: Vec<u32> = (0..3000).map(|_| rng.below(2) as u32).collect();
        let sorted = sorted(&values, &labels);
        assert!(modl(&sorted, 2, 4, &Control::default()).unwrap().is_empty());
        let control = Control::default();
        control.cancel();
        assert_eq!(modl(&sorted, 2, 4, &control), Err(Error::Cancelled));
    }
}
