"""A checker that sends many units of text to LanguageTool in one request.

LanguageTool can check units independently of each other. Its sentences differ from those of the
invariant. They follow its own rules (segment.srx, English), which know other abbreviations and do
not end a sentence at a single line break. A unit ends only where these rules certainly end a
sentence, so it may contain several sentences.
"""

import json
import logging
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, pairwise

from ..errors import InputError
from ..invariant import split_sentences
from ..provenance import digest_of
from ..yaml_files import data_of
from .request import LANGUAGE, Answer, NoAnswerError, RefusedError, ask_server
from .server import Server

GAP = "\n\n"
CHARACTERS_AT_ONCE = 6_000
"""The most characters of a request, other than those of a longer unit."""
STARTS = 3
"""How often a server may be restarted for one request."""
GREETING = "Is anybody there?"
SECONDS_FOR_GREETING = 120
SECONDS, CHARACTERS_PER_SECOND = 60, 100
"""An answer may take `SECONDS`, and one second more per `CHARACTERS_PER_SECOND` characters."""

_SPACE = r"[ \t\n\v\f\r\N{NO-BREAK SPACE}]"
_PARAGRAPH_END = re.compile(r"\n\s*\n", re.ASCII)
_SENTENCE_GAP = re.compile(rf"{_SPACE}(?!\n)")
_CLOSING = r"[\"'”’»)\]}]"
_LAST_WORD = re.compile(
    r"(?P<beginning>.*?)(?P<end>\d+|[^\W\d_]{2,})"
    rf"(?:(?P<stop>[.!?])[.!?]*{_CLOSING}*|{_CLOSING}+[.!?]+)"
)
_LONGEST_WORD = 60
_INSIDE = re.compile(r"^\(|\.|\d-$")
_ABBREVIATIONS = frozenset(chain.from_iterable(data_of(__file__).values()))
_NUMBER = re.compile(r"\d\d+\.")
_NUMBERED = re.compile(rf"\d+\.{_SPACE}[^\W\d_]")


class GrammarChecker:
    """LanguageTool on a server, ready to answer; the rules named in `left_out` are not applied.

    `release` is the server's name and version. Raises `InputError` if no LanguageTool answers.
    """

    def __init__(self, server: Server, *, left_out: Sequence[str]) -> None:
        self._server = server
        self._left_out = sorted(left_out)
        self.release = self._greet()

    @property
    def fingerprint(self) -> str:
        """A digest of everything that decides a response, other than the unit."""
        return digest_of(
            release=self.release,
            language=LANGUAGE,
            left_out=self._left_out,
            gap=GAP,
            numbered="first",
        )

    def responses(self, texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
        """Yield (position, response) of the units in lists, each as soon as it is known.

        A response is a JSON list of the category and the name of each rule that matches. A unit
        that the server refuses gets none.
        """
        batch: list[int] = []
        characters = 0
        for position, text in enumerate(texts):
            full = characters + len(text) > CHARACTERS_AT_ONCE
            # LanguageTool ends a sentence after a number ("4. The applicant"), except at the start
            # of a request.
            if batch and (full or _NUMBERED.match(text)):
                yield self._answered(batch, texts)
                batch, characters = [], 0
            batch.append(position)
            characters += len(text)
        if batch:
            yield self._answered(batch, texts)

    def read(self, response: str) -> list[tuple[str, str]]:
        """Return the category and the name of each rule in a response."""
        return [(category, name) for category, name in json.loads(response)]

    def _answered(self, batch: Sequence[int], texts: Sequence[str]) -> list[tuple[int, str]]:
        try:
            found = self._rules_of([texts[position] for position in batch])
        except RefusedError as error:
            if len(batch) > 1:
                half = len(batch) // 2
                return self._answered(batch[:half], texts) + self._answered(batch[half:], texts)
            length = len(texts[batch[0]])
            logging.warning("a unit of %d characters is not checked: %s", length, error)
            return []
        return [(position, json.dumps(rules)) for position, rules in zip(batch, found, strict=True)]

    def _rules_of(self, units: Sequence[str]) -> list[list[tuple[str, str]]]:
        starts = list(accumulate((len(unit + GAP) for unit in units[:-1]), initial=0))
        found: list[list[tuple[str, str]]] = [[] for _ in units]
        for match in self._answer(GAP.join(units)).matches:
            found[bisect_right(starts, match.offset) - 1].append((match.category, match.rule_id))
        return found

    def _answer(self, text: str) -> Answer:
        """Return the answer for a text; raise `RefusedError` if the server refuses it."""
        seconds = SECONDS + len(text) / CHARACTERS_PER_SECOND
        for _ in range(STARTS):
            try:
                answer = self._ask(text, seconds=seconds)
            except NoAnswerError as error:
                logging.warning("LanguageTool does not answer: %s", error)
                self._server.restart()
                self._greet()
                continue
            if answer.release == self.release:
                return answer
            raise InputError(
                where=f"LanguageTool at {self._server.url}",
                found=answer.release,
                expected=f"{self.release}, as before",
                fix="Keep one release for the whole study.",
            )
        raise InputError(
            where=f"LanguageTool at {self._server.url}",
            found=f"a server that exits or does not answer a text of {len(text)} characters, "
            f"{STARTS} times",
            expected="an answer",
            fix="Free more than 2 GB of memory, or set `max_chars` in the datasets sheet.",
        )

    def _ask(self, text: str, *, seconds: float) -> Answer:
        return ask_server(self._server.url, text, left_out=self._left_out, seconds=seconds)

    def _greet(self) -> str:
        """Send a first request, which loads the rules, and return the server's release."""
        try:
            return self._ask(GREETING, seconds=SECONDS_FOR_GREETING).release
        except (NoAnswerError, RefusedError) as error:
            raise InputError(
                where=f"LanguageTool at {self._server.url}",
                found=f"no sensible answer ({' '.join(str(error).split())[:200]})",
                expected="a server of LanguageTool",
                fix="Start the server that `grammar.server` names, correct its address, or set it "
                "to null, so that each job starts its own.",
            ) from None


def split_units(text: str) -> list[str]:
    """Return the units of `text`: its sentences, joined where LanguageTool may not split them."""
    sentences = split_sentences(text)
    gaps = [
        (end, start)
        for (begin, end), (start, _) in pairwise(sentences)
        if _is_surely_parted(text[begin:end], text[end:start], text[start])
        and not _NUMBERED.fullmatch(text, 0, start + 1)
    ]
    starts = [start for start, _ in sentences[:1]] + [start for _, start in gaps]
    ends = [end for end, _ in gaps] + [end for _, end in sentences[-1:]]
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


def _is_surely_parted(sentence: str, gap: str, following: str) -> bool:
    """Return whether LanguageTool also ends the sentence in the gap before `following`."""
    if _PARAGRAPH_END.search(gap):
        return True
    word = sentence.rsplit(maxsplit=1)[-1]
    parts = _LAST_WORD.fullmatch(word) if len(word) <= _LONGEST_WORD else None
    if parts is None or "..." in word or not _SENTENCE_GAP.match(gap) or following == ")":
        return False
    if following.islower():
        return _NUMBER.fullmatch(word) is not None
    end = parts["end"]
    if end.isdigit():
        return True
    abbreviated = end.lower() in _ABBREVIATIONS or _INSIDE.search(parts["beginning"])
    if parts["stop"] == "." and abbreviated:
        return False
    return following.isupper() or len(end) > 2
