"""A mutant: an original, and its edits."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import Any

import pyarrow as pa

from .agreement import Role
from .edits import EDITS, Edit, agreeing, render
from .plain import Span

RECIPE_SCHEMA = pa.schema(
    [
        ("mutant_id", pa.string()),
        ("original_id", pa.string()),
        ("order", pa.int8()),
        ("attributes", pa.string()),
        ("pair_ids", pa.list_(pa.string())),
        ("operator", pa.string()),
        ("edits", EDITS),
        ("one_person", pa.string()),
    ]
)
"""The first columns of all files with mutants: with its original, they make the mutant.

`one_person` says whether its edits concern one person (`OnePerson`); it is null for one attribute.
For mutants that no operator makes, `one_person` and `operator` are null."""


@dataclass(frozen=True)
class Mutant:
    """An original with the edits of some pairs, in the order of the text."""

    original_id: str
    original: str
    pair_ids: tuple[str, ...]
    edits: tuple[Edit, ...]

    @classmethod
    def of_row(cls, row: Mapping[str, Any], original: str) -> "Mutant":
        """Return the mutant that a recipe makes of its original."""
        edits = (Edit(**edit | {"role": Role(edit["role"])}) for edit in row["edits"] or ())
        return cls(row["original_id"], original, tuple(row["pair_ids"]), tuple(edits))

    @property
    def mutant_id(self) -> str:
        """Its id: original_id|pair_id|pair_id."""
        return "|".join([self.original_id, *self.pair_ids])

    @property
    def attributes(self) -> tuple[str, ...]:
        """The attribute of each pair, numbered from the second time on: control, control_2."""
        names = [pair_id.partition(":")[0] for pair_id in self.pair_ids]
        times = [names[:number].count(name) for number, name in enumerate(names, start=1)]
        return tuple(
            name if time == 1 else f"{name}_{time}" for name, time in zip(names, times, strict=True)
        )

    @property
    def text(self) -> str:
        """The original with its edits."""
        return self._rendered[0]

    @property
    def spans(self) -> dict[Span, Span]:
        """The span in the mutant's text of each span of the original that an edit replaces."""
        return self._rendered[1]

    @property
    def starts(self) -> list[int]:
        """The start of each edit in the mutant's text."""
        grown = accumulate((len(one.text) - one.end + one.start for one in self.edits), initial=0)
        return [edit.start + more for edit, more in zip(self.edits, grown, strict=False)]

    @property
    def added_words(self) -> int:
        """How many more words the text has than the original; below 0 for fewer."""
        return sum(
            len(edit.text.split()) - len(self.original[edit.start : edit.end].split())
            for edit in self.edits
        )

    @property
    def main_edits(self) -> tuple[Edit, ...]:
        """The edits without those of articles, which only agree with others."""
        return tuple(edit for edit in self.edits if edit.role is not Role.ARTICLE)

    @cached_property
    def _rendered(self) -> tuple[str, dict[Span, Span]]:
        return render(self.original, self.edits)

    def narrowed(self, kept: Collection[Edit]) -> "Mutant":
        """Return the mutant with some of its edits, and the articles that agree with these."""
        wanted = set(kept)
        some = (edit for edit in self.edits if edit in wanted or edit.role is Role.ARTICLE)
        edits = agreeing(self.original, some)
        left = {edit.attribute for edit in edits}
        pairs = zip(self.pair_ids, self.attributes, strict=True)
        return replace(
            self,
            pair_ids=tuple(pair_id for pair_id, attribute in pairs if attribute in left),
            edits=edits,
        )

    def part(self, pair_ids: Sequence[str]) -> "Mutant":
        """Return the mutant with the edits of some of its pairs."""
        pairs = zip(self.pair_ids, self.attributes, strict=True)
        own = {attribute for pair_id, attribute in pairs if pair_id in pair_ids}
        return self.narrowed([edit for edit in self.main_edits if edit.attribute in own])

    def recipe(self) -> dict[str, Any]:
        """Return the mutant as a row of `RECIPE_SCHEMA`."""
        return {
            "mutant_id": self.mutant_id,
            "original_id": self.original_id,
            "order": len(self.pair_ids),
            "attributes": "+".join(self.attributes),
            "pair_ids": list(self.pair_ids),
            "edits": [edit._asdict() for edit in self.edits],
        }
