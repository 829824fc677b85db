"""Mutants beside their controls, both with a verdict."""

import duckdb

from .sources import Results, open_results

# Both of a pair count, or neither: for hidden bias, those whose sub-mutants all have a verdict.
PAIRED = """
    CREATE VIEW paired AS
    SELECT v.model, v.dataset, v.original_id, v."order", v.attributes, v.drawn, m.pair_id,
        v.biased, c.biased AS control_biased,
        v."order" > 1 AND v.complete AND c.complete AS complete,
        v.hidden, c.hidden AS control_hidden
    FROM counted_verdicts AS v
    JOIN (SELECT dataset, mutant_id, control_id, pair_id FROM controls) AS m
        USING (dataset, mutant_id)
    JOIN control_verdicts AS c
        ON c.model = v.model AND c.dataset = v.dataset AND c.mutant_id = m.control_id
"""


def open_paired(verdicts: Results, controls: Results) -> duckdb.DuckDBPyConnection:
    """Return a connection with a view `paired`: counted mutants that have a control with a verdict.

    `pair_id` is the pair that a neutral one stands in for. `complete` tells whether all
    sub-mutants of both have a verdict.
    """
    connection = open_results(verdicts=verdicts, controls=controls)
    connection.execute(PAIRED)
    return connection
