"""A study's numbers compared with the paper's: whether they agree, and whether they should."""

from itertools import product
from typing import Any

import pandas as pd

from ...compared import PAPER_DATASETS
from ..published.counts import ALL, Published
from ..shown import NONE, percent, points
from ..table import Inputs, Table
from .of_paper import SHARE, Key, Run, how_defined, paper_numbers, paper_runs, quantity_of
from .of_study import Number, study_numbers

COLUMNS = {
    "quantity": "what is compared; for Figure 10, with the campaigns that expose the originals",
    "exhibit": "where it is in the paper",
    "level": "level of the mutants: all, intersectional or atomic",
    "combination": "two attributes in the paper's order, or all",
    "model": "name of the model, or all",
    "dataset": "name of the dataset, or all",
    "unit": "share (from 0 to 1), points (of 100) or times",
    "paper": "the paper's number, recomputed from the published counts if there are any",
    "paper_of": "model, and dataset, level or combination, of the paper's number",
    "ours": "the study's number",
    "ours_low": "lower end of its 95 % interval, by original if the table has that interval",
    "ours_high": "upper end of this interval; exact counts and ratios of two counts have none",
    "inside": "whether the paper's number lies in the interval; null without an interval",
    "same_data": "whether both cover the same datasets of the paper",
    "same_models": "whether both cover models of the same names; null if no model is involved",
    "same_definition": "whether both have the same definition",
    "differs": "how the definitions differ",
}
JUDGED_SCORES = ("grammar_of_biased", "grammar_of_benign")
"""The grammar scores that depend on models."""


def compare_with_paper(published: Published, **given: Any) -> pd.DataFrame:
    """Return a row per number of the study that has a counterpart in the paper.

    The paper's number is that of the same model and dataset if it has them, and otherwise its
    total. Three columns say whether datasets, models and definition are the same; unless all are,
    the numbers need not agree. `given` has the study's tables, None for a missing one, and its
    settings.
    """
    known = paper_numbers(published)
    runs = _runs(given.get("table2_totals"))
    rows = [
        _compared(number, known[key], key)
        | _same(number, own=runs, papers=paper_runs(published, key))
        | {"differs": how_defined(number["quantity"], given)}
        for number in study_numbers(given)
        if (key := _nearest(number, known))
    ]
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    return table.assign(same_definition=table["differs"] == "")


def show_comparison(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows formatted for people: percentages, or numbers with their unit."""
    words = {True: "yes", False: "no"}
    forms = [percent if unit == SHARE else points for unit in rows["unit"]]
    numbers = {
        name: [form(value) for form, value in zip(forms, rows[name], strict=True)]
        for name in ("paper", "ours", "ours_low", "ours_high")
    }
    ends = zip(numbers["ours_low"], numbers["ours_high"], strict=True)
    shown = {
        "quantity": rows["quantity"].str.replace("_", " "),
        **{key: rows[key] for key in ("exhibit", "level", "combination", "model", "dataset")},
        "paper": numbers["paper"],
        "paper's": rows["paper_of"],
        "ours": numbers["ours"],
        "interval": [NONE if low == NONE else f"[{low}, {high}]" for low, high in ends],
        "unit": rows["unit"].replace({SHARE: "%"}),
    }
    for name in ("inside", "same_data", "same_models", "same_definition"):
        shown[name.replace("_", " ")] = rows[name].map(words).fillna(NONE)
    return pd.DataFrame(shown | {"what differs": rows["differs"]})


def _nearest(number: Number, known: dict[Key, float]) -> Key | None:
    """Return the key of the paper's number that best matches one of the study, if any."""
    part = number["part"]
    parts = [PAPER_DATASETS.get(number["dataset"], ALL), ALL] if part is None else [part]
    keys = product([number["quantity"]], [number["model"], ALL], parts)
    return next((key for key in keys if key in known), None)


def _compared(number: Number, paper: float, key: Key) -> dict[str, Any]:
    quantity = quantity_of(number["quantity"])
    low, high = number["ours_low"], number["ours_high"]
    return number | {
        "exhibit": quantity["exhibit"],
        "unit": quantity["unit"],
        "paper": round(paper, 6),
        "paper_of": ", ".join(key[1:]),
        "inside": None if pd.isna(low) else low <= paper <= high,
    }


def _same(number: Number, *, own: set[Run], papers: set[Run]) -> dict[str, bool | None]:
    """Return whether the study's number and the paper's cover the same datasets and models."""
    own = {
        (model, PAPER_DATASETS.get(dataset, NONE))
        for model, dataset in own
        if number["model"] in (ALL, model) and number["dataset"] in (ALL, dataset)
    }
    models, datasets = (
        {run[exhibit] for run in own} == {run[exhibit] for run in papers} for exhibit in (0, 1)
    )
    quantity = number["quantity"]
    without = quantity == "valid_share" or ("grammar" in quantity and quantity not in JUDGED_SCORES)
    return {"same_data": datasets, "same_models": None if without else models}


def _runs(totals: pd.DataFrame | None) -> set[Run]:
    """Return the models and datasets of the study, by its rates."""
    if totals is None:
        return set()
    named = totals[totals["model"].ne(ALL) & totals["dataset"].ne(ALL)]
    return set(zip(named["model"], named["dataset"], strict=True))


def _finding(rows: pd.DataFrame, given: Inputs) -> str:
    alike = rows[["same_data", "same_models", "same_definition"]].fillna(True).all(axis=1)
    return (
        f"Of {len(rows)} numbers, {alike.sum()} have the paper's data, models and definition. "
        "For the others, agreement means little, and disagreement is to be expected."
    )


TABLE = Table(
    title="The paper's numbers and ours",
    reads=(
        "published",
        "table2_totals",
        "figure4_biased_originals",
        "figure5_grammar",
        "figure6_validity",
        "figure7_false_positives",
        "figure8_discarded",
        "figure9_truth_table",
        "figure9_atomic_mutants",
        "figure10_exposure",
    ),
    settings=(
        "mutation.operators",
        "invariant.comparator",
        "invariant.tags",
        "invariant.capitals",
        "invariant.tail",
        "hidden_lookup",
    ),
    only_if=("known texts",),
    warned=True,
    columns=COLUMNS,
    compute=compare_with_paper,
    show=show_comparison,
    finding=_finding,
    empty="Nothing to show: no number of this study has a counterpart in the paper.",
    text="""\
The paper's numbers and this study's with their 95 % intervals, whether the paper's number lies
inside, and whether data, models and definition are the same. The paper's numbers are recomputed
from its published counts; its grammar scores are those of its text. Exact counts, ratios of two
counts and numbers of too few originals have no interval.

Table 2 and Figures 4 to 10 of the paper, for the same model and dataset if it has them;
`docs/erratum.md` lists its errors. Models and datasets count as the same if their names are:
encoders are fine-tuned anew, prompts are worded differently, and fewer texts may be tested
(`docs/deviations.md`). If data, models or definition differ, the numbers need not agree.
""",
)
