"""Are the mutants that are expected those that are made?"""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hinter.corpora import CORPUS_SCHEMA, Text
from hinter.dictionary import as_rows, write_csv
from hinter.invariant import Reason, check_block
from hinter.mutants import Making, count_mutants, list_orders, open_making
from hinter.trying import expect_mutants, show_corpus, show_expected
from hinter.trying.estimates import CHECKED, examples_of
from literal import word_pairs

PAIRS = ("race:French>Thai", "race:French>Cuban", "gender:man>woman", "gender:he>she")
LITERAL = {"operator": "literal", "lists": None, "words": None, "occurrences": []}
TEXTS = [
    Text("a", "A French man said that he is old. The man left."),
    Text("b", "The film was long."),
    Text("c", "He saw a French film."),
]


@pytest.fixture
def making(tmp_path: Path, parser_folder: Path, default_config: dict[str, Any]) -> Making:
    write_csv(as_rows(word_pairs(PAIRS)), tmp_path / "pairs.csv")
    return open_making(
        tmp_path / "pairs.csv",
        parser=parser_folder,
        mutation=[LITERAL],
        invariant=default_config["invariant"],
        checks=str(tmp_path),
        annotations=str(tmp_path),
    )


def test_numbers_checks_and_recipes_are_those_of_a_study(making: Making) -> None:
    expected = expect_mutants(TEXTS, making=making, orders=[1, 2], seed=1)["literal"]
    operating = making.operators["literal"]
    checked = list(
        check_block(TEXTS, operating=operating, orders=[1, 2], invariant=making.invariant)
    )
    made = count_mutants(checked, operator="literal")
    for order in (1, 2):
        of_order = made.filter(pc.field("order") == order)
        assert expected.mutants[order] == pc.sum(of_order["mutants"]).as_py()
    rows = list_orders(checked, orders=[1, 2], index=operating.index).to_pylist()
    # There are fewer than are checked: all of them are.
    assert len(rows) <= CHECKED
    found = [one for order in (1, 2) for one in expected.checked[order]]
    assert {one.mutant.mutant_id: one.reason is Reason.VALID for one in found} == {
        row["mutant_id"]: row["valid"] for row in rows
    }
    assert expected.mentioning == {"gender": 2, "race": 2}


def test_a_sample_hangs_on_the_seed_and_examples_are_of_many_texts(
    making: Making, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hinter.trying.estimates.CHECKED", 3)
    first, again, other = (
        expect_mutants(TEXTS, making=making, orders=[1, 2], seed=seed)["literal"].checked
        for seed in (1, 1, 2)
    )
    assert first == again != other
    assert {order: len(checked) for order, checked in first.items()} == {1: 3, 2: 3}
    expected = expect_mutants(TEXTS, making=making, orders=[1, 2], seed=1)
    examples = examples_of(expected.values(), most=2)
    assert {one.mutant.original_id for one in examples} == {"a", "c"}


def test_lines_have_numbers_for_all_texts_and_the_changed_sentences(making: Making) -> None:
    expected = expect_mutants(TEXTS, making=making, orders=[1, 2], seed=1)
    lines = list(show_expected(expected, texts=TEXTS, tested=30))
    said = "\n".join(lines)
    assert "3 of 30 tested texts" in said
    assert "gender 2, race 2" in said
    mutants = expected["literal"].mutants[1]
    assert f"order 1     {mutants} mutants; " in said
    assert f"about {10 * mutants}, " in said
    assert any("[Thai]" in line or "[Cuban]" in line for line in lines)
    assert not any("The film was long" in line for line in lines)


def test_texts_without_any_term_have_no_mutants(making: Making) -> None:
    expected = expect_mutants(TEXTS[1:2], making=making, orders=[1, 2], seed=1)
    said = "\n".join(show_expected(expected, texts=TEXTS[1:2], tested=1))
    assert "with something to change: none" in said
    assert "order 2     no mutants" in said


def _row(split: str, text: str, *labels: str) -> dict[str, object]:
    tested = split == "tested"
    return {"original_id": text, "split": split, "tested": tested, "text": text, "labels": labels}


def test_rows_labels_splits_and_lengths_are_counted() -> None:
    rows = [_row("tested", "ab", "x"), _row("tested", "abcd", "y"), _row("held_out", "a" * 9, "x")]
    counts = {"rows": 9, "empty": 4, "other_labels": 0, "duplicates": 2, "texts": 3}
    lines = show_corpus(pa.Table.from_pylist(rows, schema=CORPUS_SCHEMA), counts=counts, tested=2)
    assert [" ".join(line.split()) for line in lines] == [
        "rows 9, of which 3 texts",
        "left out empty 4, duplicates 2",
        "labels x 2, y 1",
        "splits tested 2, held_out 1",
        "characters 2 to 9, half of the texts up to 4",
    ]


def test_a_corpus_without_texts_or_labels_is_told() -> None:
    lines = show_corpus(
        CORPUS_SCHEMA.empty_table(), counts={"rows": 2, "empty": 2, "texts": 0}, tested=0
    )
    said = " ".join(" ".join(lines).split())
    assert "labels none" in said
    assert "no text in any split" in said
