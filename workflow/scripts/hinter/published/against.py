"""A study's own numbers beside the paper's: whether they agree, and whether they could."""

from dataclasses import dataclass
from math import nan
from typing import Any

import pandas as pd

from ..tables import percent
from .counts import ALL, Published
from .rq1 import figure4, table2
from .rq3 import figure6, figure7

DATASETS = {name: name for name in ("ecthr_a", "eurlex", "ledgar", "scotus")} | {"imdb_50k": "imdb"}
"""The paper's datasets by their names here; the default study's reviews are others."""

COLUMNS = ["quantity", "kind", "model", "dataset", "paper", "paper_of"]
COLUMNS += ["ours", "ours_low", "ours_high", "inside", "same"]


@dataclass(frozen=True)
class StudyTables:
    """The tables of a study that have counterparts in the paper; None where it makes none."""

    bias_rates: pd.DataFrame
    biased_originals: pd.DataFrame
    validity: pd.DataFrame
    false_positives: pd.DataFrame | None = None


def compare_with_paper(published: Published, study: StudyTables) -> pd.DataFrame:
    """Return a row per number of the study that has a counterpart in the paper.

    `ours` has a 95 % interval (`ours_low`, `ours_high`; by original where the table has one, none
    for exact counts), and `inside` says whether `paper` lies in it, null without one. `paper` is
    recomputed from the published counts, of the same model and dataset where the paper has them
    and of all of its own otherwise: `paper_of` says which. `same` is whether both are the paper's;
    where they are not, the two numbers need not agree.
    """
    paper = pd.concat([table(published) for table in (table2, figure4, figure6, figure7)])
    shares = {
        (row["quantity"], row["model"], row["part"]): row["share"]
        for row in paper[paper["share"].notna()].to_dict("records")
    }
    rows = [
        _beside(number, shares)
        for numbers in (_rates(study), _originals(study), _valid(study), _by_verdict(study))
        for number in numbers
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def show_comparison(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows as they are read: percentages."""
    words = {True: "yes", False: "no"}
    bounds = zip(rows["ours_low"], rows["ours_high"], strict=True)
    return pd.DataFrame(
        {
            "quantity": rows["quantity"].str.replace("_", " "),
            **{key: rows[key] for key in ("kind", "model", "dataset")},
            "paper %": rows["paper"].map(percent),
            "paper's": rows["paper_of"],
            "ours %": rows["ours"].map(percent),
            "interval": [
                "-" if pd.isna(low) else f"[{percent(low)}, {percent(high)}]"
                for low, high in bounds
            ],
            "inside": rows["inside"].map(words).fillna("-"),
            "same model and data": rows["same"].map(words),
        }
    )


def _beside(number: dict[str, Any], shares: dict[tuple[str, str, str], float]) -> dict[str, Any]:
    """Return the number beside the paper's that comes nearest to it."""
    quantity, dataset = number["quantity"], DATASETS.get(number["dataset"], ALL)
    parts = [number["kind"]] if number["by_kind"] else [dataset, ALL]
    model, part = next(
        (model, part)
        for model in (number["model"], ALL)
        for part in parts
        if (quantity, model, part) in shares
    )
    paper = shares[quantity, model, part]
    low, high = number["ours_low"], number["ours_high"]
    wholly = model == number["model"] != ALL and part == dataset != ALL
    return number | {
        "paper": paper,
        "paper_of": f"{model}, {part}",
        "inside": None if pd.isna(low) else low <= paper <= high,
        "same": wholly,
    }


def _number(
    row: dict[Any, Any], quantity: str, column: str, *, end: str = "", by_kind: bool = False
) -> dict[str, Any]:
    return {
        "quantity": quantity,
        "kind": row.get("kind", "intersectional"),
        "model": row.get("model", ALL),
        "dataset": row.get("dataset", ALL),
        "ours": row[column],
        "ours_low": row.get(f"{column}{end}_low", nan),
        "ours_high": row.get(f"{column}{end}_high", nan),
        "by_kind": by_kind,
    }


def _rates(study: StudyTables) -> list[dict[str, Any]]:
    rows = study.bias_rates[study.bias_rates["order"] == 2].to_dict("records")
    # Both hidden rates are of the biased mutants with a verdict on each sub-mutant.
    return [_number(row, "bias_rate", "bias_rate", end="_cluster") for row in rows] + [
        _number(row, "hidden_rate", "hidden_rate_complete") for row in rows
    ]


def _originals(study: StudyTables) -> list[dict[str, Any]]:
    rows = study.biased_originals.to_dict("records")
    return [_number(row, "biased_originals", "share") for row in rows]


def _valid(study: StudyTables) -> list[dict[str, Any]]:
    # Totals come first.
    rows = study.validity[study.validity["dataset"].isin(study.validity["dataset"].head(1))]
    return [
        _number(row, "valid_share", "valid_share", by_kind=True) for row in rows.to_dict("records")
    ]


def _by_verdict(study: StudyTables) -> list[dict[str, Any]]:
    if study.false_positives is None:
        return []
    return [
        _number(row, f"{row['verdict']}_bias_rate", "bias_rate", end="_cluster", by_kind=True)
        for row in study.false_positives.to_dict("records")
    ]
