"""Starts the paper's Markov chain (chain.py) at each candidate in turn.

    python starts.py <directory of a problem> <lambda> <iterations> <repeats> <best list> <its log posterior>

The best list is given as numbers of candidates from 0, separated by commas; its log posterior is computed anew and must
be the one given. Prints a line per chain: the candidate it began with, its number, the iteration that came close to the
best log posterior (99% of the way up from the list without rules) and the one that reached it (to a tenth of a nat), 0 if
none did, and the highest log posterior of all.
"""
import sys

from chain import Chain, Gmp, read_problem

directory, rate, iterations, repeats = sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
chain = Chain(Gmp(), read_problem(directory), rate, reuse=True)
best_list, best = [int(rule) for rule in sys.argv[5].split(",")], float(sys.argv[6])


def score(rules):
    return chain.score(rules, chain.counted(rules, None, 0))


assert abs(score(best_list) - best) < 1e-6 * abs(best), f"{score(best_list)} instead of {best}"
targets = (best - 0.01 * (best - score([])), best - 0.1)

print("first,chain,close,reached,highest")
for repeat in range(1, repeats + 1):
    for first in range(len(chain.rules)):
        values = [value for _, value in chain.run(iterations, 1000 * repeat + first, first)]
        found = [next((i for i, value in enumerate(values, 1) if value >= target), 0) for target in targets]
        print(f"{first + 1},{repeat},{found[0]},{found[1]},{max(values):.6f}")
