"""A task of two labels, and what models answer to texts."""

import random
from collections.abc import Sequence

from hinter.corpora import Prompt, Text
from hinter.models import Model

LABELS = ("negative", "positive")
PROMPT = Prompt(
    version=1,
    instruction="Say what each review says.\n\n",
    question="Review: {text}\nSentiment:",
    none="None",
    max_answer_tokens=6,
    examples={},
    labels=LABELS,
)
EXAMPLES = [
    Text("1", "A dull film that I could not finish.", ("negative",)),
    Text("2", "A lovely film, see it!", ("positive",)),
]


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
