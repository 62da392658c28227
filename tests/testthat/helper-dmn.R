# Engines of DMN in which the tests run what as_dmn() writes.

# bpmn.io's reader, which implements the model of DMN, and its engine of FEEL; the hit policy is the loop here.
feelin_script <- "
import fs from 'fs';
import { DmnModdle } from 'dmn-moddle';
import { evaluate, unaryTest } from 'feelin';
const value = (text, context = {}) => evaluate(text, context).value;
const load = async (file) => {
  const read = await new DmnModdle().fromXML(fs.readFileSync(file, 'utf8'));
  if (read.warnings.length > 0) throw new Error(file + ': ' + read.warnings[0].message);
  const table = read.rootElement.drgElement.find((one) => one.$type === 'dmn:Decision').decisionLogic;
  if (table.hitPolicy !== 'FIRST') throw new Error(table.hitPolicy);
  const inputs = table.input || [];
  return (context) => {
    const given = inputs.map((input) => value(input.inputExpression.text, context));
    const hit = table.rule.find((rule) => (rule.inputEntry || []).every((entry, j) => {
      const met = unaryTest(entry.text, Object.assign({ '?': given[j] }, context));
      if (met.warnings.some((one) => !/NO_VARIABLE|INVALID_TYPE|NOT_COMPARABLE/.test(one.type))) {
        throw new Error(entry.text + ': ' + JSON.stringify(met.warnings));
      }
      return met.value === true;
    }));
    return Object.fromEntries(table.output.map((output, j) => [output.name, value(hit.outputEntry[j].text)]));
  };
};
const day = (v) => value('date(\"' + v + '\")');
"

# A whole engine, of DMN 1.1.
dmn_eval_script <- "
import fs from 'fs';
import { createRequire } from 'module';
const { decisionTable } = createRequire(import.meta.url)('@hbtgmbh/dmn-eval-js');
const load = async (file) => {
  const text = fs.readFileSync(file, 'utf8').replace('https://www.omg.org/spec/DMN/20191111/MODEL/',
    'http://www.omg.org/spec/DMN/20151101/dmn.xsd');
  const decisions = await decisionTable.parseDmnXml(text);
  return (context) => decisionTable.evaluateDecision('prediction', decisions, context);
};
const day = (v) => v;
"

dmn_answers <- "
const read = {
  number: (v) => v === 'Infinity' ? Infinity : v === '-Infinity' ? -Infinity : Number(v),
  text: (v) => v, logical: (v) => v === 'TRUE', date: day,
};
const answers = [];
for (const one of JSON.parse(fs.readFileSync(process.argv[2], 'utf8'))) {
  const decide = await load(one.file);
  answers.push(one.rows.map((row) => {
    const entries = row.map((v, j) => [one.names[j], v === null ? null : read[one.types[j]](v)]);
    const answer = decide(Object.fromEntries(entries));
    return one.outputs.map((name) => answer[name] === null || answer[name] === undefined ? null : String(answer[name]));
  }));
}
fs.writeFileSync(process.argv[3], JSON.stringify(answers));
"

run_dmn <- function(cases, script) {
  pages <- tempfile(rep("model", length(cases)), fileext = ".dmn")
  on.exit(unlink(pages))
  write <- function(case, page) {
    table <- as_dmn(case$model, text_columns(case), missing = case$missing)
    writeLines(table, page, useBytes = TRUE)
    inputs <- attr(table, "inputs")
    # rows have the columns that the rules use, by the names of the inputs, and dates as dates
    is_date <- vapply(case$data[names(inputs)], inherits, NA, "Date")
    case$data <- case$data[names(inputs)]
    case$data[is_date] <- lapply(case$data[is_date], format)
    rows <- export_rows(case)
    rows$names <- I(unname(inputs))
    rows$types[is_date] <- "date"
    # names of outputs have letters, digits and underscores only
    outputs <- grep("^<output ", strsplit(table, "\n", fixed = TRUE)[[1]], value = TRUE)
    c(list(file = page, outputs = I(sub(".* name=\"(\\w+)\" .*", "\\1", outputs))), rows)
  }
  run_export(Map(write, cases, pages), paste0(script, dmn_answers), "node", ".mjs", exports_folder())
}

# Rows without missing or infinite values in the columns that the rules use, which dmn-eval-js cannot compare, and
# no dates, which it takes only as objects of its own; NULL if none is left.
plain_dmn_case <- function(case) {
  used <- case$data[names(attr(as_dmn(case$model), "inputs"))]
  if (any(vapply(used, inherits, NA, "Date"))) {
    return(NULL)
  }
  good <- rowSums(vapply(used, \(x) !is.na(x) & !x %in% c(Inf, -Inf), logical(nrow(used)))) == length(used)
  case$data <- case$data[good, , drop = FALSE]
  if (any(good)) case
}
