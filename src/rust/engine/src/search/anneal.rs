//! Anneals: a search for the best list and nothing else, from two temperatures, then again from the best list known.
//!
//! An anneal walks over lists like a chain, but what it accepts depends on the gain and the temperature only, so it is no
//! sampler. A rule that comes in looks at all positions at once, which costs little more than to look at one.

use super::chain::ChainReport;
use super::moves::Move;
use super::polish;
use super::proposal::Unused;
use super::state::State;
use super::{Problem, Settings, TRACE_POINTS};
use crate::bounds::max_length_pool;
use crate::control::Control;
use crate::error::Error;
use crate::parallel;
use crate::rng::ChainRng;

/// Where the anneals begin that start from the empty list, and those that start from the best list known.
const HOT: [f64; 2] = [16.0, 30.0];
const WARM: [f64; 2] = [4.0, 8.0];
/// Where all of them end.
const COLD: f64 = 0.7;

/// How often each kind of step is tried: add, remove, swap, replace, relocate, exchange.
const MIX: [usize; 6] = [2, 2, 1, 1, 1, 1];
/// Which kind of move each of them is reported as.
const REPORTED_AS: [usize; 6] = [0, 1, 2, 3, 2, 3];

/// Positions whose weight is below e to this are never chosen.
const LEAST_LOG_WEIGHT: f64 = -30.0;

/// Two anneals from the empty list, then two more from the best list known: of these and of `known`. `iterations` are all
/// there are; the second round gets a third of them.
pub fn anneal(
    problem: &Problem,
    settings: &Settings,
    iterations: u64,
    known: &ChainReport,
    control: &Control,
) -> Result<Vec<ChainReport>, Error> {
    let max_length = longest_useful(problem).min(settings.max_length);
    let n_runs = HOT.len() as u64;
    let start = |rules: &[u32], hot: f64, stream: u64| Anneal {
        state: State::with_rules(problem, rules),
        unused: Unused::without(problem.pool.len(), rules),
        rng: ChainRng::new(settings.seed, stream),
        max_length,
        report: ChainReport::new(rules, problem.score(rules).0.log_posterior()),
        hot,
    };
    // streams that no chain has
    let first_stream = settings.n_chains as u64;
    let round = |rules: &[u32], hot: [f64; 2], iterations: u64, first_stream: u64| {
        let share = |run: u64| iterations / n_runs + u64::from(run < iterations % n_runs);
        let run = |(hot, run): (f64, u64)| {
            start(rules, hot, first_stream + run).run(share(run), TRACE_POINTS.0 / 2, control)
        };
        parallel::map(settings.threads, hot.into_iter().zip(0..).collect(), run)
    };
    let mut reports = round(&[], HOT, iterations - iterations / 3, first_stream)?;
    let best =
        reports.iter().chain([known]).max_by(|a, b| a.best_log_posterior.total_cmp(&b.best_log_posterior));
    let best_rules = best.map_or(Vec::new(), |report| report.best_rules.clone());
    let second = round(&best_rules, WARM, iterations / 3, first_stream + n_runs)?;
    reports.iter_mut().zip(second).for_each(|(report, second)| report.append(second));
    Ok(reports)
}

/// Theorem 1: no best list is longer.
fn longest_useful(problem: &Problem) -> usize {
    let posterior = &problem.posterior;
    let log_f_all = posterior.likelihood.log_f(problem.pool.rows.class_counts());
    max_length_pool(log_f_all, posterior.lambda, &problem.pool.n_by_length())
        .map_or(usize::MAX, |length| usize::try_from(length).unwrap_or(usize::MAX))
}

/// A walk that cools.
struct Anneal<'a> {
    state: State<'a>,
    unused: Unused,
    rng: ChainRng,
    max_length: usize,
    report: ChainReport,
    hot: f64,
}

impl Anneal<'_> {
    /// Cool down within `iterations`, then polish the best list seen.
    fn run(mut self, iterations: u64, points: u64, control: &Control) -> ChainReport {
        let every = iterations.div_ceil(points).max(1);
        let cooling = (COLD / self.hot).powf(1.0 / iterations.max(1) as f64);
        let mut temperature = self.hot;
        for iteration in 1..=iterations {
            self.step(temperature);
            temperature *= cooling;
            self.report.iterations += 1;
            if iteration % every == 0 {
                self.report.record(&self.state);
            }
            if iteration % 64 == 0 || iteration == iterations {
                control.add_iterations(if iteration % 64 == 0 { 64 } else { iteration % 64 });
                control.offer_best(self.report.best_log_posterior);
                if control.should_end() {
                    break;
                }
            }
        }
        let problem = self.state.problem();
        if let Ok(rules) = polish::polish(problem, &self.report.best_rules, self.max_length, 1, control) {
            self.report.offer(&rules, problem.score(&rules).0.log_posterior());
        }
        self.report
    }

    /// Try one change.
    fn step(&mut self, temperature: f64) {
        let kind = self.draw_kind();
        let m = self.state.rules().len();
        let has_unused = m < self.unused.n_candidates();
        let possible = match kind {
            0 => has_unused && m < self.max_length,
            2 => m >= 2,
            3 | 5 => m >= 1 && has_unused,
            _ => m >= 1,
        };
        if !possible {
            return;
        }
        self.report.proposed[REPORTED_AS[kind]] += 1;
        let accepted = match kind {
            0 => self.add(temperature),
            1 => {
                let at = self.rng.below(m);
                self.try_move(Move::Remove { at }, temperature)
            }
            2 => {
                let (one, other) = (self.rng.below(m), self.rng.below(m - 1));
                let other = if other >= one { other + 1 } else { other };
                self.try_move(Move::Swap { first: one.min(other), second: one.max(other) }, temperature)
            }
            3 => {
                let candidate = self.unused.draw(&mut self.rng);
                let at = self.rng.below(m);
                self.try_move(Move::Replace { candidate, at }, temperature)
            }
            4 => self.exchange(None, temperature),
            _ => {
                let candidate = self.unused.draw(&mut self.rng);
                self.exchange(Some(candidate), temperature)
            }
        };
        self.report.accepted[REPORTED_AS[kind]] += u64::from(accepted);
    }

    fn draw_kind(&mut self) -> usize {
        let mut drawn = self.rng.below(MIX.iter().sum());
        let mut kind = 0;
        while drawn >= MIX[kind] {
            drawn -= MIX[kind];
            kind += 1;
        }
        kind
    }

    /// The least log posterior that is accepted now.
    fn least(&mut self, temperature: f64) -> f64 {
        self.state.score().log_posterior() + temperature * self.rng.log_uniform()
    }

    fn try_move(&mut self, change: Move, temperature: f64) -> bool {
        let least = self.least(temperature);
        let accepted = self.state.try_move(change, least).is_some_and(|log_posterior| log_posterior >= least);
        if accepted {
            self.unused.follow(change, self.state.rules());
            self.make(change);
        }
        accepted
    }

    fn make(&mut self, change: Move) {
        self.state.make(change);
        self.report.offer(self.state.rules(), self.state.score().log_posterior());
    }

    /// An unused rule where it does well.
    fn add(&mut self, temperature: f64) -> bool {
        let candidate = self.unused.draw(&mut self.rng);
        let least = self.least(temperature);
        let scores = self.state.insertions(candidate);
        let (at, log_posterior) = choose_position(scores, &mut self.rng, temperature);
        let accepted = log_posterior >= least;
        if accepted {
            self.unused.follow(Move::Add { candidate, at }, self.state.rules());
            self.make(Move::Add { candidate, at });
        }
        accepted
    }

    /// A rule taken out, and `candidate` (or the same rule) put in where it does well.
    fn exchange(&mut self, candidate: Option<u32>, temperature: f64) -> bool {
        let least = self.least(temperature);
        let from = self.rng.below(self.state.rules().len());
        let rule = self.state.rules()[from];
        let incoming = candidate.unwrap_or(rule);
        let scores = self.state.exchanges(from, incoming);
        let (at, log_posterior) = choose_position(scores, &mut self.rng, temperature);
        if log_posterior < least || (incoming, at) == (rule, from) {
            return false;
        }
        self.state.make(Move::Remove { at: from });
        if let Some(candidate) = candidate {
            self.unused.give_back(rule);
            self.unused.take(candidate);
        }
        self.make(Move::Add { candidate: incoming, at });
        true
    }
}

/// A position, drawn by the log posteriors that positions would give, and the one it gives.
fn choose_position(scores: &[f64], rng: &mut ChainRng, temperature: f64) -> (usize, f64) {
    let highest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let log_weight = |score: &f64| (score - highest) / temperature;
    let likely = || scores.iter().enumerate().filter(|(_, score)| log_weight(score) > LEAST_LOG_WEIGHT);
    let total: f64 = likely().map(|(_, score)| log_weight(score).exp()).sum();
    let mut left = rng.uniform() * total;
    let mut chosen = (0, f64::NEG_INFINITY);
    for (at, &score) in likely() {
        chosen = (at, score);
        left -= log_weight(&score).exp();
        if left <= 0.0 {
            break;
        }
    }
    chosen
}
