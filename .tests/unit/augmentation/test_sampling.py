"""Which mutants are added to a training split, against plain loops on random mutants."""

import random
from collections import defaultdict
from hashlib import md5
from pathlib import Path

import pytest
from hinter.augmentation import AUGMENTED_SCHEMA, sample_augmentation
from hinter.corpora import CORPUS_SCHEMA
from hinter.errors import InputError
from hinter.mutants import MUTANTS_SCHEMA
from result_files import Row, write_rows

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


@pytest.mark.parametrize("seed", range(3))
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
