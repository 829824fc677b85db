"""Groups and terms of several curations: they may move to another one, terms must not repeat."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..errors import InputError
from .curation import CONTROL, Curation


def merge_curations(curations: Sequence[Curation], *, merged: Collection[str]) -> list[Curation]:
    """Return a curation per attribute; the `merged` ones are parts of those that they count as.

    Raises `InputError` for one that counts as none of the others.
    """
    found: dict[str, Curation] = {}
    for one in sorted(curations, key=lambda one: one.attribute in merged):
        part = _counted(one, found) if one.attribute in merged else one
        whole = found.get(part.attribute, part)
        blocks = () if whole is part else part.blocks
        sbic = {**part.sbic, **whole.sbic}
        found[part.attribute] = replace(whole, sbic=sbic, blocks=(*whole.blocks, *blocks))
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
    names = part.counts_as[name]
    return replace(
        part,
        attribute=name,
        sbic={names.get(group, group): posts for group, posts in part.sbic.items()},
        blocks=tuple(_renamed(block, names) for block in part.blocks),
    )


def _renamed(block: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return a block with other names of groups."""
    aligned = block["form"] == "aligned"
    rows = [
        {names.get(group, group): terms for group, terms in row.items()}
        for row in (block["terms"] if aligned else [block["terms"]])
    ]
    return {**block, "terms": rows if aligned else rows[0]}


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
    settled = [_without(taken.get(name, set()), curation) for name, curation in known.items()]
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


def _without(groups: set[str], curation: Curation) -> Curation:
    if not groups:
        return curation
    left = [block | {"terms": _left(block, groups)} for block in curation.blocks]
    return replace(
        curation,
        sbic={group: names for group, names in curation.sbic.items() if group not in groups},
        blocks=tuple(block for block in left if block["terms"]),
    )


def _left(block: Mapping[str, Any], groups: set[str]) -> Any:
    """Return the terms of a block without those of the groups; empty if no pair is left."""
    aligned = block["form"] == "aligned"
    rows = [
        {group: terms for group, terms in row.items() if group not in groups}
        for row in (block["terms"] if aligned else [block["terms"]])
    ]
    paired = [row for row in rows if len(row) > 1]
    return paired if aligned else next(iter(paired), {})


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
