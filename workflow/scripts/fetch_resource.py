"""Fetch one external resource of the registry."""

from pathlib import Path

from hinter.job import run_job
from hinter.resources import fetch_resource, read_registry


def main(*, registry: str, name: str, folder: str) -> None:
    """Fetch the files of the resource `name` into `folder`."""
    entry = read_registry(registry)[name]
    fetch_resource(name=name, entry=entry, folder=Path(folder))


if __name__ == "__main__":
    run_job(main, snakemake)
