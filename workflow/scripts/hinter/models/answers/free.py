"""Answers in words that are kept as they are, for others to rate."""

from ..model import Reading, Status
from .label_matching import normalise
from .reader import EXCUSE, PARAGRAPH_END, UNABLE


class FreeReader:
    """Reads answers to prompts without labels: given, refused in the first paragraph, or empty."""

    def read(self, answer: str, *, cut: bool = False) -> Reading:
        """Return what `answer` means: its words are the outcome, so that has no label."""
        first = PARAGRAPH_END.split(normalise(answer).strip())[0]
        if not first:
            return Reading(Status.UNPARSED, None, answer)
        if EXCUSE.search(first) or UNABLE.search(first):
            return Reading(Status.REFUSED, None, answer)
        return Reading(Status.OK, (), answer)
