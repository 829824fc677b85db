"""What models answer to texts."""

import random
from collections.abc import Sequence

from hinter.models import Model

LABELS = ("negative", "positive")


def answers_of(model: Model, texts: Sequence[str]) -> list[str]:
    """Return the responses in the order of the texts; each must come once."""
    found = dict(pair for part in model.responses(texts) for pair in part)
    assert sorted(found) == list(range(len(texts)))
    return [found[position] for position in range(len(texts))]


def shuffled_answers_of(model: Model, texts: Sequence[str]) -> list[str]:
    """Return the same of texts that are asked in another order."""
    order = random.Random(1).sample(range(len(texts)), len(texts))
    answers = answers_of(model, [texts[position] for position in order])
    return [answers[order.index(position)] for position in range(len(texts))]
