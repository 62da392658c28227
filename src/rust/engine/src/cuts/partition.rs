//! Partitions of many levels into groups: merging the two groups that lose least, and moving levels. See grouping.rs.

use super::modl::log_f;
use crate::control::Control;
use crate::error::Error;

/// A smaller gain is rounding.
pub(super) const MIN_GAIN: f64 = 1e-9;

pub(super) fn add(sum: &mut [f64], counts: &[f64], sign: f64) {
    sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += sign * count);
}

fn log_f_of_both(one: &[f64], other: &[f64]) -> f64 {
    log_f(&one.iter().zip(other).map(|(a, b)| a + b).collect::<Vec<f64>>())
}

/// A partition of the levels. Some groups may be empty.
#[derive(Debug, Clone)]
pub(super) struct Partition {
    /// The group of each level.
    pub group: Vec<usize>,
    /// The class counts, log f and number of levels of each group.
    counts: Vec<Vec<f64>>,
    log_f: Vec<f64>,
    sizes: Vec<usize>,
}

impl Partition {
    fn of_singles(counts: &[Vec<f64>]) -> Self {
        Partition {
            group: (0..counts.len()).collect(),
            counts: counts.to_vec(),
            log_f: counts.iter().map(|counts| log_f(counts)).collect(),
            sizes: vec![1; counts.len()],
        }
    }

    fn groups(&self) -> Vec<usize> {
        (0..self.sizes.len()).filter(|&group| self.sizes[group] > 0).collect()
    }

    pub fn score(&self, prices: &[f64]) -> f64 {
        let groups = self.groups();
        groups.iter().map(|&group| self.log_f[group]).sum::<f64>() - prices[groups.len()]
    }

    /// What the likelihood gains if both groups become one.
    fn gain(&self, one: usize, other: usize) -> f64 {
        log_f_of_both(&self.counts[one], &self.counts[other]) - self.log_f[one] - self.log_f[other]
    }

    /// Put the levels of the group `other` into the group `one`.
    fn merge(&mut self, one: usize, other: usize) {
        let moved = std::mem::take(&mut self.counts[other]);
        add(&mut self.counts[one], &moved, 1.0);
        self.counts[other] = vec![0.0; moved.len()];
        self.log_f[one] = log_f(&self.counts[one]);
        self.log_f[other] = 0.0;
        self.sizes[one] += std::mem::take(&mut self.sizes[other]);
        self.group.iter_mut().filter(|group| **group == other).for_each(|group| *group = one);
    }

    /// Merge the two groups that gain most, if the partition is better then. Whether two were merged.
    pub fn merge_two(&mut self, prices: &[f64]) -> bool {
        let groups = self.groups();
        let mut best = (MIN_GAIN, None);
        for (index, &one) in groups.iter().enumerate() {
            for &other in &groups[index + 1..] {
                let gain = self.gain(one, other) + prices[groups.len()] - prices[groups.len() - 1];
                if gain > best.0 {
                    best = (gain, Some((one, other)));
                }
            }
        }
        if let Some((one, other)) = best.1 {
            self.merge(one, other);
        }
        best.1.is_some()
    }

    /// Move each level in turn to the group where it is worth most, which may be a new one. Whether one has moved.
    pub fn move_levels(&mut self, counts: &[Vec<f64>], prices: &[f64]) -> bool {
        let mut has_moved = false;
        for (level, moved) in counts.iter().enumerate() {
            let from = self.group[level];
            let mut left = self.counts[from].clone();
            add(&mut left, moved, -1.0);
            let groups = self.groups();
            let is_alone = self.sizes[from] == 1;
            let log_left = if is_alone { 0.0 } else { log_f(&left) };
            let n_left = groups.len() - usize::from(is_alone);
            let empty = (0..self.sizes.len()).find(|&group| self.sizes[group] == 0 && !is_alone);
            let mut best = (MIN_GAIN, from);
            for to in groups.iter().copied().filter(|&to| to != from).chain(empty) {
                let (log_before, is_new) = (self.log_f[to], self.sizes[to] == 0);
                let log_to = log_f_of_both(&self.counts[to], moved);
                let n_after = n_left + usize::from(is_new);
                let before = self.log_f[from] + if is_new { 0.0 } else { log_before };
                let gain = log_left + log_to - before + prices[groups.len()] - prices[n_after];
                if gain > best.0 {
                    best = (gain, to);
                }
            }
            if best.1 != from {
                self.move_level(level, best.1, moved);
                has_moved = true;
            }
        }
        has_moved
    }

    fn move_level(&mut self, level: usize, to: usize, counts: &[f64]) {
        let from = std::mem::replace(&mut self.group[level], to);
        for (group, sign) in [(from, -1.0), (to, 1.0)] {
            add(&mut self.counts[group], counts, sign);
        }
        self.sizes[from] -= 1;
        self.sizes[to] += 1;
        for group in [from, to] {
            self.log_f[group] = if self.sizes[group] == 0 { 0.0 } else { log_f(&self.counts[group]) };
        }
    }
}

/// The best of the partitions met while the two groups that lose least are merged, from single levels to one group.
pub(super) fn merge_down(counts: &[Vec<f64>], prices: &[f64], control: &Control) -> Result<Partition, Error> {
    let mut now = Partition::of_singles(counts);
    let (mut best, mut highest) = (now.clone(), now.score(prices));
    let mut left = now.groups();
    // for each group, the later one with which it gains most
    let mut partner: Vec<(f64, usize)> = vec![(f64::NEG_INFINITY, 0); counts.len()];
    for index in 0..left.len() {
        control.check_unfinished()?;
        partner[left[index]] = best_partner(&now, left[index], &left[index + 1..]);
    }
    while left.len() > 1 {
        control.check_unfinished()?;
        let Some(&one) = left.iter().max_by(|&&a, &&b| partner[a].0.total_cmp(&partner[b].0).then(b.cmp(&a)))
        else {
            break;
        };
        let other = partner[one].1;
        now.merge(one, other);
        left.retain(|&group| group != other);
        for (index, &group) in left.iter().enumerate() {
            if group == one || partner[group].1 == one || partner[group].1 == other {
                partner[group] = best_partner(&now, group, &left[index + 1..]);
            } else if group < one {
                let gain = now.gain(group, one);
                if gain > partner[group].0 {
                    partner[group] = (gain, one);
                }
            }
        }
        let score = now.score(prices);
        if score > highest + MIN_GAIN {
            (best, highest) = (now.clone(), score);
        }
    }
    Ok(best)
}

fn best_partner(partition: &Partition, group: usize, others: &[usize]) -> (f64, usize) {
    let mut best = (f64::NEG_INFINITY, 0);
    for &other in others {
        let gain = partition.gain(group, other);
        if gain > best.0 {
            best = (gain, other);
        }
    }
    best
}
