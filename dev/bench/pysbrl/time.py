"""Time pysbrl (a C implementation of the paper) on given candidates: ns of the processor per iteration, and its list.

    python time.py <rules> <labels>

The difference between long and short chains is counted, so that reading the files is not. Prints the ns, then
the names of the rules that the long chains found, one per line and without the default rule.
"""
import sys
import time

import _sbrl
import numpy as np

CHAINS, SHORT, LONG = 20, 100, 5000


def run(rules, labels, iterations):
    start = time.process_time()
    alpha = np.array([1, 1], dtype=np.int32)
    chosen, probabilities, names = _sbrl.train_sbrl(rules, labels, 10.0, 1.0, iterations, CHAINS, alpha, 1, 0)
    spent = time.process_time() - start
    # a list of known rules, the default rule last, with probabilities that add up
    assert len(chosen) >= 1 and chosen[-1] == 0 and max(chosen) < len(names)
    assert np.allclose(np.sum(probabilities, axis=1), 1)
    found = [names[rule] for rule in chosen[:-1]]
    return spent, [name.decode() if isinstance(name, bytes) else name for name in found]


def main():
    rules, labels = sys.argv[1:3]
    short, _ = run(rules, labels, SHORT)
    long, found = run(rules, labels, LONG)
    print(1e9 * (long - short) / (CHAINS * (LONG - SHORT)), *found, sep="\n")


main()
