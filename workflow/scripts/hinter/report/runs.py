"""How a study was run: the origin of its cases, the times of jobs, and requests to endpoints."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import Any

import pandas as pd

from ..responses import ResponseStore, read_source
from ..tables import Results
from ..yaml_files import data_of

STEPS: Mapping[str, Mapping[str, Sequence[str]]] = data_of(__file__)["steps"]
"""The rules behind each kind of cases, with what they make in results/ and logs in results/logs/"""
UNKNOWN = ("-", "NA")
"""The value that Snakemake writes if a job was too short to measure."""
PER_MILLION = 10**6


@dataclass(frozen=True)
class Stage:
    """The measured jobs of a rule: total seconds, and the maximum memory of one, in megabytes."""

    rule: str
    jobs: int
    seconds: float
    megabytes: float | None


@dataclass(frozen=True)
class Account:
    """The answers of an endpoint about datasets or probes that are in the store.

    `unknown_tokens` is the number of answers without a number of tokens. `dollars` is None without
    prices.
    """

    model: str
    datasets: str
    answers: int
    unknown_tokens: int
    input_tokens: int
    output_tokens: int
    dollars: float | None


@dataclass(frozen=True)
class Cost:
    """The rules whose jobs were measured, the longest first, and the requests to endpoints."""

    stages: Sequence[Stage]
    accounts: Sequence[Account]

    @property
    def jobs(self) -> int:
        """Return the number of measured jobs."""
        return sum(stage.jobs for stage in self.stages)

    @property
    def seconds(self) -> float:
        """Return the total seconds of the jobs."""
        return sum(stage.seconds for stage in self.stages)

    @property
    def dollars(self) -> float | None:
        """Return the dollars of all answers that have a price, or None if none has."""
        known = [each.dollars for each in self.accounts if each.dollars is not None]
        return sum(known) if known else None


def read_stages(benchmarks: Path) -> list[Stage]:
    """Return Snakemake's measurements of the jobs whose files are in `{benchmarks}/{rule}`."""
    files = sorted(benchmarks.rglob("*.tsv"))
    if not files:
        return []
    measured = pd.concat(
        pd.read_csv(file, sep="\t", na_values=list(UNKNOWN)).assign(
            rule=file.relative_to(benchmarks).with_suffix("").parts[0]
        )
        for file in files
    )
    rows = measured.groupby("rule").agg({"s": ["size", "sum"], "max_rss": "max"})
    stages = [
        Stage(rule=str(rule), jobs=jobs, seconds=seconds, megabytes=None if isnan(most) else most)
        for rule, jobs, seconds, most in rows.itertuples()
    ]
    return sorted(stages, key=lambda stage: -stage.seconds)


def read_accounts(
    asked: Iterable[tuple[str, str, Path]],
    *,
    store: Path,
    prices: Mapping[str, Mapping[str, float]],
) -> list[Account]:
    """Return the accounts of endpoints, given model, dataset and results file of each run.

    The answers are those in the `store` of responses, even if another study has asked for them.
    `prices` are in dollars per million tokens, by model.
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
) -> Account:
    tokens = [json.loads(response)["tokens"] for response in responses]
    known = [counts for counts in tokens if None not in counts]
    asked, said = map(sum, zip(*known, strict=True)) if known else (0, 0)
    return Account(
        model=model,
        datasets=datasets,
        answers=len(tokens),
        unknown_tokens=len(tokens) - len(known),
        input_tokens=asked,
        output_tokens=said,
        dollars=(asked * prices["input"] + said * prices["output"]) / PER_MILLION
        if prices
        else None,
    )


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
