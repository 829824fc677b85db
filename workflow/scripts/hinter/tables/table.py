"""The declaration of a table: its inputs, how it is computed and formatted, and its texts."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd

from ..database import open_database
from ..declarations import Declaration, named_by
from .published.counts import read_published
from .shown import NONE, TableFiles, write_table

Part = tuple[str, str, Path]
"""Model, dataset and result file of a part of a study."""

Results = Sequence[Part]

VERDICTS = {
    "verdicts": "FROM judged WHERE NOT control",
    "control_verdicts": """
        FROM judged WHERE control AND visible_order = "order" AND biased IS NOT NULL
    """,
    "full_verdicts": """
        SELECT * REPLACE (CASE WHEN visible_order = "order" THEN biased END AS biased)
        FROM verdicts
    """,
    "seen_verdicts": "FROM full_verdicts WHERE biased IS NOT NULL",
    "counted_verdicts": "FROM verdicts WHERE counted",
    "listed_verdicts": "FROM counted_verdicts WHERE sampled IS NULL",
    "discarded_runs": """
        SELECT model, dataset FROM verdicts GROUP BY ALL HAVING NOT bool_and(valid)
    """,
}
"""Views of the verdicts.

`verdicts`: those on sensitive mutants, not on controls.
`control_verdicts`: those on controls, of models that see all pairs.
`full_verdicts`: all of `verdicts`, but `biased` is null if the model does not see all pairs.
`seen_verdicts`: those of models that see all pairs, on valid and on discarded mutants.
`counted_verdicts`: those that count in rates of valid mutants (see `judge_mutants`).
`listed_verdicts`: the counted ones without those of sampled orders.
`discarded_runs`: the model and dataset of the runs on discarded mutants.
"""

# Pandas would guess other types for these columns; not all tables have them.
TYPES = {
    **dict.fromkeys(("printed_count", "printed_of", "printed_percent"), "str"),
    **dict.fromkeys(("count", "of"), "Int64"),
    "agrees": "boolean",
}


def read_input(name: str, paths: Sequence[str] | str) -> Any:
    """Return an input of a table by its name, given its files.

    Result files by model and dataset are returned as `Results`; a table as its rows, or as None if
    the study does not make it.
    """
    if name in READERS:
        return READERS[name](paths)
    return read_table(paths) if isinstance(paths, str) else None


def read_parts(paths: Iterable[str]) -> list[Part]:
    """Return the result files `.../{model}/{dataset}.parquet` with their model and dataset."""
    return [(Path(path).parent.name, Path(path).stem, Path(path)) for path in paths]


def read_table(path: str) -> pd.DataFrame:
    """Return the rows of a table's CSV."""
    return pd.read_csv(path, dtype=TYPES)


def open_results(**results: Results | Path) -> duckdb.DuckDBPyConnection:
    """Return a connection with a view per name: the files' rows with `model` and `dataset`.

    Verdicts have the views of `VERDICTS` instead of one. A single file is a sheet or a list, whose
    rows are given without the names.
    """
    connection = open_database()
    for name, parts in results.items():
        view = "judged" if name == "verdicts" else name
        rows = _rows_of(parts) if isinstance(parts, Path) else _union(parts)
        connection.execute(f"CREATE VIEW {view} AS {rows}")
    for name, query in VERDICTS.items() if "verdicts" in results else ():
        connection.execute(f"CREATE VIEW {name} AS {query}")
    return connection


def query_results(query: str, **results: Results | Path) -> pd.DataFrame:
    """Return the rows of a query over the views of `open_results`."""
    rows: pd.DataFrame = open_results(**results).execute(query).df()
    return rows


def _rows_of(path: Path) -> str:
    if path.suffix == ".csv":
        return f"FROM read_csv('{path}', all_varchar = true)"
    return f"FROM read_parquet('{path}')"


def _union(parts: Iterable[Part]) -> str:
    return " UNION ALL ".join(
        f"SELECT '{model}' AS model, '{dataset}' AS dataset, * FROM read_parquet('{path}')"
        for model, dataset, path in parts
    )


# Few tables read forms or sheets, and their imports take longer than most tables do.


def _read_form(path: str) -> Any:
    from ..assessments import read_form

    return read_form(Path(path))


def _read_probe_sheets(paths: Sequence[str]) -> dict[str, Any]:
    from ..config import ProbeSheet, read_sheet

    return {Path(path).stem: read_sheet(path, ProbeSheet) for path in paths}


RESULT_FILES = (
    *("cases", "comparators", "controls", "corpora", "counts", "follow_up_repeats"),
    *("follow_up_verdicts", "grammar", "hits"),
    *("occurrences", "predictions", "recipes", "repeats", "run_suites", "suites", "verdicts"),
)
FILE_LISTS = ("answers", "rater_scores", "scores", "variant_counts", "variant_verdicts")
READERS: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(RESULT_FILES, read_parts),
    **dict.fromkeys(FILE_LISTS, lambda paths: [Path(path) for path in paths]),
    **dict.fromkeys(("assessments", "follow_up_sources", "pairs", "published_scores"), Path),
    "published": read_published,
    "form": _read_form,
    "assessed": pd.read_parquet,
    "sbic_names": read_table,
    "studies": list,
    "probe_sheets": _read_probe_sheets,
}
"""How each input is read; all others are tables."""


NONE_NOTE = f"A dash ({NONE}) means that there is no number, or too little data for one."

Inputs = Mapping[str, Any]
"""The inputs of a table by name, and its settings by the last part of their name."""


@dataclass(frozen=True, kw_only=True)
class Table(Declaration):
    """A table, declared at the end of the module that is named after its files.

    `compute` takes the table's inputs and settings as keywords, and returns the rows; `columns`
    gives the meaning and unit of each column. `show` formats the rows for people.
    """

    columns: Mapping[str, str]
    compute: Callable[..., pd.DataFrame]
    show: Callable[[pd.DataFrame], pd.DataFrame] = lambda rows: rows
    finding: Callable[[pd.DataFrame, Inputs], str] | None = None
    """It returns what the rows show, in sentences that end the caption."""
    notes: Callable[[Inputs], Sequence[str]] | None = None
    """It returns further lines to put below the table."""
    latex_columns: str | None = None
    marked: str | None = None
    """The column with marks (see `write_table`)."""

    def __post_init__(self) -> None:
        """Take what is not listed from the parameters of `compute`."""
        listed = {"reads": self.reads, "settings": self.settings}
        for name, values in named_by(signature(self.compute).parameters, **listed).items():
            object.__setattr__(self, name, values)
        super().__post_init__()

    def make(
        self,
        *,
        inputs: Mapping[str, Sequence[str] | str],
        settings: Mapping[str, Any],
        files: TableFiles,
    ) -> None:
        """Compute and write the table from the files of its inputs by name."""
        warned = pd.read_csv(str(inputs["warnings"])) if self.warned else None
        messages = () if warned is None else warned.loc[warned["about"] == "model", "message"]
        given = {name: read_input(name, inputs[name]) for name in self.reads}
        given |= {name.rpartition(".")[2]: value for name, value in settings.items()}
        rows = self.compute(**given)
        shown = self.show(rows)
        # Else Markdown has nan for what is missing, and HTML None.
        lacking = dict.fromkeys(shown.columns[shown.isna().any()], "object")
        shown = shown.astype(lacking).fillna(dict.fromkeys(lacking, NONE))
        dashes = [NONE_NOTE] if self.warned and shown.isin([NONE]).any(axis=None) else []
        findings = [self.finding(rows, given)] if self.finding else []
        write_table(
            rows,
            shown,
            files,
            caption=" ".join([self.caption.format(**given), *findings]),
            notes=[
                *(self.notes(given) if self.notes else ()),
                *dashes,
                *(f"Warning: {warning}" for warning in messages),
            ],
            empty=self.empty,
            latex_columns=self.latex_columns,
            marked=self.marked,
        )
