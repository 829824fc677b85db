"""The numbers of faults in the paper on relations, compared with those of the study."""

from collections.abc import Callable
from typing import NamedTuple

import pandas as pd

from ...yaml_files import data_of
from ..shown import NONE, Columns, each_as, percent, shown, titled, whole
from ..table import Table

SOURCES = 4700
"""The paper's source prompts."""


class Printed(NamedTuple):
    """A printed number of faults, from `low` to `high`, or a rank."""

    section: str
    model: str
    metric: str
    relation: str
    low: int | None = None
    high: int | None = None
    rank: int | None = None


EACH = "each"
PRINTED = [Printed(**number) for number in data_of(__file__)]
"""The numbers of Section VII of Reddy, Srinivasan and Kanewala (2025), in its order."""
COLUMNS = {
    "section": "section of the paper",
    "printed_model": "the paper's model",
    "metric": "what is rated, such as sentiment or tone",
    "relation": "the relation, or each",
    "printed_low": "least printed number of faults, of 4,700 sources",
    "printed_high": "largest printed number of faults",
    "printed_rank": "printed rank of the relation among all, if there is one",
    "printed_share_low": "printed_low / 4,700, as if a relation made one follow-up of each source",
    "printed_share_high": "printed_high / 4,700",
    "model": "the study's model",
    "sources": "sources with a rating, for the relation with the most",
    "faulty_low": "sources with a fault, for the relation with the fewest",
    "faulty_high": "sources with a fault, for the relation with the most",
    "share_low": "sources with a fault / rated sources, for the relation with the lowest share",
    "share_high": "the same for the relation with the highest share",
    "rank": "rank of the relation among all",
    "same_model_and_data": "whether models and data are the paper's",
}


def tabulate_printed_faults(faults: pd.DataFrame) -> pd.DataFrame:
    """Return a row per printed number and model of the study, given the rows of `faults`."""
    rows = [
        _row(printed, model=str(model), faults=of_printed)
        for printed in PRINTED
        for model, of_model in faults[faults["metric"] == printed.metric].groupby("model")
        if len(of_printed := _of(printed, of_model))
    ]
    whole_numbers = dict.fromkeys(("printed_low", "printed_high", "printed_rank", "rank"), "Int64")
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype(whole_numbers)


def _of(printed: Printed, faults: pd.DataFrame) -> pd.DataFrame:
    rated = faults[faults["n"] > 0]
    return rated if printed.relation == EACH else rated[rated["relation"] == printed.relation]


def _row(printed: Printed, *, model: str, faults: pd.DataFrame) -> dict[str, object]:
    faulty, sources = faults["faulty_sources"], faults["sources"]
    shares = (faulty / sources).round(6)
    return {
        "section": printed.section,
        "printed_model": printed.model,
        "metric": printed.metric,
        "relation": printed.relation,
        "printed_low": printed.low,
        "printed_high": printed.high,
        "printed_rank": printed.rank,
        "printed_share_low": printed.low and round(printed.low / SOURCES, 6),
        "printed_share_high": printed.high and round(printed.high / SOURCES, 6),
        "model": model,
        "sources": sources.max(),
        "faulty_low": faulty.min(),
        "faulty_high": faulty.max(),
        "share_low": shares.min(),
        "share_high": shares.max(),
        "rank": None if printed.relation == EACH else faults["rank"].iloc[0],
        "same_model_and_data": "no",
    }


def _range(name: str, title: str, *, form: Callable[[float], str]) -> Columns:
    """Return the columns `{name}_low` and `{name}_high` as one."""

    def interval(low: str, high: str) -> str:
        if low == high:
            return high
        return f"below {high}" if low == NONE else f"{low} to {high}"

    return lambda rows: {
        title: list(map(interval, *(rows[f"{name}_{end}"].map(form) for end in ("low", "high"))))
    }


TABLE = Table(
    title="Faults that the paper prints",
    reads=("faults",),
    only_if=("rated answers",),
    columns=COLUMNS,
    compute=tabulate_printed_faults,
    show=shown(
        *("section", "printed_model", "metric", "relation"),
        _range("printed", "printed faults", form=whole),
        _range("printed_share", "per 100 sources", form=percent),
        each_as(whole, printed_rank="printed rank"),
        "model",
        _range("faulty", "faulty sources", form=whole),
        _range("share", "of 100 sources", form=percent),
        each_as(whole, rank="rank"),
        titled(same_model_and_data="same model and data"),
    ),
    caption=(
        "The numbers of faults in the paper on relations, of 4,700 sources, and the sources of the "
        "study that have a fault. Models and data differ from the paper's. Its figures have no "
        "numbers, so these are taken from its text."
    ),
    empty="Nothing to show: no answer is rated.",
    about="Prompts and classifiers also differ from the paper's, so numbers may well differ.",
)
