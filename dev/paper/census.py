"""Writes a table drawn by ../shared/data/make_census_like.py (model "tree") in a form that R reads quickly.

    python census.py <directory of the data> <rows> <output>

<output>.bin has one byte per value, column by column, the label last; <output>.txt has a line per column: its name and
its levels, separated by tabs. <output>.rules is a CSV file of the rules that the labels follow and their probabilities.
"""
import sys

import numpy as np

directory, rows, output = sys.argv[1], int(sys.argv[2]), sys.argv[3]
sys.path.insert(0, directory)
sys.dont_write_bytecode = True
import make_census_like  # noqa: E402

codes, levels, names, y, truth = make_census_like.make(rows=rows, model="tree")
codes = np.asarray(codes)
if codes.shape[0] == rows:
    codes = codes.T
assert codes.shape == (len(names), rows) and codes.max() < 255
with open(output + ".bin", "wb") as file:
    for column in list(codes) + [np.asarray(y)]:
        file.write(np.ascontiguousarray(column, dtype=np.uint8).tobytes())
with open(output + ".txt", "w") as file:
    for name, own in zip(list(names) + ["label"], list(levels) + [["0", "1"]]):
        file.write("\t".join([name] + [str(level) for level in own]) + "\n")
with open(output + ".rules", "w") as file:
    file.write("rule,probability\n")
    for rule in truth["rules"]:
        file.write(f"{rule['if']},{rule['p']}\n")
