"""Which rows of a table by combination and model a figure of RQ4 shows."""

import pandas as pd


def overall(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of model `all`, by combination; without a total over a single one."""
    rows = rows[rows["model"] == "all"]
    return rows if rows["combination"].nunique() > 2 else rows[rows["combination"] != "all"]
