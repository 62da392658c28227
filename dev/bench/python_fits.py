"""Fits classifiers of PyPI to folds that R wrote, for the trials that compare classifiers.

    python python_fits.py <method> <directory> <seconds>
    python python_fits.py --versions

The directory has train_1.csv, test_1.csv and so on; `label`, 0 or 1, comes last and empty fields are missing. For each
fold the probabilities of the test rows become <method>_1.txt, and a line "fold,rows,rules,conditions,seconds" goes to
standard output. After `seconds` of processor time the process is killed (SIGXCPU). Everything runs on one thread.
"""
import os

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[threads] = "1"

import importlib
import re
import resource
import sys
import time
import warnings

import numpy as np
import pandas as pd

warnings.filterwarnings("ignore")
SEED = 1


# ---- columns ----

def numbers_of(train):
    return [name for name in train.columns if pd.api.types.is_numeric_dtype(train[name])]


def filled(train, test):
    """Numbers with medians in place of missing values, text with a level of its own for them."""
    train, test = train.copy(), test.copy()
    numeric = numbers_of(train)
    for name in train.columns:
        if name in numeric:
            middle = train[name].median()
            train[name], test[name] = train[name].fillna(middle), test[name].fillna(middle)
        else:
            train[name] = train[name].astype(object).where(train[name].notna(), "missing").astype(str)
            test[name] = test[name].astype(object).where(test[name].notna(), "missing").astype(str)
    return train, test


def one_hot(train, test):
    """Numbers as they are, and one 0/1 column for each level that the training rows have."""
    train, test = filled(train, test)
    numeric = numbers_of(train)
    parts = [[frame[numeric].astype(float)] for frame in (train, test)]
    for name in train.columns:
        if name in numeric:
            continue
        levels = sorted(train[name].unique())
        levels = levels[1:] if len(levels) == 2 else levels
        for part, frame in zip(parts, (train, test)):
            part.append(pd.DataFrame({f"{name} = {level}": (frame[name] == level).astype(float) for level in levels}))
    return tuple(pd.concat(part, axis=1) for part in parts)


def binary(train, test, bins=5):
    """0/1 columns only: each level, and each number at most its training quantiles."""
    train_hot, test_hot = one_hot(train, test)
    columns = ({}, {})
    for name in train_hot.columns:
        if name not in numbers_of(train):
            columns[0][name], columns[1][name] = train_hot[name], test_hot[name]
            continue
        for cut in np.unique(np.quantile(train_hot[name], np.arange(1, bins) / bins)):
            if (train_hot[name] > cut).any():
                columns[0][f"{name} <= {cut:g}"] = (train_hot[name] <= cut).astype(float)
                columns[1][f"{name} <= {cut:g}"] = (test_hot[name] <= cut).astype(float)
    return pd.DataFrame(columns[0]), pd.DataFrame(columns[1])


def share(captured, y):
    """The probability of a rule: the share of positives among the training rows it captured, with one row of each class
    added."""
    return (y[captured].sum() + 1) / (captured.sum() + 2)


# ---- methods: training rows, their labels and test rows to probabilities, rules and conditions ----

def tree_splits(tree):
    return int((tree.children_left >= 0).sum())


def fit_xgboost(train, y, test):
    import xgboost
    train, test = one_hot(train, test)
    model = xgboost.XGBClassifier(n_estimators=300, learning_rate=0.05, max_depth=4, subsample=0.8, n_jobs=1,
                                  random_state=SEED)
    model.fit(train.to_numpy(), y)
    splits = int((model.get_booster().trees_to_dataframe()["Feature"] != "Leaf").sum())
    return model.predict_proba(test.to_numpy())[:, 1], 300, splits


def fit_ebm(train, y, test):
    from interpret.glassbox import ExplainableBoostingClassifier
    text = [name for name in train.columns if name not in numbers_of(train)]
    train, test = train.copy(), test.copy()
    train[text], test[text] = filled(train[text], test[text]) if text else (train[text], test[text])
    kinds = ["nominal" if name in text else "continuous" for name in train.columns]
    # boosting ends when the loss of the rows set aside rises, which it never does where these rows are separable
    model = ExplainableBoostingClassifier(outer_bags=4, max_rounds=2000, n_jobs=1, random_state=SEED,
                                          feature_types=kinds)
    model.fit(train, y)
    scores = sum(int(np.size(table)) for table in model.term_scores_)
    return model.predict_proba(test)[:, 1], len(model.term_scores_), scores


def fit_figs(train, y, test, clipped=False):
    import imodels
    train, test = one_hot(train, test)
    model = imodels.FIGSClassifier(max_rules=12, random_state=SEED)
    model.fit(train.to_numpy(), y)
    prob = model.predict_proba(test.to_numpy(), use_clipped_prediction=clipped)[:, 1]
    return prob, len(model.trees_), model.complexity_


def fit_figs_clipped(train, y, test):
    """The sum of the trees estimates the probability itself; by default the package sends it through a sigmoid as well."""
    return fit_figs(train, y, test, clipped=True)


def fit_hstree(train, y, test):
    import imodels
    train, test = one_hot(train, test)
    model = imodels.HSTreeClassifierCV(max_leaf_nodes=20, random_state=SEED)
    model.fit(train.to_numpy(), y)
    splits = tree_splits(model.estimator_.tree_)
    return model.predict_proba(test.to_numpy())[:, 1], splits + 1, splits


def fit_rulefit(train, y, test):
    import imodels
    train, test = one_hot(train, test)
    model = imodels.RuleFitClassifier(max_rules=30, random_state=SEED)
    model.fit(train.to_numpy(), y)
    used = model._get_rules()
    used = used[used.coef != 0]
    conditions = sum(1 if kind == "linear" else rule.count("&") + rule.count(" and ") + 1
                     for rule, kind in zip(used.rule, used.type))
    # the log odds of a logistic regression; predict_proba() of version 3.0.4 takes twice these minus 1 instead
    log_odds = model._predict_continuous_output(test.to_numpy())
    return 1 / (1 + np.exp(-log_odds)), len(used), conditions


def fit_boosted_rules(train, y, test):
    import imodels
    train, test = one_hot(train, test)
    model = imodels.BoostedRulesClassifier(random_state=SEED)
    model.fit(train.to_numpy(), y)
    splits = sum(tree_splits(tree.tree_) for tree in model.estimators_)
    return model.predict_proba(test.to_numpy())[:, 1], len(model.estimators_), splits


def fit_greedy_list(train, y, test):
    import imodels
    train, test = one_hot(train, test)
    model = imodels.GreedyRuleListClassifier(max_depth=5)
    model.fit(train.to_numpy(), y)
    rules = len(model.rules_) - 1
    return model.predict_proba(test.to_numpy())[:, 1], rules, rules


def fit_corels(train, y, test):
    import corels
    train, test = binary(train, test)
    names = [f"f{i}" for i in range(train.shape[1])]
    model = corels.CorelsClassifier(c=0.001, n_iter=100000, max_card=2, min_support=0.01, verbosity=[])
    model.fit(train.to_numpy().astype(np.uint8), np.asarray(y, dtype=np.uint8), features=names)
    left, new = np.ones(len(train), bool), np.ones(len(test), bool)
    prob, conditions, n_rules = np.empty(len(test)), 0, 0
    for rule in model.rl().rules:
        items = [item for item in rule["antecedents"] if item != 0]
        match = [np.ones(len(train), bool), np.ones(len(test), bool)]
        for item in items:
            wanted = 1 if item > 0 else 0
            match[0] &= train.iloc[:, abs(item) - 1].to_numpy() == wanted
            match[1] &= test.iloc[:, abs(item) - 1].to_numpy() == wanted
        prob[new & match[1]] = share(left & match[0], y)
        left, new = left & ~match[0], new & ~match[1]
        conditions, n_rules = conditions + len(items), n_rules + (len(items) > 0)
    assert not new.any()
    return prob, n_rules, conditions


def fit_rulelist(train, y, test):
    from contextlib import redirect_stdout
    from rulelist import RuleList
    from rulelist.datastructure.attribute.nominal_attribute import NominalAttribute
    if not hasattr(NominalAttribute, "begin"):
        # version 0.2.0 hands text columns on as arrays, but needs a method that only a Series has
        NominalAttribute.begin = NominalAttribute.__post_init__

        def begin_with_series(self):
            self.values = pd.Series(self.values)
            self.begin()
        NominalAttribute.__post_init__ = begin_with_series
    train, test = filled(train, test)
    # the package finds columns by names that are plain words
    names = [f"f{i}" for i in range(train.shape[1])]
    train.columns = test.columns = names
    model = RuleList(target_model="categorical", task="prediction", max_depth=5, beam_width=100)
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere):
        model.fit(train, pd.DataFrame({"label": y}))
        prob = model.predict_proba(test)
    classes = list(model._rulelist.default_rule_statistics.usage_per_class["label"])
    conditions = sum(len(subgroup.pattern) for subgroup in model._rulelist.subgroups)
    return prob[:, classes.index(1)].astype(float), model.number_rules, conditions


def fit_cba(train, y, test):
    from pyarc import CBA, TransactionDB
    train, test = filled(train, test)
    model = CBA(support=CBA_SUPPORT, confidence=0.5, maxlen=CBA_CONDITIONS + 1, algorithm="m1")
    model.fit(TransactionDB.from_DataFrame(train.assign(label=y), target="label"))
    rules = [[(item[0], item[1]) for item in rule.antecedent] for rule in model.clf.rules]
    classes = [rule.consequent.value for rule in model.clf.rules] + [model.clf.default_class]
    left, new = np.ones(len(train), bool), np.ones(len(test), bool)
    prob, said = np.empty(len(test)), np.empty(len(test), object)
    # the default rule, which has no condition, comes last
    for rule, own in zip(rules + [[]], classes):
        match = [np.all([np.ones(len(rows), bool)] + [rows[name] == value for name, value in rule], axis=0)
                 for rows in (train, test)]
        prob[new & match[1]], said[new & match[1]] = share(left & match[0], y), own
        left, new = left & ~match[0], new & ~match[1]
    theirs = model.predict(TransactionDB.from_DataFrame(test.assign(label=0), target="label"))
    assert [str(own) for own in said] == [str(own) for own in theirs], "the list was read wrongly"
    return prob, len(rules), sum(map(len, rules))


CBA_SUPPORT, CBA_CONDITIONS = 0.05, 3
METHODS = {name[4:]: fit for name, fit in list(globals().items()) if name.startswith("fit_")}


def read(directory, kind, fold):
    data = pd.read_csv(os.path.join(directory, f"{kind}_{fold}.csv"), keep_default_na=False, na_values=[""])
    if kind == "train":
        # some files are sorted by class, and some methods split rows in order
        data = data.sample(frac=1, random_state=SEED, ignore_index=True)
    return data.drop(columns="label"), data["label"].to_numpy().astype(int)


MODULES = {"xgboost": "xgboost", "ebm": "interpret.glassbox", "corels": "corels", "rulelist": "rulelist", "cba": "pyarc"}


def main(method, directory, seconds):
    # importing is not fitting
    importlib.import_module(MODULES.get(method, "imodels"))
    folds = sorted(int(found[1]) for found in map(re.compile(r"train_(\d+)\.csv$").match, os.listdir(directory)) if found)
    limit = int(time.process_time() + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 10))
    for fold in folds:
        train, y = read(directory, "train", fold)
        test, _ = read(directory, "test", fold)
        # some methods draw from here whatever their random_state
        np.random.seed(SEED)
        start = time.process_time()
        prob, rules, conditions = METHODS[method](train, y, test)
        spent = time.process_time() - start
        np.savetxt(os.path.join(directory, f"{method}_{fold}.txt"), prob, fmt="%.8g")
        print(f"{fold},{len(train)},{rules},{conditions},{spent:.6g}", flush=True)


def versions():
    from importlib.metadata import PackageNotFoundError, version
    for name in ("numpy", "pandas", "scikit-learn", "xgboost-cpu", "interpret-core", "imodels", "corels", "rulelist",
                 "pyarc", "pyfim", "gmpy2", "pysbrl"):
        try:
            print(name, version(name))
        except PackageNotFoundError:
            pass


if __name__ == "__main__":
    if sys.argv[1] == "--versions":
        versions()
    else:
        main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
