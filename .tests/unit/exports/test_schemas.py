"""Records that are not as the schemas say, which are refused before they are written."""

import json
from pathlib import Path
from typing import Any

import pytest
from exported import Exported
from exports import read_records
from hinter.errors import InputError
from hinter.exports import RecordSchemas
from hinter.exports.schemas import EVALUATION, INSTANCE


@pytest.fixture
def sound(exported: Exported, schemas: Path) -> dict[str, Any]:
    folder = exported.evaluations(schemas=schemas, redistribute=False)
    (record,) = read_records(folder, schemas=schemas)
    return {"record": record.document, "line": record.lines[0]}


def test_the_version_is_that_of_both_schemas(schemas: Path) -> None:
    told = json.loads((schemas / "instance_level_eval.schema.json").read_text(encoding="utf-8"))
    assert RecordSchemas(schemas).version == told["version"]


@pytest.mark.parametrize("key", ["model_info", "evaluation_results", "retrieved_timestamp"])
def test_a_record_without_a_key_is_refused(sound: dict[str, Any], schemas: Path, key: str) -> None:
    checked = RecordSchemas(schemas)
    checked.check(sound["record"], EVALUATION)
    del sound["record"][key]
    with pytest.raises(InputError, match=f"'{key}' is a required property"):
        checked.check(sound["record"], EVALUATION)


def test_a_record_with_another_type_or_an_unknown_key_is_refused(
    sound: dict[str, Any], schemas: Path
) -> None:
    checked, details = RecordSchemas(schemas), sound["record"]["evaluation_results"][0]
    details["score_details"]["score"] = "high"
    with pytest.raises(InputError, match=r"key 'evaluation_results\.0\.score_details\.score'"):
        checked.check(sound["record"], EVALUATION)
    with pytest.raises(InputError, match="'mine' was unexpected"):
        checked.check(sound["line"] | {"mine": 1}, INSTANCE)
    checked.check(sound["line"], INSTANCE)
