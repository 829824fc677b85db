"""Files of mutants: the same bytes for any division of the work, and counts that agree."""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from time import sleep
from typing import Any

import gather_mutants
import generate_mutants
import pyarrow.parquet as pq
import pytest
from corpus_files import numbered_id, write_corpus
from hinter.config import OccurrencesSheet, read_sheet
from hinter.corpora import Text
from hinter.dictionary import WordPair, as_rows, write_csv
from hinter.invariant import (
    CheckedText,
    CheckStore,
    Comparator,
    Invariant,
    Parse,
    Parser,
    check_block,
)
from hinter.mutants import (
    COUNTS_SCHEMA,
    MUTANTS_SCHEMA,
    OCCURRENCES_SCHEMA,
    count_mutants,
    list_orders,
)
from hinter.mutation import DictionaryIndex, Literal
from hinter.provenance import SCRIPTS
from literal import word_pairs

pytestmark = pytest.mark.long

PAIRS = (
    *("age:kids>adults", "age:old>elderly", "age:old>young"),
    *("body:strong>deaf", "body:tall>blind", "body:tall>in_a_wheelchair"),
    *("gender:Dr>Professor", "gender:actor>actress", "gender:his>her", "gender:his>him"),
    *("gender:man>boy", "gender:man>woman", "race:American>Cuban", "race:British>Thai"),
)
SPLITS = ("tested", "training", "held_out")
LIMIT = 120
TEXTS = (
    "An old man meets a tall British actor who has lost his way. I gave him his money back!",
    "The old British man is tall, and his kids are strong. American kids will love it.",
    "A tall American actor plays an old man. It is his best film so far.",
    "Nobody was there.",
    # Longer than the limit, so unchecked.
    "My kids saw it with a British man whom they had met in the garden of the old house on the "
    "hill, where his American wife and a tall, strong actor were waiting for them.",
    # Another term makes two sentences of the first.
    "We know Dr. Smith, a tall British man. His kids are old.",
    "One man, one film.",
    "An American film about strong kids. The old actor is British, and he is good.",
)
Row = dict[str, Any]


def _index_of(pair_ids: Iterable[str]) -> DictionaryIndex:
    """An index of word pairs written `attribute:source>target`, with `_` for spaces."""
    pairs = []
    for pair_id in pair_ids:
        attribute, words = pair_id.split(":")
        source, target = words.replace("_", " ").split(">")
        pairs.append(WordPair(pair_id, attribute, "one", "another", source, target))
    return DictionaryIndex(pairs)


INDEX = _index_of(PAIRS)


# Counts.


@pytest.fixture(scope="module")
def checked(parser: Parser, tmp_path_factory: pytest.TempPathFactory) -> list[CheckedText]:
    folder = tmp_path_factory.mktemp("checks")
    store = CheckStore(folder, parser=parser, comparator=Comparator.TOLERANT)
    invariant = Invariant(parser, Comparator.TOLERANT, store, max_sentence_chars=LIMIT)
    texts = [Text(numbered_id(number * len(SPLITS)), text) for number, text in enumerate(TEXTS)]
    return list(check_block(texts, operating=Literal(INDEX), orders=[1, 2, 3], invariant=invariant))


def _counted(rows: Iterable[Row]) -> Counter[tuple[Any, ...]]:
    return Counter(
        (row["original_id"], row["order"], row["attributes"], row["reason"]) for row in rows
    )


def test_counts_are_those_of_the_listed_mutants(checked: list[CheckedText]) -> None:
    listed = list_orders(checked, orders=[1, 2, 3], index=INDEX)
    counted = count_mutants(checked, operator="literal")
    assert (listed.schema, counted.schema) == (MUTANTS_SCHEMA, COUNTS_SCHEMA)
    expected = _counted(listed.to_pylist())
    assert {reason for *_, reason in expected} == {
        None,
        "unchecked",
        "sentence_count",
        "pos",
        "dep",
    }
    keys = [tuple(row[name] for name in COUNTS_SCHEMA.names[:-2]) for row in counted.to_pylist()]
    assert dict(zip(keys, counted["mutants"].to_pylist(), strict=True)) == expected
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("orders", [[], [1], [3, 1], [2]])
def test_orders_that_are_not_listed_are_counted(
    orders: list[int], checked: list[CheckedText]
) -> None:
    everything = list_orders(checked, orders=[1, 2, 3], index=INDEX).to_pylist()
    listed = list_orders(checked, orders=orders, index=INDEX).to_pylist()
    assert listed == [row for row in everything if row["order"] in orders]
    assert set(count_mutants(checked, operator="literal")["order"].to_pylist()) == {1, 2, 3}


def test_a_text_without_mutants_has_no_rows(checked: list[CheckedText]) -> None:
    nobody = [text for text in checked if text.text.text == "Nobody was there."]
    assert count_mutants(nobody, operator="literal") == COUNTS_SCHEMA.empty_table()
    assert list_orders(nobody, orders=[1, 2, 3], index=INDEX) == MUTANTS_SCHEMA.empty_table()


# The scripts.

Run = Callable[..., Path]
LITERAL = {"operator": "literal", "occurrences": [], "lists": None, "words": None}
SHEET = Path(__file__).resolve().parents[3] / "config" / "occurrences.yaml"
WORDS = read_sheet(SHEET, OccurrencesSheet).model_dump()


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, parser_folder: Path) -> Run:
    """Generate the mutants of a small corpus in shards, gather them, return the folder of files."""
    inputs = tmp_path_factory.mktemp("inputs")
    rows = [(split, text) for text in TEXTS for split in SPLITS]
    corpus = write_corpus(inputs / "corpus.parquet", rows, group=4)

    def generate(
        folder: Path,
        *,
        shard: int,
        shards: int,
        store: Path,
        comparator: str,
        mutation: Mapping[str, Any],
    ) -> None:
        pairs = [replace(pair, operator=mutation["operator"]) for pair in INDEX.pairs]
        write_csv(as_rows(pairs), folder / "pairs.csv")
        generate_mutants.main(
            corpus=str(corpus),
            pairs=str(folder / "pairs.csv"),
            parser=str(parser_folder),
            split="tested",
            shard=shard,
            shards=shards,
            orders=[1, 2],
            sample={"orders": [3], "size": 40, "seed": 7, "discarded": False},
            mutation=[dict(mutation)],
            invariant={
                "parser": {"batch_size": 16, "device": "cpu"},
                "comparator": comparator,
                "max_sentence_chars": LIMIT,
                "tags": "penn",
                "capitals": "kept",
                "tail": "checked",
            },
            store=str(store),
            annotations=str(folder / "annotations"),
            mutants=str(folder / f"mutants{shard}.parquet"),
            counts=str(folder / f"counts{shard}.parquet"),
            sampled=str(folder / f"sampled{shard}.parquet"),
            occurrences=str(folder / f"occurrences{shard}.parquet"),
        )

    def run(
        *,
        shards: int,
        store: Path,
        comparator: str = "tolerant",
        mutation: Mapping[str, Any] = LITERAL,
    ) -> Path:
        folder = tmp_path_factory.mktemp("run")
        numbers = range(1, shards + 1)
        for shard in numbers:
            generate(
                folder,
                shard=shard,
                shards=shards,
                store=store,
                comparator=comparator,
                mutation=mutation,
            )
        gather_mutants.main(
            shards=[str(folder / f"mutants{shard}.parquet") for shard in numbers],
            shard_counts=[str(folder / f"counts{shard}.parquet") for shard in numbers],
            samples=[str(folder / f"sampled{shard}.parquet") for shard in numbers],
            shard_occurrences=[str(folder / f"occurrences{shard}.parquet") for shard in numbers],
            sample_size=40,
            mutants=str(folder / "mutants.parquet"),
            counts=str(folder / "counts.parquet"),
            occurrences=str(folder / "occurrences.parquet"),
        )
        return folder

    return run


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the store that `whole` left."""
    return tmp_path_factory.mktemp("store")


@pytest.fixture(scope="module")
def whole(run: Run, store: Path) -> Path:
    """The folder of a run in one shard, on an empty store."""
    assert list(store.iterdir()) == []
    return run(shards=1, store=store)


def _gathered(folder: Path) -> tuple[bytes, bytes]:
    return (folder / "mutants.parquet").read_bytes(), (folder / "counts.parquet").read_bytes()


def _metadata(path: Path) -> dict[str, str]:
    metadata = pq.read_schema(path).metadata or {}
    return {key.decode(): value.decode() for key, value in metadata.items()}


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sentences that are parsed from now on."""
    sentences: list[str] = []
    parse_where = Parser.parse_where

    def noting(parser: Parser, asked: Sequence[str], **settings: Any) -> Iterator[Parse | None]:
        sentences.extend(asked)
        return parse_where(parser, asked, **settings)

    monkeypatch.setattr(Parser, "parse_where", noting)
    return sentences


def test_gathered_files_hold_all_mutants_listed_and_the_drawn_ones(
    whole: Path, checked: list[CheckedText]
) -> None:
    listed = list_orders(checked, orders=[1, 2], index=INDEX)
    mutants = pq.read_table(whole / "mutants.parquet")
    assert mutants.slice(0, listed.num_rows) == listed
    sampled = mutants.slice(listed.num_rows)
    assert sampled.num_rows == 40
    possible = list_orders(checked, orders=[3], index=INDEX).to_pylist()
    valid = [row | {"sampled": True} for row in possible if row["valid"]]
    assert len(valid) > 40
    assert all(row in valid for row in sampled.to_pylist())
    assert pq.read_table(whole / "counts.parquet") == count_mutants(checked, operator="literal")


@pytest.mark.parametrize(
    ("shards", "characters", "size"),
    [
        (1, 150, 100_000),
        pytest.param(2, 100_000, 1, marks=pytest.mark.release),
        (5, 1, 7),
        pytest.param(11, 100_000, 100_000, marks=pytest.mark.release),
    ],
)
def test_gathered_files_are_the_same_bytes_for_any_division(
    shards: int,
    characters: int,
    size: int,
    run: Run,
    whole: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("generate_mutants.CHARACTERS_AT_ONCE", characters)
    monkeypatch.setattr("generate_mutants.SIZE_AT_ONCE", size)
    monkeypatch.setattr("hinter.invariant.engine.CHARACTERS_AT_ONCE", characters)
    assert _gathered(run(shards=shards, store=tmp_path)) == _gathered(whole)


@pytest.mark.parametrize(
    "operator", [pytest.param("literal", marks=pytest.mark.release), "coherent"]
)
def test_rules_and_chains_are_the_same_for_any_division(
    operator: str, run: Run, checked: list[CheckedText], tmp_path: Path
) -> None:
    rules = ["part_of_longer_term", "country_named", "gender_told"]
    mutation = {"operator": operator, "occurrences": rules, "lists": WORDS}
    one, three = (
        run(shards=shards, store=tmp_path / str(shards), mutation=mutation) for shards in (1, 3)
    )
    assert _gathered(one) == _gathered(three)
    left = pq.read_table(one / "occurrences.parquet")
    assert left.schema == OCCURRENCES_SCHEMA
    assert left == pq.read_table(three / "occurrences.parquet")
    texts = {text.text.original_id: text.text.text for text in checked}
    for row in left.to_pylist():
        found = texts[row["original_id"]][row["start"] : row["end"]]
        assert found.lower() == row["source"].lower()
        assert (row["rule"] is None) == (row["targets"] > 0)
    assert {*left["rule"].to_pylist()} > {None}
    rows = pq.read_table(one / "mutants.parquet").to_pylist()
    assert rows
    for row in rows:
        assert {edit["attribute"] for edit in row["edits"]} == {*row["attributes"].split("+")}


def test_literal_mutants_of_several_attributes_say_whether_they_concern_one_person(
    run: Run, tmp_path: Path
) -> None:
    one, three = (
        run(shards=shards, store=tmp_path / str(shards), mutation=LITERAL | {"words": WORDS})
        for shards in (1, 3)
    )
    assert _gathered(one) == _gathered(three)
    told = {
        (row["order"], row["one_person"])
        for row in pq.read_table(one / "mutants.parquet").to_pylist()
    }
    assert {(1, None), (2, "no"), (3, "no")} <= told
    assert told <= {(1, None), *product((2, 3), ("yes", "no", "unknown"))}


def test_literal_substitution_leaves_no_occurrence_alone(whole: Path) -> None:
    rows = pq.read_table(whole / "occurrences.parquet").to_pylist()
    atomic = pq.read_table(whole / "mutants.parquet", filters=[("order", "=", 1)]).to_pylist()
    counted = Counter((row["original_id"], row["source"]) for row in rows)
    assert {row["rule"] for row in rows} == {None}
    for row in atomic:
        source = row["pair_ids"][0].partition(":")[2].partition(">")[0]
        assert counted[row["original_id"], source] == len(row["edits"])


LONG_MUTATIONS = {
    "literal": LITERAL,
    "coherent": LITERAL
    | {"operator": "coherent", "occurrences": ["country_named"], "lists": WORDS},
}
# What the system tells of an ended process counts the memory of the one that started it, too.
LONG_JOB = """
import sys
import generate_mutants

calls = 0

def count(frame, event, argument):
    global calls
    calls += event in ("call", "c_call")

sys.setprofile(count)
generate_mutants.main(**{settings!r})
sys.setprofile(None)
print("Calls:", calls, open("/proc/self/status").read())
"""


@pytest.mark.release
@pytest.mark.parametrize("mutation", LONG_MUTATIONS)
def test_a_text_without_a_sentence_end_takes_work_and_memory_in_proportion(
    mutation: str, parser_folder: Path, default_config: dict[str, Any], tmp_path: Path
) -> None:
    clause = "the man saw a British woman and "
    works, peaks = [], []
    for clauses in (5_000, 20_000):
        folder = tmp_path / str(clauses)
        folder.mkdir()
        pairs = word_pairs(["gender:man>boy", "race:British>Thai"])
        own = [replace(pair, operator=mutation) for pair in pairs]
        write_csv(as_rows(own), folder / "pairs.csv")
        corpus = write_corpus(folder / "corpus.parquet", [("tested", clause * clauses)], group=4)
        files = ("mutants", "counts", "sampled", "occurrences")
        settings = {
            "corpus": str(corpus),
            "pairs": str(folder / "pairs.csv"),
            "parser": str(parser_folder),
            "split": "tested",
            "shard": 1,
            "shards": 1,
            "orders": [1, 2],
            "sample": {"orders": [], "size": 1, "seed": 7, "discarded": False},
            "mutation": [LONG_MUTATIONS[mutation]],
            "invariant": default_config["invariant"],
            "store": str(folder),
            "annotations": str(folder / "annotations"),
            **{name: str(folder / name) for name in files},
        }
        command = [sys.executable, "-c", LONG_JOB.format(settings=settings)]
        done = subprocess.run(command, cwd=SCRIPTS, stdout=subprocess.PIPE, text=True, check=True)
        numbers = re.search(r"Calls: (\d+) .*VmHWM:\s+(\d+) kB", done.stdout, re.DOTALL)
        assert numbers
        works.append(int(numbers[1]))
        peaks.append(int(numbers[2]) * 1024)
        reasons = pq.read_table(folder / "mutants")["reason"].to_pylist()
        # Where nothing is parsed, no rule can tell which occurrences count.
        assert reasons == (["unchecked"] * 3 if mutation == "literal" else [])
    assert works[1] < 4.5 * works[0]
    more = len(clause) * (20_000 - 5_000)
    assert peaks[1] - peaks[0] < 300 * more
    assert peaks[1] < 1_500_000_000


@pytest.mark.parametrize(
    "shards", [2, *(pytest.param(number, marks=pytest.mark.release) for number in (1, 5))]
)
def test_a_second_run_parses_nothing_and_writes_the_same_bytes(
    shards: int, run: Run, whole: Path, store: Path, parsed: list[str]
) -> None:
    entries = {path: path.stat().st_mtime_ns for path in store.rglob("*")}
    assert entries
    assert _gathered(run(shards=shards, store=store)) == _gathered(whole)
    assert parsed == []
    assert {path: path.stat().st_mtime_ns for path in store.rglob("*")} == entries


def test_a_killed_run_is_continued_from_its_store(
    run: Run,
    whole: Path,
    store: Path,
    tmp_path: Path,
    parsed: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("generate_mutants.CHARACTERS_AT_ONCE", 1)
    job = get_context("fork").Process(target=run, kwargs={"shards": 1, "store": tmp_path})
    job.start()
    while not list(tmp_path.rglob("*.checks")):
        sleep(0.01)
    job.kill()
    job.join()
    kept = len(list(tmp_path.rglob("*.checks")))
    assert 0 < kept < len(list(store.rglob("*.checks")))
    assert _gathered(run(shards=1, store=tmp_path)) == _gathered(whole)
    continued = len(parsed)
    run(shards=1, store=tmp_path / "cold")
    assert 0 < continued < len(parsed) - continued


def test_another_comparator_judges_anew_on_the_same_store(
    run: Run, whole: Path, store: Path, tmp_path: Path, parsed: list[str]
) -> None:
    strict = run(shards=1, store=store, comparator="strict")
    assert parsed
    assert _gathered(strict) == _gathered(run(shards=1, store=tmp_path, comparator="strict"))
    tolerant = pq.read_table(whole / "counts.parquet")
    assert pq.read_table(strict / "counts.parquet") != tolerant
    assert _metadata(strict / "mutants.parquet")["comparator"] == "strict"
    assert _gathered(run(shards=1, store=store)) == _gathered(whole)


@pytest.mark.parametrize("name", ["mutants", "counts", "mutants1", "counts1"])
def test_files_say_what_decided_their_checks(name: str, whole: Path, parser: Parser) -> None:
    assert _metadata(whole / f"{name}.parquet") == {
        "parser": parser.fingerprint,
        "comparator": "tolerant",
        "max_sentence_chars": f"{LIMIT}",
        "tail": "checked",
    }
