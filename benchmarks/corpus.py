"""What the benchmarks share: texts, their mutants, the dictionary and resources."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workflow" / "scripts"))

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from hinter.config import (
    Datasets,
    DescriptorSheet,
    DictionarySheet,
    Models,
    OccurrencesSheet,
    PersonsSheet,
    read_sheet,
)
from hinter.corpora import CORPUS_SCHEMA, Text, prepare_corpus
from hinter.dictionary import as_rows, build_pairs, check_curation, check_descriptions, write_csv
from hinter.invariant import Annotator, CheckStore, Comparator, Invariant, Parser, check_block
from hinter.mutants import list_orders
from hinter.mutation import (
    MENTION_RULES,
    RULES,
    Describing,
    DictionaryIndex,
    Lists,
    Literal,
    Mutant,
    Persons,
    Selective,
    coherent_pairs,
)
from hinter.mutation.describing import PersonWords
from hinter.resources import fetch_resource, read_registry

ROOT = Path(__file__).resolve().parents[1]
ATTRIBUTES = ("body", "gender", "race")
PARSER = "en_core_web_sm"
SEED = 1


def add_texts(parser: argparse.ArgumentParser) -> None:
    """Add the argument that names the texts."""
    parser.add_argument(
        "--texts",
        type=Path,
        help="Parquet file (original_id, text); default: the whole reviews of IMDB",
    )


def read_texts(path: Path | None, *, count: int) -> list[Text]:
    """Return `count` texts at equal distances of a corpus file, or of the reviews of IMDB."""
    table = read_reviews() if path is None else pq.read_table(path)
    rows = np.linspace(0, table.num_rows, min(count, table.num_rows), endpoint=False).astype(int)
    chosen = table.select(["original_id", "text"]).take(rows).to_pylist()
    return [Text(row["original_id"], row["text"]) for row in chosen]


def read_reviews() -> pa.Table:
    """Return the corpus of all whole reviews of IMDB."""
    sheet = read_entries("datasets")["imdb"]
    nothing = dict.fromkeys(sheet["splits"], 0)
    table, _ = prepare_corpus(
        resource_folder(sheet["resource"]) / sheet["file"],
        sheet=sheet | {"max_chars": None, "splits": nothing | {"tested": None}},
        examples={},
        seed=SEED,
    )
    return table


def read_entries(kind: str) -> dict[str, Any]:
    """Return the entries of the datasets or models sheet."""
    models: dict[str, type[Datasets] | type[Models]] = {"datasets": Datasets, "models": Models}
    entries: dict[str, Any] = read_sheet(
        ROOT / "config" / f"{kind}.yaml", models[kind]
    ).model_dump()
    return entries


def write_tested(texts: Sequence[Text], path: Path) -> None:
    """Write the texts as a corpus of tested ones, sorted."""
    rows = [
        {
            "original_id": text.original_id,
            "split": "tested",
            "tested": True,
            "text": text.text,
            "labels": [],
        }
        for text in sorted(texts, key=lambda text: text.original_id)
    ]
    pq.write_table(pa.Table.from_pylist(rows, schema=CORPUS_SCHEMA), path)


def curated_dictionary(
    *, coherent: bool = False, attributes: Sequence[str] = ATTRIBUTES
) -> DictionaryIndex:
    """Return all pairs of the project's dictionary, or those that make coherent mutants."""
    paths = [ROOT / "config" / "dictionary" / f"{attribute}.yaml" for attribute in attributes]
    pairs = build_pairs(
        check_curation(read_sheet(path, DictionarySheet).model_dump(), path=path) for path in paths
    )
    return DictionaryIndex(coherent_pairs(pairs, lists=word_lists()) if coherent else pairs)


def word_lists() -> Lists:
    """Return the words of the project's rules of occurrences."""
    path = ROOT / "config" / "occurrences.yaml"
    return Lists(**read_sheet(path, OccurrencesSheet).model_dump())


def selective(index: DictionaryIndex, *, annotator: Annotator) -> Selective:
    """Return coherent substitution with all rules."""
    persons = Persons(annotator, word_lists())
    return Selective(index, DictionaryIndex([]), persons, tuple(RULES), coherent=True)


def describing(annotator: Annotator) -> Describing:
    """Return the description of persons by all descriptors of the attributes, with all rules."""
    path = ROOT / "config" / "persons.yaml"
    persons = read_sheet(path, PersonsSheet).model_dump()
    sheets = {
        name: read_sheet(ROOT / "config" / "descriptors" / name, DescriptorSheet).model_dump()
        for name in (f"{attribute}.yaml" for attribute in ATTRIBUTES)
    }
    pairs = build_pairs(check_descriptions(sheets, persons=persons, where=str(path)))
    words = PersonWords.of_sheet({**persons, "descriptors": [*sheets.values()]})
    rules = tuple(MENTION_RULES)
    return Describing(
        DictionaryIndex(pairs), annotator, word_lists(), words, rules, most=None, seed=SEED
    )


def write_dictionary(path: Path) -> None:
    """Write all pairs of the project's dictionary."""
    write_csv(as_rows(curated_dictionary().pairs), path)


def resource_folder(name: str) -> Path:
    """Return the folder of a resource, fetched unless it is there."""
    registry = read_registry(ROOT / "data" / "registry.yaml")
    folder = ROOT / "resources" / name
    fetch_resource(name=name, entry=registry[name], folder=folder)
    return folder


def parser_folder() -> Path:
    """Return the folder of the default parser, fetched unless it is there."""
    return resource_folder(PARSER)


def invariant(parser: Parser, *, store: Path) -> Invariant:
    """Return the paper's invariant with the checks known in `store`."""
    comparator = Comparator.TOLERANT
    return Invariant(parser, comparator, CheckStore(store, parser=parser, comparator=comparator))


def valid_mutants(texts: Sequence[Text]) -> tuple[pa.Table, list[str]]:
    """Return the rows of all valid mutants of orders 1 and 2, sorted by original, and their texts.

    All pairs of the project's dictionary are used.
    """
    index = curated_dictionary()
    ordered = sorted(texts, key=lambda text: text.original_id)
    with TemporaryDirectory() as store:
        check = invariant(Parser(parser_folder()), store=Path(store))
        checked = list(
            check_block(ordered, operating=Literal(index), orders=[1, 2], invariant=check)
        )
    rows = list_orders(checked, orders=[1, 2], index=index)
    rows = rows.filter(rows["valid"])
    originals = {text.original_id: text.text for text in texts}
    recipes = rows.to_pylist()
    return rows, [Mutant.of_row(row, originals[row["original_id"]]).text for row in recipes]
