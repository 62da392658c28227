# Engines of PMML in which the tests run what as_pmml() writes.

# jpmml_evaluator brings an engine and the schema; lxml checks against it.
jpmml_script <- "
import io, json, os, sys, zipfile
import jpmml_evaluator
from lxml import etree
jars = os.path.join(os.path.dirname(jpmml_evaluator.__file__), 'dependencies')
jar = [os.path.join(jars, name) for name in os.listdir(jars) if name.startswith('pmml-model-1')][0]
schema = etree.XMLSchema(etree.parse(io.BytesIO(zipfile.ZipFile(jar).read('pmml.xsd'))))
def load(file):
    schema.assertValid(etree.parse(file))
    return jpmml_evaluator.make_evaluator(file).verify().evaluate
"

pypmml_script <- "
import json, sys
import pypmml
def load(file):
    return pypmml.Model.fromFile(file).predict
"

pmml_answers <- "
answers = []
for case in json.load(open(sys.argv[1], encoding='utf-8')):
    predict = load(case['file'])
    read = {'number': float, 'text': str, 'logical': lambda value: value == 'TRUE'}
    rows = []
    for row in case['rows']:
        values = [None if v is None else read[t](v) for v, t in zip(row, case['types'])]
        answer = predict(dict(zip(case['names'], values)))
        rows.append([None if answer[name] is None else str(answer[name]) for name in case['outputs']])
    answers.append(rows)
json.dump(answers, open(sys.argv[2], 'w', encoding='utf-8'))
import os
sys.stdout.flush()
os._exit(0)
"

run_pmml <- function(cases, script) {
  pages <- tempfile(rep("model", length(cases)), fileext = ".pmml")
  on.exit(unlink(pages))
  write <- function(case, page) {
    writeLines(as_pmml(case$model, text_columns(case), missing = case$missing), page, useBytes = TRUE)
    k <- length(case$model$classes)
    outputs <- c("rule", "class", if (k == 2) "prob" else paste0("prob_", case$model$classes))
    c(list(file = page, outputs = outputs), export_rows(case))
  }
  run_export(Map(write, cases, pages), paste0(script, pmml_answers), exports_python(), ".py")
}
