"""Sample source prompts: templates with two to four attributes."""

import hashlib
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path

from ..errors import InputError
from .prompt import Attribute, Prompt, Slot, Template, Value
from .sheet_checks import LEAST, MOST, Prompts


def sample_sources(prompts: Prompts, *, size: int, seed: int, path: str | Path) -> list[Prompt]:
    """Return `size` different sources, as evenly over templates as these allow.

    All sources of a template are ranked by a hash of seed, template and values. The sample takes
    equal ranks from all templates, so it does not depend on any order, and a smaller sample is part
    of a larger one. Raises `InputError` if the sheet in the file `path` makes too few sources.
    """
    ranked = [
        (rank, digest, source)
        for template in prompts.templates
        for rank, (digest, source) in enumerate(_ranked(template, prompts, seed=seed))
    ]
    if len(ranked) < size:
        raise InputError(
            where="configuration, key 'relations.sources'",
            found=f"{size:,}",
            expected=f"at most the {len(ranked):,} sources that {path} makes",
            fix="Sample fewer, or add templates or values.",
        )
    return [source for _, _, source in sorted(ranked, key=lambda each: each[:2])[:size]]


def _ranked(template: Template, prompts: Prompts, *, seed: int) -> list[tuple[bytes, Prompt]]:
    keyed = [
        (_digest(f"{seed}:{template.name}:{':'.join(key)}"), source)
        for source in _sources(template, prompts, seed=seed)
        for key in [[f"{slot.attribute.name}={slot.value.name}" for slot in source.slots]]
    ]
    return sorted(keyed, key=lambda each: each[0])


def _sources(template: Template, prompts: Prompts, *, seed: int) -> Iterator[Prompt]:
    """Yield the template with each set of two to four of its attributes, and all their values."""
    attributes = [prompts.attributes[name] for name in template.attributes]
    for size in range(LEAST, MOST + 1):
        for chosen in combinations(attributes, size):
            for values in product(*(attribute.values.values() for attribute in chosen)):
                key = ":".join([template.name, *(value.name for value in values)])
                yield Prompt(
                    template,
                    tuple(
                        Slot(attribute, value, _substitute(attribute, value, key=f"{seed}:{key}"))
                        for attribute, value in zip(chosen, values, strict=True)
                    ),
                )


def _substitute(attribute: Attribute, value: Value, *, key: str) -> str:
    """Return the value by which substitution replaces this one, selected by a hash of the `key`.

    It is not the contrast, which negation uses, unless there is no other.
    """
    others = sorted(attribute.values.keys() - {value.name, value.contrast}) or [value.contrast]
    return min(others, key=lambda other: _digest(f"{key}:{attribute.name}:{other}"))


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()
