"""The words in figures of grammar scores."""

import matplotlib.pyplot as plt
import pandas as pd
import pytest
from hinter.figures.grammar import plot_scores


@pytest.mark.parametrize(
    ("margin", "shown"), [(3 / 31, "within ±0.097"), (1.0, "within ±1"), (0.1, "within ±0.1")]
)
def test_the_legend_rounds_the_margin(margin: float, shown: str) -> None:
    names = ("score_originals", "score_mutants", "difference")
    numbers = {f"{name}{end}": [1.0] for name in names for end in ("", "_low", "_high")}
    rows = pd.DataFrame(
        {"dataset": ["all"], "level": ["atomic"], "outcome": ["all"], "n": [9], **numbers}
    )
    figure = plot_scores(rows, label="outcome", margin=margin)
    assert shown in [text.get_text() for text in figure.legends[0].get_texts()]
    plt.close(figure)
