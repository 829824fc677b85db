"""Find the mentions of labels that say most clearly that they are the answer."""

import re
from collections.abc import Sequence
from itertools import pairwise

from .negation import Mention

_FEW_WORDS = r"(?:[^\w.!?;\n]+(?!not\b)\w+){0,6}?[^\w.!?;\n]+"
_ANSWER = (
    r"(?:answer|label|output|class(?:ification)?|category|prediction|rating|sentiment|emotion"
    r"|verdict|conclusion|decision|choice|judge?ment|assessment|result|relation(?:ship)?)"
)
_BE = r" ?(?:(?:\b(?:i|wa)s|\bare|\b(?:can|may|must|should|would|will)(?: \w+)? be|'s)\b)"
_TEXT = (
    r"(?:text|review|comment|message|post|tweet|statement|sentence|passage|document|article|case"
    r"|content|whole|author|writer|reviewer|tone|user|speaker)"
)
_FIELD = rf"{_ANSWER}[^\w\n]{{0,9}}[:=>→–—-][\W_]*"
_SAID = rf"{_ANSWER}\b(?: \w+){{0,6}}?(?:{_BE}| (?:seem|appear)s?(?: to be)?){_FEW_WORDS}"
FINAL = (
    rf"\b(?:final|correct|most likely|primary|dominant)[ _](?:{_FIELD}|{_SAID})"
    r"|\\boxed(?:\W*text)?\W*"
    # An earlier label is taken back.
    r"|\b(?:(?:no\W+)?(?:wait|actually)(?:\W+no)?|scratch that|correction|i meant?"
    r"|on second thoughts?|(?:revis|chang|updat|correct)(?:ed?|ing)?\b(?: \w+){1,3} to)\b[\W_]*"
    r"|(?:\b(?:conclusion|overall|in (?:sum|summary|short)|all in all|on balance|ultimately"
    r"|therefore|thus|hence|most likely|primarily|mainly|predominantly)\b|(?:^|[.,;\n] ?)so\b)"
    rf"{_FEW_WORDS}"
)
"""What introduces the label that an answer ends with."""
INTRODUCED = rf"(?<![^\W_])(?:{_FIELD}|{_SAID})"
"""What introduces a label in a line, an object of JSON, a tag, or a sentence about the answer."""
VERDICT = (
    rf"\b(?:(?:it|this|that|(?:the|this) (?:\w+ )?{_TEXT}){_BE}|makes? (?:it|this|that)\b)"
    rf"{_FEW_WORDS}"
    r"|\b(?:i|we)(?:'d|'ll)? (?:\w+ )?"
    rf"(?:say|call|guess|choose|pick|select|go with|opt for|conclude)\b{_FEW_WORDS}"
    r"|\b(?:classif(?:y|ied)|label(?:l?ed)?|categori[sz]ed?|rated?)\b" + _FEW_WORDS
)
"""What introduces a label in a sentence about the text, or about the choice of a label."""
_LEAD = r"(?:\A|\n)[^\w\n]*_*(?:(?:option|choice|class|category) )?"
_AFTER_LEAD = (
    r"(?=[*_\"'`)\]}>]*(?:\Z|\s*(?:[.,;!?\n()—–]|-\s|:(?!\W*[0-9]))| (?:because|since|as)\b))"
)
"""What is after a label that a line begins with."""
_ALONE, _AFTER_ALONE = r"(?:\A|[.!?\n])[^\w\n.!?]*", r"(?=[^\w.!?\n]*(?:\Z|[.!?\n]))"
"""What is around a label that is a sentence by itself."""

SCORE = re.compile(
    r"[^\w\n.]+(?P<of>[a-z_]+[^\w\n]+)?(?P<score>[0-9]+(?:\.[0-9]+)?)"
    r"(?: ?%| ?(?:/|out of) ?[0-9]+)?(?= ?(?:[^\w ]|\Z))"
)
"""The number of a label in a list, an object of JSON, or a table."""
LISTED = re.compile(r"\A[^\w.:;!?()\[\]–—]*\Z|\b(?:and|or|vs|versus|otherwise)\b[\W_]*\Z")
"""What is between labels that are listed."""
MINOR = re.compile(r"(?<!\bgo )\bwith\b|\b(?:despite|in spite of|but for)\b")
"""What is between the label of a text and that of some of its parts."""
SPANS = re.compile(
    r"^>(?:[^\w\n]*\b\w+\b){3}.*$|\([^()]{2,}\)|\"(?:[^\s\"]+\s+){2,}[^\s\"]+\"", re.MULTILINE
)
"""What an answer quotes at some length, or puts in parentheses."""


class Conclusions:
    """Finds labels, whose names match a pattern, where a text says that they are the answer.

    The clearest is the last after the words that introduce a conclusion ("Final answer:", "so").
    Less clear are all others that are introduced, then those at the beginning of a line or as a
    sentence, and then those in a sentence about the text or the choice.
    """

    def __init__(self, name: str) -> None:
        before = [FINAL, INTRODUCED, VERDICT]
        self._final, introduced, verdict = (
            re.compile(f"(?:{words})(?P<a>(?={name}))") for words in before
        )
        first = re.compile(f"{_LEAD}(?P<a>{name}){_AFTER_LEAD}|{_ALONE}(?P<b>{name}){_AFTER_ALONE}")
        self._tiers = [introduced, first, verdict]

    def start(self, text: str) -> int:
        """Return the start of the last label that is introduced, or 0 if there is none."""
        return max(self._introduced(text, tiers=1), default=0)

    def are_all(self, mentions: Sequence[Mention], text: str) -> bool:
        """Return whether each mention is introduced, begins a line, or is a sentence."""
        return {mention.start for mention in mentions} <= self._introduced(text, tiers=2)

    def clearest(self, mentions: Sequence[Mention], text: str) -> list[Mention]:
        """Return the mentions in a text that are most clearly the answer, if any are."""
        final = _starts(self._final, text)
        tiers = [[mention for mention in mentions if mention.start in final][-1:]]
        for tier in self._tiers:
            starts = _starts(tier, text)
            tiers.append([mention for mention in mentions if mention.start in starts])
        return next(filter(None, tiers), [])

    def _introduced(self, text: str, *, tiers: int) -> set[int]:
        return set().union(*(_starts(tier, text) for tier in [self._final, *self._tiers[:tiers]]))


def _starts(pattern: re.Pattern[str], text: str) -> set[int]:
    return {found.start(found.lastgroup or 0) for found in pattern.finditer(text)}


def scores_in(mentions: Sequence[Mention], text: str, *, nested: bool) -> list[float]:
    """Return the score of each of many labels, before which a word may be if they are `nested`."""
    found = [SCORE.match(text, mention.end) for mention in mentions]
    scores = [float(one["score"]) for one in found if one and (nested or not one["of"])]
    labels = {mention.label for mention in mentions}
    is_each = 1 < len(labels) == len(mentions) == len(scores) and min(map(len, labels)) > 1
    return scores if is_each else []


def mark_asides(mentions: Sequence[Mention], text: str) -> None:
    """Mark mentions in quotations and parentheses, lists of what is asked for, and minor ones."""
    masked = SPANS.sub(lambda span: "\0" * len(span[0]), text)
    for mention in mentions:
        mention.aside |= masked[mention.start] == "\0"
    for one, other in pairwise(mentions):
        if one.label == other.label or one.sentence != other.sentence:
            continue
        between = text[one.end : other.start]
        if LISTED.search(between) and one.denied == other.denied:
            # Of these, one may be marked as the choice.
            one.aside |= not between.startswith("**")
            other.aside |= not between.endswith("**")
        other.aside |= MINOR.search(between) is not None
