"""The engine's checks are those of the literal algorithms, run mutant by mutant."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice, product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow.parquet as pq
import pytest
from hinter.config import DictionarySheet, read_sheet
from hinter.corpora import Text
from hinter.dictionary import WordPair, build_pairs, check_curation
from hinter.invariant import (
    CheckedText,
    CheckStore,
    Comparator,
    Invariant,
    Parse,
    Parser,
    check_block,
    split_sentences,
)
from hinter.invariant.local import local_keys
from hinter.mutants import MUTANTS_SCHEMA, count_mutants, list_orders
from hinter.mutation import DictionaryIndex, Literal, Mutant, combinations_of, compose, render
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from literal import (
    LiteralCheck,
    RememberingParser,
    literal_answers,
    pairs_of_different_attributes,
    present_pairs,
    substitute,
    word_pairs,
)
from tries import tries

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[3]
REVIEWS = ROOT.parent / "shared" / "data" / "imdb" / "imdb_train.parquet"
NUMBER_OF_REVIEWS = 24
MOST_MUTANTS = 150


class Case(NamedTuple):
    """A text, its word pairs as `attribute:source>target`, and the check on each mutant."""

    text: str
    pairs: tuple[str, ...]
    reasons: dict[str, str]


CASES = {
    "a conforming pair is valid": Case(
        "The man met a woman.",
        ("gender:man>boy", "race:woman>girl"),
        {
            "gender:man>boy": "valid",
            "race:woman>girl": "valid",
            "gender:man>boy|race:woman>girl": "valid",
        },
    ),
    "an inserted word is tolerated": Case(
        "I saw the man in the garden.",
        ("body:man>disabled man",),
        {"body:man>disabled man": "valid"},
    ),
    "another word class fails the tags": Case(
        "I gave him his book.",
        ("gender:his>him", "race:book>books"),
        {
            "gender:his>him": "pos",
            "race:book>books": "pos",
            "gender:his>him|race:book>books": "pos",
        },
    ),
    "another syntax fails the labels": Case(
        "I gave actor the book.", ("gender:actor>actress",), {"gender:actor>actress": "dep"}
    ),
    "of failing sentences with as many terms the first gives the reason": Case(
        "I gave actor the book. I gave him his book.",
        ("body:actor>actress", "gender:his>him"),
        {
            "body:actor>actress": "dep",
            "gender:his>him": "pos",
            "body:actor>actress|gender:his>him": "dep",
        },
    ),
    "of failing sentences that with fewest terms gives the reason": Case(
        "I gave him his dog. I gave actor the book.",
        ("age:actor>actress", "body:dog>cat", "gender:his>him"),
        {
            "age:actor>actress": "dep",
            "body:dog>cat": "valid",
            "gender:his>him": "pos",
            "age:actor>actress|body:dog>cat": "dep",
            "age:actor>actress|gender:his>him": "pos",
            "body:dog>cat|gender:his>him": "pos",
            "age:actor>actress|body:dog>cat|gender:his>him": "dep",
        },
    ),
    "a head that moves is tolerated, as is a word skipped after another": Case(
        "I saw the man in the garden. I saw an actor.",
        ("body:actor>very old", "gender:man>boy"),
        {
            "body:actor>very old": "valid",
            "gender:man>boy": "valid",
            "body:actor>very old|gender:man>boy": "valid",
        },
    ),
    "a lost abbreviation makes a sentence": Case(
        "I saw Dr. Smith. The man slept.",
        ("gender:man>boy", "race:Dr>Professor"),
        {
            "gender:man>boy": "valid",
            "race:Dr>Professor": "sentence_count",
            "gender:man>boy|race:Dr>Professor": "sentence_count",
        },
    ),
    "an abbreviation for an abbreviation makes none": Case(
        "I saw Dr. Smith. The man slept.", ("race:Dr>Mr",), {"race:Dr>Mr": "valid"}
    ),
    "a sentence won and a sentence lost are compared as they now stand": Case(
        "They know Dr. Smith. Who runs? Go and see the man. Now.",
        ("gender:Dr>Professor", "race:man>Mr"),
        {
            "gender:Dr>Professor": "sentence_count",
            "race:man>Mr": "sentence_count",
            "gender:Dr>Professor|race:man>Mr": "valid",
        },
    ),
    "a sentence won and a sentence lost may still fail": Case(
        "The man knows Dr. Smith. She runs. They know a man. People left.",
        ("gender:Dr>Professor", "race:man>Mr"),
        {
            "gender:Dr>Professor": "sentence_count",
            "race:man>Mr": "sentence_count",
            "gender:Dr>Professor|race:man>Mr": "pos",
        },
    ),
    "pairs that share a sentence are checked together": Case(
        "His actor was a British man.",
        ("gender:his>her", "race:British>Nigerian"),
        {
            "gender:his>her": "valid",
            "race:British>Nigerian": "valid",
            "gender:his>her|race:British>Nigerian": "valid",
        },
    ),
    "a term inside a longer one gives way to it": Case(
        "The old man slept.",
        ("age:old man>young man", "gender:man>woman"),
        {"age:old man>young man": "valid", "gender:man>woman": "valid"},
    ),
    "a term inside a longer one stays where it also stands alone": Case(
        "The old man saw a man.",
        ("age:old man>young man", "gender:man>woman"),
        {
            "age:old man>young man": "valid",
            "gender:man>woman": "valid",
            "age:old man>young man|gender:man>woman": "valid",
        },
    ),
    "one source in two attributes makes no mutant of both": Case(
        "The man slept.",
        ("body:man>boy", "gender:man>woman"),
        {"body:man>boy": "valid", "gender:man>woman": "valid"},
    ),
    "three attributes": Case(
        "The old British actor slept.",
        ("age:old>young", "gender:actor>actress", "race:British>Nigerian"),
        {
            "age:old>young": "valid",
            "gender:actor>actress": "valid",
            "race:British>Nigerian": "valid",
            "age:old>young|gender:actor>actress": "valid",
            "age:old>young|race:British>Nigerian": "valid",
            "gender:actor>actress|race:British>Nigerian": "valid",
            "age:old>young|gender:actor>actress|race:British>Nigerian": "valid",
        },
    ),
    "no source": Case("Nobody was there.", ("gender:man>woman",), {}),
}


# Small pools, so that terms meet, overlap and stand in two attributes at once.
SOURCES = {
    "age": ("old man", "old", "young woman", "kids", "Jr", "boy"),
    "body": ("man", "people", "person", "tall", "old man with a cane", "Dr"),
    "gender": ("man", "woman", "he", "his", "her", "Mr", "actor", "brother-in-law", "brother"),
    "race": ("British", "African American", "American", "white man", "Inc", "U"),
}
TARGETS = (
    *("disabled man", "man with a man", "old", "young", "woman", "she", "him", "her", "Mrs", "St"),
    *("Professor", "actress", "Nigerian", "deaf-mute", "person", "girls", "runs", "e", "X", "CEO"),
    *("African American", "people with disabilities", "sister-in-law", "Dr", "Ltd", "kids"),
)
FRAMES = (
    "The {} met the {} in the garden",
    "{}. Smith told a {} about his brother",
    "He works for Acme {}. and knows {}",
    "{} is tall, and {} is old",
    "I gave him his book, said the {}",
    "She left the {}.S. with an American {}",
    "{} {}",
    "My old man saw {}; people saw a white man",
    "Dr. {} and Mr {} ({}.) slept",
    "We know what the {} is",
)
# Before and after a word: plain most of the time.
EDGES = (
    *[("", "")] * 12,
    *[
        ('"', '"'),
        ("(", ")"),
        ("“", ".”"),
        ("", "'s"),
        ("", "’s"),
        ("", "."),
        ("", ","),
        ("'", "'"),
    ],
    *[("", "--who"), ("", "-made"), ("non-", ""), ("-", "-"), ("", "\u0301"), ("_", ""), ("", "2")],
    *[
        ("👍", "👍🏽"),
        ("İ ", ""),
        ("", "..."),
        ("", "?!"),
        ("", ".Smith"),
        ("J.", "."),
        ("", "/man."),
    ],
)
CASINGS = (str, str, str, str.capitalize, str.title, str.upper, str.lower)
ENDS = (".", ".", ".", "!", "?", "...", '."', ".)", "", " Inc.", " man.", "…")
GAPS = (" ", " ", " ", "  ", "\n", "\r\n", "\t", "\u2028", "\n\n")

WORDS = st.builds(
    lambda word, casing, edges: edges[0] + casing(word) + edges[1],
    st.sampled_from(sorted({*chain.from_iterable(SOURCES.values()), "Anna", "garden", "ſtar"})),
    st.sampled_from(CASINGS),
    st.sampled_from(EDGES),
)
SENTENCES = st.builds(
    lambda frame, words, end, gap: frame.format(*words) + end + gap,
    st.sampled_from(FRAMES),
    st.lists(WORDS, min_size=3, max_size=3),
    st.sampled_from(ENDS),
    st.sampled_from(GAPS),
)
TEXTS = st.lists(SENTENCES, min_size=2, max_size=4).map("".join)

# Texts and pairs in which almost every substitution gives or takes a sentence end.
ABBREVIATIONS = ("Dr", "Mr", "Jr", "Inc", "St", "U", "man")
UNSTABLE_SOURCES = dict.fromkeys(SOURCES, ABBREVIATIONS)
UNSTABLE_TARGETS = ("Mrs", "Professor", "X", "old Dr", "Dr of man", "e", "Ltd", "man")
UNSTABLE_TEXTS = st.lists(
    st.builds(
        lambda frame, word, end: frame.format(word) + end,
        st.sampled_from(
            ("I saw {}. Smith", "We know the {}", "{}", "The ({}.) is a man", "A {}.S")
        ),
        st.sampled_from((*ABBREVIATIONS, "house", "Dr.-man", "man/Mr", "DR", "dr")),
        st.sampled_from((". ", "! ", ' ."', '." ', ".\n", "\n", ".) ")),
    ),
    min_size=2,
    max_size=4,
).map("".join)

# Texts and pairs in which most mutants keep tags and labels, and phrases move to other heads.
PLAIN_SOURCES = {
    "age": ("old", "boy"),
    "body": ("person", "man"),
    "gender": ("man", "woman", "actor"),
    "race": ("British", "Nigerian"),
}
PLAIN_TARGETS = ("boy", "girl", "actor", "disabled man", "man", "young", "black", "wheelchair user")
PLAIN_TEXTS = st.lists(
    st.builds(
        str.format,
        st.sampled_from(
            (
                "I saw the {0} in the garden. ",
                "He met an old {0} and a British {1} with a telescope. ",
                "He ate the cake of the {0} with a spoon. ",
                "She gave the {0} to a Nigerian {1} from Rome. ",
            )
        ),
        *[st.sampled_from(("man", "woman", "actor", "person", "boy"))] * 2,
    ),
    min_size=1,
    max_size=3,
).map("".join)


@st.composite
def dictionaries(
    draw: st.DrawFn,
    *,
    attributes: int,
    sources: Mapping[str, Sequence[str]] = SOURCES,
    targets: Sequence[str] = TARGETS,
) -> list[WordPair]:
    """Up to five word pairs of each of some attributes, in the order of their ids."""
    ids = {
        f"{name}:{source}>{target}"
        for name in draw(st.permutations(sorted(sources)))[:attributes]
        for source, target in draw(
            st.lists(
                st.tuples(st.sampled_from(sources[name]), st.sampled_from(targets)),
                min_size=2,
                max_size=5,
            )
        )
        if source.lower() != target.lower()
    }
    return word_pairs(sorted(ids))


class WatchedParser(Parser):
    """A parser that notes what it is asked to tag."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.asked: list[str] = []

    def parse_where(
        self, sentences: Sequence[str], *, tags_pass: Callable[[int, Parse], bool]
    ) -> Iterator[Parse | None]:
        self.asked += sentences
        yield from super().parse_where(sentences, tags_pass=tags_pass)


def invariant_in(
    folder: Path, *, parser: Parser, comparator: Comparator = Comparator.TOLERANT
) -> Invariant:
    """The invariant with its checks below `folder`."""
    return Invariant(parser, comparator, CheckStore(folder, parser=parser, comparator=comparator))


def rows_of(checked: Iterable[CheckedText], *, index: DictionaryIndex) -> list[dict[str, Any]]:
    """A row for every mutant of every order."""
    rows: list[dict[str, Any]] = list_orders(checked, orders=[1, 2, 3, 4], index=index).to_pylist()
    return rows


def check_rows(
    texts: Sequence[Text], *, index: DictionaryIndex, orders: Sequence[int], invariant: Invariant
) -> list[dict[str, Any]]:
    """The rows that the engine makes of texts."""
    checked = check_block(texts, operating=Literal(index), orders=orders, invariant=invariant)
    return rows_of(checked, index=index)


def reasons_of(rows: Iterable[dict[str, Any]]) -> dict[str, str]:
    """The check by mutant_id; every mutant_id must be there once."""
    rows = list(rows)
    for row in rows:
        assert row["valid"] is {None: True, "unchecked": None}.get(row["reason"], False)
    listed = [(row["mutant_id"], row["reason"] or "valid") for row in rows]
    assert len(dict(listed)) == len(listed)
    return dict(listed)


def texts_by_edits(rows: Iterable[dict[str, Any]], *, texts: Sequence[Text]) -> dict[str, str]:
    """The text of each mutant, made of its row alone: of its original and its edits."""
    originals = {text.original_id: text.text for text in texts}
    mutants = [Mutant.of_row(row, originals[row["original_id"]]) for row in rows]
    return {mutant.mutant_id: mutant.text for mutant in mutants}


def texts_by_combination(
    checked: Iterable[CheckedText], *, index: DictionaryIndex
) -> dict[str, str]:
    """The text of each mutant, made of the places that its combination holds."""
    rendered = {}
    for check in chain.from_iterable(text.checks for text in checked):
        choices = [
            [(term, index.pairs[i]) for i in index.by_source[term.attribute][term.source]]
            for term in check.combination.terms
        ]
        for chosen in product(*choices):
            mutant_id = "|".join([check.text.original_id, *(pair.pair_id for _, pair in chosen)])
            edits = compose(check.text.text, [(term, pair.target) for term, pair in chosen])
            rendered[mutant_id], _ = render(check.text.text, edits)
    return rendered


def numbered(texts: Iterable[str]) -> list[Text]:
    """The texts, their ids being their numbers."""
    return [Text(str(number), text) for number, text in enumerate(texts)]


def count_rows(rows: Iterable[dict[str, Any]]) -> Counter[tuple[Any, ...]]:
    """How many rows there are of each kind."""
    keys = ("original_id", "order", "attributes", "reason")
    return Counter(tuple(row[key] for key in keys) for row in rows)


def assert_engine_is_literal(
    texts: Sequence[Text],
    *,
    pairs: Sequence[WordPair],
    orders: Sequence[int],
    invariant: Invariant,
    memory: RememberingParser,
) -> list[dict[str, Any]]:
    """Hold mutants, checks, counts and texts against the literal algorithms; return the rows."""
    index = DictionaryIndex(pairs)
    checked = list(check_block(texts, operating=Literal(index), orders=orders, invariant=invariant))
    rows = rows_of(checked, index=index)
    check = LiteralCheck(
        memory, str(invariant.comparator), invariant.max_sentence_chars, invariant.tail_passes
    )
    answers = literal_answers(texts, pairs=pairs, orders=orders, check=check)
    assert reasons_of(rows) == {key: mutant.reason for key, mutant in answers.items()}
    counts = count_mutants(checked, operator=index.operator).to_pylist()
    assert {tuple(row.values())[:4]: row["mutants"] for row in counts} == count_rows(rows)
    expected = {key: mutant.text for key, mutant in answers.items()}
    assert texts_by_edits(rows, texts=texts) == expected
    assert texts_by_combination(checked, index=index) == expected
    return rows


@pytest.fixture(scope="session")
def curated_pairs() -> list[WordPair]:
    files = sorted((ROOT / "config" / "dictionary").glob("*.yaml"))
    return build_pairs(
        check_curation(read_sheet(path, DictionarySheet).model_dump(), path=path) for path in files
    )


@pytest.fixture(scope="session")
def reviews(curated_pairs: list[WordPair]) -> list[Text]:
    """Real reviews, drawn at equal distances, that have an intersectional mutant and not too many.

    What they have is counted by the literal algorithm, so no mutant can hide from the engine.
    """
    if not REVIEWS.is_file():
        pytest.skip(f"the reviews are not here ({REVIEWS.name})")
    table = pq.read_table(REVIEWS, columns=["text"])
    chosen: list[Text] = []
    for row in range(0, table.num_rows, 37):
        text = table["text"][row].as_py()
        present = present_pairs(text, curated_pairs)
        if 0 < _number_of_mutants(text, present) <= MOST_MUTANTS:
            chosen.append(Text(str(row), text))
        if len(chosen) == NUMBER_OF_REVIEWS:
            break
    return chosen


def _number_of_mutants(text: str, present: Sequence[WordPair]) -> int:
    """The mutants of orders 1 and 2, counted no further than needed; 0 if all are of order 1."""
    most = MOST_MUTANTS - len(present) + 1
    chosen = pairs_of_different_attributes(present, order=2)
    made = (1 for pairs in chosen if substitute(text, pairs) is not None)
    intersectional = sum(islice(made, max(0, most)))
    return intersectional and intersectional + len(present)


@pytest.mark.parametrize("name", CASES)
def test_gives_each_mutant_its_reason(name: str, parser: Parser, tmp_path: Path) -> None:
    case = CASES[name]
    index = DictionaryIndex(word_pairs(case.pairs))
    invariant = invariant_in(tmp_path, parser=parser)
    rows = check_rows([Text("text", case.text)], index=index, orders=[1, 2, 3], invariant=invariant)
    assert reasons_of(rows) == {f"text|{key}": reason for key, reason in case.reasons.items()}


@pytest.mark.parametrize("name", CASES)
def test_the_literal_algorithms_give_each_mutant_its_reason(
    name: str, memory: RememberingParser
) -> None:
    case = CASES[name]
    answers = literal_answers(
        [Text("text", case.text)],
        pairs=word_pairs(case.pairs),
        orders=[1, 2, 3],
        check=LiteralCheck(memory),
    )
    reasons = {key: mutant.reason for key, mutant in answers.items()}
    assert reasons == {f"text|{key}": reason for key, reason in case.reasons.items()}


@pytest.mark.parametrize("comparator", Comparator)
def test_cases_are_literal(
    comparator: Comparator, invariants: Mapping[Comparator, Invariant], memory: RememberingParser
) -> None:
    for case in CASES.values():
        assert_engine_is_literal(
            [Text("text", case.text)],
            pairs=word_pairs(case.pairs),
            orders=[1, 2, 3],
            invariant=invariants[comparator],
            memory=memory,
        )


def test_a_row_states_what_its_mutant_is(parser: Parser, tmp_path: Path) -> None:
    index = DictionaryIndex(word_pairs(["body:man>disabled man", "gender:his>him"]))
    texts = [Text("t", "The man is here. I gave him his book.")]
    invariant = invariant_in(tmp_path, parser=parser)
    checked = check_block(texts, operating=Literal(index), orders=[1, 2], invariant=invariant)
    table = list_orders(checked, orders=[2], index=index)
    assert table.schema == MUTANTS_SCHEMA
    assert table.to_pylist() == [
        {
            "mutant_id": "t|body:man>disabled man|gender:his>him",
            "original_id": "t",
            "order": 2,
            "attributes": "body+gender",
            "pair_ids": ["body:man>disabled man", "gender:his>him"],
            "operator": "literal",
            "edits": [
                {"attribute": "body", "start": 4, "end": 7, "role": "term", "text": "disabled man"},
                {"attribute": "gender", "start": 28, "end": 31, "role": "term", "text": "him"},
            ],
            "one_person": "unknown",
            "valid": False,
            "reason": "pos",
            "sampled": None,
        }
    ]


def test_no_mutant_makes_an_empty_table(parser: Parser, tmp_path: Path) -> None:
    index = DictionaryIndex(word_pairs(["gender:man>woman"]))
    texts = [Text("t", "Nobody."), Text("empty", "")]
    invariant = invariant_in(tmp_path, parser=parser)
    checked = list(check_block(texts, operating=Literal(index), orders=[1], invariant=invariant))
    assert [item.text for item in checked] == texts
    table = list_orders(checked, orders=[1], index=index)
    assert (table.num_rows, table.schema) == (0, MUTANTS_SCHEMA)
    assert count_mutants(checked, operator=index.operator).num_rows == 0


def test_a_sentence_made_of_two_originals_is_judged_against_each(
    parser: Parser, tmp_path: Path
) -> None:
    index = DictionaryIndex(word_pairs(["a:her>his", "b:he>his"]))
    texts = [Text("1", "I gave him her book."), Text("2", "I gave him he book.")]
    invariant = invariant_in(tmp_path, parser=parser)
    rows = check_rows(texts, index=index, orders=[1], invariant=invariant)
    assert reasons_of(rows) == {"1|a:her>his": "valid", "2|b:he>his": "pos"}


def test_an_order_alone_has_the_verdicts_it_has_among_others(
    parser: Parser, tmp_path: Path
) -> None:
    texts = [Text("t", "I saw the man. I gave him his book. The British actor left.")]
    ids = ["a:man>boy", "a:man>men", "b:his>her", "b:his>him", "c:British>Thai", "d:actor>actress"]
    index = DictionaryIndex(word_pairs(ids))
    invariant = invariant_in(tmp_path / "together", parser=parser)
    together = check_rows(texts, index=index, orders=[1, 2, 3, 4], invariant=invariant)
    assert {row["reason"] for row in together} == {None, "pos"}
    for order in (1, 2, 3, 4):
        invariant = invariant_in(tmp_path / str(order), parser=parser)
        expected = [row for row in together if row["order"] == order]
        assert check_rows(texts, index=index, orders=[order], invariant=invariant) == expected


# Sentences of 14 and 60 characters, the second of 61 with Nigerian and 65 with a kind man.
LIMITED = Text("t", "The man slept. The man saw a British actor in the large garden of a friend.")
LIMITED_PAIRS = (
    *("gender:man>boy", "gender:man>kind man", "gender:man>quickly"),
    "race:British>Nigerian",
)


@pytest.mark.parametrize(
    ("limit", "reasons"),
    [
        (None, ["valid", "valid", "pos", "valid"]),
        (65, ["valid", "valid", "pos", "valid"]),
        (61, ["valid", "unchecked", "pos", "valid"]),
        (60, ["valid", "unchecked", "pos", "unchecked"]),
        (59, ["unchecked", "unchecked", "pos", "unchecked"]),
        # The first sentence is not too long, but with quickly it is.
        (14, ["unchecked", "unchecked", "unchecked", "unchecked"]),
    ],
)
def test_a_sentence_over_the_limit_is_unchecked_unless_another_fails(
    limit: int | None, reasons: list[str], parser: Parser, tmp_path: Path
) -> None:
    index = DictionaryIndex(word_pairs(LIMITED_PAIRS))
    invariant = replace(invariant_in(tmp_path, parser=parser), max_sentence_chars=limit)
    rows = check_rows([LIMITED], index=index, orders=[1], invariant=invariant)
    assert [row["reason"] or "valid" for row in rows] == reasons


def test_a_new_limit_holds_whatever_is_known(parser: Parser, tmp_path: Path) -> None:
    index = DictionaryIndex(word_pairs([*LIMITED_PAIRS, "race:British>Thai"]))
    warm = invariant_in(tmp_path / "warm", parser=parser)
    found: list[str] = []
    for limit in (None, 59, None):
        cold = invariant_in(tmp_path / str(len(found)), parser=parser)
        known, new = (
            check_rows(
                [LIMITED],
                index=index,
                orders=[1, 2],
                invariant=replace(invariant, max_sentence_chars=limit),
            )
            for invariant in (warm, cold)
        )
        assert known == new
        found.append(reasons_of(known)["t|race:British>Thai"])
    assert found == ["pos", "unchecked", "pos"]


def test_each_of_many_occurrences_stands_in_its_own_sentence() -> None:
    text = "The man. " * 20_000
    index = DictionaryIndex(word_pairs(["gender:man>woman"]))
    [combination] = combinations_of(text, orders=[1], substituting=Literal(index))
    starts = np.array([start for start, _ in split_sentences(text)])
    keys = local_keys(combination, starts)
    assert [key.position for key in keys] == list(range(20_000))


# Each example only adds to the store, which is what a store is for.
REPEATABLE = settings(
    deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
STRICTER = pytest.mark.parametrize("comparator", [Comparator.STRICT, Comparator.HEADS])


@pytest.mark.release
@settings(REPEATABLE, max_examples=300)
@given(
    texts=st.lists(TEXTS, min_size=1, max_size=3),
    pairs=st.integers(2, 3).flatmap(lambda number: dictionaries(attributes=number)),
    orders=st.sampled_from([[1, 2], [1, 2], [2]]),
)
def test_orders_one_and_two_are_literal(
    texts: list[str],
    pairs: list[WordPair],
    orders: list[int],
    invariants: Mapping[Comparator, Invariant],
    memory: RememberingParser,
) -> None:
    assert_engine_is_literal(
        numbered(texts),
        pairs=pairs,
        orders=orders,
        invariant=invariants[Comparator.TOLERANT],
        memory=memory,
    )


@tries(20, 120)
def test_higher_orders_are_literal(
    tried: int, invariants: Mapping[Comparator, Invariant], memory: RememberingParser
) -> None:
    @settings(REPEATABLE, max_examples=tried)
    @given(
        text=TEXTS,
        pairs=st.integers(3, 4).flatmap(lambda number: dictionaries(attributes=number)),
        orders=st.sampled_from([[1, 2, 3], [3], [1, 2, 3, 4], [4, 2]]),
    )
    def check(text: str, pairs: list[WordPair], orders: list[int]) -> None:
        assert_engine_is_literal(
            numbered([text]),
            pairs=pairs,
            orders=orders,
            invariant=invariants[Comparator.TOLERANT],
            memory=memory,
        )

    check()


@pytest.mark.release
@settings(REPEATABLE, max_examples=200)
@given(
    text=UNSTABLE_TEXTS,
    pairs=dictionaries(attributes=3, sources=UNSTABLE_SOURCES, targets=UNSTABLE_TARGETS),
)
def test_mutants_that_move_sentence_ends_are_literal(
    text: str,
    pairs: list[WordPair],
    invariants: Mapping[Comparator, Invariant],
    memory: RememberingParser,
) -> None:
    assert_engine_is_literal(
        numbered([text]),
        pairs=pairs,
        orders=[1, 2, 3],
        invariant=invariants[Comparator.TOLERANT],
        memory=memory,
    )


@STRICTER
@tries(10, 60)
def test_stricter_comparators_are_literal(
    tried: int,
    comparator: Comparator,
    invariants: Mapping[Comparator, Invariant],
    memory: RememberingParser,
) -> None:
    @settings(REPEATABLE, max_examples=tried)
    @given(
        text=TEXTS,
        pairs=st.integers(2, 4).flatmap(lambda number: dictionaries(attributes=number)),
        orders=st.sampled_from([[1, 2], [1, 2, 3], [3, 4]]),
    )
    def check(text: str, pairs: list[WordPair], orders: list[int]) -> None:
        assert_engine_is_literal(
            numbered([text]),
            pairs=pairs,
            orders=orders,
            invariant=invariants[comparator],
            memory=memory,
        )

    check()


@pytest.mark.release
@STRICTER
@settings(REPEATABLE, max_examples=60)
@given(
    text=PLAIN_TEXTS, pairs=dictionaries(attributes=3, sources=PLAIN_SOURCES, targets=PLAIN_TARGETS)
)
def test_stricter_comparators_are_literal_where_little_changes(
    comparator: Comparator,
    text: str,
    pairs: list[WordPair],
    invariants: Mapping[Comparator, Invariant],
    memory: RememberingParser,
) -> None:
    assert_engine_is_literal(
        numbered([text]),
        pairs=pairs,
        orders=[1, 2, 3],
        invariant=invariants[comparator],
        memory=memory,
    )


@STRICTER
@tries(15, 60)
def test_stricter_comparators_are_literal_where_sentence_ends_move(
    tried: int,
    comparator: Comparator,
    invariants: Mapping[Comparator, Invariant],
    memory: RememberingParser,
) -> None:
    @settings(REPEATABLE, max_examples=tried)
    @given(
        text=UNSTABLE_TEXTS,
        pairs=dictionaries(attributes=3, sources=UNSTABLE_SOURCES, targets=UNSTABLE_TARGETS),
    )
    def check(text: str, pairs: list[WordPair]) -> None:
        assert_engine_is_literal(
            numbered([text]),
            pairs=pairs,
            orders=[1, 2, 3],
            invariant=invariants[comparator],
            memory=memory,
        )

    check()


@tries(20, 100)
def test_limits_on_what_is_compared_are_literal(
    tried: int, invariants: Mapping[Comparator, Invariant], memory: RememberingParser
) -> None:
    @settings(REPEATABLE, max_examples=tried)
    @given(
        text=st.one_of(TEXTS, UNSTABLE_TEXTS),
        pairs=st.one_of(
            dictionaries(attributes=3),
            dictionaries(attributes=3, sources=UNSTABLE_SOURCES, targets=UNSTABLE_TARGETS),
        ),
        comparator=st.sampled_from(Comparator),
        limit=st.integers(5, 60),
        tail_passes=st.booleans(),
    )
    def check(
        text: str, pairs: list[WordPair], comparator: Comparator, limit: int, tail_passes: bool
    ) -> None:
        assert_engine_is_literal(
            numbered([text]),
            pairs=pairs,
            orders=[1, 2, 3],
            invariant=replace(
                invariants[comparator], max_sentence_chars=limit, tail_passes=tail_passes
            ),
            memory=memory,
        )

    check()


@pytest.mark.parametrize("comparator", Comparator)
@pytest.mark.parametrize("limit", [200, pytest.param(None, marks=pytest.mark.release)])
def test_real_reviews_are_literal_and_hold_every_kind_of_check(
    comparator: Comparator,
    limit: int | None,
    reviews: list[Text],
    curated_pairs: list[WordPair],
    invariants: Mapping[Comparator, Invariant],
    memory: RememberingParser,
) -> None:
    assert len(reviews) == NUMBER_OF_REVIEWS
    rows = assert_engine_is_literal(
        reviews,
        pairs=curated_pairs,
        orders=[1, 2],
        invariant=replace(invariants[comparator], max_sentence_chars=limit),
        memory=memory,
    )
    kinds = {(row["order"], row["reason"]) for row in rows}
    reasons = (None, "pos", "dep", *(["unchecked"] if limit else []))
    assert kinds >= {(order, reason) for order in (1, 2) for reason in reasons}


@pytest.mark.parametrize("step", [6, pytest.param(2, marks=pytest.mark.release)])
def test_real_texts_are_judged_alike_in_any_company(
    step: int, reviews: list[Text], curated_pairs: list[WordPair], parser: Parser, tmp_path: Path
) -> None:
    assert_company_is_without_effect(
        reviews[::step], pairs=curated_pairs, parser=parser, folder=tmp_path
    )


def test_texts_are_judged_alike_in_any_company(parser: Parser, tmp_path: Path) -> None:
    texts = [Text(name, case.text) for name, case in CASES.items()]
    pairs = word_pairs(sorted({pair for case in CASES.values() for pair in case.pairs}))
    assert_company_is_without_effect(texts, pairs=pairs, parser=parser, folder=tmp_path)


def assert_company_is_without_effect(
    texts: Sequence[Text], *, pairs: Sequence[WordPair], parser: Parser, folder: Path
) -> None:
    """Compare the rows of each text alone with those from blocks of other sizes and orders."""
    index = DictionaryIndex(pairs)
    invariant = invariant_in(folder / "alone", parser=parser)
    alone = {
        text.original_id: check_rows([text], index=index, orders=[1, 2], invariant=invariant)
        for text in texts
    }
    assert any(alone.values())
    for number, block in enumerate((texts, texts[::-1], texts[1::3])):
        # A store of its own, or the checks would be those of the texts alone.
        invariant = invariant_in(folder / str(number), parser=parser)
        expected = [row for text in block for row in alone[text.original_id]]
        assert check_rows(block, index=index, orders=[1, 2], invariant=invariant) == expected


@pytest.fixture(scope="module")
def watched(parser_folder: Path) -> WatchedParser:
    return WatchedParser(parser_folder)


def watch(
    texts: Sequence[Text],
    *,
    pairs: Sequence[WordPair],
    invariant: Invariant,
    watched: WatchedParser,
) -> tuple[list[dict[str, Any]], set[str]]:
    """The rows that the engine makes of texts, and the sentences it has parsed for them."""
    watched.asked.clear()
    rows = check_rows(
        texts,
        index=DictionaryIndex(pairs),
        orders=[1, 2, 3],
        invariant=replace(invariant, parser=watched),
    )
    return rows, set(watched.asked)


@tries(15, 60)
def test_a_second_run_finds_the_same_and_parses_nothing(
    tried: int, watched: WatchedParser, invariants: Mapping[Comparator, Invariant]
) -> None:
    @settings(REPEATABLE, max_examples=tried)
    @given(
        texts=st.lists(st.one_of(TEXTS, UNSTABLE_TEXTS), min_size=1, max_size=2),
        pairs=st.one_of(
            dictionaries(attributes=3),
            dictionaries(attributes=3, sources=UNSTABLE_SOURCES, targets=UNSTABLE_TARGETS),
        ),
        comparator=st.sampled_from(Comparator),
        limit=st.sampled_from([None, 40]),
    )
    def check(
        texts: list[str], pairs: list[WordPair], comparator: Comparator, limit: int | None
    ) -> None:
        invariant = replace(invariants[comparator], max_sentence_chars=limit)
        rows, _ = watch(numbered(texts), pairs=pairs, invariant=invariant, watched=watched)
        again = watch(numbered(texts), pairs=pairs, invariant=invariant, watched=watched)
        assert again == (rows, set())

    check()


@pytest.mark.parametrize("step", [6, pytest.param(2, marks=pytest.mark.release)])
def test_a_second_run_over_real_reviews_finds_the_same_and_parses_nothing(
    step: int,
    reviews: list[Text],
    curated_pairs: list[WordPair],
    watched: WatchedParser,
    tmp_path: Path,
) -> None:
    cold = invariant_in(tmp_path, parser=watched)
    rows, parsed = watch(reviews[::step], pairs=curated_pairs, invariant=cold, watched=watched)
    assert rows and parsed
    warm = invariant_in(tmp_path, parser=watched)
    again = watch(reviews[::step], pairs=curated_pairs, invariant=warm, watched=watched)
    assert again == (rows, set())


def test_a_pair_more_needs_only_new_sentences_parsed(
    watched: WatchedParser, tmp_path: Path
) -> None:
    texts = numbered(
        [
            "The man slept. His British man ran. A woman saw his dog.",
            "The man saw the British woman. She left.",
            "A British man ran.",
        ]
    )
    pairs = word_pairs(
        ["body:woman>girl", "gender:man>boy", "gender:man>quickly", "race:British>Thai"]
    )
    more_pairs = [*pairs, *word_pairs(["body:woman>lady"])]
    warm, cold = (invariant_in(tmp_path / name, parser=watched) for name in ("warm", "cold"))
    rows, _ = watch(texts, pairs=pairs, invariant=warm, watched=watched)
    more_rows, parsed = watch(texts, pairs=more_pairs, invariant=warm, watched=watched)
    assert parsed == {
        "A woman saw his dog.",
        "A lady saw his dog.",
        "The man saw the British woman.",
        "The man saw the British lady.",
        "The boy saw the British lady.",
        "The man saw the Thai lady.",
        "The boy saw the Thai lady.",
        "The quickly saw the British lady.",
        "The quickly saw the Thai lady.",
    }
    assert [row for row in more_rows if "body:woman>lady" not in row["pair_ids"]] == rows
    assert more_rows == watch(texts, pairs=more_pairs, invariant=cold, watched=watched)[0]


def test_a_pair_more_changes_nothing_else_in_real_reviews(
    reviews: list[Text], curated_pairs: list[WordPair], watched: WatchedParser, tmp_path: Path
) -> None:
    text = reviews[0].text
    added = present_pairs(text, curated_pairs)[0]
    pairs = [pair for pair in curated_pairs if pair != added]
    originals = {text[start:end] for start, end in split_sentences(text)}
    warm, cold = (invariant_in(tmp_path / name, parser=watched) for name in ("warm", "cold"))
    _, first = watch(reviews[:1], pairs=pairs, invariant=warm, watched=watched)
    rows, second = watch(reviews[:1], pairs=curated_pairs, invariant=warm, watched=watched)
    assert second - originals
    assert not (second & first) - originals
    cold_rows, _ = watch(reviews[:1], pairs=curated_pairs, invariant=cold, watched=watched)
    assert rows == cold_rows
