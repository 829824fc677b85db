"""Bias by combination and by group as deviations within originals, for permutation tests."""

from pathlib import Path

import duckdb
import pandas as pd

from ...statistics import sampling_moments
from ..groups import LEVEL
from ..sources import Part, open_results

NAMES = ["level", "attributes", "source_group", "target_group"]
"""The keys of a line of the table of groups; groups are empty for combinations."""

LINE_COLUMNS = {
    "model": "name of the model",
    "dataset": "name of the dataset",
    "level": "level of the mutants: intersectional or atomic",
    "attributes": "all, a combination of attributes, or the attribute of a pair",
    "source_group": "group whose term is replaced; empty for combinations",
    "target_group": "group whose term replaces it; empty for combinations",
    "n": "mutants with a verdict",
    "originals": "their originals",
}
"""The columns that say what a line is, and how much it rests on."""

SUMS = ["n", "biased", "deviation", "variance", "third"]

TOLD = f"""
    CREATE VIEW told AS
    SELECT original_id, {LEVEL} AS level, "order", attributes, pair_ids, biased
    FROM listed_verdicts
"""

# The units of the test are single mutants; a stratum holds all mutants of one original and order.
# Each row has the moments of a draw of `drawn` units from the `units` of its stratum.
COMBINATIONS = """
    WITH counted AS (
        SELECT original_id, level, "order", attributes, count(*) AS n,
            count(*) FILTER (biased) AS biased
        FROM told GROUP BY ALL
    )
    SELECT original_id, level, attributes, '' AS source_group, '' AS target_group,
        n, biased, n::DOUBLE AS drawn, sum(n) OVER stratum AS units,
        sum(biased) OVER stratum / units AS rate, biased - n * rate AS deviation,
        units * rate * (1 - rate) AS squares, squares * (1 - 2 * rate) AS cubes
    FROM counted WINDOW stratum AS (PARTITION BY original_id, "order")
"""

# The units of the test are pairs, each with all its mutants, which are not independent; a stratum
# holds all pairs of one attribute in the mutants of one original and combination.
GROUPS = """
    WITH counted AS (
        SELECT original_id, level, attributes, pair_id, count(*) AS n,
            count(*) FILTER (biased) AS biased
        FROM (SELECT * EXCLUDE (pair_ids), unnest(pair_ids) AS pair_id FROM told) GROUP BY ALL
    ),
    units AS (
        SELECT original_id, level, attributes AS combination, p.attribute AS attributes,
            source_group, target_group, n, biased,
            biased - n * sum(biased) OVER stratum / sum(n) OVER stratum AS deviation
        FROM counted JOIN pairs AS p USING (pair_id)
        WINDOW stratum AS (PARTITION BY original_id, combination, p.attribute)
    ),
    strata AS (
        SELECT original_id, combination, attributes, count(*) AS units,
            sum(deviation ** 2) AS squares, sum(deviation ** 3) AS cubes
        FROM units GROUP BY ALL
    ),
    drawn AS (
        SELECT original_id, level, combination, attributes, source_group, target_group,
            count(*)::DOUBLE AS drawn, sum(n) AS n, sum(biased) AS biased,
            sum(deviation) AS deviation
        FROM units GROUP BY ALL
    )
    SELECT * FROM drawn JOIN strata USING (original_id, combination, attributes)
"""


def open_groups(verdicts: Part, pairs: Path) -> duckdb.DuckDBPyConnection:
    """Return a connection to the verdicts of one model on one dataset and to the dictionary."""
    connection = open_results(verdicts=[verdicts])
    connection.execute(f"CREATE VIEW pairs AS FROM read_csv('{pairs}', all_varchar = true)")
    connection.execute(TOLD)
    return connection


def sum_by_original(connection: duckdb.DuckDBPyConnection, query: str) -> pd.DataFrame:
    """Return a row per line and original: mutants, biased ones, and their deviation.

    `deviation` is the number of biased mutants minus the number expected if the line's units were
    drawn at random from their strata; `variance` and `third` are the second and third central
    moments of that null distribution.
    """
    strata: pd.DataFrame = connection.execute(query).df()
    columns = ("drawn", "units", "squares", "cubes")
    drawn, units, squares, cubes = (strata[name].to_numpy(dtype=float) for name in columns)
    variance, third = sampling_moments(drawn, units, squares, cubes)
    strata = strata.assign(variance=variance, third=third)
    return strata.groupby([*NAMES, "original_id"])[SUMS].sum().reset_index()
