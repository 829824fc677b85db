"""The invariant of a study, and its checks on changed sentences, each of which is parsed once."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .comparators import Change, Comparator, Reason
from .parsing import Capitals, Parse, Parser
from .store import CheckStore, StoredChecks


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
        store = CheckStore(self.store.root, parser=self.parser, comparator=comparator)
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


class KeptParses:
    """A parser that keeps its parses until `forget` is called, so that comparators share them."""

    def __init__(self, parser: Parser) -> None:
        self._parser = parser
        self._tagged: dict[str, Parse] = {}
        self._parsed: dict[str, Parse] = {}

    def forget(self) -> None:
        """Forget all parses."""
        self._tagged.clear()
        self._parsed.clear()

    def parse_where(
        self, sentences: Sequence[str], *, tags_pass: Callable[[int, Parse], bool]
    ) -> Iterator[Parse | None]:
        """Yield the parse of each sentence, or None if `tags_pass` rejects its tags.

        A sentence whose tags were rejected before is parsed only if they pass now.
        """
        tagged = self._tagged
        passing = [
            sentence not in tagged or tags_pass(position, tagged[sentence])
            for position, sentence in enumerate(sentences)
        ]
        new = [
            (position, sentence)
            for position, sentence in enumerate(sentences)
            if passing[position] and sentence not in self._parsed
        ]

        def note_tags(number: int, tags: Parse) -> bool:
            position, sentence = new[number]
            tagged[sentence] = tags
            passing[position] = tags_pass(position, tags)
            return passing[position]

        parses = self._parser.parse_where([sentence for _, sentence in new], tags_pass=note_tags)
        for (_, sentence), parse in zip(new, parses, strict=True):
            if parse is not None:
                self._parsed[sentence] = parse
        for position, sentence in enumerate(sentences):
            yield self._parsed[sentence] if passing[position] else None


class SentenceChecker:
    """Checks mutated sentences against their originals, and remembers the parses of originals.

    Checkers of several comparators may share their `parses`. A change with a sentence of more than
    `max_chars` characters is `UNCHECKED`. With `tail_passes`, the tail of a text is always `VALID`.
    """

    def __init__(self, invariant: Invariant, parses: KeptParses | None = None) -> None:
        parser = invariant.parser
        self._parser = parses or parser
        self._comparator, self.tail_passes = invariant.comparator, invariant.tail_passes
        self.max_chars = min(invariant.max_sentence_chars or parser.max_chars, parser.max_chars)
        self._originals: dict[str, Parse] = {}

    def check(self, changes: Sequence[tuple[StoredChecks, Change]]) -> list[Reason]:
        """Return the check on each change: `VALID`, `UNCHECKED`, `POS` or `DEP`.

        Each change comes with the stored checks of its text, to which a new check is added.
        """
        reasons = [self._recall(change, stored=stored) for stored, change in changes]
        new = self._find_out(
            dict.fromkeys(
                change
                for (_, change), reason in zip(changes, reasons, strict=True)
                if reason is None
            )
        )
        for stored, change in changes:
            if change in new:
                stored.add(change, new[change])
        return [
            new[change] if reason is None else reason
            for (_, change), reason in zip(changes, reasons, strict=True)
        ]

    def _recall(self, change: Change, *, stored: StoredChecks) -> Reason | None:
        """Return the check on a change if it needs no parse, otherwise None."""
        # Replacements can cancel each other out.
        if change.original == change.mutated or (change.tail and self.tail_passes):
            return Reason.VALID
        if max(len(change.original), len(change.mutated)) > self.max_chars:
            return Reason.UNCHECKED
        return stored.get(change)

    def _find_out(self, changes: Iterable[Change]) -> dict[Change, Reason]:
        by_sentence: dict[str, list[Change]] = {}
        for change in changes:
            by_sentence.setdefault(change.mutated, []).append(change)
        groups = list(by_sentence.values())
        originals = dict.fromkeys(change.original for group in groups for change in group)
        new = [sentence for sentence in originals if sentence not in self._originals]
        parses = self._parser.parse_where(new, tags_pass=lambda position, tagged: True)
        self._originals.update(zip(new, filter(None, parses), strict=True))

        def tags_pass(position: int, tagged: Parse) -> bool:
            return any(self._tags_conform(change, tagged) for change in groups[position])

        parses = self._parser.parse_where(list(by_sentence), tags_pass=tags_pass)
        return {
            change: self._reason(change, parse)
            for group, parse in zip(groups, parses, strict=True)
            for change in group
        }

    def _tags_conform(self, change: Change, parse: Parse) -> bool:
        return self._comparator.tags_conform(change, self._originals[change.original], parse)

    def _reason(self, change: Change, parse: Parse | None) -> Reason:
        if parse is None or not self._tags_conform(change, parse):
            return Reason.POS
        conform = self._comparator.trees_conform(change, self._originals[change.original], parse)
        return Reason.VALID if conform else Reason.DEP
