"""Where cases come from."""

import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hinter.predictions import PREDICTIONS_SCHEMA
from hinter.report.provenance import STEPS, read_provenance
from hinter.responses import source_metadata

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
