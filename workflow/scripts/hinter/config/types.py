"""The types of values in sheets: numbers, names and paths, with their limits."""

import re
from collections.abc import Callable, Hashable, Mapping
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Discriminator, Field, Tag, WrapValidator
from pydantic_core import PydanticCustomError

T = TypeVar("T", bound=Hashable)

LARGEST = 2**31 - 1
"""The limit of numbers in a sheet, which fit into 32 bits wherever they are used."""
TYPES = {"dict": "object", "list": "array", "str": "string", "int": "integer", "NoneType": "null"}
"""The names in JSON Schema of the Python types that YAML makes."""


class Sheet(BaseModel):
    """A mapping in a sheet: no unknown keys, and only values of the declared types."""

    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, allow_inf_nan=False, use_attribute_docstrings=True
    )


def fault(
    *, found: str, expected: str | None = None, key: str | None = None, fix: str | None = None
) -> Exception:
    """Return the error for what a validator found, at a `key` inside the value that it checked.

    If nothing is `expected`, the message says what the schema expects; without a `fix`, where it
    is described.
    """
    said = {"found": found, "expected": expected, "key": key, "fix": fix}
    return PydanticCustomError("fault", "{found}", said)


PLACEHOLDER = re.compile(r"\{\s*\w*\s*\}")


def with_placeholders(
    known: Mapping[str, str], *, needed: int, form: re.Pattern[str] = PLACEHOLDER
) -> AfterValidator:
    """Return the check of a text with placeholders: only the `known` ones, by their meanings.

    At least so many of them are `needed`. Other braces that do not have the `form` are text.
    """

    def check(text: str) -> str:
        unknown = set(form.findall(text)) - known.keys()
        if unknown:
            raise fault(
                found=f"the placeholder {min(unknown)}",
                expected=f"no placeholder but {' and '.join(known)}",
                fix="Correct or remove it.",
            )
        missing = [name for name in known if name not in text]
        if len(known) - len(missing) < needed:
            wanted = missing if needed == 1 else missing[:1]
            names, meanings = " or ".join(wanted), " or ".join(known[name] for name in wanted)
            expected = f"{names}, which stands for {meanings}"
            raise fault(found=f"no placeholder {names}", expected=expected, fix="Add it.")
        return text

    return AfterValidator(check)


def _check_distinct(values: list[T]) -> list[T]:
    seen: set[T] = set()
    for value in values:
        if value in seen:
            raise fault(found=f"{value!r} twice")
        seen.add(value)
    return values


def _keep_as_written(value: Any, check: Callable[[Any], float]) -> Any:
    # Otherwise 1 would become 1.0, and settings compared as text would differ.
    check(value)
    return value


def text(pattern: str, *, name: str, about: str | None = None) -> Any:
    """Return a field of text that fits the `pattern`, and that messages call a `name`."""
    return Field(pattern=pattern, json_schema_extra={"format": name}, description=about)


Address = Annotated[str, text(r"^https?://[^\s/?#@][^\s@]*$", name="web address")]
Whole = Annotated[int, Field(ge=0, le=LARGEST)]
Count = Annotated[int, Field(ge=1, le=LARGEST)]
Number = Annotated[float, Field(ge=0, le=LARGEST), WrapValidator(_keep_as_written)]
Positive = Annotated[float, Field(gt=0, le=LARGEST), WrapValidator(_keep_as_written)]
Share = Annotated[float, Field(gt=0, le=1), WrapValidator(_keep_as_written)]
Confidence = Annotated[float, Field(ge=0.5, le=0.999), WrapValidator(_keep_as_written)]
# The limit keeps all attempts at one question shorter than the claim on it.
Seconds = Annotated[float, Field(gt=0, le=600), WrapValidator(_keep_as_written)]
Shards = Annotated[int, Field(ge=1, le=10000)]
Distinct = Annotated[
    list[T], AfterValidator(_check_distinct), Field(json_schema_extra={"uniqueItems": True})
]

Attribute = Annotated[
    str,
    text(
        "^[a-z]+(_[a-z]+)*$",
        name="attribute",
        about="a name of lower-case letters and single underscores inside",
    ),
]
# Snakemake reads braces as wildcards.
CsvPath = Annotated[str, text(r"^[^{}\x00-\x1f]+\.csv$", name="path of a CSV file")]
FilePath = Annotated[str, text(r"^[^{}\x00-\x1f]+$", name="path")]
# Queries have paths of results in quotes, and DuckDB treats the other characters as wildcards.
StudyFolder = Annotated[str, text(r"^[^{}'*?\[\]\x00-\x1f]+$", name="path of a study's folder")]
Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]

TextTag, ListTag, MappingTag = Tag("str"), Tag("list"), Tag("dict")
WholeTag, NullTag = Tag("int"), Tag("NoneType")
by_type = Discriminator(lambda value: type(value).__name__)
"""Selects the member of a union by the type of the value, so that messages are about that one."""
