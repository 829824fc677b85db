"""Figure 4 of the paper from its published counts: biased originals by model (RQ1)."""

import pandas as pd

from ..figure import Figure, Plot
from ..rq1.figure4_biased_originals import plot_biased_originals


def plot_published_originals(rows: pd.DataFrame) -> Plot:
    """Plot the rows of `figure4`, with the printed share under each model's name."""
    printed = rows["model"] + "\n(printed " + rows["printed_percent"] + " %)"
    shares = rows.rename(columns={"count": "biased", "of": "originals"}).assign(model=printed)
    no_accuracy = pd.DataFrame({"model": [], "accuracy": []})
    return plot_biased_originals(shares, no_accuracy)


FIGURE = Figure(
    title="Figure 4: biased originals",
    reads=("figure4_biased_originals",),
    plot=plot_published_originals,
)
