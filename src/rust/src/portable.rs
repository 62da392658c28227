//! R's portable list ↔ the engine's portable model.

use crate::answer::{missing, Answer};
use crate::convert::{wrong, Arg, Read};
use sbrl_engine::error::Error;
use sbrl_engine::export::{Feature, Found, Portable, ReportTable};
use sbrl_engine::memory;
use sbrl_engine::model::{Antecedents, Item};

/// Read R's list.
pub fn from_r(model: Arg<'_>) -> Read<Portable> {
    let item_list = model.field("items")?;
    let items = item_list.items()?;
    let found = model.field("found")?;
    let Some(tables) = model.field("report")?.named_elements() else {
        return wrong("report", "a list with names");
    };
    let report = tables.into_iter().map(|(name, value)| Ok((name.to_string(), table_from_r(value)?)));
    let text = |name: &str| model.field(name)?.text(name);
    let texts = |name: &str| model.field(name)?.texts(name);
    let doubles = |name: &str| model.field(name)?.doubles(name);
    Ok(Portable {
        format: model.field("format")?.whole("format")?,
        package_version: text("package_version")?,
        label: text("label")?,
        formula: text("formula")?,
        classes: texts("classes")?,
        features: features_from_r(model.field("features")?)?,
        dropped: texts("dropped")?,
        pool: model.field("pool")?.antecedents(items.len())?,
        item_names: item_list.field("name")?.texts("name")?,
        items,
        rules: model.field("rules")?.wholes("rules", 1)?,
        counts: doubles("counts")?,
        probs: doubles("probs")?,
        hyperparameters: model.field("prior")?.hyperparameters()?,
        shrinkage: model.field("shrinkage")?.number("shrinkage")?,
        score: score_from_r(model)?,
        found: Found { rules: found.field("rules")?.wholes("rules", 1)?, score: score_from_r(found)? },
        labels: texts("label_names")?.into_iter().zip(texts("label_texts")?).collect(),
        missing: text("missing")?,
        class_counts: doubles("class_counts")?,
        report: report.collect::<Read<_>>()?,
    })
}

fn score_from_r(list: Arg<'_>) -> Read<[f64; 3]> {
    let score = list.field("score")?.doubles("score")?;
    <[f64; 3]>::try_from(score).map_err(|_| Error::Argument("`score` must have 3 parts.".into()))
}

fn features_from_r(value: Arg<'_>) -> Read<Vec<Feature>> {
    let names = value.field("name")?.texts("name")?;
    let kinds = value.field("type")?.texts("type")?;
    let levels = value.field("levels")?.elements("levels")?;
    let units = value.field("unit")?.texts("unit")?;
    let cuts = value.field("cuts")?.elements("cuts")?;
    let mut features = memory::with_capacity(names.len())?;
    let texts_of = names.into_iter().zip(kinds).zip(units);
    for (((name, kind), unit), (levels, cuts)) in texts_of.zip(levels.iter().zip(&cuts)) {
        let (levels, cuts) = (levels.texts("levels")?, cuts.doubles("cuts")?);
        features.push(Feature { name, kind, unit, levels, cuts });
    }
    Ok(features)
}

fn table_from_r(value: Arg<'_>) -> Read<ReportTable> {
    let Some(columns) = value.named_elements() else {
        return wrong("report", "a list of lists with names");
    };
    let column = |(name, value): (&str, Arg<'_>)| -> Read<_> {
        let cells = value.doubles(name)?;
        Ok((name.to_string(), memory::collect(cells.into_iter().map(|x| x.is_finite().then_some(x)))?))
    };
    columns.into_iter().map(column).collect()
}

/// Make R's list again.
pub fn to_r(model: Portable) -> Read<Answer> {
    let items = items_to_r(&model.items, model.item_names)?;
    let pool = pool_to_r(&model.pool)?;
    let tables = model.report.into_iter().map(|(name, table)| Ok((name, table_to_r(table)?)));
    let hyperparameters = model.hyperparameters;
    let (label_names, label_texts) = model.labels.into_iter().unzip();
    Ok(Answer::list([
        ("format", Answer::Integers(vec![model.format as i32])),
        ("package_version", Answer::text(model.package_version)),
        ("label", Answer::text(model.label)),
        ("formula", Answer::text(model.formula)),
        ("classes", Answer::Texts(model.classes)),
        ("features", features_to_r(model.features)?),
        ("dropped", Answer::Texts(model.dropped)),
        ("items", items),
        ("pool", pool),
        ("rules", Answer::Integers(from_one(&model.rules)?)),
        ("counts", Answer::Doubles(model.counts)),
        ("probs", Answer::Doubles(model.probs)),
        (
            "prior",
            Answer::list([
                ("lambda", Answer::number(hyperparameters.lambda)),
                ("eta", Answer::number(hyperparameters.eta)),
                ("alpha", Answer::Doubles(hyperparameters.alpha)),
            ]),
        ),
        ("shrinkage", Answer::number(model.shrinkage)),
        ("score", Answer::Doubles(model.score.to_vec())),
        (
            "found",
            Answer::list([
                ("rules", Answer::Integers(from_one(&model.found.rules)?)),
                ("score", Answer::Doubles(model.found.score.to_vec())),
            ]),
        ),
        ("label_names", Answer::Texts(label_names)),
        ("label_texts", Answer::Texts(label_texts)),
        ("missing", Answer::text(model.missing)),
        ("class_counts", Answer::Doubles(model.class_counts)),
        ("report", Answer::List(tables.collect::<Read<_>>()?)),
    ]))
}

fn features_to_r(features: Vec<Feature>) -> Read<Answer> {
    let n = features.len();
    let (mut names, mut kinds, mut units) =
        (memory::with_capacity(n)?, memory::with_capacity(n)?, memory::with_capacity(n)?);
    let (mut levels, mut cuts) = (memory::with_capacity(n)?, memory::with_capacity(n)?);
    for feature in features {
        names.push(feature.name);
        kinds.push(feature.kind);
        units.push(feature.unit);
        levels.push(Answer::Texts(feature.levels));
        cuts.push(Answer::Doubles(feature.cuts));
    }
    Ok(Answer::list([
        ("name", Answer::Texts(names)),
        ("type", Answer::Texts(kinds)),
        ("unit", Answer::Texts(units)),
        ("levels", Answer::unnamed(levels.into_iter())),
        ("cuts", Answer::unnamed(cuts.into_iter())),
    ]))
}

fn items_to_r(items: &[Item], names: Vec<String>) -> Read<Answer> {
    let column = |get: &dyn Fn(&Item) -> i32| -> Read<Answer> {
        Ok(Answer::Integers(memory::collect(items.iter().map(get))?))
    };
    let mut columns = vec![
        ("feature", column(&|item| item.feature as i32 + 1)?),
        ("lo", column(&|item| item.smallest())?),
        ("hi", column(&|item| item.largest())?),
        ("name", Answer::Texts(names)),
    ];
    if items.iter().any(|item| item.as_range().is_none()) {
        let mut sets = memory::with_capacity(items.len())?;
        for item in items {
            let is_range = item.as_range().is_some();
            let codes = if is_range { Vec::new() } else { memory::collect(item.codes())? };
            sets.push(Answer::Integers(codes));
        }
        columns.push(("codes", Answer::unnamed(sets.into_iter())));
    }
    Ok(Answer::List(columns.into_iter().map(|(name, column)| (name.to_string(), column)).collect()))
}

/// The items of the candidates, from 1, one candidate after the other, and how many each has.
pub fn pool_to_r(pool: &Antecedents) -> Read<Answer> {
    let lengths = memory::collect(pool.iter().map(|antecedent| antecedent.len() as i32))?;
    Ok(Answer::list([
        ("items", Answer::Integers(from_one(pool.flat())?)),
        ("lengths", Answer::Integers(lengths)),
    ]))
}

/// Indices for R, from 1.
pub fn from_one(indices: &[u32]) -> Read<Vec<i32>> {
    memory::collect(indices.iter().map(|&index| index as i32 + 1))
}

fn table_to_r(table: ReportTable) -> Read<Answer> {
    let column = |(name, cells): (String, Vec<Option<f64>>)| -> Read<_> {
        let cells = memory::collect(cells.into_iter().map(|cell| cell.unwrap_or_else(missing)))?;
        Ok((name, Answer::Doubles(cells)))
    };
    Ok(Answer::List(table.into_iter().map(column).collect::<Read<_>>()?))
}
