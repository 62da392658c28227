"""Time pysbrl (a C implementation of the paper) on given candidates: ns of the processor per iteration.

    python time.py <rules> <labels>

The difference between long and short chains is counted, so that reading the files is not. Prints one number.
"""
import sys
import time

import _sbrl
import numpy as np

CHAINS, SHORT, LONG = 20, 100, 5000


def seconds(rules, labels, iterations):
    start = time.process_time()
    alpha = np.array([1, 1], dtype=np.int32)
    chosen, probabilities, names = _sbrl.train_sbrl(rules, labels, 10.0, 1.0, iterations, CHAINS, alpha, 1, 0)
    spent = time.process_time() - start
    # a list of known rules, the default rule last, with probabilities that add up
    assert len(chosen) >= 1 and chosen[-1] == 0 and max(chosen) < len(names)
    assert np.allclose(np.sum(probabilities, axis=1), 1)
    return spent


def main():
    rules, labels = sys.argv[1:3]
    short = seconds(rules, labels, SHORT)
    long = seconds(rules, labels, LONG)
    print(1e9 * (long - short) / (CHAINS * (LONG - SHORT)))


main()
