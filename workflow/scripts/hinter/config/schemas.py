"""The JSON schemas of sheets, for editors, messages and values given on the command line."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import core_schema

from ..yaml_files import parse_yaml
from .types import TYPES

Schema = Mapping[str, Any]


@cache
def schema_of(model: type[BaseModel]) -> Schema:
    """Return the JSON schema of a sheet."""
    return model.model_json_schema(schema_generator=_Generator)


def schema_path(model: type[BaseModel]) -> str:
    """Return the path of a sheet's JSON schema, which editors read."""
    return f"config/schemas/{model.__name__.removesuffix('Sheet').lower()}.schema.yaml"


def alternatives(schema: Schema, *, root: Schema) -> list[Schema]:
    """Return the schemas of which a value fits one: those of a union, else the schema alone."""
    given = _resolved(schema, root=root)
    either = given.get("anyOf") or given.get("oneOf")
    return [_resolved(each, root=root) for each in either] if either else [given]


def descend(
    schema: Schema, location: tuple[int | str, ...], *, root: Schema
) -> tuple[list[int | str], Schema]:
    """Return the keys on the way to an error's `location`, and the schema there.

    The location names the branch of each union on its way. The schema has the description of what
    it is in where it has none of its own.
    """
    keys: list[int | str] = []
    at = _resolved(schema, root=root)
    for part in location:
        branches = [each for each in alternatives(at, root=root) if each.get("type") != "null"]
        about = at.get("description")
        if len(branches) > 1:
            at = next(each for each in branches if _is_named(each, str(part), union=at))
        else:
            keys.append(part)
            at = _resolved(_inside(branches[0], part), root=root)
        at = {"description": about, **at} if about else at
    return keys, at


def parse_strings(document: Any, *, schema: Schema, root: Schema) -> Any:
    """Return `document` with strings replaced by what they mean as YAML, where text is not allowed.

    From a command line, Snakemake passes on everything inside brackets as strings. If both null and
    text are allowed, "null" means null.
    """
    kinds = {each.get("type"): each for each in alternatives(schema, root=root)}
    if isinstance(document, str):
        parsed = parse_yaml(document)
        meant = "null" in kinds if parsed is None else "string" not in kinds
        return parsed if meant else document
    if isinstance(document, dict) and "object" in kinds:
        return {
            key: parse_strings(value, schema=_inside(kinds["object"], key), root=root)
            for key, value in document.items()
        }
    if isinstance(document, list) and "array" in kinds:
        items = kinds["array"]["items"]
        return [parse_strings(value, schema=items, root=root) for value in document]
    return document


def _resolved(schema: Schema, *, root: Schema) -> Schema:
    if "$ref" not in schema:
        return schema
    named = root["$defs"][schema["$ref"].rpartition("/")[2]]
    return {**named, **{key: value for key, value in schema.items() if key != "$ref"}}


def _inside(schema: Schema, part: int | str) -> Schema:
    """Return the schema of an item, or of a key's value."""
    if isinstance(part, int):
        return schema["items"]  # type: ignore[no-any-return]
    others = schema.get("additionalProperties") or {}
    return schema.get("properties", {}).get(part, others)  # type: ignore[no-any-return]


def _is_named(branch: Schema, name: str, *, union: Schema) -> bool:
    if "discriminator" not in union:
        return bool(branch["type"] == TYPES[name])
    kind = union["discriminator"]["propertyName"]
    return bool(branch["properties"][kind]["const"] == name)


class _Generator(GenerateJsonSchema):
    """Leave out titles, keep the order of keys, and refuse keys that do not fit their pattern."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def sort(self, value: Any, parent_key: str | None = None) -> Any:
        return value

    def model_schema(self, schema: core_schema.ModelSchema) -> dict[str, Any]:
        made = super().model_schema(schema)
        made.pop("title")
        about = made["description"]
        return {**made, "description": about[0].lower() + about[1:].removesuffix(".")}

    def dict_schema(self, schema: core_schema.DictSchema) -> dict[str, Any]:
        made = super().dict_schema(schema)
        for pattern, values in made.pop("patternProperties", {}).items():
            made["propertyNames"] = {
                "type": "string",
                "pattern": pattern,
                **made.get("propertyNames", {}),
            }
            made["additionalProperties"] = values
        return made
