//! Everything that one more rule can do after a prefix: exact scores of the lists that end with it, bounds of those that go on.

use super::blocks::Blocks;
use super::bounds::{separated, OneRule};
use super::prices::Prices;
use super::table::Table;
use crate::error::Error;
use crate::memory;
use crate::rng::split_mix;

/// What bounds are made from.
#[derive(Debug, Clone, Copy)]
pub struct Expander<'a> {
    pub table: &'a Table<'a>,
    pub prices: &'a Prices,
    pub blocks: Option<&'a Blocks>,
    /// Lists that exceed the best one by at most this are not looked for.
    pub tolerance: f64,
}

/// A prefix, and what is known before it is expanded.
#[derive(Debug, Clone, Copy)]
pub struct From<'a> {
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
    total: Vec<u64>,
    counts: Vec<u64>,
    unused: Vec<u32>,
    rest: Vec<u64>,
}

impl Scratch {
    pub fn new(table: &Table<'_>) -> Result<Self, Error> {
        Ok(Scratch {
            rows: memory::copied(table.rows.all())?,
            used: Vec::new(),
            total: vec![0; table.n_groups()],
            counts: memory::filled(0, table.lengths.len() * table.n_groups())?,
            unused: Vec::new(),
            rest: vec![0; table.n_groups()],
        })
    }

    /// Find the rows that a prefix leaves; a key of them and of the lengths used.
    pub fn leave(&mut self, table: &Table<'_>, path: &[u32], n_lengths: usize) -> u128 {
        self.rows.copy_from_slice(table.rows.all());
        self.used.clear();
        self.used.resize(n_lengths, 0);
        for &rule in path {
            let cover = table.covers.column(rule as usize);
            self.rows.iter_mut().zip(cover).for_each(|(rows, cover)| *rows &= !cover);
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
}

impl Expander<'_> {
    fn length_terms(&self, used: &[u32], m: usize) -> Vec<LengthTerms> {
        let mut used = used.to_vec();
        let terms = |c: usize| {
            let price = self.prices.price(c, &used);
            let mut terms =
                LengthTerms { price, one: f64::NEG_INFINITY, two: f64::NEG_INFINITY, any: f64::NEG_INFINITY };
            let t = self.prices.max_length() - m;
            if price > f64::NEG_INFINITY && t > 1 {
                used[c] += 1;
                terms.one = self.prices.extension(&used, m + 1, 1, 1);
                terms.two = self.prices.extension(&used, m + 1, 2, t - 1);
                terms.any = terms.one.max(terms.two);
                used[c] -= 1;
            }
            terms
        };
        (0..self.prices.n_lengths()).map(terms).collect()
    }

    /// Expand the prefix whose rows `scratch` has (see [`Scratch::leave`]).
    pub fn expand(&self, from: From<'_>, rows_key: u128, scratch: &mut Scratch) -> Expansion {
        let (table, m) = (self.table, from.path.len());
        table.rows.count_and(&scratch.rows, &scratch.rows, &mut scratch.total);
        table.rows.count_each(&scratch.rows, table.covers.words(), &mut scratch.counts);
        let terms = self.length_terms(&scratch.used, m);
        let one_rule = (table.n_classes() == 2 && table.rows.unit() == 1.0).then(|| self.one_rule(scratch));
        if let Some(blocks) = self.blocks {
            blocks.unused(from.path, &mut scratch.unused);
        }
        let mut found =
            Expansion { rows_key, best: None, highest_cut: f64::NEG_INFINITY, children: Vec::new() };
        let mut best = from.best;
        let [mut captured, mut left] = [vec![0; table.n_classes()], vec![0; table.n_classes()]];
        for (rule, groups) in scratch.counts.chunks_exact(table.n_groups()).enumerate() {
            let rule = rule as u32;
            if self.can_be_left_out(rule, groups, from.path, &scratch.total) {
                continue;
            }
            for ((rest, total), group) in scratch.rest.iter_mut().zip(&scratch.total).zip(groups) {
                *rest = total - group;
            }
            table.by_class(groups, &mut captured);
            table.by_class(&scratch.rest, &mut left);
            let terms = &terms[table.lengths[rule as usize]];
            if terms.price == f64::NEG_INFINITY {
                continue;
            }
            let score = from.score + table.likelihood().log_marginal(&captured) + terms.price;
            let end = score + table.likelihood().log_marginal(&left) + self.prices.log_length(m + 1);
            if end > best {
                best = end;
                found.best = Some((end, rule));
            }
            if terms.any == f64::NEG_INFINITY {
                continue;
            }
            let child = ChildTerms {
                rule,
                score,
                captured: &captured,
                left: &left,
                threshold: best + self.tolerance,
            };
            let bound =
                self.bound(&child, terms, one_rule.as_ref(), &scratch.rest, &scratch.unused).min(from.bound);
            if bound <= child.threshold {
                found.highest_cut = found.highest_cut.max(bound);
            } else {
                found.children.push(Child { rule, score, bound });
            }
        }
        found
    }

    /// Whether no list need be looked at that goes on with this rule.
    fn can_be_left_out(&self, rule: u32, groups: &[u64], path: &[u32], total: &[u64]) -> bool {
        let is_plain = self.prices.is_plain();
        let is_empty = groups.iter().all(|&n| n == 0);
        (is_empty && (is_plain || path.contains(&rule))) || (is_plain && groups == total)
    }

    fn one_rule(&self, scratch: &Scratch) -> OneRule {
        let classes = |groups: &[u64]| {
            let mut counts = [0; 2];
            self.table.by_class(groups, &mut counts);
            counts
        };
        OneRule::new(scratch.counts.chunks_exact(scratch.total.len()).map(classes))
    }

    /// The most that a list can reach that goes on after the child. Stops at the first bound that is low enough.
    fn bound(
        &self,
        child: &ChildTerms<'_>,
        terms: &LengthTerms,
        one_rule: Option<&OneRule>,
        rest: &[u64],
        unused: &[u32],
    ) -> f64 {
        let likelihood = self.table.likelihood();
        let mut leaves = separated(likelihood, rest, self.table.costs());
        if child.score + leaves + terms.any <= child.threshold {
            return child.score + leaves + terms.any;
        }
        if let Some(blocks) = self.blocks {
            leaves = leaves.min(blocks.bound_after(unused, child.rule));
        }
        let two = child.score + leaves + terms.two;
        let one = child.score + leaves + terms.one;
        if one.max(two) <= child.threshold || two > child.threshold {
            return one.max(two);
        }
        // only lists with exactly one more rule can win, if any
        match (one_rule, child.captured, child.left) {
            (Some(one_rule), &[u0, u1], &[r0, r1]) => {
                let enough = child.threshold - child.score - terms.one;
                let exact = one_rule.bound(likelihood, [r0, r1], [u0, u1], enough);
                two.max(child.score + terms.one + exact.min(leaves))
            }
            _ => one,
        }
    }
}

/// A child while it is bounded.
struct ChildTerms<'s> {
    rule: u32,
    score: f64,
    captured: &'s [u64],
    left: &'s [u64],
    threshold: f64,
}
