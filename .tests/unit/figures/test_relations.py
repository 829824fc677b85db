"""Which cells and points the figures of faults have."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hinter.figures.relations import FIGURES
from matplotlib.figure import Figure
from plotting import plot

ROWS = [("age+job", "MR10", 0.5), ("age+job", "MR3.1", 0.25), ("age+faith", "MR3.1", 1.0)]


def test_a_cell_has_the_rate_of_its_combination_and_relation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures: list[Figure] = []
    monkeypatch.setattr(plt, "close", figures.append)
    rows = pd.DataFrame(ROWS, columns=["attributes", "relation", "fault_rate"])
    rows = rows.assign(model="m", metric="tone")
    plot(FIGURES["relations/faults_by_combination"], rows, tmp_path)
    panel = figures[0].axes[0]
    (image,) = panel.collections
    cells = np.ma.filled(np.ma.asarray(image.get_array()).astype(float), np.nan).reshape(2, 2)
    assert np.array_equal(cells, [[1.0, np.nan], [0.25, 0.5]], equal_nan=True)
    assert [label.get_text() for label in panel.get_xticklabels()] == ["MR3.1", "MR10"]
    assert [label.get_text() for label in panel.get_yticklabels()] == ["age, faith", "age, job"]


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
    figure = FIGURES["relations/faults_by_relation"]
    plotted = plot(figure, rows, tmp_path)
    assert plot(figure, rows, tmp_path) == plotted
    assert plot(figure, _rows(("sentiment", "MR4", 0.2)), tmp_path) != plotted
