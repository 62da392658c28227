//! **B7 (additive block tables).** The bound that works on noisy data: the best list on each of many small blocks of rows.
//!
//! Divide the rows into blocks. Then no list has a log likelihood on the rows R above Σ_g V_g(R ∩ block g), where V_g is the
//! best maximum log likelihood ℓ* of any list on the block alone, its default leaf included, without prices. Proof: log f ≤ ℓ*
//! for a leaf, ℓ* is subadditive over the blocks (F1 in `bounds.rs`), and then each block may choose a list of its own.
//!
//! Inside a small block most candidates are empty, cover it whole or equal another one. With q distinct candidates left, what
//! a prefix leaves of the block depends on which of the q it has used, so V is a table over the 2^q sets s of unused ones:
//!
//! V(s) = max( ℓ*(T(s)), max over u in s of ℓ*(T(s) − T(s∖u)) + V(s∖u) ),
//!
//! where T(s) counts the rows that only candidates in s cover, a sum over subsets. Blocks are made by splitting the rows on the
//! candidate that is most informative about the class until few distinct candidates are left. Entries are rounded up.

use super::table::ProofTable;
use crate::bitset::{set_bits, without};
use crate::control::Control;
use crate::error::Error;
use crate::leaf::max_log_likelihood;
use crate::memory;
use crate::parallel;
use std::collections::HashMap;

/// Most distinct candidates of a block.
const MAX_ACTIVE: usize = 20;
/// The block is not covered whole by a used rule.
const PRESENT: u32 = 1 << 31;
/// Words read to find blocks, at most.
const MAX_WORDS: usize = 1 << 29;
/// Sums of x log x are off by less than this share of themselves.
const RELATIVE_ERROR: f64 = 1e-14;

/// The tables of all blocks.
#[derive(Debug)]
pub struct BlockTables {
    /// Where each block's table begins.
    offsets: Vec<u32>,
    values: Vec<f32>,
    /// By candidate, what each block keeps of its unused set once the candidate is used.
    keeps: Vec<u32>,
    /// All candidates of each block.
    all: Vec<u32>,
}

impl BlockTables {
    /// Tables of at most `max_values` entries; `None` if none of that size exist.
    pub fn new(
        table: &ProofTable<'_>,
        max_values: usize,
        threads: usize,
        control: &Control,
    ) -> Result<Option<Self>, Error> {
        let mut best = None;
        for n_active in (4..=MAX_ACTIVE).step_by(2) {
            match find_blocks(table, n_active, max_values, control)? {
                Some(blocks) => best = Some(blocks),
                None => break,
            }
        }
        best.map(|blocks| BlockTables::fill(table, blocks, threads, control)).transpose()
    }

    fn fill(
        table: &ProofTable<'_>,
        blocks: Vec<Block>,
        threads: usize,
        control: &Control,
    ) -> Result<Self, Error> {
        let tables = parallel::try_map(threads, (0..blocks.len()).collect(), |index: usize| {
            blocks[index].values(table, control)
        })?;
        // a block that costs nothing does not matter
        let costly: Vec<usize> =
            (0..blocks.len()).filter(|&index| tables[index].last() < Some(&0.0)).collect();
        let mut filled =
            BlockTables { offsets: Vec::new(), values: Vec::new(), keeps: Vec::new(), all: Vec::new() };
        for &index in &costly {
            filled.offsets.push(filled.values.len() as u32);
            memory::extend_from_slice(&mut filled.values, &tables[index])?;
            filled.all.push(PRESENT | ((1 << blocks[index].n_active()) - 1));
        }
        let keep = |candidate: usize| costly.iter().map(move |&index| (candidate, index));
        let keeps = (0..table.lengths.len()).flat_map(keep);
        filled.keeps = memory::collect(keeps.map(|(candidate, index)| blocks[index].keep[candidate]))?;
        Ok(filled)
    }

    /// Number of blocks.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Bytes that it takes.
    pub fn n_bytes(&self) -> usize {
        4 * (self.values.len() + self.keeps.len() + 2 * self.all.len())
    }

    /// What is unused in each block after the rules `used`.
    pub fn unused(&self, used: &[u32], out: &mut Vec<u32>) {
        out.clear();
        out.extend_from_slice(&self.all);
        for &rule in used {
            out.iter_mut().zip(self.keep(rule)).for_each(|(out, keep)| *out &= keep);
        }
    }

    fn keep(&self, candidate: u32) -> &[u32] {
        &self.keeps[candidate as usize * self.len()..][..self.len()]
    }

    /// The most that the log likelihood of all leaves can be where `unused` is left.
    pub fn bound(&self, unused: &[u32]) -> f64 {
        self.sum(unused.iter().copied())
    }

    /// The same after one rule more.
    #[inline]
    pub fn bound_after(&self, unused: &[u32], rule: u32) -> f64 {
        self.sum(unused.iter().zip(self.keep(rule)).map(|(unused, keep)| unused & keep))
    }

    #[inline(always)]
    fn sum(&self, unused: impl Iterator<Item = u32>) -> f64 {
        let present = unused.zip(&self.offsets).filter(|(unused, _)| unused & PRESENT != 0);
        present.map(|(unused, &offset)| f64::from(self.values[(offset + (unused & !PRESENT)) as usize])).sum()
    }
}

/// A block of rows and the candidates that divide it.
#[derive(Debug)]
struct Block {
    /// The rows of each pattern of distinct candidates, by class.
    patterns: Vec<(u32, Vec<u64>)>,
    /// By candidate: all bits but its own; nothing for one that covers the block.
    keep: Vec<u32>,
    n_active: u32,
}

impl Block {
    fn n_active(&self) -> u32 {
        self.n_active
    }

    /// The table, by the set of unused candidates.
    fn values(&self, table: &ProofTable<'_>, control: &Control) -> Result<Vec<f32>, Error> {
        let (n, k) = (1usize << self.n_active, table.n_classes());
        let mut left = memory::filled(0u64, n * k)?;
        for (pattern, counts) in &self.patterns {
            left[*pattern as usize * k..][..k].copy_from_slice(counts);
        }
        sum_over_subsets(&mut left, k, n);
        control.check_unfinished()?;
        let logs = XLogX::new(&left[(n - 1) * k..], table.problem.pool.rows.unit())?;
        let mut values = memory::filled(0f64, n)?;
        let mut difference = vec![0; k];
        for set in 0..n {
            if set % 4096 == 0 {
                control.check_unfinished()?;
            }
            let rows = &left[set * k..(set + 1) * k];
            let mut best = logs.max_log_likelihood(rows);
            if best < 0.0 {
                for rule in set_bits(set as u64) {
                    let without = set & !(1 << rule);
                    let fewer = &left[without * k..(without + 1) * k];
                    for ((difference, rows), fewer) in difference.iter_mut().zip(rows).zip(fewer) {
                        *difference = rows - fewer;
                    }
                    best = best.max(logs.max_log_likelihood(&difference) + values[without]);
                }
            }
            values[set] = best;
        }
        memory::collect(values.into_iter().map(rounded_up))
    }
}

/// `counts[s]` becomes the sum over all subsets of s.
fn sum_over_subsets(counts: &mut [u64], k: usize, n: usize) {
    let mut bit = 1;
    while bit < n {
        for pair in counts.chunks_exact_mut(2 * bit * k) {
            let (without, with) = pair.split_at_mut(bit * k);
            with.iter_mut().zip(without).for_each(|(with, without)| *with += *without);
        }
        bit *= 2;
    }
}

/// The least float that is not below `x`.
fn rounded_up(x: f64) -> f32 {
    let near = x as f32;
    if f64::from(near) >= x {
        return near.min(0.0);
    }
    // x and so its neighbour are below 0: towards 0 is up
    f32::from_bits(near.to_bits() - 1)
}

/// x log x of whole numbers, tabled up to the largest count of a block.
struct XLogX {
    tabled: Vec<f64>,
    unit: f64,
    slack: f64,
}

impl XLogX {
    fn new(counts: &[u64], unit: f64) -> Result<Self, Error> {
        let n: u64 = counts.iter().sum();
        let n_tabled = if n < 1 << 20 { n + 1 } else { 0 };
        let tabled =
            memory::collect((0..n_tabled).map(|x| if x == 0 { 0.0 } else { x as f64 * (x as f64).ln() }))?;
        let slack = 1e-12 + RELATIVE_ERROR * (n as f64 + 1.0) * (n as f64 + 1.0).ln();
        Ok(XLogX { tabled, unit, slack })
    }

    /// ℓ*, rounded up.
    #[inline(always)]
    fn max_log_likelihood(&self, counts: &[u64]) -> f64 {
        let log_likelihood = match (counts, self.tabled.is_empty()) {
            ([0, _] | [_, 0], _) => return 0.0,
            (&[a, b], false) => {
                self.tabled[a as usize] + self.tabled[b as usize] - self.tabled[(a + b) as usize]
            }
            _ if counts.iter().filter(|&&n| n > 0).count() <= 1 => return 0.0,
            _ => max_log_likelihood(counts),
        };
        (self.unit * (log_likelihood + self.slack)).min(0.0)
    }
}

/// A set of rows on its way to become a block.
struct Part {
    rows: Vec<u64>,
    /// Class counts of the candidates on these rows, by candidate.
    counts: Vec<u64>,
}

/// Split the rows until no block has more than `n_active` distinct candidates; `None` if that takes too many blocks.
fn find_blocks(
    table: &ProofTable<'_>,
    n_active: usize,
    max_values: usize,
    control: &Control,
) -> Result<Option<Vec<Block>>, Error> {
    let words = table.covers.words().len().max(1);
    let (mut n_read, mut n_values) = (0usize, 0usize);
    let mut open = vec![table.rows.all().to_vec()];
    let mut blocks = Vec::new();
    while let Some(rows) = open.pop() {
        control.check_unfinished()?;
        n_read = n_read.saturating_add(2 * words);
        let part = Part::new(table, rows);
        let total = part.total(table);
        if total.iter().filter(|&&n| n > 0).count() <= 1 {
            continue;
        }
        let (keep, columns) = part.distinct(table, &total);
        if columns.len() > n_active {
            let [inside, outside] = part.split(table, &columns, &total);
            open.extend([outside, inside]);
        } else {
            n_values += 1 << columns.len();
            blocks.push(part.block(table, keep, &columns));
        }
        // the candidates' words per block are part of the tables, too
        if n_read > MAX_WORDS || n_values + blocks.len() * table.lengths.len() > max_values {
            return Ok(None);
        }
    }
    Ok(Some(blocks))
}

impl Part {
    fn new(table: &ProofTable<'_>, rows: Vec<u64>) -> Self {
        let mut groups = vec![0; table.lengths.len() * table.n_groups()];
        table.rows.count_each(&rows, table.covers.words(), &mut groups);
        let mut counts = vec![0; table.lengths.len() * table.n_classes()];
        for (groups, counts) in
            groups.chunks_exact(table.n_groups()).zip(counts.chunks_exact_mut(table.n_classes()))
        {
            table.by_class(groups, counts);
        }
        Part { rows, counts }
    }

    fn total(&self, table: &ProofTable<'_>) -> Vec<u64> {
        let mut total = vec![0; table.n_classes()];
        table.by_class(&table.rows.count(&self.rows), &mut total);
        total
    }

    /// What each candidate keeps of the unused set (see [`Block`]), and one candidate for each distinct column.
    fn distinct(&self, table: &ProofTable<'_>, total: &[u64]) -> (Vec<u32>, Vec<usize>) {
        let mut by_column: HashMap<Vec<u64>, usize> = HashMap::new();
        let mut columns = Vec::new();
        let keep = |(candidate, counts): (usize, &[u64])| {
            if counts.iter().all(|&n| n == 0) {
                return u32::MAX;
            }
            if counts == total {
                return 0;
            }
            let column = table.covers.column(candidate).iter().zip(&self.rows).map(|(a, b)| a & b).collect();
            let index = *by_column.entry(column).or_insert_with(|| {
                columns.push(candidate);
                columns.len() - 1
            });
            // if there are more, the rows are split
            !(1u32.checked_shl(index as u32).unwrap_or(0))
        };
        let keep = self.counts.chunks_exact(total.len()).enumerate().map(keep).collect();
        (keep, columns)
    }

    /// Split on the candidate that is most informative about the class.
    fn split(&self, table: &ProofTable<'_>, columns: &[usize], total: &[u64]) -> [Vec<u64>; 2] {
        let k = total.len();
        let gain = |candidate: usize| {
            let inside = &self.counts[candidate * k..(candidate + 1) * k];
            let outside: Vec<u64> = total.iter().zip(inside).map(|(all, inside)| all - inside).collect();
            max_log_likelihood(inside) + max_log_likelihood(&outside)
        };
        let best = columns.iter().copied().max_by(|&a, &b| gain(a).total_cmp(&gain(b))).unwrap_or(0);
        let cover = table.covers.column(best);
        let inside = self.rows.iter().zip(cover).map(|(rows, cover)| rows & cover).collect();
        let outside = without(&self.rows, cover).collect();
        [inside, outside]
    }

    fn block(self, table: &ProofTable<'_>, keep: Vec<u32>, columns: &[usize]) -> Block {
        let mut patterns: HashMap<u32, Vec<u64>> = HashMap::new();
        let n_levels = table.costs().len();
        let (mut group, ends) = (0, table.rows.ends());
        for (word, &bits) in self.rows.iter().enumerate() {
            group += ends[group..].iter().take_while(|&&end| end <= word).count();
            for bit in set_bits(bits) {
                let is_covered =
                    |&candidate: &usize| (table.covers.column(candidate)[word] >> bit & 1) as u32;
                let pattern =
                    columns.iter().map(is_covered).zip(0..).fold(0, |all, (one, at)| all | one << at);
                let counts = patterns.entry(pattern).or_insert_with(|| vec![0; table.n_classes()]);
                counts[group / n_levels] += table.rows.weight((word * 64 + bit) as u32);
            }
        }
        Block { patterns: patterns.into_iter().collect(), keep, n_active: columns.len() as u32 }
    }
}
