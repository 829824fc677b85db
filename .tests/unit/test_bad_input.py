"""Bad input is refused with one line: where it stands, what was found, what to do instead."""

import os
import subprocess
import sys
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import predict_suite
import pytest
import yaml
from bad_inputs import CASES, Line
from bad_inputs.case import (
    CONFIG,
    ENDPOINT,
    ROOT,
    SETTINGS,
    study,
    with_compared,
    with_dataset,
    with_model,
    write,
)
from hinter.compared import compared_files
from hinter.config import Config, read_sheet
from hinter.config.kinds.encoder import Encoder
from hinter.errors import InputError
from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

RUNS = [(model, "imdb") for model in CONFIG["models"]]
ALL = [(kind, name) for kind, cases in CASES.items() for name in cases]
LEAST = 100
"""Of so many bad inputs at least, the study promises to say what is wrong."""


def _assert_says(message: str, line: Line) -> None:
    where, _, rest = message.partition(": found ")
    found, _, rest = rest.partition("; expected ")
    expected, _, fix = rest.partition(". ")
    assert "\n" not in message
    assert "found found" not in message
    assert where.endswith(line.where)
    assert line.found in found
    assert line.expected in expected
    assert line.fix in fix


def _refusal(read: Callable[[], Any]) -> str:
    with pytest.raises(InputError) as caught:
        read()
    return str(caught.value)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with the repository's configuration and a sheet of the user's own."""
    (tmp_path / "config").symlink_to(ROOT / "config")
    (tmp_path / "data").symlink_to(ROOT / "data")
    write(tmp_path / "texts.csv", "text,label\nhello,1\nbye,0\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("kind", "name"), ALL, ids=lambda part: part[:60])
def test_what_cannot_be_used_is_refused_with_one_line(kind: str, name: str, folder: Path) -> None:
    read, line = CASES[kind][name]
    _assert_says(_refusal(lambda: read(folder)), line)


def test_the_table_is_as_long_as_is_promised() -> None:
    assert len(ALL) >= LEAST


def test_job_ends_with_the_one_line_in_its_log(tmp_path: Path) -> None:
    log = tmp_path / "job.log"
    path = write(tmp_path / "sheet.yaml", "seed: 1\nseed: 2\n")
    program = (
        "import sys, hinter.job, hinter.config\n"
        "with hinter.job.logged_to(sys.argv[1]):\n"
        "    hinter.config.read_sheet(sys.argv[2], hinter.config.Config)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, log, path],
        cwd=ROOT / "workflow" / "scripts",
        capture_output=True,
        text=True,
        check=False,
    )
    message = _refusal(lambda: read_sheet(path, Config))
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    assert log.read_text(encoding="utf-8") == f"ERROR {message}\n"


def test_a_warning_of_what_is_paid_for_is_in_the_log_and_on_the_terminal(tmp_path: Path) -> None:
    log = tmp_path / "job.log"
    program = (
        "import sys, hinter.job\n"
        "with hinter.job.logged_to(sys.argv[1]):\n"
        "    hinter.job.warn('%d of %s', 3, '100 %')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, log],
        cwd=ROOT / "workflow" / "scripts",
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == ("", "WARNING 3 of 100 %\n")
    assert log.read_text(encoding="utf-8") == done.stderr


def test_study_without_a_fault_is_accepted(folder: Path) -> None:
    assert study(with_dataset()).dataset_source("mine") == "texts.csv"
    endpoint = study({**with_model(**ENDPOINT, datasets=["imdb"]), "budget_usd": 5})
    assert endpoint.runs("endpoint") == [("mine", "imdb")]


def test_a_finished_study_is_compared_until_it_is_made_anew(folder: Path) -> None:
    config = with_compared(seed=7)
    _, *files = compared_files("studies/literal", datasets=["imdb"], runs=RUNS).values()
    paths = [Path(file) for file in chain.from_iterable(files)]
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    SETTINGS.touch()
    assert study(config).compared_files() == [str(SETTINGS), *map(str, paths)]
    time = SETTINGS.stat().st_mtime + 1
    os.utime(paths[-1], (time, time))
    line = Line("'the paper's'", f"{paths[-1]}, made after {SETTINGS}", "a finished", "Run that")
    _assert_says(_refusal(lambda: study(config)), line)


def test_encoder_with_another_number_of_labels_is_refused_before_it_is_run(
    resources: Path, tmp_path: Path
) -> None:
    folder, predictions = tmp_path / "encoder", tmp_path / "predictions.parquet"
    sizes = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1}
    names = dict(enumerate(["bad", "good", "mixed"]))
    BertForSequenceClassification(BertConfig(**sizes, id2label=names)).save_pretrained(folder)
    AutoTokenizer.from_pretrained(resources / "all_minilm_l6_v2").save_pretrained(folder)
    asking = {
        "sheet": Encoder(about="ours", kind="encoder", folder=str(folder)).model_dump(),
        "task": {"labels": ["bad", "good"], "multi_label": False},
        "seed": 1,
        "store": str(tmp_path / "store"),
    }
    message = _refusal(
        lambda: predict_suite.main(
            corpus=Path("corpus.parquet"),
            suite=Path("suite.parquet"),
            model=str(folder),
            asking=asking,
            held_out={"texts": None, "seed": 1},
            shard=1,
            shards=1,
            predictions=predictions,
        )
    )
    place = f"{folder}/config.json, key 'id2label'"
    _assert_says(
        message, Line(place, "3 labels: bad, good, mixed", "2: bad, good", "Give the dataset")
    )
    assert not predictions.exists()


# The same line reaches a user of Snakemake.


def _dry_run(folder: Path, *arguments: str, forks: dict[str, str]) -> tuple[int, list[str]]:
    """The exit status and the lines of output of a dry run in `folder`."""
    command = [forks["ASK_FORKS"], "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile")]
    done = subprocess.run(
        [*command, "--directory", str(folder), "--dry-run", *arguments],
        env={**os.environ, **forks},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout.splitlines()


def test_snakemake_accepts_a_dataset_of_the_users(folder: Path, forks: dict[str, str]) -> None:
    write(Path("study.yaml"), yaml.safe_dump(with_dataset()))
    status, output = _dry_run(folder, "--configfile", "study.yaml", forks=forks)
    assert status == 0
    assert any("results/corpora/mine.parquet" in line for line in output)


@pytest.mark.parametrize(
    ("option", "config"), [("colour=red", {"colour": "red"}), ("models=[gpt]", {"models": ["gpt"]})]
)
def test_snakemake_shows_the_line_about_the_command_line(
    option: str, config: dict[str, Any], folder: Path, forks: dict[str, str]
) -> None:
    message = _refusal(lambda: study(config))
    status, output = _dry_run(folder, "--config", option, forks=forks)
    assert status != 0
    assert output.count(message.replace(f"{ROOT}/", "")) == 1


def test_snakemake_shows_the_line_about_the_users_sheet(
    folder: Path, forks: dict[str, str]
) -> None:
    config = with_dataset(file="nowhere.csv")
    message = _refusal(lambda: study(config))
    write(Path("study.yaml"), yaml.safe_dump(config))
    status, output = _dry_run(folder, "--configfile", "study.yaml", forks=forks)
    assert status != 0
    assert output.count(message) == 1
