"""Reading the YAML sheets that users edit, against their schemas.

A schema is JSON Schema, with two departures: 7.0 is no integer, and numbers are finite. Missing
keys get their defaults.
"""

import copy
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator, FormatChecker, ValidationError, validators
from jsonschema.exceptions import best_match

from .errors import InputError
from .yaml_files import parse_yaml, read_yaml

Errors = Iterator[ValidationError]

LARGEST = 2**31 - 1
"""No number in a sheet may be further from 0: whatever reads one can hold it."""
NUMBERS = {
    "integer": f"a whole number (7, not 7.0) of at most {LARGEST:,}",
    "number": f"a number of at most {LARGEST:,}",
}
FORMATS = {
    "attribute": re.compile("[a-z]+"),
    # Names become parts of paths. Only models may have dots, as gpt-3.5 has, so that files beside
    # the folders of datasets cannot be taken for a dataset's.
    "name": re.compile("[a-z0-9][a-z0-9_-]*"),
    "model name": re.compile(r"[a-z0-9][a-z0-9_-]*(\.[a-z0-9_-]+)*"),
    # Snakemake reads braces as wildcards.
    "path": re.compile(r"[^{}\x00-\x1f]+"),
}

PASSWORD = re.compile(r"(?<=://)\S*@")


def read_sheet(path: str | Path, *, schema: str | Path) -> dict[str, Any]:
    """Return the YAML mapping in `path` with the defaults of `schema` filled in.

    Raises `InputError` when the file is missing, is not YAML, or does not fit the schema.
    """
    return fill_and_check(read_yaml(path), schema=schema, where=str(path))


def fill_and_check(document: Any, *, schema: str | Path, where: str) -> dict[str, Any]:
    """Fill the defaults of the JSON schema (a YAML file) into `document`, check it, return it."""
    validator = _FillingValidator(_rules(schema), format_checker=_format_checker())
    error = best_match(validator.iter_errors(document))
    if error is not None:
        key = ".".join(str(part) for part in error.absolute_path)
        raise InputError(
            where=f"{where}, key '{key}'" if key else where,
            found=hide_password(_finding(error)),
            expected=_expectation(error),
            fix=f"{_hint(error)}The keys and their meaning are described in {schema}.",
        )
    return document  # type: ignore[no-any-return]


def parse_strings(document: Any, *, schema: str | Path) -> None:
    """Replace strings in `document` by what they mean as YAML, where the schema allows only that.

    Of a command line, Snakemake hands over all that is inside brackets as strings. Where both null
    and text are allowed, null is meant.
    """
    for _ in _ParsingValidator(_rules(schema)).iter_errors(document):
        pass


@cache
def _rules(schema: str | Path) -> Any:
    return yaml.load(Path(schema).read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)


@cache
def _format_checker() -> FormatChecker:
    checker = FormatChecker(formats=())
    for name, pattern in FORMATS.items():
        checker.checks(name)(partial(_fits, pattern))
    return checker


def _fits(pattern: re.Pattern[str], value: object) -> bool:
    return not isinstance(value, str) or bool(pattern.fullmatch(value))


def _finding(error: ValidationError) -> str:
    # Somebody may have put the key itself there.
    if "key_variable" in error.absolute_path:
        return "a value that is no name"
    if error.validator == "format":
        return f"{error.instance!r}, which is no {error.validator_value}"
    return str(error.message)


def hide_password(text: str) -> str:
    """Return `text` without the user and the password that a web address in it may hold."""
    return PASSWORD.sub("(hidden)@", text)


def _expectation(error: ValidationError) -> str:
    rules: Mapping[str, Any] = error.schema  # type: ignore[assignment]
    if error.validator == "additionalProperties":
        return "only the keys " + ", ".join(sorted(rules.get("properties", {})))
    if error.validator == "required":
        return "the keys " + ", ".join(rules["required"])
    about = str(rules.get("description", f"{error.validator} {error.validator_value}"))
    if error.validator == "type" and _is_numeric(error.instance):
        allowed = [words for kind, words in NUMBERS.items() if kind in _listed(rules["type"])]
        return ": ".join([*allowed, about])
    return about


def _hint(error: ValidationError) -> str:
    """Return what to do about a value that YAML takes for something else than the text it is."""
    wanted = error.validator == "type" and "string" in _listed(error.validator_value)
    plain = not isinstance(error.instance, str | list | dict)
    return "Put text in quotes. " if wanted and plain else ""


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _is_numeric(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_number(_: object, value: Any) -> bool:
    # False of infinities and of what is not a number, too.
    return _is_numeric(value) and abs(value) <= LARGEST


def _is_whole(_: object, value: Any) -> bool:
    return isinstance(value, int) and _is_number(_, value)


def _fill(validator: Any, properties: Mapping[str, Any], instance: Any, schema: Any) -> Errors:
    if isinstance(instance, dict):
        for key, rule in properties.items():
            if "default" in rule:
                instance.setdefault(key, copy.deepcopy(rule["default"]))
    yield from _KEYWORDS["properties"](validator, properties, instance, schema)


def _match(validator: Any, pattern: str, instance: Any, schema: Any) -> Errors:
    """Check a pattern, whose `$` is the end; Python's also stands before a last line break."""
    yield from _KEYWORDS["pattern"](validator, pattern.replace("$", r"\Z"), instance, schema)


def _parse_values(
    validator: Any, properties: Mapping[str, Any], instance: Any, schema: Any
) -> Errors:
    if isinstance(instance, dict):
        for key in properties.keys() & instance.keys():
            instance[key] = _meant(instance[key], validator.evolve(schema=properties[key]))
    yield from _KEYWORDS["properties"](validator, properties, instance, schema)


def _parse_items(validator: Any, items: Any, instance: Any, schema: Any) -> Errors:
    if isinstance(instance, list):
        instance[:] = [_meant(value, validator.evolve(schema=items)) for value in instance]
    yield from _KEYWORDS["items"](validator, items, instance, schema)


def _meant(value: Any, validator: Any) -> Any:
    if not isinstance(value, str):
        return value
    parsed = parse_yaml(value)
    if parsed is None:
        return parsed if validator.is_valid(parsed) else value
    return value if validator.is_valid(value) else parsed


_KEYWORDS: Mapping[str, Callable[..., Errors]] = Draft202012Validator.VALIDATORS
_TYPES = Draft202012Validator.TYPE_CHECKER.redefine_many(
    {"integer": _is_whole, "number": _is_number}
)
_FillingValidator = validators.extend(  # type: ignore[no-untyped-call]
    Draft202012Validator, {"properties": _fill, "pattern": _match}, type_checker=_TYPES
)
_ParsingValidator = validators.extend(  # type: ignore[no-untyped-call]
    Draft202012Validator,
    {"properties": _parse_values, "items": _parse_items},
    type_checker=_TYPES,
)
