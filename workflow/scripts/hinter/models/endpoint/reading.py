"""Read completions by what earlier ones of the server have shown: its window, and its thoughts."""

from collections.abc import Mapping
from typing import Any

from ...errors import InputError
from ...job import warn
from ..answers import begins_inside
from .completions import FEWEST, Tokens, answer_of, asked_tokens, response_of
from .dialect import BEGUN, Dialect
from .label_positions import LabelPositions
from .line import CACHED
from .settings import EndpointSettings

SHARE, TOKENS = 0.05, 16
"""The least difference between our counts of prompts for which the server's counts are equal."""
LEAST = 256
"""Every server reads at least so many tokens of a prompt."""


class Reader:
    """Reads completions, in which `positions` finds labels, and learns of them in the `dialect`.

    There is a `failure` if the server turns out to cut prompts after answers were stored.
    """

    def __init__(
        self, settings: EndpointSettings, *, dialect: Dialect, positions: LabelPositions | None
    ) -> None:
        self._settings, self._dialect, self._positions = settings, dialect, positions
        # The highest count of the server, with our lowest and highest counts for it.
        self._highest = self._least = self._most = 0
        self._models: set[str] = set()
        self._is_cached = False
        self.failure: InputError | None = None

    def response(self, document: Mapping[str, Any], *, tokens: Tokens | None, asked: int) -> str:
        """Return the response in an answer to `asked` tokens by our count; raises `Fault`."""
        self._note_model(str(document.get("model") or ""))
        self._note_cache(document[CACHED])
        return response_of(
            document,
            tokens=tokens,
            positions=self._positions.find(document) if self._positions else [],
            begin_inside=self._begins_inside(document),
            is_unseen=self._is_unseen(document, asked=asked),
            hide=self._settings.hide,
        )

    def _note_cache(self, header: str) -> None:
        """Warn once of answers from a cache of a gateway, of which a header tells."""
        if header and not self._is_cached:
            self._is_cached = True
            warn(
                "%s: answers come from a cache (header %s). Turn it off if it also gives the "
                "answers to similar prompts: it would hide differences between them",
                self._settings.location,
                header,
            )

    def _note_model(self, name: str) -> None:
        """Warn of a second model that answers, as gateways replace those that fail."""
        if name and name not in self._models:
            self._models.add(name)
            if len(self._models) == 2:
                warn(
                    "%s: answers come from more than one model (%s). Turn off fallbacks and "
                    "routing, or differences between answers may be differences between models",
                    self._settings.location,
                    self._settings.hide(", ".join(sorted(self._models))),
                )

    def _begins_inside(self, document: Mapping[str, Any]) -> bool:
        """Return whether the server's answers begin inside thoughts, by this or an earlier one."""
        if BEGUN not in self._dialect.lessons and begins_inside(answer_of(document)):
            self._dialect.lessons.append(BEGUN)
        return BEGUN in self._dialect.lessons

    def _is_unseen(self, document: Mapping[str, Any], *, asked: int) -> bool:
        """Return whether the server has cut the prompt, by its counts; warn at the first time."""
        count = asked_tokens(document)
        if self._is_at_window(ours=asked, theirs=count) and count != self._dialect.window:
            self._dialect.window = count
            cut = self._settings.unfit(
                found=f"a server that reads {count} tokens of a prompt, by its own count, and cuts "
                "longer ones",
                expected=f"one that reads {asked}",
                fix="Let it read more, under another name or address, or lower context_tokens to "
                "what it reads. If you run again unchanged, answers to such prompts do not count.",
            )
            warn("%s", cut)
            # Earlier answers were parsed without this knowledge.
            self.failure = cut if self._dialect.is_noted else None
        return count > 0 and count == self._dialect.window

    def _is_at_window(self, *, ours: int, theirs: int) -> bool:
        """Record the counts of a prompt, and return whether the server's stays the same."""
        if theirs > self._highest:
            self._highest, self._least, self._most = theirs, ours, ours
        if theirs < max(LEAST, self._highest):
            return False
        self._least, self._most = min(self._least, ours), max(self._most, ours)
        grown = self._most - self._least >= max(TOKENS, SHARE * self._most)
        return grown or theirs < FEWEST * ours
