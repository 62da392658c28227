"""The paper's Markov chain over rule lists, in plain Python from its formulas, with three ways to keep rows.

A problem is a directory that problem.R writes: rules.txt and labels.txt as pysbrl reads them, and lengths.txt.
"""
import os
import random
from math import exp, factorial, lgamma, log

ETA = 1.0


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


def read_bits(directory, name):
    with open(os.path.join(directory, name)) as lines:
        return [line.split()[1:] for line in list(lines)[2:]]


def read_problem(directory):
    """The bits of the candidates, those of the positive rows, and the lengths of the candidates."""
    with open(os.path.join(directory, "lengths.txt")) as lines:
        lengths = [int(line) for line in lines]
    return read_bits(directory, "rules.txt"), read_bits(directory, "labels.txt")[1], lengths


class Chain:
    """Add, remove and swap, each proposed with probability 1/3; accepted by the rule of Metropolis and Hastings."""
    def __init__(self, kind, problem, rate, reuse):
        rules, positive, lengths = problem
        self.kind, self.rate, self.reuse = kind, rate, reuse
        self.rules = [kind.rows(bits) for bits in rules]
        self.positive = kind.rows(positive)
        self.all = kind.rows(["1"] * len(positive))
        self.lengths = lengths
        self.sizes = {c: lengths.count(c) for c in set(lengths)}
        self.n_counted = 0
        self.log_poisson = log(sum(exp(m * log(rate) - lgamma(m + 1)) for m in range(len(lengths) + 1)))

    def log_prior(self, rules):
        left = dict(self.sizes)
        value = len(rules) * log(self.rate) - lgamma(len(rules) + 1) - self.log_poisson
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
            self.n_counted += 1
            left, value = states[-1]
            captured, left = self.kind.split(self.rules[rule], left)
            states.append((left, value + log_marginal(*self.kind.count(captured, self.positive))))
        return states

    def score(self, rules, states):
        left, value = states[-1]
        return value + log_marginal(*self.kind.count(left, self.positive)) + self.log_prior(rules)

    def run(self, iterations, seed, first=None):
        """Length and log posterior of the list after each iteration. The chain begins with one rule, `first` or any."""
        rng = random.Random(seed)
        rules = [rng.randrange(len(self.rules)) if first is None else first]
        states = self.counted(rules, None, 0)
        value = self.score(rules, states)
        for _ in range(iterations):
            proposal, changed, log_ways = propose(rules, len(self.rules), rng)
            threshold = log(1 - rng.random())
            if proposal is not None:
                new_states = self.counted(proposal, states, changed)
                new_value = self.score(proposal, new_states)
                if threshold < new_value - value + log_ways:
                    rules, states, value = proposal, new_states, new_value
            yield len(rules), value


def log_marginal(ones, zeros):
    return lgamma(ones + 1) + lgamma(zeros + 1) - lgamma(ones + zeros + 2)


def propose(rules, n_rules, rng):
    """A new list (or none, if the move is impossible), the first position that changes, and the log of the ratio of the
    probabilities of proposing the way back and the way there."""
    move, m = rng.choice(("add", "remove", "swap")), len(rules)
    if move == "add" and m < n_rules:
        at, new = rng.randrange(m + 1), rng.randrange(n_rules)
        while new in rules:
            new = rng.randrange(n_rules)
        return rules[:at] + [new] + rules[at:], at, log(n_rules - m)
    if move == "remove" and m > 0:
        at = rng.randrange(m)
        return rules[:at] + rules[at + 1:], at, -log(n_rules - m + 1)
    if move == "swap" and m > 1:
        i, j = sorted(rng.sample(range(m), 2))
        swapped = list(rules)
        swapped[i], swapped[j] = swapped[j], swapped[i]
        return swapped, i, 0.0
    return None, 0, 0.0
