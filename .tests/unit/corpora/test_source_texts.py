"""Texts are read as they are, labels of any spelling are named, and what is left out is counted."""

from pathlib import Path

import pytest
from hinter.corpora import Counts, label_names
from users_files import (
    WRITERS,
    dataset_sheet,
    prepare,
    refusal_of,
    refusals_of,
    texts_of,
    write_csv,
    write_json,
)


def test_only_listed_strings_are_replaced(path: Path) -> None:
    text = ' One<br /><br/><BR /> &amp;  two\t"three", cafe\u0301 caf\u00e9\r\nfour \u2028 '
    rows, _ = prepare(write_csv(path, [{"text": text, "label": 0}]), replacements={"<br />": " "})
    expected = ' One <br/><BR /> &amp;  two\t"three", cafe\u0301 caf\u00e9\r\nfour \u2028 '
    assert texts_of(rows) == {expected}


def test_text_without_replacements_is_left_as_it_is(path: Path) -> None:
    rows, _ = prepare(write_csv(path, [{"text": "a<br />b", "label": 0}]))
    assert texts_of(rows) == {"a<br />b"}


def test_replacements_are_applied_as_they_stand_and_in_their_order(path: Path) -> None:
    write_csv(path, [{"text": "a.b..c+d", "label": 0}])
    rows, _ = prepare(path, replacements={"..": "-", ".": "_", "+": "."})
    assert texts_of(rows) == {"a_b-c.d"}


def test_rows_beside_the_filter_are_left_out_and_counted(path: Path) -> None:
    content = [
        {"text": "kept", "label": 0, "source": "imdb", "part": "1"},
        {"text": "", "label": 9, "source": "other", "part": "1"},
        {"text": "left out", "label": 0, "source": "imdb", "part": "2"},
    ]
    where = {"source": "imdb", "part": "1"}
    rows, counts = prepare(write_csv(path, content), where=where)
    assert texts_of(rows) == {"kept"}
    assert counts == Counts(rows=3, left_out_by_filter=2, texts=1)


def test_texts_longer_than_max_chars_are_left_out_and_counted(path: Path) -> None:
    texts = ["x" * 9, "x" * 10, "x" * 11, "x" * 8 + "<br />" + "y"]
    content = [{"text": text, "label": 0} for text in [*texts, "x" * 11]]
    rows, counts = prepare(write_csv(path, content), max_chars=10, replacements={"<br />": " "})
    assert texts_of(rows) == {"x" * 9, "x" * 10, "x" * 8 + " y"}
    assert counts == Counts(rows=5, longer_than_max_chars=1, duplicates=1, texts=3)


def test_max_chars_null_keeps_texts_of_any_length(path: Path) -> None:
    rows, _ = prepare(write_csv(path, [{"text": "x" * 200_000, "label": 0}]))
    assert texts_of(rows) == {"x" * 200_000}


def test_rows_of_any_accepted_value_are_used(path: Path) -> None:
    content = [{"text": source, "label": 0, "source": source} for source in ("a", "b", "c")]
    rows, counts = prepare(write_csv(path, content), where={"source": ["a", "c"]})
    assert texts_of(rows) == {"a", "c"}
    assert counts == Counts(rows=3, left_out_by_filter=1, texts=2)


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_paragraphs_are_joined_with_line_breaks(suffix: str, tmp_path: Path) -> None:
    content = [{"text": ["1. One.", "", "2.<br />Two."], "label": 0}]
    path = WRITERS[suffix](tmp_path / f"texts{suffix}", content)
    rows, _ = prepare(path, replacements={"<br />": " "})
    assert texts_of(rows) == {"1. One.\n\n2. Two."}


def test_paragraphs_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = write_json(tmp_path / "texts.jsonl", [{"text": ["a", 1], "label": 0}])
    assert "line 1, column 'text': found ['a', 1]; expected a text." in refusal_of(path)


def test_dataset_without_labels_has_none(path: Path) -> None:
    rows, _ = prepare(write_csv(path, [{"text": "a"}]), label=None, label_names={})
    assert [row["labels"] for row in rows] == [[]]


MARKED = "<p>The man&#39;s caf&eacute;</p><p>x &lt; y<br/>A <b>bold</b> R&amp;D&nbsp;man</p>"


@pytest.mark.parametrize("text", ["A man<br/>left.", "<o:p>A man</o:p>", "A <b>man", "A&nbsp;man"])
def test_tags_and_entities_are_counted_each(path: Path, text: str) -> None:
    assert prepare(write_csv(path, [{"text": text, "label": 0}]))[1].with_html == 1


@pytest.mark.parametrize("text", ["From: Ann <ann@lee.org>", "See <https://a.org/b>.", "<3 and 4>"])
def test_addresses_are_no_tags(path: Path, text: str) -> None:
    rows, counts = prepare(write_csv(path, [{"text": text, "label": 0}]), clean="html")
    assert ([row["text"] for row in rows], counts.with_html) == ([text], 0)


@pytest.mark.parametrize(
    ("clean", "text", "marked"),
    [
        (None, MARKED, 1),
        ("html", "\nThe man's café\n\nx < y\nA bold R&D\N{NO-BREAK SPACE}man\n", 0),
    ],
)
def test_html_is_counted_or_cleaned(path: Path, clean: str | None, text: str, marked: int) -> None:
    content = [{"text": MARKED, "label": 0}, {"text": "1 < 2 & 3 > 2; AT&T; a <- b", "label": 1}]
    rows, counts = prepare(write_csv(path, content), clean=clean)
    assert {row["text"] for row in rows} == {text, content[1]["text"]}
    assert counts.with_html == marked


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
