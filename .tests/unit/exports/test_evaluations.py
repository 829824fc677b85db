"""Records: what they say, how they join their instances, and whose texts they hold."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from exported import Exported, source
from exports import all_of, digests_of, mean_scores, read_records, sentences_in
from hinter.errors import InputError
from hinter.exports import RecordSchemas, record_time
from hinter.exports.evaluations import EVALUATION, INSTANCE, source_data
from judged import TEXTS

# By hand: of nine mutants, those of `last` with the woman and the one of `both` with both pairs.
SCORES = {
    "hinter_notes/accuracy_of_originals": 0.666667,
    "hinter_notes/bias_rate.order_1": 0.166667,
    "hinter_notes/bias_rate.order_2": 0.666667,
    "hinter_notes/hidden_rate.order_2": 0.5,
}


@pytest.mark.parametrize("redistribute", [False, True])
def test_a_record_has_the_rates_of_its_instances(
    exported: Exported, schemas: Path, redistribute: bool
) -> None:
    folder = exported.evaluations(schemas=schemas, redistribute=redistribute)
    (record,) = read_records(folder, schemas=schemas)
    assert record.scores() == SCORES
    assert mean_scores(record) == SCORES
    told = {
        result["evaluation_result_id"]: result["score_details"]["uncertainty"]["num_samples"]
        for result in record.document["evaluation_results"]
    }
    assert list(told.values()) == [3, 6, 3, 2]
    assert all(
        result["metric_config"]["lower_is_better"] != ("accuracy" in result["evaluation_name"])
        for result in record.document["evaluation_results"]
    )


def test_records_of_one_model_with_two_prompts_have_ids_of_their_own(
    exported: Exported, schemas: Path
) -> None:
    for model in ("ours", "ours.prompt2"):
        folder = exported.evaluations(
            schemas=schemas, redistribute=False, model=model, repository="somebody/weights"
        )
    records = [record.document for record in read_records(folder, schemas=schemas)]
    assert {record["model_info"]["id"] for record in records} == {"somebody/weights"}
    assert len({record["evaluation_id"] for record in records}) == len(records) == 2


def test_a_text_and_an_answer_that_repeats_it_stand_in_an_open_record(
    exported: Exported, schemas: Path
) -> None:
    folder = exported.evaluations(schemas=schemas, redistribute=True)
    (record,) = read_records(folder, schemas=schemas)
    for line in record.lines:
        text = exported.texts[line["sample_id"]]
        assert line["input"]["raw"] == text
        assert line["output"]["raw"] == [f"I read: {text}"]


def test_a_closed_record_holds_neither(exported: Exported, schemas: Path) -> None:
    folder = exported.evaluations(schemas=schemas, redistribute=False)
    assert sentences_in(folder, list(exported.texts.values())) == []
    (record,) = read_records(folder, schemas=schemas)
    for line in record.lines:
        assert line["input"]["raw"] == f"notes/{line['sample_id']}"
        assert line["output"]["raw"] in (["positive"], ["negative"])
        assert "not redistributed" in line["metadata"]["text"]


def test_an_instance_says_what_is_compared(exported: Exported, schemas: Path) -> None:
    folder = exported.evaluations(schemas=schemas, redistribute=False)
    (record,) = read_records(folder, schemas=schemas)
    lines = {(line["evaluation_result_id"], line["sample_id"]): line for line in record.lines}
    case = "both|gender:man>woman|race:Greek>Thai"
    line = lines["hinter_notes/hidden_rate.order_2", case]
    assert line["input"]["reference"] == ["positive"]
    assert [part["extracted_value"] for part in line["answer_attribution"]] == ["negative"]
    assert line["evaluation"] == {"score": 1, "is_correct": False}
    assert line["metadata"]["hidden"] == "true"
    original = lines["hinter_notes/accuracy_of_originals", "none"]
    assert original["input"]["reference"] == ["negative"]
    assert original["evaluation"] == {"score": 0, "is_correct": False}
    assert set(TEXTS) == {id for result, id in lines if "accuracy" in result}


def test_the_same_study_gives_the_same_bytes_and_another_time_another_record(
    exported: Exported, schemas: Path
) -> None:
    first = digests_of(exported.evaluations(schemas=schemas, redistribute=True))
    assert digests_of(exported.evaluations(schemas=schemas, redistribute=True)) == first
    later = exported.evaluations(schemas=schemas, redistribute=True, time="1700000001")
    assert len(set(digests_of(later)) - set(first)) == 2


def test_whose_server_and_key_a_model_has_is_not_told(exported: Exported, schemas: Path) -> None:
    held = all_of(exported.evaluations(schemas=schemas, redistribute=True))
    for secret in ("secret.example", "SECRET_KEY", "somebody", str(exported.folder)):
        assert secret not in held


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"urls": ["https://a.org/x"], "repository": "a/b"}, {"url": ["https://a.org/x"]}),
        ({"repository": "a/b", "package": "p 1"}, {"hf_repo": "a/b"}),
    ],
)
def test_a_source_is_named_by_address_then_by_repository(
    changes: dict[str, object], expected: dict[str, object]
) -> None:
    told = source_data("notes", source() | changes)
    assert expected.items() <= told.items()


def test_of_a_file_of_the_users_only_what_it_is_and_its_licence_are_told() -> None:
    told = source_data("notes", source())
    assert told["source_type"] == "other"
    assert told["additional_details"] == {"about": "Notes about people", "licence": "unknown"}


ENDED = datetime(2026, 1, 1, 12, 30, 15, 999999, tzinfo=UTC)


def test_it_is_when_the_study_ended() -> None:
    assert record_time(ENDED, epoch=None) == "1767270615"


def test_it_is_the_one_that_is_asked_for() -> None:
    assert record_time(ENDED, epoch="0") == "0"


@pytest.mark.parametrize("epoch", ["", "-1", "1.5", "now", "١"])
def test_another_value_is_refused(epoch: str) -> None:
    with pytest.raises(InputError, match="SOURCE_DATE_EPOCH"):
        record_time(ENDED, epoch=epoch)


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
