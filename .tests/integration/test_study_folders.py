"""Studies in folders of their own: what they share, what they leave alone, and what they remove."""

import subprocess
from pathlib import Path

import pandas as pd
import pytest
import yaml
from runs import HERE, copy_project, digests, snakemake


def test_a_comment_in_the_dictionary_re_runs_nothing(study: Path) -> None:
    curation = study / "config" / "dictionary" / "body.yaml"
    curation.write_text(curation.read_text() + "\n# Nothing but a remark.\n")
    assert "Nothing to be done" in snakemake(study, "--dry-run")


def test_a_deleted_form_of_a_table_is_made_again(study: Path) -> None:
    (study / "results" / "tables" / "answers.md").unlink()
    told = snakemake(study, "--cores", "2")
    assert "tabulate_answers" in told
    assert (study / "results" / "tables" / "answers.md").is_file()


@pytest.fixture(scope="module")
def deployed(root: Path, study: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which snakedeploy has put the workflow, as a module, and the small study.

    It shares the store and the resources of the study in `study`.
    """
    source = tmp_path_factory.mktemp("source") / "hinter"
    copy_project(source, root=root)
    folder = tmp_path_factory.mktemp("deployed") / "study"
    subprocess.run(["snakedeploy", "deploy-workflow", source, folder, "--tag", "main"], check=True)
    # Of a workflow on the same machine, snakedeploy gives the path inside that workflow.
    entry = folder / "workflow" / "Snakefile"
    entry.write_text(entry.read_text().replace('"workflow/', f'"{source}/workflow/'))
    for sheet in (HERE / "config").iterdir():
        (folder / "small").mkdir(exist_ok=True)
        (folder / "small" / sheet.name).write_bytes(sheet.read_bytes())
    settings = folder / "small" / "config.yaml"
    config = yaml.safe_load(settings.read_text()) | {
        "folder": "studies/first",
        "store": str(study / "store"),
        "resources": str(study / "resources"),
    }
    settings.write_text(yaml.safe_dump(config))
    return folder


def test_a_deployed_study_in_a_folder_of_its_own_has_the_same_bytes(
    deployed: Path, study: Path
) -> None:
    snakemake(deployed, "--cores", "2")
    assert digests(deployed / "studies" / "first") == digests(study)
    assert (deployed / "studies" / "first" / "report.html").is_file()
    assert {path.name for path in deployed.iterdir()} == {
        *(".snakemake", "config", "profiles", "small", "studies", "workflow"),
    }


def test_a_finished_study_is_put_beside_another(study: Path) -> None:
    compared = ["--config", "folder=one", "compared={the first: .}"]
    snakemake(study, "--cores", "2", *compared)
    table = pd.read_csv(study / "one" / "results" / "tables" / "methods.csv")
    first, own = (rows.drop(columns="method") for _, rows in table.groupby("method"))
    # The same study twice.
    pd.testing.assert_frame_equal(first.reset_index(drop=True), own.reset_index(drop=True))
    assert (first["mutants"] > 0).all()
    assert "Nothing to be done" in snakemake(study, "--dry-run", *compared)
    told = snakemake(study, "--dry-run", "--config", "compared={it: two}", succeeds=False)
    assert "nothing at two/results/config.json; expected a finished study" in told


def test_what_a_study_no_longer_makes_is_removed_and_nothing_else(study: Path) -> None:
    folder = ["--config", "folder=one"]
    before = digests(study)
    snakemake(study, "--cores", "2", *folder)
    own = study / "one" / "figures" / "mine.txt"
    own.write_text("my own")
    told = snakemake(study, "--cores", "2", *folder, "models=[minilm]")
    assert "Removed, as this study no longer makes them:" in told
    removed = ["tables/model_comparison.csv", "verdicts/smollm2/imdb.parquet"]
    for name in removed:
        assert f"one/results/{name}" in told
        assert not (study / "one" / "results" / name).exists()
        assert (study / "results" / name).is_file()
    assert own.read_text() == "my own"
    assert digests(study) == before
