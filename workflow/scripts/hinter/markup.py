"""The markup of HTML and Markdown in texts: tags, character entities, and links."""

import html
import re
from collections.abc import Callable

_ADDRESS = r"<[^<>\s]*(?:@|://)[^<>\s]*>"
_TAG = rf"(?!{_ADDRESS})<(?:[/!?]?[A-Za-z][^<>\s]*(?:\s+[^<>\s=]+\s*=[^<>]*|\s*/?)|!--[^<>]*)>"
_ENTITY = r"&(?:[A-Za-z]\w*|#\d+|#[xX][\dA-Fa-f]+);"
_LINK = r"\[(?=[^\[\]\n]*\]\()|\]\([^()\s]*\)"
_HTML = re.compile(f"{_TAG}|{_ENTITY}")
_MARKUP = re.compile(f"{_TAG}|{_ADDRESS}|{_ENTITY}|{_LINK}")
_NEW_LINE = re.compile(
    r"</?(?:article|blockquote|br|dd|div|dl|dt|h[1-6]|hr|li|ol|p|pre|section|table|t[dhr]|ul)\b",
    re.IGNORECASE,
)


def has_html(text: str) -> bool:
    """Return whether a text has tags or character entities."""
    return any(_read(found[0]) != found[0] for found in _HTML.finditer(text))


def without_html(text: str) -> str:
    """Return a text without tags, some of which become line ends, and with entities replaced."""
    return _HTML.sub(lambda found: _read(found[0]), text)


def replace_markup(text: str, *, by: Callable[[str, str], str]) -> str:
    """Return a text with all markup replaced `by` a function of it and of its meaning."""
    return _MARKUP.sub(lambda found: by(found[0], _read(found[0])), text)


def _read(mark: str) -> str:
    """Return the replacement of a mark: the character of an entity, a line break or nothing."""
    if mark[0] != "&":
        return "\n" * bool(_NEW_LINE.match(mark))
    character = html.unescape(mark)
    return character if len(character) == 1 else mark
