"""Bias by combination and by group: deviations within originals, and excess over controls."""

from pathlib import Path

import numpy as np
import pandas as pd

from ...statistics import Stratum
from ..columns import RUN
from ..groups import LEVEL
from ..pairing import excess_by_length, excess_of_lines, open_paired
from ..table import Part, Results, open_results

NAMES = ["level", "attributes", "source_group", "target_group"]
"""The keys of a line of the table of groups; groups are empty for combinations."""

LINE_COLUMNS = {
    **RUN,
    "level": "level of the mutants: intersectional or atomic",
    "attributes": "all, a combination of attributes, or the attribute of a pair",
    "source_group": "group whose term is replaced; empty for combinations",
    "target_group": "group whose term replaces it; empty for combinations",
    "n": "mutants with a verdict",
    "originals": "originals of these mutants",
}
"""The columns that identify a line, and its number of mutants."""

UNIT_SUMS = ["n", "biased", "expected", "deviation", "variance"]

RATED = f"""
    CREATE VIEW rated AS
    SELECT original_id, {LEVEL} AS level, "order", attributes, pair_ids, biased
    FROM listed_verdicts
"""

# A line's expected rate is that of the other units in its stratum, or its own if there are none.
# Its deviation is from the rate of the whole stratum.
COMPARED = """
    n, biased, biased - n * biased_of_all / n_of_all AS deviation,
    coalesce(n * (biased_of_all - biased) / nullif(n_of_all - n, 0), biased) AS expected,
    sampled, values, sampled * (units - sampled) * list_sum(
        list_transform(values, lambda value: (value - list_avg(values)) ** 2)
    ) / (units * (units - 1)) AS variance
"""

# The units of the test are single mutants; a stratum holds all mutants of one original and order.
COMBINATIONS = f"""
    WITH counted AS (
        SELECT original_id, level, "order", attributes, count(*) AS n,
            count(*) FILTER (biased) AS biased
        FROM rated GROUP BY ALL
    ),
    strata AS (
        SELECT *, n AS sampled, sum(n) OVER stratum AS n_of_all, n_of_all AS units,
            sum(biased) OVER stratum AS biased_of_all,
            CASE WHEN n < units AND biased_of_all > 0 AND biased_of_all < units
                THEN list_transform(range(units::BIGINT), lambda i: (i < biased_of_all)::DOUBLE)
            END AS values
        FROM counted WINDOW stratum AS (PARTITION BY original_id, "order")
    )
    SELECT original_id, level, attributes, '' AS source_group, '' AS target_group, {COMPARED}
    FROM strata ORDER BY original_id, "order", attributes
"""

# The units of the test are pairs, each with all its mutants, which are not independent; a stratum
# holds all pairs of one attribute in the mutants of one original and combination.
GROUPS = f"""
    WITH counted AS (
        SELECT original_id, level, attributes, pair_id, count(*) AS n,
            count(*) FILTER (biased) AS biased
        FROM (SELECT * EXCLUDE (pair_ids), unnest(pair_ids) AS pair_id FROM rated) GROUP BY ALL
    ),
    units AS (
        SELECT original_id, level, attributes AS combination, p.attribute AS attributes,
            source_group, target_group, n, biased,
            biased - n * sum(biased) OVER stratum / sum(n) OVER stratum AS deviation
        FROM counted JOIN pairs AS p USING (pair_id)
        WINDOW stratum AS (PARTITION BY original_id, combination, p.attribute)
    ),
    strata AS (
        SELECT original_id, combination, attributes, count(*) AS units, sum(n) AS n_of_all,
            sum(biased) AS biased_of_all,
            CASE WHEN max(abs(deviation)) > 1e-9 THEN list(deviation ORDER BY deviation) END
                AS values
        FROM units GROUP BY ALL
    ),
    sampled AS (
        SELECT original_id, level, combination, attributes, source_group, target_group,
            count(*) AS sampled, sum(n) AS n, sum(biased) AS biased
        FROM units GROUP BY ALL
    )
    SELECT original_id, level, attributes, source_group, target_group, {COMPARED}
    FROM sampled JOIN strata USING (original_id, combination, attributes)
    ORDER BY original_id, combination
"""


Strata = dict[tuple[str, ...], list[Stratum]]
"""The strata of each line in which something can be permuted."""


def sum_by_original(verdicts: Part, *, pairs: Path) -> tuple[pd.DataFrame, Strata]:
    """Return a row per line and original: mutants, biased ones, and their deviation.

    The lines are those of all attributes, of their combinations, and of groups. `expected` is the
    number that would be biased at the rate of the other units of their strata. `deviation` is the
    number of biased mutants minus the number expected if the line's units were sampled at random
    from their strata; `variance` is that of this null distribution.
    """
    connection = open_results(verdicts=[verdicts], pairs=pairs)
    connection.execute(RATED)
    (combinations, strata), (groups, more) = (
        _sum(connection.execute(query).df()) for query in (COMBINATIONS, GROUPS)
    )
    by_level = combinations.groupby(["level", "original_id"])[["n", "biased"]].sum().reset_index()
    total = by_level.assign(attributes="all", source_group="", target_group="").assign(
        expected=0.0, deviation=0.0, variance=0.0
    )
    sums = pd.concat([total, combinations, groups], ignore_index=True)
    return sums.astype({"n": int, "biased": int}), strata | more


def _sum(rows: pd.DataFrame) -> tuple[pd.DataFrame, Strata]:
    strata = {
        tuple(map(str, line)): [
            Stratum(np.asarray(values), int(sampled))
            for values, sampled in zip(free["values"], free["sampled"], strict=True)
        ]
        for line, free in rows.dropna(subset=["values"]).groupby(NAMES)
    }
    sums = rows.fillna({"variance": 0.0}).groupby([*NAMES, "original_id"])[UNIT_SUMS].sum()
    return sums.reset_index(), strata


# For a group, only mutants count whose control replaces the group's own pair by a neutral one. The
# controls of other mutants still contain that pair.
EXCESS_SUMS = f"""
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
    sums = (
        open_paired([verdicts], controls).execute(EXCESS_SUMS.format(pairs=pairs, shown=shown)).df()
    )
    rows = (excess_by_length if apart else excess_of_lines)(sums, NAMES, seed=seed)
    named = rows.rename(columns={"n": "controls", "p_value": "excess_p_value"})
    return named.drop(columns=["originals", "rate"]).astype({"controls": "Int64"})
