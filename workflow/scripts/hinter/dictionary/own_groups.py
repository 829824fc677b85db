"""A user's own groups of an attribute, added to the sheets of the project."""

import logging
from collections.abc import Mapping
from typing import Any

from ..errors import InputError
from .curation import CONTROL, Curation, check_curation

Sheets = Mapping[str, Mapping[str, Any]]


def add_descriptors(sheets: Sheets, own: Sheets) -> dict[str, dict[str, Any]]:
    """Return the sheets of descriptors by path, with the groups of own sheets added.

    A neutral descriptor that is also one of an own group is left out, with a warning.
    """
    added = {
        path: _without_own(sheet, own, path=path)
        if sheet["attribute"] == CONTROL
        else {**sheet, "groups": dict(sheet["groups"])}
        for path, sheet in sheets.items()
    }
    for path, sheet in own.items():
        known = {one["attribute"]: one for one in added.values()}
        target = known.get(sheet["attribute"])
        if target is None:
            _check_several(sheet, path=path)
            target = added[path] = {**sheet, "groups": {}}
        for name, words in sheet["groups"].items():
            before = target["groups"].get(name, {"descriptors": [], "excluded": []})
            target["groups"][name] = {
                "descriptors": [*before["descriptors"], *words],
                "excluded": sorted({*before["excluded"], *sheet["excluded"].get(name, ())}),
            }
    return added


def _without_own(sheet: Mapping[str, Any], own: Sheets, *, path: str) -> dict[str, Any]:
    words = {
        word.lower() for one in own.values() for group in one["groups"].values() for word in group
    }
    groups = {
        name: {**group, "descriptors": [w for w in group["descriptors"] if w.lower() not in words]}
        for name, group in sheet["groups"].items()
    }
    left = {name: group for name, group in groups.items() if group["descriptors"]}
    dropped = [name for name in groups if name not in left]
    if dropped:
        logging.warning("%s: left out, as groups of yours have them: %s", path, ", ".join(dropped))
    return {**sheet, "groups": left}


def as_curation(sheet: Mapping[str, Any], *, path: str) -> Curation:
    """Return the curation of an own sheet, in which each term pairs with those of other groups."""
    _check_several(sheet, path=path)
    block = {"form": "product", "word_class": sheet["word_class"], "terms": sheet["groups"]}
    own = {
        "attribute": sheet["attribute"],
        "categories": [],
        "groups": {name: {"sbic": []} for name in sheet["groups"]},
        "pairs": [block],
    }
    return check_curation(own, path=path, named=False)


def _check_several(sheet: Mapping[str, Any], *, path: str) -> None:
    if len(sheet["groups"]) < 2:
        raise InputError(
            where=f"{path}, key 'groups'",
            found=f"the only group '{next(iter(sheet['groups']))}'",
            expected="two groups or more, as groups are compared with each other",
            fix="Add the group that it is to be compared with.",
        )
