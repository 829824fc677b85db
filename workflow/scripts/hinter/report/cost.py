"""The cost of a study: the time of its long jobs, and the requests to endpoints."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from ..responses import ResponseStore, read_source

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
    stages = [
        Stage(
            rule=str(rule),
            jobs=len(jobs),
            seconds=float(jobs["s"].sum()),
            megabytes=None if jobs["max_rss"].isna().all() else float(jobs["max_rss"].max()),
        )
        for rule, jobs in measured.groupby("rule")
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
    known_counts = [counts for counts in tokens if None not in counts]
    asked, said = (
        (sum(counts) for counts in zip(*known_counts, strict=True)) if known_counts else (0, 0)
    )
    paid = asked * prices["input"] + said * prices["output"] if prices else None
    return Account(
        model=model,
        datasets=datasets,
        answers=len(tokens),
        unknown_tokens=len(tokens) - len(known_counts),
        input_tokens=asked,
        output_tokens=said,
        dollars=None if paid is None else paid / PER_MILLION,
    )
