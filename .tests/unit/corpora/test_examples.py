"""Few-shot examples are those that the prompt names, with the labels that it says."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hinter.corpora import (
    Counts,
    fault_of_examples,
    prepare_corpus,
    read_examples,
    read_split,
)
from hinter.errors import InputError
from users_files import GIVEN, dataset_sheet, id_of, ids_tested, prepare, write_csv


def test_examples_are_named_by_the_prompt_and_read_in_its_order(
    given: Path, tmp_path: Path
) -> None:
    names = {"test:2": ("bad",), id_of("text number 5"): ("good",), "train:17": ("good",)}
    sheet = dataset_sheet(split_column="part", splits=GIVEN)
    table, _ = prepare_corpus(given, sheet=sheet, examples=names, seed=1)
    pq.write_table(table, tmp_path / "corpus.parquet")
    read = read_examples(tmp_path / "corpus.parquet", list(names))
    assert [text.text for text in read] == ["text number 26", "text number 5", "text number 17"]
    assert [text.labels for text in read] == list(names.values())
    apart = {row["original_id"]: row for row in table.to_pylist() if row["example"]}
    assert set(apart) == {text.original_id for text in read}
    assert {row["split"] for row in apart.values()} == {"examples"}
    assert not any(row["tested"] for row in apart.values())
    assert ids_tested(table.to_pylist()) == {id_of(f"text number {i}") for i in range(30)} - set(
        apart
    )


def test_rows_of_a_split_are_counted_with_duplicates_and_without_those_left_out(
    path: Path,
) -> None:
    texts = ["a", "left out", "a", "b", "c"]
    content = [
        {"text": text, "label": 0, "part": "train", "kind": text == "left out"} for text in texts
    ]
    content.insert(2, {"text": "d", "label": 0, "part": "test", "kind": False})
    rows, counts = prepare(
        write_csv(path, content),
        where={"kind": "False"},
        split_column="part",
        splits={"tested": None},
        examples={"train:2": ("bad",), "test:0": ("bad",)},
    )
    named = {row["example"]: row["text"] for row in rows if row["example"]}
    assert named == {"train:2": "b", "test:0": "d"}
    assert counts == Counts(rows=6, left_out_by_filter=1, duplicates=1, texts=4)


def test_examples_of_a_dataset_without_labels_need_none(path: Path) -> None:
    write_csv(path, [{"text": "a"}, {"text": "b"}])
    examples = {id_of("a"): ("good",)}
    rows, _ = prepare(path, label=None, label_names={}, examples=examples)
    assert {row["text"]: row["split"] for row in rows} == {"a": "examples", "b": "tested"}


@pytest.mark.parametrize(
    ("examples", "said"),
    [
        (
            {"train:1": ("bad",)},
            "example 'train:1': found the labels (good); expected (bad), as the prompt says.",
        ),
        ({"train:1": ()}, "found the labels (good); expected (), as the prompt says."),
        ({"train:18": ("bad",)}, "found no row 18 of 'train'; expected every example"),
        ({"valid:0": ("bad",)}, "found no row 0 of 'valid'; expected every example"),
        ({"0" * 16: ("bad",)}, f"found no text with original_id {'0' * 16}; expected every"),
        (
            {"train:1": ("good",), id_of("text number 1"): ("good",)},
            f"'{id_of('text number 1')}': found the text of the example 'train:1'; "
            "expected another",
        ),
    ],
)
def test_examples_that_are_not_what_the_prompt_says_are_refused_by_those_that_read_them(
    examples: dict[str, tuple[str, ...]], said: str, given: Path, tmp_path: Path
) -> None:
    sheet = dataset_sheet(split_column="part", splits=GIVEN)
    table, _ = prepare_corpus(given, sheet=sheet, examples=examples, seed=1)
    pq.write_table(table, tmp_path / "corpus.parquet")
    for names in (list(examples), []):
        with pytest.raises(InputError) as caught:
            read_examples(tmp_path / "corpus.parquet", names)
        assert said in str(caught.value)
        assert str(caught.value).startswith(str(given))
    assert len(read_split(tmp_path / "corpus.parquet", split="tested")) > 1


def test_row_of_a_split_names_nothing_without_a_split_column(given: Path) -> None:
    table, _ = prepare_corpus(given, sheet=dataset_sheet(), examples={"train:1": ("good",)}, seed=1)
    assert "found no row 1 of 'train'" in str(fault_of_examples(table.schema))
