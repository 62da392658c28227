//! Simulated annealing over rule lists. It accepts on score alone (no Hastings term), so its states are not draws.
//!
//! Where a rule is inserted, all positions are scored at once, which costs little more than scoring one.

use crate::control::Control;
use crate::rng::ChainRng;
use crate::search::list::moves::{Move, MoveKind};
use crate::search::list::unused::Unused;
use crate::search::list::RuleListState;
use crate::search::problem::Problem;
use crate::search::record::{Recorder, RunReport, Trace};

/// A way to change the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Insert a random unused candidate at a position drawn by score.
    Add,
    Remove,
    Swap,
    Replace,
    /// Move a random rule to a position drawn by score.
    Relocate,
    /// Remove a random rule and insert an unused candidate at a position drawn by score.
    Exchange,
}

/// How often each step is tried.
const STEPS: [(Step, usize); 6] = [
    (Step::Add, 2),
    (Step::Remove, 2),
    (Step::Swap, 1),
    (Step::Replace, 1),
    (Step::Relocate, 1),
    (Step::Exchange, 1),
];
const STEPS_TOTAL: usize = 8;

impl Step {
    fn draw(rng: &mut ChainRng) -> Self {
        let mut drawn = rng.below(STEPS_TOTAL);
        for (step, share) in STEPS {
            if drawn < share {
                return step;
            }
            drawn -= share;
        }
        Step::Add
    }

    fn kind(self) -> MoveKind {
        match self {
            Step::Add => MoveKind::Add,
            Step::Remove => MoveKind::Remove,
            Step::Swap => MoveKind::Swap,
            Step::Replace => MoveKind::Replace,
            Step::Relocate | Step::Exchange => MoveKind::Exchange,
        }
    }
}

/// Positions with a log weight below this are never drawn.
const MIN_LOG_WEIGHT: f64 = -30.0;

/// Steps between two checks whether the work is to end.
const BATCH: u64 = 64;

/// A list being annealed.
#[derive(Debug, Clone)]
pub struct Annealer<'a> {
    state: RuleListState<'a>,
    unused: Unused,
    rng: ChainRng,
    /// Steps that count as one iteration.
    pace: u64,
    /// What was done so far.
    pub report: RunReport,
    /// Buffer for the weights of positions.
    weights: Vec<f64>,
}

impl<'a> Annealer<'a> {
    /// Begin with the list `rules`.
    pub fn new(problem: &'a Problem, rules: &[u32], rng: ChainRng) -> Self {
        let state = RuleListState::with_rules(problem, rules);
        let report = RunReport::new(rules, state.log_posterior());
        let unused = Unused::new(problem.pool.len(), rules);
        Annealer { state, unused, rng, pace: 1, report, weights: Vec::new() }
    }

    /// The current list.
    pub fn rules(&self) -> &[u32] {
        self.state.rules()
    }

    /// Do several steps per iteration, for a problem so small that they cost no more than one on the whole data.
    pub fn with_pace(self, pace: u64) -> Self {
        Annealer { pace, ..self }
    }

    /// Cool geometrically from one temperature to another, or until the work is to end, and keep about `n_points` trace
    /// points. Returns the mean log posterior of the second half.
    pub fn cool(&mut self, hot: f64, cold: f64, iterations: u64, n_points: u64, control: &Control) -> f64 {
        let every = iterations.div_ceil(n_points.max(1)).max(BATCH) / BATCH;
        let mut trace = Trace::new(iterations, n_points);
        let cooling = (cold / hot).powf(1.0 / (iterations * self.pace).max(1) as f64);
        // check about every millisecond
        let n_words = self.state.problem().pool.rows.n_words() as u64;
        let per_check = ((1 << 18) / (64 + 16 * n_words)).clamp(1, BATCH);
        let (mut temperature, mut done, mut sum, mut n) = (hot, 0, 0.0, 0);
        while done < iterations && !control.should_end() {
            let batch = BATCH.min(iterations - done);
            for step in 0..batch * self.pace {
                if step % per_check == per_check - 1 && control.should_end() {
                    break;
                }
                self.step(temperature);
                temperature *= cooling;
            }
            done += batch;
            self.report.iterations += batch;
            if done / BATCH % every == 0 && n_points > 0 {
                trace.record(self.report.iterations, &self.state);
            }
            if 2 * done >= iterations {
                sum += self.state.log_posterior();
                n += 1;
            }
            control.add_iterations(batch);
            // a step often scores all positions
            let work = self.state.problem().work_per_move(self.state.rules().len());
            control.add_work(2 * batch * self.pace * work);
        }
        self.report.trace.extend_from_slice(trace.points());
        if n > 0 {
            sum / f64::from(n)
        } else {
            self.state.log_posterior()
        }
    }

    /// Try one step.
    fn step(&mut self, temperature: f64) {
        let step = Step::draw(&mut self.rng);
        if !self.is_possible(step) {
            return;
        }
        let m = self.state.rules().len();
        self.report.moves.count_proposed(step.kind());
        let threshold = self.state.log_posterior() + temperature * self.rng.log_uniform();
        let change = match step {
            Step::Add => self.draw_insertion(threshold, temperature),
            Step::Remove => {
                let position = self.rng.below(m);
                self.reaches(Move::Remove { position }, threshold)
            }
            Step::Swap => {
                let (one, other) = (self.rng.below(m), self.rng.below(m - 1));
                let other = if other >= one { other + 1 } else { other };
                self.reaches(Move::Swap { first: one.min(other), second: one.max(other) }, threshold)
            }
            Step::Replace => {
                let candidate = self.unused.draw(&mut self.rng);
                let position = self.rng.below(m);
                self.reaches(Move::Replace { candidate, position }, threshold)
            }
            Step::Relocate => self.draw_exchange(None, threshold, temperature),
            Step::Exchange => {
                let candidate = self.unused.draw(&mut self.rng);
                self.draw_exchange(Some(candidate), threshold, temperature)
            }
        };
        if let Some(change) = change {
            self.unused.follow(change, self.state.rules());
            self.state.apply(change);
            self.report.moves.count_accepted(step.kind());
            self.report.best.improve(self.state.rules(), self.state.log_posterior());
        }
    }

    fn is_possible(&self, step: Step) -> bool {
        let m = self.state.rules().len();
        let has_unused = m < self.unused.n_candidates();
        match step {
            Step::Add => has_unused && self.state.problem().objective.admits(m + 1),
            Step::Remove | Step::Relocate => m >= 1,
            Step::Swap => m >= 2,
            Step::Replace | Step::Exchange => m >= 1 && has_unused,
        }
    }

    /// The move, if its log posterior reaches the threshold.
    fn reaches(&mut self, change: Move, threshold: f64) -> Option<Move> {
        self.state.log_posterior_after(change, threshold).filter(|&found| found >= threshold).map(|_| change)
    }

    /// Insert a random unused candidate at a position drawn with probability ∝ exp(score / temperature).
    fn draw_insertion(&mut self, threshold: f64, temperature: f64) -> Option<Move> {
        let candidate = self.unused.draw(&mut self.rng);
        let scores = self.state.insertions(candidate);
        let position = draw_position(scores, threshold, temperature, &mut self.rng, &mut self.weights)?;
        Some(Move::Add { candidate, position })
    }

    /// Remove a random rule, and insert `candidate` or that rule at a position drawn in the same way.
    fn draw_exchange(&mut self, candidate: Option<u32>, threshold: f64, temperature: f64) -> Option<Move> {
        let from = self.rng.below(self.state.rules().len());
        let rule = self.state.rules()[from];
        let candidate = candidate.unwrap_or(rule);
        let scores = self.state.exchanges(from, candidate);
        let position = draw_position(scores, threshold, temperature, &mut self.rng, &mut self.weights)?;
        ((candidate, position) != (rule, from)).then_some(Move::Exchange { from, candidate, position })
    }
}

/// A position drawn with probability ∝ exp(score / temperature); none if the score of the one drawn is below the threshold.
fn draw_position(
    scores: &[f64],
    threshold: f64,
    temperature: f64,
    rng: &mut ChainRng,
    weights: &mut Vec<f64>,
) -> Option<usize> {
    let highest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if highest < threshold {
        return None;
    }
    weights.clear();
    weights.extend(scores.iter().map(|score| {
        let log_weight = (score - highest) / temperature;
        if log_weight > MIN_LOG_WEIGHT {
            log_weight.exp()
        } else {
            0.0
        }
    }));
    let mut left = rng.uniform() * weights.iter().sum::<f64>();
    let mut drawn = None;
    for (position, &weight) in weights.iter().enumerate().filter(|(_, &weight)| weight > 0.0) {
        drawn = Some(position);
        left -= weight;
        if left <= 0.0 {
            break;
        }
    }
    drawn.filter(|&position| scores[position] >= threshold)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random_source;

    #[test]
    fn the_shares_of_the_steps_add_up() {
        assert_eq!(STEPS.iter().map(|(_, share)| share).sum::<usize>(), STEPS_TOTAL);
    }

    #[test]
    fn positions_are_drawn_by_their_weights_and_never_below_the_threshold() {
        let (mut rng, mut weights, mut n) = (ChainRng::new(1, 0), Vec::new(), [0u32; 4]);
        let scores = [0.0, 2.0f64.ln() * 3.0, -1e3, f64::NEG_INFINITY];
        for _ in 0..6000 {
            let position = draw_position(&scores, -5.0, 3.0, &mut rng, &mut weights).unwrap();
            n[position] += 1;
        }
        assert!(n[0].abs_diff(2000) < 200 && n[2..] == [0, 0], "{n:?}");
        assert!(draw_position(&scores, 2.5, 3.0, &mut rng, &mut weights).is_none());
    }

    #[test]
    fn a_cold_run_ends_no_lower_than_it_began_and_reports_a_true_score() {
        for seed in 0..40 {
            let problem = random_source(&mut ChainRng::new(seed, 7)).problem().limited_to(4);
            let mut annealer = Annealer::new(&problem, &[], ChainRng::new(seed, 8));
            annealer.cool(5.0, 0.01, 300, 10, &Control::default());
            let best = &annealer.report.best;
            assert!(best.log_posterior >= problem.log_posterior(&[]) - 1e-9);
            assert!((problem.log_posterior(&best.rules) - best.log_posterior).abs() < 1e-8);
            assert!(best.rules.len() <= 4 && annealer.rules().len() <= 4);
            assert_eq!(annealer.report.iterations, 300);
        }
    }
}
