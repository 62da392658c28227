//! The log prior of a list after a change, without going through its rules.
//!
//! The prior depends on the length of the list and on how many rules of each antecedent length it has. As long as every
//! antecedent length has unused candidates left, the order of the rules does not matter, and a change adds two tabled
//! differences. Once a length is exhausted, the rules after its last one are drawn from fewer lengths, so the order
//! matters; then only a bound is given without the rules, and the exact value needs the last of them
//! (`Prior::log_prior_from_end`).

use crate::prior::Prior;

/// A log prior, or the most it can be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LogPrior {
    /// The value.
    Exact(f64),
    /// An upper bound, because the order of the rules matters.
    AtMost(f64),
}

impl LogPrior {
    /// The value, or the most it can be.
    #[inline(always)]
    pub fn bound(self) -> f64 {
        match self {
            LogPrior::Exact(log_prior) | LogPrior::AtMost(log_prior) => log_prior,
        }
    }
}

/// The antecedent lengths in a list, and what one rule more or less of each adds to its log prior.
#[derive(Debug, Clone)]
pub struct PriorDelta {
    /// The log prior of the list.
    pub log_prior: f64,
    n_rules: usize,
    /// Rules in the list by antecedent length.
    used: Vec<u32>,
    /// By antecedent length: what one rule more, or one less, adds while no length is exhausted; then what the length of
    /// the list adds.
    one_more: Vec<f64>,
    one_less: Vec<f64>,
    longer: f64,
    shorter: f64,
    /// Whether some length has at most one unused candidate left.
    nearly_exhausted: bool,
    /// Whether some length has none left.
    is_exhausted: bool,
}

impl PriorDelta {
    /// Of a list whose antecedents have these lengths.
    pub fn new(
        prior: &Prior,
        lengths: impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + Clone,
    ) -> Self {
        let n = prior.n_by_length().len();
        let mut used = vec![0; n];
        lengths.clone().for_each(|length| used[length] += 1);
        let mut delta = PriorDelta {
            log_prior: 0.0,
            n_rules: lengths.len(),
            one_more: vec![0.0; n],
            one_less: vec![0.0; n],
            used,
            longer: 0.0,
            shorter: 0.0,
            nearly_exhausted: false,
            is_exhausted: false,
        };
        (0..n).for_each(|length| delta.look_up(prior, length));
        delta.refresh(prior, lengths);
        delta
    }

    /// The log prior after a rule of antecedent length `gained` enters the list and one of length `lost` leaves it.
    #[inline(always)]
    pub fn after(&self, prior: &Prior, gained: Option<usize>, lost: Option<usize>) -> LogPrior {
        if self.order_matters(prior, gained, lost) {
            return self.bound_after(prior, gained, lost);
        }
        LogPrior::Exact(self.difference(gained, lost))
    }

    /// The log prior after the change, if the order of the rules does not matter.
    #[inline(always)]
    pub fn difference(&self, gained: Option<usize>, lost: Option<usize>) -> f64 {
        match (gained, lost) {
            (None, None) => self.log_prior,
            (Some(c), None) => self.log_prior + self.longer + self.one_more[c],
            (None, Some(c)) => self.log_prior + self.shorter + self.one_less[c],
            (Some(c), Some(d)) if c == d => self.log_prior,
            (Some(c), Some(d)) => self.log_prior + (self.one_more[c] + self.one_less[d]),
        }
    }

    /// Follow such a change, which leads to a list whose antecedents have these `lengths`.
    #[inline(always)]
    pub fn change(
        &mut self,
        prior: &Prior,
        gained: Option<usize>,
        lost: Option<usize>,
        lengths: impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + Clone,
    ) {
        if gained == lost && !self.nearly_exhausted {
            return;
        }
        self.n_rules = self.n_rules + usize::from(gained.is_some()) - usize::from(lost.is_some());
        if gained != lost {
            self.count(gained, lost);
            gained.into_iter().chain(lost).for_each(|length| self.look_up(prior, length));
        }
        self.refresh(prior, lengths);
    }

    /// The log prior after such a change, which leads to a list whose antecedents have these `lengths`.
    pub fn exact_after(
        &mut self,
        prior: &Prior,
        gained: Option<usize>,
        lost: Option<usize>,
        lengths: impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + Clone,
    ) -> f64 {
        self.count(gained, lost);
        let log_prior = prior.log_prior_from_end(&self.used, lengths);
        self.count(lost, gained);
        log_prior
    }

    #[inline(always)]
    fn count(&mut self, gained: Option<usize>, lost: Option<usize>) {
        gained.into_iter().for_each(|c| self.used[c] += 1);
        lost.into_iter().for_each(|c| self.used[c] -= 1);
    }

    fn look_up(&mut self, prior: &Prior, length: usize) {
        (self.one_more[length], self.one_less[length]) =
            prior.log_neighbours_unexhausted(length, self.used[length]);
    }

    fn refresh(
        &mut self,
        prior: &Prior,
        lengths: impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + Clone,
    ) {
        let m = self.n_rules;
        let unused = prior.n_by_length().iter().zip(&self.used).filter(|(&n, _)| n > 0);
        let fewest_unused = unused.map(|(&n, &used)| n - used).min().unwrap_or(u32::MAX);
        let log_length = prior.log_length(m);
        self.longer = if m < prior.pool_size() { prior.log_length(m + 1) - log_length } else { 0.0 };
        self.shorter = if m > 0 { prior.log_length(m - 1) - log_length } else { 0.0 };
        (self.nearly_exhausted, self.is_exhausted) = (fewest_unused <= 1, fewest_unused == 0);
        self.log_prior = match self.is_exhausted {
            true => prior.log_prior_from_end(&self.used, lengths),
            false => prior.log_prior_unexhausted(&self.used, m),
        };
    }

    /// Whether some length is exhausted before or after the change.
    #[inline(always)]
    pub fn order_matters(&self, prior: &Prior, gained: Option<usize>, lost: Option<usize>) -> bool {
        let exhausts = |c: usize| self.used[c] + 1 == prior.n_by_length()[c];
        self.nearly_exhausted && (self.is_exhausted || gained != lost && gained.is_some_and(exhausts))
    }

    /// The most that any order of the rules gives: each drawn from as few lengths as any of them.
    #[cold]
    fn bound_after(&self, prior: &Prior, gained: Option<usize>, lost: Option<usize>) -> LogPrior {
        let mut used = self.used.clone();
        gained.into_iter().for_each(|c| used[c] += 1);
        lost.into_iter().for_each(|c| used[c] -= 1);
        let m = self.n_rules + usize::from(gained.is_some()) - usize::from(lost.is_some());
        LogPrior::AtMost(prior.log_prior_at_most(&used, m))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hyperparameters::Hyperparameters;
    use crate::naive;

    #[test]
    fn every_change_gives_the_log_prior_of_the_new_list_or_a_bound_on_it() {
        let hyperparameters = Hyperparameters { lambda: 3.7, eta: 0.6, alpha: vec![1.0, 1.0] };
        let pool = [1, 1, 3, 3, 3, 4];
        let prior = Prior::new(&hyperparameters, &[0, 2, 0, 3, 1]);
        let log_prior = |lengths: &[usize]| naive::log_prior(&hyperparameters, &pool, lengths);
        let (mut n_exact, mut n_bounds) = (0, 0);
        for list in naive::all_lists(6).into_iter().filter(|list| list.len() <= 5) {
            let lengths: Vec<usize> = list.iter().map(|&i| pool[i as usize]).collect();
            let delta = PriorDelta::new(&prior, lengths.iter().copied());
            assert!((delta.log_prior - log_prior(&lengths)).abs() < 1e-10);
            let unused = (0..6u32).filter(|i| !list.contains(i)).map(|i| Some(pool[i as usize]));
            for gained in unused.chain([None]) {
                for lost in (0..list.len()).map(Some).chain([None]) {
                    for position in 0..=list.len() - usize::from(lost.is_some()) {
                        let mut after = lengths.clone();
                        if let Some(lost) = lost {
                            after.remove(lost);
                        }
                        if let Some(gained) = gained {
                            after.insert(position, gained);
                        }
                        let mut changed = delta.clone();
                        let lost = lost.map(|lost| lengths[lost]);
                        let exact = changed.exact_after(&prior, gained, lost, after.iter().copied());
                        assert!((exact - log_prior(&after)).abs() < 1e-10, "{lengths:?} {after:?}");
                        changed.change(&prior, gained, lost, after.iter().copied());
                        assert!((changed.log_prior - log_prior(&after)).abs() < 1e-10);
                        match delta.after(&prior, gained, lost) {
                            LogPrior::Exact(found) => {
                                n_exact += 1;
                                assert!((found - log_prior(&after)).abs() < 1e-10, "{lengths:?} {after:?}");
                            }
                            LogPrior::AtMost(most) => {
                                n_bounds += 1;
                                assert!(most > log_prior(&after) - 1e-10, "{lengths:?} {after:?}");
                            }
                        }
                    }
                }
            }
        }
        assert!(n_exact > 1000 && n_bounds > 1000, "{n_exact} {n_bounds}");
    }
}
