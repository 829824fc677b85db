"""The status of models' answers: how many inputs have an outcome, and why others have none."""

import pandas as pd

from ..columns import RUN
from ..shown import in_percent, shown
from ..table import Results, Table, query_results

COUNTS = """
    SELECT model, dataset,
        CASE WHEN contains(input_id, '|') THEN 'mutants' ELSE 'originals' END AS inputs,
        status, count(*) AS n,
        count(*) FILTER (
            status <> 'identical' AND visible_order < len(string_split(input_id, '|')) - 1
        ) AS partly_seen
    FROM predictions GROUP BY ALL
"""
STATUSES = {
    "ok": "inputs with a label as outcome",
    "identical": "mutants that are not run, because the model sees no change",
    "none": "answers that no label applies",
    "refused": "answers that decline to choose",
    "unparsed": "answers that name no label, or several when one was asked for",
}


def tabulate_answers(predictions: Results) -> pd.DataFrame:
    """Return a row per model, dataset and kind of input (mutants or originals)."""
    counts = query_results(COUNTS, predictions=predictions)
    index = ["model", "dataset", "inputs"]
    table = counts.pivot_table(index=index, columns="status", values="n", fill_value=0)
    rows = table.reindex(columns=list(STATUSES), fill_value=0).astype(int).reset_index()
    rows["partly_seen"] = counts.groupby(index)["partly_seen"].sum().to_numpy()
    run = rows[list(STATUSES)].sum(axis=1) - rows["identical"]
    rows["no_label"] = ((run - rows["ok"]) / run).round(6)
    return rows.rename_axis(columns=None)


TABLE = Table(
    title="Answers by status",
    reads=("predictions",),
    warned=True,
    columns={
        **RUN,
        "inputs": "mutants, or originals with held-out texts",
        **STATUSES,
        "partly_seen": "mutants of which some pairs are beyond the model's window, in no rate",
        "no_label": "share of answers without a label among the inputs that were run",
    },
    compute=tabulate_answers,
    show=shown(
        "model", "dataset", "inputs", *STATUSES, "partly_seen", in_percent("no_label", "no label %")
    ),
    caption=(
        "Answers by status: ok (an outcome), identical (not run, as the model sees no change), "
        "none (no label applies), refused, unparsed. Originals include held-out texts."
    ),
    empty="Nothing to show: no model was asked about anything.",
    about="""\
A *refused* answer declines to choose; an *unparsed* one names no label, or several when one was
asked for. Only answers with an outcome count in bias rates, unless the configuration also counts
others (``outcome_statuses``).
""",
)
