//! The rows and candidates of a problem, arranged so that one pass over a set of rows gives everything the bounds ask for.
//!
//! Rows that the same candidates cover are one row pattern, and no list separates them. A pattern with rows of several
//! classes is *mixed*: whatever rule captures it, its rows cost at least −ℓ*(N), where ℓ*(N) = Σ_l N_l log(N_l / |N|) is
//! their maximum log likelihood. The cost is shared evenly by the pattern's weight and rounded down to one of a few levels;
//! level 0 has the rows of pure patterns. Rows are grouped by class and level, so that class counts and costs of a set are
//! sums of the counts of its groups.

use crate::bitset::{set_bits, BitColumns};
use crate::control::Control;
use crate::data::Rows;
use crate::error::Error;
use crate::leaf::{max_log_likelihood, DirichletMultinomial, Leaf, TwoClasses};
use crate::memory;
use crate::rng::split_mix;
use crate::search::problem::Problem;

/// Fewest mixed rows per level: each level takes up to a block of padding per class.
const ROWS_PER_LEVEL: usize = 1024;
/// Most levels of cost.
const MAX_LEVELS: usize = 15;

/// Rows by class and level of cost, and the candidates' covers in that order.
#[derive(Debug)]
pub struct ProofTable<'p> {
    /// The problem it was made from.
    pub problem: &'p Problem,
    /// Rows whose "classes" are the groups: the levels of class 0, then those of class 1, …
    pub rows: Rows,
    /// The candidates' covers.
    pub covers: BitColumns,
    /// The number of each candidate's length, as [`super::prices::Prices`] numbers them.
    pub lengths: Vec<usize>,
    /// Two random words per candidate: the exclusive or over a list is a key of its set of rules.
    pub keys: Vec<u128>,
    /// What leaves are worth: the bounds know class counts only.
    pub leaf: &'p DirichletMultinomial,
    /// Nats per unit of weight, by level.
    costs: Vec<f64>,
}

impl<'p> ProofTable<'p> {
    /// Find patterns and costs, and arrange the rows. Fails unless leaves have class counts.
    pub fn new(problem: &'p Problem, control: &Control) -> Result<Self, Error> {
        let leaf = certifiable(problem)?;
        let pool = &problem.pool;
        let keys: Vec<u128> = memory::collect((0..pool.len() as u64).map(random_key))?;
        let costs = row_costs(problem, &keys, control)?;
        let (levels, costs) = quantised(&costs, problem.n_classes())?;
        let groups = row_groups(&pool.rows, &levels, costs.len())?;
        let n_groups = problem.n_classes() * costs.len();
        let rows = pool.rows.regrouped(&groups, n_groups, control)?;
        let covers = moved(&pool.covers, &pool.rows, &rows, control)?;
        let present: Vec<usize> =
            pool.n_by_length().iter().enumerate().filter(|(c, &n)| *c > 0 && n > 0).map(|(c, _)| c).collect();
        let number =
            |candidate: usize| present.iter().position(|&c| c == pool.length(candidate)).unwrap_or(0);
        Ok(ProofTable {
            problem,
            rows,
            covers,
            lengths: memory::collect((0..pool.len()).map(number))?,
            keys,
            leaf,
            costs,
        })
    }

    /// Number of groups of rows.
    pub fn n_groups(&self) -> usize {
        self.n_classes() * self.costs.len()
    }

    /// Number of classes.
    pub fn n_classes(&self) -> usize {
        self.leaf.n_sums()
    }

    /// Nats per unit of weight, by level.
    pub fn costs(&self) -> &[f64] {
        &self.costs
    }

    /// The leaf of two classes, if there are two.
    #[inline(always)]
    pub fn two_classes(&self) -> Option<TwoClasses<'p>> {
        self.leaf.two_classes()
    }

    /// The same if all counts are whole numbers.
    pub fn two_classes_of_whole_counts(&self) -> Option<TwoClasses<'p>> {
        self.two_classes().filter(|_| self.rows.unit() == 1.0)
    }

    /// Class counts of group counts.
    #[inline(always)]
    pub fn by_class(&self, groups: &[u64], out: &mut [u64]) {
        for (out, levels) in out.iter_mut().zip(groups.chunks_exact(self.costs.len())) {
            *out = levels.iter().sum();
        }
    }

    /// What the mixed patterns of a set of rows cost at least, from its group counts.
    #[inline(always)]
    pub fn mixed_cost(&self, groups: &[u64]) -> f64 {
        let levels = groups.chunks_exact(self.costs.len());
        let cost = |levels: &[u64]| {
            levels.iter().zip(&self.costs).skip(1).map(|(&n, cost)| n as f64 * cost).sum::<f64>()
        };
        levels.map(cost).sum()
    }

    /// Bytes that it takes.
    pub fn n_bytes(&self) -> usize {
        8 * self.covers.words().len() + 28 * self.lengths.len() + 16 * self.rows.n_rows()
    }

    /// See [`rounding`].
    pub fn rounding(&self) -> f64 {
        rounding(self.problem)
    }
}

/// The leaf of a problem that can be certified. The bounds are derived for counts of classes, prefixes are compared by the rows that
/// they leave whatever the order of their rules, and lists are scored as they end.
pub fn certifiable(problem: &Problem) -> Result<&DirichletMultinomial, Error> {
    let objective = &problem.objective;
    if objective.admission().is_shaped() {
        return Err(Error::NotCertifiable("lists that are admissible by what their rules capture"));
    }
    objective.leaf().classes().ok_or(Error::NotCertifiable("leaves that are not counts of classes"))
}

/// How far computed log posteriors may be off. Log marginals are sums of table entries, each rounded. The entries of all leaves
/// of a list together are no larger than that of all rows, because log Γ is superadditive.
pub fn rounding(problem: &Problem) -> f64 {
    let (counts, unit) = (problem.pool.rows.class_counts(), problem.pool.rows.unit());
    let n: f64 = counts.iter().map(|&n| n as f64 * unit).sum();
    let is_tabled = unit == 1.0 && counts.iter().sum::<u64>() < 1 << 20;
    let units_in_last_place = if is_tabled { 8.0 } else { 64.0 };
    let largest = (n + 2.0) * (n + 2.0).ln() + problem.log_posterior(&[]).abs();
    1e-12 + units_in_last_place * f64::EPSILON * largest
}

/// A random key for candidate `index`.
fn random_key(index: u64) -> u128 {
    let high = split_mix(2 * index + 1);
    let low = split_mix(high ^ (2 * index).rotate_left(32));
    u128::from(high) << 64 | u128::from(low)
}

/// The cost per unit of weight of each row's pattern.
fn row_costs(problem: &Problem, keys: &[u128], control: &Control) -> Result<Vec<f64>, Error> {
    let (pool, k) = (&problem.pool, problem.n_classes());
    let signatures = signatures(&pool.covers, &pool.rows, keys, control)?;
    let mut order = memory::collect(0..signatures.len() as u32)?;
    order.sort_unstable_by_key(|&row| signatures[row as usize]);
    control.check_unfinished()?;
    let (classes, positions) = (classes(&pool.rows)?, memory::collect(pool.rows.used_positions())?);
    let mut costs = memory::filled(0.0, signatures.len())?;
    let mut start = 0;
    while start < order.len() {
        let signature = signatures[order[start] as usize];
        let same = order[start..].iter().take_while(|&&row| signatures[row as usize] == signature).count();
        let pattern = &order[start..start + same];
        let mut counts = vec![0u64; k];
        for &row in pattern {
            counts[classes[row as usize] as usize] += pool.rows.weight(positions[row as usize]);
        }
        let cost = -max_log_likelihood(&counts) / counts.iter().sum::<u64>() as f64;
        pattern.iter().for_each(|&row| costs[row as usize] = cost * pool.rows.unit());
        start += same;
    }
    Ok(costs)
}

/// Rows with equal signatures are covered by the same candidates: two different sets of candidates have equal exclusive ors
/// of random 128-bit keys with probability 2^−128.
fn signatures(
    covers: &BitColumns,
    rows: &Rows,
    keys: &[u128],
    control: &Control,
) -> Result<Vec<u128>, Error> {
    let mut by_position = memory::filled(0u128, rows.n_words() * 64)?;
    for (candidate, &key) in keys.iter().enumerate() {
        control.check_unfinished()?;
        for (word, &bits) in covers.column(candidate).iter().enumerate() {
            set_bits(bits).for_each(|bit| by_position[word * 64 + bit] ^= key);
        }
    }
    memory::collect(rows.used_positions().map(|position| by_position[position as usize]))
}

/// The class of each row.
fn classes(rows: &Rows) -> Result<Vec<u32>, Error> {
    let class = |position: u32| rows.ends().iter().take_while(|&&end| end <= position as usize / 64).count();
    memory::collect(rows.used_positions().map(|position| class(position) as u32))
}

/// The level of each row's cost, and what each level costs: the least of its rows, so that sums are never too high.
fn quantised(costs: &[f64], n_classes: usize) -> Result<(Vec<u32>, Vec<f64>), Error> {
    let mut mixed = memory::collect(costs.iter().copied().filter(|&cost| cost > 0.0))?;
    mixed.sort_unstable_by(f64::total_cmp);
    let most = if n_classes > 4 { 2 } else { MAX_LEVELS };
    let n_levels = if mixed.is_empty() { 0 } else { (mixed.len() / ROWS_PER_LEVEL).clamp(1, most) };
    let mut starts: Vec<f64> = (0..n_levels).map(|level| mixed[level * mixed.len() / n_levels]).collect();
    starts.dedup();
    let level = |&cost: &f64| starts.partition_point(|&start| start <= cost) as u32;
    let levels = memory::collect(costs.iter().map(|cost| if *cost > 0.0 { level(cost) } else { 0 }))?;
    let costs = std::iter::once(0.0).chain(starts.iter().map(|cost| cost * (1.0 - 1e-12))).collect();
    Ok((levels, costs))
}

/// The group of each row.
fn row_groups(rows: &Rows, levels: &[u32], n_levels: usize) -> Result<Vec<u32>, Error> {
    let groups = classes(rows)?.into_iter().zip(levels).map(|(class, level)| class * n_levels as u32 + level);
    memory::collect(groups)
}

/// Columns of the rows `from` as columns of the same rows in the order of `to`.
fn moved(columns: &BitColumns, from: &Rows, to: &Rows, control: &Control) -> Result<BitColumns, Error> {
    let mut new_position = memory::filled(0u32, from.n_words() * 64)?;
    for (old, &new) in from.used_positions().zip(to.positions()) {
        new_position[old as usize] = new;
    }
    let mut moved = BitColumns::zeroed_unless_ended(columns.n_columns(), to.n_words(), control)?;
    for index in 0..columns.n_columns() {
        control.check_unfinished()?;
        let column = moved.column_mut(index);
        for (word, &bits) in columns.column(index).iter().enumerate() {
            for bit in set_bits(bits) {
                let position = new_position[word * 64 + bit] as usize;
                column[position / 64] |= 1 << (position % 64);
            }
        }
    }
    Ok(moved)
}
