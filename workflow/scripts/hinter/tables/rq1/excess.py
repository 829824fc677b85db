"""Bias in excess of matched controls: the effect of a group beyond that of neutral edits (RQ1)."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from ...statistics import q_values
from ..columns import RUN, with_bootstrap
from ..groups import adjust_by_model, rows_of_runs
from ..pairing import (
    BY_LENGTH,
    LENGTH_PREFIXES,
    by_length,
    excess_by_length,
    excess_of_part,
    open_paired,
    part_columns,
)
from ..shown import difference_of, each_as, p_and_q, percent, shown
from ..table import Results, Table

NEUTRAL, ONE_PAIR, THROUGHOUT = "neutral", "sensitive + neutral", "neutral + neutral"
"""The kinds of controls: a neutral edit, one with sensitive edits, and only neutral edits."""
MEASURED = f"""
    WITH compared AS (
        SELECT *, if("order" = 1, '{NEUTRAL}', '{ONE_PAIR}') AS compared_with FROM paired
        UNION ALL BY NAME SELECT *, '{THROUGHOUT}' AS compared_with FROM paired_neutral
    )
    SELECT "order", coalesce(attributes, 'all') AS attributes, measure, compared_with, original_id,
        longer, judging, count(*) AS n,
        sum(changed)::BIGINT AS changed, sum(control)::BIGINT AS control
    FROM (
        SELECT *, unnest(['bias', 'hidden bias', 'worse', 'better']) AS measure,
            unnest([biased, if(complete, hidden, NULL), worse, better])::INT AS changed,
            unnest([
                control_biased, if(complete, control_hidden, NULL), control_worse, control_better
            ])::INT AS control
        FROM compared
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
    "measure": "bias, hidden bias (a share of all mutants) or, if a dataset names favourable "
    "labels, worse (these are lost) and better (they are gained)",
    "compared_with": "the kind of controls: neutral (of one attribute), sensitive + neutral (a "
    "neutral pair replaces one of the sensitive ones) or neutral + neutral (replaces all)",
    "n": "mutants with a verdict, as has the control; for hidden bias, on all sub-mutants",
    "originals": "originals of these mutants",
    "rate": "share of these mutants that show it",
    "control_rate": "share of their controls that show it",
    **with_bootstrap("excess", "rate - control_rate"),
    "p_value": "two-sided permutation test that swaps mutants and controls, original by original",
    "q_value": "its Benjamini-Hochberg adjustment: over all primary comparisons, or over the "
    "exploratory ones of a model",
    **BY_LENGTH,
    **part_columns("plain", "no word that judges by itself (see the table of contrasts)"),
    "primary": "whether this is the comparison named before the run; others are exploratory",
}


def tabulate_excess(
    verdicts: Results, controls: Results, *, primary: Mapping[str, Any], seed: int
) -> pd.DataFrame:
    """Return a row per model, dataset, order, line, measure and kind of control.

    A line is `all` attributes or one combination of attributes. Each mutant is compared with its
    own control; mutants without a control are left out, and so are pairs without both verdicts.
    `primary` has the measure and the order of the primary comparison, which is over all attributes
    and has controls in which a neutral pair stands in for one sensitive pair.
    """
    runs = []
    # One at a time, as larger joins take longer per row.
    for part in sorted(verdicts):
        sums = open_paired([part], controls).execute(MEASURED).df()
        if len(sums):
            plain = excess_of_part(sums[~sums["judging"]], LINE, name="plain", seed=seed)
            rows = excess_by_length(sums, LINE, seed=seed).join(plain)
            runs.append((part, rows.reset_index()))
    compared_with = NEUTRAL if primary["order"] == 1 else ONE_PAIR
    named = {**primary, "attributes": "all", "compared_with": compared_with}
    rows = adjust_by_model(rows_of_runs(runs, COLUMNS), *LENGTH_PREFIXES, "plain_")
    rows["primary"] = (rows[list(named)] == pd.Series(named)).all(axis=1)
    # The primary comparison is adjusted separately.
    chosen, explored = rows[rows["primary"]], rows[~rows["primary"]]
    chosen = chosen.assign(q_value=q_values(chosen["p_value"].tolist()).round(6))
    return pd.concat([chosen, adjust_by_model(explored.copy(), "")]).sort_index()


TABLE = Table(
    title="Bias in excess of neutral edits",
    only_if=("controls",),
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
    empty="Nothing to show: no mutant and its control both have a verdict.",
    text="""\
Bias in excess of controls. Each mutant is compared with controls, in which a neutral word pair
(film, movie) stands in for one of its sensitive pairs (sensitive + neutral: does the last pair add
anything?) or neutral pairs for all of them (neutral + neutral: is it more than the effect of any
edits?). Excess is the share of mutants that change the outcome minus that of their controls, in
percentage points, with a 95 % cluster bootstrap by original and a permutation test that swaps
mutants and controls (p), adjusted by Benjamini-Hochberg (q). One comparison is primary, named
before the run (`primary`); the others are exploratory, and adjusted separately. Hidden bias is
compared in the same way, as a share of all mutants that, like their control, have a verdict on
every sub-mutant. The excess of mutants with more words than their controls (longer) is reported
separately from that of the others (not longer): an excess of the longer ones alone may be due to
their length.

A control replaces as many terms as its mutant; that of an atomic mutant is a *neutral* edit. The
*hidden bias* of controls shows how often bias is hidden by chance. If a dataset names `favourable`
labels, *worse* is the share of mutants that lose them, and *better* that of mutants that gain them:
bias without a direction harms nobody in particular. Findings of exploratory comparisons should be
tested on other texts. A rate is above its control if the test says so (*q* of 0.05 or less),
whatever its interval; otherwise it is no evidence of bias. The table *power* shows how small an
excess can be found.
""",
)
