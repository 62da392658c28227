//! R's portable list ↔ the engine's portable model.

use crate::convert::{
    antecedents, doubles, elements, field, from_one, items, lengths, letters, named, text, texts, wholes,
    Read,
};
use extendr_api::prelude::*;
use sbrl_engine::error::Error;
use sbrl_engine::export::{Feature, Portable, Table};

/// Read R's list.
pub fn from_r(model: &Robj) -> Read<Portable> {
    let item_list = field(model, "items")?;
    let items = items(&item_list)?;
    let pool = field(model, "pool")?;
    let score = doubles(&field(model, "score")?, "score")?;
    let score =
        <[f64; 3]>::try_from(score).map_err(|_| Error::Argument("`score` must have 3 parts.".into()))?;
    let report = field(model, "report")?;
    let tables = report.as_list().ok_or_else(|| Error::Argument("`report` must be a list.".into()))?;
    let tables: Read<Vec<(String, Table)>> =
        tables.iter().map(|(name, value)| Ok((name.to_string(), table_from_r(&value)?))).collect();
    let strings = |name: &str| texts(&field(model, name)?, name);
    Ok(Portable {
        package_version: text(&field(model, "package_version")?, "package_version")?,
        label: text(&field(model, "label")?, "label")?,
        formula: text(&field(model, "formula")?, "formula")?,
        classes: strings("classes")?,
        features: features_from_r(&field(model, "features")?)?,
        dropped: strings("dropped")?,
        pool: antecedents(&field(&pool, "items")?, &field(&pool, "lengths")?, items.len())?,
        item_names: texts(&field(&item_list, "name")?, "name")?,
        items,
        rules: wholes(&field(model, "rules")?, "rules", 1)?,
        counts: doubles(&field(model, "counts")?, "counts")?,
        probs: doubles(&field(model, "probs")?, "probs")?,
        letters: letters(&field(model, "prior")?)?,
        score,
        class_counts: doubles(&field(model, "class_counts")?, "class_counts")?,
        report: tables?,
    })
}

fn features_from_r(value: &Robj) -> Read<Vec<Feature>> {
    let names = texts(&field(value, "name")?, "name")?;
    let kinds = texts(&field(value, "type")?, "type")?;
    let levels = elements(&field(value, "levels")?, "levels")?;
    let units = texts(&field(value, "unit")?, "unit")?;
    let cuts = elements(&field(value, "cuts")?, "cuts")?;
    let mut features = Vec::with_capacity(names.len());
    let texts_of = names.into_iter().zip(kinds).zip(units);
    for (((name, kind), unit), (levels, cuts)) in texts_of.zip(levels.iter().zip(&cuts)) {
        let (levels, cuts) = (texts(levels, "levels")?, doubles(cuts, "cuts")?);
        features.push(Feature { name, kind, unit, levels, cuts });
    }
    Ok(features)
}

fn table_from_r(value: &Robj) -> Read<Table> {
    let list = value.as_list().ok_or_else(|| Error::Argument("`report` must hold lists.".into()))?;
    let column = |(name, value): (&str, Robj)| -> Read<_> {
        let cells = doubles(&value, name)?;
        Ok((name.to_string(), cells.into_iter().map(|x| x.is_finite().then_some(x)).collect()))
    };
    list.iter().map(column).collect()
}

/// Make R's list again, and the names of the candidates with it.
pub fn to_r(model: &Portable) -> Robj {
    let features = &model.features;
    let levels: Vec<Robj> = features.iter().map(|f| Robj::from(f.levels.clone())).collect();
    let cuts: Vec<Robj> = features.iter().map(|f| Robj::from(f.cuts.clone())).collect();
    let pick = |get: fn(&Feature) -> &String| features.iter().map(|f| get(f).clone()).collect::<Vec<_>>();
    let tables = model.report.iter().map(|(_, table)| table_to_r(table));
    let items = &model.items;
    let column = |get: fn(&sbrl_engine::model::Item) -> i32| items.iter().map(get).collect::<Vec<i32>>();
    list!(
        package_version = model.package_version.as_str(),
        label = model.label.as_str(),
        formula = model.formula.as_str(),
        classes = model.classes.clone(),
        features = named(
            vec!["name", "type", "unit", "levels", "cuts"],
            vec![
                pick(|f| &f.name).into(),
                pick(|f| &f.kind).into(),
                pick(|f| &f.unit).into(),
                List::from_values(levels).into(),
                List::from_values(cuts).into(),
            ]
        ),
        dropped = model.dropped.clone(),
        items = list!(
            feature = column(|item| item.feature as i32 + 1),
            lo = column(|item| item.lo),
            hi = column(|item| item.hi),
            name = model.item_names.clone()
        ),
        pool = list!(items = from_one(model.pool.flat()), lengths = lengths(&model.pool)),
        rules = from_one(&model.rules),
        counts = model.counts.clone(),
        probs = model.probs.clone(),
        prior = list!(
            lambda = model.letters.lambda,
            eta = model.letters.eta,
            alpha = model.letters.alpha.clone()
        ),
        score = model.score.to_vec(),
        class_counts = model.class_counts.clone(),
        report = named(model.report.iter().map(|(name, _)| name.as_str()).collect(), tables.collect())
    )
    .into()
}

fn table_to_r(table: &Table) -> Robj {
    let cells = |column: &Vec<Option<f64>>| -> Vec<Rfloat> {
        column.iter().map(|cell| cell.map_or(Rfloat::na(), Rfloat::from)).collect()
    };
    let names = table.iter().map(|(name, _)| name.as_str()).collect();
    named(names, table.iter().map(|(_, column)| Robj::from(Doubles::from_values(cells(column)))).collect())
}
