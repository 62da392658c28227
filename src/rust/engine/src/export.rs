//! A fitted model as portable text (JSON), and back to the last bit.

mod parse;
mod read;

use crate::error::Error;
use crate::memory;
use crate::model::{antecedent_name, Antecedents, Item};
use crate::posterior::Letters;
use serde_json::{json, Value};

/// What a file of ours says it is.
const FORMAT: &str = "sbrl rule list";

/// The newest format that this version reads, and the one it writes. R upgrades models of older ones.
const NEWEST_FORMAT: u64 = 2;

/// A feature as R remembers it.
#[derive(Debug, Clone, PartialEq)]
pub struct Feature {
    pub name: String,
    pub kind: String,
    /// Unit or time zone, if it has one.
    pub unit: String,
    pub levels: Vec<String>,
    /// Cut points of a number; its bins are numbered from 1.
    pub cuts: Vec<f64>,
}

impl Feature {
    /// The largest code of the feature.
    fn n_codes(&self) -> usize {
        self.levels.len().max(self.cuts.len() + usize::from(!self.cuts.is_empty()))
    }
}

/// Named columns of numbers; `None` is "not available".
pub type Table = Vec<(String, Vec<Option<f64>>)>;

/// All of a model that predictions, printing and scoring need, and a report of how it came about.
#[derive(Debug, Clone, PartialEq)]
pub struct Portable {
    /// Number of the format; R upgrades older ones.
    pub format: u64,
    pub package_version: String,
    pub label: String,
    /// The formula the model was fitted with, or empty.
    pub formula: String,
    pub classes: Vec<String>,
    pub features: Vec<Feature>,
    /// Names of the columns left out of the model.
    pub dropped: Vec<String>,
    pub items: Vec<Item>,
    pub item_names: Vec<String>,
    pub pool: Antecedents,
    /// Candidates, from 0, in list order.
    pub rules: Vec<u32>,
    /// One row of class counts per rule, the default last.
    pub counts: Vec<f64>,
    /// The same shape: class probabilities.
    pub probs: Vec<f64>,
    pub letters: Letters,
    /// Log prior, log likelihood, log posterior.
    pub score: [f64; 3],
    pub class_counts: Vec<f64>,
    pub report: Vec<(String, Table)>,
}

impl Portable {
    /// The model as JSON: one line per feature, item, candidate and rule. Indices count from 1, as in R.
    pub fn to_json(&self) -> Result<String, Error> {
        memory::check_room(self.room_needed())?;
        Ok(self.json())
    }

    /// Bytes that it takes at most to write the model: an index has up to ten digits, a number up to 24, a text up to six
    /// times its length; lines are copied into fields, and fields into the whole.
    fn room_needed(&self) -> usize {
        let texts = |texts: &[String]| texts.iter().map(|text| 6 * text.len() + 64).sum::<usize>();
        let names = texts(&self.item_names) + texts(&self.classes) + texts(&self.dropped);
        let features =
            self.features.iter().map(|f| texts(&f.levels) + 25 * f.cuts.len() + 6 * f.name.len() + 256);
        let cells = self.report.iter().flat_map(|(_, table)| table).map(|(_, column)| column.len());
        let n_numbers = self.counts.len() + self.probs.len() + self.class_counts.len() + cells.sum::<usize>();
        let pool = 11 * self.pool.flat().len() + 64 * self.pool.len();
        // a number that waits to be written has 32 bytes
        4 * (pool + names + features.sum::<usize>() + 64 * n_numbers + (1 << 14))
    }

    fn json(&self) -> String {
        let features = self.features.iter().map(
            |f| json!({"name": f.name, "type": f.kind, "unit": f.unit, "levels": f.levels, "cuts": cuts_to_json(&f.cuts)}),
        );
        let items = self.items.iter().zip(&self.item_names).map(
            |(item, name)| json!({"name": name, "feature": item.feature + 1, "lo": item.lo, "hi": item.hi}),
        );
        let candidates = self.pool.iter().map(|antecedent| json!(from_one(antecedent)));
        let report = self.report.iter().map(|(name, table)| (name.clone(), table_to_json(table)));
        let [log_prior, log_likelihood, log_posterior] = self.score;
        let letters = &self.letters;
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
                json!({"lambda": letters.lambda, "eta": letters.eta, "alpha": letters.alpha}).to_string(),
            ),
            (
                "score",
                json!({
                    "log_prior": log_prior,
                    "log_likelihood": log_likelihood,
                    "log_posterior": log_posterior,
                })
                .to_string(),
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

fn from_one(antecedent: &[u32]) -> Vec<u32> {
    antecedent.iter().map(|item| item + 1).collect()
}

/// JSON has no infinity; a cut that tells infinite values from the greatest number is written as text.
fn cuts_to_json(cuts: &[f64]) -> Vec<Value> {
    let text = |cut: &f64| json!(if *cut > 0.0 { "Inf" } else { "-Inf" });
    cuts.iter().map(|cut| if cut.is_finite() { json!(cut) } else { text(cut) }).collect()
}

fn table_to_json(table: &Table) -> Value {
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

/// The model in `text`, checked.
pub fn from_json(text: &str) -> Result<Portable, Error> {
    read::portable(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    pub fn example() -> Portable {
        let feature = |name: &str, levels: &[&str]| Feature {
            name: name.into(),
            kind: "categorical".into(),
            unit: String::new(),
            cuts: Vec::new(),
            levels: levels.iter().map(|level| level.to_string()).collect(),
        };
        let item = |feature, level| Item { feature, lo: level, hi: level };
        let cuts = vec![f64::NEG_INFINITY, 0.1, f64::INFINITY];
        let number = Feature { kind: "number".into(), cuts, ..feature("n", &[]) };
        Portable {
            format: NEWEST_FORMAT,
            package_version: "2.0.0".into(),
            label: "label".into(),
            formula: "label ~ .".into(),
            classes: vec!["no".into(), "yes \"%s\" 😀".into()],
            features: vec![feature("a", &["u", "v"]), feature("b=,{}\n", &["", "p"]), number],
            dropped: vec!["z".into()],
            items: vec![item(0, 1), item(0, 2), item(1, 2)],
            item_names: vec!["a=u".into(), "a=v".into(), "b=,{}\n=p".into()],
            pool: Antecedents::from_flat(&[0, 0, 2, 1], &[1, 2, 1], 3).unwrap(),
            rules: vec![1],
            counts: vec![2.0, 1.0, 0.0, 4.0],
            probs: vec![3.0 / 5.3, 2.3 / 5.3, 1.0 / 6.3, 5.3 / 6.3],
            letters: Letters { lambda: 0.1 + 0.2, eta: 1.0, alpha: vec![1.0, 1.3] },
            score: [-1.0 / 3.0, -2.0, -2.0 - 1.0 / 3.0],
            class_counts: vec![2.0, 5.0],
            report: vec![("chains".into(), vec![("best".into(), vec![Some(-1.0 / 7.0), None])])],
        }
    }

    #[test]
    fn round_trips_to_the_last_bit() {
        let model = example();
        assert_eq!(from_json(&model.to_json().unwrap()), Ok(model));
    }

    #[test]
    fn older_formats_are_read() {
        let model = Portable { format: 1, ..example() };
        assert_eq!(from_json(&model.to_json().unwrap()), Ok(model));
    }

    #[test]
    fn every_truncation_is_an_error() {
        let text = example().to_json().unwrap();
        for end in 0..text.trim_end().len() {
            if let Some(part) = text.get(..end) {
                assert!(matches!(from_json(part), Err(Error::File(_))), "cut at {end}");
            }
        }
    }

    #[test]
    fn damage_is_named() {
        let text = example().to_json().unwrap();
        for (from, to, part) in [
            ("sbrl rule list", "something else", "format"),
            ("\"format_version\": 2", "\"format_version\": 3", "newer sbrl (format 3)"),
            ("\"format_version\": 2", "\"format_version\": 0", "from 1 on"),
            ("\"candidate\":2", "\"candidate\":9", "candidate"),
            ("\"candidate\":2", "\"candidate\":0", "candidate"),
            ("\"counts\":[2.0,1.0]", "\"counts\":[2.0,-1.0]", "counts"),
            ("\"counts\":[2.0,1.0]", "\"counts\":[3.0,1.0]", "probabilities"),
            ("\"counts\":[2.0,1.0]", "\"counts\":[2.0]", "counts"),
            ("\"lambda\":0.30000000000000004", "\"lambda\":0", "lambda"),
            ("\"feature\":2", "\"feature\":4", "feature"),
            ("\"hi\":2", "\"hi\":7", "items"),
            ("[1,3]", "[3,1]", "candidates"),
            ("[1,3]", "[]", "candidates"),
            ("[1,3]", "[1,\"x\"]", "candidates"),
            ("\"classes\": [\"no\"", "\"classes\": [\"yes \\\"%s\\\" 😀\"", "classes"),
            ("\"class_counts\": [2.0", "\"class_counts\": [3.0", "class_counts"),
            ("\"default\"", "\"defalut\"", "rules"),
            ("-2.3333333333333335", "-2.4", "score"),
            ("\"label\": \"label\"", "\"label\": 3", "label"),
            ("\"label\": \"label\"", "\"label\": \"la\\u0000bel\"", "U+0000"),
            ("\"levels\":[\"u\"", "\"levels\":[\"\\u0000\"", "U+0000"),
            ("\"chains\"", "\"\\u0000\"", "U+0000"),
        ] {
            assert!(text.contains(from), "{from} is not in the text");
            let error = from_json(&text.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(error.contains(part), "{to}: {error}");
        }
    }

    #[test]
    fn foreign_text_is_refused() {
        for text in ["", "{}", "[]", "null", "3", "hello", "{\"format\": []}", &"[".repeat(100_000)] {
            assert!(matches!(from_json(text), Err(Error::File(_))));
        }
    }
}
