"""Reading the YAML sheets that users edit, against their schemas."""

import copy
import re
from collections.abc import Callable, Hashable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator, ValidationError, validators
from jsonschema.exceptions import best_match

from .errors import InputError, encoding_error

PASSWORD = re.compile(r"(?<=://)[^/?#\s]*@")


def read_sheet(path: str | Path, *, schema: str | Path) -> dict[str, Any]:
    """Return the YAML mapping in `path` with the defaults of `schema` filled in.

    Raises `InputError` when the file is missing, is not YAML, or does not fit the schema.
    """
    try:
        document = yaml.load(Path(path).read_text(encoding="utf-8"), Loader=_UniqueKeyLoader)
    except FileNotFoundError:
        raise InputError(
            where=str(path),
            found="no such file",
            expected="a YAML sheet",
            fix="Create it, or correct the path in config/config.yaml.",
        ) from None
    except UnicodeDecodeError:
        raise encoding_error(Path(path)) from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = " ".join(str(getattr(error, "problem", error)).split())
        raise InputError(
            where=f"{path}, line {mark.line + 1}" if mark else str(path),
            found=problem.removeprefix("found "),
            expected="valid YAML",
            fix="Correct that line.",
        ) from None
    return fill_and_check(document, schema=schema, where=str(path))


def fill_and_check(document: Any, *, schema: str | Path, where: str) -> dict[str, Any]:
    """Fill the defaults of the JSON schema (a YAML file) into `document`, check it, return it."""
    rules = yaml.safe_load(Path(schema).read_text(encoding="utf-8"))
    error = best_match(_FillingValidator(rules).iter_errors(document))
    if error is not None:
        key = ".".join(str(part) for part in error.absolute_path)
        raise InputError(
            where=f"{where}, key '{key}'" if key else where,
            # Somebody may have put the key itself there.
            found="a value that is no name"
            if key.endswith("key_variable")
            else hide_password(error.message),
            expected=_expectation(error),
            fix=f"The keys and their meaning are described in {schema}.",
        )
    return document  # type: ignore[no-any-return]


def hide_password(text: str) -> str:
    """Return `text` without the user and the password that a web address in it may hold."""
    return PASSWORD.sub("(hidden)@", text)


def _expectation(error: ValidationError) -> str:
    rules: Mapping[str, Any] = error.schema  # type: ignore[assignment]
    if error.validator == "additionalProperties":
        return "only the keys " + ", ".join(sorted(rules.get("properties", {})))
    if error.validator == "required":
        return "the keys " + ", ".join(rules["required"])
    return str(rules.get("description", f"{error.validator} {error.validator_value}"))


def _fill_defaults(
    check_properties: Callable[..., Iterator[ValidationError]],
) -> Callable[..., Iterator[ValidationError]]:
    def fill(
        validator: Any, properties: Mapping[str, Any], instance: Any, schema: Mapping[str, Any]
    ) -> Iterator[ValidationError]:
        if isinstance(instance, dict):
            for key, rule in properties.items():
                if "default" in rule:
                    instance.setdefault(key, copy.deepcopy(rule["default"]))
        yield from check_properties(validator, properties, instance, schema)

    return fill


_FillingValidator = validators.extend(  # type: ignore[no-untyped-call]
    Draft202012Validator,
    {"properties": _fill_defaults(Draft202012Validator.VALIDATORS["properties"])},
)


class _UniqueKeyLoader(yaml.SafeLoader):
    """YAML keeps the last of two equal keys in silence; here the second one is an error."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            # The base class refuses lists and mappings as keys.
            if not isinstance(key, Hashable):
                continue
            if key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key '{key}' a second time", key_node.start_mark
                )
            seen.add(key)
        return super().construct_mapping(node, deep=deep)
