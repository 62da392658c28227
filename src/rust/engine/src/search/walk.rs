//! A walk over lists at a temperature: it looks for good lists and samples nothing.
//!
//! What it accepts depends on the gain and the temperature only. A rule that comes in looks at all positions at once, which
//! costs little more than to look at one.

use super::chain::ChainReport;
use super::moves::Move;
use super::proposal::Unused;
use super::state::State;
use super::Problem;
use crate::control::Control;
use crate::rng::ChainRng;

/// How often each kind of step is tried: add, remove, swap, replace, relocate, exchange.
const MIX: [usize; 6] = [2, 2, 1, 1, 1, 1];
/// Which kind of move each of them is reported as.
const REPORTED_AS: [usize; 6] = [0, 1, 2, 3, 2, 3];

/// Positions whose weight is below e to this are never chosen.
const LEAST_LOG_WEIGHT: f64 = -30.0;

/// Steps between two looks at the flags.
const BATCH: u64 = 64;

/// A list on the move.
#[derive(Debug, Clone)]
pub struct Walk<'a> {
    state: State<'a>,
    unused: Unused,
    rng: ChainRng,
    max_length: usize,
    /// Steps that count as one iteration.
    pace: u64,
    pub report: ChainReport,
    /// Room for the weights of positions.
    weights: Vec<f64>,
}

impl<'a> Walk<'a> {
    /// A walk from the list `rules` over lists of at most `max_length` rules.
    pub fn new(problem: &'a Problem, rules: &[u32], max_length: usize, rng: ChainRng) -> Self {
        let state = State::with_rules(problem, rules);
        let report = ChainReport::new(rules, state.score().log_posterior());
        let unused = Unused::without(problem.pool.len(), rules);
        Walk { state, unused, rng, max_length, pace: 1, report, weights: Vec::new() }
    }

    /// The list it is at.
    pub fn rules(&self) -> &[u32] {
        self.state.rules()
    }

    /// The same with several steps to an iteration, for a problem so small that they cost no more than one elsewhere.
    pub fn with_pace(self, pace: u64) -> Self {
        Walk { pace, ..self }
    }

    /// Cool down from one temperature to another, or until told to end; keep about `points` points of the way. The mean log
    /// posterior on the second half of the way.
    pub fn cool(&mut self, hot: f64, cold: f64, iterations: u64, points: u64, control: &Control) -> f64 {
        let every = iterations.div_ceil(points.max(1)).max(BATCH) / BATCH;
        let cooling = (cold / hot).powf(1.0 / (iterations * self.pace).max(1) as f64);
        // look at the flags about every millisecond
        let n_words = self.state.problem().pool.rows.n_words() as u64;
        let per_look = ((1 << 18) / (64 + 16 * n_words)).clamp(1, BATCH);
        let (mut temperature, mut done, mut sum, mut n) = (hot, 0, 0.0, 0);
        while done < iterations && !control.should_end() {
            let batch = BATCH.min(iterations - done);
            for step in 0..batch * self.pace {
                if step % per_look == per_look - 1 && control.should_end() {
                    break;
                }
                self.step(temperature);
                temperature *= cooling;
            }
            done += batch;
            self.report.iterations += batch;
            if done / BATCH % every == 0 && points > 0 {
                self.report.record(&self.state);
            }
            if 2 * done >= iterations {
                sum += self.state.score().log_posterior();
                n += 1;
            }
            control.add_iterations(batch);
        }
        if n > 0 {
            sum / f64::from(n)
        } else {
            self.state.score().log_posterior()
        }
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
        let least = self.state.score().log_posterior() + temperature * self.rng.log_uniform();
        let accepted = match kind {
            0 => self.add(least, temperature),
            1 => {
                let at = self.rng.below(m);
                self.try_move(Move::Remove { at }, least)
            }
            2 => {
                let (one, other) = (self.rng.below(m), self.rng.below(m - 1));
                let other = if other >= one { other + 1 } else { other };
                self.try_move(Move::Swap { first: one.min(other), second: one.max(other) }, least)
            }
            3 => {
                let candidate = self.unused.draw(&mut self.rng);
                let at = self.rng.below(m);
                self.try_move(Move::Replace { candidate, at }, least)
            }
            4 => self.exchange(None, least, temperature),
            _ => {
                let candidate = self.unused.draw(&mut self.rng);
                self.exchange(Some(candidate), least, temperature)
            }
        };
        if accepted {
            self.report.accepted[REPORTED_AS[kind]] += 1;
            self.report.offer(self.state.rules(), self.state.score().log_posterior());
        }
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

    fn try_move(&mut self, change: Move, least: f64) -> bool {
        let accepted = self.state.try_move(change, least).is_some_and(|log_posterior| log_posterior >= least);
        if accepted {
            self.unused.follow(change, self.state.rules());
            self.state.make(change);
        }
        accepted
    }

    /// An unused rule where it does well.
    fn add(&mut self, least: f64, temperature: f64) -> bool {
        let candidate = self.unused.draw(&mut self.rng);
        let scores = self.state.insertions(candidate);
        let Some(at) = choose_position(scores, least, temperature, &mut self.rng, &mut self.weights) else {
            return false;
        };
        self.unused.take(candidate);
        self.state.make(Move::Add { candidate, at });
        true
    }

    /// A rule taken out, and `candidate` (or the same rule) put in where it does well.
    fn exchange(&mut self, candidate: Option<u32>, least: f64, temperature: f64) -> bool {
        let from = self.rng.below(self.state.rules().len());
        let rule = self.state.rules()[from];
        let incoming = candidate.unwrap_or(rule);
        let scores = self.state.exchanges(from, incoming);
        let at = choose_position(scores, least, temperature, &mut self.rng, &mut self.weights);
        let Some(at) = at.filter(|&at| (incoming, at) != (rule, from)) else {
            return false;
        };
        self.state.make(Move::Remove { at: from });
        if let Some(candidate) = candidate {
            self.unused.give_back(rule);
            self.unused.take(candidate);
        }
        self.state.make(Move::Add { candidate: incoming, at });
        true
    }
}

/// A position, drawn by the log posteriors that positions would give; none if the one drawn would give less than `least`.
fn choose_position(
    scores: &[f64],
    least: f64,
    temperature: f64,
    rng: &mut ChainRng,
    weights: &mut Vec<f64>,
) -> Option<usize> {
    let highest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if highest < least {
        return None;
    }
    weights.clear();
    weights.extend(scores.iter().map(|score| {
        let log_weight = (score - highest) / temperature;
        if log_weight > LEAST_LOG_WEIGHT {
            log_weight.exp()
        } else {
            0.0
        }
    }));
    let mut left = rng.uniform() * weights.iter().sum::<f64>();
    let mut chosen = None;
    for (at, &weight) in weights.iter().enumerate().filter(|(_, &weight)| weight > 0.0) {
        chosen = Some(at);
        left -= weight;
        if left <= 0.0 {
            break;
        }
    }
    chosen.filter(|&at| scores[at] >= least)
}
