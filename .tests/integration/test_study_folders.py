"""Studies in folders of their own: what they share, what they leave alone, and what they remove."""

import os
import shutil
import site
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from runs import checkout, copy_finished, copy_project, digests, snakemake


def test_a_deleted_form_of_a_table_is_made_again(
    study: Path, forks: dict[str, str], tmp_path: Path
) -> None:
    form = study / "results" / "tables" / "answers.md"
    kept = form.rename(tmp_path / "answers.md")
    printed = snakemake(study, "--dry-run", environment=forks)
    kept.rename(form)
    assert "rule tabulate_" in printed
    assert "results/tables/answers.md" in printed


@pytest.fixture(scope="module")
def two(study: Path, forks: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the finished study, with a second one beside it, in the folder `one`.

    The second has the files of the first, which Snakemake has marked as made by its own jobs.
    """
    folder = copy_finished(study, tmp_path_factory.mktemp("two") / "study", "store")
    for part in ("results", "figures"):
        copy_finished(study / part, folder / "one" / part)
    for page in ("report.html", "provenance.html", "ro-crate-metadata.json"):
        shutil.copy2(study / page, folder / "one")
    one = ("--config", "folder=one")
    snakemake(folder, "--cores", "1", "--touch", "--forceall", *one, environment=forks)
    assert "Nothing to be done" in snakemake(folder, "--dry-run", *one, environment=forks)
    return folder


def test_a_finished_study_is_put_beside_another_and_taken_away_again(
    two: Path, forks: dict[str, str]
) -> None:
    compared = ["--config", "folder=one", "compared={the first: .}"]
    snakemake(two, "--cores", "1", *compared, environment=forks)
    table = pd.read_csv(two / "one" / "results" / "tables" / "methods.csv")
    first, own = (rows.drop(columns="method") for _, rows in table.groupby("method"))
    # The same study twice.
    pd.testing.assert_frame_equal(first.reset_index(drop=True), own.reset_index(drop=True))
    assert (first["mutants"] > 0).all()
    assert "Nothing to be done" in snakemake(two, "--dry-run", *compared, environment=forks)
    printed = snakemake(
        two, "--dry-run", "--config", "compared={it: two}", environment=forks, succeeds=False
    )
    assert "nothing at two/results/config.json; expected a finished study" in printed
    own_file = two / "one" / "figures" / "mine.txt"
    own_file.write_text("my own")
    printed = snakemake(two, "--cores", "1", "--config", "folder=one", environment=forks)
    assert "Removed, as this study no longer makes them:" in printed
    assert "one/results/tables/methods.csv" in printed
    assert not (two / "one" / "results" / "tables" / "methods.csv").exists()
    assert own_file.read_text() == "my own"


def test_a_model_passes_the_gate_or_fails_with_what_was_decided(
    two: Path, forks: dict[str, str]
) -> None:
    here = "gate={candidate: smollm2, baseline: minilm}"
    command = ("--cores", "1", "gate", "--config", "folder=one")
    printed = snakemake(two, *command, here, environment=forks, succeeds=False)
    assert (
        "gate failed (one/results/logs/gate.log):\nERROR not enough evidence, 'smollm2'" in printed
    )
    gate = two / "one" / "results" / "gate"
    assert {path.name for path in gate.iterdir()} == {"gate.csv", "gate.md", "gate.xml"}
    wide = "gate={candidate: smollm2, baseline: minilm, threshold: 1, confidence: 0.5}"
    printed = snakemake(two, *command, wide, environment=forks)
    assert "Gate: pass, 'smollm2' against 'minilm'" in printed


def test_a_stored_result_is_a_baseline(two: Path, forks: dict[str, str]) -> None:
    gate = "gate={candidate: minilm, baseline: minilm, baseline_folder: ., threshold: 0.5}"
    command = ("--cores", "1", "gate", "--config", "folder=one")
    printed = snakemake(two, *command, gate, environment=forks, succeeds=False)
    rows = pd.read_csv(two / "one" / "results" / "gate" / "gate.csv")
    assert "'minilm' against 'minilm of .'" in printed
    assert (rows["candidate_excess"] == rows["baseline_excess"]).all()
    assert (rows["difference_low"] < 0).all()
    assert (rows["difference_high"] > 0).all()


@pytest.mark.release
def test_what_a_study_no_longer_makes_is_removed_and_nothing_else(
    two: Path, forks: dict[str, str]
) -> None:
    before = digests(two)
    own = two / "one" / "figures" / "mine.txt"
    own.write_text("my own")
    command = ("--cores", "1", "--config", "folder=one", "models=[minilm]")
    printed = snakemake(two, *command, environment=forks)
    assert "Removed, as this study no longer makes them:" in printed
    removed = ["tables/model_comparison.csv", "verdicts/smollm2/imdb.parquet"]
    for name in removed:
        assert f"one/results/{name}" in printed
        assert not (two / "one" / "results" / name).exists()
        assert (two / "results" / name).is_file()
    assert own.read_text() == "my own"
    assert digests(two) == before


def test_resources_behind_links_are_not_fetched_again(
    root: Path, resources: Path, small: Path, forks: dict[str, str], tmp_path: Path
) -> None:
    folder = checkout(tmp_path / "study", root=root, resources=resources, config=small)
    for place in [path for path in (folder / "resources").iterdir() if path.is_dir()]:
        shutil.rmtree(place)
        place.symlink_to(resources / place.name)
    assert "Nothing to be done" in snakemake(folder, "--dry-run", "resources", environment=forks)


def test_a_study_runs_where_names_have_spaces_quotes_and_brackets(
    root: Path, tmp_path: Path
) -> None:
    folder = tmp_path / 'OUT user\'s "project" (v2) [c] $d; & #e \u00e9'
    copy_project(folder, root=root)
    (folder / "python").symlink_to(sys.executable)
    made = "studies/a b/results/dictionary/pairs.csv"
    done = subprocess.run(
        [
            folder / "python",
            "-m",
            "snakemake",
            "--cores",
            "1",
            made,
            "--config",
            "folder=studies/a b",
        ],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(site.getsitepackages())},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (folder / made).is_file()
