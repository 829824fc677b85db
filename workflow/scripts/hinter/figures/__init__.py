"""The study's figures, drawn from its tables."""

from .false_positives import draw_false_positives
from .originals import draw_biased_originals
from .scores import draw_discarded, draw_grammar
from .validity import draw_validity

__all__ = [
    "draw_biased_originals",
    "draw_discarded",
    "draw_false_positives",
    "draw_grammar",
    "draw_validity",
]
