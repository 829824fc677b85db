"""What the figure for a slide shows, and what it leaves out."""

from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
import pytest
from hinter.figures.rq4.treated import FIGURE, GROUPS, LETTERS
from hinter.tables import FEWEST_MENTIONS
from matplotlib.figure import Figure
from plotting import plot

_close = plt.close


def _line(group: str, contrast: float, **values: object) -> dict[str, object]:
    return {
        "model": "m",
        "dataset": "d",
        "attribute": "race",
        "group": group,
        "mentions": 20,
        "contrast": contrast,
        "contrast_low": contrast - 0.1,
        "contrast_high": contrast + 0.1,
        "q_value": 0.5,
        "judging_share": 0.0,
    } | values


def _plot(rows: list[dict[str, object]], folder: Path, patch: pytest.MonkeyPatch) -> Figure:
    figures: list[Figure] = []
    patch.setattr(plt, "close", figures.append)
    plot(FIGURE, pd.DataFrame(rows), folder)
    _close(figures[-1])
    return figures[-1]


def test_the_furthest_groups_are_named_with_their_mentions_the_worst_on_top(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [
        _line("best_off", 0.5, q_value=0.01),
        _line("worst", -0.6),
        *(_line(f"middle{number}", 0.01 * number) for number in range(GROUPS)),
        _line("rare", -9, mentions=FEWEST_MENTIONS - 1),
        _line("a+b", -9, attribute="age+race"),
        _line("local", -9, attribute="control"),
    ]
    figure = _plot(rows, tmp_path, monkeypatch)
    [axes] = figure.axes
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert len(names) == GROUPS
    assert names[0] == "worst (race), n = 20" and names[-1] == "best off (race), n = 20"
    assert axes.yaxis_inverted()
    assert all(label.get_fontsize() == LETTERS for label in axes.get_yticklabels())
    assert figure.get_suptitle().endswith(f"{GROUPS} of {GROUPS + 2} groups")


def test_without_enough_mentions_nothing_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    figure = _plot([_line("rare", 1, mentions=1)], tmp_path, monkeypatch)
    assert "Nothing to show: no group has" in figure.texts[0].get_text().replace("\n", " ")


def test_groups_whose_words_judge_are_left_out_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ugly = _line("very_ugly", -3.0, judging_share=0.5, q_value=0.01)
    figure = _plot([ugly, _line("other", 0.1, judging_share=0.4)], tmp_path, monkeypatch)
    [axes] = figure.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["other (race), n = 20"]
    words = axes.get_xlabel().replace("\n", " ")
    assert words.endswith("Left out, as their words judge by themselves: very ugly.")
    alone = _plot([ugly], tmp_path, monkeypatch)
    assert alone.texts[0].get_text().startswith("Left out, as their words judge")


def test_a_figure_has_the_same_bytes_each_time_also_as_svg(tmp_path: Path) -> None:
    rows = pd.DataFrame([_line("one", 0.2), _line("other", -0.2)])
    plot(FIGURE, rows, tmp_path)
    first = (tmp_path / "f.svg").read_bytes()
    plot(FIGURE, rows, tmp_path)
    assert first == (tmp_path / "f.svg").read_bytes()
    assert first.startswith(b"<?xml") and b"<svg" in first
