"""Fetch one external resource of the registry."""

from pathlib import Path

from hinter.job import logged_to
from hinter.resources import fetch_resource, read_registry


def main(*, registry: str, name: str, folder: str) -> None:
    """Fetch the files of the resource `name` into `folder`."""
    entry = read_registry(registry)[name]
    fetch_resource(name=name, entry=entry, folder=Path(folder))


if __name__ == "__main__":
    with logged_to(snakemake.log[0]):
        main(**snakemake.params.settings, folder=snakemake.output[0])
