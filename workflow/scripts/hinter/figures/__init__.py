"""The study's figures, drawn from its tables."""

from .exposure import draw_exposure
from .false_positives import draw_false_positives
from .originals import draw_biased_originals
from .published_atomic import draw_published_atomic
from .published_false_positives import draw_published_false_positives
from .published_originals import draw_published_originals
from .published_validity import draw_published_validity
from .scores import draw_discarded, draw_grammar
from .truth_table import draw_truth_table
from .validity import draw_validity

__all__ = [
    "draw_biased_originals",
    "draw_discarded",
    "draw_exposure",
    "draw_false_positives",
    "draw_grammar",
    "draw_published_atomic",
    "draw_published_false_positives",
    "draw_published_originals",
    "draw_published_validity",
    "draw_truth_table",
    "draw_validity",
]
