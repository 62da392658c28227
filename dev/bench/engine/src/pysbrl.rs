//! Candidates and labels in the files that pysbrl reads, so that both search the same pool.

use crate::engine;
use crate::problems::Spec;
use sbrl_engine::data::Rows;
use std::io::{BufWriter, Write};

/// One line per candidate: its name without blanks, then a 0 or 1 per row. The same for the two classes.
pub fn write(spec: &Spec, rules: &str, labels: &str) -> Result<(), String> {
    let table = spec.table()?;
    let (rows, items) = engine::stage_binarise(&table)?;
    let pool = engine::stage_mine(&rows, &items, spec)?;
    let candidates = (0..pool.len())
        .map(|index| (pool.name(index).replace(' ', "_"), bits(&rows, pool.covers.column(index))));
    let classes = (0..2).map(|class| {
        let of_class = table.labels.iter().map(|&label| label == class).collect();
        (format!("{{label={class}}}"), of_class)
    });
    let wrong = |error: std::io::Error| error.to_string();
    write_lines(rules, rows.n_rows(), pool.len(), candidates).map_err(wrong)?;
    write_lines(labels, rows.n_rows(), 2, classes).map_err(wrong)
}

/// Whether each row's bit is set, in row order.
fn bits(rows: &Rows, words: &[u64]) -> Vec<bool> {
    rows.positions().iter().map(|&at| (words[at as usize / 64] >> (at % 64)) & 1 == 1).collect()
}

fn write_lines(
    file: &str,
    n_rows: usize,
    n_lines: usize,
    lines: impl Iterator<Item = (String, Vec<bool>)>,
) -> std::io::Result<()> {
    let mut out = BufWriter::new(std::fs::File::create(file)?);
    writeln!(out, "n_items: {n_lines}\nn_samples: {n_rows}")?;
    for (name, bits) in lines {
        write!(out, "{name} ")?;
        let text: Vec<&str> = bits.iter().map(|&bit| if bit { "1" } else { "0" }).collect();
        writeln!(out, "{}", text.join(" "))?;
    }
    out.flush()
}
