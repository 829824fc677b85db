"""Check that the paths, resources and names in a configuration are known."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..locations import files_at


def check_path(path: Path, *, where: str) -> None:
    """Raise `InputError` unless a file or folder is at `path`, or matches it as a pattern."""
    if not files_at(str(path)):
        raise InputError(
            where=where,
            found=f"nothing at {path}",
            expected="a file or folder",
            fix="Correct the path; it is relative to the folder you run in.",
        )


def check_place(
    resource: str | None, folder: str | None, *, where: str, registry: Mapping[str, Any]
) -> None:
    """Raise `InputError` unless either a `resource` or a `folder` is named, and exists."""
    if resource and folder:
        raise InputError(
            where=where,
            found=f"both the resource '{resource}' and the folder '{folder}'",
            expected="one of them",
            fix="Remove the wrong one.",
        )
    if resource:
        check_resource(resource, where=where, registry=registry)
    elif not folder:
        raise InputError(
            where=where,
            found="neither 'resource' nor 'folder'",
            expected="one of them",
            fix="Name a resource of data/registry.yaml, or a folder of yours.",
        )
    else:
        check_path(Path(folder), where=f"{where}, key 'folder'")


def check_resource(name: str, *, where: str, registry: Mapping[str, Any]) -> None:
    """Raise `InputError` if the registry has no such resource."""
    if name not in registry:
        raise InputError(
            where=f"{where}, key 'resource'",
            found=f"the resource '{name}'",
            expected=f"one of {', '.join(registry)}",
            fix="Correct the name, or add the resource to data/registry.yaml.",
        )


def check_file(name: str, *, among: Collection[str], where: str) -> None:
    """Raise `InputError` if a folder or resource has no such file."""
    if name not in among:
        raise InputError(
            where=where,
            found=f"'{name}'",
            expected=f"one of its files: {', '.join(sorted(among)) or 'none'}"[:300],
            fix="Correct the name.",
        )


def check_known(
    name: str, *, among: Sequence[str] | Mapping[str, Any], where: str, sheet: str
) -> None:
    """Raise `InputError` for a name that is not in the sheet."""
    if name not in among:
        raise InputError(
            where=where,
            found=f"'{name}'",
            expected=f"one of {', '.join(among)}",
            fix=f"Correct the name, or describe it in {sheet}.",
        )
