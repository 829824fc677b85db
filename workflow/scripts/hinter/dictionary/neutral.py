"""Neutral pairs that share no words with sensitive terms, which they would state."""

import logging
import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ..errors import InputError
from .curation import CONTROL, WORD, Curation, Paired


class Sensitive(NamedTuple):
    """A sensitive term, and the file that has it."""

    term: str
    path: Path


def settle_controls(curations: Sequence[Paired], *, own: Collection[str] = ()) -> list[Paired]:
    """Return the curations, where no control term equals, contains or is part of a sensitive one.

    Terms are compared word by word. Rows of controls that share words with the user's `own` terms
    are left out, with a warning. Raises `InputError` for other rows that do.
    """
    controls = next((one for one in curations if one.attribute == CONTROL), None)
    if not isinstance(controls, Curation):
        return [*curations]
    clashing = _clashing(controls, [one for one in curations if one is not controls])
    for term, other in clashing.items():
        if other.term not in own:
            raise InputError(
                where=f"{controls.path}, term '{term}'",
                found=f"words of the sensitive term '{other.term}' of {other.path}",
                expected="a term that does not equal, contain or occur in a sensitive one",
                fix="Remove the row from the controls.",
            )
    if clashing:
        logging.warning(
            "left out of the controls, as terms of yours have their words: %s", ", ".join(clashing)
        )
    left = _without(controls, clashing)
    return [left if one is controls else one for one in curations]


def _clashing(controls: Curation, others: Sequence[Paired]) -> dict[str, Sensitive]:
    """Return control terms that share words with sensitive ones, each with the first of these."""
    sensitive = {
        _words(entry.term): Sensitive(entry.term, curation.path)
        for curation in others
        for entry in sorted(curation.entries(), key=lambda entry: entry.term)
    }
    found: dict[str, Sensitive] = {}
    for term in sorted({entry.term for entry in controls.entries()}):
        words = _words(term)
        for other, one in sensitive.items():
            if words in other or other in words:
                found.setdefault(term, one)
    return found


def _without(controls: Curation, terms: Collection[str]) -> Curation:
    """Return the controls without some terms, and without the aligned rows that have any."""
    rows = []
    for row in controls.rows:
        left = {group: [t for t in own if t not in terms] for group, own in row.terms.items()}
        if not row.aligned or all(left.values()):
            rows.append(row._replace(terms=left))
    return replace(controls, rows=tuple(rows))


def _words(term: str) -> str:
    """Return the words of a term in lower case, each between spaces."""
    return f" {' '.join(re.findall(WORD, term.lower()))} "
