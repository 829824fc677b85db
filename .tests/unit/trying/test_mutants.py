"""What the terminal tells of the mentions and occurrences of a tried text."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from described import PERSONS, SHEETS, descriptions_of
from hinter.config import OccurrencesSheet, read_sheet
from hinter.dictionary import as_rows, build_pairs, write_rows
from hinter.mutants import open_making
from hinter.mutation import MENTION_RULES
from hinter.trying import read_tried, write_mutants
from literal import word_pairs

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
    write_rows(as_rows(pairs), tmp_path / "pairs.csv")
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
