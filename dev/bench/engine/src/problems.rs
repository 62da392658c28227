//! The named problems of `dev/bench/problems.csv`, and those given on the command line.

use crate::synthetic::Shape;
use crate::table::Table;
use std::path::{Path, PathBuf};

const PROBLEMS: &str = include_str!("../../problems.csv");

/// Where rows come from.
#[derive(Debug, Clone, PartialEq)]
pub enum Data {
    File(PathBuf),
    Synthetic(Shape),
}

/// A table and what its candidates must be like.
#[derive(Debug, Clone, PartialEq)]
pub struct Spec {
    pub name: String,
    pub data: Data,
    pub lengths: (usize, usize),
    /// Of the negative class and of the positive class.
    pub supports: [f64; 2],
    pub lambda: f64,
    /// Most rules of a list.
    pub max_length: usize,
    /// Candidates there must be; `None` if not known before.
    pub candidates: Option<usize>,
}

impl Spec {
    /// A name in the table of problems, `synthetic:rows=…,features=…`, or a CSV file.
    pub fn find(name: &str) -> Result<Spec, String> {
        let free = |data| Spec {
            name: name.to_string(),
            data,
            lengths: (1, 2),
            supports: [0.1, 0.1],
            lambda: 10.0,
            max_length: usize::MAX,
            candidates: None,
        };
        if let Some(shape) = name.strip_prefix("synthetic:") {
            return Ok(free(Data::Synthetic(Shape::parse(shape)?)));
        }
        if Path::new(name).is_file() {
            return Ok(free(Data::File(name.into())));
        }
        let row = PROBLEMS.lines().skip(1).find(|line| line.split(',').next() == Some(name));
        let row = row.ok_or_else(|| {
            let known: Vec<&str> = names().collect();
            format!("`{name}` is no file and none of {}", known.join(", "))
        })?;
        if !row.ends_with(",factors") {
            return Err(format!("`{name}` has numbers, which only the package cuts"));
        }
        parse(row).ok_or_else(|| format!("problems.csv: cannot read `{row}`"))
    }

    pub fn table(&self) -> Result<Table, String> {
        match &self.data {
            Data::File(path) => Table::read(path),
            Data::Synthetic(shape) => Ok(shape.make()),
        }
    }
}

/// The names in the table of problems that are tables of factors.
pub fn names() -> impl Iterator<Item = &'static str> {
    PROBLEMS.lines().filter(|line| line.ends_with(",factors")).filter_map(|line| line.split(',').next())
}

fn parse(row: &str) -> Option<Spec> {
    let fields: Vec<&str> = row.split(',').collect();
    let [name, data, min_length, max_length, support_pos, support_neg, candidates, _] = fields[..] else {
        return None;
    };
    Some(Spec {
        name: name.to_string(),
        data: Data::File(locate(data)),
        lengths: (min_length.parse().ok()?, max_length.parse().ok()?),
        supports: [support_neg.parse().ok()?, support_pos.parse().ok()?],
        lambda: 10.0,
        max_length: usize::MAX,
        candidates: Some(candidates.parse().ok()?),
    })
}

/// The file of a data set: in `SBRL_DATA` (else ../shared/data next to the repository) or in the cache of made data.
pub fn locate(data: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let place = |variable: &str, usual: &str| {
        std::env::var_os(variable).map_or_else(|| root.join(usual), PathBuf::from)
    };
    let file = format!("{data}.csv.gz");
    let shared = place("SBRL_DATA", "../shared/data").join(&file);
    if shared.is_file() {
        return shared;
    }
    place("SBRL_BENCH_CACHE", "build/bench/cache").join(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_problem_reads() {
        for name in names() {
            assert_eq!(Spec::find(name).unwrap().name, name);
        }
        assert!(Spec::find("nothing").is_err());
    }
}
