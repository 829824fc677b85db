"""Training on counterfactuals, whole, on a few texts: what is exported, trained on and compared."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest
import yaml
from hinter.config import read_config
from hinter.dictionary import CONTROL, read_pairs
from hinter.invariant import Annotator, Parser
from hinter.mutation import combinations_of, compose, operating_by, render
from hinter.study import Study
from literal import LiteralCheck, Mutation, RememberingParser
from runs import copy_project, snakemake

AFTER, REPEATED = "minilm-augmented", "minilm-repeated"
RESULTS = "studies/mitigation/results"
TRAINING = 60


def _make_small(folder: Path) -> None:
    """Let the study of the mitigation take few and short texts."""
    sheets = folder / "config" / "mitigation"
    datasets, models = (
        yaml.safe_load((sheets / f"{name}.yaml").read_text()) for name in ("datasets", "models")
    )
    datasets["reviews"] |= {
        "max_chars": 400,
        "splits": {"tested": 400, "held_out": 8, "training": TRAINING},
    }
    for entry in models.values():
        entry["max_tokens"] = 48
    for name, sheet in (("datasets", datasets), ("models", models)):
        (sheets / f"{name}.yaml").write_text(yaml.safe_dump(sheet))


def _lines(results: Path, model: str) -> list[dict[str, Any]]:
    path = results / "augmented" / model / "reviews.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _assert_valid(
    lines: list[dict[str, Any]], *, folder: Path, resources: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Assert that the study's rules and invariant leave each text, made and checked by itself."""
    monkeypatch.chdir(folder)
    default, changes = (
        yaml.safe_load(Path(f"config/{name}.yaml").read_text()) for name in ("config", "mitigation")
    )
    config = read_config(default | changes | {"resources": str(resources)})
    folder_of_parser = resources / str(config.invariant.parser.resource)
    pairs = {
        pair.pair_id: pair
        for pair in read_pairs(folder / RESULTS / "dictionary" / "pairs.csv")
        if pair.attribute != CONTROL
    }
    [substituting] = operating_by(
        Study(config).mutation(),
        pairs=list(pairs.values()),
        annotator=partial(
            Annotator.of_sheet,
            config.invariant.model_dump(),
            parser=folder_of_parser,
            store=folder / "annotations",
        ),
    ).values()
    substituting.prepare(line["original"] for line in lines)
    check = LiteralCheck(RememberingParser(Parser(folder_of_parser)), config.invariant.comparator)
    for line in lines:
        original = line["original"]
        chosen = {
            (pairs[pair_id].attribute, pairs[pair_id].source): pairs[pair_id].target
            for pair_id in line["pair_ids"]
        }
        (terms,) = (
            found.terms
            for found in combinations_of(original, orders=[len(chosen)], substituting=substituting)
            if {(term.attribute, term.source) for term in found.terms} == chosen.keys()
        )
        targets = [chosen[term.attribute, term.source] for term in terms]
        for term, target in zip(terms, targets, strict=True):
            assert target in substituting.index.targets_of(term)
        text, _ = render(original, compose(original, zip(terms, targets, strict=True)))
        assert text == line["text"]
        assert check.reason(original, Mutation(text, [])) == "valid"


def test_a_model_is_trained_on_valid_counterfactuals_and_compared_on_other_texts(
    root: Path, resources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "project"
    copy_project(folder, root=root)
    _make_small(folder)
    study = ["--configfile", "config/mitigation.yaml", "--config", f"resources={resources}"]
    # Its table needs all that is asked here, and other tables do not.
    snakemake(folder, "--cores", "1", *study, "--", f"{RESULTS}/tables/mitigation.csv")
    results = folder / RESULTS
    corpus = {
        row["original_id"]: row
        for row in pq.read_table(results / "corpora" / "reviews.parquet").to_pylist()
    }
    added = _lines(results, AFTER)
    assert added and not any(line["text"] == line["original"] for line in added)
    _assert_valid(added, folder=folder, resources=resources, monkeypatch=monkeypatch)
    repeated = _lines(results, REPEATED)
    assert [line["text"] for line in repeated] == [line["original"] for line in added]
    for line in added + repeated:
        original = corpus[line["original_id"]]
        assert original["split"] == "training"
        assert (line["original"], line["labels"]) == (original["text"], original["labels"])
    # One step for each 16 texts, in one epoch.
    logs = results / "logs" / "fine_tune_encoder"
    for model, texts in (("minilm", TRAINING), (AFTER, TRAINING + len(added))):
        assert f" of {-(-texts // 16)} steps" in (logs / model / "reviews.log").read_text()
    table = pd.read_csv(results / "tables" / "mitigation.csv")
    pairs = set(zip(table["before"], table["after"], strict=True))
    assert pairs == {("minilm", AFTER), ("minilm", REPEATED), (REPEATED, AFTER)}
    assert {"bias", "excess bias", "accuracy", "macro F1"} <= set(table["measure"])
    compared = pq.read_table(results / "verdicts" / AFTER / "reviews.parquet")["original_id"]
    assert {corpus[name]["split"] for name in compared.to_pylist()} == {"tested"}
