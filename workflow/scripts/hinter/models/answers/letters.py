"""Distinguish labels that are single letters from words of one letter in an answer."""

import re
from collections.abc import Sequence

AROUND = 40
"""Characters around a letter that say what it is."""
LONE = re.compile(r"(?<![\w'’-])([^\W\d_])(?![\w'’])")
INTRODUCED = re.compile(
    r"\b(?:answer|option|choice|letter|label|class|category|pick|choose)(?: is)?:?[\s*\"'(]*$",
    re.IGNORECASE,
)
OPENED, CLOSED = re.compile(r"[(\[{\"'*`“‘]$"), re.compile(r"^[)\]}\"'*`”’]")
ALONE = re.compile(r"(?:^|\n)\W*$"), re.compile(r"^\W*(?:\n|$)")
GOES_ON = re.compile(
    r"^[ \t]+(?!(?:is|was|as|and|or|nor|but|because|since|for|over|rather|would|not)\b)\w"
)
"""A word after a letter that is an article or a pronoun: "A person", "I think"."""


class Letters:
    """Distinguishes the letters that are `labels` from words of one letter."""

    def __init__(self, labels: Sequence[str]) -> None:
        self._labels = {label for label in labels if LONE.fullmatch(label)}
        self._folded = {label.casefold() for label in self._labels}

    def without_words(self, answer: str) -> str:
        """Return an answer without the single letters that name no label."""
        return LONE.sub(lambda found: found[0] if self._names(found) else "it", answer)

    def _names(self, found: re.Match[str]) -> bool:
        letter, text = found[1], found.string
        before = text[max(0, found.start() - AROUND) : found.start()]
        after = text[found.end() : found.end() + AROUND]
        if letter.casefold() not in self._folded or after.startswith(")"):
            return True
        if OPENED.search(before) and CLOSED.search(after):
            return True
        if all(side.search(text) for side, text in zip(ALONE, (before, after), strict=True)):
            return True
        # Other letters are rarely words.
        if letter.casefold() not in "ai":
            return True
        if GOES_ON.search(after):
            return letter.isupper() and INTRODUCED.search(before) is not None
        return letter in self._labels or INTRODUCED.search(before) is not None
