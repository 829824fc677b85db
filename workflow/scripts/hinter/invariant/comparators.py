"""How an original sentence and its mutated form are compared."""

from enum import StrEnum

from .alignment import aligned_equal, arcs_of, runs_of
from .changes import Change
from .comparison import tolerantly_equal
from .parsing import Parse


class Comparator(StrEnum):
    """When a mutated sentence conforms to its original.

    `TOLERANT`: tags, and dependency labels, are tolerantly equal (the paper's Algorithm 2).
    `STRICT`: both are equal but for tokens inserted inside the replaced spans.
    `HEADS`: strict, and the arcs of the trees agree, each replaced span taken as one node.
    """

    TOLERANT = "tolerant"
    STRICT = "strict"
    HEADS = "heads"

    def tags_conform(self, change: Change, original: Parse, mutated: Parse) -> bool:
        """Tell whether the part-of-speech tags of the mutated sentence conform."""
        return self._conform(change, original, mutated, original.tags, mutated.tags)

    def trees_conform(self, change: Change, original: Parse, mutated: Parse) -> bool:
        """Tell whether labels (and arcs, for `HEADS`) of a sentence of conforming tags conform."""
        if not self._conform(change, original, mutated, original.labels, mutated.labels):
            return False
        if self is not Comparator.HEADS:
            return True
        runs = runs_of(original, change.replaced)
        added = [number for number, run in enumerate(runs) if not run.tokens]
        after = arcs_of(mutated.heads, runs_of(mutated, change.replacing), added=added)
        return arcs_of(original.heads, runs, added=added) == after

    def _conform(
        self, change: Change, original: Parse, mutated: Parse, before: list[int], after: list[int]
    ) -> bool:
        if self is Comparator.TOLERANT:
            return tolerantly_equal(before, after)
        return aligned_equal(
            before,
            after,
            original_runs=runs_of(original, change.replaced),
            mutated_runs=runs_of(mutated, change.replacing),
        )
