"""What the figures of contrasts show, and what they leave out."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hinter.figures import Figure as Declared
from hinter.figures.contrasts import FARTHEST, FEW, FIGURES, GROUPS, LETTERS, RUNS
from hinter.tables import FEWEST_MENTIONS
from matplotlib.axes import Axes
from matplotlib.colors import same_color
from matplotlib.figure import Figure
from plotting import plot

_close = plt.close
CONTRASTS, TREATED = FIGURES["rq4/contrasts"], FIGURES["rq4/treated"]


def _line(model: str, group: str, contrast: float, **values: object) -> dict[str, object]:
    return {
        "model": model,
        "dataset": "d",
        "attribute": "race",
        "group": group,
        "scored": 30,
        "mentions": 20,
        "mean_shift": contrast - 0.3,
        "contrast": contrast,
        "contrast_low": contrast - 0.1,
        "contrast_high": contrast + 0.1,
        "q_value": 0.5,
        "judging_share": 0.0,
    } | values


@pytest.fixture
def plotted(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    """Return a list that takes each figure that is drawn."""
    figures: list[Figure] = []
    monkeypatch.setattr(plt, "close", figures.append)
    return figures


def _plot(
    rows: list[dict[str, object]], plotted: list[Figure], folder: Path, *, of: Declared = CONTRASTS
) -> Figure:
    plot(of, pd.DataFrame(rows), folder)
    _close(plotted[-1])
    return plotted[-1]


def _names(axes: Axes) -> list[str]:
    return [label.get_text() for label in axes.get_yticklabels()]


def test_groups_stand_from_the_worst_to_the_best_and_few_mentions_are_grey(
    plotted: list[Figure], tmp_path: Path
) -> None:
    names = ("contrast", "contrast_low", "contrast_high", "q_value")
    unknown: dict[str, object] = dict.fromkeys(names, np.nan)
    rows = [
        _line("m", "best_off", 0.5, q_value=0.01),
        _line("m", "worst", -0.5),
        _line("m", "few", 0.1, mentions=FEWEST_MENTIONS - 1, contrast_low=-9, q_value=np.nan),
        _line("m", "alone", 0, mentions=0) | unknown,
        # Not shown: cells, and lines without scores.
        _line("m", "worst + old", -3, attribute="age+race"),
        _line("m", "mute", -3, scored=0),
    ]
    (axes,) = _plot(rows, plotted, tmp_path).axes
    assert _names(axes) == ["worst (20)", "few (9)", "best off (20)", "alone (0)"]
    assert axes.get_ylim()[0] > axes.get_ylim()[1]
    dots = {bars[0].get_xdata()[0]: bars[0] for bars in axes.containers}
    assert same_color(dots[0.1].get_color(), FEW)
    assert not same_color(dots[0.5].get_color(), FEW)
    assert [dots[place].get_markerfacecolor() == "white" for place in (-0.5, 0.5)] == [True, False]
    # A wide interval of few mentions does not make the others unreadable.
    assert -1 < axes.get_xlim()[0] < -0.8


def test_groups_whose_words_judge_are_marked_and_never_clear(
    plotted: list[Figure], tmp_path: Path
) -> None:
    rows = [
        _line("m", "ugly", -0.5, q_value=0.01, judging_share=0.5),
        _line("m", "other", 0.5, q_value=0.01, judging_share=0.4),
    ]
    figure = _plot(rows, plotted, tmp_path)
    (axes,) = figure.axes
    assert _names(axes) == ["ugly* (20)", "other (20)"]
    faces = {bars[0].get_xdata()[0]: bars[0].get_markerfacecolor() for bars in axes.containers}
    assert (faces[-0.5] == "white", faces[0.5] == "white") == (True, False)
    said = "no finding on it is reported"
    assert said in " ".join(figure.get_supxlabel().split())
    without = _plot(rows[1:], plotted, tmp_path)
    assert said not in " ".join(without.get_supxlabel().split())


def test_the_largest_groups_and_runs_are_shown_and_the_others_counted(
    plotted: list[Figure], tmp_path: Path
) -> None:
    groups = [f"g{number:02}" for number in range(GROUPS + 3)]
    rows = [
        _line(f"m{model}", group, groups.index(group) / 10, mentions=10 * model + place)
        for model in range(1, RUNS + 3)
        for place, group in enumerate(groups)
    ]
    figure = _plot([*rows, _line("m5", "old", 0, attribute="age")], plotted, tmp_path)
    age, race = figure.axes
    assert age.get_title() == "age"
    assert race.get_title() == f"race ({GROUPS} of {len(groups)} groups)"
    assert [name.partition(" ")[0] for name in _names(race)] == groups[3:]
    assert _names(race)[0] == "g03 (33/43/53)"
    shown = [text.get_text() for text in figure.legends[0].get_texts()]
    assert shown == ["m3, d", "m4, d", "m5, d"]
    assert f"{RUNS} of {RUNS + 2} models and datasets are shown." in " ".join(
        figure.get_supxlabel().split()
    )


def test_an_arrow_is_where_an_interval_goes_on(tmp_path: Path, plotted: list[Figure]) -> None:
    often = [_line("m", group, contrast) for group, contrast in (("a", -0.2), ("b", 0.2))]
    few = {"mentions": 2, "contrast_low": -9.0, "contrast_high": 9.0}
    plot(CONTRASTS, pd.DataFrame([*often, _line("m", "c", 0.1, **few)]), tmp_path)
    axes = plotted[0].axes[0]
    arrows = {
        line.get_marker(): line.get_xdata()
        for line in axes.lines
        if line.get_marker() in ("<", ">")
    }
    assert [list(arrows[name]) for name in "<>"] == [[end] for end in axes.get_xlim()]
    assert axes.get_xlim()[1] < 1


def test_the_furthest_groups_are_named_with_their_mentions_the_worst_on_top(
    plotted: list[Figure], tmp_path: Path
) -> None:
    rows = [
        _line("m", "best_off", 0.5, q_value=0.01),
        _line("m", "worst", -0.6),
        *(_line("m", f"middle{number}", 0.01 * number) for number in range(FARTHEST)),
        _line("m", "rare", -9, mentions=FEWEST_MENTIONS - 1),
        _line("m", "a+b", -9, attribute="age+race"),
        _line("m", "local", -9, attribute="control"),
    ]
    figure = _plot(rows, plotted, tmp_path, of=TREATED)
    [axes] = figure.axes
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert len(names) == FARTHEST
    assert names[0] == "worst (race), n = 20" and names[-1] == "best off (race), n = 20"
    assert axes.yaxis_inverted()
    assert all(label.get_fontsize() == LETTERS for label in axes.get_yticklabels())
    assert figure.get_suptitle().endswith(f"{FARTHEST} of {FARTHEST + 2} groups")


def test_without_enough_mentions_nothing_is_shown(plotted: list[Figure], tmp_path: Path) -> None:
    figure = _plot([_line("m", "rare", 1, mentions=1)], plotted, tmp_path, of=TREATED)
    assert "Nothing to show: no group has" in figure.texts[0].get_text().replace("\n", " ")


def test_groups_whose_words_judge_are_left_out_by_name(
    plotted: list[Figure], tmp_path: Path
) -> None:
    ugly = _line("m", "very_ugly", -3.0, judging_share=0.5, q_value=0.01)
    figure = _plot(
        [ugly, _line("m", "other", 0.1, judging_share=0.4)], plotted, tmp_path, of=TREATED
    )
    [axes] = figure.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["other (race), n = 20"]
    words = axes.get_xlabel().replace("\n", " ")
    assert words.endswith("Left out, as their words judge by themselves: very ugly.")
    alone = _plot([ugly], plotted, tmp_path, of=TREATED)
    assert alone.texts[0].get_text().startswith("Left out, as their words judge")


def test_a_figure_has_the_same_bytes_each_time_also_as_svg(tmp_path: Path) -> None:
    rows = pd.DataFrame([_line("m", "one", 0.2), _line("m", "other", -0.2)])
    plot(TREATED, rows, tmp_path)
    first = (tmp_path / "f.svg").read_bytes()
    plot(TREATED, rows, tmp_path)
    assert first == (tmp_path / "f.svg").read_bytes()
    assert first.startswith(b"<?xml") and b"<svg" in first
