"""LanguageTool as a checker of sentences, many in one request."""

import json
import logging
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

import requests
from language_tool_python import LanguageTool, Match
from language_tool_python.exceptions import LanguageToolError

from ..errors import InputError
from ..provenance import digest_of
from .server import Server

LANGUAGE = "en-US"
GAP = "\n\n"
CHARACTERS_AT_ONCE = 6_000
STARTS = 3
"""How often a server may be brought back for one request."""


class GrammarChecker:
    """LanguageTool behind a server, warmed up; the rules named in `left_out` are not applied.

    `release` is the server's name and version. Raises `InputError` where no LanguageTool answers.
    """

    def __init__(self, server: Server, *, left_out: Sequence[str]) -> None:
        self._server = server
        self._left_out = sorted(left_out)
        self.release = self._connect()

    @property
    def fingerprint(self) -> str:
        """A digest of all that decides a response, the sentence apart."""
        return digest_of(release=self.release, language=LANGUAGE, left_out=self._left_out, gap=GAP)

    def responses(self, texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
        """Yield (position, response) of the sentences, in lists, each as soon as it is there.

        A response is a list, in JSON, of the category and the name of each rule that matches. A
        sentence that the server refuses gets none.
        """
        batch: list[int] = []
        characters = 0
        for position, text in enumerate(texts):
            if batch and characters + len(text) > CHARACTERS_AT_ONCE:
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
        except LanguageToolError as error:
            if len(batch) > 1:
                half = len(batch) // 2
                return self._answered(batch[:half], texts) + self._answered(batch[half:], texts)
            length = len(texts[batch[0]])
            logging.warning("a sentence of %d characters is not checked: %s", length, error)
            return []
        return [(position, json.dumps(rules)) for position, rules in zip(batch, found, strict=True)]

    def _rules_of(self, sentences: Sequence[str]) -> list[list[tuple[str, str]]]:
        starts = list(accumulate((len(text) + len(GAP) for text in sentences[:-1]), initial=0))
        found: list[list[tuple[str, str]]] = [[] for _ in sentences]
        for match in self._check(GAP.join(sentences)):
            found[bisect_right(starts, match.offset) - 1].append((match.category, match.rule_id))
        return found

    def _check(self, text: str) -> list[Match]:
        """Return the matches in `text`; raise `LanguageToolError` where the server refuses it."""
        for _ in range(STARTS):
            try:
                return self._tool.check(text)
            except LanguageToolError as error:
                if not _is_gone(error):
                    raise
                logging.warning("LanguageTool is gone: %s", error)
                self._server.restart()
                self._connect()
        raise InputError(
            where=f"LanguageTool at {self._server.url}",
            found=f"a server that ends on a text of {len(text)} characters, {STARTS} times",
            expected="an answer",
            fix="Give it more memory than 2 GB free, or set `max_chars` in the datasets sheet.",
        )

    def _connect(self) -> str:
        """Connect and ask a first time, which loads the rules; return the server's release."""
        first = {"language": LANGUAGE, "text": "Is anybody there?"}
        try:
            self._tool = LanguageTool(LANGUAGE, remote_server=self._server.url)
            answer = requests.post(f"{self._tool.url}check", data=first, timeout=300)
            answer.raise_for_status()
            software = answer.json()["software"]
            release = f"{software['name']} {software['version']} of {software['buildDate']}"
        # What answers there may be no LanguageTool at all, which the client meets in many ways.
        except Exception as error:
            raise InputError(
                where=f"LanguageTool at {self._server.url}",
                found=f"no sensible answer ({' '.join(str(error).split())[:200]})",
                expected="a server of LanguageTool",
                fix="Start the server that `grammar.server` names, correct its address, or set it "
                "to null: then each job starts its own.",
            ) from None
        self._tool.disabled_rules = set(self._left_out)
        return release


def _is_gone(error: LanguageToolError) -> bool:
    """Tell whether the server did not answer at all, which the client tells by its cause."""
    cause = error.__cause__
    return isinstance(cause, OSError) and not isinstance(cause, requests.JSONDecodeError)
