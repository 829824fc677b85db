"""Which texts are tried, and which are refused."""

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import hinter
import pyarrow.parquet as pq
import pytest
from described import PERSONS, SHEETS, descriptions_of
from hinter.config import OccurrencesSheet, read_sheet
from hinter.dictionary import as_rows, build_pairs, write_csv
from hinter.errors import InputError
from hinter.mutants import open_making
from hinter.mutation import MENTION_RULES
from hinter.trying import read_tried, write_mutants
from literal import word_pairs


def test_each_line_of_a_file_is_a_text_once(tmp_path: Path) -> None:
    path = tmp_path / "texts.txt"
    path.write_text("\ufeffA blind man.\r\n\nA film.\nA film.\n", encoding="utf-8")
    assert [text.text for text in read_tried(None, file=str(path))] == ["A blind man.", "A film."]


def test_one_text_is_kept_as_it_is() -> None:
    assert [text.text for text in read_tried("A blind man.", file=None)] == ["A blind man."]


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (b"", "found no text"),
        (b" \n\n", "found no text"),
        (b"A film.\na\0b\n", "line 2: found a NUL character"),
        (b"A film.\nCaf\xe9\n", "line 2: found the byte 0xe9"),
    ],
)
def test_a_bad_file_is_refused_with_one_line(tmp_path: Path, written: bytes, told: str) -> None:
    path = tmp_path / "texts.txt"
    path.write_bytes(written)
    with pytest.raises(InputError, match=told):
        read_tried(None, file=str(path))


def test_neither_both_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="found neither"):
        read_tried(None, file=None)
    with pytest.raises(InputError, match="found both"):
        read_tried("A film.", file="texts.txt")
    with pytest.raises(InputError, match="no such file"):
        read_tried(None, file=str(tmp_path / "none.txt"))


def test_texts_are_read_from_standard_input() -> None:
    program = (
        "from hinter.trying import read_tried\n"
        "print(*[text.text for text in read_tried(None, file='-')], sep='|')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(hinter.__file__).parents[1],
        input="\ufeff# 1: a nurse\r\n\n- a 'blind' man\nCaf\u00e9\n",
        encoding="utf-8",
        capture_output=True,
        check=True,
    )
    assert done.stdout.strip() == "# 1: a nurse|- a 'blind' man|Caf\u00e9"


def test_all_lines_that_cannot_be_tried_are_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "texts.txt"
    path.write_bytes(b"A film.\na\0b\nA play.\n\0\n")
    with pytest.raises(InputError) as caught:
        read_tried(None, file=str(path))
    first, *faults = str(caught.value).splitlines()
    assert "found 2 faults" in first
    for number, told in zip((2, 4), faults, strict=True):
        assert f"line {number}: found a NUL" in told


ROOT = Path(__file__).resolve().parents[3]
LISTS = read_sheet(ROOT / "config" / "occurrences.yaml", OccurrencesSheet).model_dump()
DESCRIBE = {
    "operator": "describe",
    "lists": LISTS,
    "mentions": [*MENTION_RULES],
    "persons": {**PERSONS, "descriptors": [*SHEETS.values()]},
    "descriptors": None,
    "seed": 1,
}
COHERENT = {"operator": "coherent", "lists": LISTS, "occurrences": ["compound", "language"]}
LITERAL = {"operator": "literal", "lists": None, "words": None, "occurrences": []}
PAIRS = ("race:French>Thai", "race:French>Cuban", "gender:man>woman", "gender:he>she")
SAID = {
    "described": (
        DESCRIBE,
        "I met a young doctor. Any worker may leave.",
        [
            "  doctor:",
            "    age        young > elderly",
            "    body       blind, deaf, hard-of-hearing",
            "    race       African, Korean",
            "  worker: left alone by general: a statement is about anybody of a kind "
            "(any person, a worker shall)",
        ],
    ),
    "no mention": (
        DESCRIBE,
        "The film was long.",
        ["  no mention of a person by a noun of the persons sheet (config/persons.yaml)"],
    ),
    "coherent": (
        COHERENT,
        "A man saw French fries.",
        [
            "  man:",
            "    gender     woman",
            "  French: left alone by compound: a term is part of a fixed expression, or a noun in "
            "a compound",
        ],
    ),
    "literal": (
        LITERAL,
        "The man and the man ate French fries.",
        ["  man (2 times):", "    gender     woman", "  French:", "    race       Thai, Cuban"],
    ),
    "no term": (
        LITERAL,
        "The film was long.",
        ["  no term of the dictionary occurs (results/dictionary/pairs.csv has them)"],
    ),
}


@pytest.mark.parametrize("how", SAID)
def test_what_a_text_mentions_is_told(
    how: str, parser_folder: Path, default_config: dict[str, Any], tmp_path: Path
) -> None:
    mutation: Mapping[str, Any]
    mutation, text, lines = SAID[how]
    described = build_pairs(
        descriptions_of(["age", "body", "race"], persons=PERSONS, sheets=SHEETS)
    )
    pairs = [
        replace(pair, operator=mutation["operator"])
        for pair in (described if mutation is DESCRIBE else word_pairs(PAIRS))
    ]
    write_csv(as_rows(pairs), tmp_path / "pairs.csv")
    texts = read_tried(text, file=None)
    told = write_mutants(
        texts,
        making=open_making(
            tmp_path / "pairs.csv",
            parser=parser_folder,
            mutation=[mutation],
            invariant=default_config["invariant"],
            checks=str(tmp_path),
            annotations=str(tmp_path),
        ),
        orders=[1, 2],
        pairs_per_attribute=1,
        seed=1,
        folder=tmp_path,
    )
    assert "\n".join(told[texts[0].original_id]).split("\n") == lines
    made = pq.read_table(tmp_path / "mutants.parquet").num_rows
    assert (made == 0) == how.startswith("no ")
