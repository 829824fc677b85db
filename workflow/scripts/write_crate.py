"""Describe the finished run as an RO-Crate, with an archive of the workflow that made it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hinter.crate import Run, pinned_software, write_archive, write_crate
from hinter.job import run_job
from hinter.locations import HOME
from hinter.provenance import run_times
from hinter.resources import read_registry
from hinter.yaml_files import read_yaml


def main(
    *,
    made: Sequence[str],
    provenance: str,
    settings: str,
    registry: str,
    citation: str,
    environments: Sequence[str],
    resources: Sequence[str],
    archive: str,
    crate: str,
    **details: Any,
) -> None:
    """Write the `archive` of the workflow and the `crate` of the run that made the files `made`.

    `resources` names those in the `registry` that the study used. The rest are fields of `Run`.
    """
    write_archive(HOME, Path(archive))
    began, ended = run_times(Path(provenance).read_text(encoding="utf-8"))
    entries = read_registry(registry)
    run = Run(
        began=began,
        ended=ended,
        citation=read_yaml(citation),
        software=pinned_software(environments),
        resources={name: entries[name] for name in resources},
        **details,
    )
    write_crate(
        Path(crate), run, archive=Path(archive), settings=Path(settings), made=[*made, provenance]
    )


if __name__ == "__main__":
    run_job(main, snakemake)
