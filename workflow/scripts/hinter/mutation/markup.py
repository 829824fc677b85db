"""Texts without the marks of HTML and Markdown, which a parser takes for parts of words."""

import re
from functools import lru_cache

_MARKUP = re.compile(
    r"<[/!?]?[A-Za-z][^<>]*>|&(?:[A-Za-z]+|#\w+);|\[(?=[^\[\]\n]*\]\()|\]\([^()\s]*\)"
)
"""Tags, character entities, and what stands around the words of a link."""


@lru_cache(maxsize=4)
def without_markup(text: str) -> str:
    """Return a text with blanks in the place of markup, so that all words stay where they are."""
    return _MARKUP.sub(lambda found: " " * len(found[0]), text)
