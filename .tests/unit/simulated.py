"""Suites of made-up mutants, and the real oracle's verdicts on what simulated models answer."""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, product
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from hinter.mutants import SUITE_SCHEMA
from hinter.oracle import judge_mutants
from hinter.predictions import PREDICTIONS_SCHEMA

Prediction = tuple[list[str] | None, Mapping[str, float] | None]
"""An outcome and the scores behind it."""

SOURCES, TARGETS = ("s", "t"), ("x", "y", "z")
"""Groups of source terms, and of what they become: a term of each in every attribute."""


def pairs_of(attribute: str, *, targets: Sequence[str] = TARGETS) -> list[str]:
    return [f"{attribute}:{source}>{target}" for source in SOURCES for target in targets]


def write_pairs(path: Path, *, attributes: Sequence[str]) -> Path:
    """Write a dictionary in which every term is a group of its own."""
    rows = [
        {
            "pair_id": pair,
            "attribute": pair[:-4],
            "source_group": pair[-3],
            "target_group": pair[-1],
            "source": pair[-3],
            "target": pair[-1],
        }
        for attribute in attributes
        for pair in pairs_of(attribute)
    ]
    pd.DataFrame(rows).to_csv(path, index=False)
    return path


LABELS = ("yes", "no", "unknown")


def make_suite(
    *,
    originals: int,
    attributes: Sequence[str],
    orders: Sequence[int],
    targets: Sequence[str] = TARGETS,
) -> pd.DataFrame:
    """Return all mutants of the orders, of originals that have every source term."""
    recipes = [
        ("+".join(chosen), list(pair_ids))
        for order in orders
        for chosen in combinations(sorted(attributes), order)
        for pair_ids in product(*(pairs_of(name, targets=targets) for name in chosen))
    ]
    rows = [
        {
            "mutant_id": "|".join([f"o{number}", *pair_ids]),
            "original_id": f"o{number}",
            "order": len(pair_ids),
            "attributes": attributes,
            "pair_ids": pair_ids,
            "valid": True,
            "reason": None,
            "sampled": None,
            "control": False,
        }
        for number in range(originals)
        for attributes, pair_ids in recipes
    ]
    told = [None if row["order"] == 1 else LABELS[n % len(LABELS)] for n, row in enumerate(rows)]
    # In a column of text, pandas would have a number for null.
    return pd.DataFrame(rows).assign(operator="literal", one_person=pd.Series(told, dtype=object))


def judge(
    suite: pd.DataFrame,
    answer: Callable[[str], bool | None],
    *,
    verdicts: Path,
    visible: Mapping[str, int] | None = None,
) -> Path:
    """Write the oracle's verdicts where `answer` tells which mutants change the outcome.

    Of a mutant without an answer the outcome is missing, and so is the verdict.
    """
    changed = {key: answer(key) for key in suite["mutant_id"]}
    changed |= dict.fromkeys(suite["original_id"], False)
    predictions = {
        key: (None if is_changed is None else ["n" if is_changed else "p"], None)
        for key, is_changed in changed.items()
    }
    return judge_predictions(suite, predictions, verdicts=verdicts, visible=visible)


def judge_predictions(
    suite: pd.DataFrame,
    predictions: Mapping[str, Prediction],
    *,
    verdicts: Path,
    visible: Mapping[str, int] | None = None,
    favourable: Sequence[str] = (),
) -> Path:
    """Write the oracle's verdicts on the suite, given the outcome and scores of every input.

    The files of suite and predictions stand beside it.
    """
    verdicts.parent.mkdir(parents=True, exist_ok=True)
    plain = suite.astype(object).where(suite.notna(), None)
    table = pa.Table.from_pylist(plain.to_dict("records"), schema=SUITE_SCHEMA)
    pq.write_table(table, verdicts.with_suffix(".suite"))
    rows = [
        {
            "input_id": key,
            "outcome": outcome,
            "status": "unparsed" if outcome is None else "ok",
            "scores": scores,
            "visible_order": (visible or {}).get(key, key.count("|")),
            "input_hash": "",
        }
        for key, (outcome, scores) in predictions.items()
    ]
    table = pa.Table.from_pylist(rows, schema=PREDICTIONS_SCHEMA)
    pq.write_table(table, verdicts.with_suffix(".predictions"))
    judge_mutants(
        verdicts.with_suffix(".suite"),
        verdicts.with_suffix(".predictions"),
        verdicts,
        outcome_statuses=[],
        favourable=favourable,
    )
    return verdicts


def of_two_labels(margin: float) -> Prediction:
    """Return the outcome and scores of labels n and p, given the log-odds of p."""
    hundredths = round(100 * margin)
    return ["p" if hundredths >= 0 else "n"], {"n": -hundredths / 100, "p": hundredths / 100}


def additive_margins(
    suite: pd.DataFrame,
    *,
    start: Callable[[str], float],
    effect: Callable[[str, frozenset[str]], float],
) -> dict[str, float]:
    """Return margins of p: that of the original, and the effects of all sets of a mutant's pairs.

    `effect` takes an original and a set of pairs, and is in whole hundredths.
    """
    margins = {original: start(original) for original in suite["original_id"].unique()}
    for original, pair_ids in zip(suite["original_id"], suite["pair_ids"], strict=True):
        subsets = (
            frozenset(subset)
            for size in range(1, len(pair_ids) + 1)
            for subset in combinations(pair_ids, size)
        )
        moved = sum(effect(original, subset) for subset in subsets)
        margins["|".join([original, *pair_ids])] = margins[original] + moved
    return margins
