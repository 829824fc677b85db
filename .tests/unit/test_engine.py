"""The engine's verdicts are those of the literal algorithms, run mutant by mutant."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice, product
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.parquet as pq
import pytest
from hinter.corpora import Text
from hinter.dictionary import WordPair, build_pairs, read_curation
from hinter.invariant import (
    MUTANTS_SCHEMA,
    Parser,
    Verdicts,
    check_block,
    mutants_table,
    split_sentences,
)
from hinter.invariant.local import local_keys
from hinter.mutation import DictionaryIndex, Substitution, combinations_of, place_pairs, render
from hypothesis import given, settings
from hypothesis import strategies as st
from literal import (
    LiteralCheck,
    Mutant,
    literal_mutants,
    pairs_of_different_attributes,
    present_pairs,
    substitute,
)

ROOT = Path(__file__).resolve().parents[2]
REVIEWS = ROOT.parent / "shared" / "data" / "imdb" / "imdb_train.parquet"
NUMBER_OF_REVIEWS = 24
MOST_MUTANTS = 150


class Case(NamedTuple):
    """A text, its word pairs as `attribute:source>target`, and the verdict on each mutant."""

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
    "the first failing sentence in text order gives the reason": Case(
        "I gave actor the book. I gave him his book.",
        ("body:actor>actress", "gender:his>him"),
        {
            "body:actor>actress": "dep",
            "gender:his>him": "pos",
            "body:actor>actress|gender:his>him": "dep",
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
        "I saw Dr. Smith. The man slept.",
        ("race:Dr>Mr",),
        {"race:Dr>Mr": "valid"},
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
    "pairs that share a sentence are judged together": Case(
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


def word_pairs(pair_ids: Iterable[str]) -> list[WordPair]:
    """The word pairs with ids that read `attribute:source>target`, spaces kept."""
    pairs = []
    for pair_id in pair_ids:
        attribute, words = pair_id.split(":")
        source, target = words.split(">")
        pairs.append(WordPair(pair_id, attribute, "one", "another", source, target))
    return pairs


def rows_of(verdicts: Iterable[Verdicts], *, index: DictionaryIndex) -> list[dict[str, Any]]:
    return mutants_table(verdicts, index=index).to_pylist()


def reasons_of(rows: Iterable[dict[str, Any]]) -> dict[str, str]:
    """The verdict by mutant_id; every mutant_id must be there once."""
    rows = list(rows)
    assert all(row["valid"] == (row["reason"] is None) for row in rows)
    listed = [(row["mutant_id"], row["reason"] or "valid") for row in rows]
    assert len(dict(listed)) == len(listed)
    return dict(listed)


def texts_by_placing(
    rows: Iterable[dict[str, Any]], *, texts: Sequence[Text], pairs: Sequence[WordPair]
) -> dict[str, str]:
    """The text of each mutant, made of its row alone: of its original and the ids of its pairs."""
    originals = {text.original_id: text.text for text in texts}
    by_id = {pair.pair_id: pair for pair in pairs}
    rendered = {}
    for row in rows:
        original = originals[row["original_id"]]
        placed = place_pairs(original, [by_id[pair_id] for pair_id in row["pair_ids"]])
        rendered[row["mutant_id"]] = render(original, chain.from_iterable(placed))
    return rendered


def texts_by_combination(verdicts: Iterable[Verdicts], *, index: DictionaryIndex) -> dict[str, str]:
    """The text of each mutant, made of the places that its combination holds."""
    rendered = {}
    for verdict in verdicts:
        choices = [
            [(term, index.pairs[i]) for i in index.by_source[term.attribute][term.source]]
            for term in verdict.combination.terms
        ]
        for chosen in product(*choices):
            mutant_id = "|".join([verdict.text.original_id, *(pair.pair_id for _, pair in chosen)])
            rendered[mutant_id] = render(
                verdict.text.text,
                [Substitution(span, pair.target) for term, pair in chosen for span in term.spans],
            )
    return rendered


def literal_answers(
    texts: Iterable[Text],
    *,
    pairs: Sequence[WordPair],
    orders: Sequence[int],
    check: LiteralCheck,
) -> dict[str, Mutant]:
    answers: dict[str, Mutant] = {}
    for text in texts:
        answers |= literal_mutants(
            text.original_id, text.text, pairs=pairs, orders=orders, check=check
        )
    return answers


def assert_engine_is_literal(
    texts: Sequence[Text],
    *,
    pairs: Sequence[WordPair],
    orders: Sequence[int],
    parser: Parser,
    check: LiteralCheck,
) -> None:
    """Hold mutants, verdicts and rendered texts of the engine against the literal algorithms."""
    index = DictionaryIndex(pairs)
    verdicts = list(check_block(texts, index=index, orders=orders, parser=parser))
    rows = rows_of(verdicts, index=index)
    answers = literal_answers(texts, pairs=pairs, orders=orders, check=check)
    assert reasons_of(rows) == {key: mutant.reason for key, mutant in answers.items()}
    expected = {key: mutant.text for key, mutant in answers.items()}
    assert texts_by_placing(rows, texts=texts, pairs=pairs) == expected
    assert texts_by_combination(verdicts, index=index) == expected


@pytest.fixture(scope="session")
def check(parser: Parser) -> LiteralCheck:
    """Algorithm 2, with one memory of parses for all tests."""
    return LiteralCheck(parser)


@pytest.fixture(scope="session")
def curated_pairs() -> list[WordPair]:
    schema = ROOT / "config" / "schemas" / "dictionary.schema.yaml"
    files = sorted((ROOT / "config" / "dictionary").glob("*.yaml"))
    return build_pairs(read_curation(path, schema=schema) for path in files)


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
def test_gives_each_mutant_its_reason(name: str, parser: Parser, check: LiteralCheck) -> None:
    case = CASES[name]
    texts, pairs = [Text("text", case.text)], word_pairs(case.pairs)
    index = DictionaryIndex(pairs)
    rows = rows_of(check_block(texts, index=index, orders=[1, 2, 3], parser=parser), index=index)
    expected = {f"text|{key}": reason for key, reason in case.reasons.items()}
    assert reasons_of(rows) == expected
    answers = literal_answers(texts, pairs=pairs, orders=[1, 2, 3], check=check)
    assert {key: mutant.reason for key, mutant in answers.items()} == expected


def test_a_row_states_what_its_mutant_is(parser: Parser) -> None:
    index = DictionaryIndex(word_pairs(["body:man>disabled man", "gender:his>him"]))
    texts = [Text("t", "The man is here. I gave him his book.")]
    table = mutants_table(check_block(texts, index=index, orders=[2], parser=parser), index=index)
    assert table.schema == MUTANTS_SCHEMA
    assert table.to_pylist() == [
        {
            "mutant_id": "t|body:man>disabled man|gender:his>him",
            "original_id": "t",
            "order": 2,
            "attributes": "body+gender",
            "pair_ids": ["body:man>disabled man", "gender:his>him"],
            "valid": False,
            "reason": "pos",
        }
    ]


def test_no_mutant_makes_an_empty_table(parser: Parser) -> None:
    index = DictionaryIndex(word_pairs(["gender:man>woman"]))
    texts = [Text("t", "Nobody."), Text("empty", "")]
    table = mutants_table(check_block(texts, index=index, orders=[1], parser=parser), index=index)
    assert (table.num_rows, table.schema) == (0, MUTANTS_SCHEMA)


def test_a_sentence_made_of_two_originals_is_judged_against_each(parser: Parser) -> None:
    index = DictionaryIndex(word_pairs(["a:her>his", "b:he>his"]))
    texts = [Text("1", "I gave him her book."), Text("2", "I gave him he book.")]
    rows = rows_of(check_block(texts, index=index, orders=[1], parser=parser), index=index)
    assert reasons_of(rows) == {"1|a:her>his": "valid", "2|b:he>his": "pos"}


def test_an_order_alone_has_the_verdicts_it_has_among_others(parser: Parser) -> None:
    texts = [Text("t", "I saw the man. I gave him his book. The British actor left.")]
    ids = ["a:man>boy", "a:man>men", "b:his>her", "b:his>him", "c:British>Thai", "d:actor>actress"]
    index = DictionaryIndex(word_pairs(ids))
    together = rows_of(
        check_block(texts, index=index, orders=[1, 2, 3, 4], parser=parser), index=index
    )
    assert {row["reason"] for row in together} == {None, "pos"}
    for order in (1, 2, 3, 4):
        verdicts = check_block(texts, index=index, orders=[order], parser=parser)
        expected = [row for row in together if row["order"] == order]
        assert rows_of(verdicts, index=index) == expected


def test_each_of_many_occurrences_stands_in_its_own_sentence() -> None:
    text = "The man. " * 20_000
    index = DictionaryIndex(word_pairs(["gender:man>woman"]))
    [combination] = combinations_of(index.matcher.find(text), index=index, orders=[1])
    keys = local_keys(combination, split_sentences(text))
    assert [key.position for key in keys] == list(range(20_000))


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    texts=st.lists(TEXTS, min_size=1, max_size=3),
    pairs=st.integers(2, 3).flatmap(lambda number: dictionaries(attributes=number)),
    orders=st.sampled_from([[1, 2], [1, 2], [2]]),
)
def test_orders_one_and_two_are_literal(
    texts: list[str],
    pairs: list[WordPair],
    orders: list[int],
    parser: Parser,
    check: LiteralCheck,
) -> None:
    numbered = [Text(str(number), text) for number, text in enumerate(texts)]
    assert_engine_is_literal(numbered, pairs=pairs, orders=orders, parser=parser, check=check)


@settings(max_examples=120, deadline=None, derandomize=True)
@given(
    text=TEXTS,
    pairs=st.integers(3, 4).flatmap(lambda number: dictionaries(attributes=number)),
    orders=st.sampled_from([[1, 2, 3], [3], [1, 2, 3, 4], [4, 2]]),
)
def test_higher_orders_are_literal(
    text: str, pairs: list[WordPair], orders: list[int], parser: Parser, check: LiteralCheck
) -> None:
    assert_engine_is_literal(
        [Text("0", text)], pairs=pairs, orders=orders, parser=parser, check=check
    )


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    text=UNSTABLE_TEXTS,
    pairs=dictionaries(attributes=3, sources=UNSTABLE_SOURCES, targets=UNSTABLE_TARGETS),
)
def test_mutants_that_move_sentence_ends_are_literal(
    text: str, pairs: list[WordPair], parser: Parser, check: LiteralCheck
) -> None:
    assert_engine_is_literal(
        [Text("0", text)], pairs=pairs, orders=[1, 2, 3], parser=parser, check=check
    )


def test_real_reviews_are_literal(
    reviews: list[Text], curated_pairs: list[WordPair], parser: Parser, check: LiteralCheck
) -> None:
    assert len(reviews) == NUMBER_OF_REVIEWS
    assert_engine_is_literal(
        reviews, pairs=curated_pairs, orders=[1, 2], parser=parser, check=check
    )


def test_real_reviews_hold_every_kind_of_verdict(
    reviews: list[Text], curated_pairs: list[WordPair], parser: Parser
) -> None:
    index = DictionaryIndex(curated_pairs)
    rows = rows_of(check_block(reviews, index=index, orders=[1, 2], parser=parser), index=index)
    kinds = {(row["order"], row["reason"]) for row in rows}
    assert kinds >= {(order, reason) for order in (1, 2) for reason in (None, "pos", "dep")}


def test_real_texts_are_judged_alike_in_any_company(
    reviews: list[Text], curated_pairs: list[WordPair], parser: Parser
) -> None:
    assert_company_is_without_effect(reviews[::2], pairs=curated_pairs, parser=parser)


def test_texts_are_judged_alike_in_any_company(parser: Parser) -> None:
    texts = [Text(name, case.text) for name, case in CASES.items()]
    pairs = word_pairs(sorted({pair for case in CASES.values() for pair in case.pairs}))
    assert_company_is_without_effect(texts, pairs=pairs, parser=parser)


def assert_company_is_without_effect(
    texts: Sequence[Text], *, pairs: Sequence[WordPair], parser: Parser
) -> None:
    """Compare the rows of each text alone with those from blocks of other sizes and orders."""
    index = DictionaryIndex(pairs)
    alone = {}
    for text in texts:
        verdicts = check_block([text], index=index, orders=[1, 2], parser=parser)
        alone[text.original_id] = rows_of(verdicts, index=index)
    assert any(alone.values())
    for block in (texts, texts[::-1], texts[1::3]):
        verdicts = check_block(block, index=index, orders=[1, 2], parser=parser)
        expected = [row for text in block for row in alone[text.original_id]]
        assert rows_of(verdicts, index=index) == expected
