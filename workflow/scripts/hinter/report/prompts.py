"""The changes of texts in the format of the page, and prompts with their rewordings as cases.

Positions are in UTF-16, as in browsers. Probes and relations compare the answers to prompts and to
their rewordings.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from ..dictionary import WordPair
from ..mutation import Mutant
from .lattices import Key, Row

CONTEXT = 600
"""Characters that are kept on each side of a change; the page does not need whole texts."""

Change = list[Any]
"""Start and end of a span, its replacement in the mutant, and the number of the pair."""

MOST = 20_000
"""The maximum number of prompts of probes on a page, and of follow-ups."""
NOTHING = "nothing"
"""The mark for the value of an attribute that is not in a prompt."""
_TOKEN = re.compile(r"\w+|\W")
_PAIR = re.compile(r"([^:]*):(.*)>(.*)")


def changes_of(mutant: Mutant, *, whole: Mutant) -> list[Change]:
    """Return the changes by a part of the `whole` mutant, in the order of the text."""
    numbers = {attribute: number for number, attribute in enumerate(whole.attributes)}
    return [
        [start, end, text, numbers[attribute]] for attribute, start, end, _, text in mutant.edits
    ]


def passages(text: str, changes: Iterable[Change]) -> list[tuple[int, int]]:
    """Return the spans of the text that are within `CONTEXT` of a change, in their order.

    They begin and end between words.
    """
    spans: list[tuple[int, int]] = []
    for start, end in sorted({(change[0], change[1]) for change in changes}):
        first, last = _before(text, start - CONTEXT), _after(text, end + CONTEXT)
        if spans and first <= spans[-1][1]:
            first, last = spans[-1][0], max(last, spans.pop()[1])
        spans.append((first, last))
    return spans


def in_utf16(text: str) -> Callable[[int], int]:
    """Return the function that turns a position in the text into one in UTF-16."""
    wide = [position for position, character in enumerate(text) if character > "\uffff"]
    return lambda position: position + bisect_left(wide, position)


def _before(text: str, position: int) -> int:
    """Return the start of the word at a position, or 0 before the text."""
    return max(text.rfind(" ", 0, position) + 1, 0) if position > 0 else 0


def _after(text: str, position: int) -> int:
    end = text.find(" ", position)
    return len(text) if end < 0 or position >= len(text) else end


@dataclass(frozen=True)
class Prompts:
    """Cases of prompts or mutants in one format, the total number, and the number of hidden ones.

    `cases` are rows of `read_cases`, with the keys of their answers. `originals` are texts by
    dataset and original_id, and `pairs` are the changes by pair_id.
    """

    total: int = 0
    hidden: int = 0
    cases: Sequence[Row] = ()
    originals: Mapping[tuple[str, str], Row] = field(default_factory=dict)
    readings: Mapping[Key, Row] = field(default_factory=dict)
    pairs: Mapping[str, WordPair] = field(default_factory=dict)

    def __add__(self, other: "Prompts") -> "Prompts":
        """Return the cases of both."""
        return Prompts(
            total=self.total + other.total,
            hidden=self.hidden + other.hidden,
            cases=[*self.cases, *other.cases],
            originals={**self.originals, **other.originals},
            readings={**self.readings, **other.readings},
            pairs={**self.pairs, **other.pairs},
        )


def rewording(text: str, other: str) -> list[Change]:
    """Return the spans of `text`, in UTF-16, whose words differ in `other`, with the new words."""
    before, after = (_TOKEN.findall(each) for each in (text, other))
    starts = [0]
    for token in before:
        starts.append(starts[-1] + len(token))
    place = in_utf16(text)
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    return [
        [place(starts[first]), place(starts[last]), "".join(after[start:end]), 0]
        for tag, first, last, start, end in matcher.get_opcodes()
        if tag != "equal"
    ]


def whole_text(text: str, labels: Sequence[str] = ()) -> Row:
    """Return an original in the format of cases, with all of its text."""
    return {"labels": list(labels), "length": in_utf16(text)(len(text)), "passages": [[0, text]]}


def named_pairs(pair_ids: Iterable[str]) -> dict[str, WordPair]:
    """Return the changes by pair_id: an attribute, and its values before and after."""
    return {pair_id: _pair(pair_id) for pair_id in pair_ids}


def _pair(pair_id: str) -> WordPair:
    found = _PAIR.fullmatch(pair_id.replace("_", " "))
    assert found, pair_id
    attribute, source, target = found.groups()
    ends = source or NOTHING, target or NOTHING
    return WordPair(pair_id, attribute, *ends, *ends)
