//! From a list to its certificate: few row patterns at once, else two searches by turns.

use super::patterns::PatternSearch;
use super::prices::Prices;
use super::proof::{Certificate, Ended, ProofBudget, CLAIM, RESOLUTION};
use super::table::{certifiable, ProofTable};
use super::turns::Turns;
use super::work::{Improve, Work};
use crate::control::{Control, Phase};
use crate::error::Error;
use crate::search::problem::row_sets::RowSets;
use crate::search::problem::Problem;
use crate::search::record::ScoredList;

/// Memory of a proof within a search: enough for some thousand nodes, and for small block tables.
const AT_ONCE_BYTES: usize = 1 << 24;

/// Look for a list of `problem` that is better than `rules`, and prove how good the best one is. Refuses what the bounds do not cover.
pub fn certify(
    problem: &Problem,
    rules: &[u32],
    budget: &ProofBudget,
    improve: &Improve<'_>,
    control: &Control,
) -> Result<Certificate, Error> {
    certifiable(problem)?;
    control.enter(Phase::Certify);
    let mut work = Work::new(problem, rules, *budget, control);
    match run(&mut work, improve) {
        // the time was over before there were bounds
        Ok(()) | Err(Error::TimeLimit) => {}
        Err(error) => return Err(error),
    }
    if control.is_cancelled() {
        return Err(Error::Cancelled);
    }
    work.account_for_rounding();
    Ok(work.certificate)
}

/// The best list, if this many nodes are enough to prove it; found from `known`. For searches that can then end: nothing is
/// reported, and what the bounds do not cover is not proved.
pub fn prove_at_once(
    problem: &Problem,
    known: &ScoredList,
    n_nodes: u64,
    threads: usize,
    control: &Control,
) -> Result<Option<ScoredList>, Error> {
    if certifiable(problem).is_err() {
        return Ok(None);
    }
    let budget = ProofBudget { gap: 0.0, max_nodes: n_nodes, max_bytes: AT_ONCE_BYTES, threads };
    let mut work = Work::new(problem, &known.rules, budget, control);
    match run(&mut work, &Improve::NONE) {
        Ok(()) => {}
        // the search was told to end
        Err(Error::TimeLimit) => return Ok(None),
        Err(error) => return Err(error),
    }
    work.account_for_rounding();
    let Certificate { best, upper_bound, ended, .. } = work.certificate;
    let is_proved = ended == Ended::Solved && upper_bound <= best.log_posterior + CLAIM;
    Ok(is_proved.then_some(best))
}

/// Prove as much as the budget allows.
fn run(work: &mut Work<'_>, improve: &Improve<'_>) -> Result<(), Error> {
    let problem = work.problem;
    let better = (improve.climb)(problem, &work.certificate.best.rules)?;
    work.certificate.best.improve(&better, problem.log_posterior(&better));
    let prices = Prices::new(problem.objective.prior(), problem.objective.max_length());
    let table = ProofTable::new(problem, work.control)?;
    let tolerance = work.budget.gap.max(RESOLUTION);
    if let RowSets::Patterns(patterns) = problem.row_sets() {
        let tolerances = [tolerance, table.rounding()];
        let search = PatternSearch::new(&table, patterns, prices.clone(), tolerances);
        let limits = work.limits(work.budget.max_nodes / 2);
        let found = search.run(work.certificate.best.clone(), &limits, work.control)?;
        work.certificate.best = found.best;
        work.certificate.n_nodes += found.n_nodes;
        work.set_bound(found.upper_bound);
        if found.ended == Ended::Solved {
            work.finish(found.upper_bound);
            return Ok(());
        }
    }
    let better = (improve.search)(problem, &work.certificate.best.rules, 0)?;
    work.certificate.best.improve(&better, problem.log_posterior(&better));
    let mut turns = Turns::new(&table, prices, work.certificate.best.clone(), tolerance);
    turns.run(work, improve)
}
