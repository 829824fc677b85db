"""Checks on changed sentences, in batches, with one parse of each distinct sentence."""

from collections.abc import Iterable, Sequence

from .comparators import Change, Comparator
from .kept_parses import KeptParses
from .parsing import Parse, Parser
from .reasons import Reason
from .store import StoredChecks


class SentenceChecker:
    """Checks mutated sentences against their originals, and remembers the parses of originals.

    A change with a sentence of more than `max_chars` characters, or more than the parser accepts,
    is `UNCHECKED`. With `tail_passes`, the tail of a text is always `VALID`.
    """

    def __init__(
        self,
        parser: Parser | KeptParses,
        *,
        comparator: Comparator,
        max_chars: int | None = None,
        tail_passes: bool = False,
    ) -> None:
        self._parser = parser
        self.tail_passes = tail_passes
        self._comparator = comparator
        self.max_chars = min(max_chars or parser.max_chars, parser.max_chars)
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
        self._remember_originals(groups)

        def tags_pass(position: int, tagged: Parse) -> bool:
            return any(self._tags_conform(change, tagged) for change in groups[position])

        parses = self._parser.parse_where(list(by_sentence), tags_pass=tags_pass)
        return {
            change: Reason.POS if parse is None else self._reason(change, parse)
            for group, parse in zip(groups, parses, strict=True)
            for change in group
        }

    def _remember_originals(self, groups: Iterable[Sequence[Change]]) -> None:
        sentences = dict.fromkeys(change.original for group in groups for change in group)
        new = [sentence for sentence in sentences if sentence not in self._originals]
        self._originals.update(zip(new, self._parser.parse(new), strict=True))

    def _tags_conform(self, change: Change, parse: Parse) -> bool:
        return self._comparator.tags_conform(change, self._originals[change.original], parse)

    def _reason(self, change: Change, parse: Parse) -> Reason:
        if not self._tags_conform(change, parse):
            return Reason.POS
        conform = self._comparator.trees_conform(change, self._originals[change.original], parse)
        return Reason.VALID if conform else Reason.DEP
