"""The study's figures, drawn from its tables."""

from .figure import Figure
