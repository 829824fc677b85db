"""Shares with their intervals, as columns of a table."""

import pandas as pd

from ..statistics import wilson_interval


def with_share(rows: pd.DataFrame, name: str, *, part: str, whole: str) -> pd.DataFrame:
    """Return the rows with the share of the column `part` in the column `whole`.

    It comes as the column `name` with its Wilson interval (`_low`, `_high`).
    """
    numbers = zip(rows[part].tolist(), rows[whole].tolist(), strict=True)
    intervals = [wilson_interval(successes, n) for successes, n in numbers]
    columns = {
        name: (rows[part] / rows[whole]).round(6),
        f"{name}_low": [round(low, 6) for low, _ in intervals],
        f"{name}_high": [round(high, 6) for _, high in intervals],
    }
    return pd.concat([rows, pd.DataFrame(columns, index=rows.index)], axis=1)
