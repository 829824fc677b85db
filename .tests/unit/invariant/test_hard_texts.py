"""Texts that are hard to take apart: every mutant gets a check, and the literal one."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import pytest
from hinter.corpora import Text
from hinter.invariant import Comparator, Invariant, Parser, check_block
from hinter.mutants import count_mutants, list_orders
from hinter.mutation import DictionaryIndex, Literal
from hypothesis import given, settings
from hypothesis import strategies as st
from literal import LiteralCheck, Mutant, RememberingParser, literal_answers, word_pairs
from tries import alike, tries

pytestmark = pytest.mark.long

REASONS = {None, "unchecked", "sentence_count", "pos", "dep"}


class Hard(NamedTuple):
    """A text, the word pairs, and the text and check of each mutant."""

    text: str
    pairs: tuple[str, ...]
    mutants: dict[str, Mutant]


BOY = "gender:man>boy"
NIGERIAN = "race:British>Nigerian"
OLDER = "age:man>old man"

HARD = {
    "no sentence end": Hard(
        "the man met a British actor",
        (BOY, NIGERIAN),
        {
            BOY: Mutant("the boy met a British actor", "valid"),
            NIGERIAN: Mutant("the man met a Nigerian actor", "valid"),
            f"{BOY}|{NIGERIAN}": Mutant("the boy met a Nigerian actor", "valid"),
        },
    ),
    "one word": Hard("man", (BOY,), {BOY: Mutant("boy", "valid")}),
    "no text": Hard("", (BOY,), {}),
    "white space": Hard(" \t\r\n\u2028\u00a0", (BOY,), {}),
    "full stops": Hard("... . .. ! man ?", (BOY,), {BOY: Mutant("... . .. ! boy ?", "valid")}),
    "white space around": Hard(
        "\n\n  A man ran.\t\n", (BOY,), {BOY: Mutant("\n\n  A boy ran.\t\n", "valid")}
    ),
    "emoji beside a term": Hard(
        "👍The man👍🏽 slept.", (BOY,), {BOY: Mutant("👍The boy👍🏽 slept.", "pos")}
    ),
    "an emoji of several characters": Hard(
        "👨‍👩‍👧 The man slept. 🏳️‍🌈", (BOY,), {BOY: Mutant("👨‍👩‍👧 The boy slept. 🏳️‍🌈", "pos")}
    ),
    "Hebrew around a term": Hard(
        "הוא ראה man ברחוב. The man slept.",
        (BOY,),
        {BOY: Mutant("הוא ראה boy ברחוב. The boy slept.", "pos")},
    ),
    "Hebrew joined to a term": Hard("הman slept. manה slept.", (BOY,), {}),
    "Arabic with its own full stops": Hard(
        "رأى الرجل man۔ هل man؟ The man slept.",
        (BOY,),
        {BOY: Mutant("رأى الرجل boy۔ هل boy؟ The boy slept.", "pos")},
    ),
    "marks of direction": Hard(
        "The \u200fman\u200e slept. \u202eThe man\u202c ran.",
        (BOY,),
        {BOY: Mutant("The \u200fboy\u200e slept. \u202eThe boy\u202c ran.", "valid")},
    ),
    "combining characters on a term": Hard(
        "The man\u0301 met a ma\u0301n, o\u0308man.", (BOY,), {}
    ),
    "combining characters beside a term": Hard(
        "The cafe\u0301 man slept.", (BOY,), {BOY: Mutant("The cafe\u0301 boy slept.", "valid")}
    ),
    "terms in hyphenated words": Hard(
        "A man-made, non-British plan of a British-man.", (BOY, NIGERIAN), {}
    ),
    "terms beside dashes": Hard(
        "The man--who slept--ran.", (BOY,), {BOY: Mutant("The boy--who slept--ran.", "valid")}
    ),
    "overlapping terms": Hard(
        "The white old man slept.",
        ("age:old man>young man", "race:white old>black young"),
        {
            "age:old man>young man": Mutant("The white young man slept.", "valid"),
            "race:white old>black young": Mutant("The black young man slept.", "valid"),
        },
    ),
    "overlapping terms, each also alone": Hard(
        "The white old man saw an old man.",
        ("age:old man>young man", "race:white old>black young"),
        {
            "age:old man>young man": Mutant("The white young man saw an young man.", "valid"),
            "race:white old>black young": Mutant("The black young man saw an old man.", "valid"),
            "age:old man>young man|race:white old>black young": Mutant(
                "The black young man saw an young man.", "valid"
            ),
        },
    ),
    "a term that repeats its own start": Hard(
        "A man man man slept.",
        ("age:man man>old man", BOY),
        {
            "age:man man>old man": Mutant("A old man man slept.", "pos"),
            BOY: Mutant("A boy boy boy slept.", "valid"),
            f"age:man man>old man|{BOY}": Mutant("A old man boy slept.", "pos"),
        },
    ),
    "a replacement that holds its own source": Hard(
        "The man saw a man.", (OLDER,), {OLDER: Mutant("The old man saw a old man.", "valid")}
    ),
    "a replacement that holds another source": Hard(
        "The man saw a British dog.",
        ("gender:man>British man", NIGERIAN),
        {
            "gender:man>British man": Mutant("The British man saw a British dog.", "valid"),
            NIGERIAN: Mutant("The man saw a Nigerian dog.", "valid"),
            f"gender:man>British man|{NIGERIAN}": Mutant(
                "The British man saw a Nigerian dog.", "valid"
            ),
        },
    ),
    "carriage returns": Hard(
        "The man slept\r\nA man ran.\r\n\rThe man left\r",
        (BOY,),
        {BOY: Mutant("The boy slept\r\nA boy ran.\r\n\rThe boy left\r", "valid")},
    ),
    "a term broken over two lines": Hard(
        "An old\r\nman slept.",
        ("age:old man>boy",),
        {"age:old man>boy": Mutant("An boy slept.", "valid")},
    ),
    "a word broken over two lines": Hard(
        "The fire-\nman slept.",
        ("gender:fireman>firewoman", BOY),
        {"gender:fireman>firewoman": Mutant("The firewoman slept.", "valid")},
    ),
    "terms in tags, and parted by them": Hard(
        '<a title="the man">The man</a> met an <b>old</b> man.',
        (BOY, "age:old man>boy"),
        {BOY: Mutant('<a title="the man">The boy</a> met an <b>old</b> boy.', "valid")},
    ),
    "NUL": Hard(
        "The man\x00 slept.\x00 A\x00man ran.",
        (BOY,),
        {BOY: Mutant("The boy\x00 slept.\x00 A\x00boy ran.", "pos")},
    ),
    "other control characters": Hard(
        "The man\x07 slept \x1b[1mwith a man\x7f.",
        (BOY,),
        {BOY: Mutant("The boy\x07 slept \x1b[1mwith a boy\x7f.", "pos")},
    ),
    "separators of records": Hard(
        "The man slept\x1eThe man ran\x85The man left",
        (BOY,),
        {BOY: Mutant("The boy slept\x1eThe boy ran\x85The boy left", "valid")},
    ),
    "letters that change their number with their case": Hard(
        "İİ straße The man slept. ŉ man",
        (BOY,),
        {BOY: Mutant("İİ straße The boy slept. ŉ boy", "dep")},
    ),
}


def answers_of(
    text: str, *, pairs: Sequence[str], orders: Sequence[int], invariant: Invariant
) -> dict[str, str]:
    """The engine's checks by mutant_id; counts and rows must agree."""
    index = DictionaryIndex(word_pairs(pairs))
    texts = [Text("t", text)]
    checked = list(check_block(texts, operating=Literal(index), orders=orders, invariant=invariant))
    rows = list_orders(checked, orders=orders, index=index).to_pylist()
    assert {row["reason"] for row in rows} <= REASONS
    counted = count_mutants(checked, operator=index.operator)["mutants"].to_pylist()
    assert sum(counted) == len(rows)
    return {row["mutant_id"].removeprefix("t|"): row["reason"] or "valid" for row in rows}


def literal_mutants_of(
    text: str, *, pairs: Sequence[str], orders: Sequence[int], check: LiteralCheck
) -> dict[str, Mutant]:
    answers = literal_answers(
        [Text("t", text)], pairs=word_pairs(pairs), orders=orders, check=check
    )
    return {mutant_id.removeprefix("t|"): mutant for mutant_id, mutant in answers.items()}


@pytest.mark.parametrize("name", HARD)
def test_hard_texts_have_their_mutants_and_checks(
    name: str, invariants: Mapping[Comparator, Invariant], memory: RememberingParser
) -> None:
    text, pairs, mutants = HARD[name]
    assert (
        literal_mutants_of(text, pairs=pairs, orders=[1, 2], check=LiteralCheck(memory)) == mutants
    )
    answers = answers_of(
        text, pairs=pairs, orders=[1, 2], invariant=invariants[Comparator.TOLERANT]
    )
    assert answers == {key: mutant.reason for key, mutant in mutants.items()}


@pytest.mark.parametrize("comparator", Comparator)
def test_hard_texts_are_literal_with_every_comparator(
    comparator: Comparator, invariants: Mapping[Comparator, Invariant], memory: RememberingParser
) -> None:
    check = LiteralCheck(memory, comparator.value)
    for text, pairs, _ in HARD.values():
        expected = literal_mutants_of(text, pairs=pairs, orders=[1, 2], check=check)
        answers = answers_of(text, pairs=pairs, orders=[1, 2], invariant=invariants[comparator])
        assert answers == {key: mutant.reason for key, mutant in expected.items()}


CLAUSE = "the man saw a woman and "
LONG_PAIRS = ("gender:man>boy", "race:woman>women")
LONG_TEXTS = {
    "a sentence": (CLAUSE * 5000)[:100_000],
    "marks after a letter": "The man a" + "\u0301" * 100_000,
    "a word with bars": "man/" * 25_000,
    "a word with full stops": "man." * 25_000,
    "full stops after a word": "The man" + "." * 100_000,
    "short sentences": "The man ran. " * 8_000,
}


@alike("name", list(LONG_TEXTS)[:2], list(LONG_TEXTS)[2:])
def test_100_kilobytes_have_a_check(name: str, invariants: Mapping[Comparator, Invariant]) -> None:
    invariant = invariants[Comparator.HEADS]
    answers = answers_of(
        LONG_TEXTS[name], pairs=["gender:man>boy"], orders=[1], invariant=invariant
    )
    assert set(answers.values()) <= {"valid", "pos", "dep"}
    assert len(answers) == 1


def test_a_long_sentence_with_two_terms_has_a_check(
    invariants: Mapping[Comparator, Invariant],
) -> None:
    answers = answers_of(
        LONG_TEXTS["a sentence"],
        pairs=LONG_PAIRS,
        orders=[2],
        invariant=invariants[Comparator.TOLERANT],
    )
    # As many words with other tags: the plural.
    assert answers == {"gender:man>boy|race:woman>women": "pos"}


def test_a_long_sentence_over_the_limit_is_unchecked(
    invariants: Mapping[Comparator, Invariant],
) -> None:
    invariant = replace(invariants[Comparator.TOLERANT], max_sentence_chars=10_000)
    text = f"The man slept. {LONG_TEXTS['a sentence']}"
    answers = answers_of(
        text, pairs=[*LONG_PAIRS, "gender:man>quickly"], orders=[1, 2], invariant=invariant
    )
    assert answers == {
        "gender:man>boy": "unchecked",
        "gender:man>quickly": "pos",
        "race:woman>women": "unchecked",
        "gender:man>boy|race:woman>women": "unchecked",
        "gender:man>quickly|race:woman>women": "pos",
    }


def test_a_long_sentence_that_replacements_leave_as_it_is_is_valid(
    invariants: Mapping[Comparator, Invariant], memory: RememberingParser
) -> None:
    pairs = ["age:a b>a", "body:b>b b", "gender:us>US"]
    text = "We met a b b in the US."
    expected = {
        "age:a b>a": "unchecked",
        "body:b>b b": "unchecked",
        "gender:us>US": "valid",
        "age:a b>a|body:b>b b": "valid",
        "age:a b>a|gender:us>US": "unchecked",
        "body:b>b b|gender:us>US": "unchecked",
    }
    check = LiteralCheck(memory, "tolerant", 10)
    literal = literal_mutants_of(text, pairs=pairs, orders=[1, 2], check=check)
    assert {key: mutant.reason for key, mutant in literal.items()} == expected
    invariant = replace(invariants[Comparator.TOLERANT], max_sentence_chars=10)
    assert answers_of(text, pairs=pairs, orders=[1, 2], invariant=invariant) == expected


@pytest.mark.parametrize(
    ("text", "passes"),
    [
        ("I gave him his book", True),
        ("We left. I gave him his book (from the U.S.)", True),
        ("I gave him his book.", False),
        ("I gave him his book!)", False),
        ("I gave him his book\nAnd left", False),
    ],
)
def test_the_tail_is_what_follows_the_last_sentence_end(
    text: str, passes: bool, invariants: Mapping[Comparator, Invariant]
) -> None:
    pair, passing = "gender:his>she", replace(invariants[Comparator.TOLERANT], tail_passes=True)
    for invariant, expected in (
        (invariants[Comparator.TOLERANT], "pos"),
        (passing, "valid" if passes else "pos"),
        (replace(passing, max_sentence_chars=5), "valid" if passes else "unchecked"),
    ):
        assert answers_of(text, pairs=[pair], orders=[1], invariant=invariant) == {pair: expected}


@pytest.mark.parametrize("limit", [None, 2_000_000])
def test_a_sentence_longer_than_the_parser_takes_is_unchecked(
    limit: int | None, parser: Parser, invariants: Mapping[Comparator, Invariant]
) -> None:
    invariant = replace(invariants[Comparator.TOLERANT], max_sentence_chars=limit)
    text = "The man slept. A man saw a woman" + " " * parser.max_chars + "and left."
    answers = answers_of(
        text, pairs=["gender:man>boy", "race:woman>girl"], orders=[1, 2], invariant=invariant
    )
    assert answers == {
        "gender:man>boy": "unchecked",
        "race:woman>girl": "unchecked",
        "gender:man>boy|race:woman>girl": "unchecked",
    }


def test_a_sentence_that_only_its_replacement_makes_too_long_is_unchecked(
    parser: Parser, invariants: Mapping[Comparator, Invariant]
) -> None:
    text = "man" + "." * (parser.max_chars - 3)
    answers = answers_of(
        text, pairs=["gender:man>person"], orders=[1], invariant=invariants[Comparator.TOLERANT]
    )
    assert answers == {"gender:man>person": "unchecked"}


# Terms come often enough to meet in one text.
FRAGMENTS = (
    *("man", "old man", "The man", "British", "a white old man", "woman", "Dr.", "his", "MAN") * 4,
    *("slept", "saw", "is", "his book", "and", "the", "a", "of"),
    *("👍", "👍🏽", "👨‍👩‍👧", "🏳️‍🌈", "\u200d", "\ufe0f"),
    *("הוא ראה", "رأى", "؟", "۔", "\u200f", "\u202e", "\u202c"),
    *("\u0301", "cafe\u0301", "é", "İ", "ß", "ŉ", "ſ", "ﬁ"),
    *(
        "-",
        "--",
        "—",
        "_",
        "'",
        "'s",
        "’",
        "/",
        "&",
        "<br />",
        "</b>",
        "http://man.com",
        "@man",
        "#woman",
    ),
    *("&nbsp;", "&#39;", "-\n", "\u200b", "\u00ad\n", "](man)", "[man"),
    *("\x00", "\x07", "\x1b", "\x7f", "\u00ad", "\ufeff", "\ufffd"),
    *(".", "!", "?", "...", "…", '."', ".)", "(", "[", "“", "”", ",", "1", "2.5", "$"),
)
JOINTS = ("", "", " ", " ", " ", " ", "  ", "\r\n", "\n", "\r", "\t", "\u00a0", "\u2028")
HARD_PAIRS = (
    *("age:man>old man", "age:old man>man", "age:old>young", "age:white old>old"),
    *("body:woman>woman with a man", "body:man>boy", "body:Dr>Professor", "body:book>e"),
    *("gender:man>woman", "gender:woman>man", "gender:his>her", "gender:MAN>person"),
    *("race:British>British man", "race:British>Nigerian", "race:white>black", "race:a white>Mr"),
)
HARD_TEXTS = st.lists(
    st.tuples(st.sampled_from(FRAGMENTS), st.sampled_from(JOINTS)), min_size=1, max_size=16
).map(lambda pieces: "".join(fragment + joint for fragment, joint in pieces))


@tries(40, 400)
def test_any_mixture_is_literal(
    tried: int, invariants: Mapping[Comparator, Invariant], memory: RememberingParser
) -> None:
    @settings(max_examples=tried, deadline=None, derandomize=True)
    @given(
        text=HARD_TEXTS,
        pairs=st.lists(st.sampled_from(HARD_PAIRS), min_size=2, max_size=6, unique=True).map(
            sorted
        ),
        orders=st.sampled_from([[1, 2], [1, 2, 3], [2, 4]]),
        comparator=st.sampled_from(Comparator),
        limit=st.sampled_from([None, None, 20, 40]),
    )
    def check_one(
        text: str, pairs: list[str], orders: list[int], comparator: Comparator, limit: int | None
    ) -> None:
        check = LiteralCheck(memory, comparator.value, limit)
        expected = literal_mutants_of(text, pairs=pairs, orders=orders, check=check)
        invariant = replace(invariants[comparator], max_sentence_chars=limit)
        answers = answers_of(text, pairs=pairs, orders=orders, invariant=invariant)
        assert answers == {key: mutant.reason for key, mutant in expected.items()}

    check_one()


# Sentence ends come and go where abbreviations do, and where white space does not tell them.
ENDS = st.lists(
    st.tuples(
        st.sampled_from(
            (
                *("Dr.", "Doctor.", "St.", "(Dr.)", "Dr.St.", "man.Dr.", "Prof Dr.", "The man"),
                *("slept.", "x/Prof Dr.", "x/Dr.", "(Prof Dr", "man.Dr"),
            )
        ),
        st.sampled_from((" ", " ", "  ", "\n", " \r\n", "", "\u2028")),
    ),
    min_size=1,
    max_size=7,
).map(lambda pieces: "".join(word + gap for word, gap in pieces))
# A term holds no full stop: the dictionary admits none.
END_PAIRS = (
    *("age:Dr>Doctor", "age:Doctor>Dr", "age:St>a Dr", "body:Doctor>St", "body:St>Street"),
    *("body:Prof Dr>Miss", "gender:man>Mr", "gender:Dr>man", "race:Dr>Prof Dr", "race:man>Dr"),
)


@tries(40, 600)
def test_moved_sentence_ends_are_literal(
    tried: int, invariants: Mapping[Comparator, Invariant], memory: RememberingParser
) -> None:
    @settings(max_examples=tried, deadline=None, derandomize=True)
    @given(
        text=ENDS,
        pairs=st.lists(st.sampled_from(END_PAIRS), min_size=1, max_size=6, unique=True).map(sorted),
        comparator=st.sampled_from(Comparator),
        limit=st.sampled_from([None, None, 15]),
    )
    def check_one(text: str, pairs: list[str], comparator: Comparator, limit: int | None) -> None:
        check = LiteralCheck(memory, comparator.value, limit)
        expected = literal_mutants_of(text, pairs=pairs, orders=[1, 2, 3], check=check)
        invariant = replace(invariants[comparator], max_sentence_chars=limit)
        answers = answers_of(text, pairs=pairs, orders=[1, 2, 3], invariant=invariant)
        assert answers == {key: mutant.reason for key, mutant in expected.items()}

    check_one()
