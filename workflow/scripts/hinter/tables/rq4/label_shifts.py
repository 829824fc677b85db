"""Which labels atomic mutants move a model towards, by the group that they name."""

from pathlib import Path

import duckdb
import pandas as pd

from ..columns import RUN, with_bootstrap
from ..groups import mean_columns, row_per_line, rows_of_runs
from ..label_scores import open_scored, with_predictions
from ..shown import in_points, shown, titled
from ..table import Part, Results, Table

COLUMNS = {
    **RUN,
    "attribute": "attribute of the pair",
    "target_group": "group that the mutants name instead of another",
    "label": "label of the dataset",
    "n": "atomic mutants that have a score for the label, as has their original",
    "originals": "originals of these mutants",
    **with_bootstrap("mean_change", "mean change of the label's log-odds from original to mutant"),
}

CHANGES = """
    CREATE TABLE changes AS
    WITH moved AS (
        SELECT v.original_id, p.attribute, p.target_group,
            unnest(list_transform(map_keys(mutant.scores), lambda label: {
                'label': label,
                'change': round(100 * mutant.scores[label]) - round(100 * original.scores[label])
            })) AS label
        FROM listed_verdicts AS v
        JOIN pairs AS p ON p.pair_id = v.pair_ids[1]
        JOIN predictions AS mutant ON mutant.input_id = v.mutant_id
        JOIN predictions AS original ON original.input_id = v.original_id
        WHERE v."order" = 1
    )
    SELECT attribute, target_group, label.label, original_id, count(*) AS n,
        sum(label.change)::BIGINT AS change, max(abs(label.change)) AS largest
    FROM moved WHERE label.change IS NOT NULL GROUP BY ALL
"""
TARGETS = "SELECT DISTINCT attribute, target_group FROM changes ORDER BY ALL"
OF_TARGET = """
    SELECT label, original_id, n, change FROM changes
    WHERE attribute = ? AND target_group = ? ORDER BY label, original_id
"""


def tabulate_label_shifts(
    verdicts: Results, predictions: Results, *, pairs: Path, seed: int
) -> pd.DataFrame:
    """Return a row per model, dataset, target group and label, if texts have one label.

    If all originals of a row agree, its interval allows for unseen ones that move as far as any
    score of the model on the dataset.
    """
    runs = (
        (part, rows)
        for part, answers in with_predictions(verdicts, predictions)
        for rows in _by_target(part, answers, pairs=pairs, seed=seed)
    )
    return rows_of_runs(runs, COLUMNS)


def _by_target(verdicts: Part, predictions: Part, *, pairs: Path, seed: int) -> list[pd.DataFrame]:
    """Return the rows of each target group, without the names of model and dataset."""
    connection, task = open_scored(verdicts, predictions, pairs=pairs)
    if not task.one_label:
        return []
    connection.execute(CHANGES)
    ((largest,),) = connection.execute("SELECT max(largest) FROM changes").fetchall()
    return [
        _rows(connection, target, largest=largest, seed=seed)
        for target in connection.execute(TARGETS).fetchall()
    ]


def _rows(
    connection: duckdb.DuckDBPyConnection, target: tuple[str, str], *, largest: float, seed: int
) -> pd.DataFrame:
    sums = connection.execute(OF_TARGET, target).df()
    n = sums.groupby("label", sort=False)["n"]
    of = "change", "n"
    rows = row_per_line(
        sums, ["label"], mean_columns, name="mean_change", of=of, largest=largest, seed=seed
    )
    rows = rows.assign(n=n.sum(), originals=n.size(), attribute=target[0], target_group=target[1])
    return rows.reset_index()


TABLE = Table(
    title="Shifts of labels by target group",
    reads=("verdicts", "predictions", "pairs"),
    settings=("seed",),
    warned=True,
    columns=COLUMNS,
    compute=tabulate_label_shifts,
    show=shown(
        titled(**{name: name.replace("_", " ") for name in COLUMNS if "mean_change" not in name}),
        in_points("mean_change", "change", ends="by original"),
    ),
    caption=(
        "Which groups move a model towards which labels: mean change of each label's log-odds from "
        "the original to its atomic mutants, by the group that these name instead of another, with "
        "a 95 % cluster bootstrap by original. A change above 0 is towards the label, whatever the "
        "original's outcome. Rows are in alphabetical order, as rows whose intervals overlap "
        "cannot be ranked. Only datasets with one label per text are included."
    ),
    empty=(
        "Nothing to show: no atomic mutant has scores, and a verdict of a model that sees its "
        "pair, in a dataset with one label per text."
    ),
    about="""\
Shifts from the original's outcome are in the table of shifts. Only models with scores are included.
""",
)
