"""The JSON schemas of sheets, for editors, messages and values given on the command line."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import BaseModel

from ..yaml_files import parse_yaml
from .types import TYPES

Schema = Mapping[str, Any]
NULLS = ("", "null", "~")
"""The text that means null where text is allowed as well."""
Location = tuple[int | str, ...]


@cache
def schema_of(model: type[BaseModel]) -> Schema:
    """Return the JSON schema of a sheet, in which each part is written out where it is used."""
    made = model.model_json_schema()
    return _plain(made, parts=made.get("$defs", {}))  # type: ignore[no-any-return]


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
        return schema["items"]  # type: ignore[no-any-return]
    others = schema.get("additionalProperties") or {}
    return schema.get("properties", {}).get(part, others)  # type: ignore[no-any-return]


def _is_named(branch: Schema, name: int | str, *, union: Schema) -> bool:
    if "discriminator" not in union:
        return bool(branch["type"] == TYPES[str(name)])
    kind = union["discriminator"]["propertyName"]
    return bool(branch["properties"][kind]["const"] == name)
