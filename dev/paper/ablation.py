"""Times one Markov chain over rule lists with four ways to keep rows (chain.py), and the authors' C.

    python ablation.py <directory of a problem> <seed>

All steps but the last draw the same proposals and must visit the same lists, which is checked. Prints
"step,seconds,length,counted": seconds of the processor per 1,000 iterations, the mean length of the list, and the rules
whose captured rows were counted per iteration.
"""
import os
import sys
import time

from chain import ETA, Chain, Gmp, Integers, Sets, read_problem

LAMBDA = 10.0


# Slower steps run fewer iterations of the same chain, so their lists are a little shorter on average.
def time_steps(directory, seed):
    problem = read_problem(directory)
    steps = [("Python sets", Sets(), False, 300), ("Python integers", Integers(), False, 1000), ("GMP", Gmp(), False, 3000),
             ("GMP; reuse above the change", Gmp(), True, 3000)]
    visited = []
    for name, kind, reuse, iterations in steps:
        chain = Chain(kind, problem, LAMBDA, reuse)
        start = time.process_time()
        visited.append(list(chain.run(iterations, seed)))
        spent = time.process_time() - start
        shared = min(len(visited[0]), iterations)
        for (n, value), (m, other) in zip(visited[0][:shared], visited[-1]):
            assert n == m and abs(value - other) < 1e-6 * abs(value), name
        length = sum(n for n, _ in visited[-1]) / iterations
        print(f"{name},{1000 * spent / iterations:.6g},{length:.3g},{chain.n_counted / iterations:.4g}")


def time_authors(directory):
    try:
        import _sbrl
    except ImportError:
        return
    import numpy as np
    files = [os.path.join(directory, name) for name in ("rules.txt", "labels.txt")]
    spent = []
    for iterations in (100, 5000):
        start = time.process_time()
        chosen, _, _ = _sbrl.train_sbrl(*files, LAMBDA, ETA, iterations, 20, np.array([1, 1], dtype=np.int32), 1, 0)
        spent.append(time.process_time() - start)
    print(f"C and GMP (pysbrl),{1000 * (spent[1] - spent[0]) / (20 * 4900):.6g},{len(chosen) - 1},NA")


print("step,seconds,length,counted")
time_steps(sys.argv[1], int(sys.argv[2]))
time_authors(sys.argv[1])
