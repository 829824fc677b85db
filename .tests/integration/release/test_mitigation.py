"""Training on counterfactuals, whole, on a few texts: what is exported, trained on and compared."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import yaml
from hinter.config import OccurrencesSheet, read_config, read_sheet
from hinter.dictionary import CONTROL, read_pairs
from hinter.invariant import Annotator, Parser
from hinter.mutation import substituting_by
from literal import LiteralCheck, RememberingParser, literal_mutants
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


def _assert_valid(lines: list[dict[str, Any]], *, folder: Path, resources: Path) -> None:
    """Assert that the study's rules and invariant leave each text, made and checked by itself."""
    results = folder / RESULTS
    default, changes = (
        yaml.safe_load((folder / "config" / f"{name}.yaml").read_text())
        for name in ("config", "mitigation")
    )
    config = read_config(default | changes).model_dump()
    words = read_sheet(folder / config["occurrences_sheet"], OccurrencesSheet).model_dump()
    assert config["mutation"]["occurrences"]
    parser = Parser(resources / config["invariant"]["parser"]["resource"])
    annotator = partial(
        Annotator.of_sheet,
        config["invariant"],
        parser=resources / config["invariant"]["parser"]["resource"],
        store=folder / "annotations",
    )
    pairs = {
        pair.pair_id: pair
        for pair in read_pairs(results / "dictionary" / "pairs.csv")
        if pair.attribute != CONTROL
    }
    substituting = substituting_by(
        config["mutation"] | {"lists": words}, pairs=list(pairs.values()), annotator=annotator
    )
    substituting.prepare(line["original"] for line in lines)
    check = LiteralCheck(RememberingParser(parser), config["invariant"]["comparator"])
    for line in lines:
        made = literal_mutants(
            line["original_id"],
            line["original"],
            pairs=[pairs[pair_id] for pair_id in line["pair_ids"]],
            orders=[len(line["pair_ids"])],
            check=check,
            places=substituting.places(line["original"]),
        )
        assert made[line["mutant_id"]] == (line["text"], "valid")


def test_a_model_is_trained_on_valid_counterfactuals_and_compared_on_other_texts(
    root: Path, resources: Path, tmp_path: Path
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
    _assert_valid(added, folder=folder, resources=resources)
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
