"""One line for each mistake in a sheet: where it is, what was found, what was expected."""

from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from ..errors import InputError, hide_password
from .schemas import Schema, alternatives, descend, schema_of, schema_path

MOST_CHARS = 300
"""Messages show no more of a value."""
SECRET = "key_variable"


def refusal(error: ValidationError, *, model: type[BaseModel], where: str) -> InputError:
    """Return the error for the mistake that explains most, as the user reads it."""
    errors = error.errors(include_url=False)
    # A misspelt key explains why the right one is missing.
    first = min(errors, key=lambda each: each["type"] != "extra_forbidden")
    keys, found, expected = _told(first, root=schema_of(model))
    key = ".".join(repr(part)[1:-1] if isinstance(part, str) else str(part) for part in keys)
    return InputError(
        where=f"{where}, key '{key}'" if key else where,
        found="a value that is no name" if SECRET in keys else hide_password(found)[:MOST_CHARS],
        expected=expected,
        fix=f"{_hint(first)}The keys and their meaning are described in {schema_path(model)}.",
    )


def _told(error: ErrorDetails, *, root: Schema) -> tuple[list[int | str], str, str]:
    """Return the keys to an error, what was found there, and what was expected."""
    kind, location, said = error["type"], error["loc"], error.get("ctx", {})
    if kind in ("extra_forbidden", "missing"):
        keys, schema = descend(root, location[:-1], root=root)
        if kind == "missing":
            return keys, f"no key '{location[-1]}'", f"the keys {', '.join(schema['required'])}"
        known = ", ".join(sorted(schema["properties"]))
        return keys, f"the unknown key {location[-1]!r}", f"only the keys {known}"
    if location[-1:] == ("[key]",):
        keys, schema = descend(root, location[:-2], root=root)
        schema = schema["propertyNames"]
    else:
        keys, schema = descend(root, location, root=root)
    if kind == "fault":
        inner = [said["key"]] if said["key"] else []
        return keys + inner, said["found"], said["expected"] or _expectation(schema, root=root)
    if "discriminator" in schema and kind.startswith("union_tag"):
        return _told_kind(error, keys=keys, schema=schema, root=root)
    return keys, _finding(error["input"], schema=schema, root=root), _expectation(schema, root=root)


def _told_kind(
    error: ErrorDetails, *, keys: list[int | str], schema: Schema, root: Schema
) -> tuple[list[int | str], str, str]:
    """Return the same of a mapping whose kind is missing or unknown."""
    key = schema["discriminator"]["propertyName"]
    known = [each["properties"][key] for each in alternatives(schema, root=root)]
    expected = ", ".join(f"{each['const']} ({each['description']})" for each in known)
    if error["type"] == "union_tag_not_found":
        return keys, f"no key '{key}'", f"'{key}' as one of {expected}"
    return [*keys, key], repr(error["input"][key]), f"one of {expected}"


def _finding(value: Any, *, schema: Schema, root: Schema) -> str:
    """Return what was found, and where it is text of a wrong form, what form that is not."""
    texts = [each for each in alternatives(schema, root=root) if "pattern" in each]
    if not isinstance(value, str) or not texts:
        return repr(value)
    name, pattern = texts[0].get("format"), texts[0]["pattern"]
    return f"{value!r}, which " + (f"is no {name}" if name else f"does not match {pattern}")


def _expectation(schema: Schema, *, root: Schema) -> str:
    allowed = " or ".join(map(_in_words, alternatives(schema, root=root)))
    about = schema.get("description", "")
    return f"{allowed}: {about}" if about else allowed


def _in_words(schema: Schema) -> str:
    """Return what a schema without alternatives allows."""
    if "enum" in schema:
        return f"one of {', '.join(schema['enum'])}"
    if schema["type"] == "integer":
        return f"a whole number (7, not 7.0) {_range(schema)}"
    if schema["type"] == "number":
        return f"a number {_range(schema)}"
    if schema["type"] == "array":
        least = f" of at least {schema['minItems']}" if "minItems" in schema else ""
        return f"a list{least}{', each once' if 'uniqueItems' in schema else ''}"
    if schema["type"] == "object":
        least = f" of at least {schema['minProperties']}" if "minProperties" in schema else ""
        return f"a mapping{least}"
    return {"string": "text", "boolean": "true or false", "null": "null"}[schema["type"]]


def _range(schema: Schema) -> str:
    above, least = schema.get("exclusiveMinimum"), schema.get("minimum")
    low = f"above {above}" if above is not None else f"of at least {least}"
    return f"{low} and at most {schema['maximum']:,}"


def _hint(error: ErrorDetails) -> str:
    """Return what to do about a value that YAML takes for something else than the text it is."""
    plain = not isinstance(error["input"], list | dict)
    return "Put text in quotes. " if error["type"] == "string_type" and plain else ""
