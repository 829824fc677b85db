"""The verdicts on follow-ups with their sources, for the tables that count faults."""

from collections.abc import Sequence
from pathlib import Path

import duckdb
import pandas as pd

from ...relations import RELATIONS
from ..table import Results, open_results

FAULTS = """
    CREATE VIEW faults AS
    SELECT v.model, replace(v.dataset, 'relations_', '') AS metric, v.mutant_id, v.original_id,
        v.pair_ids, v.status, v.shift, CASE WHEN v.visible_order = v."order" THEN v.biased END
            AS fault,
        f.* EXCLUDE (mutant_id)
    FROM judged AS v JOIN read_parquet('{path}') AS f USING (mutant_id)
"""


def in_order(rows: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Return the rows by `keys` and then by relation, relations in the order of their numbers."""
    numbers = rows["relation"].map(list(RELATIONS).index)
    ordered = rows.assign(number=numbers).sort_values([*keys, "number"], ignore_index=True)
    return ordered.drop(columns="number")


def open_faults(
    follow_up_verdicts: Results, *, follow_up_sources: Path, **others: Results
) -> duckdb.DuckDBPyConnection:
    """Return a connection with the view `faults`: a row per follow-up, metric and model.

    It also has a view for each of the `others`. `fault` is null if the answer to the follow-up or
    to the prompt that it is compared with has no rating.
    """
    connection = open_results(verdicts=follow_up_verdicts, **others)
    connection.execute(FAULTS.format(path=follow_up_sources))
    return connection
