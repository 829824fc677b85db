"""Find the positions where an answer names a label, with the log-probabilities of labels there.

They come from the `logprobs` of a chat completion, which has the likeliest tokens at each position
of the answer. A label's log-probability is that of the likeliest token with which it begins. It has
none if other labels also begin with that token, or if it is not among those tokens.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..answers.label_matching import LabelNames, normalise
from ..answers.thoughts import thought_end
from ..labelled import by_label, in_hundredths, log_odds

LEAST = -100.0
"""Lower log-probabilities mean that a token is impossible."""
ROOM = 32
"""Characters around a label's name: white space, punctuation, and the beginning of a word."""
BEFORE_WORDS = re.compile(r"^[\W_]+")

LabelPosition = tuple[str, dict[str, float]]
"""A label that the answer names, and the log-probabilities of labels at its position."""


class LabelPositions:
    """Finds the positions where an answer names one of the `labels`."""

    def __init__(self, labels: Sequence[str]) -> None:
        self._names = LabelNames(labels)
        self._name = re.compile(self._names.pattern)
        words = {label: _words(label) for label in sorted(labels)}
        self._words = {label: name for label, name in words.items() if name}
        self._reach = ROOM + max(map(len, labels))

    def find(self, document: Mapping[str, Any]) -> list[LabelPosition]:
        """Return the positions in a chat completion with scores of two or more labels."""
        tokens = _tokens(document)
        answer = "".join(text for text, _ in tokens)
        positions, begin, end = [], thought_end(answer), 0
        for text, likeliest in tokens:
            start, end = end, end + len(text)
            if start < begin:
                continue
            label = self._named(answer[start : start + self._reach]) if _words(text) else None
            logprobs = self._logprobs(likeliest) if label else {}
            if label in logprobs and len(logprobs) > 1:
                positions.append((label, logprobs))
        return positions

    def _named(self, text: str) -> str | None:
        """Return the label with which a text begins."""
        found = self._name.match(_words(text))
        return next(iter(self._names.named(found[0])), None) if found else None

    def _logprobs(self, likeliest: Sequence[tuple[str, float]]) -> dict[str, float]:
        found: dict[str, float] = {}
        shared: set[str] = set()
        for text, logprob in sorted(likeliest, key=lambda item: -item[1]):
            word = _words(text)
            begun = {label for label, name in self._words.items() if word and _begin(word, name)}
            new = begun - found.keys() - shared
            if len(begun) > 1:
                shared |= new
            else:
                found |= dict.fromkeys(new, logprob)
        return dict(sorted(found.items()))


def scores_at(
    positions: Sequence[LabelPosition], outcome: Sequence[str] | None
) -> dict[str, float] | None:
    """Return the log-odds of labels at the first mention of the only label of an outcome."""
    for label, logprobs in positions:
        if [label] == list(outcome or ()):
            odds = log_odds(np.array([list(logprobs.values())]))
            return by_label(list(logprobs), in_hundredths(odds)[0].tolist())
    return None


def _tokens(document: Mapping[str, Any]) -> list[tuple[str, list[tuple[str, float]]]]:
    """Return the tokens of an answer, each with the likeliest ones at its position, and itself.

    There are none if the endpoint does not return them in this format.
    """
    try:
        content = document["choices"][0]["logprobs"]["content"]
        likeliest = [[token, *token["top_logprobs"]] for token in content]
        found = [[(str(one["token"]), float(one["logprob"])) for one in ones] for ones in likeliest]
    except (LookupError, TypeError, ValueError, ArithmeticError):
        return []
    return [(ones[0][0], [one for one in ones if LEAST < one[1] <= 0]) for ones in found]


def _words(text: str) -> str:
    return BEFORE_WORDS.sub("", normalise(text))


def _begin(word: str, name: str) -> bool:
    return name.startswith(word) or word.startswith(name)
