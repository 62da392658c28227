//! What the limit on the number of rules changes where it binds.
//!
//! A rule can then only be exchanged for another, and a list between two good ones is worse by about what one more rule would
//! gain: the *price* of the limit. So the highest temperatures rise with it, and lists may have a few rules more while they
//! are annealed, which are then removed again.

use crate::control::Control;
use crate::search::list::RuleListState;
use crate::search::problem::Problem;
use crate::search::record::ScoredList;

/// Price of the limit, in nats, that doubles the highest temperatures.
const DOUBLING_PRICE: f64 = 4.0;
/// Rules beyond the limit that a list may have while it is annealed.
const N_EXTRA: usize = 2;

/// What the limit on the number of rules changes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LengthLimit {
    /// Factor by which the highest temperatures are raised.
    pub heat: f64,
    /// Rules beyond the limit that a list may have while it is annealed.
    pub n_extra: usize,
}

impl LengthLimit {
    /// No limit, or one that does not bind.
    #[cfg(test)]
    pub const NONE: LengthLimit = LengthLimit { heat: 1.0, n_extra: 0 };

    /// The limit of `problem`, none of whose best lists would have more than `longest` rules without it. The list `known`
    /// gives the price.
    pub fn of(problem: &Problem, longest: usize, known: &ScoredList, control: &Control) -> Self {
        let price = price_of_limit(problem, &known.rules, control);
        let n_extra = longest.saturating_sub(problem.objective.max_length()).min(N_EXTRA);
        LengthLimit { heat: 1.0 + price / DOUBLING_PRICE, n_extra }
    }
}

/// What one more rule would add to the log posterior if the limit allowed it.
fn price_of_limit(problem: &Problem, rules: &[u32], control: &Control) -> f64 {
    if problem.objective.admits(rules.len() + 1) {
        return 0.0;
    }
    let mut state = RuleListState::with_rules(problem, rules);
    let mut highest = state.log_posterior();
    let unused = (0..problem.pool.len() as u32).filter(|candidate| !rules.contains(candidate));
    for candidate in unused.take_while(|_| !control.should_end()) {
        highest = state.insertions(candidate).iter().copied().fold(highest, f64::max);
    }
    highest - state.log_posterior()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::ChainRng;
    use crate::testing::{neighbours, random_problem};

    #[test]
    fn the_price_of_a_limit_is_what_the_best_further_rule_gains() {
        let (control, mut n_paid) = (Control::default(), 0);
        for seed in 0..60 {
            let whole = random_problem(&mut ChainRng::new(seed, 0));
            for n_rules in 0..whole.pool.len().min(3) {
                let rules: Vec<u32> = (0..n_rules as u32).collect();
                let now = whole.log_posterior(&rules);
                let longer = neighbours(&whole, &rules, n_rules + 1);
                let longer = longer.iter().filter(|list| list.len() > n_rules);
                let best = longer.map(|list| whole.log_posterior(list)).fold(now, f64::max);
                let price = price_of_limit(&whole.limited_to(n_rules), &rules, &control);
                assert!((price - (best - now)).abs() < 1e-8, "seed {seed}: {price}, not {}", best - now);
                let known = ScoredList::new(&rules, now);
                let limit = |max_length: usize| {
                    LengthLimit::of(&whole.limited_to(max_length), n_rules + 2, &known, &control)
                };
                assert_eq!(limit(n_rules).n_extra, 2);
                assert_eq!(limit(n_rules + 1), LengthLimit { n_extra: 1, ..LengthLimit::NONE });
                assert_eq!(limit(usize::MAX), LengthLimit::NONE);
                n_paid += u32::from(price > 1.0);
            }
        }
        assert!(n_paid > 20, "{n_paid}");
    }
}
