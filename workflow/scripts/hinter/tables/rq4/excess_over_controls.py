"""Bias in excess of controls by combination and by group."""

import pandas as pd

from ...statistics import Numbers, bootstrap_rates
from ..groups import LEVEL
from ..lines import mean_p_values, spread_lines
from ..pairing import open_paired
from ..sources import Part, Results
from .group_units import NAMES

# Of a group only those mutants count in which its own pair is the one that has a neutral stand-in:
# in the others' controls it is still replaced.
SUMS = f"""
    WITH told AS (
        SELECT original_id, {LEVEL} AS level, attributes, pair_id,
            biased::INT AS biased, control_biased::INT AS control_biased
        FROM paired WHERE drawn IS NULL
    ),
    lines AS (
        SELECT *, '' AS source_group, '' AS target_group FROM told
        UNION ALL SELECT * REPLACE ('all' AS attributes), '', '' FROM told
        UNION ALL
        SELECT told.* REPLACE (p.attribute AS attributes), source_group, target_group
        FROM told JOIN read_csv('{{pairs}}', all_varchar = true) AS p USING (pair_id)
    )
    SELECT level, attributes, source_group, target_group, original_id, count(*) AS n,
        sum(biased)::BIGINT AS biased, sum(control_biased)::BIGINT AS control_biased
    FROM lines GROUP BY ALL ORDER BY ALL
"""


TESTED = ("excess_low", "excess_high", "excess_p_value")


def excess_over_controls(
    verdicts: Part, controls: Results, *, pairs: str, seed: int
) -> pd.DataFrame:
    """Return the excess of each line of the table of groups, indexed by `NAMES`.

    `controls` is the number of mutants that are compared with their controls, `control_rate` the
    bias rate of these controls, and `excess` that of the mutants less that, with its cluster
    bootstrap by original (`_low`, `_high`). `excess_p_value` is a two-sided test that swaps mutants
    and controls, original by original.
    """
    sums = open_paired([verdicts], controls).execute(SUMS.format(pairs=pairs)).df()
    sums["difference"] = sums["biased"] - sums["control_biased"]
    lines = sums.groupby(NAMES, sort=False)
    totals = lines[["n", "control_biased", "difference"]].sum()
    tested = [
        _tested(differences, counts, seed=seed)
        for differences, counts in spread_lines(sums, NAMES, ["difference", "n"])
    ]
    columns = {
        "controls": totals["n"].astype("Int64"),
        "control_rate": totals["control_biased"] / totals["n"],
        "excess": totals["difference"] / totals["n"],
    }
    beside = pd.concat([pd.DataFrame(columns=TESTED), *tested]).set_index(totals.index)
    return pd.DataFrame(columns).join(beside.astype(float)).round(6)


def _tested(differences: Numbers, counts: Numbers, *, seed: int) -> pd.DataFrame:
    """Return the interval of the excess of some lines and the p-value of each."""
    lows, highs = zip(*bootstrap_rates(differences, counts, bounds=(-1, 1), seed=seed), strict=True)
    p_values = mean_p_values(differences, counts, seed=seed)
    return pd.DataFrame(dict(zip(TESTED, (lows, highs, p_values), strict=True)))
