"""The figure of the harness: a row for every probe and model, a dot where there is a score."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hinter.figures.harness import FIGURES
from matplotlib.figure import Figure
from plotting import plot

ROWS = pd.DataFrame(
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
    first = plot(FIGURES["probes/harness"], ROWS, tmp_path)
    assert plot(FIGURES["probes/harness"], ROWS, tmp_path) == first
    (axes,) = plotted[0].axes
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names == ["A\nm, n = 200", "A\nn, n = 1,000", "B\nm, n = 0"]
    dots = axes.lines[0].get_xydata()
    assert dots[np.isfinite(dots).all(axis=1)].tolist() == [[0.25, 0], [1, 1]]
    for figure in plotted:
        close(figure)
