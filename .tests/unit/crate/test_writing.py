"""The crate of a run: valid by its profile, true to the files, and silent about the machine."""

import hashlib
import json
import os
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from crates import faults_of
from hinter.crate import Run, pinned_software, write_archive, write_crate
from hinter.locations import HOME
from hinter.resources import read_registry
from hinter.yaml_files import read_yaml

MADE = ["results/tables/accuracy.csv", "results/tables/accuracy.tex", "report.html"]
# What a run does not know: who ran it, where its code is published, where authors worked.
UNKNOWN = ("agent", "affiliation", "url", "URL", "author", "publisher")
# What the validator says of every crate.
NO_FAULTS = ("README.md", "id SHOULD be an absolute URI")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("secret") / "study"
    for file in [*MADE, "results/config.json"]:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(f"what stands in {file}")
    own = folder.parent / "notes <of> mine.csv"
    own.write_text("text\na note\n")
    write_archive(HOME, folder / "results" / "workflow.zip", parts=["envs"])
    run = Run(
        about='Hidden bias of "ours" on <notes>',
        began=datetime(2026, 1, 1, 12, tzinfo=UTC),
        ended=datetime(2026, 1, 1, 13, tzinfo=UTC),
        citation=read_yaml(HOME / "CITATION.cff"),
        software=pinned_software([str(HOME / "envs" / "models.yaml")]) | {"snakemake": "9"},
        resources={
            name: read_registry(HOME / "data" / "registry.yaml")[name]
            for name in ("imdb_reviews", "languagetool")
        },
        named=[
            {"kind": "dataset", "name": "imdb", "about": "Reviews", "resource": "imdb_reviews"},
            {"kind": "dataset", "name": "notes", "about": "Notes", "file": str(own)},
            {"kind": "model", "name": "ours", "about": "A model behind an endpoint"},
        ],
        titles={"accuracy": "Accuracy", "report": "What was found", "config": "Configuration"},
    )
    write_crate(
        folder / "ro-crate-metadata.json",
        run,
        archive=folder / "results" / "workflow.zip",
        settings=folder / "results" / "config.json",
        made=[str(folder / file) for file in MADE],
    )
    return folder


@pytest.fixture
def entities(folder: Path) -> dict[str, dict[str, Any]]:
    told = json.loads((folder / "ro-crate-metadata.json").read_text(encoding="utf-8"))
    return {entity["@id"]: entity for entity in told["@graph"]}


@pytest.mark.release
def test_it_is_a_valid_workflow_run_crate(folder: Path, tmp_path: Path) -> None:
    faults = faults_of(folder, cache=tmp_path / "cache")
    assert faults["REQUIRED"] == set()
    assert [
        fault
        for fault in faults["RECOMMENDED"]
        if not any(words in fault for words in (*UNKNOWN, *NO_FAULTS))
    ] == []


@pytest.mark.release
def test_a_crate_without_its_run_or_a_file_is_not_valid(folder: Path, tmp_path: Path) -> None:
    path, away = folder / "ro-crate-metadata.json", folder / "results" / "config.json"
    text = path.read_text(encoding="utf-8")
    content = away.read_text(encoding="utf-8")
    try:
        path.write_text(text.replace('"CreateAction"', '"Thing"'), encoding="utf-8")
        assert faults_of(folder, cache=tmp_path / "cache")["REQUIRED"]
        path.write_text(text, encoding="utf-8")
        away.unlink()
        (missing,) = faults_of(folder, cache=tmp_path / "cache")["REQUIRED"]
        assert "results/config.json" in missing
    finally:
        path.write_text(text, encoding="utf-8")
        away.write_text(content, encoding="utf-8")


def test_files_have_their_digests_and_the_run_its_times(
    folder: Path, entities: dict[str, dict[str, Any]]
) -> None:
    run = entities["#run"]
    assert (run["startTime"], run["endTime"]) == (
        "2026-01-01T12:00:00+00:00",
        "2026-01-01T13:00:00+00:00",
    )
    assert [part["@id"] for part in run["result"]] == MADE
    for file in [*MADE, "results/config.json", "results/workflow.zip"]:
        content = (folder / file).read_bytes()
        assert entities[file]["sha256"] == hashlib.sha256(content).hexdigest()
        assert entities[file]["contentSize"] == str(len(content))


def test_inputs_are_told_by_digest_and_not_by_their_place(
    folder: Path, entities: dict[str, dict[str, Any]]
) -> None:
    registered = read_registry(HOME / "data" / "registry.yaml")["imdb_reviews"]["files"]
    for file, (digest,) in registered.items():
        assert entities[f"#resource/imdb_reviews/{file}"]["sha256"] == digest
    assert len(entities["#resource/languagetool"]["hasPart"]) > 50
    own = entities["#dataset/notes"]
    assert own["alternateName"] == "notes <of> mine.csv"
    assert own["sha256"] == hashlib.sha256(b"text\na note\n").hexdigest()
    text = (folder / "ro-crate-metadata.json").read_text(encoding="utf-8")
    assert str(folder.parent) not in text


def test_the_software_has_the_versions_of_its_environments(
    entities: dict[str, dict[str, Any]],
) -> None:
    pins = read_yaml(HOME / "envs" / "models.yaml")["dependencies"]
    (torch,) = [line.split(" =")[1] for line in pins if line.startswith("pytorch-gpu")]
    assert entities["https://anaconda.org/conda-forge/pytorch-gpu"]["softwareVersion"] == torch


def test_the_version_and_authors_are_those_of_the_project(
    entities: dict[str, dict[str, Any]],
) -> None:
    project = tomllib.loads((HOME / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert entities["results/workflow.zip"]["version"] == project["version"]
    author = entities["results/workflow.zip"]["author"]["@id"]
    assert entities[author]["name"] == "The Hinter developers"
    assert entities["#paper-author-1"]["familyName"] == "Souani"
    assert entities["./"]["license"] == {"@id": f"https://spdx.org/licenses/{project['license']}"}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for name in ("workflow/Snakefile", "workflow/scripts/a.py", "envs/b.yaml", "results/c.csv"):
        (tmp_path / "home" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "home" / name).write_text(name)
    compiled = tmp_path / "home" / "workflow" / "scripts" / "__pycache__"
    compiled.mkdir()
    (compiled / "a.pyc").write_bytes(b"compiled")
    return tmp_path / "home"


def test_it_holds_the_code_and_the_environments_only(home: Path, tmp_path: Path) -> None:
    write_archive(home, tmp_path / "a.zip")
    with ZipFile(tmp_path / "a.zip") as archive:
        assert archive.namelist() == ["envs/b.yaml", "workflow/Snakefile", "workflow/scripts/a.py"]
        assert archive.read("workflow/scripts/a.py") == b"workflow/scripts/a.py"


def test_it_has_the_same_bytes_whenever_it_is_made(home: Path, tmp_path: Path) -> None:
    write_archive(home, tmp_path / "a.zip")
    os.utime(home / "envs" / "b.yaml", (0, 1_000_000_000))
    write_archive(home, tmp_path / "b.zip")
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
