//! A fitted model as portable text (JSON), and back without loss.

mod parse;
mod place;
mod portable;
mod read;
mod write;

pub use portable::{Feature, Found, Portable, ReportTable};
pub use read::from_json;

#[cfg(test)]
mod tests {
    use super::portable::NEWEST_FORMAT;
    use super::*;
    use crate::error::Error;
    use crate::hyperparameters::Hyperparameters;
    use crate::model::{Antecedents, Item};

    fn example() -> Portable {
        let feature = |name: &str, levels: &[&str]| Feature {
            name: name.into(),
            kind: "categorical".into(),
            unit: String::new(),
            cuts: Vec::new(),
            levels: levels.iter().map(|level| level.to_string()).collect(),
        };
        let item = |feature, level| Item::range(feature, level, level).unwrap();
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
            hyperparameters: Hyperparameters { lambda: 0.1 + 0.2, eta: 1.0, alpha: vec![1.0, 1.3] },
            shrinkage: 0.0,
            score: [-1.0 / 3.0, -2.0, -2.0 - 1.0 / 3.0],
            found: Found { rules: vec![1, 2], score: [-0.25, -2.0, -2.25] },
            labels: vec![("a".into(), "What \"a\" is".into())],
            missing: "fallthrough".into(),
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
    fn shrunk_probabilities_follow_from_counts_and_base_rate() {
        // 3 and 4 rows are captured, of 7 in all
        let added = [7.5 * 2.0 / 7.0, 7.5 * 5.0 / 7.0];
        let shares =
            [(2.0 + added[0]) / 10.5, (1.0 + added[1]) / 10.5, added[0] / 11.5, (4.0 + added[1]) / 11.5];
        let model = Portable { shrinkage: 7.5, probs: shares.to_vec(), ..example() };
        assert_eq!(from_json(&model.to_json().unwrap()), Ok(model.clone()));
        for wrong in [0.0, 7.0, -1.0] {
            assert!(from_json(&Portable { shrinkage: wrong, ..model.clone() }.to_json().unwrap()).is_err());
        }
    }

    #[test]
    fn older_formats_are_read() {
        // format 1 had one list only, and no labels
        let written = Portable { format: 1, ..example() };
        let found = Found { rules: written.rules.clone(), score: written.score };
        let read = Portable { found, labels: Vec::new(), ..written.clone() };
        let text = written.to_json().unwrap();
        assert_eq!(from_json(&text), Ok(read));
    }

    /// The example with a feature of five levels, one of whose items is a set of them.
    fn example_with_set() -> Portable {
        let mut model = example();
        model.features[1].levels = ["", "p", "q", "r", "s"].map(String::from).to_vec();
        model.items[2] = Item::set(1, &[1, 3, 5]).unwrap();
        model
    }

    #[test]
    fn sets_of_levels_are_written_in_the_format_that_has_them() {
        let model = example_with_set();
        let text = model.to_json().unwrap();
        assert!(text.contains("{\"codes\":[1,3,5],\"feature\":2,\"name\":"));
        assert!(text.contains("{\"feature\":1,\"hi\":2,\"lo\":2,\"name\":"));
        assert_eq!(from_json(&text), Ok(model.clone()));
        for (codes, part) in [
            ("[]", "code"),
            ("[3,1]", "increase"),
            ("[1,6]", "items[3].codes[2]"),
            ("3", "items[3].codes"),
            ("[-1,3]", "items[3].codes[1]"),
        ] {
            let error = from_json(&text.replacen("[1,3,5]", codes, 1)).unwrap_err().to_string();
            assert!(error.contains(part), "{codes}: {error}");
        }
        for format in [1, 2] {
            assert!(matches!(Portable { format, ..model.clone() }.to_json(), Err(Error::Data(_))));
            let text = text.replacen("\"format_version\": 3", &format!("\"format_version\": {format}"), 1);
            assert!(from_json(&text).unwrap_err().to_string().contains("lo"));
        }
    }

    #[test]
    fn a_default_rule_without_rows_may_give_the_base_rate() {
        let example = example();
        let rows = |default: [f64; 2]| {
            let probs = [&[3.0 / 9.3, 6.3 / 9.3], &default[..]].concat();
            let model = Portable { counts: vec![2.0, 5.0, 0.0, 0.0], probs, ..example.clone() };
            from_json(&model.to_json().unwrap())
        };
        assert!(rows([2.0 / 7.0, 5.0 / 7.0]).is_ok());
        assert!(rows([1.0 / 2.3, 1.3 / 2.3]).is_ok());
        assert!(rows([0.5, 0.5]).is_err());
    }

    #[test]
    fn a_base_rate_of_one_class_has_the_pseudo_counts_of_the_prior() {
        let example = example();
        let read = |default: [f64; 2], shrinkage: f64, rule: [f64; 2]| {
            let (counts, class_counts) = (vec![7.0, 0.0, 0.0, 0.0], vec![7.0, 0.0]);
            let probs = [&rule[..], &default[..]].concat();
            let model = Portable { counts, class_counts, probs, shrinkage, ..example.clone() };
            from_json(&model.to_json().unwrap())
        };
        let base = [8.0 / 9.3, 1.3 / 9.3];
        assert!(read(base, 0.0, base).is_ok());
        assert!(read([1.0, 0.0], 0.0, base).is_err());
        let shrunk = [(7.0 + 2.0 * base[0]) / 9.0, 2.0 * base[1] / 9.0];
        assert!(read(base, 2.0, shrunk).is_ok());
        assert!(read(base, 2.0, [1.0, 0.0]).is_err());
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
    fn errors_name_the_damaged_part() {
        let text = example().to_json().unwrap();
        for (from, to, part) in [
            ("sbrl rule list", "something else", "format"),
            ("\"format_version\": 3", "\"format_version\": 4", "newer sbrl (format 4)"),
            ("\"format_version\": 3", "\"format_version\": 0", "from 1 on"),
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
            ("\"found\": {\"candidates\":[2,3]", "\"found\": {\"candidates\":[2,9]", "found"),
            ("-2.25", "-2.5", "found"),
            ("\"missing\": \"f", "\"msising\": \"f", "missing"),
            ("\"labels\": [", "\"labels\": [7,", "labels"),
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
    fn text_that_is_not_a_model_is_refused() {
        for text in ["", "{}", "[]", "null", "3", "hello", "{\"format\": []}", &"[".repeat(100_000)] {
            assert!(matches!(from_json(text), Err(Error::File(_))));
        }
    }
}
