"""Distinguish labels that are single letters from words of one letter in an answer."""

import re
from collections.abc import Sequence

BEFORE = 40
"""Characters before a letter that say what it is."""
LONE = re.compile(r"(?<![\w'’-])([^\W\d_])(?![\w'’])")
INTRODUCED = re.compile(
    r"\b(?:answer|option|choice|letter|label|class|category|pick|choose)(?: is)?:?[\s*\"'(]*$",
    re.IGNORECASE,
)
GOES_ON = re.compile(
    r"[ \t]+(?!(?:is|was|as|and|or|nor|but|because|since|for|over|rather|would|not)\b)\w"
)
"""A word after a letter that is an article or a pronoun: "A person", "I think"."""


class Letters:
    """Distinguishes the letters that are `labels` from words of one letter."""

    def __init__(self, labels: Sequence[str]) -> None:
        self._folded = {label.casefold() for label in labels if LONE.fullmatch(label)}

    def without_words(self, answer: str) -> str:
        """Return an answer without the single letters that name no label."""
        return LONE.sub(lambda found: found[0] if self._names(found) else "it", answer)

    def _names(self, found: re.Match[str]) -> bool:
        letter, text = found[1], found.string
        # Other letters are rarely words.
        if letter.casefold() not in self._folded.intersection("ai"):
            return True
        before = text[max(0, found.start() - BEFORE) : found.start()]
        introduced = letter.isupper() and INTRODUCED.search(before) is not None
        return introduced or not GOES_ON.match(text, found.end())
