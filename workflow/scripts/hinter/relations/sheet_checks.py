"""Check a sheet of prompts: its sentences must be correct without some of the attributes."""

import re
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import InputError
from .prompt import Prompt, Slot
from .rendering import render

if TYPE_CHECKING:
    from ..config import RelationsSheet

LONE_ARTICLE = re.compile(
    r"\b[Aa]n?(?=[,.?]| (as|at|by|for|from|in|of|on|or|and|that|to|who|with)\b)"
)
"""An article before a punctuation mark or a word that cannot begin a noun phrase."""


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
                    fix="Put the article into the phrases, or give the slot words under `bare`.",
                )


def _samples(name: str, sheet: "RelationsSheet") -> Iterator[Prompt]:
    """Yield the template in each wording and both phrases, with each set of its attributes.

    Each attribute has one value.
    """
    template = sheet.templates[name]
    attributes = {attribute: sheet.attributes[attribute] for attribute in template.attributes}
    slots = [Slot(one, about, next(iter(about.values)), "") for one, about in attributes.items()]
    for size in range(len(slots) + 1):
        for chosen in combinations(slots, size):
            for wording, rephrased in product(template.WORDINGS, (False, True)):
                yield Prompt(name, template, chosen, wording=wording, rephrased=rephrased)
