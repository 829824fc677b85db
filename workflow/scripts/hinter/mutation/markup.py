"""Texts without the marks of HTML and Markdown, which a parser takes for parts of words."""

import re
from functools import lru_cache

_MARKUP = re.compile(
    r"<[/!?]?[A-Za-z][^<>]*>|&(?:[A-Za-z]+|#\w+);|\[(?=[^\[\]\n]*\]\()|\]\([^()\s]*\)"
)
"""Tags, character entities, and what stands around the words of a link."""


_WRAPPED = re.compile(r"(?<![.!?:;\s])[ \t]*(\n\s*)(?=[a-z,(])")
"""A line break within a sentence: no mark closes the line, and the next one goes on."""


def unwrapped(text: str) -> str:
    """Return a text without markup and with blanks for line breaks within sentences.

    All words stay where they are.
    """
    plain = without_markup(text)
    return _WRAPPED.sub(lambda found: " " * len(found[0]), plain)


@lru_cache(maxsize=4)
def without_markup(text: str) -> str:
    """Return a text with blanks in the place of markup, so that all words stay where they are."""
    return _MARKUP.sub(lambda found: " " * len(found[0]), text)
