//! Writes a model as JSON.

use super::portable::{Portable, ReportTable, FORMAT, FORMAT_WITH_SETS};
use crate::error::Error;
use crate::memory;
use crate::model::{antecedent_name, Item};
use serde_json::{json, Value};

impl Portable {
    /// The model as JSON: one line per feature, item, candidate and rule. Indices count from 1, as in R.
    pub fn to_json(&self) -> Result<String, Error> {
        memory::check_room(self.room_needed())?;
        if self.format < FORMAT_WITH_SETS && self.items.iter().any(|item| item.as_range().is_none()) {
            return Err(Error::Data(format!("Sets of levels cannot be written in format {}.", self.format)));
        }
        Ok(self.json())
    }

    /// Upper bound of the bytes needed to write the model: an index has up to 10 digits, a number up to 24, and escaping makes
    /// a text up to six times as long; lines are copied into fields, and fields into the result.
    fn room_needed(&self) -> usize {
        let texts = |texts: &[String]| texts.iter().map(|text| 6 * text.len() + 64).sum::<usize>();
        let n_listed = |item: &Item| if item.as_range().is_some() { 0 } else { item.n_codes() as usize };
        let names = texts(&self.item_names)
            + 64 * self.items.iter().map(n_listed).sum::<usize>()
            + texts(&self.classes)
            + texts(&self.dropped)
            + self.labels.iter().map(|(name, text)| 6 * (name.len() + text.len()) + 64).sum::<usize>();
        let features =
            self.features.iter().map(|f| texts(&f.levels) + 25 * f.cuts.len() + 6 * f.name.len() + 256);
        let cells = self.report.iter().flat_map(|(_, table)| table).map(|(_, column)| column.len());
        let n_numbers = self.counts.len() + self.probs.len() + self.class_counts.len() + cells.sum::<usize>();
        let pool = 11 * self.pool.flat().len() + 64 * self.pool.len();
        // a number not yet written takes 32 bytes
        4 * (pool + names + features.sum::<usize>() + 64 * n_numbers + (1 << 14))
    }

    fn json(&self) -> String {
        let features = self.features.iter().map(
            |f| json!({"name": f.name, "type": f.kind, "unit": f.unit, "levels": f.levels, "cuts": cuts_to_json(&f.cuts)}),
        );
        let items = self.items.iter().zip(&self.item_names).map(|(item, name)| item_to_json(item, name));
        let candidates = self.pool.iter().map(|antecedent| json!(from_one(antecedent)));
        let report = self.report.iter().map(|(name, table)| (name.clone(), table_to_json(table)));
        let labels = self.labels.iter().map(|(name, text)| json!({"name": name, "text": text}));
        let hyperparameters = &self.hyperparameters;
        let fields = [
            ("format", json!(FORMAT).to_string()),
            ("format_version", json!(self.format).to_string()),
            ("package_version", json!(self.package_version).to_string()),
            ("label", json!(self.label).to_string()),
            ("formula", json!(self.formula).to_string()),
            ("classes", json!(self.classes).to_string()),
            ("class_counts", json!(self.class_counts).to_string()),
            ("features", lines(features)),
            ("dropped", json!(self.dropped).to_string()),
            ("items", lines(items)),
            ("rules", lines(self.rules_to_json())),
            (
                "prior",
                json!({"lambda": hyperparameters.lambda, "eta": hyperparameters.eta, "alpha": hyperparameters.alpha}).to_string(),
            ),
            ("shrinkage", json!(self.shrinkage).to_string()),
            ("score", score_to_json(self.score).to_string()),
            ("missing", json!(self.missing).to_string()),
            ("labels", lines(labels)),
            (
                "found",
                json!({"candidates": from_one(&self.found.rules), "score": score_to_json(self.found.score)}).to_string(),
            ),
            ("candidates", lines(candidates)),
            ("report", Value::Object(report.collect()).to_string()),
        ];
        let fields: Vec<String> = fields.iter().map(|(name, text)| format!("\"{name}\": {text}")).collect();
        format!("{{\n{}\n}}\n", fields.join(",\n"))
    }

    fn rules_to_json(&self) -> impl Iterator<Item = Value> + '_ {
        let k = self.classes.len();
        let rows = self.counts.chunks_exact(k).zip(self.probs.chunks_exact(k));
        rows.enumerate().map(|(index, (counts, probs))| {
            let captured = json!({"counts": counts, "probabilities": probs});
            match self.rules.get(index) {
                None => json!({"default": captured}),
                Some(&rule) => {
                    let antecedent = antecedent_name(self.pool.get(rule as usize), &self.item_names);
                    json!({"if": antecedent, "candidate": rule + 1, "then": captured})
                }
            }
        })
    }
}

fn item_to_json(item: &Item, name: &str) -> Value {
    let feature = item.feature + 1;
    match item.as_range() {
        Some((lo, hi)) => json!({"name": name, "feature": feature, "lo": lo, "hi": hi}),
        None => json!({"name": name, "feature": feature, "codes": item.codes().collect::<Vec<i32>>()}),
    }
}

fn score_to_json(score: [f64; 3]) -> Value {
    json!({"log_prior": score[0], "log_likelihood": score[1], "log_posterior": score[2]})
}

fn from_one(antecedent: &[u32]) -> Vec<u32> {
    antecedent.iter().map(|item| item + 1).collect()
}

/// JSON has no infinity; an infinite cut, which separates infinite values from finite ones, is written as text.
fn cuts_to_json(cuts: &[f64]) -> Vec<Value> {
    let text = |cut: &f64| json!(if *cut > 0.0 { "Inf" } else { "-Inf" });
    cuts.iter().map(|cut| if cut.is_finite() { json!(cut) } else { text(cut) }).collect()
}

fn table_to_json(table: &ReportTable) -> Value {
    Value::Object(table.iter().map(|(name, column)| (name.clone(), json!(column))).collect())
}

/// A JSON array with one element per line.
fn lines(values: impl Iterator<Item = Value>) -> String {
    let values: Vec<String> = values.map(|value| format!("  {value}")).collect();
    if values.is_empty() {
        return "[]".into();
    }
    format!("[\n{}\n]", values.join(",\n"))
}
