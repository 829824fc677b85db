"""Labels of any spelling have the names of the sheet, or are refused."""

from pathlib import Path

import pytest
from hinter.corpora import label_names
from users_files import (
    WRITERS,
    dataset_sheet,
    prepare,
    refusal_of,
    refusals_of,
    write_csv,
    write_json,
)


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_lists_of_labels_are_named_sorted_and_distinct(suffix: str, tmp_path: Path) -> None:
    cells = {"none": [], "one": [2], "several": [3, 1, 2], "of one name": [2, 4]}
    content = [{"text": text, "label": cell} for text, cell in cells.items()]
    path = WRITERS[suffix](tmp_path / f"texts{suffix}", content)
    names = {"1": "joy", "2": "anger", "3": "fear", "4": "anger"}
    rows, _ = prepare(path, label_names=names, multi_label=True)
    assert {row["text"]: row["labels"] for row in rows} == {
        "none": [],
        "one": ["anger"],
        "several": ["anger", "fear", "joy"],
        "of one name": ["anger"],
    }


def test_list_of_label_names_names_the_values_themselves(path: Path) -> None:
    content = [{"text": "a", "label": "No Waivers"}, {"text": "b", "label": "Waivers"}]
    names = ["Waivers", "No Waivers"]
    rows, _ = prepare(write_csv(path, content), label_names=names)
    assert {row["text"]: row["labels"] for row in rows} == {"a": ["No Waivers"], "b": ["Waivers"]}
    assert list(label_names(dataset_sheet(label_names=names)).values()) == names


def test_labels_without_a_name_are_left_out_if_the_sheet_says_so(tmp_path: Path) -> None:
    cells = {"all known": ["1", "2"], "one of two": ["13", "1"], "none known": ["13"]}
    content = [{"text": text, "label": cell} for text, cell in cells.items()]
    path = write_json(tmp_path / "texts.jsonl", content)
    names = {"1": "one", "2": "two"}
    rows, counts = prepare(path, label_names=names, multi_label=True, other_labels="leave_out")
    assert counts.other_labels == 2
    assert {row["text"]: row["labels"] for row in rows} == {
        "all known": ["one", "two"],
        "one of two": ["one"],
        "none known": [],
    }
    _, *faults = refusals_of(path, label_names=names, multi_label=True)
    assert ["found the label '13'" in fault for fault in faults] == [True, True]


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ([0, 1], "found 2 labels (0, 1); expected one label."),
        ([], "found 0 labels (); expected one label."),
        ([7], "found 0 labels (7); expected one label."),
    ],
)
def test_dataset_of_one_label_each_refuses_other_numbers_of_them(
    cell: list[int], said: str, tmp_path: Path
) -> None:
    content = [{"text": "a", "label": [1]}, {"text": "b", "label": cell}]
    path = write_json(tmp_path / "texts.jsonl", content)
    message = refusal_of(path, other_labels="leave_out")
    assert f"{path}, line 2, column 'label': {said}" in message
