"""How far mutants move each model from the original's outcome, whether or not it changes."""

from pathlib import Path

import pandas as pd

from ..columns import with_bootstrap, with_both
from ..groups import LEVEL, STEP, adjust_by_model, means_by, p_values_by, rates_by, rows_of_runs
from ..label_scores import divergences, open_scored, with_predictions
from ..pairing import BY_LENGTH, ENTERS, LENGTH_PREFIXES, by_length
from ..shown import (
    difference_of,
    each_as,
    four_decimals,
    in_percent,
    in_points,
    p_and_q,
    points,
    shown,
)
from ..table import Part, Results, Table
from .group_units import LINE_COLUMNS, NAMES, excess_over_controls

SHIFTED = f"""
    CREATE TABLE shifted AS
    SELECT original_id, {LEVEL} AS level, attributes, pair_ids,
        round(100 * shift)::BIGINT AS shift, divergence,
        CASE WHEN {{decided_at_zero}} THEN {ENTERS.format(of="v")} END AS near
    FROM listed_verdicts AS v LEFT JOIN ({{divergences}}) USING (mutant_id)
"""

SUMS = """
    count(*) AS n, count(shift) AS scored, coalesce(sum(shift), 0)::BIGINT AS shift,
    coalesce(sum(abs(shift)), 0)::BIGINT AS absolute, count(near) AS benign,
    count(*) FILTER (near) AS near, count(divergence) AS diverging,
    coalesce(sum(divergence), 0)::BIGINT AS divergence
"""
"""Sums over mutants: shifts are in hundredths, divergences in millionths."""

LINES = f"""
    WITH lines AS (
        SELECT 0 AS place, level, 'all' AS attributes, '' AS source_group, '' AS target_group,
            original_id, {SUMS}
        FROM shifted GROUP BY ALL
        UNION ALL
        SELECT 1, level, attributes, '', '', original_id, {SUMS}
        FROM shifted GROUP BY ALL
        UNION ALL
        SELECT 2, level, p.attribute, source_group, target_group, original_id, {SUMS}
        FROM (SELECT * EXCLUDE (pair_ids), unnest(pair_ids) AS pair_id FROM shifted)
        JOIN pairs AS p USING (pair_id) GROUP BY ALL
    )
    SELECT * EXCLUDE (place) FROM lines
    ORDER BY level, place, attributes, source_group, target_group, original_id
"""


def sum_shifts(verdicts: Part, predictions: Part, *, pairs: Path) -> tuple[pd.DataFrame, int, bool]:
    """Return the `SUMS` of one model on one dataset, and its largest shift, in hundredths.

    The last is whether outcomes are decided at a margin of 0.

    There is a row per line and original: all mutants of a level, those of a combination of
    attributes, and those with a pair from a source to a target group. Mutants of sampled orders are
    left out.
    """
    connection, task = open_scored(verdicts, predictions, pairs=pairs)
    shifted = SHIFTED.format(decided_at_zero=task.decided_at_zero, divergences=divergences(task))
    connection.execute(shifted)
    query = "SELECT coalesce(max(abs(shift)), 0) FROM shifted"
    ((largest,),) = connection.execute(query).fetchall()
    return connection.execute(LINES).df(), int(largest), task.decided_at_zero


COLUMNS = {
    **LINE_COLUMNS,
    "scored": "mutants of n with a shift: they and their original have scores",
    **with_bootstrap("mean_shift", "mean shift of scored, in log-odds"),
    "mean_absolute_shift": "mean absolute value of their shifts, in log-odds",
    "benign": "benign mutants of scored whose original had a margin of 0.5 or more; 0 if the "
    "outcome is one of more than two labels, and thus not decided at a margin of 0",
    "near_flips": "benign mutants with a margin below 0.5",
    **with_both("near_flip_rate", "near_flips / benign"),
    "controls": "benign mutants that are compared with their control, which is also benign",
    "control_rate": "near_flip_rate of these controls",
    **with_bootstrap("excess", "near_flip_rate of these mutants minus control_rate"),
    "excess_p_value": "permutation test that swaps mutants and controls, original by original",
    "excess_q_value": "its adjustment, like q_value",
    **BY_LENGTH,
    "mean_divergence": "mean Jensen-Shannon divergence between the probabilities of all labels for "
    "the original and for the mutant, to base 2; empty if a text may have several labels, or not "
    "all labels have scores",
    "p_value": "two-sided sign-flip test by original of a mean shift of 0",
    "q_value": "its Benjamini-Hochberg adjustment over all lines, levels and datasets of a model",
}


def tabulate_shifts(
    verdicts: Results, predictions: Results, controls: Results, *, pairs: Path, seed: int
) -> pd.DataFrame:
    """Return a row per model, dataset, level of mutants and line.

    A line is `all` attributes, one combination of attributes, or the mutants with a pair of one
    attribute from a source to a target group. If all originals of a line agree, the interval of its
    mean allows for unseen ones that move as far as any mutant of the model on the dataset. A line
    whose mutants have no scores has only numbers of mutants. Mutants of sampled orders are left
    out.
    """
    runs = []
    for part, answers in with_predictions(verdicts, predictions):
        sums, largest, decided = sum_shifts(part, answers, pairs=pairs)
        if not sums.empty:
            rows = _rows(sums, largest=largest, seed=seed)
            if controls and decided:
                excess = excess_over_controls(
                    part, controls, pairs=str(pairs), seed=seed, shown="near", apart=True
                )
                rows = rows.join(excess, on=NAMES)
            runs.append((part, rows))
    return adjust_by_model(rows_of_runs(runs, COLUMNS), "", "excess_", *LENGTH_PREFIXES)


def _rows(sums: pd.DataFrame, *, largest: int, seed: int) -> pd.DataFrame:
    of = "shift", "scored"
    rows = rates_by(sums, NAMES, {"near_flip_rate": ("near", "benign")}, seed=seed)
    rows = rows.assign(
        near_flips=rows["near"],
        mean_absolute_shift=(rows["absolute"] / rows["scored"] / STEP).round(6),
        mean_divergence=(rows["divergence"] / rows["diverging"] / 1e6).round(6),
        p_value=p_values_by(sums, NAMES, of, seed=seed),
    )
    shifts = means_by(sums, NAMES, of, name="mean_shift", largest=largest, seed=seed)
    return rows.join(shifts).reset_index()


TABLE = Table(
    title="Shifts by combination and group",
    columns=COLUMNS,
    compute=tabulate_shifts,
    show=shown(
        *("model", "dataset", *NAMES, "n", "originals", "scored"),
        in_points("mean_shift", "shift", ends="by original"),
        each_as(points, mean_absolute_shift="size"),
        in_percent("near_flip_rate", "near flips %", cluster="near flips: by original"),
        difference_of("excess", "near flips: excess"),
        by_length(lambda name, title: difference_of(name, f"near flips: {title}")),
        each_as(four_decimals, mean_divergence="divergence"),
        p_and_q(),
    ),
    empty="Nothing to show: no valid mutant has a verdict of a model that sees all its pairs.",
    text="""\
How far mutants shift the margin of the original's outcome, in log-odds, by combination of
attributes and by source and target group: mean shift with a 95 % cluster bootstrap by original,
mean absolute shift (size), share of benign mutants that are near flips (a margin below 0.5, where
the original's was not), how much it exceeds that of their controls (also for mutants with more
words than their control, longer, and for the others), mean Jensen-Shannon divergence of the
probabilities of labels (base 2), and the sign-flip test by original of a mean of 0 (p), adjusted by
Benjamini-Hochberg over all lines of a model (q). Near flips are only counted if the outcome is
decided at a margin of 0 (two labels, or several labels per text), divergences only for single
labels per text whose scores are all known. Lines are in alphabetical order, as lines whose
intervals overlap cannot be ranked. A shift is negative if a mutant moves the model away from the
original's outcome, and positive if it makes the model more certain of it.

*size* is the mean absolute shift, *excess* the share of near flips minus that of the controls.
Models without scores have no shifts. A mean below 0 is not bias by itself: neutral changes also
move a model, and more often away from an outcome that was close than towards it.
""",
)
