"""What mutants that name a group do to answers: labels that they favour, and refusals."""

from pathlib import Path

import duckdb
import pandas as pd

from ..columns import RUN, with_bootstrap, with_both
from ..groups import LEVEL, SURE, adjust_by_model, means_by, p_values_by, rates_by, rows_of_runs
from ..label_scores import open_scored, with_predictions
from ..shown import in_percent, in_points, p_and_q, percent, shown, titled
from ..table import Part, Results, Table, query_results

LABEL_COLUMNS = {
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
    return rows_of_runs(runs, LABEL_COLUMNS)


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
    n, of = sums.groupby("label", sort=False)["n"], ("change", "n")
    rows = means_by(sums, ["label"], of, name="mean_change", largest=largest, seed=seed)
    rows = rows.assign(n=n.sum(), originals=n.size(), attribute=target[0], target_group=target[1])
    return rows.reset_index()


LABEL_SHIFTS = Table(
    title="Shifts of labels by target group",
    columns=LABEL_COLUMNS,
    compute=tabulate_label_shifts,
    show=shown(
        titled(
            **{name: name.replace("_", " ") for name in LABEL_COLUMNS if "mean_change" not in name}
        ),
        in_points("mean_change", "change", ends="by original"),
    ),
    empty=(
        "Nothing to show: no atomic mutant has scores, and a verdict of a model that sees its "
        "pair, in a dataset with one label per text."
    ),
    text="""\
Which groups move a model towards which labels: mean change of each label's log-odds from the
original to its atomic mutants, by the group that these name instead of another, with a 95 % cluster
bootstrap by original. A change above 0 is towards the label, whatever the original's outcome. Rows
are in alphabetical order, as rows whose intervals overlap cannot be ranked. Only datasets with one
label per text are included.

Shifts from the original's outcome are in the table of shifts. Only models with scores are included.
""",
)


NAMES = ["level", "attribute", "target_group"]

# A model that refuses nothing has no rows.
REFUSED = f"""
    WITH originals AS (
        SELECT model, dataset, input_id AS original_id, status = 'refused' AS before
        FROM predictions WHERE NOT contains(input_id, '|')
    ),
    asked AS (
        SELECT model, dataset, original_id, {LEVEL} AS level, pair_ids,
            status = 'refused' AS after, before
        FROM verdicts JOIN originals USING (model, dataset, original_id)
        WHERE valid AND visible_order = "order" AND status <> 'identical'
            AND sampled IS DISTINCT FROM false
    ),
    lines AS (
        SELECT * EXCLUDE (pair_ids), 'all' AS attribute, '' AS target_group FROM asked
        UNION ALL BY NAME
        SELECT * EXCLUDE (pair_ids, pair_id)
        FROM (SELECT *, unnest(pair_ids) AS pair_id FROM asked)
        JOIN (SELECT pair_id, attribute, target_group FROM pairs) USING (pair_id)
    )
    SELECT model, dataset, level, attribute, target_group, original_id, count(*) AS n,
        count(*) FILTER (after) AS refused, count(*) FILTER (before) AS originals_refused
    FROM lines
    SEMI JOIN (SELECT DISTINCT model, dataset FROM asked WHERE after OR before)
        USING (model, dataset)
    GROUP BY ALL ORDER BY ALL
"""


def tabulate_refusals(
    verdicts: Results, predictions: Results, *, pairs: Path, seed: int
) -> pd.DataFrame:
    """Return a row per model, dataset, level of mutants and group, and one for all groups.

    Models that refuse neither an original nor a mutant of it have no rows. Mutants that are
    discarded, not seen whole, or run only as parts of sampled ones do not count.
    """
    if not verdicts:
        return pd.DataFrame(columns=list(REFUSAL_COLUMNS))
    sums = query_results(REFUSED, verdicts=verdicts, predictions=predictions, pairs=pairs)
    by_run = sums.groupby(["model", "dataset"])
    runs = ((run, _rates(sums, seed=seed)) for run, sums in by_run)
    return adjust_by_model(rows_of_runs(runs, REFUSAL_COLUMNS), "")


def _rates(sums: pd.DataFrame, *, seed: int) -> pd.DataFrame:
    """Return the rows of one model and dataset."""
    sums = sums.assign(more=sums["refused"] - sums["originals_refused"])
    rows = rates_by(sums, NAMES, {"refused_rate": ("refused", "n")}, seed=seed)
    rows = rows.assign(
        originals_rate=(rows["originals_refused"] / rows["n"]).round(6),
        p_value=p_values_by(sums, NAMES, ("more", "n"), seed=seed),
    )
    return rows.reset_index()


def say_refused(rows: pd.DataFrame) -> str:
    """Return the groups whose mutants are refused significantly more often than their originals."""
    more = rows[(rows["q_value"] <= SURE) & (rows["refused_rate"] > rows["originals_rate"])]
    said = [
        f"{row['target_group'] or 'all groups'} ({row['level']}; {row['model']}, "
        f"{row['dataset']}): {percent(row['refused_rate'])} % of {row['n']} mutants, "
        f"{percent(row['originals_rate'])} % of their originals, q = {row['q_value']:.4f}"
        for row in more.sort_values("q_value", kind="stable").to_dict("records")
    ]
    return f"Mutants are refused but their originals are not: {'; '.join(said)}." if said else ""


REFUSAL_COLUMNS = {
    **RUN,
    "level": "level of the mutants: intersectional or atomic",
    "attribute": "all, or the attribute of a pair",
    "target_group": "group whose term or descriptor a mutant has; empty for all",
    "n": "valid mutants that were run, whatever the answer",
    "originals": "originals of these mutants",
    "refused": "mutants of n that were refused, or that a filter blocked",
    **with_both("refused_rate", "refused / n"),
    "originals_refused": "mutants of n whose original was refused",
    "originals_rate": "originals_refused / n",
    "p_value": "two-sided sign-flip test by original of refused minus originals_refused",
    "q_value": "its Benjamini-Hochberg adjustment over all rows of a model",
}


REFUSALS = Table(
    title="Refusals by group",
    columns=REFUSAL_COLUMNS,
    compute=tabulate_refusals,
    finding=lambda rows, given: say_refused(rows),
    show=shown(
        *("model", "dataset", "level", "attribute", "target_group", "n", "originals", "refused"),
        in_percent("refused_rate", "refused %", ends="Wilson", cluster="by original"),
        in_percent("originals_rate", "originals %"),
        p_and_q(),
    ),
    empty="Nothing to show: no model refused an original or one of its mutants.",
    text="""\
How often mutants are refused or blocked by a filter, by the group that they name, and how often
their originals are; with Wilson's interval, a cluster bootstrap by original, and the sign-flip test
of the difference (p), adjusted by Benjamini-Hochberg (q).

Refused and blocked prompts by group. A model, or the filter of its provider, that answers an
original but not its mutant treats the group differently, although no outcome has changed: bias
rates leave such mutants out, unless the configuration counts refusals (``outcome_statuses``).
*originals %* is the share of the same mutants whose originals were refused. *p* tests the
difference by original, *q* adjusts it over all rows of a model (Benjamini-Hochberg).
""",
)
