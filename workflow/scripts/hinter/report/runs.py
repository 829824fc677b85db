"""How a study was run: the origin of its cases, the times of jobs, and requests to endpoints."""

import json
from collections.abc import Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from ..responses import ResponseStore, read_source
from ..tables import Results
from ..yaml_files import data_of

STEPS: Mapping[str, Mapping[str, Sequence[str]]] = data_of(__file__)["steps"]
"""The rules behind each kind of cases, with what they make in results/ and logs in results/logs/"""
PER_MILLION = 10**6


def read_stages(benchmarks: Path) -> list[dict[Hashable, Any]]:
    """Return a row per rule whose jobs Snakemake measured, the longest first.

    The measurements are in the files of `{benchmarks}/{rule}`. A row has the `rule`, its `jobs`,
    their total `seconds`, and the `megabytes` of the one with the most memory, None if unknown.
    """
    measured = [
        # Snakemake writes a dash if a job was too short to measure.
        pd.read_csv(file, sep="\t", na_values=["-"]).assign(
            rule=file.relative_to(benchmarks).with_suffix("").parts[0]
        )
        for file in sorted(benchmarks.rglob("*.tsv"))
    ]
    if not measured:
        return []
    rows = pd.concat(measured).groupby("rule", as_index=False)
    stages = rows.agg(jobs=("s", "size"), seconds=("s", "sum"), megabytes=("max_rss", "max"))
    stages = stages.sort_values("seconds", ascending=False, kind="stable").astype(object)
    return stages.where(stages.notna(), None).to_dict("records")


def read_accounts(
    asked: Iterable[tuple[str, str, Path]],
    *,
    store: Path,
    prices: Mapping[str, Mapping[str, float]],
) -> list[dict[str, Any]]:
    """Return the accounts of endpoints, given model, dataset and results file of each run.

    The answers are those in the `store` of responses, even if another study has asked for them.
    `prices` are in dollars per million tokens, by model. An account counts the `answers` of a
    `model` about `datasets` or probes, their `input_tokens` and `output_tokens`, and the answers
    with `unknown_tokens`. Its `dollars` are None without prices.
    """
    # Datasets with the same prompt share their answers.
    sharing: dict[tuple[str, str], dict[str, None]] = {}
    for model, dataset, path in asked:
        source = read_source(path)
        if source and (store / f"{source.fingerprint}.sqlite").is_file():
            sharing.setdefault((model, source.fingerprint), {})[dataset] = None
    return [
        _account(
            model,
            ", ".join(datasets),
            ResponseStore(store, fingerprint=fingerprint).responses(),
            prices=prices.get(model),
        )
        for (model, fingerprint), datasets in sharing.items()
    ]


def duration(seconds: float) -> str:
    """Return a time in words: 41 s, 3 min 12 s, 2 h 5 min."""
    whole = round(seconds)
    minutes, rest = divmod(whole, 60)
    hours, minutes_over = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes_over} min"
    return f"{minutes} min {rest} s" if minutes else f"{whole} s"


def _account(
    model: str, datasets: str, responses: Iterable[str], *, prices: Mapping[str, float] | None
) -> dict[str, Any]:
    tokens = [json.loads(response)["tokens"] for response in responses]
    known = [counts for counts in tokens if None not in counts]
    asked, said = map(sum, zip(*known, strict=True)) if known else (0, 0)
    return {
        "model": model,
        "datasets": datasets,
        "answers": len(tokens),
        "unknown_tokens": len(tokens) - len(known),
        "input_tokens": asked,
        "output_tokens": said,
        "dollars": prices and (asked * prices["input"] + said * prices["output"]) / PER_MILLION,
    }


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
