"""Where cases come from: the model, the prompt, and the rules that made them with their logs."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..responses import read_source
from ..tables import Results

STEPS = {
    "gather_mutants": ("mutants/{dataset}.parquet", "gather_mutants/{dataset}.log"),
    "select_suite": ("suites/{dataset}.parquet", "select_suite/{dataset}.log"),
    "predict_suite": (
        "predictions/{model}/{dataset}.parquet",
        "predict_suite/{model}/{dataset}/{shard}-of-{shards}.log",
    ),
    # In place of it where the answers come from elsewhere.
    "read_answers": ("predictions/{model}/{dataset}.parquet", "read_answers/{model}/{dataset}.log"),
    "judge_mutants": ("verdicts/{model}/{dataset}.parquet", "judge_mutants/{model}/{dataset}.log"),
}
"""The rules behind a case, each with what it makes in results/ and its log in results/logs/."""
PROMPTED = {
    "probes": {
        "build_probe": ("probes/{dataset}.parquet", "build_probe/{dataset}.log"),
        **{name: STEPS[name] for name in ("predict_suite", "read_answers", "judge_mutants")},
        "find_hits": ("hits/{model}/{dataset}.parquet", "find_hits/{model}/{dataset}.log"),
    },
    "relations": {
        "rewrite_prompts": ("relations/follow_ups.parquet", "rewrite_prompts.log"),
        **{name: STEPS[name] for name in ("predict_suite", "read_answers")},
        "rate_answers": (
            "predictions/{model}/{metric}.parquet",
            "rate_answers/predictions/{model}/{metric}.log",
        ),
        "judge_mutants": (
            "verdicts/{model}/{metric}.parquet",
            "judge_mutants/{model}/{metric}.log",
        ),
    },
}
"""Those behind a case of a probe, and of relations."""


def read_provenance(
    predictions: Results,
    *,
    shards: Mapping[str, int],
    prompts: Mapping[str, str],
    metrics: Sequence[str] = (),
) -> dict[str, Any]:
    """Return, as JSON values, where the cases of each model and dataset come from.

    `shards` are the number of jobs of each model, and `prompts` the files of those who are asked in
    words, by `model/dataset`. A text that several runs share is told once. `metrics` are what the
    answers to rewritten prompts are rated by.
    """
    files = sorted({*prompts.values()})
    return {
        "steps": {
            kind: [
                [rule, f"results/{made}", f"results/logs/{log}"]
                for rule, (made, log) in steps.items()
            ]
            for kind, steps in {"mutants": STEPS, **PROMPTED}.items()
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
        # The same study elsewhere has the same page, so its folder is not told.
        "prompts": [[Path(file).name, Path(file).read_text(encoding="utf-8")] for file in files],
    }


def _run(path: Path, *, shards: int) -> dict[str, Any]:
    source = read_source(path)
    if source is None:
        return {"skipped": "predict_suite", "shards": shards}
    return {**source._asdict(), "skipped": "read_answers", "shards": shards}
