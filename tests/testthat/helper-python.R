# The reader of inst/python and the schema of inst/schema, run by Python.

reader_file <- function() system.file("python", "sbrl_reader.py", package = "sbrl", mustWork = TRUE)

skip_if_no_plain_python <- function() {
  skip_on_cran()
  skip_if_not_installed("jsonlite")
  skip_if(!nzchar(Sys.which(test_python())), "no Python")
}

reader_script <- "
import datetime, json, sys
cases = json.load(open(sys.argv[1], encoding='utf-8'))
sys.path.insert(0, cases[0]['reader'])
sys.dont_write_bytecode = True
import sbrl_reader
zone = datetime.timezone.utc
read = {
    'number': float, 'text': str, 'logical': lambda v: v == 'TRUE', 'day': str, 'date': datetime.date.fromisoformat,
    'span': lambda v: datetime.timedelta(hours=float(v)),
    'time': lambda v: datetime.datetime(1970, 1, 1, tzinfo=zone) + datetime.timedelta(seconds=float(v)),
}
answers = []
for case in cases:
    model = sbrl_reader.load(case['file'])
    rows = [
        {n: None if v is None else read[t](v) for n, v, t in zip(case['names'], row, case['types'])}
        for row in case['rows']
    ]
    answer = model.predict(rows)
    answers.append([
        [one['rule'], one['class']] + [repr(one['probs'][name]) for name in case['classes']] for one in answer
    ])
json.dump(answers, open(sys.argv[2], 'w', encoding='utf-8'))
"

# `as_types`: the types of some columns, by name, as the script names them.
run_reader <- function(cases, as_types = list()) {
  pages <- tempfile(rep("model", length(cases)), fileext = ".json")
  on.exit(unlink(pages))
  write <- function(case, page) {
    sbrl_write_json(case$model, page, missing = case$missing)
    k <- length(case$model$classes)
    is_day <- names(case$data) %in% names(as_types)[as_types %in% c("day", "date")]
    case$data[is_day] <- lapply(case$data[is_day], format)
    rows <- export_rows(case)
    chosen <- match(names(as_types), rows$names)
    rows$types[chosen[!is.na(chosen)]] <- unlist(as_types)[!is.na(chosen)]
    classes <- case$model$classes[if (k == 2) 2 else seq_len(k)]
    c(list(file = page, classes = I(classes), reader = dirname(reader_file())), rows)
  }
  run_export(Map(write, cases, pages), reader_script, test_python(), ".py")
}

# The file of each, checked against the schema: "" or what is wrong with it.
schema_problems <- function(files) {
  script <- tempfile(fileext = ".py")
  on.exit(unlink(script))
  writeLines(c(
    "import json, sys, jsonschema", "schema = json.load(open(sys.argv[1], encoding='utf-8'))",
    "jsonschema.Draft202012Validator.check_schema(schema)", "validator = jsonschema.Draft202012Validator(schema)",
    "for file in sys.argv[2:]:",
    "    error = next(validator.iter_errors(json.load(open(file, encoding='utf-8'))), None)",
    "    print('' if error is None else repr(error.message[:200]))"
  ), script)
  schema <- system.file("schema", "model.schema.json", package = "sbrl", mustWork = TRUE)
  system2("env", c("-u", "LD_LIBRARY_PATH", exports_python(), shQuote(c(script, schema, files))), stdout = TRUE)
}

verdict_script <- "
import sys
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import sbrl_reader
for file in open(sys.argv[2], encoding='utf-8').read().splitlines():
    try:
        sbrl_reader.load(file)
        print('read')
    except sbrl_reader.ModelError as error:
        print('refused:', ascii(str(error)))
    except BaseException as error:
        print('fails:', ascii(repr(error))[:300])
"

# What the reader says of each file, in one process: "read", "refused: <why>", or "fails: <error of another class>".
reader_verdicts <- function(files) {
  paths <- tempfile(c("script", "files"), fileext = c(".py", ".txt"))
  on.exit(unlink(paths))
  writeLines(verdict_script, paths[1])
  writeLines(files, paths[2])
  words <- c("-u", "LD_LIBRARY_PATH", test_python(), paths[1], dirname(reader_file()), paths[2])
  system2("env", words, stdout = TRUE)
}

# Files with one change each: names of the files, which R reads.
changed_files <- function(seeds, folder) {
  file.path(folder, vapply(seeds, function(seed) {
    changed <- changed_json(seed)
    name <- sprintf("%s-%d.json", changed$name, seed)
    writeBin(changed$bytes, file.path(folder, name))
    name
  }, ""))
}

is_read_by_r <- function(file) {
  tryCatch(is.list(suppressWarnings(sbrl_read_json(file))), sbrl_error = \(e) FALSE)
}

# Where the reader and R differ. The reader cannot evaluate all files that R reads, and says so.
verdict_differences <- function(files) {
  said <- reader_verdicts(files)
  by_r <- vapply(files, is_read_by_r, NA)
  is_beyond <- grepl("which is computed by R|has many lists", said)
  expected <- ifelse(by_r, "read", "refused")
  wrong <- sub(":.*", "", said) != expected & !is_beyond
  sprintf("%s: R %s, but %s", basename(files), ifelse(by_r, "reads it", "refuses it"), said)[wrong]
}
