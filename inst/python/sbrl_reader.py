"""Predictions of rule lists that the R package sbrl wrote with sbrl_write_json().

A small reference reader, without dependencies, for Python 3.8 or later. The format is described by
model.schema.json, in the folder `schema` of the package.

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

NEWEST_FORMAT = 2
POLICIES = ("fallthrough", "error", "base_rate")
SECONDS = {"secs": 1.0, "mins": 60.0, "hours": 3600.0, "days": 86400.0, "weeks": 604800.0}
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


class ModelError(ValueError):
    """The file is no rule list, or one that this reader cannot evaluate."""


class RowError(ValueError):
    """A row lacks a column, or has a value of another type."""


def load(file):
    """The model in a file."""
    with open(file, encoding="utf-8") as lines:
        return Model(json.load(lines))


class Model:
    """A rule list; `content` is a file's content as json.load() returns it."""

    def __init__(self, content):
        if not isinstance(content, dict) or content.get("format") != "sbrl rule list":
            raise ModelError("This is not a rule list written by sbrl.")
        version = content.get("format_version")
        if not isinstance(version, int) or not 1 <= version <= NEWEST_FORMAT:
            raise ModelError("The file has format %r; this reader knows formats up to %d." % (version, NEWEST_FORMAT))
        if "lists" in content["report"]:
            raise ModelError("The file has many lists; write one of them, such as medoid(x).")
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
        feature, lo, hi = item
        code = codes[feature]
        if code == 0 and not self._features[feature].was_missing:
            return None
        return code is not None and lo <= code <= hi

    def _answer(self, rule, probs):
        likeliest = self.classes[probs.index(max(probs))]
        return {"rule": rule, "class": likeliest, "probs": dict(zip(self.classes, probs))}


def used_parts(content, rules, empty_as_missing):
    """The features and items that the rules use, by their numbers."""
    items = {}
    for candidate, _ in rules:
        for number in content["candidates"][candidate - 1]:
            item = content["items"][number - 1]
            items[number] = (item["feature"], item["lo"], item["hi"])
    with_missing = {item["feature"] for item in content["items"] if item["lo"] == 0}
    features = {}
    for index in sorted({item[0] for item in items.values()}):
        feature = content["features"][index - 1]
        if is_computed(feature["name"], content["formula"]):
            raise ModelError("The rules use %s, which is computed by R." % feature["name"])
        features[index] = Feature(feature, index in with_missing, empty_as_missing)
    return features, items


def base_rate(content):
    """Class probabilities of a row that a missing value leaves undecided, computed as in R."""
    strength = content.get("shrinkage", 0) or sum(content["prior"]["alpha"])
    counts = content["class_counts"]
    if min(counts) <= 0:
        counts = [count + added for count, added in zip(counts, content["prior"]["alpha"])]
    weights = [strength * count / sum(counts) for count in counts]
    least = 2.0**-53
    probs = [min(max(weight / sum(weights), least), 1 - least) for weight in weights]
    return [1 - probs[1], probs[1]] if len(probs) == 2 else probs


def is_computed(name, formula):
    """Is a feature a call in the formula? Columns are names in R's syntax, or in backquotes."""
    if formula == "" or re.fullmatch(r"(?:[^\W\d_]|[.](?!\d))[\w.]*", name):
        return False
    escapes = {"\\": "\\\\", "`": "\\`", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
    quoted = "".join(escapes.get(character, character) for character in name)
    return "`" + quoted + "`" not in formula


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
