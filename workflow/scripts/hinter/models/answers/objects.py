"""Read objects of JSON in answers as words: what they say about labels, without their prose."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from pydantic_core import from_json

from .conclusions import ANSWER

OPENED = re.compile(r"\{|\[(?=\s*[\"{])")
ASKED = re.compile(rf".*{ANSWER}s?")


def objects_in(text: str) -> Iterator[tuple[Any, int, int]]:
    """Yield objects and lists of JSON in a text, and those inside them, with starts and ends.

    One that is cut off ends with the text, and has what is whole in it. There are none after one
    that is nested too deeply.
    """
    for opened in OPENED.finditer(text):
        start = opened.start()
        try:
            found, end = json.JSONDecoder().raw_decode(text, start)
            yield found, start, end
        except RecursionError:
            return
        except ValueError:
            with suppress(ValueError):
                yield from_json(text[start:], allow_partial=True), start, len(text)


def in_words(text: str, is_label: Callable[[str], bool]) -> str:
    """Return a text with objects of JSON as lines: what is asked for, or else what labels have."""
    done, parts = 0, []
    for found, start, end in objects_in(text):
        if start >= done:
            said = ""
            # Objects may be nested too deeply.
            with suppress(RecursionError):
                said = _said(found, is_label)
            is_whole = end < len(text) or text.endswith(("}", "]"))
            parts += [text[done:start], f"\n{said}\n" if said or not is_whole else text[start:end]]
            done = end
    return "".join([*parts, text[done:]])


def _said(value: Any, is_label: Callable[[str], bool], *, listed: bool = False) -> str:
    if isinstance(value, list) and value:
        said = [_said(one, is_label, listed=len(value) > 1) for one in value]
        return ("\n" if any(isinstance(one, dict) for one in value) else ", ").join(said)
    if not isinstance(value, dict):
        return value if isinstance(value, str) else json.dumps(value)
    label = next((one for one in value.values() if isinstance(one, str) and is_label(one)), None)
    if listed and label:
        return _rated(label, [one for one in value.values() if one != label])
    asked = [key for key in value if ASKED.fullmatch(key.casefold())]
    labels = [key for key in value if is_label(key)]
    if labels and not asked:
        return "\n".join(_rated(key, value[key]) for key in labels)
    held = [key for key, one in value.items() if isinstance(one, dict | list) or is_label(f"{one}")]
    lines = [(key.replace("_", " "), _said(value[key], is_label)) for key in asked or held]
    return "\n".join(map(": ".join, lines))


def _rated(label: str, value: Any) -> str:
    """Return a label and what is said of it: true or false, a word, or a number, in this order."""
    if isinstance(value, dict | list):
        said = value.values() if isinstance(value, dict) else value
        short = [one for one in said if isinstance(one, int | float) or f"{one}".isalpha()]
        kinds = (bool, str, float, int)
        value = next((one for kind in kinds for one in short if isinstance(one, kind)), "")
    return f"{label}: {value if isinstance(value, str) else json.dumps(value)}"
