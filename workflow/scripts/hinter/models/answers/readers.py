"""Read answers of other forms: in a part of which a label stands, or without labels."""

import json
import re
from collections.abc import Mapping

from ..model import ParsedAnswer, Status
from .label_matching import normalise
from .objects import objects_in
from .parser import EXCUSE, PARAGRAPH_END, UNABLE, AnswerParser
from .thoughts import said_in


class PartReader:
    """Parses a part of an answer, without which it is unparsed.

    `form` says which: it has `json` with a key, or `pattern` with a group `label`.
    """

    def __init__(self, parser: AnswerParser, *, form: Mapping[str, str]) -> None:
        self._parser, self._key = parser, form.get("json")
        self._pattern = re.compile(form.get("pattern", "(?P<label>)"))

    def read(self, answer: str, *, cut: bool = False) -> ParsedAnswer:
        """Return the meaning of a part of `answer`, which is `cut` if it used up its tokens."""
        said = said_in(answer)
        found = self._pattern.search(said)
        part, end = (found["label"], found.end()) if found and not self._key else (None, 0)
        if self._key:
            part, end = _value(said, self._key)
        if part is None:
            return ParsedAnswer(Status.UNPARSED, None, said)
        return self._parser.read(part, cut=cut and end == len(said))._replace(answer=said)


def _value(text: str, key: str) -> tuple[str | None, int]:
    """Return the value of a key of the first JSON object in a text that has it, and its end."""
    for found, _, end in objects_in(text):
        if isinstance(found, dict) and key in found:
            value = found[key]
            return value if isinstance(value, str) else json.dumps(value), end - 1
    return None, 0


class FreeTextParser:
    """Parses answers without labels: they are given, refused in the first paragraph, or empty."""

    def read(self, answer: str, *, cut: bool = False) -> ParsedAnswer:
        """Return the meaning of `answer`: its words count, and the outcome has no label."""
        answer = said_in(answer)
        first = PARAGRAPH_END.split(normalise(answer).strip())[0]
        if not first:
            return ParsedAnswer(Status.UNPARSED, None, answer)
        if EXCUSE.search(first) or UNABLE.search(first):
            return ParsedAnswer(Status.REFUSED, None, answer)
        return ParsedAnswer(Status.OK, (), answer)
