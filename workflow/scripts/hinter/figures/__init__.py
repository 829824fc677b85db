"""The study's figures, drawn from its tables."""

from .originals import draw_biased_originals

__all__ = ["draw_biased_originals"]
