"""Ask about each text only once, across runs and across jobs that run at the same time."""

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from time import sleep
from typing import Generic, Protocol, TypeVar

from .store import ResponseStore

POLL_S = 0.5
"""Seconds between checks for answers that other jobs have asked for."""

Meaning = TypeVar("Meaning", covariant=True)


class Asked(Protocol[Meaning]):
    """Something that answers texts: a model under test, or a checker of grammar."""

    def responses(self, texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
        """Yield lists of the (position, response) of texts, each as soon as it is known."""

    def read(self, response: str) -> Meaning:
        """Return the meaning of a response."""


@dataclass(frozen=True)
class Asker(Generic[Meaning]):
    """Something that answers texts, and the store of its responses.

    `counts` has the number of texts whose response was `known`, and the number that were `asked`
    and answered.
    """

    asked: Asked[Meaning]
    store: ResponseStore
    counts: Counter[str] = field(default_factory=Counter)

    def ask(
        self, texts: Mapping[str, str], *, advance: Callable[[int], object]
    ) -> dict[str, Meaning]:
        """Return the meaning of the response to each text, by the text's key in the store.

        Only texts that are not in the store are asked. If another job is asking some of them, this
        one waits. `advance` is called with the number of responses that have reached the store.
        Texts without a response are left out.
        """
        found: dict[str, Meaning] = {}
        missing, waits = dict(texts), False
        while missing:
            known = self._known(list(missing))
            found |= known
            self.counts["known"] += len(known)
            advance(len(known))
            missing = {key: text for key, text in missing.items() if key not in known}
            with self.store.claimed(list(missing)) as claimed:
                mine = {key: text for key, text in missing.items() if key in claimed}
                for responses in self._answers(mine):
                    found |= {key: self.asked.read(text) for key, text in responses.items()}
                    self.counts["asked"] += len(responses)
                    advance(len(responses))
            missing = {key: text for key, text in missing.items() if key not in mine}
            if missing and not mine:
                if not waits:
                    logging.info(
                        "waiting for %d responses that another job is asking for", len(missing)
                    )
                waits = True
                sleep(POLL_S)
        return found

    def _known(self, keys: Sequence[str]) -> dict[str, Meaning]:
        """Return the meaning of the known responses, and set aside those that have none."""
        known: dict[str, Meaning] = {}
        senseless: dict[str, str] = {}
        for key, response in self.store.get(keys).items():
            try:
                known[key] = self.asked.read(response)
            except (ValueError, LookupError, TypeError):
                senseless[key] = response
        if senseless:
            self.store.set_aside(senseless)
        return known

    def _answers(self, texts: Mapping[str, str]) -> Iterator[dict[str, str]]:
        """Yield responses by key, once they are in the store."""
        keys = list(texts)
        for part in self.asked.responses(list(texts.values())) if texts else ():
            new = {keys[position]: response for position, response in part}
            self.store.add(new)
            # Another job may have been first: use the response that is in the store.
            yield self.store.get(list(new))
