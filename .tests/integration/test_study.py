"""The whole workflow on a small configuration, run as a user runs it."""

import hashlib
import json
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
import yaml
from crates import faults_of
from readme import answers_on_terms, assert_answers_table_2
from runs import copy_finished, snakemake
from table_files import fractions_among_counts

LATEX = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage{booktabs,longtable}
\begin{document}
%s
\end{document}
"""


def _snakemake(
    folder: Path, *arguments: str, forks: Mapping[str, str] | None = None, succeeds: bool = True
) -> str:
    environment = {"PYTHONHASHSEED": "0", **(forks or {})}
    return snakemake(folder, *arguments, environment=environment, succeeds=succeeds)


def test_a_second_run_has_nothing_to_do_whatever_remarks_are_added(
    study: Path, forks: dict[str, str]
) -> None:
    for path in ("workflow/scripts/hinter/invariant/comparators.py", "config/dictionary/body.yaml"):
        with (study / path).open("a") as file:
            file.write("\n# Nothing but a remark.\n")
    assert "Nothing to be done" in _snakemake(study, "--cores", "1", forks=forks)


def test_a_changed_module_re_runs_the_rules_that_use_it_and_what_follows(
    study: Path, forks: dict[str, str]
) -> None:
    module = study / "workflow" / "scripts" / "hinter" / "oracle" / "verdicts.py"
    before = module.read_text()
    module.write_text(before + "\nUNUSED = 1\n")
    printed = _snakemake(study, "--dry-run", forks=forks)
    module.write_text(before)
    assert "rule judge_mutants" in printed
    assert "table2_bias_rates.csv" in printed
    for untouched in ("generate_mutants", "predict_suite", "fine_tune_encoder"):
        assert f"rule {untouched}" not in printed


def test_the_files_have_the_columns_of_the_contract(study: Path) -> None:
    results = study / "results"
    expected = {
        "corpora/imdb": {"original_id", "split", "tested", "text", "labels", "example"},
        "mutants/imdb": {
            "mutant_id",
            "original_id",
            "order",
            "attributes",
            "pair_ids",
            "valid",
            "reason",
        },
        "counts/imdb": {"original_id", "order", "attributes", "reason", "mutants"},
        "comparators/imdb": {"mutant_id", "tolerant", "strict", "heads"},
        "predictions/minilm/imdb": {
            "input_id",
            "outcome",
            "status",
            "answer",
            "visible_order",
            "input_hash",
        },
        "verdicts/smollm2/imdb": {
            "mutant_id",
            "order",
            "attributes",
            "valid",
            "status",
            "biased",
            "hidden",
            "minimal_subsets",
        },
    }
    for name, columns in expected.items():
        assert columns <= set(pq.read_schema(results / f"{name}.parquet").names)
    groups = {"attribute", "group", "term", "word_class", "posts"}
    assert groups <= set(pd.read_csv(results / "dictionary/groups.csv").columns)
    pairs = {"pair_id", "attribute", "source_group", "target_group", "source", "target"}
    assert pairs <= set(pd.read_csv(results / "dictionary/pairs.csv").columns)


def test_no_text_is_tested_that_a_model_was_trained_calibrated_or_measured_on(study: Path) -> None:
    corpus = pq.read_table(study / "results/corpora/imdb.parquet").to_pandas()
    assert corpus["original_id"].is_unique
    assert corpus["split"].value_counts().to_dict() == {
        "tested": 60,
        "training": 24,
        "held_out": 8,
        "calibration": 8,
        "examples": 2,
    }
    suite = pq.read_table(study / "results/suites/imdb.parquet").to_pandas()
    tested = set(corpus.loc[corpus["split"] == "tested", "original_id"])
    assert set(suite["original_id"]) <= tested


def test_a_limited_model_is_run_on_a_part_and_compared_on_it(study: Path) -> None:
    whole, part = (
        pq.read_table(study / f"results/suites/{name}.parquet").to_pandas()
        for name in ("imdb", "smollm2/imdb")
    )
    assert set(part["mutant_id"]) < set(whole["mutant_id"])
    listed = part[part["sampled"].isna() & ~part["control"]]
    assert listed["original_id"].nunique() == 3
    verdicts = pq.read_table(study / "results/verdicts/smollm2/imdb.parquet").to_pandas()
    assert set(verdicts["mutant_id"]) <= set(part["mutant_id"])
    compared = pd.read_csv(study / "results/tables/model_comparison.csv")
    assert not compared["same"].any()
    accuracy = pd.read_csv(study / "results/tables/accuracy.csv").set_index("model")["n"]
    assert accuracy.to_dict() == {"minilm": 8, "smollm2": 6}


def test_mutants_are_counted_whether_listed_or_sampled(study: Path) -> None:
    counts = pq.read_table(study / "results/counts/imdb.parquet").to_pandas()
    mutants = pq.read_table(study / "results/mutants/imdb.parquet").to_pandas()
    by_order = counts.groupby("order")["mutants"].sum()
    listed = mutants[mutants["sampled"].isna()].groupby("order").size()
    assert by_order[[1, 2]].to_dict() == listed.to_dict()
    sampled = mutants[mutants["sampled"].eq(True)]
    assert len(sampled) == 6 < by_order[3]
    assert set(sampled["order"]) == {3}


def test_sampled_mutants_were_run_with_their_sub_mutants(study: Path) -> None:
    rates = pd.read_csv(study / "results/tables/table2_bias_rates.csv")
    assert set(rates.loc[rates["order"] == 3, "basis"]) == {"sample"}
    verdicts = pq.read_table(study / "results/verdicts/minilm/imdb.parquet").to_pandas()
    assert set(verdicts.loc[verdicts["sampled"].eq(True), "order"]) == {3}
    assert set(verdicts.loc[verdicts["sampled"].eq(False), "order"]) <= {1, 2}
    run = set(verdicts["mutant_id"])
    for row in verdicts[verdicts["order"] == 3].to_dict("records"):
        atomic = {f"{row['original_id']}|{pair_id}" for pair_id in row["pair_ids"]}
        assert atomic <= run


def test_the_query_of_the_readme_gives_table_2(study: Path) -> None:
    assert_answers_table_2(study, pd.read_csv(study / "results/tables/table2_bias_rates.csv"))


def test_the_queries_of_the_tutorial_show_terms_and_their_contexts(study: Path) -> None:
    terms, contexts = answers_on_terms(study, attribute="gender", term="man")
    assert "gender:man" in set(terms["term"])
    assert len(contexts) > 1
    assert contexts["context"].str.contains(r"\bman\b", case=False).all()


def test_numbers_of_things_are_whole(study: Path) -> None:
    tables = sorted((study / "results" / "tables").glob("*.csv"))
    assert len(tables) >= 20
    assert [fractions_among_counts(table) for table in tables] == [[]] * len(tables)


def test_the_provenance_holds_tables_figure_and_captions(study: Path) -> None:
    provenance = (study / "provenance.html").read_text(encoding="utf-8")
    tables = ["mutants", "accuracy", "comparators", "table1_hidden_cases", "table2_bias_rates"]
    for name in (f"{table}.html" for table in tables):
        assert name in provenance
    assert "figure4_biased_originals.png" in provenance
    assert "A changed outcome is a lead" in provenance


def test_the_report_holds_what_was_found_and_every_case(study: Path) -> None:
    report = (study / "report.html").read_text(encoding="utf-8")
    for title in ("Mutants by order, attributes and reason", "Table 2: bias rates"):
        assert title in report
    assert report.count('src="data:image/png;base64,') >= 8
    verdicts = sorted((study / "results" / "verdicts").glob("*/*.parquet"))
    biased = sum(
        row["biased"] is True and not row["control"] and row["sampled"] is not False
        for path in verdicts
        for row in pq.read_table(path).to_pylist()
    )
    (data,) = re.findall(r'id="cases-data">(.*)</script>', report)
    assert len(json.loads(data)["listed"]) == biased > 0


def test_the_crate_is_valid_and_describes_what_stands_there(study: Path, tmp_path: Path) -> None:
    assert faults_of(study, cache=tmp_path / "cache")["REQUIRED"] == set()
    text = (study / "ro-crate-metadata.json").read_text(encoding="utf-8")
    # Nothing of the machine that it was made on.
    assert str(study) not in text
    assert str(Path.home()) not in text
    entities = {entity["@id"]: entity for entity in json.loads(text)["@graph"]}
    run = entities["#run"]
    assert run["startTime"] < run["endTime"] == entities["./"]["datePublished"]
    made = [entities[part["@id"]] for part in run["result"]]
    assert {"report.html", "provenance.html"} <= {file["@id"] for file in made}
    assert len(made) > 100
    for file in made:
        content = (study / file["@id"]).read_bytes()
        assert file["sha256"] == hashlib.sha256(content).hexdigest()
    assert entities["#model/minilm"]["isBasedOn"] == {"@id": "#resource/all_minilm_l6_v2"}


def test_the_published_numbers_are_recomputed_without_any_model(
    study: Path, forks: dict[str, str]
) -> None:
    printed = _snakemake(study, "--cores", "1", "published", forks=forks)
    assert "3 of 3 done" in printed
    assert "A finished study leaves" not in printed
    # A line for each job, and a few on the run.
    assert len(printed.splitlines()) < 24
    assert not (study / "docs").exists()
    assert len(list((study / "results" / "published").glob("*.csv"))) == 8
    assert len(list((study / "figures" / "published").glob("*.pdf"))) == 6


@pytest.mark.release
def test_people_can_read_mutants_of_the_study(
    study: Path, forks: dict[str, str], tmp_path: Path
) -> None:
    study = copy_finished(study, tmp_path / "study")
    # Only for those who ask for it.
    assert not (study / "results" / "assessment").exists()
    printed = snakemake(study, "--cores", "1", "assess", environment=forks, succeeds=False)
    assert "configuration, key 'assessment.answers': found no file" in printed
    _snakemake(study, "--cores", "1", "assessment_form", "assessed_form", forks=forks)
    assessment = study / "results" / "assessment"
    for name, reader in (("form", "ada"), ("assessed_form", "eve")):
        form = pd.read_csv(assessment / f"{name}.csv", dtype=str)
        form.assign(grammar="yes", meaning="no").to_csv(study / f"{reader}.csv", index=False)
    answers = "assessment={answers: [ada.csv, eve.csv]}"
    _snakemake(study, "--cores", "1", "assess", "--config", answers, forks=forks)
    table = pd.read_csv(assessment / "agreement.csv")
    assert table["read"].max() == len(pd.read_csv(study / "ada.csv")) > 10
    assert set(table["sound"]) == {0}
    readings = pd.read_csv(assessment / "assessed_annotations.csv")
    assert readings["read"].max() == len(pd.read_csv(study / "eve.csv")) > 100
    # What people say takes the place of what language models do.
    for name in ("comparator_validity", "corrected_rates"):
        precision = pd.read_csv(study / f"results/tables/{name}.csv")["precision"].dropna()
        assert set(precision) == {0}


def test_a_text_is_tried_on_a_model_of_the_study(study: Path, forks: dict[str, str]) -> None:
    text = "A blind British actor falls in love with a nurse."
    before = {path for path in (study / "results").rglob("*") if path.is_file()}
    command = ("--cores", "1", "try", "--config", f"text={text}", "model=minilm")
    printed = _snakemake(study, *command, forks=forks)
    assert text in printed
    assert re.search(r"[0-9,]+ mutants, [0-9]+ valid, [1-9][0-9]* asked", printed)
    after = {path for path in (study / "results").rglob("*") if path.is_file()}
    assert after - before <= {study / "results" / "logs" / "try.log"}


def test_models_are_checked_and_a_broken_one_hides_none(
    study: Path, forks: dict[str, str], tmp_path: Path
) -> None:
    sheet = yaml.safe_load((study / "small/models.yaml").read_text(encoding="utf-8"))
    sheet["broken"] = sheet["minilm"] | {"resource": None, "folder": "nowhere"}
    models = tmp_path / "models.yaml"
    models.write_text(yaml.safe_dump(sheet), encoding="utf-8")
    entries = (f"models_sheet={models}", "models=[minilm, broken, smollm2]")
    command = ("--cores", "1", "check", "--config", *entries)
    printed = _snakemake(study, *command, forks=forks, succeeds=False)
    for model, kind in (("minilm", "encoder"), ("smollm2", "causal")):
        assert re.search(
            rf"^{model} +{kind} +yes +(positive|negative) ", printed, flags=re.MULTILINE
        )
    assert re.search(r"^broken +encoder +NO .*nothing at nowhere", printed, flags=re.MULTILINE)
    assert "found 1 of 3 that cannot be used: broken" in printed


def test_texts_are_told_with_the_mutants_that_are_made(study: Path, forks: dict[str, str]) -> None:
    printed = _snakemake(study, "--cores", "1", "texts", forks=forks)
    counts = pd.read_parquet(study / "results/counts/imdb.parquet")
    made = counts.groupby("order")["mutants"].sum()
    assert "60 of 60 tested texts" in printed
    for order in (1, 2):
        assert re.search(rf"order {order} +{made[order]:,} mutants; ", printed)
    assert printed.count("    original  ") == 10


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="pdflatex is not installed")
def test_the_tables_compile_as_latex(study: Path, tmp_path: Path) -> None:
    tables = sorted((study / "results" / "tables").glob("*.tex"))
    inputs = "\n".join(rf"\input{{{table}}}\clearpage" for table in tables)
    (tmp_path / "tables.tex").write_text(LATEX % inputs)
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "tables.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:]
    assert len(tables) >= 20


def test_the_plan_tells_what_the_study_takes_on_the_disk(
    study: Path, forks: dict[str, str]
) -> None:
    printed = _snakemake(study, "--cores", "1", "plan", forks=forks)
    assert "A finished study leaves" not in printed
    findable = r"^ *whole +imdb +2 +(.+?) +\d+ +\d+ +2% +0\.4 +± [\d.]+ +(?:[\d.]+|never)$"
    assert re.findall(findable, printed, flags=re.MULTILINE) == ["bias", "hidden bias"]
    rows = re.findall(r"^ *(\w[a-z ]+?) +(\d+) +([\d.]+)$", printed, flags=re.MULTILINE)
    numbers, megabytes = ({row[0]: float(row[place]) for row in rows} for place in (1, 2))
    results = study / "results"
    assert numbers["mutants"] == len(pq.read_table(results / "mutants/imdb.parquet"))
    predictions = pq.ParquetDataset(results / "predictions").read()
    assert numbers["inputs of models"] == len(predictions)
    assert megabytes["resources to fetch"] == 0
    assert megabytes["models to make"] >= _taken(results / "models") > 100
    assert sum(megabytes.values()) >= sum(_taken(study / part) for part in ("results", "store"))


def _taken(folder: Path) -> float:
    """Return how many megabytes of the disk the files in a folder take."""
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*")) / 1e6
