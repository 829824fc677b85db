"""Terms of several curations: groups may move to another one, and no two may share words."""

import logging
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ..errors import InputError
from .curation import CONTROL, WORD, Curation, Paired


def merge_curations(curations: Sequence[Curation], *, merged: Collection[str]) -> list[Curation]:
    """Return a curation per attribute; the `merged` ones are parts of those that they count as.

    Raises `InputError` for one that counts as none of the others.
    """
    found: dict[str, Curation] = {}
    for one in sorted(curations, key=lambda one: one.attribute in merged):
        part = _counted(one, found) if one.attribute in merged else one
        whole = found.get(part.attribute, part)
        rows = () if whole is part else part.rows
        sbic = {**part.sbic, **whole.sbic}
        found[part.attribute] = replace(whole, sbic=sbic, rows=(*whole.rows, *rows))
    return list(found.values())


def _counted(part: Curation, others: Collection[str]) -> Curation:
    """Return a curation under the names of the attribute and the groups that it counts as."""
    name = next((name for name in part.counts_as if name in others), None)
    if name is None:
        raise InputError(
            where="configuration, key 'merged'",
            found=f"'{part.attribute}'",
            expected=f"an attribute that counts as another one of the study, by `counts_as` in "
            f"{part.path}",
            fix="Name it under `attributes`, or remove it.",
        )
    names = {group: part.counts_as[name].get(group, group) for group in part.sbic}
    return replace(_with_groups(part, names), attribute=name)


def _with_groups(curation: Curation, names: Mapping[str, str]) -> Curation:
    """Return a curation with only the groups in `names`, under their new names."""
    return replace(
        curation,
        sbic={names[group]: posts for group, posts in curation.sbic.items() if group in names},
        rows=tuple(
            row._replace(
                terms={names[group]: own for group, own in row.terms.items() if group in names}
            )
            for row in curation.rows
        ),
    )


def settle_groups(curations: Sequence[Curation]) -> list[Curation]:
    """Return the curations, each without the groups that another of them takes over.

    Raises `InputError` for a group to take over that its attribute lacks, and for a term that two
    attributes still share: mutants of both would change one attribute twice.
    """
    known = {curation.attribute: curation for curation in curations}
    taken: dict[str, set[str]] = {}
    for curation in curations:
        for attribute, groups in curation.takes_over.items():
            if attribute in known:
                _check_groups(groups, of=known[attribute], taker=curation)
                taken.setdefault(attribute, set()).update(groups)
    settled = [
        _with_groups(one, {group: group for group in one.sbic if group not in taken.get(name, ())})
        for name, one in known.items()
    ]
    _check_terms(settled)
    return settled


def _check_groups(groups: Sequence[str], *, of: Curation, taker: Curation) -> None:
    for group in groups:
        if group not in of.sbic or of is taker:
            raise InputError(
                where=f"{taker.path}, key 'takes_over'",
                found=f"the group '{group}' of {of.attribute}",
                expected=f"groups that {of.path} declares, of another attribute",
                fix="Correct its name, or remove it.",
            )


def _check_terms(curations: Sequence[Curation]) -> None:
    owners: dict[str, Curation] = {}
    for curation in curations:
        if curation.attribute == CONTROL:
            continue
        for term in sorted({entry.term for entry in curation.entries()}):
            owner = owners.setdefault(term.lower(), curation)
            if owner is not curation:
                raise InputError(
                    where=f"{curation.path}, term '{term}'",
                    found=f"a term that {owner.path} also has",
                    expected="each term in only one attribute of the study",
                    fix="Remove it from one of them, or have one file take over the group of the "
                    "other (key 'takes_over').",
                )


def settle_controls(curations: Sequence[Paired], *, own: Collection[str] = ()) -> list[Paired]:
    """Return the curations, where no control term equals, contains or is part of a sensitive one.

    Terms are compared word by word. Rows of controls that share words with the user's `own` terms
    are left out, with a warning. Raises `InputError` for other rows that do.
    """
    controls = next((one for one in curations if one.attribute == CONTROL), None)
    if not isinstance(controls, Curation):
        return [*curations]
    clashing = _clashing(controls, [one for one in curations if one is not controls])
    for term, (other, path) in clashing.items():
        if other not in own:
            raise InputError(
                where=f"{controls.path}, term '{term}'",
                found=f"words of the sensitive term '{other}' of {path}",
                expected="a term that does not equal, contain or occur in a sensitive one",
                fix="Remove the row from the controls.",
            )
    if clashing:
        logging.warning(
            "left out of the controls, as terms of yours have their words: %s", ", ".join(clashing)
        )
    left = _without_terms(controls, clashing)
    return [left if one is controls else one for one in curations]


def _clashing(controls: Curation, others: Sequence[Paired]) -> dict[str, tuple[str, Path]]:
    """Return control terms that share words with sensitive ones.

    Each has the first of these, and the file that has it.
    """
    sensitive = {
        _words(entry.term): (entry.term, curation.path)
        for curation in others
        for entry in sorted(curation.entries(), key=lambda entry: entry.term)
    }
    found: dict[str, tuple[str, Path]] = {}
    for term in sorted({entry.term for entry in controls.entries()}):
        words = _words(term)
        for other, one in sensitive.items():
            if words in other or other in words:
                found.setdefault(term, one)
    return found


def _without_terms(controls: Curation, terms: Collection[str]) -> Curation:
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
