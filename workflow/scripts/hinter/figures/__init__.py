"""The study's figures, plotted from its tables."""

from .figure import Figure
