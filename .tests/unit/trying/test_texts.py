"""What the terminal says of the rows of a dataset."""

import pyarrow as pa
from hinter.corpora import CORPUS_SCHEMA
from hinter.trying import show_read


def _row(split: str, text: str, *labels: str) -> dict[str, object]:
    tested = split == "tested"
    return {"original_id": text, "split": split, "tested": tested, "text": text, "labels": labels}


def test_rows_labels_splits_and_lengths_are_counted() -> None:
    rows = [_row("tested", "ab", "x"), _row("tested", "abcd", "y"), _row("held_out", "a" * 9, "x")]
    counts = {"rows": 9, "empty": 4, "other_labels": 0, "duplicates": 2, "texts": 3}
    lines = show_read(pa.Table.from_pylist(rows, schema=CORPUS_SCHEMA), counts=counts, tested=2)
    assert [" ".join(line.split()) for line in lines] == [
        "rows 9, of which 3 texts",
        "left out empty 4, duplicates 2",
        "labels x 2, y 1",
        "splits tested 2, held_out 1",
        "characters 2 to 9, half of the texts up to 4",
    ]


def test_a_corpus_without_texts_or_labels_is_told() -> None:
    lines = show_read(
        CORPUS_SCHEMA.empty_table(), counts={"rows": 2, "empty": 2, "texts": 0}, tested=0
    )
    said = " ".join(" ".join(lines).split())
    assert "labels none" in said
    assert "no text in any split" in said
