"""The files of a probe: what a third one needs, and that the study's rooms read them."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hinter.config import Sheet
from hinter.corpora import read_split
from hinter.errors import InputError
from hinter.oracle import judge_mutants
from hinter.predictions import PREDICTIONS_SCHEMA
from hinter.probes import (
    Answered,
    BasePrompt,
    Counterfactual,
    Finding,
    Probe,
    build_probe,
    find_hits,
)

CONTROL = Counterfactual({"mark": "!"}, "Is Ada old!", ("control",), control=True)
FLIPS = (
    Counterfactual({"name": "Bo", "age": "new"}, "Is Bo new?", ("both",)),
    Counterfactual({"name": "Bo"}, "Is Bo old?", ("name", "any")),
    Counterfactual({"age": "new"}, "Is Ada new?", ("any",)),
    CONTROL,
)
PROMPT = BasePrompt(
    "Is Ada old?", {"name": "Ada", "age": "old", "mark": "?"}, ("yes",), counterfactuals=FLIPS
)
OTHER = BasePrompt("Is Cy old?", {}, ("no",), "training")
BOTH = "age:old>new|name:Ada>Bo"


def _find(answered: Answered) -> Finding:
    return Finding(str(answered.facts["name"]), answered.biased if answered.kinds else None)


PROBE = Probe(settings=Sheet, build=lambda path, **_: ([PROMPT, OTHER], {}), find=_find)


def _build(folder: Path, *prompts: BasePrompt) -> dict[str, Path]:
    files = {name: folder / f"{name}.parquet" for name in ("corpus", "suite", "probe_rows")}
    build_probe(prompts, **files)
    return files


def test_only_tested_prompts_have_mutants_and_facts(tmp_path: Path) -> None:
    files = _build(tmp_path, PROMPT, OTHER)
    assert [text.text for text in read_split(files["corpus"], split="tested")] == ["Is Ada old?"]
    assert [text.labels for text in read_split(files["corpus"], split="training")] == [("no",)]
    suite = pq.read_table(files["suite"]).to_pylist()
    (original_id,) = {row["original_id"] for row in suite}
    assert [
        (row["mutant_id"], row["order"], row["attributes"], row["control"]) for row in suite
    ] == [
        (f"{original_id}|age:old>new", 1, "age", False),
        (f"{original_id}|mark:?>!", 1, "mark", True),
        (f"{original_id}|name:Ada>Bo", 1, "name", False),
        (f"{original_id}|{BOTH}", 2, "age+name", False),
    ]
    probe_rows = {
        row["input_id"]: dict(row["facts"])
        for row in pq.read_table(files["probe_rows"]).to_pylist()
    }
    assert probe_rows[original_id] == {"name": "Ada", "age": "old", "mark": "?"}
    assert probe_rows[f"{original_id}|{BOTH}"] == {"name": "Bo", "age": "new", "mark": "?"}


def test_equal_prompts_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="found 2 prompts of which 1 are distinct"):
        _build(tmp_path, PROMPT, PROMPT)


def test_the_oracle_judges_counterfactuals_and_the_probe_finds_hits(tmp_path: Path) -> None:
    files = _build(tmp_path, PROMPT, OTHER)
    answers = {"": "yes", "|age:old>new": "yes", "|mark:?>!": "yes", "|name:Ada>Bo": "yes"}
    (original_id,) = {row["original_id"] for row in pq.read_table(files["suite"]).to_pylist()}
    rows = [
        {
            "input_id": original_id + end,
            "outcome": [label],
            "status": "ok",
            "visible_order": end.count("|"),
        }
        for end, label in {**answers, f"|{BOTH}": "no"}.items()
    ]
    predictions, verdicts, hits = (tmp_path / f"{name}.parquet" for name in ("p", "v", "h"))
    pq.write_table(pa.Table.from_pylist(rows, PREDICTIONS_SCHEMA), predictions)
    judge_mutants(files["suite"], predictions, verdicts, outcome_statuses=[])
    probe_rows = {"probe_rows": files["probe_rows"], "corpus": files["corpus"]}
    find_hits(PROBE, **probe_rows, predictions=predictions, verdicts=verdicts, hits=hits)
    found = {
        row["input_id"].removeprefix(original_id): row for row in pq.read_table(hits).to_pylist()
    }
    assert {end: row["hit"] for end, row in found.items()} == {
        "": None,
        "|age:old>new": False,
        "|mark:?>!": False,
        "|name:Ada>Bo": False,
        f"|{BOTH}": True,
    }
    whole = found[f"|{BOTH}"]
    assert (whole["hidden"], whole["finding"], whole["labels"]) == (True, "Bo", ["yes"])
    assert whole["kinds"] == ["both"]
