"""The invariant of a study, by its settings."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .comparators import Comparator
from .kept_parses import KeptParses
from .parsing import Capitals, Parser
from .sentence_checks import SentenceChecker
from .store import CheckStore


@dataclass(frozen=True)
class Invariant:
    """How mutants are checked: the parser, the comparator and the store of checks.

    A changed sentence of more than `max_sentence_chars` characters is unchecked. With
    `tail_passes`, the text after the last sentence end of an original is not compared.
    """

    parser: Parser
    comparator: Comparator
    store: CheckStore
    max_sentence_chars: int | None = None
    tail_passes: bool = False

    @classmethod
    def of_sheet(cls, sheet: Mapping[str, Any], *, parser: Path, store: Path) -> "Invariant":
        """Return the invariant that the key `invariant` of a configuration describes.

        `parser` is the folder of the pipeline, `store` the folder of all checks.
        """
        settings = sheet["parser"]
        pipeline = Parser(
            parser,
            batch_size=settings["batch_size"],
            device=settings["device"],
            tags=sheet["tags"],
            capitals=Capitals(sheet["capitals"]),
        )
        comparator = Comparator(sheet["comparator"])
        known = CheckStore(store, parser=pipeline, comparator=comparator)
        passes = sheet["tail"] == "passed"
        return cls(pipeline, comparator, known, sheet["max_sentence_chars"], passes)

    def with_comparator(self, comparator: Comparator) -> "Invariant":
        """Return the invariant with another comparator."""
        store = self.store.of_comparator(comparator)
        return replace(self, comparator=comparator, store=store)

    @property
    def provenance(self) -> dict[str, str]:
        """The settings that decide the checks, for the metadata of files that hold them."""
        return {
            "parser": self.parser.fingerprint,
            "comparator": self.comparator.value,
            "max_sentence_chars": str(self.max_sentence_chars),
            "tail": "passed" if self.tail_passes else "checked",
        }

    def checker(self, parses: KeptParses | None = None) -> SentenceChecker:
        """Return a new checker of sentences, which may share its `parses` with others."""
        return SentenceChecker(
            parses or self.parser,
            comparator=self.comparator,
            max_chars=self.max_sentence_chars,
            tail_passes=self.tail_passes,
        )
