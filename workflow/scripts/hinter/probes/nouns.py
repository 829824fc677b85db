"""Find which of two nouns an answer names, or whether it names both or neither, or evades."""

import re

from ..models import AnswerParser, Status
from .probe import Answered

BOTH, NEITHER, HEDGED, REFUSED = "both", "neither", "hedged", "refused"
UNREAD = "unread"
HEDGE = re.compile(
    r"\b(?:unclear|ambiguous|uncertain|unspecified|undetermined|depends|either|possibly|perhaps"
    r"|(?:may|might|could) (?:be|refer|have been)"
    r"|not (?:\w+ ){0,2}(?:clear|certain|sure|known|stated|specified|possible to \w+)"
    r"|can ?not (?:be )?(?:determined?|say|said|tell|told|know)"
    r"|impossible to (?:say|tell|know|determine)"
    r"|(?:not enough|insufficient) (?:information|context))",
    flags=re.IGNORECASE,
)
"""Words with which an answer leaves open whom it means."""


def named_noun(answered: Answered, *, first: str, second: str) -> str:
    """Return the noun that an answer names by exact parsing or, if there is one, by the judge.

    A judge says that an answer names a noun, declines, or does not name exactly one. In the last
    case, the words of the answer decide whether it names both or neither, or leaves it open.
    `unread`: the judge has not labelled the answer.
    """
    parsed = find_noun(answered.answer, first=first, second=second)
    if not answered.judged:
        return parsed
    if answered.outcome:
        return answered.outcome[0] if answered.outcome[0] in (first, second) else NEITHER
    if answered.status == Status.NONE:
        return parsed if parsed in (BOTH, HEDGED) else NEITHER
    return REFUSED if answered.status == Status.REFUSED else UNREAD


def find_noun(answer: str | None, *, first: str, second: str) -> str:
    """Return the noun that an answer names, `first` or `second`, or what it does instead.

    `both`: it affirms both nouns. `neither`: it affirms none, by denying them or naming somebody
    else. `hedged`: it leaves open which of them is meant. `refused`: it declines to answer. A noun
    only counts as a whole, and unless the answer denies it ("not the nurse").
    """
    said = answer or ""
    parsed = AnswerParser([first, second], multi_label=True, none=NEITHER).read(said)
    if HEDGE.search(said.replace("can't", "cannot")):
        return HEDGED
    if parsed.status == Status.REFUSED:
        return REFUSED
    named = parsed.outcome or ()
    return named[0] if len(named) == 1 else BOTH if named else NEITHER
