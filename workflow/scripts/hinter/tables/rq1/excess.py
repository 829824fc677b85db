"""Bias in excess of matched controls: what a change of group does more than neutral edits (RQ1)."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from ...statistics import q_values
from ..columns import RUN, with_bootstrap
from ..lines import adjust_by_model, rows_of_runs
from ..pairing import (
    BY_LENGTH,
    TOLD_APART,
    by_length,
    excess_by_length,
    excess_of_part,
    open_paired,
    part_columns,
)
from ..shown import difference_of, each_as, p_and_q, percent, shown
from ..table import Results, Table

NEUTRAL, BESIDE, THROUGHOUT = "neutral", "sensitive + neutral", "neutral + neutral"
"""What controls are: a neutral edit, one beside the sensitive rest, and neutral edits alone."""
MEASURED = f"""
    WITH compared AS (
        SELECT *, if("order" = 1, '{NEUTRAL}', '{BESIDE}') AS compared_with FROM paired
        UNION ALL BY NAME SELECT *, '{THROUGHOUT}' AS compared_with FROM paired_neutral
    )
    SELECT "order", coalesce(attributes, 'all') AS attributes, measure, compared_with, original_id,
        longer, judging, count(*) AS n,
        sum(changed)::BIGINT AS changed, sum(control)::BIGINT AS control
    FROM (
        SELECT *, 'bias' AS measure, biased::INT AS changed, control_biased::INT AS control
        FROM compared
        UNION ALL
        SELECT *, 'hidden bias', hidden::INT, control_hidden::INT FROM compared WHERE complete
        UNION ALL
        SELECT *, 'worse', worse::INT, control_worse::INT FROM compared
        UNION ALL
        SELECT *, 'better', better::INT, control_better::INT FROM compared
    )
    WHERE changed IS NOT NULL AND control IS NOT NULL
    GROUP BY GROUPING SETS (
        ("order", attributes, measure, compared_with, original_id, longer, judging),
        ("order", measure, compared_with, original_id, longer, judging)
    )
    ORDER BY "order", attributes, measure, compared_with DESC, original_id, longer, judging
"""
LINE = ["order", "attributes", "measure", "compared_with"]
KEYS = ["model", "dataset", *LINE]
COLUMNS = {
    **RUN,
    "order": "number of attributes that the mutants change",
    "attributes": "all, or a combination of attributes",
    "measure": "bias, hidden bias (of all mutants, biased or not), or, where a dataset names "
    "favourable labels, worse (these are lost) and better (they are gained)",
    "compared_with": "what the controls are: neutral (of one attribute), sensitive + neutral (a "
    "neutral pair in place of one of the sensitive ones) or neutral + neutral (in place of all)",
    "n": "mutants with a verdict whose control has one, too; for hidden bias, on all sub-mutants",
    "originals": "their originals",
    "rate": "share of these mutants that show it",
    "control_rate": "share of their controls that show it",
    **with_bootstrap("excess", "rate - control_rate"),
    "p_value": "two-sided permutation test that swaps mutants and controls, original by original",
    "q_value": "its Benjamini-Hochberg adjustment: of primary comparisons over all of these, of "
    "exploratory ones over those of a model",
    **BY_LENGTH,
    **part_columns("plain", "no word that judges by itself (see the table of contrasts)"),
    "primary": "whether this is the comparison that the study was made for; others are exploratory",
}


def tabulate_excess(
    verdicts: Results, controls: Results, *, primary: Mapping[str, Any], seed: int
) -> pd.DataFrame:
    """Return a row per model, dataset, order, line, measure and kind of control.

    A line is `all` attributes or one combination of attributes. Each mutant is compared with its
    own control; mutants without a control, or of which either has no verdict, are left out.
    `primary` has the measure and the order of the primary comparison: it is that of all attributes,
    with controls in which a neutral pair stands in for one sensitive pair.
    """
    runs = []
    # One at a time, as joins of more rows take longer per row.
    for part in sorted(verdicts):
        sums = open_paired([part], controls).execute(MEASURED).df()
        if len(sums):
            plain = excess_of_part(sums[~sums["judging"]], LINE, name="plain", seed=seed)
            rows = excess_by_length(sums, LINE, seed=seed).join(plain)
            runs.append((part, rows.reset_index()))
    compared_with = NEUTRAL if primary["order"] == 1 else BESIDE
    named = {**primary, "attributes": "all", "compared_with": compared_with}
    rows = adjust_by_model(rows_of_runs(runs, COLUMNS), *TOLD_APART, "plain_")
    return _adjust(rows, named)


def _adjust(rows: pd.DataFrame, named: Mapping[str, Any]) -> pd.DataFrame:
    """Return the rows with q-values: the primary comparison is no part of what is explored."""
    rows["primary"] = (rows[list(named)] == pd.Series(named)).all(axis=1)
    chosen, explored = rows[rows["primary"]], rows[~rows["primary"]]
    chosen = chosen.assign(q_value=q_values(chosen["p_value"].tolist()).round(6))
    return pd.concat([chosen, adjust_by_model(explored.copy(), "")]).sort_index()


TABLE = Table(
    title="Bias in excess of neutral edits",
    reads=("verdicts", "controls"),
    settings=("primary", "seed"),
    only_if=("controls",),
    warned=True,
    columns=COLUMNS,
    compute=tabulate_excess,
    show=shown(
        *(*KEYS, "n", "originals"),
        each_as(percent, rate="%", control_rate="controls %"),
        difference_of("excess", "excess"),
        p_and_q(),
        by_length(difference_of),
        each_as({True: "primary", False: "exploratory"}, primary="comparison"),
    ),
    caption=(
        "Bias in excess of controls. Each mutant is compared with controls, in which a neutral "
        "word pair (film, movie) stands in for one of its sensitive pairs (sensitive + neutral: "
        "does the last pair add anything?) or such pairs for all of them (neutral + neutral: is it "
        "more than any edits do?). Excess is the share of "
        "mutants that change the outcome less that of their controls, in percentage points, with "
        "a 95 % cluster bootstrap by original, a permutation test that swaps mutants and controls "
        "(p), adjusted by Benjamini-Hochberg (q). One comparison is primary, named before the run "
        "(`primary`); the others are exploratory, and adjusted apart from it. Hidden bias is "
        "compared in the same way, as a share of all mutants that, like their control, have a "
        "verdict on every sub-mutant. Where mutants have more words than their controls, the "
        "excess of these (longer) is told apart from that of the others (not longer): what only "
        "the longer ones have may be due to their length."
    ),
    empty="Nothing to show: no mutant and its control both have a verdict.",
    about="""\
Controls replace as many places as their mutants. Those of atomic mutants are *neutral* edits alone.
*hidden bias* of controls shows how often bias is hidden by chance. Where a dataset names
`favourable` labels, *worse* is the share of mutants that lose them, and *better* of those that gain
them: bias without a direction harms nobody in particular. What exploratory comparisons find is to
be tested on other texts. A rate is above its control where the test says so (*q* of 0.05 or less),
whatever its interval: otherwise it is no evidence of bias. How small an excess can be found is told
by the table *power*.
""",
)
