"""Read answers of other forms: in a part of which a label stands, or without labels."""

import json
import re
from collections.abc import Mapping

from ..model import ParsedAnswer, Status
from .label_matching import normalise
from .parser import EXCUSE, PARAGRAPH_END, UNABLE, AnswerParser
from .thoughts import said_in


class PartReader:
    """Parses the part of an answer that is the value of a JSON key, or the group of a pattern.

    `form` has one item: `json` with the key, or `pattern` with a group `label`. An answer without
    that part is unparsed.
    """

    def __init__(self, parser: AnswerParser, *, form: Mapping[str, str]) -> None:
        self._parser, self._key = parser, form.get("json")
        self._pattern = re.compile(form.get("pattern", ""))

    def read(self, answer: str, *, cut: bool = False) -> ParsedAnswer:
        """Return the meaning of a part of `answer`, which is `cut` if it used up its tokens."""
        said = said_in(answer)
        if self._key is None:
            found = self._pattern.search(said)
            part, end = (found["label"], found.end()) if found else (None, 0)
        else:
            part, end = _value(said, self._key)
        if part is None:
            return ParsedAnswer(Status.UNPARSED, None, said)
        cut = cut and end == len(said)
        return self._parser.read(part, cut=cut)._replace(answer=said)


def _value(text: str, key: str) -> tuple[str | None, int]:
    """Return the value of a key of the first JSON object in a text that has it, and its end."""
    for start in re.finditer("{", text):
        try:
            found, end = json.JSONDecoder().raw_decode(text, start.start())
        except (ValueError, RecursionError):
            continue
        if key in found:
            value = found[key]
            parts = value if isinstance(value, list) else [value]
            said = [each if isinstance(each, str) else json.dumps(each) for each in parts]
            return ", ".join(said), end - 1
    return None, 0


class FreeTextParser:
    """Parses answers to prompts without labels, which are rated later.

    They are given, refused in the first paragraph, or empty.
    """

    def read(self, answer: str, *, cut: bool = False) -> ParsedAnswer:
        """Return the meaning of `answer`: its words count, and the outcome has no label."""
        answer = said_in(answer)
        first = PARAGRAPH_END.split(normalise(answer).strip())[0]
        if not first:
            return ParsedAnswer(Status.UNPARSED, None, answer)
        if EXCUSE.search(first) or UNABLE.search(first):
            return ParsedAnswer(Status.REFUSED, None, answer)
        return ParsedAnswer(Status.OK, (), answer)
