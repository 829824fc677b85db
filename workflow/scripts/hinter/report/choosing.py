"""Which cases the page shows: hidden ones first, and of the others as many as there is room for."""

import duckdb

# Rates count just those that are valid. A mutant that is only part of a sampled one stands there.
BIASED = """
    SELECT model, dataset, mutant_id, valid, hidden IS TRUE AS hidden
    FROM full_verdicts WHERE biased AND drawn IS DISTINCT FROM false
"""
CHOSEN = f"""
    CREATE TABLE chosen AS
    SELECT *, row_number() OVER (ORDER BY hidden DESC, valid DESC, hash, model, dataset) AS rank
    FROM (
        SELECT *, md5('{{seed}}:' || mutant_id) AS hash FROM ({BIASED})
        ORDER BY hidden DESC, valid DESC, hash, model, dataset LIMIT {{most}}
    )
"""
TOTALS = f"SELECT count(*), count(*) FILTER (hidden) FROM ({BIASED})"


def choose_cases(connection: duckdb.DuckDBPyConnection, *, most: int, seed: int) -> tuple[int, int]:
    """Make the table `chosen` of at most so many cases, and return how many there are, and hidden.

    A case is a biased mutant of a model. Its `rank` says how soon it is shown: first hidden ones,
    then other valid ones, then discarded ones, in the order of a seeded hash. The connection has
    the views of verdicts that tables count.
    """
    connection.execute(CHOSEN.format(seed=seed, most=most))
    ((cases, hidden),) = connection.execute(TOTALS).fetchall()
    return cases, hidden
