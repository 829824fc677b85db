"""How models answered: how many inputs have an outcome, and what became of the others."""

import pandas as pd

from .sources import Results, open_results
from .writing import percent

COUNTS = """
    SELECT model, dataset,
        CASE WHEN contains(input_id, '|') THEN 'mutants' ELSE 'originals' END AS inputs,
        status, count(*) AS n
    FROM predictions GROUP BY ALL
"""
STATUSES = ["ok", "identical", "none", "refused", "unparsed"]


def tabulate_answers(predictions: Results) -> pd.DataFrame:
    """Return a row per model, dataset and kind of inputs (mutants; originals and held-out texts).

    Columns: model, dataset, inputs, a count for each status, and no_label: the share of those
    run whose answer has no label (none, refused or unparsed).
    """
    counts: pd.DataFrame = open_results(predictions=predictions).execute(COUNTS).df()
    index = ["model", "dataset", "inputs"]
    table = counts.pivot_table(index=index, columns="status", values="n", fill_value=0)
    rows = table.reindex(columns=STATUSES, fill_value=0).astype(int).sort_index().reset_index()
    run = rows[STATUSES].sum(axis=1) - rows["identical"]
    rows["no_label"] = ((run - rows["ok"]) / run).round(6)
    return rows.rename_axis(columns=None)


def show_answers(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the counts as they are read."""
    return rows.drop(columns="no_label").assign(**{"no label %": rows["no_label"].map(percent)})
