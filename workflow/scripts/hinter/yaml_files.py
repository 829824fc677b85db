"""Read YAML files strictly: refuse mistakes that YAML accepts, with file and line."""

import re
from pathlib import Path
from typing import Any

import yaml

from .errors import InputError
from .lines import read_text

MOST_BYTES = 2_000_000
MOST_VALUES = 100_000
"""A limit, as aliases can make a few lines stand for billions of values."""
MOST_LEVELS = 50
MERGE = "tag:yaml.org,2002:merge"
CORRECT = "Correct that line."


def read_yaml(path: str | Path) -> Any:
    """Return the content of the YAML file `path`.

    Raises `InputError` if the file cannot be read, is larger than any sheet, is not YAML, has a key
    twice, or has a key that is not text.
    """
    text = _read(Path(path))
    try:
        _check_levels(text)
        return yaml.load(text, Loader=_StrictLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or getattr(error, "reason", error)
        said = " ".join(str(problem).split())
        raise InputError(
            where=f"{path}, line {mark.line + 1}" if mark else str(path),
            found=said.removeprefix("found ").replace("did not find expected", "no"),
            expected=getattr(error, "expected", "valid YAML"),
            fix=getattr(error, "fix", CORRECT),
        ) from None


def data_of(module: str) -> Any:
    """Return the content of the YAML file next to a library module, given its `__file__`."""
    return read_yaml(Path(module).with_suffix(".yaml"))


def parse_yaml(text: str) -> Any:
    """Return the value of `text` as YAML, or the text itself if it is not YAML."""
    try:
        _check_levels(text)
        return yaml.load(text, Loader=_StrictLoader)
    except yaml.YAMLError:
        return text


def _read(path: Path) -> str:
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise InputError(
                where=str(path),
                found=f"{size:,} bytes",
                expected=f"a YAML sheet of at most {MOST_BYTES:,} bytes",
                fix="Correct the path: data does not belong in a sheet.",
            )
        return read_text(path)
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        raise InputError(
            where=str(path),
            found="no such file" if missing else f"a file that cannot be read ({error.strerror})",
            expected="a YAML sheet",
            fix="Create it, or correct the path in config/config.yaml.",
        ) from None


class _Refused(yaml.MarkedYAMLError):
    """An error for something that a sheet must not contain, at a node or an event."""

    def __init__(
        self, found: str, at: Any, *, expected: str = "valid YAML", fix: str = CORRECT
    ) -> None:
        super().__init__(problem=found, problem_mark=at.start_mark)
        self.expected, self.fix = expected, fix


def _check_levels(text: str) -> None:
    """Raise an error for values that are nested too deeply: the loader would crash."""
    level = 0
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        level += isinstance(event, yaml.CollectionStartEvent)
        level -= isinstance(event, yaml.CollectionEndEvent)
        if level > MOST_LEVELS:
            raise _Refused(
                f"values nested more than {MOST_LEVELS} deep",
                event,
                expected="a sheet",
                fix="Correct the brackets or the indentation.",
            )


class _StrictLoader(yaml.CSafeLoader):
    def get_single_node(self) -> Any:
        node = super().get_single_node()
        if node is not None and _count(node, {}) > MOST_VALUES:
            raise _Refused(
                "aliases (*) that stand for too many values",
                node,
                expected=f"a sheet of at most {MOST_VALUES:,} values",
                fix="Write out what is meant.",
            )
        return node

    def construct_object(self, node: Any, deep: bool = False) -> Any:
        try:
            return super().construct_object(node, deep=deep)
        # Dates that do not exist, numbers of thousands of digits.
        except ValueError as error:
            raise _Refused(str(error), node) from None
        # Values that do not fit the type that is written before them, such as `!!bool x`.
        except (ArithmeticError, AttributeError, LookupError, TypeError):
            kind = node.tag.rpartition(":")[2]
            raise _Refused(f"a value that is not a {kind}", node) from None

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        if not isinstance(node, yaml.MappingNode):
            raise _Refused("a value that is not a mapping", node)
        seen = set()
        for key_node, _ in node.value:
            if key_node.tag == MERGE:
                continue
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, str):
                raise _key_error(key_node)
            # YAML keeps the last of two equal keys.
            if key in seen:
                raise _Refused(f"the key '{key}' a second time", key_node)
            seen.add(key)
        return super().construct_mapping(node, deep=deep)


# YAML 1.1 treats 1e-4 as text, as it has no dot.
_StrictLoader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"[-+]?[0-9]+[eE][-+]?[0-9]+\Z"), list("-+0123456789")
)


def _count(node: Any, counted: dict[int, int]) -> int:
    """Return the number of values that a node stands for."""
    if id(node) not in counted:
        # Replaced once it is counted: otherwise a node that contains itself would have no end.
        counted[id(node)] = MOST_VALUES + 1
        parts = node.value if isinstance(node, yaml.CollectionNode) else []
        inner = [part for item in parts for part in (item if isinstance(item, tuple) else [item])]
        counted[id(node)] = 1 + sum(_count(part, counted) for part in inner)
    return counted[id(node)]


def _key_error(node: Any) -> _Refused:
    scalar = isinstance(node, yaml.ScalarNode)
    found = f"the key '{node.value}', which YAML does not read as text"
    return _Refused(
        found if scalar else "a list or mapping as a key",
        node,
        expected="text as a key",
        fix=f'Put it in quotes: "{node.value}".' if scalar else CORRECT,
    )
