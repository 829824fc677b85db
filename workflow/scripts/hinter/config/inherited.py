"""The settings that a study takes from the default one, as it does not set them."""

from collections.abc import Iterator, Mapping
from typing import Any

import yaml

MOST = 6
"""Longer lists are shown by their number of values."""


def inherited_settings(default: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, str]:
    """Return the settings of `default` that are not in `own`, in short, by key.

    A dot in a key separates levels. A study that sets nothing is the default one itself, and
    inherits nothing.
    """
    return dict(_left(default, own)) if own else {}


def _left(default: Mapping[str, Any], own: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key, value in default.items():
        given = own.get(key)
        if key not in own:
            inner = _left(value, {}) if isinstance(value, Mapping) else [("", _in_short(value))]
        elif isinstance(value, Mapping) and isinstance(given, Mapping):
            inner = _left(value, given)
        else:
            continue
        yield from ((".".join(filter(None, [key, name])), said) for name, said in inner)


def _in_short(value: Any) -> str:
    if isinstance(value, list) and len(value) > MOST:
        return f"{len(value)} values"
    said = yaml.safe_dump(value, default_flow_style=True, width=1000)
    return said.removesuffix("\n...\n").strip()
