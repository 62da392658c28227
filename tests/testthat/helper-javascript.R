# Node runs what as_javascript() writes.

skip_if_no_node <- function() {
  skip_on_cran()
  skip_if_not_installed("jsonlite")
  skip_if(!nzchar(Sys.which("node")), "no Node")
}

# Each value as JavaScript has it; `dates` chooses how dates and times come.
node_script <- "
const fs = require('fs');
const read = {
  number: (v) => v === 'Infinity' ? Infinity : v === '-Infinity' ? -Infinity : Number(v),
  text: (v) => v, logical: (v) => v === 'TRUE', day: (v) => v, time: (v) => new Date(1000 * Number(v)),
};
const answers = JSON.parse(fs.readFileSync(process.argv[2], 'utf8')).map((one) => {
  const score = new Function(one.source + '\\nreturn score;')();
  return one.rows.map((row) => {
    const entries = row.map((v, j) => [one.names[j], v === null ? null : read[one.types[j]](v)]);
    const answer = score(Object.fromEntries(entries));
    return [answer.rule, answer.class].concat(one.classes.map((name) => answer.probs[name])).map(
      (v) => v === null ? null : String(v));
  });
});
fs.writeFileSync(process.argv[3], JSON.stringify(answers));
"

run_node <- function(cases) {
  write <- function(case) {
    k <- length(case$model$classes)
    source <- as.character(as_javascript(case$model, missing = case$missing))
    stopifnot(all(utf8ToInt(source) < 127))
    list(source = source, classes = I(case$model$classes[if (k == 2) 2 else seq_len(k)])) |> c(export_rows(case))
  }
  run_export(lapply(cases, write), node_script, "node", ".js")
}
