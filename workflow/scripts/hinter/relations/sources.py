"""Sample source prompts from a sheet, and check its sentences without some of the attributes."""

import hashlib
import re
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import InputError
from .prompt import Prompt, Trait, render

# Tables need no types of sheets, whose import takes long.
if TYPE_CHECKING:
    from ..config import RelationsSheet, SensitiveAttribute

MOST = 4
"""How many attributes a source has at most, as in the paper."""
LONE_ARTICLE = re.compile(
    r"\b[Aa]n?(?=[,.?]| (as|at|by|for|from|in|of|on|or|and|that|to|who|with)\b)"
)
"""An article before a punctuation mark or a word that cannot begin a noun phrase."""


def sample_sources(
    sheet: "RelationsSheet", *, size: int, seed: int, path: str | Path
) -> list[Prompt]:
    """Return `size` different sources, as evenly over templates as these allow.

    All sources of a template are ranked by a hash of seed, template and values. The sample takes
    equal ranks from all templates, so it does not depend on any order, and a smaller sample is part
    of a larger one. Raises `InputError` if the sheet in the file `path` makes too few sources.
    """
    ranked = [
        (rank, digest, source)
        for template in sheet.templates
        for rank, (digest, source) in enumerate(_ranked(template, sheet, seed=seed))
    ]
    if len(ranked) < size:
        raise InputError(
            where="configuration, key 'relations.sources'",
            found=f"{size:,}",
            expected=f"at most the {len(ranked):,} sources that {path} makes",
            fix="Sample fewer, or add templates or values.",
        )
    return [source for _, _, source in sorted(ranked, key=lambda each: each[:2])[:size]]


def _ranked(template: str, sheet: "RelationsSheet", *, seed: int) -> list[tuple[bytes, Prompt]]:
    keyed = [
        (_digest(f"{seed}:{template}:{':'.join(key)}"), source)
        for source in _sources(template, sheet, seed=seed)
        for key in [[f"{trait.name}={trait.value}" for trait in source.traits]]
    ]
    return sorted(keyed, key=lambda each: each[0])


def _sources(name: str, sheet: "RelationsSheet", *, seed: int) -> Iterator[Prompt]:
    """Yield the template with each set of two to four of its attributes, and all their values."""
    template = sheet.templates[name]
    for size in range(template.LEAST, MOST + 1):
        for chosen in combinations(template.attributes, size):
            for values in product(*(sheet.attributes[attribute].values for attribute in chosen)):
                key = ":".join([f"{seed}", name, *values])
                traits = (
                    _trait(attribute, sheet.attributes[attribute], value, key=key)
                    for attribute, value in zip(chosen, values, strict=True)
                )
                yield Prompt(name, template, tuple(traits))


def _trait(name: str, attribute: "SensitiveAttribute", value: str, *, key: str) -> Trait:
    """Return the trait of a value, with the substitute that a hash of the `key` selects.

    It is not the contrast, which negation uses, unless there is no other.
    """
    contrast = attribute.values[value].contrast
    others = sorted(attribute.values.keys() - {value, contrast}) or [contrast]
    substitute = min(others, key=lambda other: _digest(f"{key}:{name}:{other}"))
    return Trait(name, attribute, value, substitute)


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def check_articles(sheet: "RelationsSheet", *, path: str | Path) -> None:
    """Raise `InputError` for an article without a noun once attributes are removed.

    `path` is the file of the sheet.
    """
    for name in sheet.templates:
        for text in map(render, _samples(name, sheet)):
            if LONE_ARTICLE.search(text):
                raise InputError(
                    where=f"{path}, key 'templates.{name}'",
                    found=f"an article without a noun in '{text}'",
                    expected="a sentence that is correct without some of the attributes",
                    fix="Put the article into the phrases, or give the trait words under `bare`.",
                )


def _samples(name: str, sheet: "RelationsSheet") -> Iterator[Prompt]:
    """Yield the template in each wording and both phrases, with each set of its attributes.

    Each attribute has one value.
    """
    template = sheet.templates[name]
    attributes = {attribute: sheet.attributes[attribute] for attribute in template.attributes}
    traits = [Trait(one, about, next(iter(about.values)), "") for one, about in attributes.items()]
    for size in range(len(traits) + 1):
        for chosen in combinations(traits, size):
            for wording, rephrased in product(template.WORDINGS, (False, True)):
                yield Prompt(name, template, chosen, wording=wording, rephrased=rephrased)
