"""One Markov chain over rule lists with four ways to keep rows, from the paper's formulas, and the authors' C.

    python ablation.py <directory> <seed>

The directory has rules.txt and labels.txt as pysbrl reads them, and lengths.txt. All steps but the last draw the same
proposals and must visit the same lists, which is checked. Prints "step,seconds,length": seconds of the processor per 1,000
iterations and the mean length of the list.
"""
import os
import random
import sys
import time
from math import factorial, lgamma, log

LAMBDA, ETA = 10.0, 1.0


class Sets:
    """Rows as Python sets, each list counted anew."""
    def rows(self, bits):
        return {i for i, bit in enumerate(bits) if bit == "1"}

    def split(self, rule, left):
        captured = rule & left
        return captured, left - captured

    def count(self, rows, positive):
        ones = len(rows & positive)
        return ones, len(rows) - ones


class Integers:
    """Rows as the bits of Python's whole numbers."""
    def rows(self, bits):
        return int("".join(bits), 2)

    def split(self, rule, left):
        captured = rule & left
        return captured, left & ~captured

    def count(self, rows, positive):
        ones = bin(rows & positive).count("1")
        return ones, bin(rows).count("1") - ones


class Gmp(Integers):
    """Rows as the bits of GMP's whole numbers."""
    def rows(self, bits):
        import gmpy2
        return gmpy2.mpz(int("".join(bits), 2))

    def count(self, rows, positive):
        import gmpy2
        ones = gmpy2.popcount(rows & positive)
        return ones, gmpy2.popcount(rows) - ones


def read(file):
    with open(file) as lines:
        return [line.split()[1:] for line in list(lines)[2:]]


class Chain:
    def __init__(self, kind, rules, positive, lengths, reuse):
        self.kind, self.reuse = kind, reuse
        self.rules = [kind.rows(bits) for bits in rules]
        self.positive = kind.rows(positive)
        self.all = kind.rows(["1"] * len(positive))
        self.lengths = lengths
        self.sizes = {c: lengths.count(c) for c in set(lengths)}

    def log_prior(self, rules):
        left = dict(self.sizes)
        value = len(rules) * log(LAMBDA) - lgamma(len(rules) + 1)
        for rule in rules:
            size = self.lengths[rule]
            total = sum(ETA ** c / factorial(c) for c, n in left.items() if n > 0)
            value += log(ETA ** size / factorial(size) / total) - log(left[size])
            left[size] -= 1
        return value

    def counted(self, rules, before, first):
        """(rows left, log likelihood so far) above each position; those above `first` are taken from `before`."""
        states = list(before[:first + 1]) if self.reuse and before else [(self.all, 0.0)]
        for rule in rules[len(states) - 1:]:
            left, value = states[-1]
            captured, left = self.kind.split(self.rules[rule], left)
            states.append((left, value + log_marginal(*self.kind.count(captured, self.positive))))
        return states

    def score(self, rules, states):
        left, value = states[-1]
        return value + log_marginal(*self.kind.count(left, self.positive)) + self.log_prior(rules)

    def run(self, iterations, seed):
        rng = random.Random(seed)
        rules = [rng.randrange(len(self.rules))]
        states = self.counted(rules, None, 0)
        value = self.score(rules, states)
        visited = []
        for _ in range(iterations):
            proposal, first = propose(rules, len(self.rules), rng)
            threshold = log(rng.random())
            new_states = self.counted(proposal, states, first)
            new_value = self.score(proposal, new_states)
            if threshold < new_value - value:
                rules, states, value = proposal, new_states, new_value
            visited.append((len(rules), value))
        return visited


def log_marginal(ones, zeros):
    return lgamma(ones + 1) + lgamma(zeros + 1) - lgamma(ones + zeros + 2)


def propose(rules, n_rules, rng):
    """Add, remove or swap, and the first position that changes. The chain's correction for the number of ways is left out: it
    does not matter for time."""
    move = rng.choice(("add", "remove", "swap"))
    if move == "add" or len(rules) < 2:
        unused = [rule for rule in (rng.randrange(n_rules) for _ in range(20)) if rule not in rules]
        at = rng.randrange(len(rules) + 1)
        return rules[:at] + unused[:1] + rules[at:], at
    if move == "remove":
        at = rng.randrange(len(rules))
        return rules[:at] + rules[at + 1:], at
    i, j = sorted(rng.sample(range(len(rules)), 2))
    swapped = list(rules)
    swapped[i], swapped[j] = swapped[j], swapped[i]
    return swapped, i


# Slower steps run fewer iterations of the same chain, so their lists are a little shorter on average.
def time_steps(directory, seed):
    rules = read(os.path.join(directory, "rules.txt"))
    positive = read(os.path.join(directory, "labels.txt"))[1]
    with open(os.path.join(directory, "lengths.txt")) as lines:
        lengths = [int(line) for line in lines]
    steps = [("Python sets", Sets(), False, 300), ("Python integers", Integers(), False, 1000), ("GMP", Gmp(), False, 3000),
             ("GMP; reuse above the change", Gmp(), True, 3000)]
    visited = []
    for name, kind, reuse, iterations in steps:
        chain = Chain(kind, rules, positive, lengths, reuse)
        start = time.process_time()
        visited.append(chain.run(iterations, seed))
        spent = time.process_time() - start
        shared = min(len(visited[0]), iterations)
        for (n, value), (m, other) in zip(visited[0][:shared], visited[-1]):
            assert n == m and abs(value - other) < 1e-6 * abs(value), name
        print(f"{name},{1000 * spent / iterations:.6g},{sum(n for n, _ in visited[-1]) / iterations:.3g}")


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
    print(f"C and GMP (pysbrl),{1000 * (spent[1] - spent[0]) / (20 * 4900):.6g},{len(chosen) - 1}")


print("step,seconds,length")
time_steps(sys.argv[1], int(sys.argv[2]))
time_authors(sys.argv[1])
