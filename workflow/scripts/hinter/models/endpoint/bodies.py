"""Parse the bodies of chat completions, in the forms in which servers and gateways pack them."""

import base64
import json
import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from .http_errors import words_of

MAX_BODY_BYTES = 8 * 2**20
"""Much larger than any answer or list of models."""
GZIP = b"\x1f\x8b"
STREAM = re.compile(r"\s*(?:data|event|id|retry)?:")
"""The beginning of a stream of server-sent events."""
DONE = "data: [DONE]"
"""The end of a stream, which some servers also send after JSON."""
GUARD = ")]}',"
"""Characters before JSON by which some servers keep scripts from running it."""


class Fault(Exception):
    """A fault that may pass: the call is repeated. `advice` says what else may help."""

    advice = "Try again later."


class Page(Fault):
    """A web page instead of an answer."""

    advice = "Correct base_url, which usually ends in /v1, or sign in to what is before the server."


class Foreign(Fault):
    """JSON that is no chat completion: unless the server has given one before, it never will."""

    advice = "Correct base_url, which usually ends in /v1: this server has a form of its own."


def document_of(content: bytes) -> dict[str, Any]:
    """Return the JSON object in the body of a chat completion; raises `Fault` if there is none.

    A body may be compressed without saying so, encoded in Base64, a stream that was not asked for,
    or inside another object. Its choices are sorted by their index.
    """
    try:
        if content.startswith(GZIP):
            content = zlib.decompressobj(wbits=31).decompress(content, MAX_BODY_BYTES)
        found = _parsed(content.decode(json.detect_encoding(content)))
        found = _parsed(found) if isinstance(found, str) else found
        found = found[0] if isinstance(found, list) and len(found) == 1 else found
    except (UnicodeDecodeError, zlib.error):
        raise Fault("an answer that is not UTF-8") from None
    except ValueError:
        raise Fault("an answer that is not JSON") from None
    except RecursionError:
        raise Fault("an answer that is nested too deeply") from None
    except (AttributeError, TypeError):
        found = None
    if not isinstance(found, dict):
        raise Foreign(f"an answer without choices ({content[:80].decode(errors='replace')})")
    document = found if "choices" in found else {**found, **_inside(found)}
    choices = document.get("choices")
    if isinstance(choices, list) and all(isinstance(choice, dict) for choice in choices):
        document["choices"] = sorted(choices, key=_index)
    return document


def _parsed(text: str) -> Any:
    text = text.rstrip().removesuffix(DONE)
    if STREAM.match(text):
        return _joined(_events(text))
    if text.lstrip().startswith("<"):
        raise Page(f"a web page instead of an answer ({words_of(text)[:80]})")
    try:
        return json.loads(text.lstrip(GUARD))
    except ValueError:
        with suppress(ValueError):
            return json.loads(base64.b64decode(text, validate=True))
        raise


def _index(choice: dict[str, Any]) -> int:
    index = choice.get("index")
    return index if isinstance(index, int) else 0


def _inside(document: dict[str, Any]) -> dict[str, Any]:
    """Return the completion that is a value of a document, or is in a text that is one."""
    for value in document.values():
        found = value
        if isinstance(value, str) and value.startswith("{"):
            with suppress(ValueError, RecursionError):
                found = json.loads(value)
        if isinstance(found, dict) and "choices" in found:
            return found
    return {}


def _events(text: str) -> Iterator[dict[str, Any]]:
    # Text inside JSON may have other line ends, such as U+2028.
    for line in re.split(r"[\r\n]+", text):
        name, _, data = line.partition(":")
        if name == "data" and data.strip() != "[DONE]":
            yield json.loads(data)


def _joined(events: Iterator[dict[str, Any]]) -> dict[str, Any]:
    """Return the completion of which a stream has the parts; one without an end broke off."""
    document: dict[str, Any] = {}
    message: dict[str, str] = {}
    tokens: list[Any] = []
    finish = None
    for event in events:
        document |= {key: value for key, value in event.items() if value}
        first = (choice for choice in event.get("choices") or () if not _index(choice))
        for choice in first:
            finish = choice.get("finish_reason") or finish
            tokens += (choice.get("logprobs") or {}).get("content") or []
            for key, part in (choice.get("delta") or {}).items():
                if isinstance(part, str):
                    message[key] = message.get(key, "") + part
    if "choices" in document:
        choice = {"message": message, "finish_reason": finish or "interrupted"}
        document["choices"] = [{**choice, "logprobs": {"content": tokens}}]
    return document
