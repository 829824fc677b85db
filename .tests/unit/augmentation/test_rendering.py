"""Texts that are trained on beside those of the training split, and their export."""

import json
from pathlib import Path

import fine_tune_encoder
import pytest
from hinter.augmentation import AUGMENTED_SCHEMA, added_texts, export_texts
from hinter.corpora import CORPUS_SCHEMA, Text, read_split
from hinter.models import training
from result_files import Row, write_rows

ORIGINAL = "The actor is British. He is an old friend."
EDITS = [
    {"attribute": "gender", "start": 4, "end": 9, "role": "term", "text": "actress"},
    {"attribute": "race", "start": 13, "end": 20, "role": "term", "text": "Thai"},
    {"attribute": "gender", "start": 22, "end": 24, "role": "subject", "text": "She"},
]
RECIPES: list[Row] = [
    {
        "mutant_id": "t1|gender:actor>actress|race:British>Thai",
        "original_id": "t1",
        "order": 2,
        "attributes": "gender+race",
        "pair_ids": ["gender:actor>actress", "race:British>Thai"],
        "edits": EDITS,
        "labels": ["positive"],
    },
    {
        "mutant_id": "t2",
        "original_id": "t2",
        "order": 0,
        "attributes": "",
        "pair_ids": [],
        "edits": [],
        "labels": [],
    },
]
COUNTERFACTUAL = "The actress is Thai. She is an old friend."


class Files:
    """A corpus with two training texts, and the recipes of the texts to be added."""

    def __init__(self, folder: Path) -> None:
        texts = [
            ("t1", "training", ORIGINAL, ["positive"]),
            ("t2", "training", "Nobody.", []),
            ("v1", "validation", "One.", ["positive"]),
            ("h1", "held_out", "Two.", ["negative"]),
            ("s1", "tested", "The actor is old.", ["negative"]),
        ]
        columns = ("original_id", "split", "text", "labels")
        rows = [dict(zip(columns, text, strict=True)) for text in texts]
        self.corpus = write_rows(
            folder / "corpus.parquet",
            [row | {"tested": row["split"] == "tested"} for row in rows],
            CORPUS_SCHEMA,
        )
        self.recipes = write_rows(folder / "added.parquet", RECIPES, AUGMENTED_SCHEMA)


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def test_recipes_become_texts_with_the_labels_of_their_originals(files: Files) -> None:
    assert added_texts(files.recipes, corpus=files.corpus) == [
        Text(RECIPES[0]["mutant_id"], COUNTERFACTUAL, ("positive",)),
        Text("t2", "Nobody.", ()),
    ]


def test_a_line_holds_both_texts_their_labels_and_the_recipe(files: Files, tmp_path: Path) -> None:
    export_texts(files.recipes, tmp_path / "x.jsonl", corpus=files.corpus)
    lines = (tmp_path / "x.jsonl").read_text(encoding="utf-8").splitlines()
    first, second = map(json.loads, lines)
    names = ("mutant_id", "original_id", "labels", "pair_ids", "edits")
    assert first == {name: RECIPES[0][name] for name in names} | {
        "original": ORIGINAL,
        "text": COUNTERFACTUAL,
    }
    assert (second["original"], second["text"]) == ("Nobody.", "Nobody.")


@pytest.mark.parametrize("augmented", [True, False])
def test_an_encoder_is_trained_on_the_training_split_and_on_what_is_added(
    augmented: bool, files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, list[Text]] = {}

    def remember(base: Path, folder: Path, **inputs: list[Text]) -> dict[str, object]:
        given.update(inputs)
        return {}

    monkeypatch.setattr(training, "fine_tune", remember)
    added = {"added": str(files.recipes)} if augmented else {}
    fine_tune_encoder.main(
        corpus=str(files.corpus),
        base="base",
        model="m",
        dataset="d",
        sheet={
            "fine_tuning": {"epochs": 1, "learning_rate": 1e-4, "batch_size": 2, "patience": None}
            | {"published_as": None},
            "max_tokens": 8,
            "threads": 1,
            "device": "cpu",
        },
        labels=["negative", "positive"],
        multi_label=True,
        seed=1,
        checkpoints="checkpoints",
        folder="folder",
        scores=str(tmp_path / "scores.csv"),
        **added,
    )
    split = read_split(files.corpus, split="training")
    more = added_texts(files.recipes, corpus=files.corpus)
    assert given["texts"] == [*split, *(more if augmented else [])]
    # Neither tested nor held-out texts are among them.
    assert {text.original_id.split("|")[0] for text in given["texts"]} == {"t1", "t2"}
    assert [text.original_id for text in given["validation"]] == ["v1"]
