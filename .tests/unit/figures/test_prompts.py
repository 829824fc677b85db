"""Which dots the figure of the harness has, and which cells and points those of faults."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hinter.figures.prompts import FIGURES
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


HARNESS = pd.DataFrame(
    {
        "scenario": ["A", "A", "B"],
        "model": ["m", "n", "m"],
        "n": [200, 1000, 0],
        "score": [0.25, 1.0, np.nan],
        "score_low": [0.2, 0.9, np.nan],
        "score_high": [0.3, 1.0, np.nan],
    }
)


def test_every_probe_and_model_has_its_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plotted: list[Figure] = []
    close = plt.close
    monkeypatch.setattr(plt, "close", plotted.append)
    first = plot(FIGURES["probes/harness"], HARNESS, tmp_path)
    assert plot(FIGURES["probes/harness"], HARNESS, tmp_path) == first
    (axes,) = plotted[0].axes
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names == ["A\nm, n = 200", "A\nn, n = 1,000", "B\nm, n = 0"]
    dots = axes.lines[0].get_xydata()
    assert dots[np.isfinite(dots).all(axis=1)].tolist() == [[0.25, 0], [1, 1]]
    for figure in plotted:
        close(figure)
