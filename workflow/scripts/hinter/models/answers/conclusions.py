"""Find the mentions of labels that say most clearly that they are the answer."""

import re
from collections.abc import Sequence
from itertools import pairwise

from .negation import Mention

_FEW_WORDS = r"(?:[^\w.!?;\n]+(?!not\b)\w+){0,6}?[^\w.!?;\n]+"
ANSWER = (
    r"(?:answer|label|output|class(?:ification)?|categor(?:y|ies)|prediction|rating|sentiment|emotion"
    r"|verdict|conclusion|decision|choice|judge?ment|assessment|result|relation(?:ship)?)"
)
_BE = r" ?(?:(?:\b(?:i|wa)s|\bare|\b(?:can|may|must|should|would|will)(?: \w+)? be|'s)\b)"
TEXT = (
    r"(?:text|review|comment|message|post|tweet|statement|sentence|passage|document|article|case"
    r"|content|whole|author|writer|reviewer|tone|user|speaker|premise|hypothesis|clause|provision)s?"
)
_COLON = r"[^\w\n]{0,9}[:=>→–—-][\W_]*"
_HEADING = rf"(?:\A|\n)(?:#+ |\*\*)[^\w\n]*(?:\w+ )?{ANSWER}s?[^\w\n]{{0,9}}\n[\W_]*"
_FIELD = rf"(?:{ANSWER}{_COLON}|answer\W{{0,9}}\n[\W_]*)"
_SAID = rf"{ANSWER}\b(?: \w+){{0,6}}?(?:{_BE}| (?:seem|appear)s?(?: to be)?){_FEW_WORDS}"
FINAL = (
    rf"\b(?:final|correct|most likely|primary|dominant)(?:{_COLON}|[ _](?:{_FIELD}|{_SAID}))"
    r"|\\boxed(?:\W*text)?\W*|\b(?:(?:no\W+)?(?:wait|actually)(?:\W+no)?|scratch that|correction"
    r"|i meant?|on second thoughts?|(?:revis|chang|updat|correct)(?:ed?|ing)?\b(?: \w+){1,3} to)\b"
    r"[\W_]*|(?:\b(?:conclusion|overall|in (?:sum|summary|short)|all in all|on balance|ultimately"
    r"|therefore|thus|hence|most likely|primarily|mainly|predominantly|(?:that|which) leaves"
    rf"|mak(?:es?|ing) (?:it|this|that))\b|(?:^|[.,;\n] ?)so\b){_FEW_WORDS}"
)
INTRODUCED = rf"{_HEADING}|(?<![^\W_])(?:{_FIELD}|{_SAID})"
_THIS = rf"(?:the|this|these) (?:\w+ )?{TEXT}"
VERDICT = (
    rf"\b(?:(?:it|this|that|{_THIS}|what(?: [\w']+){{1,6}}?)(?:{_BE}| (?:\w+ly )?(?:sound|seem|feel"
    r"|look|appear|express|convey|show)s?(?:es)?\b)|(?:i|we)(?:'d|'ll)? (?:\w+ )?(?:say|call|guess"
    r"|choose|pick|select|go with|opt for|conclude|give|put|describe)\b|(?:classif(?:y|ied)"
    rf"|label(?:l?ed)?|categori[sz]ed?|rated?|described)\b){_FEW_WORDS}|\b{_THIS} (?:\w+ly )?"
)
"""What introduces the label that an answer ends with, one in a line, a tag or a sentence about the
answer, and one in a sentence about the text, or about the choice of a label."""
_PRAISE = (
    r"(?= (?:is|was|fits?|seems?|describes?|matches|captures?|remains)\b[^.,!?;\n]{0,30}?"
    r"\b(?:best|better|correct|right|closest|dominant|strong(?:er|est)|most \w+)\b)"
)
_KEYED = r"(?:\A|[.!?\n])[^\w\n.!?]*\w+(?: \w+)?[^\w\n.!?]{0,3}:[^\w\n.!?]*"
_LEAD = r"(?:\A|\n)[^\w\n]*_*(?:(?:option|choice|class|category) )?"
_AFTER_LEAD = (
    r"(?=[*_\"'`)\]}>]*(?:\Z|\s*(?:[.,;!?\n)—–]|-\s|[:(](?!\W*[0-9]))| (?:because|since|as)\b))"
)
_ALONE, _AFTER_ALONE = r"(?:\A|[.!?\n])[^\w\n.!?]*", r"(?=[^\w.!?\n]*(?:\Z|[.!?\n]))"
"""What is around a label that a sentence prefers, a line begins with, or is a sentence."""
SCORE = re.compile(
    r"[^\w\n.]+([0-9]+(?:\.[0-9]+)?)(?: ?(?:%|(?:/|out of) ?[0-9]+))?(?= ?[^\w ]|\Z)"
)
LISTED = re.compile(r"\A(?:[^\w.:;!?()\[\]–—]*| to )\Z|\b(?:and|or|vs|versus|otherwise)\b[\W_]*\Z")
BOTH = re.compile(r"\bboth\W*\Z")
NEXT = re.compile(r"[^\w.:!?()]*(?:\b(?:and|or) (?:\w+ )?)?")
NEAR = 9
MINOR = re.compile(r"(?<!\bgo )\bwith\b|\b(?:despite|in spite of|but for)\b")
"""What is between labels that are listed for a choice, the next of several, and a minor one."""
CONTRAST = re.compile(r"\b(?:but|however|though|yet)\b")
BUT = re.compile(r"[^.!?\n]*\b(?:but|yet)\b[\W_]*")
QUOTED = r"\"(?:[^\s\"]+\s+){2,}[^\s\"]+\""
SPANS = re.compile(
    rf"^>(?:[^\w\n]*\b\w+\b){{3}}.*$|\((?!{FINAL})[^()]{{2,}}\)|{QUOTED}", re.MULTILINE
)
"""What an answer quotes at some length, or puts in parentheses, but for a correction."""
SPOKEN = re.compile(rf"(?<=\w ){QUOTED}")
"""What an answer quotes as the words of somebody else."""


class Conclusions:
    """Finds labels, whose names match a pattern, where a text says that they are the answer.

    The clearest is the last after words that introduce a conclusion ("Final answer:", "so"), then
    come others that are introduced, those after other words and a colon, those that begin a line
    or are a sentence, and those in a sentence about the text or the choice.
    """

    def __init__(self, name: str) -> None:
        tiers = (
            f"(?:{FINAL})(?P<a>(?={name}))",
            f"(?:{INTRODUCED})(?P<a>(?={name}))",
            f"{_KEYED}(?P<a>{name}){_AFTER_ALONE}",
            f"{_LEAD}(?P<a>{name}){_AFTER_LEAD}|{_ALONE}(?P<b>{name}){_AFTER_ALONE}",
            f"(?:{VERDICT})(?P<a>(?={name}))|(?P<b>{name}){_PRAISE}",
        )
        self._tiers = [re.compile(tier) for tier in tiers]

    def start(self, text: str) -> int:
        """Return the start of the last label that is introduced, or 0 if there is none."""
        return max((start for tier in self._tiers[:2] for start in _starts(tier, text)), default=0)

    def are_all(self, mentions: Sequence[Mention], text: str, *, named: set[str]) -> bool:
        """Return whether mentions of other labels than `named` are clear, denied, or in a list."""
        clear = set().union(*(_starts(tier, text) for tier in self._tiers))
        clear |= {one.start for one in mentions if one.denied or one.label in named}
        for one, other in pairwise(mentions):
            if one.start in clear and NEXT.fullmatch(text, one.end, other.start):
                clear.add(other.start)
        return {mention.start for mention in mentions} <= clear

    def clearest(self, mentions: Sequence[Mention], text: str) -> list[Mention]:
        """Return the mentions in a text that are most clearly the answer, if any are."""
        starts = [_starts(tier, text) for tier in self._tiers]
        final, *tiers = [[one for one in mentions if one.start in tier] for tier in starts]
        contrast = CONTRAST.search(text, final[-1].end) if final else None
        later = [one for tier in tiers for one in tier if contrast and one.start > contrast.end()]
        clear = next(filter(None, (final[-1:] + later, *tiers)), [])
        at = {one.start for one in clear}
        also = [
            other
            for one, other in pairwise(mentions)
            if one.start in at and _adds(one, other, text)
        ]
        return clear + also


def _adds(one: Mention, other: Mention, text: str) -> bool:
    """Return whether an answer says "both A and B", or of A that it is "but B"."""
    between = text[one.end : other.start]
    return BUT.fullmatch(between) is not None or (
        LISTED.search(between) is not None and _is_both(one, text)
    )


def _is_both(one: Mention, text: str) -> bool:
    return BOTH.search(text, max(0, one.start - NEAR), one.start) is not None


def _starts(pattern: re.Pattern[str], text: str) -> set[int]:
    return {found.start(found.lastgroup or 0) for found in pattern.finditer(text)}


def scores_in(mentions: Sequence[Mention], text: str) -> list[float]:
    """Return the score of each of many labels."""
    found = (SCORE.match(text, mention.end) for mention in mentions)
    scores = [float(score[1]) for score in found if score]
    labels = {mention.label for mention in mentions}
    is_each = 1 < len(labels) == len(mentions) == len(scores) and min(map(len, labels)) > 1
    return scores if is_each else []


def without_spoken(mentions: Sequence[Mention], text: str) -> list[Mention]:
    """Return the mentions that are not in words that an answer quotes of somebody else."""
    spoken = {mention.start for mention in _inside(SPOKEN, mentions, text)}
    return [mention for mention in mentions if mention.start not in spoken]


def _inside(spans: re.Pattern[str], mentions: Sequence[Mention], text: str) -> list[Mention]:
    masked = spans.sub(lambda span: "\0" * len(span[0]), text)
    return [mention for mention in mentions if masked[mention.start] == "\0"]


def mark_asides(mentions: Sequence[Mention], text: str) -> None:
    """Mark mentions in quotations and parentheses, lists of what is asked for, and minor ones."""
    for mention in _inside(SPANS, mentions, text):
        mention.aside = True
    for one, other in pairwise(mentions):
        if one.label == other.label or one.sentence != other.sentence:
            continue
        between = text[one.end : other.start]
        if LISTED.search(between) and one.denied == other.denied and not _is_both(one, text):
            # Of these, one may be marked as the choice.
            one.aside |= not between.startswith("**")
            other.aside |= not between.endswith("**")
        other.aside |= MINOR.search(between) is not None
