//! Everything that one more rule can do after a prefix: exact scores of the lists that end with it, bounds of those that go on.

use super::blocks::BlockTables;
use super::bounds::{separated, OneRule};
use super::prices::Prices;
use super::rates::{Rates, Uses};
use super::sweep::Sweep;
use super::table::ProofTable;
use crate::bitset::clear_covered;
use crate::error::Error;
use crate::leaf::TwoClasses;
use crate::memory;
use crate::rng::split_mix;

/// What bounds are made from.
#[derive(Debug, Clone, Copy)]
pub struct Expander<'a> {
    pub table: &'a ProofTable<'a>,
    pub prices: &'a Prices,
    pub blocks: Option<&'a BlockTables>,
    /// Lists that exceed the best one by at most this are not looked for.
    pub tolerance: f64,
    /// Whether B11 is used.
    pub use_rates: bool,
}

/// A prefix, and what is known before it is expanded.
#[derive(Debug, Clone, Copy)]
pub struct PrefixState<'a> {
    pub path: &'a [u32],
    /// Log marginals and prices of its rules.
    pub score: f64,
    /// No list that begins with it has a higher log posterior.
    pub bound: f64,
    /// The log posterior of the best list so far.
    pub best: f64,
}

/// What was found after one prefix.
#[derive(Debug)]
pub struct Expansion {
    /// A key of the rows left and the lengths used.
    pub rows_key: u128,
    /// The best list that ends with one more rule, if it is better than the best so far: log posterior and rule.
    pub best: Option<(f64, u32)>,
    /// The highest bound among the children that were cut.
    pub highest_cut: f64,
    /// Prefixes with one more rule that may lead to something better.
    pub children: Vec<Child>,
    pub uses_of_rates: Uses,
}

/// A prefix with one more rule.
#[derive(Debug)]
pub struct Child {
    pub rule: u32,
    pub score: f64,
    pub bound: f64,
}

/// Reused memory.
#[derive(Debug)]
pub struct Scratch {
    rows: Vec<u64>,
    used: Vec<u32>,
    sweep: Sweep,
    unused: Vec<u32>,
    rates: Rates,
}

impl Scratch {
    pub fn new(table: &ProofTable<'_>) -> Result<Self, Error> {
        Ok(Scratch {
            rows: memory::copied(table.rows.all())?,
            used: Vec::new(),
            sweep: Sweep::new(table)?,
            unused: Vec::new(),
            rates: Rates::default(),
        })
    }

    /// Find the rows that a prefix leaves; a key of them and of the lengths used.
    pub fn leave(&mut self, table: &ProofTable<'_>, path: &[u32], n_lengths: usize) -> u128 {
        self.rows.copy_from_slice(table.rows.all());
        self.used.clear();
        self.used.resize(n_lengths, 0);
        for &rule in path {
            clear_covered(&mut self.rows, table.covers.column(rule as usize));
            self.used[table.lengths[rule as usize]] += 1;
        }
        key(&self.rows, &self.used)
    }
}

/// A 128-bit hash: two independent lanes, each of which folds the full product of the state and the next word.
fn key(rows: &[u64], used: &[u32]) -> u128 {
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        product as u64 ^ (product >> 64) as u64
    };
    let mut lanes = [0x9E37_79B9_7F4A_7C15u64, 0xD1B5_4A32_D192_ED03];
    for word in rows.iter().copied().chain(used.iter().map(|&n| u64::from(n))) {
        lanes[0] = fold(lanes[0] ^ word, 0xA076_1D64_78BD_642F).wrapping_add(word);
        lanes[1] =
            fold(lanes[1].rotate_left(23) ^ word, 0xE703_7ED1_A0B4_28DB).wrapping_add(0x8EBC_6AF0_9C88_C6E3);
    }
    u128::from(split_mix(lanes[0])) << 64 | u128::from(split_mix(lanes[1]))
}

/// What the prior says about rules of one length.
struct LengthTerms {
    price: f64,
    /// The most that one, two or more, and any further rules add after it.
    one: f64,
    two: f64,
    any: f64,
    /// What exactly one further rule of each length adds after it.
    one_of: Vec<f64>,
}

/// A rule that may come next, while what follows it is bounded.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    index: usize,
    /// Log marginals and prices, this rule's included.
    score: f64,
    threshold: f64,
}

impl Expander<'_> {
    fn length_terms(&self, used: &[u32], m: usize) -> Vec<LengthTerms> {
        let mut used = used.to_vec();
        let t = self.prices.max_length() - m;
        let n_lengths = self.prices.n_lengths();
        let terms = |c: usize| {
            let price = self.prices.prior().log_price(c, &used);
            let none = f64::NEG_INFINITY;
            let mut terms =
                LengthTerms { price, one: none, two: none, any: none, one_of: vec![none; n_lengths] };
            if price > f64::NEG_INFINITY && t > 1 {
                used[c] += 1;
                let log_length = self.prices.prior().log_length(m + 2);
                for (d, one) in terms.one_of.iter_mut().enumerate() {
                    *one = self.prices.prior().log_price(d, &used) + log_length;
                }
                terms.one = terms.one_of.iter().copied().fold(none, f64::max);
                terms.two = self.prices.extension(&used, m + 1, 2, t - 1);
                terms.any = terms.one.max(terms.two);
                used[c] -= 1;
            }
            terms
        };
        (0..n_lengths).map(terms).collect()
    }

    /// Expand the prefix whose rows `scratch` has (see [`Scratch::leave`]).
    pub fn expand(&self, from: PrefixState<'_>, rows_key: u128, scratch: &mut Scratch) -> Expansion {
        let m = from.path.len();
        scratch.sweep.run(self.table, &scratch.rows);
        let terms = self.length_terms(&scratch.used, m);
        let mut found = Expansion {
            rows_key,
            best: None,
            highest_cut: f64::NEG_INFINITY,
            children: Vec::new(),
            uses_of_rates: Uses::default(),
        };
        let best = self.score_ends(&from, &terms, &scratch.sweep, &mut found);
        let mut further =
            Further { expander: self, from: &from, best, one_rule: None, rates: None, uses: Uses::default() };
        for index in 0..self.table.lengths.len() {
            let terms = &terms[self.table.lengths[index]];
            if terms.any == f64::NEG_INFINITY || self.can_be_left_out(index, from.path, &scratch.sweep) {
                continue;
            }
            let score = from.score + scratch.sweep.captured[index] + terms.price;
            let candidate = Candidate { index, score, threshold: best + self.tolerance };
            let mut bound = score + scratch.sweep.separated[index] + terms.any;
            if bound > candidate.threshold {
                bound = further.bound(&candidate, terms, scratch).min(from.bound);
            }
            if bound <= candidate.threshold {
                found.highest_cut = found.highest_cut.max(bound);
            } else {
                found.children.push(Child { rule: index as u32, score, bound });
            }
        }
        found.uses_of_rates = further.uses;
        found
    }

    /// Score all lists that end with one more rule (B2); the best log posterior known.
    fn score_ends(
        &self,
        from: &PrefixState<'_>,
        terms: &[LengthTerms],
        sweep: &Sweep,
        found: &mut Expansion,
    ) -> f64 {
        let log_length = self.prices.prior().log_length(from.path.len() + 1);
        let mut best = from.best;
        for (index, &length) in self.table.lengths.iter().enumerate() {
            let end =
                from.score + sweep.captured[index] + sweep.left[index] + terms[length].price + log_length;
            if end > best && !(sweep.is_empty(self.table, index) && from.path.contains(&(index as u32))) {
                best = end;
                found.best = Some((end, index as u32));
            }
        }
        best
    }

    /// Whether no list need be looked at that goes on with this rule.
    fn can_be_left_out(&self, index: usize, path: &[u32], sweep: &Sweep) -> bool {
        let is_plain = self.prices.is_plain();
        let is_empty = sweep.is_empty(self.table, index);
        (is_empty && (is_plain || path.contains(&(index as u32))))
            || (is_plain && sweep.is_whole(self.table, index))
    }
}

/// The dearer bounds, each made ready when it is first needed.
struct Further<'a, 'b> {
    expander: &'a Expander<'b>,
    from: &'a PrefixState<'a>,
    best: f64,
    one_rule: Option<OneRule<'b>>,
    rates: Option<Option<RateTerms>>,
    uses: Uses,
}

impl<'b> Further<'_, 'b> {
    /// The most that a list can reach that goes on after the candidate. Stops at the first bound that is low enough.
    fn bound(&mut self, candidate: &Candidate, terms: &LengthTerms, scratch: &mut Scratch) -> f64 {
        let &Candidate { index, score, threshold } = candidate;
        let is_new = self.rates.is_none() && self.one_rule.is_none();
        if let (Some(blocks), true) = (self.expander.blocks, is_new) {
            blocks.unused(self.from.path, &mut scratch.unused);
        }
        let rates = self.rate_bound(candidate, scratch);
        self.uses.asked += 1;
        if rates <= threshold {
            self.uses.enough += 1;
            return rates;
        }
        let mut leaves = scratch.sweep.separated[index];
        if let Some(blocks) = self.expander.blocks {
            leaves = leaves.min(blocks.bound_after(&scratch.unused, index as u32));
        }
        let two = (score + leaves + terms.two).min(rates);
        let one = (score + leaves + terms.one).min(rates);
        if one.max(two) <= threshold || two > threshold {
            return one.max(two);
        }
        let Some(leaf) = self.expander.table.two_classes_of_whole_counts() else { return one.max(two) };
        // only lists with exactly one more rule can win, if any
        two.max(one.min(score + self.one_rule_bound(leaf, candidate, terms, &scratch.sweep)))
    }

    /// B8.
    fn one_rule_bound(
        &mut self,
        leaf: TwoClasses<'b>,
        candidate: &Candidate,
        terms: &LengthTerms,
        sweep: &Sweep,
    ) -> f64 {
        let table = self.expander.table;
        let n_lengths = self.expander.prices.n_lengths();
        let one_rule = self.one_rule.get_or_insert_with(|| {
            let counts = sweep.classes.chunks_exact(2).map(|counts| [counts[0], counts[1]]);
            OneRule::new(leaf, n_lengths, table.lengths.iter().copied().zip(counts))
        });
        let u = [sweep.classes[2 * candidate.index], sweep.classes[2 * candidate.index + 1]];
        let r = [sweep.total_classes[0] - u[0], sweep.total_classes[1] - u[1]];
        one_rule.bound([r, u], &terms.one_of, candidate.threshold - candidate.score)
    }

    /// B11.
    fn rate_bound(&mut self, candidate: &Candidate, scratch: &mut Scratch) -> f64 {
        if self.rates.is_none() {
            self.rates = Some(self.prepare_rates(scratch));
        }
        let Some(Some(terms)) = &self.rates else { return f64::INFINITY };
        let (index, sweep) = (candidate.index, &scratch.sweep);
        // the rule's own mixed rows are part of its score
        let after = scratch.rates.after(sweep.pure(self.expander.table, index))
            - (sweep.total_cost - sweep.costs[index]);
        (candidate.score + after + terms.log_length).max(terms.beyond)
    }

    fn prepare_rates(&self, scratch: &mut Scratch) -> Option<RateTerms> {
        let Expander { table, prices, tolerance, .. } = *self.expander;
        let two = table.two_classes().filter(|_| self.expander.use_rates && prices.is_unexhausted())?;
        let m = self.from.path.len();
        let before = self.from.score + separated(table.leaf, &scratch.sweep.total, table.costs());
        // lists with more than `most` further rules do not win
        let threshold = self.best + tolerance;
        let (mut beyond, mut most) = (f64::NEG_INFINITY, prices.max_length() - m);
        while most > 1 {
            let bound = before + prices.extension(&scratch.used, m, most, most);
            if bound > threshold {
                break;
            }
            beyond = beyond.max(bound);
            most -= 1;
        }
        let log_lengths = (2..=most).map(|s| prices.prior().log_length(m + s));
        let log_length = log_lengths.fold(f64::NEG_INFINITY, f64::max);
        let by_length: Vec<f64> =
            (0..prices.n_lengths()).map(|c| prices.prior().highest_price(c, &scratch.used, most)).collect();
        let Scratch { sweep, rates, .. } = scratch;
        let offer = |index: usize| (sweep.pure(table, index), by_length[table.lengths[index]]);
        let r = [sweep.total[0], sweep.total[table.costs().len()]];
        let has_rates = rates.prepare(two, r, (0..table.lengths.len()).map(offer), &by_length);
        has_rates.then_some(RateTerms { beyond, log_length: log_length + RATE_SLACK })
    }
}

/// Sums of rates are off by less than this.
const RATE_SLACK: f64 = 1e-9;

/// What goes with the rates of a prefix.
struct RateTerms {
    /// No list with more further rules than the rates allow for is better than this.
    beyond: f64,
    /// What the length of the list adds at most.
    log_length: f64,
}
