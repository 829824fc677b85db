"""A study's own numbers beside the paper's: whether they agree, and whether they could."""

from math import nan
from typing import Any

import pandas as pd

from ..published.counts import ALL, Published
from ..published.figure4_biased_originals import figure4
from ..published.figure6_validity import figure6
from ..published.figure7_false_positives import figure7
from ..published.table2_bias_rates import table2
from ..table import Given, Table
from ..writing import percent

DATASETS = {name: name for name in ("ecthr_a", "eurlex", "ledgar", "scotus")} | {"imdb_50k": "imdb"}
"""The paper's name of each of its datasets; the default study's reviews are not among them."""

COLUMNS = {
    "quantity": "what is compared",
    "level": "level of the mutants: all, intersectional or atomic",
    "model": "name of the model, or all",
    "dataset": "name of the dataset, or all",
    "paper": "the paper's number, recomputed from the published counts",
    "paper_of": "model, and dataset or level, of the paper's number",
    "ours": "the study's number",
    "ours_low": "lower end of its 95 % interval, by original where there is one",
    "ours_high": "upper end of this interval; exact counts have none",
    "inside": "whether the paper's number lies in the interval; null without one",
    "same": "whether both are of the same model and dataset of the paper",
}


def compare_with_paper(
    published: Published,
    *,
    table2_bias_rates: pd.DataFrame,
    figure4_biased_originals: pd.DataFrame,
    figure6_validity: pd.DataFrame,
    figure7_false_positives: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Return a row per number of the study's tables that has a counterpart in the paper.

    The paper's number is of the same model and dataset where it has them, and over all of its own
    otherwise; then the two numbers need not agree.
    """
    paper = pd.concat([table(published) for table in (table2, figure4, figure6, figure7)])
    shares = {
        (row["quantity"], row["model"], row["part"]): row["share"]
        for row in paper[paper["share"].notna()].to_dict("records")
    }
    rows = [
        _beside(number, shares)
        for numbers in (
            _rates(table2_bias_rates),
            _originals(figure4_biased_originals),
            _valid(figure6_validity),
            _by_check(figure7_false_positives),
        )
        for number in numbers
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def show_comparison(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows as they are read: percentages."""
    words = {True: "yes", False: "no"}
    bounds = zip(rows["ours_low"], rows["ours_high"], strict=True)
    return pd.DataFrame(
        {
            "quantity": rows["quantity"].str.replace("_", " "),
            **{key: rows[key] for key in ("level", "model", "dataset")},
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
    parts = [number["level"]] if number["by_level"] else [dataset, ALL]
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
    row: dict[Any, Any], quantity: str, column: str, *, end: str = "", by_level: bool = False
) -> dict[str, Any]:
    return {
        "quantity": quantity,
        "level": row.get("level", "intersectional"),
        "model": row.get("model", ALL),
        "dataset": row.get("dataset", ALL),
        "ours": row[column],
        "ours_low": row.get(f"{column}{end}_low", nan),
        "ours_high": row.get(f"{column}{end}_high", nan),
        "by_level": by_level,
    }


def _rates(table: pd.DataFrame) -> list[dict[str, Any]]:
    rows = table[table["order"] == 2].to_dict("records")
    # The paper's hidden rate, too, is of the biased mutants with a verdict on each sub-mutant.
    return [_number(row, "bias_rate", "bias_rate", end="_cluster") for row in rows] + [
        _number(row, "hidden_rate", "hidden_rate_complete") for row in rows
    ]


def _originals(table: pd.DataFrame) -> list[dict[str, Any]]:
    return [_number(row, "biased_originals", "share") for row in table.to_dict("records")]


def _valid(table: pd.DataFrame) -> list[dict[str, Any]]:
    # Totals come first.
    rows = table[table["dataset"].isin(table["dataset"].head(1))]
    return [
        _number(row, "valid_share", "valid_share", by_level=True) for row in rows.to_dict("records")
    ]


def _by_check(table: pd.DataFrame | None) -> list[dict[str, Any]]:
    return [
        _number(row, f"{row['check']}_bias_rate", "bias_rate", end="_cluster", by_level=True)
        for row in ([] if table is None else table.to_dict("records"))
    ]


def _finding(rows: pd.DataFrame, given: Given) -> str:
    return (
        f"Of {len(rows)} numbers, {rows['same'].sum()} are of a model and a dataset of the paper. "
        "For the others, the paper's number is of different models or texts: agreement says "
        "little, and disagreement is to be expected."
    )


TABLE = Table(
    question="The paper",
    title="The paper's numbers and ours",
    reads=(
        "published",
        "table2_bias_rates",
        "figure4_biased_originals",
        "figure6_validity",
        "figure7_false_positives",
    ),
    warned=True,
    columns=COLUMNS,
    compute=compare_with_paper,
    show=show_comparison,
    finding=_finding,
    caption=(
        "The paper's numbers, recomputed from its published counts, beside this study's with their "
        "95 % intervals, and whether the paper's number lies inside."
    ),
    empty="Nothing to show: no number of this study has a counterpart in the paper.",
    about="""\
Numbers of the paper beside those of this study. The paper's are recomputed from its published
counts, for the same model and dataset where it has them; `docs/erratum.md` lists its errors. Where
the model or the texts are not the paper's, the two numbers need not agree: they show how this study
compares, not whether it reproduces the paper.
""",
)
