//! Every bound and every search against plain enumeration of all ordered lists.

use super::best_first::BestFirst;
use super::blocks::Blocks;
use super::bounds::{separated, OneRule};
use super::driver::certify;
use super::limited::Limited;
use super::patterns::PatternSearch;
use super::prices::Prices;
use super::proof::{Budget, Ended, Limits, RESOLUTION};
use super::rates::Rates;
use super::residual::Residual;
use super::table::Table;
use super::work::Improve;
use crate::bitset::BitColumns;
use crate::control::Control;
use crate::data::Rows;
use crate::mine::Pool;
use crate::model::Antecedents;
use crate::posterior::Hyperparameters;
use crate::rng::ChainRng;
use crate::search::problem::row_sets::RowSets;
use crate::search::problem::Problem;
use crate::search::record::ScoredList;

const ENDLESS: Limits = Limits { n_nodes: u64::MAX, n_bytes: usize::MAX, threads: 1 };

fn pick(rng: &mut ChainRng, choices: &[f64]) -> f64 {
    choices[rng.below(choices.len())]
}

/// What a random problem is like.
#[derive(Debug, Clone, Copy)]
struct Kind {
    n_candidates: usize,
    n_rows: usize,
    max_length: usize,
}

/// A random problem: two or three classes; one or two lengths, one of which may have a single candidate; covers that may be
/// empty, equal or whole; weights in every third, fractions of them in every ninth.
fn random_problem(rng: &mut ChainRng, kind: Kind) -> Problem {
    let n_classes = 2 + rng.below(2);
    let n_rows = n_classes + rng.below(kind.n_rows);
    let n_patterns = 1 + rng.below(n_rows);
    let n_candidates = 1 + rng.below(kind.n_candidates);
    let cover: Vec<Vec<bool>> = (0..n_candidates)
        .map(|_| {
            let share = 1 + rng.below(6);
            (0..n_patterns).map(|_| rng.below(7) < share && share > 1).collect()
        })
        .collect();
    let pattern: Vec<usize> =
        (0..n_rows).map(|row| if row < n_patterns { row } else { rng.below(n_patterns) }).collect();
    let is_noisy = rng.below(2) == 0;
    let labels: Vec<u32> = (0..n_rows)
        .map(|row| match (row < n_classes, is_noisy) {
            (true, _) => row as u32,
            (_, true) => rng.below(n_classes) as u32,
            _ => (pattern[row] % n_classes) as u32,
        })
        .collect();
    let weights: Vec<f64> = match rng.below(9) {
        0 => (0..n_rows).map(|_| 0.25 + rng.uniform()).collect(),
        1 | 2 => (0..n_rows).map(|_| (1 + rng.below(5)) as f64).collect(),
        _ => vec![1.0; n_rows],
    };
    let rows = Rows::weighted(&labels, n_classes, &weights).unwrap();
    let mut covers = BitColumns::zeroed(n_candidates, rows.n_words()).unwrap();
    for (candidate, cover) in cover.iter().enumerate() {
        for row in (0..n_rows).filter(|&row| cover[pattern[row]]) {
            covers.set(candidate, rows.positions()[row] as usize);
        }
    }
    let n_short = if rng.below(2) == 0 { n_candidates } else { 1 + rng.below(n_candidates) };
    let mut antecedents = Antecedents::default();
    for candidate in 0..n_candidates as u32 {
        let length = if (candidate as usize) < n_short { 1 } else { 3 };
        antecedents.push(&(candidate..candidate + length).collect::<Vec<u32>>()).unwrap();
    }
    let hyperparameters = Hyperparameters {
        lambda: pick(rng, &[1e-3, 0.3, 1.0, 3.7, 10.0, 50.0]),
        eta: pick(rng, &[0.3, 1.0, 2.0, 6.0]),
        alpha: (0..n_classes).map(|_| pick(rng, &[0.1, 0.5, 1.0, 2.0, 7.3])).collect(),
    };
    let max_length = if rng.below(3) == 0 { usize::MAX } else { 1 + rng.below(kind.max_length) };
    let max_length = max_length.min(kind.max_length);
    Problem::prepare(Pool::of(rows, antecedents, covers), &hyperparameters, max_length, &Control::default())
        .unwrap()
}

/// All admissible lists with a prefix, scored from scratch.
fn lists_from(problem: &Problem, prefix: &[u32], visit: &mut impl FnMut(&[u32], f64)) {
    visit(prefix, problem.log_posterior(prefix));
    if !problem.objective.admits(prefix.len() + 1) {
        return;
    }
    for rule in (0..problem.pool.len() as u32).filter(|rule| !prefix.contains(rule)) {
        lists_from(problem, &[prefix, &[rule]].concat(), visit);
    }
}

/// The highest log posterior of lists of at most 0, 1, 2, … rules.
fn best_by_length(problem: &Problem) -> Vec<f64> {
    let n = problem.objective.max_length().min(problem.pool.len());
    let mut best = vec![f64::NEG_INFINITY; n + 1];
    lists_from(problem, &[], &mut |list, score| best[list.len()] = score.max(best[list.len()]));
    for length in 1..=n {
        best[length] = best[length].max(best[length - 1]);
    }
    best
}

fn prices_of(problem: &Problem) -> Prices {
    Prices::new(problem.objective.prior(), problem.objective.max_length())
}

fn empty(problem: &Problem) -> ScoredList {
    ScoredList::new(&[], problem.log_posterior(&[]))
}

/// Where best-first search starts: at the empty list, or at a list it cannot improve.
fn best_first_errs(
    problem: &Problem,
    table: &Table<'_>,
    truth: f64,
    tolerance: f64,
    block_values: usize,
) -> bool {
    let control = Control::default();
    let mut search = BestFirst::new(table, prices_of(problem), empty(problem), tolerance);
    if let Some(blocks) = Blocks::new(table, block_values, 1, &control).unwrap() {
        search.set_blocks(blocks);
    }
    let mut errs = search.upper_bound() < truth - 1e-9;
    for n_nodes in [1, 2, 5] {
        search.run(&Limits { n_nodes, ..ENDLESS }, &control).unwrap();
        errs |= search.upper_bound() < truth - 1e-9;
    }
    errs |= search.run(&ENDLESS, &control).unwrap() != Ended::Solved;
    let best = search.best();
    errs |= (problem.log_posterior(&best.rules) - best.log_posterior).abs() > 1e-9;
    errs | ((best.log_posterior - truth).abs() > 1e-6)
        | (search.upper_bound() > best.log_posterior + tolerance)
}

fn limited_errs(problem: &Problem, table: &Table<'_>, truth: &[f64], tolerance: f64) -> (usize, bool) {
    let (control, mut n, mut errs) = (Control::default(), 0, false);
    let root = Residual::whole(table, &control).unwrap();
    for (length, &truth) in truth.iter().enumerate().skip(1) {
        let prices = prices_of(problem).limited_to(length);
        if !prices.is_plain() {
            break;
        }
        let mut search = Limited::new(table, &root, prices, empty(problem), tolerance);
        errs |= search.run(&ENDLESS, &control).unwrap() != Ended::Solved;
        let best = search.best();
        errs |= best.rules.len() > length || (best.log_posterior - truth).abs() > 1e-6;
        errs |= (problem.log_posterior(&best.rules) - best.log_posterior).abs() > 1e-9;
        n += 1;
    }
    (n, errs)
}

fn patterns_err(problem: &Problem, table: &Table<'_>, truth: f64) -> Option<bool> {
    let RowSets::Patterns(patterns) = problem.row_sets() else { return None };
    let tolerances = [RESOLUTION, table.rounding()];
    let search = PatternSearch::new(problem, patterns, prices_of(problem), table.lengths.clone(), tolerances);
    let found = search.run(empty(problem), &ENDLESS, &Control::default()).unwrap();
    let score = problem.log_posterior(&found.best.rules);
    Some(
        (found.best.log_posterior - truth).abs() > 1e-6
            || found.upper_bound > truth + 1e-6
            || (score - found.best.log_posterior).abs() > 1e-9,
    )
}

const TINY: Kind = Kind { n_candidates: 5, n_rows: 60, max_length: 5 };
const WIDE: Kind = Kind { n_candidates: 11, n_rows: 150, max_length: 3 };

fn instances(kind: Kind, seeds: std::ops::Range<u64>) -> impl Iterator<Item = (u64, Problem)> {
    seeds.map(move |seed| (seed, random_problem(&mut ChainRng::new(seed, 77), kind)))
}

#[test]
fn every_search_finds_what_enumeration_finds() {
    let (mut n_limited, mut n_patterns, mut n_not_plain) = (0, 0, 0);
    for (seed, problem) in instances(TINY, 0..1800).chain(instances(WIDE, 5000..5300)) {
        let truth = best_by_length(&problem);
        let best = truth[truth.len() - 1];
        let table = Table::new(&problem, &Control::default()).unwrap();
        for block_values in [0, 40, 4000] {
            assert!(!best_first_errs(&problem, &table, best, RESOLUTION, block_values), "best first, {seed}");
        }
        let (n, errs) = limited_errs(&problem, &table, &truth, RESOLUTION);
        assert!(!errs, "limited, {seed}");
        n_limited += n;
        n_not_plain += usize::from(!prices_of(&problem).is_plain());
        if let Some(errs) = patterns_err(&problem, &table, best) {
            assert!(!errs, "patterns, {seed}");
            n_patterns += 1;
        }
    }
    assert!(
        n_limited > 1000 && n_patterns > 1000 && n_not_plain > 300,
        "{n_limited} {n_patterns} {n_not_plain}"
    );
}

#[test]
fn a_search_that_cuts_too_early_is_caught() {
    let mut caught = [0, 0];
    for (_, problem) in instances(TINY, 0..200).chain(instances(WIDE, 5000..5200)) {
        let truth = best_by_length(&problem);
        let table = Table::new(&problem, &Control::default()).unwrap();
        caught[0] += usize::from(best_first_errs(&problem, &table, truth[truth.len() - 1], 0.7, 0));
        caught[1] += usize::from(limited_errs(&problem, &table, &truth, 3.0).1);
    }
    assert!(caught.iter().all(|&n| n > 0), "{caught:?}");
}

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
        let leaves = further.map(|row| problem.objective.likelihood().log_marginal(row)).sum::<f64>();
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

fn bounds(problem: &Problem, table: &Table<'_>, prefix: &[u32]) -> Bounds {
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
            let cover = table.covers.column(rule as usize);
            rows.iter_mut().zip(cover).for_each(|(rows, cover)| *rows &= !cover);
        }
        rows
    };
    let rows = leave(prefix);
    let blocks = Blocks::new(table, 200, 1, &Control::default()).unwrap();
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
    let is_binary = table.n_classes() == 2 && table.rows.unit() == 1.0;
    let has_next = prefix.len() < prices.max_length();
    let one_rule = prefix.split_last().filter(|_| is_binary && has_next).map(|(&last, before)| {
        let mut counts = vec![0; table.lengths.len() * table.n_groups()];
        table.rows.count_each(&leave(before), table.covers.words(), &mut counts);
        let counts: Vec<[u64; 2]> = counts.chunks_exact(table.n_groups()).map(classes).collect();
        let rule =
            OneRule::new(prices.n_lengths(), table.lengths.iter().copied().zip(counts.iter().copied()));
        let counts = [classes(&table.rows.count(&rows)), counts[last as usize]];
        let log_length = |c: usize| prices.price(c, &used) + prior_of(problem).log_length(prefix.len() + 1);
        let prior: Vec<f64> = (0..prices.n_lengths()).map(log_length).collect();
        rule.bound(table.likelihood(), counts, &prior, f64::INFINITY)
    });
    let rates = prefix.split_last().filter(|_| table.n_classes() == 2 && prices.is_unexhausted());
    let rates =
        rates.and_then(|(&last, before)| rate_bound(table, &prices, [&leave(before), &rows], before, last));
    Bounds {
        extension: (0..=most).map(extension).collect(),
        separated: separated(table.likelihood(), &table.rows.count(&rows), table.costs()),
        blocks,
        // a rule that cannot follow has no bound to violate
        one_rule: one_rule.unwrap_or(0.0),
        rates: rates.unwrap_or(0.0),
    }
}

fn prior_of(problem: &Problem) -> &crate::posterior::Prior {
    problem.objective.prior()
}

/// B11 after a last rule, from the rows before it and after it.
fn rate_bound(
    table: &Table<'_>,
    prices: &Prices,
    rows: [&[u64]; 2],
    before: &[u32],
    last: u32,
) -> Option<f64> {
    let mut used = vec![0; prices.n_lengths()];
    before.iter().for_each(|&rule| used[table.lengths[rule as usize]] += 1);
    let most = prices.max_length() - before.len();
    let by_length: Vec<f64> = (0..prices.n_lengths()).map(|c| prices.most(c, &used, most)).collect();
    let mut groups = vec![0; table.lengths.len() * table.n_groups()];
    table.rows.count_each(rows[0], table.covers.words(), &mut groups);
    let pure = |groups: &[u64]| [groups[0], groups[table.costs().len()]];
    let counts: Vec<[u64; 2]> = groups.chunks_exact(table.n_groups()).map(pure).collect();
    let candidates = counts.iter().zip(&table.lengths).map(|(&counts, &length)| (counts, by_length[length]));
    let mut rates = Rates::default();
    let r = pure(&table.rows.count(rows[0]));
    let has_rates = rates.prepare(table.likelihood(), r, candidates, &by_length);
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
        let table = Table::new(&problem, &Control::default()).unwrap();
        for truth in prefixes(&problem) {
            let found = bounds(&problem, &table, &truth.prefix);
            let violated = violations(&found, &truth);
            assert_eq!(violated, [0; 5], "{seed} {:?}", truth.prefix);
            // bounds that look as good: half a nat for each leaf, costs of patterns a tenth higher, and so on
            let mixed = separated(table.likelihood(), &vec![0; table.n_groups()], table.costs());
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
        let table = Table::new(&problem, &Control::default()).unwrap();
        let all = separated(table.likelihood(), &table.rows.count(table.rows.all()), table.costs());
        for threshold in [truth[0], truth[truth.len() - 1] - 1.0] {
            let longest = prices_of(&problem).longest(all, threshold);
            lists_from(&problem, &[], &mut |list, score| {
                assert!(list.len() <= longest || score <= threshold + 1e-9, "{seed} {list:?}");
            });
        }
    }
}

/// The greedy extension, "take the dearest length at each step", is not a bound. Lengths of 3 and 4 candidates show it.
#[test]
fn the_best_rules_all_have_one_length_but_not_the_dearest_first() {
    let hyperparameters = Hyperparameters { lambda: 10.0, eta: 2.2, alpha: vec![1.0, 1.0] };
    let prior = crate::posterior::Prior::new(&hyperparameters, &[0, 40, 30]);
    let prices = Prices::new(&prior, 12);
    let (mut used, mut greedy) = (vec![0, 0], 0.0);
    for _ in 0..12 {
        let dearest = usize::from(prices.price(1, &used) > prices.price(0, &used));
        greedy += prices.price(dearest, &used);
        used[dearest] += 1;
    }
    let bound = prices.extension(&[0, 0], 0, 12, 12) - prices.log_length(12);
    assert!(bound >= greedy - 1e-12);
    for n_first in 0..=12u32 {
        let mixed = (0..n_first).map(|k| prices.price(0, &[k, 0])).sum::<f64>()
            + (0..12 - n_first).map(|k| prices.price(1, &[n_first, k])).sum::<f64>();
        assert!(mixed <= bound + 1e-9, "{n_first}");
    }
}

fn budget(max_nodes: u64, threads: usize) -> Budget {
    Budget { gap: 0.0, max_nodes, max_bytes: 1 << 30, threads }
}

#[test]
fn the_certificate_is_right_and_does_not_depend_on_threads() {
    let control = Control::default();
    let keep = |_: &Problem, rules: &[u32]| Ok(rules.to_vec());
    let keep = Improve { climb: &keep, search: &keep };
    for (seed, problem) in instances(Kind { n_rows: 400, ..WIDE }, 30_000..30_120) {
        let best = best_by_length(&problem);
        let truth = best[best.len() - 1];
        let of = |max_nodes: u64, threads: usize| {
            certify(&problem, &[], &budget(max_nodes, threads), &keep, &control).unwrap()
        };
        let proved = of(u64::MAX, 1);
        assert!((proved.best.log_posterior - truth).abs() < 1e-6, "{seed}");
        assert_eq!((proved.upper_bound, proved.ended), (proved.best.log_posterior, Ended::Solved), "{seed}");
        for proof in &proved.by_length {
            assert!(
                proof.is_proved
                    && (proof.log_posterior - best[proof.length.min(best.len() - 1)]).abs() < 1e-6
            );
        }
        for max_nodes in [1, 3, 40, u64::MAX] {
            let one = of(max_nodes, 1);
            assert!(one.upper_bound >= truth - 1e-6, "{seed}: {} nodes", max_nodes);
            for threads in [2, 7] {
                let other = of(max_nodes, threads);
                assert_eq!(one.best, other.best, "{seed}");
                assert_eq!((one.upper_bound, one.n_nodes), (other.upper_bound, other.n_nodes), "{seed}");
                assert_eq!((one.by_length.clone(), one.ended), (other.by_length, other.ended), "{seed}");
            }
        }
    }
}
