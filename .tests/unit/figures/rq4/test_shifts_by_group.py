"""Which cells the figure of shifts has, and what it says of those that do not fit."""

from itertools import product
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hinter.figures.rq4.shifts_by_group import GROUPS, PALE, PANELS, draw_shifts
from matplotlib.figure import Figure

_close = plt.close


def _line(model: str, source: str, target: str, mean: float, **values: object) -> dict[str, object]:
    return {
        "model": model,
        "dataset": "d",
        "level": "atomic",
        "attributes": "race",
        "source_group": source,
        "target_group": target,
        "scored": 10,
        "mean_shift": mean,
        "mean_shift_low": mean - 0.1,
        "mean_shift_high": mean + 0.1,
    } | values


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    """Return a list that takes each figure that is drawn."""
    figures: list[Figure] = []
    monkeypatch.setattr(plt, "close", figures.append)
    return figures


def _draw(rows: list[dict[str, object]], drawn: list[Figure], folder: Path) -> Figure:
    draw_shifts(pd.DataFrame(rows), pdf=folder / "f.pdf", png=folder / "f.png")
    _close(drawn[-1])
    return drawn[-1]


def test_cells_hold_means_and_are_pale_where_the_interval_holds_0(
    drawn: list[Figure], tmp_path: Path
) -> None:
    unknown = {"mean_shift_low": np.nan, "mean_shift_high": np.nan}
    rows = [
        _line("m", "x", "y", -0.5),
        _line("m", "x", "z", 0.05),
        _line("m", "w", "y", 0.4, **unknown),
        # Not shown: totals, mutants of several attributes, and those without scores.
        _line("m", "x", "y", 3, level="intersectional"),
        _line("m", "w", "z", np.nan, scored=0),
        _line("m", "x", "y", 3, source_group=None, target_group=None),
    ]
    (axes,) = _draw(rows, drawn, tmp_path).axes
    assert sorted(text.get_text() for text in axes.texts) == ["-0.50", "0.05", "0.40"]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["w", "x"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["y", "z"]
    (image,) = axes.images
    assert np.asarray(image.get_alpha()).tolist() == [[PALE, PALE], [1, PALE]]
    # White is a shift of 0.
    assert image.norm(0) == pytest.approx(0.5)


def test_the_largest_groups_and_panels_are_shown_and_the_others_counted(
    drawn: list[Figure], tmp_path: Path
) -> None:
    groups = [f"group {number:02}" for number in range(GROUPS + 3)]
    rows = [
        _line(f"m{model:02}", source, target, 0.3, scored=10 * (model + 1) + groups.index(target))
        for model in range(PANELS + 2)
        for source, target in product(groups[:2], groups)
    ]
    figure = _draw(rows, drawn, tmp_path)
    assert [axes.get_title(loc="left") for axes in figure.axes] == [
        f"m{model:02}, d: race ({GROUPS} of {len(groups)} targets)"
        for model in range(2, PANELS + 2)
    ]
    assert [label.get_text() for label in figure.axes[0].get_xticklabels()] == groups[3:]
    assert f"{PANELS} of {PANELS + 2} panels are shown." in " ".join(figure.get_supxlabel().split())
