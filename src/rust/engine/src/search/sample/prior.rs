//! Exact, independent draws from the prior over lists of admissible length, whatever their rules capture.
//!
//! As the prior is defined: first the number of rules m, from p(m) restricted to the lengths that are admissible; then for
//! each rule the length of its antecedent, among those of which a candidate is left; then one of the unused
//! candidates of that length, all equally likely. No row is counted.

use crate::error::Error;
use crate::memory;
use crate::prior::Prior;
use crate::rng::ChainRng;
use crate::search::problem::Problem;

/// Draws lists from the prior.
#[derive(Debug, Clone)]
pub struct PriorSampler<'a> {
    prior: &'a Prior,
    /// Weights of the lists of 0, 1, 2, … rules, cumulated.
    cumulative: Vec<f64>,
    log_mass: f64,
    /// The candidates by antecedent length; those drawn for the current list come first, the others in any order.
    members: Vec<Vec<u32>>,
    n_used: Vec<u32>,
}

impl<'a> PriorSampler<'a> {
    /// For the lists of `problem` that are short enough.
    pub fn new(problem: &'a Problem) -> Result<Self, Error> {
        let (prior, pool) = (problem.objective.prior(), &problem.pool);
        let longest = problem.objective.max_length().min(pool.len());
        let log_length = |m: usize| prior.log_length(m);
        let largest = (0..=longest).map(log_length).fold(f64::NEG_INFINITY, f64::max);
        let mut sum = 0.0;
        let cumulative = memory::collect((0..=longest).map(|m| {
            sum += (log_length(m) - largest).exp();
            sum
        }))?;
        let mut members = vec![Vec::new(); prior.n_by_length().len()];
        for candidate in 0..pool.len() as u32 {
            memory::push(&mut members[problem.length(candidate)], candidate)?;
        }
        Ok(PriorSampler {
            cumulative,
            log_mass: largest + sum.ln(),
            prior,
            n_used: vec![0; members.len()],
            members,
        })
    }

    /// The log prior probability of all of them together: 0 if there is no limit.
    pub fn log_mass(&self) -> f64 {
        self.log_mass.min(0.0)
    }

    /// A list.
    pub fn draw(&mut self, rng: &mut ChainRng) -> Result<Vec<u32>, Error> {
        let m = self.draw_n_rules(rng);
        let mut rules = memory::with_capacity(m)?;
        self.n_used.fill(0);
        for _ in 0..m {
            let length = self.prior.draw_length(&self.n_used, rng);
            let (members, n_used) = (&mut self.members[length], self.n_used[length] as usize);
            let drawn = n_used + rng.below(members.len() - n_used);
            members.swap(n_used, drawn);
            rules.push(members[n_used]);
            self.n_used[length] += 1;
        }
        Ok(rules)
    }

    fn draw_n_rules(&self, rng: &mut ChainRng) -> usize {
        let last = self.cumulative.len() - 1;
        let point = rng.uniform() * self.cumulative[last];
        self.cumulative.partition_point(|&sum| sum <= point).min(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random_problem;

    #[test]
    fn lists_are_admissible_and_candidates_differ() {
        for seed in 0..60 {
            let problem = random_problem(&mut ChainRng::new(seed, 3));
            for max_length in [0, 2, usize::MAX] {
                let problem = problem.limited_to(max_length);
                let mut sampler = PriorSampler::new(&problem).unwrap();
                let mut rng = ChainRng::new(seed, 1);
                for _ in 0..20 {
                    let mut rules = sampler.draw(&mut rng).unwrap();
                    assert!(rules.len() <= max_length);
                    let n = rules.len();
                    rules.sort_unstable();
                    rules.dedup();
                    assert_eq!(rules.len(), n);
                    assert!(rules.iter().all(|&rule| (rule as usize) < problem.pool.len()));
                }
            }
        }
    }

    #[test]
    fn the_mass_of_admissible_lists_is_that_of_their_lengths() {
        let problem = random_problem(&mut ChainRng::new(1, 3));
        assert!(PriorSampler::new(&problem).unwrap().log_mass().abs() < 1e-12);
        let limited = problem.limited_to(2);
        let expected: f64 = (0..=2).map(|m| problem.objective.prior().log_length(m).exp()).sum();
        assert!((PriorSampler::new(&limited).unwrap().log_mass() - expected.ln()).abs() < 1e-12);
    }
}
