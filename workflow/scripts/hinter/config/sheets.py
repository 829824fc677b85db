"""Read sheets: check YAML by a model, and report each mistake in one line with its location.

The JSON schema of the model serves messages, editors, and values given on the command line.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from ..errors import InputError, hide_password
from ..yaml_files import parse_yaml, read_yaml
from .types import TYPES

Schema = Mapping[str, Any]
NULLS = ("", "null", "~")
"""The text that means null where text is allowed as well."""
Location = tuple[int | str, ...]
MOST_CHARS = 300
"""Messages show at most so many characters of a value."""
SECRET = {"key_variable", "headers"}
RENAMED_KEYS = {"ladder": "ablation", "substitution": "operators"}
"""Keys of earlier versions, and what they are called now."""
Described = tuple[list[int | str], str, str]
"""The keys to an error, what was found there, and what was expected."""

_ALLOWED = re.compile(r"\^(\[\^.*?\])\+")
"""The beginning of a pattern that excludes some characters."""

M = TypeVar("M", bound=BaseModel)


@cache
def schema_of(model: type[BaseModel]) -> Schema:
    """Return the JSON schema of a sheet, in which each part is written out where it is used."""
    made = model.model_json_schema()
    return _plain(made, parts=made.get("$defs", {}))


def schema_path(model: type[BaseModel]) -> str:
    """Return the path of a sheet's JSON schema, which editors use."""
    return f"config/schemas/{model.__name__.removesuffix('Sheet').lower()}.schema.yaml"


def alternatives(schema: Schema) -> list[Schema]:
    """Return the schemas that a value may fit: those of a union, or else the schema itself."""
    return schema.get("anyOf") or schema.get("oneOf") or [schema]


def descend(schema: Schema, location: Location) -> tuple[list[int | str], Schema]:
    """Return the keys on the way to an error's `location`, and the schema there.

    The location includes the branch of each union on its way. A schema without a description gets
    that of the schema that contains it.
    """
    keys: list[int | str] = []
    for part in location:
        branches = [each for each in alternatives(schema) if each.get("type") != "null"]
        about = schema.get("description", "")
        if len(branches) > 1:
            schema = next(each for each in branches if _is_named(each, part, union=schema))
        else:
            keys.append(part)
            schema = _inside(branches[0], part)
        schema = {"description": about, **schema}
    return keys, schema


def allows_text(schema: Schema, key: str) -> bool:
    """Return whether the value of a key may be text."""
    return any(each.get("type") == "string" for each in alternatives(_inside(schema, key)))


def parse_strings(document: Any, *, schema: Schema) -> Any:
    """Return `document` with strings parsed as YAML where text is not allowed.

    Snakemake passes everything inside brackets on a command line as strings. If both null and text
    are allowed, "null" means null, and everything else is text.
    """
    kinds = {each.get("type"): each for each in alternatives(schema)}
    if isinstance(document, str):
        if "string" in kinds:
            return None if "null" in kinds and document in NULLS else document
        return parse_yaml(document)
    if isinstance(document, dict) and "object" in kinds:
        parts = {key: _inside(kinds["object"], key) for key in document}
        return {key: parse_strings(document[key], schema=part) for key, part in parts.items()}
    if isinstance(document, list) and "array" in kinds:
        return [parse_strings(value, schema=kinds["array"]["items"]) for value in document]
    return document


def _plain(made: Any, *, parts: Schema) -> Any:
    """Return a schema made by pydantic without its references, titles and line breaks."""
    if isinstance(made, list):
        return [_plain(each, parts=parts) for each in made]
    if not isinstance(made, dict):
        return " ".join(made.split()) if isinstance(made, str) else made
    schema = dict(made)
    if "$ref" in made:
        schema = {**parts[schema.pop("$ref").rpartition("/")[2]], **schema}
    # A pattern by itself does not forbid keys that do not fit it.
    for pattern, values in schema.pop("patternProperties", {}).items():
        schema["propertyNames"] = {"type": "string", "pattern": pattern, **schema["propertyNames"]}
        schema["additionalProperties"] = values
    # The docstring of a model is a sentence, unlike the descriptions of its parts.
    if (about := schema.get("description", "")).endswith("."):
        schema["description"] = about[0].lower() + about[1:-1]
    apart = ("$defs", "title", "mapping")
    return {key: _plain(each, parts=parts) for key, each in schema.items() if key not in apart}


def _inside(schema: Schema, part: int | str) -> Schema:
    """Return the schema of an item, or of a key's value."""
    if isinstance(part, int):
        return schema["items"]
    others = schema.get("additionalProperties") or {}
    return schema.get("properties", {}).get(part, others)


def _is_named(branch: Schema, name: int | str, *, union: Schema) -> bool:
    if "discriminator" not in union:
        return bool(branch["type"] == TYPES[str(name)])
    kind = union["discriminator"]["propertyName"]
    return bool(branch["properties"][kind]["const"] == name)


def refusal(error: ValidationError, *, model: type[BaseModel], where: str) -> InputError:
    """Return the error that the user sees, for the mistake that explains most."""
    errors = error.errors(include_url=False)
    # A misspelt key explains why the right one is missing.
    first = min(errors, key=lambda each: each["type"] != "extra_forbidden")
    keys, found, expected = _described(first, schema=schema_of(model))
    key = ".".join(repr(part)[1:-1] if isinstance(part, str) else str(part) for part in keys)
    return InputError(
        where=f"{where}, key '{key}'" if key else where,
        # The value may be a secret, put there instead of the name of its variable.
        found="a value that is not a valid name"
        if SECRET.intersection(keys)
        else hide_password(found)[:MOST_CHARS],
        expected=expected,
        fix=first.get("ctx", {}).get("fix")
        or f"{_hint(first)}The keys and their meaning are described in {schema_path(model)}.",
    )


def _described(error: ErrorDetails, *, schema: Schema) -> Described:
    kind, location, said = error["type"], error["loc"], error.get("ctx", {})
    if kind in ("extra_forbidden", "missing"):
        keys, part = descend(schema, location[:-1])
        # One of the alternatives may be null.
        part = next(each for each in alternatives(part) if "properties" in each)
        if kind == "missing":
            return keys, f"no key '{location[-1]}'", f"the keys {', '.join(part['required'])}"
        known = ", ".join(sorted(part["properties"]))
        return keys, f"the unknown key {location[-1]!r}", f"only the keys {known}"
    if location[-1:] == ("[key]",):
        keys, part = descend(schema, location[:-2])
        part = next(each for each in alternatives(part) if "propertyNames" in each)
        part = part["propertyNames"]
    else:
        keys, part = descend(schema, location)
    if kind == "fault":
        inner = [said["key"]] if said["key"] else []
        return keys + inner, said["found"], said["expected"] or _expectation(part)
    if kind.startswith("union_tag") and "discriminator" in part:
        return _described_kind(error, keys=keys, union=part)
    return keys, _finding(error["input"], schema=part), _expectation(part)


def _described_kind(error: ErrorDetails, *, keys: list[int | str], union: Schema) -> Described:
    """Return the same for a mapping whose kind is missing or unknown."""
    key = union["discriminator"]["propertyName"]
    known = [each["properties"][key] for each in alternatives(union)]
    expected = ", ".join(f"{each['const']} ({each['description']})" for each in known)
    if error["type"] == "union_tag_not_found":
        return keys, f"no key '{key}'", f"'{key}' as one of {expected}"
    return [*keys, key], repr(error["input"][key]), f"one of {expected}"


def _finding(value: Any, *, schema: Schema) -> str:
    """Return what was found and, for text of a wrong form, the form that was expected."""
    texts = [each for each in alternatives(schema) if "pattern" in each]
    if not isinstance(value, str) or not texts:
        return repr(value)
    name, pattern = texts[0].get("format"), texts[0]["pattern"]
    if not name:
        return f"{value!r}, which does not match {pattern}"
    allowed = _ALLOWED.match(pattern)
    signs = [] if allowed is None else [one for one in value if not re.match(allowed[1], one)]
    why = f" ({signs[0]!r} is not allowed)" if signs else ""
    return f"{value!r}, which is not a valid {name}{why}"


def _expectation(schema: Schema) -> str:
    allowed = " or ".join(map(_in_words, alternatives(schema)))
    about = schema.get("description")
    return f"{allowed}: {about}" if about else allowed


def _in_words(schema: Schema) -> str:
    """Return in words what a schema without alternatives allows."""
    if "enum" in schema:
        return f"one of {', '.join(schema['enum'])}"
    if schema["type"] in ("integer", "number"):
        name = "a whole number (7, not 7.0)" if schema["type"] == "integer" else "a number"
        above, least = schema.get("exclusiveMinimum"), schema.get("minimum")
        low = f"of at least {least}" if above is None else f"above {above}"
        return f"{name} {low} and at most {schema['maximum']:,}"
    least = schema.get("minItems", schema.get("minProperties"))
    once = ", each once" if "uniqueItems" in schema else ""
    several = (f" of at least {least}" if least else "") + once
    return {
        "array": f"a list{several}",
        "object": f"a mapping{several}",
        "string": "text",
        "boolean": "true or false",
        "null": "null",
    }[schema["type"]]


def _hint(error: ErrorDetails) -> str:
    """Return the new name of a key, or how to write text that YAML does not parse as text."""
    if error["type"] == "extra_forbidden" and error["loc"][-1] in RENAMED_KEYS:
        return f"`{error['loc'][-1]}` is called `{RENAMED_KEYS[str(error['loc'][-1])]}` now. "
    plain = not isinstance(error["input"], list | dict)
    return "Put text in quotes. " if error["type"] == "string_type" and plain else ""


def read_sheet(path: str | Path, model: type[M]) -> M:
    """Return the YAML sheet in `path`, with the defaults of its model filled in.

    Raises `InputError` when the file is missing, is not YAML, or does not fit the model.
    """
    return check_sheet(read_yaml(path), model, where=str(path))


def check_sheet(document: Any, model: type[M], *, where: str) -> M:
    """Return `document` as its model; raise `InputError` if it does not fit."""
    try:
        return model.model_validate(document)
    except ValidationError as error:
        raise refusal(error, model=model, where=where) from None
