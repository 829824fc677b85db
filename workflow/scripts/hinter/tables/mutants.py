"""How many mutants there are, by dataset, order and attributes, and what the invariant says."""

import pandas as pd

from .sources import Results, open_results
from .writing import percent

BY_REASON = """
    sum(mutants)::BIGINT AS mutants,
    coalesce(sum(mutants) FILTER (reason IS NULL), 0)::BIGINT AS valid,
    coalesce(sum(mutants) FILTER (reason = 'sentence_count'), 0)::BIGINT AS sentence_count,
    coalesce(sum(mutants) FILTER (reason = 'pos'), 0)::BIGINT AS pos,
    coalesce(sum(mutants) FILTER (reason = 'dep'), 0)::BIGINT AS dep,
    coalesce(sum(mutants) FILTER (reason = 'unchecked'), 0)::BIGINT AS unchecked
"""
"""The columns of mutants by what the invariant says of them, over rows of counts."""

COUNTS = f"""
    WITH counted AS (SELECT dataset, "order", attributes, {BY_REASON} FROM counts GROUP BY ALL),
    suites AS (
        SELECT dataset, attributes, count(*) AS tested
        FROM suite WHERE valid AND drawn IS NOT FALSE GROUP BY ALL
    ),
    sampled AS (SELECT DISTINCT dataset, "order", true AS drawn FROM suite WHERE drawn)
    SELECT counted.*, coalesce(tested, 0) AS tested,
        CASE WHEN coalesce(tested, 0) = valid THEN 'all'
            WHEN drawn THEN 'sample' ELSE 'suite' END AS basis
    FROM counted
    LEFT JOIN suites USING (dataset, attributes) LEFT JOIN sampled USING (dataset, "order")
    ORDER BY dataset, "order", attributes
"""


def tabulate_mutants(counts: Results, suites: Results) -> pd.DataFrame:
    """Return a row per dataset and set of attributes.

    Columns: dataset, order, attributes, mutants, valid, discarded by reason (sentence_count, pos,
    dep), unchecked, all exact; tested (valid mutants that the models are run on) and basis (`all`
    valid ones, a uniform `sample`, or the `suite` of drawn originals and pairs); valid_share of
    those checked.
    """
    rows: pd.DataFrame = open_results(counts=counts, suite=suites).execute(COUNTS).df()
    return rows.assign(valid_share=(rows["valid"] / (rows["mutants"] - rows["unchecked"])).round(6))


def show_mutants(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the counts as they are read."""
    shares = rows["valid_share"].map(percent)
    return rows.drop(columns="valid_share").assign(**{"valid %": shares})
