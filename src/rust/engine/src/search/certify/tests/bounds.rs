//! No continuation of a prefix exceeds a bound, and wrong bounds are caught.

use super::super::blocks::BlockTables;
use super::super::bounds::{separated, OneRule};
use super::super::prices::Prices;
use super::super::rates::Rates;
use super::super::table::ProofTable;
use super::instances::{best_by_length, instances, lists_from, prices_of, Kind, TINY};
use crate::bitset::clear_covered;
use crate::control::Control;
use crate::hyperparameters::Hyperparameters;
use crate::search::problem::Problem;

/// A prefix and the truth about its continuations: the best sum of log marginals of further leaves, the same with the prices of
/// further rules and with all that the prior adds for exactly one of them, and the best of what prices and length add, by
/// the number of further rules.
struct Continuations {
    prefix: Vec<u32>,
    leaves: f64,
    priced: f64,
    one_rule: f64,
    prior: Vec<f64>,
}

fn continuations(problem: &Problem, prefix: &[u32]) -> Continuations {
    let lengths = |rules: &[u32]| rules.iter().map(|&rule| problem.length(rule)).collect::<Vec<usize>>();
    let prior = problem.objective.prior();
    let (used, k) = (prior.log_rules(lengths(prefix).into_iter()), problem.n_classes());
    let mut found = Continuations {
        prefix: prefix.to_vec(),
        leaves: f64::NEG_INFINITY,
        priced: f64::NEG_INFINITY,
        one_rule: f64::NEG_INFINITY,
        prior: vec![f64::NEG_INFINITY; problem.pool.len() + 1 - prefix.len()],
    };
    lists_from(problem, prefix, &mut |list, _| {
        let counts = problem.score(list).1;
        let further = counts[prefix.len() * k..].chunks_exact(k);
        let leaves = further.map(|row| problem.objective.leaf().log_marginal(row)).sum::<f64>();
        let n_more = list.len() - prefix.len();
        let more = prior.log_prior(lengths(list).into_iter()) - used;
        found.leaves = found.leaves.max(leaves);
        found.priced = found.priced.max(leaves + more - prior.log_length(list.len()));
        if n_more == 1 {
            found.one_rule = found.one_rule.max(leaves + more);
        }
        found.prior[n_more] = found.prior[n_more].max(more);
    });
    found
}

/// The bounds of a prefix: B3 for each range of further rules, B4, B7, B8, B11.
struct Bounds {
    extension: Vec<Vec<f64>>,
    separated: f64,
    blocks: f64,
    one_rule: f64,
    rates: f64,
}

fn bounds(problem: &Problem, table: &ProofTable<'_>, prefix: &[u32]) -> Bounds {
    let prices = prices_of(problem);
    let mut used = vec![0; prices.n_lengths()];
    prefix.iter().for_each(|&rule| used[table.lengths[rule as usize]] += 1);
    let most = prices.max_length() - prefix.len();
    let extension = |least: usize| {
        (least..=most).map(|most| prices.extension(&used, prefix.len(), least, most)).collect()
    };
    let leave = |rules: &[u32]| {
        let mut rows = table.rows.all().to_vec();
        for &rule in rules {
            clear_covered(&mut rows, table.covers.column(rule as usize));
        }
        rows
    };
    let rows = leave(prefix);
    let blocks = BlockTables::new(table, 200, 1, &Control::default()).unwrap();
    let blocks = blocks.map_or(0.0, |blocks| {
        let mut unused = Vec::new();
        blocks.unused(prefix, &mut unused);
        blocks.bound(&unused)
    });
    let classes = |groups: &[u64]| {
        let mut counts = [0; 2];
        table.by_class(groups, &mut counts);
        counts
    };
    let two = table.two_classes_of_whole_counts().filter(|_| prefix.len() < prices.max_length());
    let one_rule = prefix.split_last().zip(two).map(|((&last, before), two)| {
        let mut counts = vec![0; table.lengths.len() * table.n_groups()];
        table.rows.count_each(&leave(before), table.covers.words(), &mut counts);
        let counts: Vec<[u64; 2]> = counts.chunks_exact(table.n_groups()).map(classes).collect();
        let rule =
            OneRule::new(two, prices.n_lengths(), table.lengths.iter().copied().zip(counts.iter().copied()));
        let counts = [classes(&table.rows.count(&rows)), counts[last as usize]];
        let log_length =
            |c: usize| prices.prior().log_price(c, &used) + prior_of(problem).log_length(prefix.len() + 1);
        let prior: Vec<f64> = (0..prices.n_lengths()).map(log_length).collect();
        rule.bound(counts, &prior, f64::INFINITY)
    });
    let rates = prefix.split_last().filter(|_| prices.is_unexhausted());
    let rates =
        rates.and_then(|(&last, before)| rate_bound(table, &prices, [&leave(before), &rows], before, last));
    Bounds {
        extension: (0..=most).map(extension).collect(),
        separated: separated(table.leaf, &table.rows.count(&rows), table.costs()),
        blocks,
        // a rule that cannot follow has no bound to violate
        one_rule: one_rule.unwrap_or(0.0),
        rates: rates.unwrap_or(0.0),
    }
}

fn prior_of(problem: &Problem) -> &crate::prior::Prior {
    problem.objective.prior()
}

/// B11 after a last rule, from the rows before it and after it.
fn rate_bound(
    table: &ProofTable<'_>,
    prices: &Prices,
    rows: [&[u64]; 2],
    before: &[u32],
    last: u32,
) -> Option<f64> {
    let mut used = vec![0; prices.n_lengths()];
    before.iter().for_each(|&rule| used[table.lengths[rule as usize]] += 1);
    let most = prices.max_length() - before.len();
    let by_length: Vec<f64> =
        (0..prices.n_lengths()).map(|c| prices.prior().highest_price(c, &used, most)).collect();
    let mut groups = vec![0; table.lengths.len() * table.n_groups()];
    table.rows.count_each(rows[0], table.covers.words(), &mut groups);
    let pure = |groups: &[u64]| [groups[0], groups[table.costs().len()]];
    let counts: Vec<[u64; 2]> = groups.chunks_exact(table.n_groups()).map(pure).collect();
    let candidates = counts.iter().zip(&table.lengths).map(|(&counts, &length)| (counts, by_length[length]));
    let mut rates = Rates::default();
    let r = pure(&table.rows.count(rows[0]));
    let has_rates = rates.prepare(table.two_classes()?, r, candidates, &by_length);
    let left = table.mixed_cost(&table.rows.count(rows[1]));
    has_rates.then(|| rates.after(counts[last as usize]) - left)
}

/// How often each bound is below the truth.
fn violations(bounds: &Bounds, truth: &Continuations) -> [usize; 5] {
    let below = |bound: f64, truth: f64| usize::from(bound < truth - 1e-9);
    let mut prior = 0;
    for (least, row) in bounds.extension.iter().enumerate() {
        for (more, &bound) in row.iter().enumerate() {
            let truth = truth.prior[least..=least + more].iter().copied().fold(f64::NEG_INFINITY, f64::max);
            prior += below(bound, truth);
        }
    }
    [
        prior,
        below(bounds.separated, truth.leaves),
        below(bounds.blocks, truth.leaves),
        below(bounds.one_rule, truth.one_rule),
        below(bounds.rates, truth.priced),
    ]
}

/// All prefixes of up to two rules of an instance, with their truth.
fn prefixes(problem: &Problem) -> Vec<Continuations> {
    let n = problem.pool.len() as u32;
    let mut prefixes = vec![vec![]];
    for first in 0..n {
        prefixes.push(vec![first]);
        prefixes.extend((0..n).filter(|&second| second != first).map(|second| vec![first, second]));
    }
    let admitted = prefixes.iter().filter(|prefix| problem.objective.admits(prefix.len()));
    admitted.map(|prefix| continuations(problem, prefix)).collect()
}

#[test]
fn no_continuation_exceeds_a_bound_and_wrong_bounds_are_caught() {
    let kind = Kind { n_candidates: 4, ..TINY };
    let (mut total, mut wrong) = ([0; 5], [0; 5]);
    for (seed, problem) in instances(kind, 10_000..12_000) {
        let table = ProofTable::new(&problem, &Control::default()).unwrap();
        for truth in prefixes(&problem) {
            let found = bounds(&problem, &table, &truth.prefix);
            let violated = violations(&found, &truth);
            assert_eq!(violated, [0; 5], "{seed} {:?}", truth.prefix);
            // bounds that look as good: half a nat for each leaf, costs of patterns a tenth higher, and so on
            let mixed = separated(table.leaf, &vec![0; table.n_groups()], table.costs());
            let tampered = Bounds {
                extension: found.extension.iter().map(|row| row.iter().map(|x| 1.05 * x).collect()).collect(),
                separated: 1.1 * found.separated + mixed,
                blocks: found.blocks - 0.5,
                one_rule: found.one_rule - 0.05,
                rates: found.rates - 0.5,
            };
            violations(&tampered, &truth).iter().zip(&mut wrong).for_each(|(n, wrong)| *wrong += n);
            total.iter_mut().for_each(|n| *n += 1);
        }
    }
    assert!(total[0] > 5000 && wrong.iter().all(|&n| n > 10), "{total:?} {wrong:?}");
}

#[test]
fn no_list_longer_than_the_longest_wins() {
    for (seed, problem) in instances(TINY, 20_000..20_500) {
        let truth = best_by_length(&problem);
        let table = ProofTable::new(&problem, &Control::default()).unwrap();
        let all = separated(table.leaf, &table.rows.count(table.rows.all()), table.costs());
        for threshold in [truth[0], truth[truth.len() - 1] - 1.0] {
            let (longest, beyond) = prices_of(&problem).longest(all, threshold);
            assert!(beyond <= threshold);
            lists_from(&problem, &[], &mut |list, score| {
                assert!(list.len() <= longest || score <= beyond + 1e-9, "{seed} {list:?}");
            });
        }
    }
}

/// The greedy extension, "take the dearest length at each step", is not a bound. Lengths with 40 and 30 candidates show it.
#[test]
fn the_best_rules_all_have_one_length_but_not_the_dearest_first() {
    let hyperparameters = Hyperparameters { lambda: 10.0, eta: 2.2, alpha: vec![1.0, 1.0] };
    let prior = crate::prior::Prior::new(&hyperparameters, &[0, 40, 30]);
    let prices = Prices::new(&prior, 12);
    let (mut used, mut greedy) = (vec![0, 0], 0.0);
    for _ in 0..12 {
        let dearest = usize::from(prices.prior().log_price(1, &used) > prices.prior().log_price(0, &used));
        greedy += prices.prior().log_price(dearest, &used);
        used[dearest] += 1;
    }
    let bound = prices.extension(&[0, 0], 0, 12, 12) - prices.prior().log_length(12);
    assert!(bound >= greedy - 1e-12);
    for n_first in 0..=12u32 {
        let mixed = (0..n_first).map(|k| prices.prior().log_price(0, &[k, 0])).sum::<f64>()
            + (0..12 - n_first).map(|k| prices.prior().log_price(1, &[n_first, k])).sum::<f64>();
        assert!(mixed <= bound + 1e-9, "{n_first}");
    }
}
