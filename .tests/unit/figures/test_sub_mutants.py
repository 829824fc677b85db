"""Bars that are shares of few mutants are pale, and the figure says so."""

from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
import pytest
from hinter.figures.sub_mutants import FIGURES
from matplotlib.figure import Figure
from plotting import plot

_close = plt.close


@pytest.mark.parametrize(("mutants", "pale"), [(9, True), (10, False)])
def test_shares_of_few_are_pale(
    mutants: int, pale: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures: list[Figure] = []
    monkeypatch.setattr(plt, "close", figures.append)
    cells = {"intersectional": True, "first": True, "second": False}
    rows = [
        {"combination": name, "model": "all", "mutants": count} | cells
        for name, count in (("age+body", mutants), ("age+race", 40))
    ]
    plot(FIGURES["rq4/figure9_truth_table"], pd.DataFrame(rows), tmp_path)
    [figure] = figures
    for axes in figure.axes:
        for bars in axes.containers:
            few, many = (bar.get_facecolor() for bar in bars)
            assert (few != many) == pale
            # Else lines of the grid would show through the bar.
            assert (few[3], many[3]) == (1, 1)
        legend = axes.get_legend()
        assert legend is not None
        assert {handle.get_alpha() for handle in legend.legend_handles if handle} == {None}
    assert ("Pale" in figure.get_supxlabel()) == pale
    _close(figure)
