"""What the page says of where cases come from, and of what the study took."""

import json
import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hinter.predictions import PREDICTIONS_SCHEMA
from hinter.report.runs import STEPS, duration, read_accounts, read_provenance, read_stages
from hinter.responses import ResponseStore, source_metadata

HEADER = "s\th:m:s\tmax_rss\tcpu_time\n"


def _measured(folder: Path, name: str, row: str) -> None:
    place = folder / f"{name}.tsv"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(HEADER + row + "\n", encoding="utf-8")


def test_jobs_are_added_up_by_rule_and_the_longest_comes_first(tmp_path: Path) -> None:
    _measured(tmp_path, "short", "1.5\t0:00:01\t-\tNA")
    _measured(tmp_path, "predict/m/d/1-of-2", "10\t0:00:10\t500.5\t9")
    _measured(tmp_path, "predict/m/d/2-of-2", "20\t0:00:20\t400\t9")
    assert read_stages(tmp_path) == [
        {"rule": "predict", "jobs": 2, "seconds": 30, "megabytes": 500.5},
        {"rule": "short", "jobs": 1, "seconds": 1.5, "megabytes": None},
    ]


def test_where_nothing_was_measured_no_time_is_told(tmp_path: Path) -> None:
    assert read_stages(tmp_path / "none") == []


def _results(folder: Path, dataset: str, fingerprint: str) -> Path:
    schema = PREDICTIONS_SCHEMA.with_metadata(source_metadata(fingerprint))
    path = folder / f"{dataset}.parquet"
    pq.write_table(schema.empty_table(), path)
    return path


def test_kept_answers_are_counted_once_and_priced(tmp_path: Path) -> None:
    first = ResponseStore(tmp_path, fingerprint="a" * 32)
    told = {"x": [1_000_000, 10], "y": [500_000, 0], "z": [None, None]}
    first.add({key: json.dumps({"tokens": tokens}) for key, tokens in told.items()})
    ResponseStore(tmp_path, fingerprint="b" * 32).add({"x": json.dumps({"tokens": [5, 6]})})
    names = {"one": "a" * 32, "two": "a" * 32, "three": "b" * 32, "unasked": "c" * 32}
    asked = [("m", name, _results(tmp_path, name, of)) for name, of in names.items()]
    prices = {"m": {"input": 2.0, "output": 1000.0}}
    accounts = read_accounts(asked, store=tmp_path, prices=prices)
    assert [tuple(account.values()) for account in accounts] == [
        ("m", "one, two", 3, 1, 1_500_000, 10, 3.01),
        ("m", "three", 1, 0, 5, 6, pytest.approx(0.00601)),
    ]
    assert not (tmp_path / f"{'c' * 32}.sqlite").exists()
    (free, _) = read_accounts(asked, store=tmp_path, prices={})
    assert free["dollars"] is None


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0.2, "0 s"), (59.4, "59 s"), (59.6, "1 min 0 s"), (192, "3 min 12 s"), (7525, "2 h 5 min")],
)
def test_times_are_told_in_two_units_at_most(seconds: float, told: str) -> None:
    assert duration(seconds) == told


RULES = Path(__file__).resolve().parents[3] / "workflow" / "rules"


# Rules call a metric by a name of their own, and rate repeats of answers, too.
OF_METRICS = {
    "rate_answers": {"predictions/": "{answers}/"},
    "judge_mutants": {"{metric}": "{dataset}"},
}


@pytest.mark.parametrize(
    ("rule", "files"), [each for steps in STEPS.values() for each in steps.items()]
)
def test_rules_write_the_results_and_logs_that_are_named(rule: str, files: tuple[str, str]) -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in RULES.glob("*.smk"))
    made, log = files
    for here, there in OF_METRICS.get(rule, {}).items():
        made, log = made.replace(here, there), log.replace(here, there)
    (body,) = re.findall(rf"^ *rule {rule}:\n(.*?)(?=^ *rule |\Z)", text, flags=re.M | re.S)
    assert f'"<results>/logs/{log}"' in body
    assert f'"<results>/{made}"' in text


def test_a_run_names_its_model_and_its_prompt_and_a_prompt_is_told_once(tmp_path: Path) -> None:
    schema = PREDICTIONS_SCHEMA.with_metadata(source_metadata("f"))
    pq.write_table(schema.empty_table(), tmp_path / "told.parquet")
    pq.write_table(PREDICTIONS_SCHEMA.empty_table(), tmp_path / "untold.parquet")
    (tmp_path / "prompt.yaml").write_text("question: x", encoding="utf-8")
    prompt = str(tmp_path / "prompt.yaml")
    told = read_provenance(
        [("m", "d", tmp_path / "told.parquet"), ("n", "d", tmp_path / "untold.parquet")],
        shards={"m": 2, "n": 1},
        prompts={"m/d": prompt},
    )
    assert told["runs"]["m/d"]["fingerprint"] == "f"
    assert (told["runs"]["m/d"]["shards"], told["runs"]["m/d"]["prompt"]) == (2, 0)
    assert told["runs"]["m/d"]["skipped"] == "read_answers"
    assert told["runs"]["n/d"] == {"skipped": "predict_suite", "shards": 1, "prompt": None}
    assert told["prompts"] == [["prompt.yaml", "question: x"]]
