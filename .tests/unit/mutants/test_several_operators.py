"""Several operators of one study make, of the same texts, what each makes alone."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import gather_mutants
import generate_mutants
import match_controls
import pyarrow.parquet as pq
import pytest
from corpus_files import write_corpus
from described import PERSONS, ROOT, SHEETS, descriptions_of
from hinter.config import OccurrencesSheet, read_sheet
from hinter.config.method import Invariant
from hinter.corpora import Text
from hinter.dictionary import Paired, as_rows, build_groups, pairs_of, read_own_pairs, write_csv
from hinter.mutation import MENTION_RULES, Mutant
from hinter.oracle import select_suite
from result_files import Row

pytestmark = pytest.mark.long

LISTS = read_sheet(ROOT / "config" / "occurrences.yaml", OccurrencesSheet).model_dump()
MUTATION: dict[str, dict[str, Any]] = {
    "describe": {
        "operator": "describe",
        "occurrences": [],
        "mentions": [name for name in MENTION_RULES if name not in ("timeless", "whole_group")],
        "descriptors": 2,
        "lists": LISTS,
        "persons": {**PERSONS, "descriptors": [*SHEETS.values()]},
        "seed": 1,
    },
    "coherent": {"operator": "coherent", "occurrences": ["compound"], "lists": LISTS},
    "literal": {"operator": "literal", "occurrences": [], "lists": None, "words": LISTS},
}
OPERATORS = [*MUTATION]
DESCRIBED = ("age", "body", "control", "race")
TERMS = """attribute,source,target
age,old,young
age,young,elderly
body,blind,deaf
control,film,play
control,film,series
control,house,garden
race,African,Korean
race,French,Thai
race,Korean,African
"""
# Both kinds of operators edit the African and the young one, who are mentioned by their nouns.
TEXTS = (
    "A young African doctor came to the old house. She had seen the French film.",
    "In this film a blind nurse meets a young teacher who told her of an old Korean film.",
    "The film was long, but the French worker and her old friend liked the house.",
)


@pytest.fixture(scope="module")
def texts(reviews: list[Text]) -> list[str]:
    """Return texts that all operators edit, and real reviews."""
    return [*TEXTS, *(review.text for review in reviews[:40])]


Run = Callable[..., Path]


@pytest.fixture(scope="module")
def run(texts: list[str], parser_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Generate the mutants of the texts by some operators in shards, and return their folder."""
    store = tmp_path_factory.mktemp("store")

    def run(operators: Sequence[str], *, shards: int = 1) -> Path:
        folder = tmp_path_factory.mktemp("run")
        write_corpus(folder / "corpus.parquet", [("tested", text) for text in texts])
        _write_dictionary(folder, operators)
        files = [folder / str(shard) for shard in range(1, shards + 1)]
        for number, shard in enumerate(files, start=1):
            shard.mkdir()
            generate_mutants.main(
                **_shared(folder, operators, parser=parser_folder, store=store),
                split="tested",
                shard=number,
                shards=shards,
                orders=[1, 2],
                sample={"orders": [3], "size": 20, "seed": 7, "discarded": False},
                **{name: str(shard / name) for name in ("mutants", "counts", "sampled")},
                occurrences=str(shard / "occurrences"),
            )
        gather_mutants.main(
            shards=[str(shard / "mutants") for shard in files],
            shard_counts=[str(shard / "counts") for shard in files],
            samples=[str(shard / "sampled") for shard in files],
            shard_occurrences=[str(shard / "occurrences") for shard in files],
            sample_size=20,
            **{name: str(folder / name) for name in ("mutants", "counts", "occurrences")},
        )
        return folder

    return run


def _shared(folder: Path, operators: Sequence[str], *, parser: Path, store: Path) -> dict[str, Any]:
    """Return what generation and the matching of controls are both given."""
    return {
        "corpus": str(folder / "corpus.parquet"),
        "pairs": str(folder / "pairs.csv"),
        "parser": str(parser),
        "mutation": [MUTATION[name] for name in operators],
        "invariant": Invariant().model_dump(),
        "store": str(store / "checks"),
        "annotations": str(store / "annotations"),
    }


def _write_dictionary(folder: Path, operators: Sequence[str]) -> None:
    (folder / "terms.csv").write_text(TERMS)
    attributes = ("age", "body", "control", "race")
    terms: list[Paired] = [*read_own_pairs(folder / "terms.csv", attributes=attributes)]
    described: list[Paired] = [*descriptions_of(DESCRIBED, persons=PERSONS, sheets=SHEETS)]
    paired = {name: described if name == "describe" else terms for name in operators}
    write_csv(as_rows(pairs_of(paired)), folder / "pairs.csv")
    groups = [
        {**row, "operator": name}
        for name, curations in paired.items()
        for row in build_groups(curations, posts={})
    ]
    write_csv(groups, folder / "groups.csv")


@pytest.fixture(scope="module")
def together(run: Run) -> Path:
    return run(OPERATORS)


@pytest.fixture(scope="module")
def alone(run: Run) -> dict[str, Path]:
    return {name: run([name]) for name in OPERATORS}


def _rows(path: Path) -> list[Row]:
    rows: list[Row] = pq.read_table(path).to_pylist()
    return rows


def _untold(row: Row) -> Row:
    """Return the row of a mutant with the ids of a study that has its operator alone."""
    tag = f":{row['operator']}:"
    pair_ids = [pair_id.replace(tag, ":") for pair_id in row["pair_ids"]]
    assert all(tag in pair_id for pair_id in row["pair_ids"])
    return row | {"mutant_id": row["mutant_id"].replace(tag, ":"), "pair_ids": pair_ids}


def test_the_mutants_of_several_operators_are_those_of_each(
    together: Path, alone: Mapping[str, Path]
) -> None:
    made = _rows(together / "mutants")
    for name in OPERATORS:
        own = [_untold(row) for row in made if row["operator"] == name]
        assert {row["order"] for row in own} == {1, 2, 3}
        assert own == _rows(alone[name] / "mutants")
    assert len({row["mutant_id"] for row in made}) == len(made)


@pytest.mark.parametrize("kind", ["counts", "occurrences"])
def test_what_is_counted_of_several_operators_is_what_is_counted_of_each(
    kind: str, together: Path, alone: Mapping[str, Path]
) -> None:
    counted = _rows(together / kind)
    for name in OPERATORS:
        own = [row for row in counted if row["operator"] == name]
        assert own
        assert own == _rows(alone[name] / kind)


def test_the_same_span_is_edited_by_several_operators_and_never_by_two_in_a_mutant(
    together: Path, texts: list[str]
) -> None:
    edited: dict[tuple[str, int, int], set[str]] = {}
    for row in _rows(together / "mutants"):
        assert all(f":{row['operator']}:" in pair_id for pair_id in row["pair_ids"])
        text = texts[int(row["original_id"].removeprefix("id"))]
        assert Mutant.of_row(row, text).text != text
        for edit in row["edits"]:
            span = row["original_id"], edit["start"], edit["end"]
            edited.setdefault(span, set()).add(row["operator"])
    assert sum(len(operators) == len(OPERATORS) for operators in edited.values()) > 2


def test_several_operators_make_the_same_bytes_in_any_number_of_shards(
    run: Run, together: Path
) -> None:
    divided = run(OPERATORS, shards=3)
    for kind in ("mutants", "counts", "occurrences"):
        assert (divided / kind).read_bytes() == (together / kind).read_bytes()


def test_the_controls_of_mutants_are_made_by_their_operators(
    together: Path, parser_folder: Path, tmp_path: Path
) -> None:
    select_suite(
        together / "mutants",
        tmp_path / "sampled",
        originals=None,
        pairs_per_attribute=1,
        discarded=False,
        seed=1,
    )
    match_controls.main(
        **_shared(together, OPERATORS, parser=parser_folder, store=tmp_path),
        sampled=str(tmp_path / "sampled"),
        groups=str(together / "groups.csv"),
        seed=1,
        suite=str(tmp_path / "suite"),
        controls=str(tmp_path / "controls"),
    )
    suite = {row["mutant_id"]: row for row in _rows(tmp_path / "suite")}
    matched = [row for row in _rows(tmp_path / "controls") if row["control_id"]]
    found = {
        (suite[row["mutant_id"]]["operator"], suite[row["mutant_id"]]["order"]) for row in matched
    }
    assert found >= {(name, order) for name in OPERATORS for order in (1, 2)}
    for row in matched:
        control = suite[row["control_id"]]
        assert control["operator"] == suite[row["mutant_id"]]["operator"]
        assert all(f":{control['operator']}:" in pair_id for pair_id in control["pair_ids"])
    atomic = [
        (row["original_id"], row["operator"], row["attributes"])
        for row in suite.values()
        if row["order"] == 1 and not row["control"] and row["sampled"] is None
    ]
    assert len({*atomic}) == len(atomic)
