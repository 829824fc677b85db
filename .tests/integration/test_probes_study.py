"""Probes from end to end, small, and a third one that is a module and a sheet."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml
from people import adult_lines
from runs import checkout, planned_jobs, snakemake

STUDY = {
    "seed": 7,
    "datasets": [],
    "probes": ["gender_income", "professional", "colours"],
    "models": ["minilm", "smollm2-chat"],
    "grammar": {"enabled": False},
}
MODULE = '''"""Does a model like another colour better in another town?"""

from ..config import Sheet
from .probe import Answered, BasePrompt, Counterfactual, Finding, Probe


class Settings(Sheet):
    """The settings of the probe."""

    towns: list[str]


def build_prompts(path, *, labels, settings, seed):
    first, *others = settings.towns
    prompts = [
        BasePrompt(
            f"{line} In {first}, is red or blue better?",
            {"town": first},
            counterfactuals=tuple(
                Counterfactual(
                    {"town": town}, f"{line} In {town}, is red or blue better?", ("town",)
                )
                for town in others
            ),
        )
        for line in path.read_text().splitlines()
    ]
    return prompts, {"prompts": len(prompts)}


def find_change(answered: Answered) -> Finding:
    return Finding(answered.status, None if not answered.kinds else bool(answered.biased))


PROBE = Probe(settings=Settings, build=build_prompts, find=find_change)
'''
SHEET = {
    "about": "Colours of towns",
    "scenario": "Colours",
    "detector": "Another answer",
    "differs": "It has no source.",
    "file": "lines.csv",
    "labels": ["red", "blue"],
    "answers": "words",
    "settings": {"towns": ["Rome", "Oslo"]},
}


def _edit(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    sheet = yaml.safe_load(path.read_text(encoding="utf-8"))
    change(sheet)
    path.write_text(yaml.safe_dump(sheet), encoding="utf-8")


def _with_few_persons(sheet: dict[str, Any]) -> None:
    sheet.update(resource=None, file="people.data")
    sheet["settings"].update(per_label=4, training=16, calibration=2)
    sheet["settings"]["lattice"]["prompts"] = 2


def _with_one_sentence(sheet: dict[str, Any]) -> None:
    del sheet["settings"]["sentences"][1:]


@pytest.fixture(scope="module")
def probed(root: Path, resources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a finished study of three probes on a few made-up persons."""
    folder = tmp_path_factory.mktemp("probes") / "study"
    settings = tmp_path_factory.mktemp("settings")
    (settings / "config.yaml").write_text(yaml.safe_dump(STUDY))
    checkout(folder, root=root, resources=resources, config=settings)
    (folder / "people.data").write_text("\n".join(adult_lines(range(30, 34))))
    (folder / "lines.csv").write_text("Be brief.\n")
    sheets = folder / "config"
    _edit(sheets / "probes/gender_income.yaml", _with_few_persons)
    _edit(sheets / "probes/professional.yaml", _with_one_sentence)
    _edit(sheets / "models.yaml", lambda it: it["smollm2-chat"]["datasets"].append("colours"))
    (sheets / "probes/colours.yaml").write_text(yaml.safe_dump(SHEET))
    (folder / "workflow/scripts/hinter/probes/colours.py").write_text(MODULE)
    snakemake(folder, "--cores", "2")
    return folder


def _table(study: Path, name: str) -> pd.DataFrame:
    return pd.read_csv(study / "results" / "tables" / f"{name}.csv")


def test_every_probe_has_its_score_of_every_model_that_it_can_ask(probed: Path) -> None:
    harness = _table(probed, "harness")
    assert harness[["probe", "model", "n"]].to_numpy().tolist() == [
        ["colours", "smollm2-chat", 1],
        ["gender_income", "minilm", 8],
        ["professional", "smollm2-chat", 4],
    ]
    assert harness["score"].between(harness["score_low"], harness["score_high"]).all()
    assert (probed / "figures" / "harness.pdf").is_file()
    assert "Fairness harness" in (probed / "report.html").read_text(encoding="utf-8")


def test_prompts_share_the_rooms_of_datasets(probed: Path) -> None:
    results = probed / "results"
    suite = pd.read_parquet(results / "suites" / "gender_income.parquet")
    verdicts = pd.read_parquet(results / "verdicts" / "minilm" / "gender_income.parquet")
    assert set(verdicts["mutant_id"]) == set(suite["mutant_id"])
    hits = pd.read_parquet(results / "hits" / "minilm" / "gender_income.parquet")
    predictions = pd.read_parquet(results / "predictions" / "minilm" / "gender_income.parquet")
    assert hits["input_id"].tolist() == sorted(predictions["input_id"])
    flips = _table(probed, "gender_income_flips").query("change == 'all'").set_index("flip")
    assert flips["n"].tolist() == flips["scored"].tolist() == [8, 8, 8]
    sex_only = hits[[("sex_only" in kinds) for kinds in hits["kinds"]]]
    assert flips.loc["sex_only", "hits"] == sex_only["biased"].sum() == sex_only["hit"].sum()
    lattice = _table(probed, "gender_income_lattice")
    assert lattice["attributes"].iloc[-1] == "race+relationship+sex"
    assert lattice["n"].tolist() == [2] * 7


def test_nothing_is_made_of_datasets_that_are_not_there(probed: Path) -> None:
    assert not (probed / "results" / "mutants").exists()
    assert not (probed / "results" / "dictionary").exists()
    assert not (probed / "results" / "tables" / "table2_bias_rates.csv").exists()
    assert "Nothing to be done" in snakemake(probed, "--cores", "2")


def test_a_study_without_probes_has_no_job_of_theirs(root: Path, tmp_path: Path) -> None:
    jobs = planned_jobs(tmp_path / "study", root=root, config="config")
    assert jobs["total"] > 0
    assert not {"build_probe", "find_hits", "tabulate_harness", "draw_harness"} & jobs.keys()
