"""Probes from end to end, small: a third one that is a module and a sheet, and a paid judge."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml
from faults import Call, FaultyProxy, body, completion, running
from hinter.models import NANO_DOLLARS
from hinter.predictions import open_ledger
from people import adult_lines
from runs import checkout, edit_sheet, planned_jobs, snakemake

STUDY = {
    "seed": 7,
    "datasets": [],
    "probes": ["gender_income", "professional", "colours"],
    "models": ["minilm", "smollm2-chat"],
    "judge": {"model": "judge"},
    "budget_usd": 1,
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


def _judge(call: Call) -> None:
    """Say of every answer that it means a doctor, or the colour red."""
    instruction = json.loads(call.body)["messages"][0]["content"]
    said = "doctor" if "doctor" in instruction else "red"
    completion(message={"content": said}, finish_reason="stop")(call)


def _with_few_persons(sheet: dict[str, Any]) -> None:
    sheet.update(resource=None, file="people.data")
    sheet["settings"]["per_label"] = {"tested": 4, "calibration": 1, "training": 8}
    sheet["settings"]["lattice"]["prompts"] = 2


def _with_one_sentence(sheet: dict[str, Any]) -> None:
    del sheet["settings"]["sentences"][1:]


@pytest.fixture(scope="module")
def judge() -> Iterator[FaultyProxy]:
    models = body(b'{"data": [{"id": "judge"}]}')
    with running(FaultyProxy(faults={"answer": _judge}, models=models)) as proxy:
        yield proxy


def _entry(judge: FaultyProxy) -> dict[str, Any]:
    """Return the entry of the judge in the models sheet."""
    return {
        "about": "a judge of few words",
        "kind": "endpoint",
        "datasets": [],
        "base_url": judge.url,
        "model": "judge",
        "tokenizer": "cl100k_base",
    }


@pytest.fixture(scope="module")
def folder(
    root: Path, resources: Path, judge: FaultyProxy, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Return the folder of a study of three probes on a few made-up persons."""
    folder = tmp_path_factory.mktemp("probes") / "study"
    settings = tmp_path_factory.mktemp("settings")
    (settings / "config.yaml").write_text(yaml.safe_dump(STUDY))
    checkout(folder, root=root, resources=resources, config=settings)
    (folder / "people.data").write_text("\n".join(adult_lines(range(30, 34))))
    (folder / "lines.csv").write_text("Be brief.\n")
    sheets = folder / "config"
    edit_sheet(sheets / "probes/gender_income.yaml", _with_few_persons)
    edit_sheet(sheets / "probes/professional.yaml", _with_one_sentence)
    edit_sheet(sheets / "models.yaml", lambda it: it["smollm2-chat"]["datasets"].append("colours"))
    edit_sheet(sheets / "models.yaml", lambda it: it.update(judge=_entry(judge)))
    price = {"input": 100, "output": 300, "of": "nobody"}
    edit_sheet(sheets / "prices.yaml", lambda it: it.update(judge=price))
    (sheets / "probes/colours.yaml").write_text(yaml.safe_dump(SHEET))
    (folder / "workflow/scripts/hinter/probes/colours.py").write_text(MODULE)
    return folder


@pytest.fixture(scope="module")
def planned(folder: Path, judge: FaultyProxy) -> str:
    """Return what is told of the study's cost before it is run."""
    told = snakemake(folder, "--cores", "1", "plan", "--config", "budget_usd=0.01")
    assert not judge.calls
    return told


@pytest.fixture(scope="module")
def probed(planned: str, folder: Path) -> Path:
    """Return the folder of the study once it is finished."""
    snakemake(folder, "--cores", "1")
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
    report = (probed / "report.html").read_text(encoding="utf-8")
    assert "Fairness harness" in report
    # Every changed prompt is a case, and so is each that is a hit or none by itself.
    hits = pd.concat(map(pd.read_parquet, (probed / "results/hits").glob("*/*.parquet")))
    asked = (hits["input_id"] != hits["original_id"]) | hits["hit"].notna()
    assert report.count('"kind":"probes"') == asked.sum() > 20


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


def test_what_a_judge_may_cost_is_told_before_the_run(
    planned: str, probed: Path, judge: FaultyProxy
) -> None:
    rows = re.findall(
        r"^ *judge +(\w+) +judged answers +(\d+) .* ([0-9.]+)$", planned, re.MULTILINE
    )
    assert [(probe, int(calls)) for probe, calls, _ in rows] == [
        *(("colours", 2), ("professional", 4))
    ]
    assert "key 'budget_usd': found a plan of up to $" in planned
    assert 0 < judge.calls.total() <= 6
    store = probed / "store" / "responses"
    spent = open_ledger(store).sums()
    assert 0 < sum(spent) / NANO_DOLLARS <= sum(float(dollars) for *_, dollars in rows) < 1


def test_the_judge_decides_what_answers_mean(probed: Path) -> None:
    results = probed / "results"
    place = ("smollm2-chat", "professional.parquet")
    judged = pd.read_parquet(results.joinpath("judged", *place))
    answers = pd.read_parquet(results.joinpath("predictions", *place))
    assert judged[["input_id", "answer"]].equals(answers[["input_id", "answer"]])
    assert judged["outcome"].map(list).tolist() == [["doctor"]] * 4
    verdicts = pd.read_parquet(results.joinpath("verdicts", *place))
    assert verdicts["biased"].eq(False).all()
    hits = pd.read_parquet(results.joinpath("hits", *place))
    pronouns = hits["facts"].map(dict).map(lambda facts: facts["pronoun"])
    assert hits["hit"].equals(pronouns == "he") and hits["parsed"].notna().all()
    harness = _table(probed, "harness").set_index("probe")["judged"]
    assert harness.to_dict() == {"colours": 2, "gender_income": 0, "professional": 4}
    agreement = _table(probed, "judge_agreement").query("parsed == 'all'").set_index("probe")
    assert agreement["judge"].tolist() == ["judge", "judge"]
    assert agreement.loc["professional", "agreed"] == (hits["parsed"] == hits["finding"]).sum()


def test_nothing_is_made_of_datasets_that_are_not_there(probed: Path) -> None:
    assert not (probed / "results" / "mutants").exists()
    assert not (probed / "results" / "dictionary").exists()
    assert not (probed / "results" / "tables" / "table2_bias_rates.csv").exists()
    assert "Nothing to be done" in snakemake(probed, "--cores", "1")


def test_a_study_without_probes_has_no_job_of_theirs(root: Path, tmp_path: Path) -> None:
    jobs = planned_jobs(tmp_path / "study", root=root, config="config")
    assert jobs["total"] > 0
    of_probes = ("build_probe", "judge_answers", "find_hits", "tabulate_probes", "draw_probes")
    assert not any(rule.startswith(of_probes) for rule in jobs)
