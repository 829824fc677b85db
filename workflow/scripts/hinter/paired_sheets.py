"""Read and check together the sheets and files from which a study's word pairs are made."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from .config import DescriptorSheet, DictionarySheet, PersonsSheet, read_sheet
from .dictionary import (
    Paired,
    check_controls,
    check_curation,
    check_descriptions,
    merge_curations,
    read_own_pairs,
    settle_groups,
)
from .operators import DESCRIPTORS, OPERATORS, TERMS


def read_paired(
    operators: Sequence[str],
    *,
    sheets: Mapping[str, Sequence[str]],
    persons: str | None,
    own: str | None,
    attributes: Collection[str],
    merged: Collection[str] = (),
) -> dict[str, list[Paired]]:
    """Return the terms and pairs of each attribute, by operator.

    They come from the `sheets` in each folder: curation files of terms, and descriptors, which need
    a sheet of `persons`. Instead of terms, the pairs of the `attributes` may be in the CSV `own`.
    The terms of `merged` attributes count as those of others. Raises `InputError` if the files do
    not fit together.
    """
    read: dict[str, list[Paired]] = {
        TERMS: _read_terms(sheets[TERMS], own=own, attributes=attributes, merged=merged)
    }
    if persons:
        read[DESCRIPTORS] = _read_descriptors(sheets[DESCRIPTORS], persons=persons)
    return {name: read[OPERATORS[name].sheets] for name in operators}


def _read_terms(
    paths: Sequence[str], *, own: str | None, attributes: Collection[str], merged: Collection[str]
) -> list[Paired]:
    curations = [
        check_curation(read_sheet(path, DictionarySheet).model_dump(), path=path) for path in paths
    ]
    paired: list[Paired] = [*settle_groups(merge_curations(curations, merged=merged))]
    paired += read_own_pairs(Path(own), attributes=attributes) if own else []
    check_controls(paired)
    return paired


def _read_descriptors(paths: Sequence[str], *, persons: str) -> list[Paired]:
    sheets = {path: read_sheet(path, DescriptorSheet).model_dump() for path in paths}
    nouns = read_sheet(persons, PersonsSheet).model_dump()
    return [*check_descriptions(sheets, persons=nouns, where=persons)]
