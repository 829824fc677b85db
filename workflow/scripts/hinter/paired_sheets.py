"""The sheets and files that a study's word pairs are made of, read and checked together."""

from collections.abc import Collection, Sequence
from pathlib import Path

from .config import DescriptorSheet, DictionarySheet, PersonsSheet, read_sheet
from .dictionary import (
    Paired,
    check_controls,
    check_curation,
    check_descriptions,
    read_own_pairs,
    settle_groups,
)


def read_paired(
    paths: Sequence[str], *, persons: str | None, own: str | None, attributes: Collection[str]
) -> list[Paired]:
    """Return the terms and pairs of each attribute.

    They are those of curation files or, where there is a sheet of `persons`, of sheets of their
    descriptors; the pairs of the `attributes` may be in the CSV `own`. Raises `InputError` for what
    does not fit.
    """
    if persons:
        sheets = {path: read_sheet(path, DescriptorSheet).model_dump() for path in paths}
        nouns = read_sheet(persons, PersonsSheet).model_dump()
        return [*check_descriptions(sheets, persons=nouns, where=persons)]
    curations = [
        check_curation(read_sheet(path, DictionarySheet).model_dump(), path=path) for path in paths
    ]
    paired: list[Paired] = [*settle_groups(curations)]
    paired += read_own_pairs(Path(own), attributes=attributes) if own else []
    check_controls(paired)
    return paired
