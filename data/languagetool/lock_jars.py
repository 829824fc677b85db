"""Write the lock of LanguageTool: the jars that its server needs, with the sha256 of each.

Run from the project's folder with `PYTHONPATH=workflow/scripts`, as `make lock` does.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import jgo
from hinter.config import Registry, read_sheet
from hinter.resources.downloads import fetch_maven
from hinter.resources.registry import write_lock

REGISTRY = Path("data/registry.yaml")


def main() -> None:
    """Resolve the artefact of the registry, fetch its jars and write their lock."""
    entry = read_sheet(REGISTRY, Registry).root["languagetool"].model_dump()
    (source,) = (source for source in entry["sources"] if source["kind"] == "maven")
    names = closure(source["artefact"], repository=source["repository"])
    with TemporaryDirectory() as folder:
        fetch_maven(source, names, Path(folder))
        write_lock(REGISTRY.parent / entry["lock"], names=names, folder=Path(folder))


def closure(artefact: str, *, repository: str) -> list[str]:
    """Return the sorted paths in the repository of the jars of `artefact` and what it needs."""
    # The mark takes versions as Maven does for a program that depends on the artefact alone.
    artefacts = jgo.resolve(f"{artefact}!", repositories={"central": repository})
    return sorted((each.component.path_prefix / each.filename).as_posix() for each in artefacts)


if __name__ == "__main__":
    main()
