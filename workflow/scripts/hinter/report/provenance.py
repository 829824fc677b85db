"""The origin of cases: the model, the prompt, and the rules that made them with their logs."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..responses import read_source
from ..tables import Results
from ..yaml_files import data_of

STEPS: Mapping[str, Mapping[str, Sequence[str]]] = data_of(__file__)["steps"]
"""The rules behind each kind of cases, with what they make in results/ and logs in results/logs/"""


def read_provenance(
    predictions: Results,
    *,
    shards: Mapping[str, int],
    prompts: Mapping[str, str],
    metrics: Sequence[str] = (),
) -> dict[str, Any]:
    """Return, as JSON values, where the cases of each model and dataset come from.

    `shards` is the number of jobs of each model, and `prompts` are the files of models with a
    prompt, by `model/dataset`. A text that several runs share is stored once. `metrics` are those
    by which the answers to rewritten prompts are rated.
    """
    files = sorted({*prompts.values()})
    return {
        "steps": {
            kind: [
                [rule, f"results/{made}", f"results/logs/{log}"]
                for rule, (made, log) in steps.items()
            ]
            for kind, steps in STEPS.items()
        },
        "metrics": [*metrics],
        "runs": {
            run: {
                **_run(path, shards=shards[model]),
                "prompt": files.index(prompts[run]) if run in prompts else None,
            }
            for model, dataset, path in predictions
            for run in [f"{model}/{dataset}"]
        },
        # The page does not name the folder of the study, so that it is the same everywhere.
        "prompts": [[Path(file).name, Path(file).read_text(encoding="utf-8")] for file in files],
    }


def _run(path: Path, *, shards: int) -> dict[str, Any]:
    source = read_source(path)
    if source is None:
        return {"skipped": "predict_suite", "shards": shards}
    return {**source._asdict(), "skipped": "read_answers", "shards": shards}
