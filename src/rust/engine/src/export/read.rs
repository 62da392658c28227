//! Reads a model from JSON. Everything is checked; errors name the place in the file.

use super::parse::{n_values, parse, Candidates, Parts};
use super::place::{is_r_text, At, Read};
use super::portable::{Feature, Found, Portable, ReportTable, FORMAT, FORMAT_WITH_SETS, NEWEST_FORMAT};
use crate::error::Error;
use crate::hyperparameters::Hyperparameters;
use crate::memory;
use crate::model::{Antecedents, Item};
use serde_json::Value;
use std::collections::HashSet;

/// Upper bound of the bytes needed to read `text`, without its candidates. They are requested beforehand, because serde_json
/// cannot report that memory was refused.
///
/// A value takes 32 bytes. Arrays have up to twice the capacity they need, and three times while they grow; the values of
/// an object take as much again for keys and nodes. The model made from the values is smaller than they are.
fn room_needed(text: &str) -> usize {
    n_values(text).saturating_mul(BYTES_PER_VALUE).saturating_add(text.len()).saturating_add(1 << 16)
}

const BYTES_PER_VALUE: usize = 128;

/// The model in `text`, checked.
pub fn from_json(text: &str) -> Result<Portable, Error> {
    memory::check_room(room_needed(text))?;
    read(text).map_err(Error::File)
}

fn read(text: &str) -> Read<Portable> {
    let Parts { values, candidates: listed } =
        parse(text).map_err(|error| format!("This is not JSON as sbrl writes it: {error}."))?;
    let value = Value::Object(values);
    let top = |name: &'static str| match value.get(name) {
        Some(value) => Ok(At::new(value, name)),
        None => Err(format!("`{name}` is missing.")),
    };
    let format = format_number(&value)?;
    let classes = distinct(top("classes")?)?;
    let features: Vec<Feature> = top("features")?.elements()?.map(feature).collect::<Read<_>>()?;
    let (items, item_names): (Vec<Item>, Vec<String>) = top("items")?
        .elements()?
        .map(|value| item(value, &features, format))
        .collect::<Read<Vec<_>>>()?
        .into_iter()
        .unzip();
    let listed = listed.ok_or("`candidates` is missing.")?;
    let pool = candidates(&listed, items.len())?;
    let hyperparameters = hyperparameters(top("prior")?, classes.len())?;
    let class_counts = top("class_counts")?.numbers()?;
    let shrinkage = if value.get("shrinkage").is_some() { top("shrinkage")?.number()? } else { 0.0 };
    let pseudo_counts = pseudo_counts(&hyperparameters.alpha, shrinkage, &class_counts)?;
    let (rules, counts, probs) = rules(
        top("rules")?,
        pool.len(),
        &pseudo_counts,
        &base_counts(&class_counts, &hyperparameters.alpha),
    )?;
    check_totals(&class_counts, &counts)?;
    let score = score(top("score")?)?;
    let is_first_format = format == 1;
    let (found, labels, missing) = if is_first_format {
        (Found { rules: rules.clone(), score }, Vec::new(), FALLTHROUGH.to_string())
    } else {
        (found(top("found")?, pool.len())?, labels(top("labels")?)?, top("missing")?.text()?)
    };
    let report = top("report")?.object()?.iter();
    Ok(Portable {
        format,
        package_version: top("package_version")?.text()?,
        label: top("label")?.text()?,
        formula: top("formula")?.text()?,
        dropped: top("dropped")?.texts()?,
        report: report.map(|(name, value)| Ok((key(name)?, table(value)?))).collect::<Read<_>>()?,
        classes,
        features,
        items,
        item_names,
        pool,
        rules,
        counts,
        probs,
        hyperparameters,
        shrinkage,
        score,
        found,
        labels,
        missing,
        class_counts,
    })
}

fn format_number(value: &Value) -> Read<u64> {
    if value.get("format").and_then(Value::as_str) != Some(FORMAT) {
        return Err(format!("`format` is not \"{FORMAT}\": this is not a model written by sbrl."));
    }
    match value.get("format_version").and_then(Value::as_u64) {
        Some(number @ 1..=NEWEST_FORMAT) => Ok(number),
        Some(number) if number > NEWEST_FORMAT => Err(format!(
            "it was written by a newer sbrl (format {number}); this version reads formats up to {NEWEST_FORMAT}. Update \
             sbrl to use it."
        )),
        _ => Err("`format_version` must be a whole number from 1 on.".into()),
    }
}

/// Two or more different names.
fn distinct(value: At<'_>) -> Read<Vec<String>> {
    let names = value.texts()?;
    let n = names.iter().collect::<HashSet<_>>().len();
    if n != names.len() || n < 2 {
        return value.wrong("two or more different names");
    }
    Ok(names)
}

fn feature(value: At<'_>) -> Read<Feature> {
    let cuts = value.field("cuts")?;
    let feature = Feature {
        name: value.field("name")?.text()?,
        kind: value.field("type")?.text()?,
        unit: value.field("unit")?.text()?,
        levels: value.field("levels")?.texts()?,
        cuts: cuts.cuts()?,
    };
    if feature.cuts.windows(2).any(|pair| pair[0] >= pair[1]) {
        return cuts.wrong("rising numbers");
    }
    Ok(feature)
}

fn item(value: At<'_>, features: &[Feature], format: u64) -> Read<(Item, String)> {
    let feature = value.field("feature")?.whole(1..=features.len() as u64)? - 1;
    let n_codes = features[feature as usize].n_codes() as u64;
    let code = |value: At<'_>, from: u64| Ok(value.whole(from..=n_codes)? as i32);
    let feature = feature as u32;
    let item = if format >= FORMAT_WITH_SETS && value.has("codes")? {
        let codes =
            value.field("codes")?.elements()?.map(|value| code(value, 0)).collect::<Read<Vec<_>>>()?;
        Item::set(feature, &codes)
    } else {
        let lo = code(value.field("lo")?, 0)?;
        Item::range(feature, lo, code(value.field("hi")?, lo as u64)?)
    };
    Ok((item.map_err(|error| format!("`{}`: {error}", value.place()))?, value.field("name")?.text()?))
}

fn candidates(listed: &Candidates, n_items: usize) -> Read<Antecedents> {
    let mut pool = Antecedents::default();
    let (mut start, mut candidate) = (0, Vec::new());
    for (index, &end) in listed.ends.iter().enumerate() {
        let items = &listed.items[start..end];
        let is_item = |&item: &u32| item >= 1 && item as usize <= n_items;
        if items.is_empty() || !items.iter().all(is_item) || items.windows(2).any(|pair| pair[0] >= pair[1]) {
            let expected = format!("a rising sequence of items from 1 to {n_items}");
            return Err(format!("`candidates[{}]` must be {expected}.", index + 1));
        }
        candidate.clear();
        candidate.extend(items.iter().map(|item| item - 1));
        pool.push(&candidate).map_err(|error| error.to_string())?;
        start = end;
    }
    Ok(pool)
}

fn hyperparameters(value: At<'_>, n_classes: usize) -> Read<Hyperparameters> {
    let hyperparameters = Hyperparameters {
        lambda: value.field("lambda")?.number()?,
        eta: value.field("eta")?.number()?,
        alpha: value.field("alpha")?.numbers()?,
    };
    hyperparameters.check(n_classes).map_err(|error| error.to_string())?;
    Ok(hyperparameters)
}

/// What is added to the counts of each rule for its probabilities.
fn pseudo_counts(alpha: &[f64], shrinkage: f64, class_counts: &[f64]) -> Read<Vec<f64>> {
    if shrinkage == 0.0 {
        return Ok(alpha.to_vec());
    }
    let base = base_counts(class_counts, alpha);
    let total: f64 = base.iter().sum();
    if !(shrinkage > 0.0 && total > 0.0 && total.is_finite() && class_counts.len() == alpha.len()) {
        return Err(
            "`shrinkage` must be a number from 0 on, and `class_counts` must have one per class.".into()
        );
    }
    Ok(base.iter().map(|count| shrinkage * count / total).collect())
}

/// The counts behind the base rate. Where a class has no row, the pseudo-counts of the prior are added.
fn base_counts(class_counts: &[f64], alpha: &[f64]) -> Vec<f64> {
    if class_counts.iter().all(|&count| count > 0.0) {
        return class_counts.to_vec();
    }
    class_counts.iter().zip(alpha).map(|(count, added)| count + added).collect()
}

/// What the first format did when a value was missing.
const FALLTHROUGH: &str = "fallthrough";

fn found(value: At<'_>, n_candidates: usize) -> Read<Found> {
    let listed = value.field("candidates")?;
    let rules: Vec<u32> = listed
        .elements()?
        .map(|rule| Ok(rule.whole(1..=n_candidates as u64)? as u32 - 1))
        .collect::<Read<_>>()?;
    if rules.iter().collect::<HashSet<_>>().len() != rules.len() {
        return listed.wrong("different candidates");
    }
    Ok(Found { rules, score: score(value.field("score")?)? })
}

fn labels(value: At<'_>) -> Read<Vec<(String, String)>> {
    value.elements()?.map(|label| Ok((label.field("name")?.text()?, label.field("text")?.text()?))).collect()
}

/// Candidates, counts and probabilities of the rules, the default rule last.
fn rules(
    value: At<'_>,
    n_candidates: usize,
    pseudo_counts: &[f64],
    base_counts: &[f64],
) -> Read<(Vec<u32>, Vec<f64>, Vec<f64>)> {
    let entries: Vec<At<'_>> = value.elements()?.collect();
    let Some((default, list)) = entries.split_last() else {
        return value.wrong("one rule or more");
    };
    let (mut rules, mut counts, mut probs) = (Vec::new(), Vec::new(), Vec::new());
    for rule in list {
        rules.push(rule.field("candidate")?.whole(1..=n_candidates as u64)? as u32 - 1);
        captured(rule.field("then")?, pseudo_counts, None, &mut counts, &mut probs)?;
    }
    captured(default.field("default")?, pseudo_counts, Some(base_counts), &mut counts, &mut probs)?;
    if rules.iter().collect::<HashSet<_>>().len() != rules.len() {
        return value.wrong("rules with different candidates");
    }
    Ok((rules, counts, probs))
}

/// Append one rule's counts and probabilities, which must agree with each other. Without rows, the default rule may give the
/// base rate, that of `base_counts`.
fn captured(
    value: At<'_>,
    pseudo_counts: &[f64],
    base_counts: Option<&[f64]>,
    counts: &mut Vec<f64>,
    probs: &mut Vec<f64>,
) -> Read<()> {
    let n = value.field("counts")?.numbers()?;
    if n.len() != pseudo_counts.len() || n.iter().any(|&n| n < 0.0) {
        return value.wrong("an object whose `counts` are one number from 0 on per class");
    }
    let p = value.field("probabilities")?.numbers()?;
    let is_share = |weights: &[f64]| {
        let total: f64 = weights.iter().sum();
        p.len() == weights.len() && p.iter().zip(weights).all(|(p, w)| (p - w / total).abs() <= 1e-9)
    };
    let is_empty = n.iter().all(|&n| n == 0.0);
    let weights: Vec<f64> = n.iter().zip(pseudo_counts).map(|(n, added)| n + added).collect();
    let is_base_rate = is_empty && base_counts.is_some_and(is_share);
    if !is_share(&weights) && !is_base_rate {
        return value.wrong("an object whose `probabilities` follow from its counts, alpha and `shrinkage`");
    }
    counts.extend(n);
    probs.extend(p);
    Ok(())
}

/// The rules must capture each row once.
fn check_totals(class_counts: &[f64], counts: &[f64]) -> Read<()> {
    for (class, &total) in class_counts.iter().enumerate() {
        let captured: f64 = counts.iter().skip(class).step_by(class_counts.len()).sum();
        if (captured - total).abs() > 1e-6 * total.abs().max(1.0) {
            return Err(format!(
                "`class_counts` says {total} rows of class {}, the rules capture {captured}.",
                class + 1
            ));
        }
    }
    match counts.len() % class_counts.len().max(1) {
        0 if !class_counts.is_empty() => Ok(()),
        _ => Err("`class_counts` must hold one number per class.".into()),
    }
}

fn score(value: At<'_>) -> Read<[f64; 3]> {
    let part = |name| value.field(name)?.number();
    let score = [part("log_prior")?, part("log_likelihood")?, part("log_posterior")?];
    if (score[0] + score[1] - score[2]).abs() > 1e-6 * score[2].abs().max(1.0) {
        return value.wrong("a log posterior that is the sum of its parts");
    }
    Ok(score)
}

fn key(name: &str) -> Read<String> {
    if !is_r_text(name) {
        return Err("A name in `report` must not hold the character U+0000.".into());
    }
    Ok(name.to_string())
}

fn table(value: &Value) -> Read<ReportTable> {
    let at = |value| At::new(value, "report");
    let column = |(name, value): (&String, _)| -> Read<_> { Ok((key(name)?, at(value).column()?)) };
    at(value).object()?.iter().map(column).collect()
}
