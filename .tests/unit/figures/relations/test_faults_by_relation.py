"""Which points the figure of faults by relation has."""

from pathlib import Path

import pandas as pd
from hinter.figures.relations.faults_by_relation import FIGURE
from plotting import plot


def _rows(*rates: tuple[str, str, float]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "model": "m",
            "metric": metric,
            "relation": relation,
            "fault_rate": rate,
            "fault_rate_cluster_low": rate / 2,
            "fault_rate_cluster_high": rate,
        }
        for metric, relation, rate in rates
    )


def test_a_figure_is_the_same_each_time_and_shows_each_rate(tmp_path: Path) -> None:
    rows = _rows(("sentiment", "MR4", 0.2), ("tone", "MR4", 0.6), ("tone", "MR17", 0.4))
    plotted = plot(FIGURE, rows, tmp_path)
    assert plot(FIGURE, rows, tmp_path) == plotted
    assert plot(FIGURE, _rows(("sentiment", "MR4", 0.2)), tmp_path) != plotted
