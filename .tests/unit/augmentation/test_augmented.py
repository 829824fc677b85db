"""Which texts are added to a training split (against plain loops), and their export."""

import json
import random
from collections import defaultdict
from hashlib import md5
from pathlib import Path

import fine_tune_encoder
import pytest
from hinter.augmentation import AUGMENTED_SCHEMA, added_texts, export_texts, sample_augmentation
from hinter.corpora import CORPUS_SCHEMA, Text, read_split
from hinter.errors import InputError
from hinter.models import training
from hinter.mutants import MUTANTS_SCHEMA
from result_files import Row, write_rows
from tries import alike

COMBINATIONS = ("a", "b", "c", "a+b", "a+c", "b+c")
SEED = 3


def _mutants(draw: random.Random) -> list[Row]:
    """Return mutants of six originals, many of one combination of attributes and few of others."""
    return [
        {
            "mutant_id": f"o{original}|{attributes}|{number}",
            "original_id": f"o{original}",
            "order": 1 + attributes.count("+"),
            "attributes": attributes,
            "pair_ids": [f"{name}:{number}" for name in attributes.split("+")],
            "edits": [
                {"attribute": attributes[0], "start": 0, "end": 1 + number}
                | {"role": "term", "text": "b"}
            ],
            "operator": "literal",
            "one_person": "yes" if "+" in attributes else None,
            "valid": draw.choice([True, True, True, False, None]),
            "sampled": draw.choice([None, None, None, None, True, False]),
        }
        for original in range(6)
        for attributes in COMBINATIONS
        for number in range(draw.choice([0, 1, 2, 12]))
    ]


def _corpus(path: Path) -> Path:
    """Write the originals, of which the last is tested as well as trained on."""
    rows = [
        {
            "original_id": f"o{number}",
            "split": "training",
            "tested": number == 5,
            "text": f"text {number}",
            "labels": ["x", "y"][: number % 3],
        }
        for number in range(6)
    ]
    return write_rows(path, rows, CORPUS_SCHEMA)


def _files(folder: Path, rows: list[Row]) -> list[Path]:
    """Write the mutants into three files, which an original may be divided among."""
    return [
        write_rows(folder / f"{shard}.parquet", rows[shard::3], MUTANTS_SCHEMA)
        for shard in range(3)
    ]


def _expected(rows: list[Row], *, per_original: int, attributes: set[str]) -> list[Row]:
    """Return the drawn mutants by plain loops: combinations take turns within an original."""
    by_original: dict[str, dict[str, list[tuple[str, Row]]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for row in rows:
        allowed = set(row["attributes"].split("+")) <= attributes
        if row["valid"] and row["sampled"] is None and row["original_id"] != "o5" and allowed:
            key = md5(f"{SEED}:{row['mutant_id']}".encode()).hexdigest()
            by_original[row["original_id"]][row["attributes"]].append((key, row))
    chosen = []
    for combinations in by_original.values():
        turns: list[list[tuple[str, Row]]] = defaultdict(list)  # type: ignore[assignment]
        for members in combinations.values():
            for turn, member in enumerate(sorted(members, key=lambda member: member[0])):
                turns[turn].append(member)
        in_turn = [
            row
            for turn in sorted(turns)
            for _, row in sorted(turns[turn], key=lambda member: member[0])
        ]
        chosen += in_turn[:per_original]
    keys = ("original_id", "order", "attributes", "mutant_id")
    return sorted(chosen, key=lambda row: [row[key] for key in keys])


@alike("seed", [0], [1, 2])
@pytest.mark.parametrize(("per_original", "attributes"), [(4, "abc"), (1, "abc"), (9, "ac")])
def test_valid_mutants_are_drawn_evenly_over_combinations(
    per_original: int, attributes: str, seed: int, tmp_path: Path
) -> None:
    rows = _mutants(random.Random(seed))
    corpus, files = _corpus(tmp_path / "corpus.parquet"), _files(tmp_path, rows)

    def sampled(texts: str) -> list[Row]:
        table = sample_augmentation(
            files,
            corpus=corpus,
            texts=texts,
            per_original=per_original,
            attributes=list(attributes),
            seed=SEED,
        )
        assert table.schema == AUGMENTED_SCHEMA
        return table.to_pylist()

    found = sampled("counterfactuals")
    expected = _expected(rows, per_original=per_original, attributes=set(attributes))
    recipe = AUGMENTED_SCHEMA.names[:-1]
    assert [[row[name] for name in recipe] for row in found] == [
        [row[name] for name in recipe] for row in expected
    ]
    for row in found:
        assert row["labels"] == ["x", "y"][: int(row["original_id"][1]) % 3]
    # The control: each original as often as it has counterfactuals, unchanged, with its labels.
    repeated = sampled("originals")
    assert [row["original_id"] for row in repeated] == [row["original_id"] for row in found]
    assert [row["labels"] for row in repeated] == [row["labels"] for row in found]
    for row in repeated:
        unchanged = (row["mutant_id"], row["order"], row["pair_ids"], row["edits"])
        assert unchanged == (row["original_id"], 0, [], [])


def test_nothing_is_drawn_of_a_corpus_whose_every_text_is_tested(tmp_path: Path) -> None:
    rows = [row | {"original_id": "o5"} for row in _mutants(random.Random(1))]
    with pytest.raises(InputError, match="found no valid mutant of a training text that is not"):
        sample_augmentation(
            _files(tmp_path, rows),
            corpus=_corpus(tmp_path / "corpus.parquet"),
            texts="counterfactuals",
            per_original=4,
            attributes=["a", "b", "c"],
            seed=SEED,
        )


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
