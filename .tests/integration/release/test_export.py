"""A finished study exported: records and a dataset, true to the study, texts only where allowed."""

import json
import re
import shutil
import socket
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pyarrow.parquet as pq
import pytest
from exports import all_of, mean_scores, parts_by_card, read_records, sentences_in
from hinter.exports import rebuilt_texts
from runs import copy_finished, snakemake

TIME = {"SOURCE_DATE_EPOCH": "1700000000"}


class Exports(NamedTuple):
    """The finished study with its export, and an export of it that may pass texts on."""

    study: Path
    closed: Path
    open: Path


@pytest.fixture(scope="module")
def exports(
    study: Path, forks: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Exports:
    folder = copy_finished(study, tmp_path_factory.mktemp("exported") / "study", "store")
    snakemake(folder, "--cores", "1", "export", environment={**TIME, **forks})
    made = folder / "results" / "export"
    closed, opened = folder.parent / "closed", folder.parent / "open"
    shutil.copytree(made, closed)
    registry = folder / "data" / "registry.yaml"
    printed = registry.read_text(encoding="utf-8")
    licence = "  licence: MIT (the package)"
    assert licence in printed
    registry.write_text(printed.replace(licence, f"  redistribute: true\n{licence}", 1))
    snakemake(folder, "--cores", "1", "export", environment={**TIME, **forks})
    shutil.copytree(made, opened)
    return Exports(folder, closed, opened)


def _texts(study: Path) -> dict[str, str]:
    corpus = pq.read_table(study / "results" / "corpora" / "imdb.parquet")
    return dict(corpus.select(["original_id", "text"]).to_pandas().itertuples(index=False))


@pytest.mark.parametrize("kind", ["closed", "open"])
def test_records_are_valid_and_say_what_the_tables_say(
    exports: Exports, kind: str, resources: Path
) -> None:
    tables = {
        name: pd.read_csv(exports.study / "results" / "tables" / f"{name}.csv")
        for name in ("accuracy", "table2_bias_rates", "excess")
    }
    records = read_records(
        getattr(exports, kind) / "evaluations", schemas=resources / "every_eval_ever"
    )
    assert [record.document["model_info"]["name"] for record in records] == ["minilm", "smollm2"]
    for record in records:
        model, scores = record.document["model_info"]["name"], record.scores()
        accuracy = tables["accuracy"].set_index("model").loc[model]
        assert scores["hinter_imdb/accuracy"] == accuracy["accuracy"]
        for row in tables["table2_bias_rates"].query("model == @model").to_dict("records"):
            if row["n"]:
                assert scores[f"hinter_imdb/bias_rate.order_{row['order']}"] == row["bias_rate"]
            if row["biased"]:
                assert scores[f"hinter_imdb/hidden_rate.order_{row['order']}"] == row["hidden_rate"]
        of_all = tables["excess"].query(
            "model == @model and attributes == 'all' and compared_with != 'neutral + neutral'"
        )
        for row in of_all.to_dict("records"):
            name = "excess" if row["measure"] == "bias" else "hidden_excess"
            assert scores[f"hinter_imdb/{name}.order_{row['order']}"] == row["excess"]
        means = mean_scores(record)
        assert {"hinter_imdb/accuracy_of_originals", "hinter_imdb/bias_rate.order_2"} <= set(means)
        assert {key: scores[key] for key in means} == means
        assert record.document["retrieved_timestamp"] == "1700000000"


@pytest.mark.parametrize("kind", ["closed", "open"])
def test_the_card_finds_and_describes_the_parts(exports: Exports, kind: str) -> None:
    parts = parts_by_card(getattr(exports, kind) / "dataset")
    assert set(parts) == {"suite", "cases", "verdicts", "pairs"}
    results = exports.study / "results"
    suite = pq.read_table(results / "suites" / "imdb.parquet")
    mutants = [row for row in parts["suite"] if row["kind"] != "original"]
    assert {row["input_id"] for row in mutants} == set(suite["mutant_id"].to_pylist())
    originals = {row["input_id"] for row in parts["suite"] if row["kind"] == "original"}
    assert originals == set(suite["original_id"].to_pylist())
    verdicts = [
        pq.read_table(results / "verdicts" / model / "imdb.parquet")
        for model in ("minilm", "smollm2")
    ]
    assert len(parts["verdicts"]) == sum(table.num_rows for table in verdicts)
    biased = [row for row in parts["verdicts"] if row["biased"] and not row["control"]]
    assert {(row["model"], row["mutant_id"]) for row in parts["cases"]} == {
        (row["model"], row["mutant_id"]) for row in biased
    }
    for case in parts["cases"]:
        assert case["outcome"] != case["original_outcome"]
        assert {row["label"] for row in case["scores"]} == {"negative", "positive"}
        assert case["tolerant"] == "valid" or not case["valid"]


def test_no_sentence_of_a_text_is_passed_on_without_permission(exports: Exports) -> None:
    texts = list(_texts(exports.study).values())
    assert sentences_in(exports.closed, texts) == []
    # What is looked for would be found.
    assert len(sentences_in(exports.open, texts)) > 10


def test_texts_that_are_not_passed_on_can_be_rebuilt(exports: Exports, resources: Path) -> None:
    corpora = exports.study / "results" / "corpora"
    rebuilt = {
        input_id: text
        for _, input_id, text in rebuilt_texts(exports.closed / "dataset", corpora=corpora)
    }
    suite = parts_by_card(exports.open / "dataset")["suite"]
    assert rebuilt == {row["input_id"]: row["text"] for row in suite}
    assert {row["text"] for row in parts_by_card(exports.closed / "dataset")["suite"]} == {None}
    originals = _texts(exports.study)
    for row in suite:
        assert (row["text"] == originals[row["original_id"]]) == (row["kind"] == "original")
    for record in read_records(exports.open / "evaluations", schemas=resources / "every_eval_ever"):
        for line in record.lines:
            assert line["input"]["raw"] == rebuilt[line["sample_id"]]


def test_nothing_tells_of_the_machine(exports: Exports) -> None:
    held = all_of(exports.closed) + all_of(exports.open)
    for own in (exports.study.parent, Path.home(), Path.cwd(), socket.gethostname()):
        assert not re.search(rf"(?<!\w){re.escape(str(own))}(?!\w)", held)


def test_the_citation_is_carried_along(exports: Exports, root: Path) -> None:
    citation = exports.closed / "dataset" / "CITATION.cff"
    assert citation.read_bytes() == (root / "CITATION.cff").read_bytes()
    assert "CITATION.cff" in (citation.parent / "README.md").read_text(encoding="utf-8")


def test_records_have_the_time_at_which_the_study_ended(exports: Exports) -> None:
    crate = json.loads((exports.study / "ro-crate-metadata.json").read_text(encoding="utf-8"))
    (run,) = (entity for entity in crate["@graph"] if entity["@id"] == "#run")
    ended = pd.Timestamp(run["endTime"]).timestamp()
    snakemake(exports.study, "--cores", "1", "export")
    for path in (exports.study / "results" / "export" / "evaluations").rglob("*.json"):
        printed = json.loads(path.read_text(encoding="utf-8"))
        assert printed["retrieved_timestamp"] == str(int(ended))


def test_an_export_that_cannot_be_made_says_why(exports: Exports) -> None:
    wrong = {"SOURCE_DATE_EPOCH": "yesterday"}
    printed = snakemake(exports.study, "--cores", "1", "export", environment=wrong, succeeds=False)
    assert "SOURCE_DATE_EPOCH: found 'yesterday'; expected whole seconds since 1970" in printed
    without = ("--dry-run", "--configfile", "config/probes.yaml", "--", "export")
    printed = snakemake(exports.study, *without, succeeds=False)
    assert "configuration, key 'datasets': found no dataset" in printed
