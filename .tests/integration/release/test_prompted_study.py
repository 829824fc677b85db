"""Probes and relations on a few prompts, from end to end and once more elsewhere."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from faults import FaultyProxy
from hinter.models import NANO_DOLLARS
from hinter.predictions.opened import open_ledger
from prompted_study import ASKED, judging, speaking, write_study
from replaying import replay_study
from runs import copy_finished, digests, kept_responses, snakemake

METRICS = ["sentiment", "tone"]
# See `KILLED` of the replayed study; the first commits of a store are of its tables, and of the
# claim on what is asked.
KILLED = {
    "build_probe": (range(1, 4), 1),
    "rewrite_prompts": (range(1, 4), 2),
    "predict_suite/talker": (range(5, 8), 2),
    "predict_suite/chooser": (range(5, 8), 2),
    "rate_answers": (range(5, 8), 2),
    "find_hits": (range(1, 3), 1),
}
# What is fine-tuned depends on how many numbers a processor multiplies at once; answers do not.
ALSO_RUN = ("fetch_resource", "fine_tune_encoder", "write_provenance", "write_crate")
ELSEWHERE = {
    "PYTHONHASHSEED": "1",
    "LC_ALL": "C",
    "TZ": "Pacific/Kiritimati",
    "ONEDNN_MAX_CPU_ISA": "AVX2",
    "ATEN_CPU_CAPABILITY": "avx2",
    "MKL_ENABLE_INSTRUCTIONS": "AVX2",
}


@pytest.fixture(scope="module")
def judge() -> Iterator[FaultyProxy]:
    with judging() as proxy:
        yield proxy


@pytest.fixture(scope="module")
def unasked(
    root: Path, resources: Path, judge: FaultyProxy, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """Return a folder of the study before it is run, in which nothing is to be made."""
    folder = tmp_path_factory.mktemp("prompted") / "study"
    small = tmp_path_factory.mktemp("settings")
    with speaking() as voice:
        addresses = {"voice": voice, "judge": judge.url}
        write_study(folder, small=small, root=root, resources=resources, addresses=addresses)
        yield folder


@pytest.fixture(scope="module")
def folder(unasked: Path) -> Path:
    """Return the folder that the study is run in."""
    return copy_finished(unasked, unasked.with_name("finished"))


COMMAND = ("--cores", "1", "--skip-script-cleanup")


@pytest.fixture(scope="module")
def planned(folder: Path, judge: FaultyProxy, forks: dict[str, str]) -> str:
    """Return what is printed of the study's cost before it is run."""
    budget = ("--config", "budget_usd=0.01")
    printed = snakemake(folder, *COMMAND, "plan", *budget, environment=forks)
    assert not judge.calls
    return printed


@pytest.fixture(scope="module")
def asked(folder: Path, planned: str, forks: dict[str, str]) -> Path:
    """Return the folder of the study once it is finished, with the scripts of its jobs."""
    snakemake(folder, *COMMAND, environment=forks)
    return folder


def _read(study: Path, *path: str) -> pd.DataFrame:
    return pd.read_parquet(study.joinpath("results", *path).with_suffix(".parquet"))


def _outcomes(ratings: pd.DataFrame) -> dict[str, tuple[str, ...]]:
    rated = ratings[ratings["status"] == "ok"]
    return dict(zip(rated["input_id"], map(tuple, rated["outcome"]), strict=True))


@pytest.mark.parametrize("model", ["talker", "voice"])
def test_every_follow_up_has_an_answer_a_rating_and_a_verdict(asked: Path, model: str) -> None:
    suite = _read(asked, "suites", "relations")
    answers = _read(asked, "predictions", model, "relations")
    assert set(answers["input_id"]) == {*suite["original_id"], *suite["mutant_id"]}
    for metric in METRICS:
        ratings = _read(asked, "predictions", model, f"relations_{metric}")
        assert ratings[["input_id", "answer"]].equals(answers[["input_id", "answer"]])
        outcomes = _outcomes(ratings)
        assert outcomes and all(len(outcome) == 1 for outcome in outcomes.values())
        verdicts = _read(asked, "verdicts", model, f"relations_{metric}")
        assert sorted(verdicts["mutant_id"]) == sorted(suite["mutant_id"])
        for row in verdicts.to_dict("records"):
            pair = [outcomes.get(row[key]) for key in ("original_id", "mutant_id")]
            assert row["biased"] == (None if None in pair else pair[0] != pair[1])


def test_refused_answers_have_no_rating_and_are_no_faults(asked: Path) -> None:
    ratings = _read(asked, "predictions", "voice", "relations_tone")
    refused = ratings["answer"].str.contains("sorry")
    assert refused.any() and ratings["status"].eq("refused").equals(refused)
    verdicts = _read(asked, "verdicts", "voice", "relations_tone").set_index("mutant_id")
    left = [name for name in ratings.loc[refused, "input_id"] if name in verdicts.index]
    assert left and verdicts.loc[left, "biased"].isna().all()


def test_tables_count_the_faults_of_the_verdicts(asked: Path) -> None:
    tables = asked / "results" / "relations"
    faults = pd.read_csv(tables / "faults.csv").set_index(["model", "metric"])
    for model in ("talker", "voice"):
        for metric in METRICS:
            verdicts = _read(asked, "verdicts", model, f"relations_{metric}")
            counts = faults.loc[(model, metric), ["follow_ups", "faults"]].sum()
            assert counts.tolist() == [len(verdicts), verdicts["biased"].eq(True).sum()]
    assert list(pd.read_csv(tables / "raters.csv")["dataset"]) == ["imdb", "tones"]
    assert set(pd.read_csv(tables / "printed_faults.csv")["same_model_and_data"]) == {"no"}
    assert (asked / "figures" / "faults_by_combination.pdf").is_file()
    report = (asked / "report.html").read_text(encoding="utf-8")
    assert "Faults in excess of noise" in report
    # Every follow-up is a case, and each number of faults leads to its own.
    follow_ups = len(_read(asked, "verdicts", "talker", "relations_tone"))
    assert report.count('"kind":"relations"') == 2 * follow_ups
    leading = set(faults.index[faults["faults"] > 0])
    assert leading
    assert all(
        f'href="#model={model}&amp;fault={metric}&amp;' in report for model, metric in leading
    )


def test_repeated_answers_are_the_floor_of_a_model_that_varies(asked: Path) -> None:
    repeats = _read(asked, "repeats", "voice", "relations_tone")
    originals = _read(asked, "suites", "relations")["original_id"].unique()
    assert len(repeats) == 3 * len(originals)
    assert set(repeats[repeats["status"] == "ok"]["outcome"].map(len)) == {1}
    first = repeats[repeats["repeat"] == 1].set_index("original_id")["answer"]
    answers = _read(asked, "predictions", "voice", "relations").set_index("input_id")["answer"]
    assert first.equals(answers.loc[first.index].rename_axis("original_id"))
    excess = pd.read_csv(asked / "results/relations/excess_of_faults.csv").set_index("model")
    assert (excess.loc["talker", "floor"] == 0).all()
    assert excess.loc["voice", "n"].min() > 0
    # Each original has all three answers.
    assert set(repeats.groupby("original_id")["answer"].nunique()) == {3}
    difference = excess["rate"] - excess["floor"] - excess["excess"]
    assert difference.abs().max() < 1e-5


def _table(study: Path, name: str) -> pd.DataFrame:
    return pd.read_csv(study / "results" / "tables" / f"{name}.csv")


def test_every_probe_has_its_score_of_every_model_that_it_can_ask(asked: Path) -> None:
    harness = _table(asked, "harness")
    assert harness[["probe", "model", "n"]].to_numpy().tolist() == [
        ["colours", "talker", 1],
        ["gender_income", "chooser", 8],
        ["professional", "talker", 4],
    ]
    assert harness["score"].between(harness["score_low"], harness["score_high"]).all()
    assert (asked / "figures" / "harness.pdf").is_file()
    report = (asked / "report.html").read_text(encoding="utf-8")
    assert "Fairness harness" in report
    # Every changed prompt is a case, and so is each that is a hit or none by itself.
    hits = pd.concat(map(pd.read_parquet, (asked / "results/hits").glob("*/*.parquet")))
    asked = (hits["input_id"] != hits["original_id"]) | hits["hit"].notna()
    assert report.count('"kind":"probes"') == asked.sum() > 20


def test_prompts_share_the_rooms_of_datasets(asked: Path) -> None:
    results = asked / "results"
    suite = pd.read_parquet(results / "suites" / "gender_income.parquet")
    verdicts = pd.read_parquet(results / "verdicts" / "chooser" / "gender_income.parquet")
    assert set(verdicts["mutant_id"]) == set(suite["mutant_id"])
    hits = pd.read_parquet(results / "hits" / "chooser" / "gender_income.parquet")
    predictions = pd.read_parquet(results / "predictions" / "chooser" / "gender_income.parquet")
    assert hits["input_id"].tolist() == sorted(predictions["input_id"])
    flips = _table(asked, "gender_income_flips").query("change == 'all'").set_index("flip")
    assert flips["n"].tolist() == flips["scored"].tolist() == [8, 8, 8]
    sex_only = hits[[("sex_only" in kinds) for kinds in hits["kinds"]]]
    assert flips.loc["sex_only", "hits"] == sex_only["biased"].sum() == sex_only["hit"].sum()
    lattice = _table(asked, "gender_income_lattice")
    assert lattice["attributes"].iloc[-1] == "race+relationship+sex"
    assert lattice["n"].tolist() == [2] * 7


def test_what_a_judge_may_cost_is_told_before_the_run(
    planned: str, asked: Path, judge: FaultyProxy
) -> None:
    rows = re.findall(
        r"^ *judge +(\w+) +judged answers +(\d+) .* ([0-9.]+)$", planned, re.MULTILINE
    )
    assert [(probe, int(calls)) for probe, calls, _ in rows] == [
        *(("colours", 2), ("professional", 4))
    ]
    assert "key 'budget_usd': found a plan of up to $" in planned
    assert 0 < judge.calls.total() <= 6
    store = asked / "store" / "responses"
    spent = open_ledger(store).sums()
    assert 0 < sum(spent) / NANO_DOLLARS <= sum(float(dollars) for *_, dollars in rows) < 1


def test_the_judge_decides_what_answers_mean(asked: Path) -> None:
    results = asked / "results"
    place = ("talker", "professional.parquet")
    judged = pd.read_parquet(results.joinpath("judged", *place))
    answers = pd.read_parquet(results.joinpath("predictions", *place))
    assert judged[["input_id", "answer"]].equals(answers[["input_id", "answer"]])
    assert judged["outcome"].map(list).tolist() == [["doctor"]] * 4
    verdicts = pd.read_parquet(results.joinpath("verdicts", *place))
    assert verdicts["biased"].eq(False).all()
    hits = pd.read_parquet(results.joinpath("hits", *place))
    pronouns = hits["facts"].map(dict).map(lambda facts: facts["pronoun"])
    assert hits["hit"].equals(pronouns == "he") and hits["parsed"].notna().all()
    harness = _table(asked, "harness").set_index("probe")["judged"]
    assert harness.to_dict() == {"colours": 2, "gender_income": 0, "professional": 4}
    agreement = _table(asked, "judge_agreement").query("parsed == 'all'").set_index("probe")
    assert agreement["judge"].tolist() == ["judge", "judge"]
    assert agreement.loc["professional", "agreed"] == (hits["parsed"] == hits["finding"]).sum()


def test_nothing_is_made_of_datasets_that_are_not_there(asked: Path, forks: dict[str, str]) -> None:
    assert not (asked / "results" / "mutants").exists()
    assert not (asked / "results" / "dictionary").exists()
    assert not (asked / "results" / "tables" / "table2_bias_rates.csv").exists()
    assert "Nothing to be done" in snakemake(asked, "--cores", "1", environment=forks)


@pytest.fixture(scope="module")
def replayed(asked: Path, unasked: Path) -> Path:
    """Return a folder in which all jobs of the study were run again, elsewhere, and killed."""
    place = unasked.with_name('it\'s the "ωther" stüdy, 100 %')
    folder = copy_finished(unasked, place)
    shutil.copytree(asked / "results" / "models", folder / "results" / "models")
    ASKED.clear()
    replay_study(asked, folder, killed=KILLED, also_run=ALSO_RUN, environment=ELSEWHERE)
    return folder


def test_kills_another_processor_seed_place_time_zone_and_locale_give_the_same_bytes(
    asked: Path, replayed: Path
) -> None:
    expected = digests(asked)
    assert len(expected) >= 20
    assert digests(replayed) == expected
    assert _first_answers(replayed) == _first_answers(asked)


def _first_answers(study: Path) -> dict[str, str]:
    """Return the answers that are kept; those to repeats come in any order."""
    kept = kept_responses(study / "store" / "responses")
    return {key: answer for key, answer in kept.items() if "#" not in key}
