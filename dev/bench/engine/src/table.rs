//! A table of factors and a label of 0 and 1: read from a CSV file, or made up.

use sbrl_engine::model::Item;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// Codes from 1 on, column by column; the label is apart.
pub struct Table {
    pub names: Vec<String>,
    pub levels: Vec<Vec<String>>,
    pub columns: Vec<Vec<i32>>,
    pub labels: Vec<u32>,
}

impl Table {
    pub fn n_rows(&self) -> usize {
        self.labels.len()
    }

    pub fn column_slices(&self) -> Vec<&[i32]> {
        self.columns.iter().map(Vec::as_slice).collect()
    }

    /// One item per level, as the package makes them of text columns; a constant column has none.
    pub fn items(&self) -> (Vec<Item>, Vec<String>) {
        let mut items = Vec::new();
        let mut names = Vec::new();
        for (feature, levels) in self.levels.iter().enumerate().filter(|(_, levels)| levels.len() > 1) {
            for (index, level) in levels.iter().enumerate() {
                let code = index as i32 + 1;
                items.extend(Item::range(feature as u32, code, code));
                names.push(format!("{}={level}", self.names[feature]));
            }
        }
        (items, names)
    }

    /// Read a CSV file with a header and the label in the last column. Quotes may surround a field, but none holds a comma.
    pub fn read(path: &Path) -> Result<Table, String> {
        let gone = |error| format!("{}: {error}", path.display());
        if path.extension().is_some_and(|extension| extension == "gz") {
            let command = Command::new("gzip").arg("-dc").arg(path).stdout(Stdio::piped()).spawn();
            let output = command.map_err(gone)?.stdout.take().ok_or("no output of gzip")?;
            return Table::parse(BufReader::with_capacity(1 << 20, output));
        }
        Table::parse(BufReader::new(std::fs::File::open(path).map_err(gone)?))
    }

    fn parse(reader: impl BufRead) -> Result<Table, String> {
        let mut lines = reader.lines();
        let header = lines.next().ok_or("an empty file")?.map_err(|error| error.to_string())?;
        let mut names: Vec<String> = fields(&header).map(str::to_string).collect();
        names.pop();
        let mut seen: Vec<BTreeMap<String, i32>> = vec![BTreeMap::new(); names.len()];
        let mut columns: Vec<Vec<i32>> = vec![Vec::new(); names.len()];
        let mut labels = Vec::new();
        for line in lines {
            let line = line.map_err(|error| error.to_string())?;
            let mut row = fields(&line);
            for (seen, column) in seen.iter_mut().zip(&mut columns) {
                let field = row.next().ok_or_else(|| format!("too few fields: {line}"))?;
                let next = seen.len() as i32;
                column.push(match seen.get(field) {
                    Some(&code) => code,
                    None => *seen.entry(field.to_string()).or_insert(next),
                });
            }
            let label = row.next().and_then(|label| label.parse().ok());
            labels.push(label.filter(|&label| label < 2).ok_or_else(|| format!("no label 0 or 1: {line}"))?);
        }
        let levels = seen.iter().zip(&mut columns).map(|(seen, column)| sort_codes(seen, column)).collect();
        Ok(Table { names, levels, columns, labels })
    }

    /// Write the table as CSV; `gz` at the end of the name packs it.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        let wrong = |error: std::io::Error| format!("{}: {error}", path.display());
        let file = std::fs::File::create(path).map_err(wrong)?;
        let mut gzip =
            Command::new("gzip").arg("-1nc").stdin(Stdio::piped()).stdout(file).spawn().map_err(wrong)?;
        let mut pipe = std::io::BufWriter::new(gzip.stdin.take().ok_or("no input of gzip")?);
        writeln!(pipe, "{},label", self.names.join(",")).map_err(wrong)?;
        for (row, label) in self.labels.iter().enumerate() {
            for (column, levels) in self.columns.iter().zip(&self.levels) {
                write!(pipe, "{},", levels[column[row] as usize - 1]).map_err(wrong)?;
            }
            writeln!(pipe, "{label}").map_err(wrong)?;
        }
        drop(pipe);
        gzip.wait().map_err(wrong)?;
        Ok(())
    }
}

fn fields(line: &str) -> impl Iterator<Item = &str> {
    line.trim_end_matches('\r').split(',').map(|field| field.trim_matches('"'))
}

/// Codes in the order of first sight become codes from 1 in the order of the levels' bytes.
fn sort_codes(seen: &BTreeMap<String, i32>, column: &mut [i32]) -> Vec<String> {
    let mut rank = vec![0; seen.len()];
    for (index, &code) in seen.values().enumerate() {
        rank[code as usize] = index as i32 + 1;
    }
    column.iter_mut().for_each(|code| *code = rank[*code as usize]);
    seen.keys().cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_follow_the_order_of_the_levels() {
        let table = Table::parse("a,b,label\nz,\"q\",1\nx,q,0\ny,q,1\n".as_bytes()).unwrap();
        assert_eq!(table.columns, [[3, 1, 2], [1, 1, 1]]);
        assert_eq!(table.labels, [1, 0, 1]);
        assert_eq!(table.items().1, ["a=x", "a=y", "a=z"]);
        assert!(Table::parse("a,label\nz\n".as_bytes()).is_err());
        assert!(Table::parse("a,label\nz,2\n".as_bytes()).is_err());
    }
}
