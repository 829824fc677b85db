"""Read and check together the sheets and files from which a study's word pairs are made."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from .config import DescriptorSheet, DictionarySheet, GroupsSheet, PersonsSheet, read_sheet
from .dictionary import (
    Paired,
    add_descriptors,
    as_curation,
    check_curation,
    check_descriptions,
    merge_curations,
    read_own_pairs,
    settle_controls,
    settle_groups,
)
from .operators import DESCRIPTORS, OPERATORS, TERMS


def read_paired(
    operators: Sequence[str],
    *,
    sheets: Mapping[str, Sequence[str]],
    own_groups: Mapping[str, GroupsSheet],
    attributes: Collection[str],
    persons: str | None = None,
    own: str | None = None,
    merged: Collection[str] = (),
) -> dict[str, list[Paired]]:
    """Return the terms and pairs of each attribute, by operator.

    They come from the `sheets` in each folder: curation files of terms, and descriptors, which need
    a sheet of `persons`. The user's `own_groups` by path are added to them. Instead of terms, the
    pairs of the `attributes` may be in the CSV `own`. The terms of `merged` attributes count as
    those of others. Raises `InputError` if the files do not fit together.
    """
    read: dict[str, list[Paired]] = {}
    used = {OPERATORS[name].sheets for name in operators}
    mine = {path: sheet.model_dump() for path, sheet in own_groups.items()}
    if TERMS in used:
        added = [as_curation(sheet, path=path) for path, sheet in mine.items()]
        pairs = read_own_pairs(Path(own), attributes=attributes) if own else []
        terms = {entry.term for one in [*added, *pairs] for entry in one.entries()}
        curations = [
            check_curation(read_sheet(path, DictionarySheet).model_dump(), path=path)
            for path in sheets[TERMS]
        ]
        settled = settle_groups(merge_curations([*curations, *added], merged=merged))
        read[TERMS] = settle_controls([*settled, *pairs], own=terms)
    if persons and DESCRIPTORS in used:
        read_before = {
            path: read_sheet(path, DescriptorSheet).model_dump() for path in sheets[DESCRIPTORS]
        }
        described = add_descriptors(read_before, mine)
        nouns = read_sheet(persons, PersonsSheet).model_dump()
        read[DESCRIPTORS] = [*check_descriptions(described, persons=nouns, where=persons)]
    return {name: read[OPERATORS[name].sheets] for name in operators}
