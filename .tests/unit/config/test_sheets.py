"""The schemas by which editors check sheets are those of the models, and decide like them."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from hinter.config import check_sheet, schema_of, schema_path
from hinter.errors import InputError
from jsonschema import Draft202012Validator
from write_schemas import SHEETS, schema_text

ROOT = Path(__file__).resolve().parents[3]
MODELS = {Path(schema_path(model)).name.partition(".")[0]: model for model in SHEETS}
PATHS = {
    **{sheet: f"config/{sheet}.yaml" for sheet in MODELS},
    "probe": "config/probes/professional.yaml",
    "prompt": "config/prompts/imdb.yaml",
    "judge": "config/prompts/judge.yaml",
    "descriptor": "config/descriptors/race.yaml",
    "dictionary": "config/dictionary/race.yaml",
    "registry": "data/registry.yaml",
    "relations": "config/relations/prompts.yaml",
}
HTTPS = {"kind": "https", "url": "https://example.org/a.txt"}
RESOURCE = {"about": "a", "version": "1", "licence": "MIT", "megabytes": 1, "sources": [HTTPS]}
DATASET = {"about": "texts", "file": "a.csv", "text": "text", "splits": {"tested": 5}}
REFUSED: list[tuple[str, dict[str, Any]]] = [
    ("config", {"seed": "7"}),
    ("config", {"seed": 2**31}),
    ("config", {"sede": 1}),
    ("config", {"orders": [1, 1]}),
    ("config", {"attributes": ["Race"]}),
    ("config", {"store": "{dataset}"}),
    ("config", {"grammar": {"margin": 0}}),
    ("datasets", {"a.b": DATASET}),
    ("datasets", {"mine": DATASET | {"splits": {"held_out": 5}}}),
    ("datasets", {"mine": DATASET | {"splits": {"tested": "test"}}}),
    ("datasets", {"mine": DATASET | {"label_names": {"1": True}}}),
    ("datasets", {"mine": DATASET | {"redistribute": True}}),
    ("datasets", {"mine": DATASET | {"resource": "imdb_reviews", "licence": "MIT"}}),
    ("models", {"mine": {"about": "ours", "kind": "seq2seq"}}),
    ("models", {"mine": {"about": "ours", "kind": "encoder", "gguf": "a.gguf"}}),
    ("models", {"mine": {"about": "ours", "kind": "causal", "answer_prefix": "Answer: "}}),
    ("prices", {"m": {"input": -1, "output": 1, "of": "somebody"}}),
    ("prompt", {"examples": {"0123456789ABCDEF": []}}),
    ("judge", {"examples": {}}),
    ("judge", {"refused": ""}),
    ("config", {"judge": {"prompt": "mine.yaml"}}),
    ("dictionary", {"pairs": []}),
    ("relations", {"attributes": {}}),
    ("relations", {"attributes": {"Age": {"clause": "is {name}", "values": {}}}}),
    ("registry", {"sample": RESOURCE}),
    ("registry", {"sample": RESOURCE | {"lock": "a", "files": {"a": None}}}),
]


def _read(path: str) -> Any:
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


def test_every_schema_file_is_one_of_a_model() -> None:
    files = {path.name for path in (ROOT / "config" / "schemas").glob("*.yaml")}
    assert {Path(schema_path(model)).name for model in SHEETS} == files


@pytest.mark.parametrize("model", SHEETS)
def test_a_schema_file_is_that_of_its_model(model: type) -> None:
    path = ROOT / schema_path(model)
    assert path.read_text(encoding="utf-8") == schema_text(model), "run `make docs`"


# Only users have sheets of groups of their own.
@pytest.mark.parametrize("sheet", [sheet for sheet in MODELS if sheet != "groups"])
def test_the_sheets_of_the_study_fit_their_schemas_and_name_them(sheet: str) -> None:
    model, path = MODELS[sheet], PATHS[sheet]
    schema = dict(schema_of(model))
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(_read(path))
    first, _, _ = (ROOT / path).read_text(encoding="utf-8").partition("\n")
    named = (ROOT / path).parent / first.removeprefix("# yaml-language-server: $schema=")
    assert named.resolve() == ROOT / schema_path(model)


@pytest.mark.parametrize(("sheet", "change"), REFUSED, ids=str)
def test_a_schema_refuses_what_its_model_refuses(sheet: str, change: dict[str, Any]) -> None:
    model, path = MODELS[sheet], PATHS[sheet]
    spoilt = {**_read(path), **change}
    assert not Draft202012Validator(dict(schema_of(model))).is_valid(spoilt)
    with pytest.raises(InputError):
        check_sheet(spoilt, model, where="sheet")
