"""Bias in excess of controls by combination and by group."""

import pandas as pd

from ..groups import LEVEL
from ..pairing import excess_by_length, excess_of_lines, open_paired
from ..table import Part, Results
from .group_units import NAMES

# For a group, only mutants count whose control replaces the group's own pair by a neutral one. The
# controls of other mutants still contain that pair.
SUMS = f"""
    WITH matched AS (
        SELECT original_id, {LEVEL} AS level, attributes, pair_id, longer, count(*) AS n,
            count(*) FILTER ({{shown}}) AS changed, count(*) FILTER (control_{{shown}}) AS control
        FROM paired WHERE sampled IS NULL AND {{shown}} IS NOT NULL
            AND control_{{shown}} IS NOT NULL GROUP BY ALL
    ),
    lines AS (
        SELECT *, '' AS source_group, '' AS target_group FROM matched
        UNION ALL SELECT * REPLACE ('all' AS attributes), '', '' FROM matched
        UNION ALL
        SELECT matched.* REPLACE (p.attribute AS attributes), source_group, target_group
        FROM matched JOIN read_csv('{{pairs}}', all_varchar = true) AS p USING (pair_id)
    )
    SELECT level, attributes, source_group, target_group, original_id, longer, sum(n)::BIGINT AS n,
        sum(changed)::BIGINT AS changed, sum(control)::BIGINT AS control
    FROM lines GROUP BY ALL ORDER BY ALL
"""


def excess_over_controls(
    verdicts: Part,
    controls: Results,
    *,
    pairs: str,
    seed: int,
    shown: str = "biased",
    apart: bool = False,
) -> pd.DataFrame:
    """Return the excess of each line of the table of groups, indexed by `NAMES`.

    `controls` is the number of mutants that are compared with their controls, `control_rate` the
    share of these controls for which `shown` (biased or near) holds, and `excess` the share of the
    mutants minus that, with its cluster bootstrap by original (`_low`, `_high`). `excess_p_value`
    is a two-sided test that swaps mutants and controls, original by original. With `apart`, the
    columns `BY_LENGTH`, without q-values, are added for longer mutants and for the others.
    """
    sums = open_paired([verdicts], controls).execute(SUMS.format(pairs=pairs, shown=shown)).df()
    rows = (excess_by_length if apart else excess_of_lines)(sums, NAMES, seed=seed)
    named = rows.rename(columns={"n": "controls", "p_value": "excess_p_value"})
    return named.drop(columns=["originals", "rate"]).astype({"controls": "Int64"})
