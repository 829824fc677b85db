"""The crate: the files of a finished study, their inputs, software, times and code.

It conforms to Workflow Run Crate 0.5 (https://w3id.org/ro/wfrun/workflow/0.5) on RO-Crate 1.1, the
versions that the validator supports. Files are described at their paths, and none is copied.
"""

import json
import platform
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import chain
from mimetypes import MimeTypes
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import yaml
from rocrate.model.computationalworkflow import ComputationalWorkflow
from rocrate.model.file import File
from rocrate.rocrate import ROCrate

from ..provenance import sha256_of
from .entities import add_authors, add_named, add_paper, add_resource, describe

PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": "Process Run Crate",
    "https://w3id.org/ro/wfrun/workflow/0.5": "Workflow Run Crate",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": "Workflow RO-Crate",
}
BIOSCHEMAS = "https://bioschemas.org/profiles/ComputationalWorkflow/1.0-RELEASE"
PACKAGES = "https://anaconda.org/conda-forge"
LICENCES = "https://spdx.org/licenses"
# The formats that Python itself knows, on any system.
FORMATS = {**MimeTypes().types_map[True], ".md": "text/markdown"}


class Run(NamedTuple):
    """The description of a run.

    `resources` are entries of the registry by name. `named` are the study's models, datasets and
    probes, as arguments of `add_named`. `citation` is the content of CITATION.cff, `software` has
    the version of each package, and `titles` the titles of files, by name without suffix.
    """

    about: str
    began: datetime
    ended: datetime
    citation: Mapping[str, Any]
    software: Mapping[str, str]
    resources: Mapping[str, Mapping[str, Any]]
    named: Sequence[Mapping[str, Any]]
    titles: Mapping[str, str]


def write_crate(
    path: Path, run: Run, *, archive: Path, settings: Path, made: Sequence[str]
) -> None:
    """Write the description of a `run` to `path`, `ro-crate-metadata.json` in the study's folder.

    `archive` holds the workflow, `settings` the configuration, and `made` are the files that the
    run made. All are in the study's folder.
    """
    folder = path.parent
    crate = ROCrate(version="1.1")
    workflow = _add_workflow(crate, run, archive=archive, folder=folder)
    inputs = [
        _add_file(crate, settings, folder=folder, titles=run.titles),
        *(add_resource(crate, name, entry) for name, entry in run.resources.items()),
        *(add_named(crate, **entry) for entry in run.named),
    ]
    outputs = [_add_file(crate, Path(file), folder=folder, titles=run.titles) for file in made]
    action = describe(
        crate,
        "#run",
        "CreateAction",
        name=f"Run of {run.citation['title']}",
        description=run.about,
        startTime=run.began.isoformat(timespec="seconds"),
        endTime=run.ended.isoformat(timespec="seconds"),
        actionStatus="http://schema.org/CompletedActionStatus",
    )
    action["instrument"], action["object"], action["result"] = workflow, inputs, outputs
    _describe(crate, run)
    crate.root_dataset["mentions"] = action
    document = json.dumps(crate.metadata.generate(), indent=2, sort_keys=True, ensure_ascii=False)
    path.write_text(f"{document}\n", encoding="utf-8")


def _describe(crate: ROCrate, run: Run) -> None:
    """Describe the crate as a whole."""
    root = crate.root_dataset
    crate.name, crate.description = run.citation["title"], run.about
    crate.datePublished = run.ended.isoformat(timespec="seconds")
    root["license"] = crate.get(f"{LICENCES}/{run.citation['license']}")
    root["citation"] = add_paper(crate, run.citation["preferred-citation"])
    root["conformsTo"] = [
        describe(crate, profile, "CreativeWork", name=name, version=profile.rsplit("/", 1)[1])
        for profile, name in PROFILES.items()
    ]


def _add_workflow(
    crate: ROCrate, run: Run, *, archive: Path, folder: Path
) -> ComputationalWorkflow:
    workflow = crate.add_workflow(
        dest_path=archive.relative_to(folder).as_posix(),
        main=True,
        lang="snakemake",
        lang_version=run.software["snakemake"],
        properties={
            **_properties(archive),
            "name": run.citation["title"],
            "description": "The code of the workflow, with the environments of its jobs",
            "version": str(run.citation["version"]),
            "keywords": ", ".join(run.citation["keywords"]),
        },
    )
    workflow["author"] = add_authors(crate, run.citation["authors"], of="workflow")
    name = run.citation["license"]
    about = "For the workflow and its results; texts and models keep their own licences."
    workflow["license"] = describe(
        crate, f"{LICENCES}/{name}", "CreativeWork", name=name, description=about
    )
    workflow["conformsTo"] = {"@id": BIOSCHEMAS}
    workflow["softwareRequirements"] = [
        describe(
            crate, url, "SoftwareApplication", name=name, softwareVersion=version, url={"@id": url}
        )
        for name, version in run.software.items()
        for url in [f"{PACKAGES}/{name}"]
    ]
    return workflow


def _add_file(crate: ROCrate, path: Path, *, folder: Path, titles: Mapping[str, str]) -> File:
    return crate.add_file(
        dest_path=path.relative_to(folder).as_posix(),
        properties={"name": titles[path.stem], **_properties(path)},
    )


def _properties(path: Path) -> dict[str, str]:
    return {
        "encodingFormat": FORMATS[path.suffix],
        "contentSize": str(path.stat().st_size),
        "sha256": sha256_of(path),
    }


PARTS = ("envs", "workflow")
"""The folders of the workflow: its code, and the environments of its jobs."""


def pinned_software(environments: Sequence[str]) -> dict[str, str]:
    """Return the version of each package in these conda environment files, by name, sorted.

    The version of Python is that of the running interpreter.
    """
    lines = [
        line
        for path in environments
        for line in yaml.safe_load(Path(path).read_text(encoding="utf-8"))["dependencies"]
    ]
    pins = {name: version for name, version in (line.split(" =") for line in lines)}
    return dict(sorted({**pins, "python": platform.python_version()}.items()))


def write_archive(home: Path, archive: Path, *, parts: Sequence[str] = PARTS) -> None:
    """Write the files in the folders `parts` of `home` to a ZIP `archive`, sorted.

    Equal files make equal bytes, even if their times differ. Compiled Python files are left out.
    """
    with ZipFile(archive, "w") as writer:
        for path in chain.from_iterable(sorted((home / part).rglob("*")) for part in sorted(parts)):
            if path.is_file() and "__pycache__" not in path.parts:
                # The earliest time that the format can represent.
                entry = ZipInfo(path.relative_to(home).as_posix(), date_time=(1980, 1, 1, 0, 0, 0))
                writer.writestr(entry, path.read_bytes(), compress_type=ZIP_DEFLATED)
