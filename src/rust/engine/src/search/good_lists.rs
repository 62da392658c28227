//! What draws from the posterior become without the rules that the data do not support: a few good lists.

use super::problem::{CountedList, Problem};
use super::record::Draws;
use crate::control::Control;
use crate::error::Error;
use crate::parallel::try_map;
use std::collections::HashSet;

/// At most this many different draws are pruned, those with the highest log posterior.
pub const MAX_PRUNED: usize = 2000;

/// A pruned draw.
#[derive(Debug, Clone)]
pub struct GoodList {
    /// The number of the draw, from 0.
    pub draw: usize,
    /// What is left of it.
    pub list: CountedList,
}

/// The different lists that the draws become when they are pruned, the highest log posterior first.
pub fn good_lists(
    problem: &Problem,
    runs: &[Draws],
    threads: usize,
    control: &Control,
) -> Result<Vec<GoodList>, Error> {
    let mut draws = different_draws(runs);
    draws.sort_by(|one, other| {
        other.log_posterior.total_cmp(&one.log_posterior).then(one.number.cmp(&other.number))
    });
    draws.truncate(MAX_PRUNED);
    let mut pruned = try_map(threads, draws, |draw| match control.is_cancelled() {
        true => Err(Error::Cancelled),
        false => Ok(GoodList { draw: draw.number, list: problem.pruned(draw.rules) }),
    })?;
    let score = |good: &GoodList| good.list.score.log_posterior();
    pruned.sort_by(|one, other| score(other).total_cmp(&score(one)).then(one.draw.cmp(&other.draw)));
    let mut seen = HashSet::new();
    pruned.retain(|good| seen.insert(good.list.rules.clone()));
    Ok(pruned)
}

struct Draw<'a> {
    number: usize,
    rules: &'a [u32],
    log_posterior: f64,
}

fn different_draws(runs: &[Draws]) -> Vec<Draw<'_>> {
    let mut seen = HashSet::new();
    let mut draws = Vec::new();
    let mut number = 0;
    for run in runs {
        for (rules, score) in run.lists.iter().zip(&run.scores) {
            if seen.insert(rules) {
                draws.push(Draw { number, rules, log_posterior: score.log_posterior() });
            }
            number += 1;
        }
    }
    draws
}
