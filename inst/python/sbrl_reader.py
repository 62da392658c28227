"""Predictions of rule lists that the R package sbrl wrote with sbrl_write_json().

A small reference reader, without dependencies, for Python 3.8 or later. The format is described by
model.schema.json, in the folder `schema` of the package. A file that sbrl_read_json() refuses is refused here, too, with a
ModelError.

    model = load("model.json")
    model.predict([{"age": 52, "sex": "Male"}, {"age": None, "sex": "Female"}])

Each answer is a dictionary: `rule`, the position of the rule that captures the row, 0 for the default rule, None for
the base rate; `class`, the most probable class; `probs`, the probability of each class by its name.

On the command line, `python sbrl_reader.py model.json < rows.json` reads an array of rows and writes one of answers.
"""

import datetime
import json
import math
import re
import sys
from bisect import bisect_right
from decimal import Decimal

NEWEST_FORMAT = 3
# the first format in which an item may be a set of codes with gaps
FORMAT_WITH_SETS = 3
POLICIES = ("fallthrough", "error", "base_rate")
LARGEST_FILE = 256 * 2**20
MOST_DEPTH = 127
SECONDS = {"secs": 1.0, "mins": 60.0, "hours": 3600.0, "days": 86400.0, "weeks": 604800.0}
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


class ModelError(ValueError):
    """The file is no rule list, or one that this reader cannot evaluate."""


class RowError(ValueError):
    """A row lacks a column, or has a value of another type."""


def load(file):
    """The model in a file."""
    with open(file, "rb") as stream:
        data = stream.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise ModelError("The file has more than %d bytes." % LARGEST_FILE)
    return Model(parse(data))


class Model:
    """A rule list; `content` is a file's content as parse() returns it."""

    def __init__(self, content):
        check_format(content)
        if "lists" in At(content, "").field("report").object():
            raise ModelError("The file has many lists; write one of them, such as medoid(x).")
        check_model(content)
        self.classes = content["classes"]
        self.missing = content.get("missing", "fallthrough")
        self._default = content["rules"][-1]["default"]["probabilities"]
        self._base_rate = base_rate(content)
        self._rules = [(rule["candidate"], rule["then"]["probabilities"]) for rule in content["rules"][:-1]]
        empty = content["report"]["settings"].get("empty_as_missing") == [1]
        self._features, self._items = used_parts(content, self._rules, empty)
        self._rules = [(content["candidates"][candidate - 1], probs) for candidate, probs in self._rules]

    @property
    def columns(self):
        """Names of the columns that the rules use."""
        return [feature.name for feature in self._features.values()]

    def predict(self, rows, missing=None):
        """One answer per row. `missing` is one of POLICIES; without it, what the file says."""
        policy = self.missing if missing is None else missing
        if policy not in POLICIES:
            raise ValueError("missing must be one of %s" % ", ".join(POLICIES))
        return [self._answer(*self._decide(row, policy)) for row in rows]

    def _decide(self, row, policy):
        codes = {index: feature.code(row) for index, feature in self._features.items()}
        for position, (items, probs) in enumerate(self._rules, start=1):
            states = [self._state(self._items[item], codes) for item in items]
            if all(state is True for state in states):
                return position, probs
            # a missing value leaves the rule open unless another condition fails
            if policy != "fallthrough" and False not in states:
                if policy == "error":
                    raise RowError("A value is missing that rule %d asks for." % position)
                return None, self._base_rate
        return 0, self._default

    def _state(self, item, codes):
        feature, matching = item
        code = codes[feature]
        if code == 0 and not self._features[feature].was_missing:
            return None
        return code in matching

    def _answer(self, rule, probs):
        likeliest = self.classes[probs.index(max(probs))]
        return {"rule": rule, "class": likeliest, "probs": dict(zip(self.classes, probs))}


def used_parts(content, rules, empty_as_missing):
    """The features and items that the rules use, by their numbers."""
    items = {}
    for candidate, _ in rules:
        for number in content["candidates"][candidate - 1]:
            item = content["items"][number - 1]
            items[number] = (item["feature"], matching_codes(item, content["format_version"]))
    with_missing = {item["feature"] for item in content["items"]
                    if 0 in matching_codes(item, content["format_version"])}
    features = {}
    for index in sorted({item[0] for item in items.values()}):
        feature = content["features"][index - 1]
        if is_computed(feature["name"], content["formula"]):
            raise ModelError("The rules use %s, which is computed by R." % feature["name"])
        features[index] = Feature(feature, index in with_missing, empty_as_missing)
    return features, items


def matching_codes(item, version):
    """The codes that meet an item, of which None, that of a level never seen, is none."""
    if version >= FORMAT_WITH_SETS and "codes" in item:
        return frozenset(item["codes"])
    return range(item["lo"], item["hi"] + 1)


def base_rate(content):
    """Class probabilities of a row that a missing value leaves undecided, computed as in R."""
    alpha = content["prior"]["alpha"]
    strength = content.get("shrinkage", 0) or sum(alpha)
    counts = base_counts(content["class_counts"], alpha)
    weights = [strength * count / sum(counts) for count in counts]
    least = 2.0**-53
    probs = [min(max(weight / sum(weights), least), 1 - least) for weight in weights]
    return [1 - probs[1], probs[1]] if len(probs) == 2 else probs


def base_counts(counts, alpha):
    """The counts behind the base rate: where a class has no row, with the pseudo-counts of the prior."""
    return counts if min(counts) > 0 else [count + added for count, added in zip(counts, alpha)]


def is_computed(name, formula):
    """Is a feature a call in the formula? Columns are names in R's syntax, or in backquotes."""
    if formula == "" or re.fullmatch(r"(?:[^\W\d_]|[.](?!\d))[\w.]*", name):
        return False
    escapes = {"\\": "\\\\", "`": "\\`", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
    quoted = "".join(escapes.get(character, character) for character in name)
    return "`" + quoted + "`" not in formula


# What a file must contain -------------------------------------------------------------------------------------------

TYPES = ("categorical", "ordered", "number", "integer", "date", "datetime", "difftime")
CHAINS = ("chain", "best_log_posterior", "best_length", "iterations", "add", "remove", "swap", "replace")
TRACE = ("chain", "iteration", "log_posterior", "length")
TIMING = ("binarise", "mine", "search")
SETTINGS = ("rule_minlen", "rule_maxlen", "nchain", "threads", "max_rules", "bins", "weighted", "n_rows")
CERTIFICATE = ("log_posterior", "upper_bound", "gap", "max_length", "max_length_proved", "n_rules", "n_candidates",
               "nodes", "seconds")


def parse(data):
    """The content of a file, given as bytes: JSON as the R package reads it."""
    try:
        text = data.decode("utf-8")
        check_depth(text)
        content = json.loads(text, parse_int=whole_number, parse_float=finite_number, parse_constant=no_number)
        # half a character cannot be written
        json.dumps(content, ensure_ascii=False).encode("utf-8")
    except ValueError as error:
        raise ModelError("This is not JSON as sbrl writes it: %s." % error) from None
    return content


def check_depth(text):
    """Values may be nested, but not without end."""
    depth = 0
    for mark in re.findall(r'"(?:\\.|[^"\\])*"|[\[\]{}]', text, re.DOTALL):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(mark, 0)
        if depth > MOST_DEPTH:
            raise ValueError("it is nested too deep")


def whole_number(text):
    return int(text) if text != "-0" and len(text) <= 20 else finite_number(text)


def finite_number(text):
    number = float(text)
    if math.isinf(number):
        raise ValueError("%s is too large" % text[:40])
    return number


def no_number(text):
    raise ValueError("%s is no number" % text)


def require(condition, message):
    if not condition:
        raise ModelError("%s." % message)


def is_near(x, y):
    return abs(x - y) <= 1e-6 * max(1.0, abs(x))


def are_rising(values):
    return all(one < next_one for one, next_one in zip(values, values[1:]))


class At:
    """A value and its place in the file, such as rules[2].candidate."""

    def __init__(self, value, place):
        self.value = value
        self.place = place

    def wrong(self, expected):
        raise ModelError("`%s` must be %s, not %.40r." % (self.place, expected, self.value))

    def object(self):
        return self.value if isinstance(self.value, dict) else self.wrong("an object")

    def field(self, name):
        place = "%s.%s" % (self.place, name) if self.place else name
        require(name in self.object(), "`%s` is missing" % place)
        return At(self.value[name], place)

    def elements(self):
        if not isinstance(self.value, list):
            self.wrong("an array")
        return [At(value, "%s[%d]" % (self.place, i)) for i, value in enumerate(self.value, start=1)]

    def text(self):
        is_text = isinstance(self.value, str) and "\0" not in self.value
        return self.value if is_text else self.wrong("text without the character U+0000")

    def texts(self):
        return [value.text() for value in self.elements()]

    def number(self):
        is_number = isinstance(self.value, (int, float)) and not isinstance(self.value, bool)
        return float(self.value) if is_number and math.isfinite(self.value) else self.wrong("a number")

    def numbers(self):
        return [value.number() for value in self.elements()]

    def cuts(self):
        infinite = {"Inf": math.inf, "-Inf": -math.inf}
        is_text = [isinstance(cut.value, str) and cut.value in infinite for cut in self.elements()]
        return [infinite[cut.value] if is_inf else cut.number() for cut, is_inf in zip(self.elements(), is_text)]

    def whole(self, least, most):
        is_whole = isinstance(self.value, int) and not isinstance(self.value, bool) and least <= self.value <= most
        return self.value if is_whole else self.wrong("a whole number from %d to %d" % (least, most))

    def column(self):
        return [None if cell.value is None else cell.number() for cell in self.elements()]


def check_format(content):
    require(isinstance(content, dict) and content.get("format") == "sbrl rule list",
            "This is not a rule list written by sbrl")
    version = content.get("format_version")
    is_known = isinstance(version, int) and not isinstance(version, bool) and 1 <= version <= NEWEST_FORMAT
    require(is_known, "The file has format %.40r; this reader knows formats up to %d" % (version, NEWEST_FORMAT))


def check_model(content):
    """An error unless everything in the file is sound, whatever the rules use."""
    top = At(content, "").field
    classes = top("classes").texts()
    require(len(classes) >= 2 and len(set(classes)) == len(classes), "`classes` must be two different names or more")
    features = [check_feature(feature) for feature in top("features").elements()]
    names = [name for name, _, _, _ in features]
    require(len(set(names)) == len(names), "`features` must have different names")
    for item in top("items").elements():
        check_item(item, features, content["format_version"])
    check_candidates(top("candidates"), len(content["items"]))
    added, base = check_prior(top, len(classes), "shrinkage" in content)
    rules, counts = check_rules(top("rules"), len(content["candidates"]), added, base)
    check_totals(counts, content["class_counts"])
    found = (rules, check_score(top("score")))
    if content["format_version"] > 1:
        found = check_found(top("found"), rules, len(content["candidates"]))
        check_labels(top("labels"))
        require(top("missing").text() in POLICIES, "`missing` must be one of %s" % ", ".join(POLICIES))
    top("package_version").text()
    check_formula(top("formula").text(), top("label").text(), names + top("dropped").texts())
    tables = {key(name): check_table(At(table, "report.%s" % name)) for name, table in top("report").object().items()}
    check_report(content, tables, sum(map(sum, counts)))
    check_cut_features(tables.get("approximate"), features)
    check_certificate(tables, len(content["candidates"]), found)


def check_feature(feature):
    name, kind = feature.field("name").text(), feature.field("type").text()
    unit, levels, cuts = feature.field("unit").text(), feature.field("levels").texts(), feature.field("cuts").cuts()
    is_sound = are_rising(cuts) and kind in TYPES and len(set(levels)) == len(levels)
    has_levels = kind in ("categorical", "ordered")
    is_sound = is_sound and (not cuts if has_levels else cuts and not levels)
    require(is_sound and (kind != "difftime" or unit in SECONDS),
            "`%s` must have a known type, and its unit, different levels or rising cuts" % feature.place)
    return name, kind, levels, len(levels) if has_levels else len(cuts) + 1


def check_item(item, features, version):
    """The codes of an item are a missing value or others; those of numbers and ordered levels have no gap."""
    name, kind, levels, last = features[item.field("feature").whole(1, len(features)) - 1]
    codes = check_codes(item, last, version)
    has_gap = codes[-1] - codes[0] >= len(codes)
    require(codes == [0] or (codes[0] >= 1 and not (has_gap and kind != "categorical")),
            "`%s` must be levels or an interval of its feature" % item.place)
    text = item.field("name").text()
    is_whole = len(codes) == last > 1 and codes[0] == 1
    if codes == [0] or (not levels and not is_whole):
        require(text.startswith(name + "="), "`%s.name` must begin with its feature" % item.place)
    else:
        require(text == "%s=%s" % (name, levels_text(codes, kind, levels, is_whole)),
                "`%s.name` must contain its level" % item.place)


def check_codes(item, last, version):
    if version >= FORMAT_WITH_SETS and isinstance(item.value, dict) and "codes" in item.value:
        codes = [code.whole(0, last) for code in item.field("codes").elements()]
        require(codes and are_rising(codes), "`%s.codes` must be rising" % item.place)
        return codes
    lo = item.field("lo").whole(0, last)
    return list(range(lo, item.field("hi").whole(lo, last) + 1))


def levels_text(codes, kind, levels, is_whole):
    """What follows the feature in the name of an item of levels, as R writes it."""
    first, last = levels[codes[0] - 1] if levels else "", levels[codes[-1] - 1] if levels else ""
    if is_whole:
        return "!<NA>" if "NA" in levels else "!NA"
    if len(codes) == 1:
        return first
    if kind == "categorical":
        return "{%s}" % ",".join(quoted(levels[code - 1]) for code in codes)
    if codes[0] > 1 and codes[-1] < len(levels):
        return "[%s,%s]" % (quoted(first), quoted(last))
    return "<=" + last if codes[0] == 1 else ">=" + first


def quoted(level):
    """A level of a set, in quotes if it could be read in another way."""
    if level and not re.search(r'[],"\\{}[]|^\s|\s\Z', level, re.ASCII):
        return level
    return '"%s"' % re.sub(r'(["\\])', r"\\\1", level)


def check_candidates(candidates, n_items):
    for candidate in candidates.elements():
        items = [item.whole(1, n_items) for item in candidate.elements()]
        require(items and are_rising(items), "`%s` must be a rising sequence of items" % candidate.place)


def check_prior(top, n_classes, has_shrinkage):
    """What is added to the counts of each rule for its probabilities, and the counts behind the base rate."""
    prior = top("prior")
    alpha, counts = prior.field("alpha").numbers(), top("class_counts").numbers()
    shrinkage = top("shrinkage").number() if has_shrinkage else 0.0
    numbers = [prior.field("lambda").number(), prior.field("eta").number()] + alpha
    require(len(alpha) == n_classes and min(numbers) > 0 and math.isfinite(sum(alpha)),
            "`prior` must contain positive numbers, and one `alpha` for each class")
    require(len(counts) == n_classes and min(counts) >= 0, "`class_counts` must be one number from 0 on for each class")
    base = base_counts(counts, alpha)
    total = sum(base)
    require(shrinkage == 0 or (shrinkage > 0 and 0 < total < math.inf), "`shrinkage` must be 0 or positive")
    return [shrinkage * count / total for count in base] if shrinkage else alpha, base


def check_rules(rules, n_candidates, added, base):
    """The candidates of the rules, and the counts of rules and default rule."""
    entries = rules.elements()
    require(entries, "`rules` must contain a default rule")
    chosen = [entry.field("candidate").whole(1, n_candidates) for entry in entries[:-1]]
    require(len(set(chosen)) == len(chosen), "`rules` must have different candidates")
    counts = [check_captured(entry.field("then"), [added]) for entry in entries[:-1]]
    default = entries[-1].field("default")
    is_empty = not any(default.field("counts").numbers())
    # without rows, the default rule may give the base rate
    counts.append(check_captured(default, [added, base] if is_empty else [added]))
    return chosen, counts


def check_captured(rule, added):
    """The probabilities of a rule must follow from its counts and what is added to them, which is one of `added`."""
    counts, probs = rule.field("counts").numbers(), rule.field("probabilities").numbers()
    require(len(counts) == len(added[0]) and min(counts) >= 0,
            "`%s.counts` must be one number from 0 on for each class" % rule.place)
    require(any(are_shares(probs, counts, more) for more in added),
            "`%s.probabilities` must follow from the counts and the prior" % rule.place)
    return counts


def are_shares(probs, counts, more):
    weights = [count + one for count, one in zip(counts, more)]
    total = sum(weights)
    is_one = len(probs) == len(more) == len(weights) and total > 0
    return is_one and all(abs(prob - weight / total) <= 1e-9 for prob, weight in zip(probs, weights))


def check_totals(counts, class_counts):
    captured = [sum(column) for column in zip(*counts)]
    # next to weights that are many times as large, small ones are rounded
    added = 1e-9 * sum(captured)
    for total, n in zip(class_counts, captured):
        require(abs(n - total) <= 1e-6 * max(1.0, n) + added, "`class_counts` must be the rows of all rules")


def check_score(score):
    prior, likelihood, posterior = (score.field("log_" + name).number() for name in ("prior", "likelihood", "posterior"))
    together = prior + likelihood
    require(is_near(posterior, together) and is_near(together, posterior),
            "`%s` must have a log posterior that is the sum of its parts" % score.place)
    return posterior


def check_found(found, rules, n_candidates):
    chosen = [rule.whole(1, n_candidates) for rule in found.field("candidates").elements()]
    require(len(set(chosen)) == len(chosen) and [rule for rule in chosen if rule in set(rules)] == rules,
            "`found.candidates` must be different, and contain those of the rules in order")
    return chosen, check_score(found.field("score"))


def check_labels(labels):
    names = [label.field("name").text() for label in labels.elements()]
    require(len(set(names)) == len(names), "`labels` must have different names")
    for label in labels.elements():
        label.field("text").text()


def key(name):
    require("\0" not in name, "A name in `report` must not contain the character U+0000")
    return name


def check_table(table):
    return {key(name): At(column, "%s.%s" % (table.place, name)).column() for name, column in table.object().items()}


def columns_of(tables, name, columns, gaps=()):
    """Columns of equal length, of which only those in `gaps` have missing values."""
    table = tables.get(name, {})
    require(all(column in table for column in columns), "`report.%s` must contain %s" % (name, ", ".join(columns)))
    found = {column: table[column] for column in columns}
    require(len({len(values) for values in found.values()}) == 1, "`report.%s` must have columns of one length" % name)
    require(not any(None in values for column, values in found.items() if column not in gaps),
            "`report.%s` must not have missing values" % name)
    return found


def one_of(table, name, absent=None):
    """The one value of a column; `absent` if there is no such column."""
    values = table.get(name) or [absent]
    require(len(values) == 1, "`%s` in `report` must be one value" % name)
    return values[0]


def check_report(content, tables, n_rows):
    """The account of the search is only read by people, but it must not be nonsense."""
    chains = columns_of(tables, "chains", CHAINS, gaps=CHAINS[4:])
    require(all(value >= 0 for name in ("chain", "best_length", "iterations") for value in chains[name]),
            "`report.chains` must contain numbers from 0 on")
    require(all(rate is None or 0 <= rate <= 1 for name in CHAINS[4:] for rate in chains[name]),
            "`report.chains` must contain rates")
    trace = columns_of(tables, "trace", TRACE)
    require(set(trace["chain"]) <= set(chains["chain"]), "`report.trace` must be of the chains")
    timing = columns_of(tables, "timing", TIMING)
    require(all(len(value) == 1 and value[0] >= 0 for value in timing.values()), "`report.timing` must contain seconds")
    is_first_format, n = content["format_version"] == 1, len(content["candidates"])
    check_settings(tables.get("settings", {}), is_first_format, n_rows, n)
    support = tables.get("support", {}).get("minsupport", [])
    require(len(support) == len(content["classes"]) and all(share is not None and 0 <= share <= 1 for share in support),
            "`report.support` must contain a share for each class")
    search = tables.get("search", {})
    n_distinct, seed = one_of(search, "n_distinct"), one_of(search, "seed")
    require(n_distinct is not None and min(n, 1) <= math.trunc(n_distinct) <= n,
            "`report.search.n_distinct` must be a number of candidates")
    require(seed is not None and 0 <= seed <= 2**53 and seed == math.floor(seed),
            "`report.search.seed` must be a whole number")
    require(one_of(search, "stopped_early") is not None, "`report.search.stopped_early` must be 0 or 1")


def check_settings(settings, is_first_format, n_rows, n_candidates):
    numbers = [one_of(settings, name) for name in SETTINGS]
    require(None not in numbers, "`report.settings` must contain the numbers of the fit")
    # what may be missing must be there, but in files of the first format
    for name in ("iters", "max_length", "time_limit", "target_rules", "lambda_first"):
        may_be_absent = is_first_format and name in ("max_length", "lambda_first")
        one_of(settings, name)
        require(may_be_absent or settings.get(name), "`report.settings.%s` is missing" % name)
    switches = [numbers[SETTINGS.index("weighted")]]
    for name in ("simplify", "empty_as_missing"):
        require(is_first_format or settings.get(name) != [], "`report.settings.%s` is missing" % name)
        switches.append(one_of(settings, name, 0))
    require(all(switch in (0, 1) for switch in switches),
            "`weighted`, `simplify` and `empty_as_missing` in `report.settings` must be 0 or 1")
    replaced = one_of(settings, "else_rule", 0)
    is_rule = replaced is not None and replaced == math.floor(replaced) and 0 <= replaced <= n_candidates
    require(is_rule, "`report.settings.else_rule` must be a candidate, or 0")
    require(is_near(n_rows, numbers[SETTINGS.index("n_rows")]), "`report.settings.n_rows` must be the sum of the counts")


def r_subset(values, indices):
    """values[indices] as in R: from 1, negative indices leave out, 0 and fractions are dropped."""
    numbers = [None if index is None else math.trunc(index) for index in indices]
    if any(number is not None and number < 0 for number in numbers):
        require(all(number is not None and number <= 0 for number in numbers), "`report` has wrong indices")
        return [value for i, value in enumerate(values, start=1) if -i not in numbers]
    inside = [number for number in numbers if number != 0]
    return [values[number - 1] if number is not None and number <= len(values) else None for number in inside]


def check_cut_features(table, features):
    if table is None:
        return
    rows = table.get("rows", [])
    names = r_subset([name for name, _, _, _ in features], table.get("feature", []))
    cut = {name for name, kind, _, _ in features if kind not in ("categorical", "ordered")}
    require(rows and len(names) == len(rows) and len(set(names)) == len(names) and set(names) <= cut,
            "`report.approximate` must name features with cut points")
    require(all(n is not None and n >= 1 for n in rows), "`report.approximate` must contain numbers of rows")


def check_certificate(tables, n_candidates, found):
    """The certificate, if there is one, must be about the list as found."""
    table = tables.get("certificate")
    if table is None:
        return
    single = {name: values[0] for name, values in table.items() if len(values) == 1}
    x = {name: single.get(name) for name in CERTIFICATE}
    for name in ("upper_bound", "gap", "max_length"):
        x[name] = math.inf if x[name] is None else x[name]
    require(None not in x.values(), "`report.certificate` must contain %s" % ", ".join(CERTIFICATE))
    codes = [single.get("status"), single.get("ended")]
    require(all(code is not None and 1 <= math.trunc(code) <= 4 for code in codes),
            "`report.certificate` must have a known status")
    is_gap = math.isinf(x["gap"]) or is_near(x["gap"], x["upper_bound"] - x["log_posterior"])
    require(is_gap and min(x["gap"], x["max_length_proved"], x["nodes"], x["seconds"]) >= 0,
            "`report.certificate` must contain a bound and its gap")
    rules, log_posterior = found
    is_own = x["n_rules"] != len(rules) or is_near(x["log_posterior"], log_posterior)
    require(is_own and x["n_candidates"] == n_candidates, "`report.certificate` must be about this model")
    columns_of(tables, "certificate_by_length", ("max_length", "log_posterior", "proved"))
    columns_of(tables, "certificate_trace", ("nodes", "seconds", "upper_bound", "log_posterior"), gaps=("upper_bound",))


# Formulas: their variables must be the label and the features, and call nothing but functions that compute a value.

HARMLESS = set("""
c I xor is.element identity abs sign sqrt exp expm1 log log2 log10 log1p sin cos tan asin acos atan atan2 sinh cosh tanh
floor ceiling round signif trunc pmin pmax findInterval is.na is.nan is.finite is.infinite ifelse match factor ordered
as.factor as.ordered droplevels cut interaction as.numeric as.double as.integer as.character as.logical as.vector unclass
paste paste0 nchar substr substring startsWith endsWith toupper tolower trimws grepl sub gsub chartr sprintf format as.Date
as.POSIXct as.difftime difftime ISOdate julian months weekdays quarters
""".split())
RESERVED = set("""
if else repeat while function for next break in TRUE FALSE NULL Inf NaN NA NA_integer_ NA_real_ NA_character_
NA_complex_
""".split())
CONSTANTS = RESERVED - set("if else repeat while function for next break in".split())
TOKEN = re.compile(r"""\s*(?:
    (?P<quoted>`(?:\\.|[^`\\])+`)
  | (?P<name>(?:[^\W\d_]|[.](?!\d))[\w.]*)
  | (?P<number>(?:0[xX][0-9a-fA-F]+|(?:\d+[.]?\d*|[.]\d+)(?:[eE][+-]?\d+)?)L?)
  | (?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
  | (?P<mark>%%|%/%|%in%|<=|>=|==|!=|\[\[|\]\]|[-+*/^<>!&|:$()\[\],=~])
)""", re.VERBOSE | re.DOTALL)
LOWER_THAN_PLUS = ("<", ">", "<=", ">=", "==", "!=", "!", "&", "|")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


def check_formula(text, label, columns):
    if text == "":
        return
    left, right = sides(tokens(text))
    variables = [left] + summands(right)
    texts = [variable_text(variable) for variable in variables]
    is_same = len(texts) == len(columns) + 1 and texts[0] == text_key(label)
    require(is_same and set(texts[1:]) == set(map(text_key, columns)) and "." not in texts,
            "The formula must contain the label and the features")


def tokens(text):
    """Kinds and texts of what an R expression consists of."""
    text, found, end = text.rstrip(), [], 0
    while end < len(text):
        match = TOKEN.match(text, end)
        require(match, "The formula is damaged")
        end, kind = match.end(), match.lastgroup
        value = match.group(kind)
        if kind == "quoted":
            value, kind = re.sub(r"\\(.)", lambda one: ESCAPES.get(one[1], one[1]), value[1:-1], flags=re.DOTALL), "symbol"
        elif kind == "name":
            require(value not in RESERVED or value in CONSTANTS, "The formula is damaged")
            kind = "constant" if value in CONSTANTS else "symbol"
        elif kind == "number":
            number = value.rstrip("L")
            value = "%.15g" % (int(number, 16) if number[:2].lower() == "0x" else float(number))
        elif kind == "text":
            value = value[1:-1]
        found.append((kind, value))
    return found


def with_depth(parts):
    """Each token, and how many brackets are open before it."""
    depth = 0
    for part in parts:
        change = {"(": 1, "[": 1, "[[": 2, ")": -1, "]": -1, "]]": -2}.get(part[1], 0) if part[0] == "mark" else 0
        depth += min(change, 0)
        require(0 <= depth <= 100, "The formula is damaged, or its calls are nested too deep")
        yield part, depth
        depth += max(change, 0)
    require(depth == 0, "The formula is damaged")


def sides(parts):
    places = [i for i, (part, _) in enumerate(with_depth(parts)) if part == ("mark", "~")]
    require(len(places) == 1 and 0 < places[0] < len(parts) - 1, "The formula is damaged")
    return parts[: places[0]], parts[places[0] + 1 :]


def summands(parts):
    """The variables on the right; none for `1`."""
    outer = [i for i, (part, depth) in enumerate(with_depth(parts)) if depth == 0 and part[0] == "mark"]
    is_binary = [i for i in outer if i > 0 and (parts[i - 1][0] != "mark" or parts[i - 1][1] in (")", "]", "]]"))]
    found, end = [], len(parts)
    if not any(parts[i][1] in LOWER_THAN_PLUS for i in outer):
        for i in reversed(is_binary):
            if parts[i][1] == "-":
                break
            if parts[i][1] == "+":
                found.append(parts[i + 1 : end])
                end = i
    return [variable for variable in reversed(found + [parts[:end]]) if variable != [("number", "1")]]


def variable_text(parts):
    """A column's name, or what identifies a call."""
    require(parts, "The formula is damaged")
    if len(parts) == 1:
        require(parts[0][0] == "symbol", "The formula is damaged")
        return text_key(parts[0][1])
    for before, part in zip(parts, parts[1:]):
        if part == ("mark", "("):
            is_call = before[0] != "mark" or before[1] in (")", "]", "]]")
            require(not is_call or (before[0] == "symbol" and before[1] in HARMLESS),
                    "The formula calls a function, which a file may not do")
        is_pair = before[0] != "mark" and part[0] != "mark"
        require(not is_pair and part != ("mark", "~"), "The formula is damaged")
    return tuple(parts)


def text_key(name):
    """The same for a variable's name in R: a call, if it is one that can be read."""
    try:
        parts = tokens(name)
    except ModelError:
        return name
    return tuple(parts) if len(parts) > 1 else name


# Predictions --------------------------------------------------------------------------------------------------------


class Feature:
    """A feature: gives the code of a value."""

    def __init__(self, feature, was_missing, empty_as_missing):
        self.name = feature["name"]
        self.was_missing = was_missing
        self._type = feature["type"]
        self._unit = feature["unit"]
        self._has_levels = self._type in ("categorical", "ordered")
        self._empty_as_missing = empty_as_missing
        self._cuts = [float(cut) for cut in feature["cuts"]]
        self._codes = {level: code for code, level in enumerate(feature["levels"], start=1)}
        self._numbers = number_codes(feature["levels"])

    def code(self, row):
        """0 for a missing value, None for a level never seen."""
        if self.name not in row:
            raise RowError("The row has no column %r." % self.name)
        value = row[self.name]
        if value is None or (isinstance(value, float) and math.isnan(value)):
            return 0
        return self._level(value) if self._has_levels else 1 + bisect_right(self._cuts, self._number(value))

    def _level(self, value):
        if isinstance(value, bool):
            return self._codes.get("TRUE" if value else "FALSE")
        if isinstance(value, (int, float)):
            return self._numbers.get(float(value))
        if not isinstance(value, str):
            self._refuse("text", value)
        return 0 if value == "" and self._empty_as_missing else self._codes.get(value)

    def _number(self, value):
        if self._type == "date":
            return self._day(value)
        if self._type == "datetime" and isinstance(value, datetime.datetime) and value.tzinfo is not None:
            return (value - EPOCH) / datetime.timedelta(seconds=1)
        if self._type == "difftime" and isinstance(value, datetime.timedelta):
            return value.total_seconds() / SECONDS[self._unit]
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            self._refuse({"datetime": "a time with its zone", "difftime": "a span of time"}.get(self._type, "a number"), value)
        return float(value)

    def _day(self, value):
        if isinstance(value, str) and re.fullmatch(r"\d{4}-\d{2}-\d{2}", value):
            value = datetime.date(*(int(part) for part in value.split("-")))
        if isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
            return float((value - EPOCH.date()).days)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            self._refuse("a date", value)
        return float(math.floor(value)) if math.isfinite(value) else float(value)

    def _refuse(self, expected, value):
        raise RowError("Column %r must be %s, not %r." % (self.name, expected, value))


def number_codes(levels):
    """Codes of the levels that are numbers; of two spellings of one number, that of R is taken."""
    codes = {}
    for code, level in enumerate(levels, start=1):
        number = level_number(level)
        if number is not None and (number not in codes or level == number_text(number)):
            codes[number] = code
    return codes


def level_number(text):
    """The number that R reads in a text, or None."""
    text = text.strip(" \t\n\v\f\r")
    if re.fullmatch(r"[+-]?(?:\d+[.]?\d*|[.]\d+)(?:[eE][+-]?\d+)?", text, re.ASCII):
        return float(text)
    if re.fullmatch(r"[+-]?0[xX][0-9a-fA-F]+", text):
        return float.fromhex(text)
    if re.fullmatch(r"[+-]?inf(?:inity)?", text, re.IGNORECASE):
        return float(text)
    return None


def number_text(number):
    """A number as R writes it: with exponent only where that is shorter by more than five characters."""
    if math.isinf(number):
        return "Inf" if number > 0 else "-Inf"
    digits = Decimal(repr(number)).normalize()
    fixed = format(digits, "f")
    mantissa, exponent = format(digits, "e").split("e")
    scientific = "%se%s%02d" % (mantissa, exponent[0], int(exponent[1:]))
    return fixed if len(fixed) <= len(scientific) + 5 else scientific


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python sbrl_reader.py model.json < rows.json")
    try:
        json.dump(load(sys.argv[1]).predict(json.load(sys.stdin)), sys.stdout)
    except (ModelError, RowError) as error:
        sys.exit(str(error))
