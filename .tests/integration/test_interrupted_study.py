"""A study that is interrupted while models answer or grammar is scored goes on from its store."""

import os
import re
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest
from runs import copy_finished, edit_sheet, kept_responses, snakemake, start

COUNTED = re.compile(r"(\d+) (?:asked|of their units checked), (\d+) known")


class Stage(NamedTuple):
    """A stage of a study: its final file, its logs, its store, and how it gets more shards."""

    made: str
    logs: str
    store: str
    divide: Callable[[Path], None]


def _divide_grammar(folder: Path) -> None:
    edit_sheet(folder / "small" / "config.yaml", lambda it: it["grammar"].update(shards=2))


def _divide_model(folder: Path) -> None:
    edit_sheet(folder / "small" / "models.yaml", lambda it: it["smollm2"].update(shards=2))


STAGES = {
    "grammar": Stage("grammar/imdb.parquet", "score_grammar", "grammar", _divide_grammar),
    "model": Stage(
        "predictions/smollm2/imdb.parquet", "predict_suite/smollm2", "responses", _divide_model
    ),
}


pytestmark = pytest.mark.release


@pytest.fixture(params=["model", "grammar"])
def stage(request: pytest.FixtureRequest) -> Stage:
    return STAGES[request.param]


@pytest.fixture
def before(study: Path, stage: Stage, tmp_path: Path) -> Path:
    """Return a copy of the study as it was before the stage, with an empty store."""
    folder = copy_finished(study, tmp_path / "study", "store", "logs")
    (folder / "results" / stage.made).unlink()
    return folder


def _kept(folder: Path, stage: Stage) -> dict[str, str]:
    """Return what the store of a stage holds."""
    return kept_responses(folder / "store" / stage.store)


def _run_and_interrupt(folder: Path, stage: Stage) -> str:
    """Interrupt Snakemake and its jobs once the store holds anything, and return the output."""
    target = f"results/{stage.made}"
    with start(folder, "--cores", "1", target, start_new_session=True) as process:
        try:
            while not _kept(folder, stage):
                assert process.poll() is None
                time.sleep(0.05)
        finally:
            # Where it has ended by itself, there is none.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGINT)
        printed, _ = process.communicate()
    return printed


def test_an_interrupted_run_says_so_in_a_line_and_goes_on_in_another_number_of_shards(
    study: Path, before: Path, stage: Stage, forks: dict[str, str]
) -> None:
    printed = _run_and_interrupt(before, stage)
    kept, made = _kept(before, stage), before / "results" / stage.made
    assert not made.exists()
    _, stopped, after = printed.partition("Terminating processes on user request")
    assert stopped
    assert after.count("interrupted; run again to continue") == 1
    assert len(after.splitlines()) < 10
    assert "Traceback" not in printed
    stage.divide(before)
    snakemake(before, "--cores", "1", f"results/{stage.made}", environment=forks)
    logs = [path.read_text() for path in (before / "results/logs" / stage.logs).rglob("*.log")]
    counted = [found.groups() for found in map(COUNTED.search, logs) if found]
    asked, known = (sum(map(int, numbers)) for numbers in zip(*counted, strict=True))
    assert len(counted) == 2
    assert asked == len(_kept(before, stage)) - len(kept)
    assert known >= len(kept)
    assert made.read_bytes() == (study / "results" / stage.made).read_bytes()
    assert kept.items() < _kept(before, stage).items() <= _kept(study, stage).items()
