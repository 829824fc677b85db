"""Panels can be compared with each other, and legends name what is plotted."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
import pytest
from hinter.figures.discarded import FIGURES as DISCARDED
from hinter.figures.originals import FIGURES as ORIGINALS
from hinter.figures.originals import plot_biased_originals
from hinter.figures.prompts import FIGURES as COMBINATIONS
from hinter.figures.sub_mutants import FIGURES as SUB_MUTANTS
from matplotlib.figure import Figure
from plotting import plot

_close = plt.close


@pytest.fixture
def plotted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Figure]]:
    """Yield a list that takes each figure that is plotted."""
    figures: list[Figure] = []
    monkeypatch.setattr(plt, "close", figures.append)
    yield figures
    _close("all")


def _names(figure: Figure) -> list[list[str]]:
    legends = [*figure.legends, *(axes.get_legend() for axes in figure.axes)]
    return [[text.get_text() for text in legend.get_texts()] for legend in legends if legend]


def test_bars_of_all_panels_have_one_scale(tmp_path: Path, plotted: list[Figure]) -> None:
    campaigns = ("first", "second", "intersectional")
    rows = [
        {"combination": name, "model": "all", "originals": count}
        | dict(zip(campaigns, region, strict=True))
        for name, count in (("age+body", 3), ("age+race", 40))
        for region in [(True, False, False), (False, True, False)]
    ]
    plot(ORIGINALS["rq4/figure10_exposure"], pd.DataFrame(rows), tmp_path)
    widths = [
        [bar.get_width() for bar in axes.containers[0]]
        for axes in plotted[0].axes
        if axes.containers
    ]
    assert widths[0] == widths[1] == [0, 0.5, 0.5, 0, 0, 0, 0]
    limits = {axes.get_xlim() for axes in plotted[0].axes if axes.containers}
    assert len(limits) == 1
    assert plotted[0].get_supxlabel() == "Pale: shares of fewer than 10."


def test_a_legend_has_no_entry_without_a_bar(tmp_path: Path, plotted: list[Figure]) -> None:
    cells = {"intersectional": True, "first": True, "second": False, "model": "all"}
    rows = [cells | {"combination": name, "mutants": 20} for name in ("age+body", "age+race")]
    plot(SUB_MUTANTS["rq4/figure9_truth_table"], pd.DataFrame(rows), tmp_path)
    assert _names(plotted[0]) == [["first biased"], ["biased as well"]]
    checks = {"valid": 9, "discarded": 1, "pos": 0, "dep": 1, "sentence_count": 0, "unchecked": 0}
    rows = [checks | {"dataset": "d", "level": "all", "valid_share": 0.9}]
    plot(DISCARDED["rq3/figure6_validity"], pd.DataFrame(rows), tmp_path)
    assert _names(plotted[1]) == [["valid", "discarded: dependency"]]


def test_all_models_together_have_no_bar(plotted: list[Figure]) -> None:
    rows = [
        {"model": name, "originals": 30, "biased": 3, "share": 0.1, "share_low": 0, "share_high": 1}
        for name in ("a", "b", "all")
    ]
    accuracy = pd.DataFrame({"model": [], "accuracy": []})
    [axes] = plot_biased_originals(pd.DataFrame(rows), accuracy).axes
    assert [text.get_text() for text in axes.get_yticklabels()] == ["a", "b"]


def test_panels_of_combinations_have_the_same_relations(
    tmp_path: Path, plotted: list[Figure]
) -> None:
    every = product(("m", "n"), ("MR1", "MR10", "MR2"))
    rows = [
        {"model": model, "metric": "tone", "attributes": "a", "relation": name, "fault_rate": 0.5}
        for model, name in every
        if (model, name) != ("n", "MR10")
    ]
    plot(COMBINATIONS["relations/faults_by_combination"], pd.DataFrame(rows), tmp_path)
    panels = [axes for axes in plotted[0].axes if axes.get_title(loc="left")]
    named = [[text.get_text() for text in axes.get_xticklabels()] for axes in panels]
    assert named == [["MR1", "MR2", "MR10"]] * 2


@pytest.mark.parametrize("ends", [(-1.06, 0.56), (-0.9, 0.82), (-0.02, 0.02)])
def test_axes_of_interactions_have_ticks(
    ends: tuple[float, float], tmp_path: Path, plotted: list[Figure]
) -> None:
    cells = {"model": "m", "step": (ends[1] - ends[0]) / 20, "mutants": 1, "hidden": 0}
    rows = [cells | {"additive_from": end, "joint_from": end} for end in ends]
    plot(SUB_MUTANTS["rq4/interactions"], pd.DataFrame(rows), tmp_path)
    axes = plotted[0].axes[0]
    low, high = axes.get_xlim()
    assert len([tick for tick in axes.get_xticks() if low <= tick <= high]) >= 4
