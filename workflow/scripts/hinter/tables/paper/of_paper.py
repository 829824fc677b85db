"""The paper's numbers: what they measure, where they are, and how the study's differ."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from ...yaml_files import data_of
from ..published.counts import ALL, Published
from ..published.exhibits import figure4, figure6, figure7, figure9, figure10, table2

Key = tuple[str, str, str]
"""Quantity, model or all, and part: dataset, level or combination of attributes, or all."""
Run = tuple[str, str]
"""A model and a dataset."""

_PAPER = data_of(__file__)
SCORES: Mapping[str, Sequence[str]] = _PAPER["scores"]
"""The names of the scores of a sample's mutants, of their originals, and of the difference."""
MAKING: Mapping[str, Sequence[str]] = _PAPER["making"]
"""The settings that affect all numbers: the paper's value, and the effect of another."""
QUANTITIES: Mapping[str, Mapping[str, str]] = _PAPER["quantities"]
"""By quantity, the `exhibit` with it, how definitions differ (`differs`), and its `unit`."""
RENAMED = {"discarded_biased": "discarded_of_biased"}
SHARE = "share"


def paper_numbers(published: Published) -> dict[Key, float]:
    """Return the paper's numbers: shares, points of 100 and ratios.

    All but the grammar scores are recomputed from the published counts.
    """
    tables = pd.concat([table(published) for table in (table2, figure4, figure6, figure7, figure9)])
    regions = figure10(published)
    regions["quantity"] = "exposed by " + regions["quantity"]
    tables = pd.concat([tables, regions]).replace({"quantity": RENAMED})
    shares = {
        (row["quantity"], row["model"], row["part"]): float(row["share"])
        for row in tables[tables["share"].notna()].to_dict("records")
    }
    counts = tables.set_index(["quantity", "model", "part"])["count"]
    only = counts["intersectional_only", ALL, ALL] / counts["atomic_only", ALL, ALL]
    return (
        shares
        | _times(shares)
        | _scores(published)
        | {("intersectional_only_times", ALL, ALL): float(only)}
    )


def paper_runs(published: Published, key: Key) -> set[Run]:
    """Return the models, each with a dataset, that a number of the paper covers."""
    quantity, model, part = key
    runs, encoders = (
        set(zip(counts["model"], counts["dataset"], strict=True))
        for counts in (published.bias_rates, published.encoder_mutants)
    )
    if "grammar" in quantity:
        legal = {dataset for _, dataset in encoders}
        runs = {run for run in runs if run[1] in legal}
    elif quantity.startswith(("valid_bias", "discarded_")):
        runs = encoders
    elif quantity.startswith(("intersectional_only", "atomic_shared")):
        models = set(published.truth_table["model"])
        runs = {run for run in runs if run[0] in models}
    datasets = {part} if part in published.bias_rates["dataset"].unique() else None
    return {
        run for run in runs if model in (ALL, run[0]) and (datasets is None or run[1] in datasets)
    }


def _times(shares: dict[Key, float]) -> dict[Key, float]:
    """Return how many biased mutants are discarded for each valid one."""
    return {
        ("discarded_biased_times", model, part): share / (1 - share)
        for (quantity, model, part), share in shares.items()
        if quantity == "discarded_of_biased"
    }


def _scores(published: Published) -> dict[Key, float]:
    """Return the grammar scores, and the differences between mutants and their originals."""
    numbers: dict[Key, float] = {}
    for row in published.grammar.to_dict("records"):
        originals, mutants = row["originals"], row["mutants"]
        values = zip(SCORES[row["sample"]], (mutants, originals, mutants - originals), strict=False)
        numbers |= {(name, ALL, row["level"]): round(value, 2) for name, value in values}
    return numbers


def quantity_of(name: str) -> dict[str, str]:
    """Return the exhibit of a number, how definitions differ, and the unit.

    The names of those of Figure 10 end in the campaigns that expose the originals.
    """
    return {"differs": "", "unit": SHARE, **QUANTITIES[name.partition(" ")[0]]}


def how_defined(name: str, settings: Mapping[str, Any]) -> str:
    """Return how the study's definition of a number differs from the paper's; empty if it does not.

    `settings` are the study's: `hidden_lookup`, those in `MAKING`, and maybe others.
    """
    made = (
        f"the study {does} ({value})"
        for key, (papers, does) in MAKING.items()
        if (value := _in_words(settings[key])) != papers
    )
    return "; ".join(filter(None, [quantity_of(name)["differs"].format_map(settings), *made]))


def _in_words(setting: str | Sequence[str]) -> str:
    return setting if isinstance(setting, str) else ", ".join(setting)
