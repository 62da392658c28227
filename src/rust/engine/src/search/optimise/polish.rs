//! Polish the best list: hill climbing from several lists at once, with fewer of them after each sweep (successive halving).

use super::local_search::sweep;
use crate::control::Control;
use crate::error::Error;
use crate::parallel;
use crate::search::list::RuleListState;
use crate::search::problem::{Problem, MIN_GAIN};
use crate::search::record::ScoredList;

/// One sweep costs about this many iterations per candidate.
const ITERATIONS_PER_SWEEP: u64 = 10;

/// How many other lists to polish, so that their first sweeps take no longer than `iterations` iterations of chains.
pub fn n_affordable(problem: &Problem, iterations: u64) -> usize {
    let n = iterations / (ITERATIONS_PER_SWEEP * problem.pool.len().max(1) as u64);
    usize::try_from(n).unwrap_or(usize::MAX)
}

/// The list `best`, polished to a local optimum, or one of the `others` if polishing makes that one better. After each sweep
/// the worse half of the others is dropped.
pub fn polish_best<'a>(
    problem: &'a Problem,
    best: &ScoredList,
    others: &[&ScoredList],
    threads: usize,
    control: &Control,
) -> Result<Vec<u32>, Error> {
    let mut lists = vec![Climber { is_kept: true, ..Climber::new(problem, best) }];
    let others = others.iter().take_while(|_| !control.should_end());
    lists.extend(others.map(|list| Climber::new(problem, list)));
    keep_best(&mut lists, usize::MAX);
    while !lists.iter().all(|list| list.is_done) && !control.should_end() {
        let threads_each = (threads / lists.len()).max(1);
        let climb = |mut list: Climber<'a>| {
            list.is_done = list.is_done || !sweep(&mut list.state, threads_each, control)?;
            Ok(list)
        };
        lists = parallel::try_map::<_, _, Error>(threads, lists, climb)?;
        let half = lists.len().div_ceil(2);
        keep_best(&mut lists, half);
    }
    let best = lists.iter().max_by(|a, b| a.state.log_posterior().total_cmp(&b.state.log_posterior()));
    Ok(best.map_or_else(Vec::new, |best| best.state.rules().to_vec()))
}

/// A list that is being polished.
struct Climber<'a> {
    state: RuleListState<'a>,
    /// Whether it is a local optimum.
    is_done: bool,
    /// Whether it is polished to the end, however good the others.
    is_kept: bool,
}

impl<'a> Climber<'a> {
    fn new(problem: &'a Problem, list: &ScoredList) -> Self {
        let state = RuleListState::with_rules(problem, &list.rules);
        Climber { state, is_done: false, is_kept: false }
    }
}

/// Keep the `n` best lists, and the one to be kept in any case. Of lists with the same score, which nearly always capture the
/// same rows, one is enough.
fn keep_best(lists: &mut Vec<Climber<'_>>, n: usize) {
    let score = |list: &Climber<'_>| list.state.log_posterior();
    lists.sort_by(|a, b| score(b).total_cmp(&score(a)).then(b.is_kept.cmp(&a.is_kept)));
    lists.dedup_by(|next, kept| !next.is_kept && score(kept) - score(next) < MIN_GAIN);
    let mut rank = 0;
    lists.retain(|list| {
        rank += 1;
        rank <= n || list.is_kept
    });
}
