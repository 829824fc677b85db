"""The pictures of the page, which its script plots: the text about each, and its data."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from ..dictionary import WordPair
from ..tables import Results, open_results
from ..yaml_files import data_of
from .cases import Cases
from .lattices import Row, rows_of

MOST = 2_000
"""The maximum numbers of biased and of benign mutants in the picture."""

# The rows of the table of interactions: counted mutants with a verdict on each part.
CHOSEN = """
    CREATE TABLE points AS
    WITH shifted AS (
        SELECT model, dataset, mutant_id, original_id, pair_ids, shift, biased,
            hidden IS TRUE AS hidden, md5('{seed}:' || mutant_id) AS hash
        FROM counted_verdicts WHERE "order" = 2 AND complete AND shift IS NOT NULL
    )
    (FROM shifted WHERE biased ORDER BY hidden DESC, hash, model, dataset LIMIT {most})
    UNION ALL
    (FROM shifted WHERE NOT biased ORDER BY hash, model, dataset LIMIT {most})
"""
POINTS = """
    SELECT model, dataset, mutant_id, pair_ids, biased, hidden,
        round(one.shift::DOUBLE + other.shift::DOUBLE, 2) AS summed,
        round(whole.shift::DOUBLE, 2) AS joint
    FROM points AS whole
    JOIN (SELECT model, dataset, mutant_id AS one_id, shift FROM verdicts WHERE valid) AS one
        USING (model, dataset)
    JOIN (SELECT model, dataset, mutant_id AS other_id, shift FROM verdicts WHERE valid) AS other
        USING (model, dataset)
    WHERE one_id = concat(original_id, '|', pair_ids[1]) AND one.shift IS NOT NULL
        AND other_id = concat(original_id, '|', pair_ids[2]) AND other.shift IS NOT NULL
    ORDER BY hidden, biased, mutant_id, model, dataset
"""

PICTURES = data_of(__file__)
"""The texts of the page about each picture."""
PLOTTED = tuple(texts["table"] for texts in PICTURES.values())
"""The tables from which pictures are plotted."""
TERMS = PICTURES["shifts"]["table"]
LINES = ["level", "attributes", "source_group", "target_group"]
RATES = {
    "rate": "bias_rate",
    "low": "bias_rate_low",
    "high": "bias_rate_high",
    "control": "control_rate",
    "excess": "excess",
    "excessLow": "excess_low",
    "excessHigh": "excess_high",
    "excessQ": "excess_q_value",
}
"""The names of shares in the picture, and their columns in the table."""


def read_points(
    verdicts: Results, *, cases: Cases, pairs: Mapping[str, WordPair], seed: int, most: int = MOST
) -> list[Row]:
    """Return the points of the picture in the order of plotting, hidden ones last.

    Each has its model and dataset, both shifts in log-odds (`joint`, and `summed` over its parts),
    its `kind`, its replacements as lines of text, and the number of its case on the page, or None
    if it is not a case. If there are too many, hidden ones are selected first, then other biased
    ones, and as many benign ones, in the order of a seeded hash.
    """
    connection = open_results(verdicts=verdicts)
    connection.execute(CHOSEN.format(seed=seed, most=most))
    numbers = {
        (case["model"], case["dataset"], "|".join([case["original"], *case["pairs"]])): number
        for number, case in enumerate(cases.listed)
    }
    return [
        {
            **{name: row[name] for name in ("model", "dataset", "summed", "joint")},
            "kind": "hidden" if row["hidden"] else "biased" if row["biased"] else "benign",
            "replaced": [_replaced(pairs[pair_id]) for pair_id in row["pair_ids"]],
            "case": numbers.get((row["model"], row["dataset"], row["mutant_id"])),
        }
        for row in rows_of(connection, POINTS)
    ]


def _replaced(pair: WordPair) -> str:
    return f"{pair.attribute}: {pair.source} → {pair.target}"


def read_pictures(
    tables: Mapping[str, pd.DataFrame],
    *,
    verdicts: Results,
    cases: Cases,
    pairs: Mapping[str, WordPair],
    seed: int,
) -> list[Row]:
    """Return the pictures of a study, given the tables in `PLOTTED` that it makes.

    A picture has its `name` in the script, the texts about it, the `table` with its numbers, and
    its `data`. Without data, `missing` says why there is no picture.
    """
    points = read_points(verdicts, cases=cases, pairs=pairs, seed=seed) if TERMS in tables else []
    groups, terms, exposure = map(tables.get, PLOTTED)
    return [
        _picture("groups", [] if groups is None else _lines(groups), missing="unmade"),
        _picture(
            "shifts",
            points,
            missing="unmade" if terms is None else "unscored",
            scored="" if terms is None else _of_scored(points, terms),
        ),
        _exposure(exposure),
    ]


def _picture(name: str, data: Sequence[Row], *, missing: str, scored: str = "") -> Row:
    """Return the picture of this name in pictures.yaml; `missing` is the reason for no data."""
    texts = PICTURES[name]
    about, why = texts["about"].format(scored=scored), texts["missing"][missing]
    return {**texts, "name": name, "about": about, "data": data, "missing": why}


def _lines(table: pd.DataFrame) -> list[Row]:
    keys = ["model", "dataset", *LINES, "n", "biased"]
    rows = table.rename(columns={column: name for name, column in RATES.items()})
    return _known(rows.loc[rows["n"] > 0, [*keys, *RATES]].round(dict.fromkeys(RATES, 4)))


def _of_scored(points: Sequence[Row], table: pd.DataFrame) -> str:
    whole = (table["attributes"] == "all") & (table["one_person"] == "all")
    scored = table.loc[(table["order"] == 2) & whole, "scored"].sum()
    if scored <= len(points):
        return ""
    return (
        f" Of {scored:,} such mutants, {len(points):,} are shown: hidden ones first, then a seeded "
        "sample of the other biased ones and of the benign ones."
    )


def _exposure(table: pd.DataFrame | None) -> Row:
    if table is None:
        return _picture("exposure", [], missing="unmade")
    exposed = _known(table) if table["exposed"].sum() else []
    return _picture("exposure", exposed, missing="benign" if table["n"].sum() else "unjudged")


def _known(table: pd.DataFrame) -> list[Row]:
    """Return the rows as JSON values, with None for unknown values."""
    rows: list[Row] = json.loads(table.to_json(orient="records", double_precision=6))
    return rows


def by_columns(rows: Sequence[Row]) -> dict[str, Any]:
    """Return rows with the same keys by column: [distinct values, the index of each row's]."""
    columns: dict[str, Any] = {}
    for name in rows[0] if rows else ():
        cells = [row[name] for row in rows]
        numbers = {key: number for number, key in enumerate(dict.fromkeys(map(repr, cells)))}
        values = {repr(cell): cell for cell in cells}
        columns[name] = [[values[key] for key in numbers], [numbers[repr(cell)] for cell in cells]]
    return columns
