"""Figure 10 of the paper from its published counts: originals by campaign (RQ4)."""

import pandas as pd

from ...tables import CAMPAIGNS
from ..figure import Figure, Plot
from ..rq4.figure10_exposure import plot_exposure


def plot_published_exposure(rows: pd.DataFrame) -> Plot:
    """Plot the rows of `figure10`, whose regions are campaigns joined by +."""
    named = rows["quantity"].str.split("+")
    regions = pd.DataFrame(
        {campaign: [campaign in names for names in named] for campaign in CAMPAIGNS}
    )
    originals = rows[["model", "count"]].set_axis(["model", "originals"], axis=1)
    return plot_exposure(originals.join(regions).assign(combination=rows["part"]))


FIGURE = Figure(
    title="Figure 10: exposed originals", reads=("figure10_exposure",), plot=plot_published_exposure
)
