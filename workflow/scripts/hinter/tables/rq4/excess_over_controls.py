"""Bias in excess of controls by combination and by group."""

import numpy as np
import pandas as pd

from ...statistics import bootstrap_rates, permutation_p_values
from ..groups import LEVEL
from ..pairing import open_paired
from ..sources import Part, Results
from .group_units import NAMES, arrays_by_line

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
    sums["squares"] = sums["difference"] ** 2
    lines = sums.groupby(NAMES)
    totals = lines[["n", "control_biased", "difference", "squares"]].sum()
    deviation, variance = (totals[name].to_numpy(float) for name in ("difference", "squares"))
    # Swaps change the sum by steps of 2, so that half a step is one half more than is taken off.
    deviation = np.sign(deviation) * np.maximum(np.abs(deviation) - 0.5, 0)
    columns = {
        "controls": totals["n"].astype("Int64"),
        "control_rate": totals["control_biased"] / totals["n"],
        "excess": totals["difference"] / totals["n"],
        "excess_p_value": permutation_p_values(deviation, variance, np.zeros(len(totals))),
    }
    tables = arrays_by_line(sums, lines.ngroup().to_numpy(), columns=("difference", "n"))
    intervals = [
        interval
        for differences, counts in tables
        for interval in bootstrap_rates(differences, counts, bounds=(-1, 1), seed=seed)
    ]
    ends = pd.DataFrame(intervals, columns=["excess_low", "excess_high"], index=totals.index)
    return pd.DataFrame(columns).join(ends).round(6)
