"""The library's rooms: each imports only from the rooms before it, and through their doors."""

import ast
import re
from pathlib import Path

import hinter
import pytest

LIBRARY = Path(__file__).resolve().parents[2] / "workflow" / "scripts" / "hinter"
# The map at the library's entrance: a line for each room, in their order.
ROOMS = re.findall(r"^    (\w+)  +\S", hinter.__doc__ or "", flags=re.MULTILINE)
TESTS = Path(__file__).resolve().parent
HALL = [
    "batches",
    "compared",
    "database",
    "declarations",
    "errors",
    "gpus",
    "job",
    "model_files",
    "provenance",
    "yaml_files",
]


def _imports_of_other_rooms(path: Path) -> set[tuple[str, ...]]:
    """Return the module paths, from the library's root, that `path` imports from outside its room.

    A file of a room `up` levels below the library reaches other rooms by `up + 1` leading dots.
    """
    up = len(path.relative_to(LIBRARY).parts)
    return {
        tuple(node.module.split("."))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.level == up and node.module
    }


def test_every_room_is_known() -> None:
    found = {path.name for path in LIBRARY.iterdir() if (path / "__init__.py").is_file()}
    assert found == set(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_from_rooms_before_it_through_their_doors(room: str) -> None:
    before = {(name,) for name in [*HALL, *ROOMS[: ROOMS.index(room)]]}
    for path in sorted((LIBRARY / room).rglob("*.py")):
        assert _imports_of_other_rooms(path) <= before, path


def test_tests_stand_in_folders_like_the_rooms() -> None:
    folders = {path.parent.name for path in TESTS.glob("*/test_*.py")}
    assert folders <= set(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_a_door_names_all_that_it_passes_on(room: str) -> None:
    tree = ast.parse((LIBRARY / room / "__init__.py").read_text(encoding="utf-8"))
    passed_on = {
        alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    (named,) = (ast.literal_eval(node.value) for node in tree.body if isinstance(node, ast.Assign))
    assert sorted(named) == sorted(passed_on)
