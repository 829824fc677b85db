"""The paper's tolerant comparison, the strict one, and that of the trees' arcs."""

import re
from collections.abc import Sequence
from itertools import combinations, pairwise, product
from typing import NamedTuple

import pytest
from hinter.invariant import Comparator, Parse, Parser, tolerantly_equal
from hinter.invariant.comparators import Change, aligned_equal, arcs_of, runs_of
from hinter.mutation import Span
from hypothesis import given, settings
from hypothesis import strategies as st
from literal import tolerant_table_comp
from spacy.tokens import Doc
from spacy.vocab import Vocab

TAGS = st.lists(st.integers(0, 2), max_size=8)


def tolerated(original: str, mutated: str) -> bool:
    """Compare two sequences, each written as words."""
    return tolerantly_equal([*map(hash, original.split())], [*map(hash, mutated.split())])


@pytest.mark.parametrize(
    ("mutated", "expected"),
    [("A N V", True), ("A N P", False), ("P N V", False), ("A V N", False), ("N V A", False)],
)
def test_equal_lengths_must_be_equal(mutated: str, expected: bool) -> None:
    assert tolerated("A N V", mutated) is expected


@pytest.mark.parametrize("mutated", ["X A N V", "A X N V", "A N X V", "A N V X", "A N V X Y Z"])
def test_insertions_pass(mutated: str) -> None:
    assert tolerated("A N V", mutated)


def test_the_element_after_an_insertion_is_not_compared() -> None:
    assert tolerated("A N V", "A J Z V")
    assert not tolerated("A N V P", "A J N W P")


@pytest.mark.parametrize(
    ("mutated", "expected"),
    [("A V", True), ("N V", True), ("A N", True), ("", True), ("A X", True), ("X N", False)],
)
def test_deletions_are_treated_as_insertions_into_the_mutant(mutated: str, expected: bool) -> None:
    assert tolerated("A N V", mutated) is expected


@pytest.mark.parametrize(
    ("original", "mutated"),
    [("A N V", "B J N X"), ("A B", "X Y Z"), ("A B C", "X B"), ("A N V", "X N V Y")],
)
def test_more_mismatches_than_the_lengths_differ_fail(original: str, mutated: str) -> None:
    assert not tolerated(original, mutated)


@settings(max_examples=2000, deadline=None, derandomize=True)
@given(first=TAGS, second=TAGS)
def test_compares_as_the_released_code_is_described(first: list[int], second: list[int]) -> None:
    assert tolerantly_equal(first, second) == tolerant_table_comp(first, second)


@settings(max_examples=1000, deadline=None, derandomize=True)
@given(tagged=st.lists(st.tuples(st.integers(0, 2), st.booleans()), max_size=10))
def test_mere_insertions_always_pass(tagged: list[tuple[int, bool]]) -> None:
    mutated = [tag for tag, _ in tagged]
    original = [tag for tag, inserted in tagged if not inserted]
    assert tolerantly_equal(original, mutated)
    assert tolerantly_equal(mutated, original)


VOCABULARY = Vocab()


class Token(NamedTuple):
    """A made-up token: its tag or label, and whether it lies in a replaced place."""

    value: int
    inside: bool


class Case(NamedTuple):
    """A sentence and its mutated form, what is replaced in brackets, and the three checks."""

    original: str
    mutated: str
    tolerant: str
    strict: str
    heads: str


CASES = {
    "one word for one of its class": Case(
        "The [man] slept.", "The [boy] slept.", "valid", "valid", "valid"
    ),
    "a word more inside": Case(
        "The [man] slept.", "The [disabled man] slept.", "valid", "valid", "valid"
    ),
    "a phrase after the word": Case(
        "The [man] slept.", "The [man with disabilities] slept.", "valid", "valid", "valid"
    ),
    "a compound": Case(
        "He is an [actor].", "He is an [wheelchair user].", "valid", "valid", "valid"
    ),
    "fewer words than what is replaced": Case(
        "The [disabled man] slept.", "The [man] slept.", "valid", "valid", "valid"
    ),
    "as many words of other classes": Case(
        "The [disabled man] slept.", "The [man disabled] slept.", "pos", "pos", "pos"
    ),
    # The tolerant comparison never looks at the element after one that it skipped.
    "a word of another class with a word more": Case(
        "I saw an [actor].", "I saw an [very old].", "valid", "pos", "pos"
    ),
    "a word before the replaced one becomes another": Case(
        "I like [his] book.", "I like [him] book.", "pos", "pos", "pos"
    ),
    "two places, one longer and one shorter": Case(
        "The [old man] saw a [woman].", "The [man] saw a [blind woman].", "pos", "valid", "valid"
    ),
    "a preposition that moves to another head": Case(
        "I saw the [man] in the garden.", "I saw the [boy] in the garden.", "valid", "valid", "dep"
    ),
    "another label outside": Case(
        "She gave the [man] to a friend from Rome.",
        "She gave the [woman] to a friend from Rome.",
        "dep",
        "dep",
        "dep",
    ),
    "another label outside, which the tolerant comparison skips": Case(
        "Her [man] duck.", "Her [old man] duck.", "valid", "dep", "dep"
    ),
    "a word put in": Case("The []man slept.", "The [deaf ]man slept.", "valid", "valid", "valid"),
    "words put in after an article": Case(
        "[A] []man slept.", "[An] [elderly deaf ]man slept.", "valid", "valid", "valid"
    ),
    "a word put in at a place where nothing was": Case(
        "The []man slept.", "The []deaf man slept.", "valid", "pos", "pos"
    ),
    "neighbours count as one place": Case(
        "The [old] [man] slept.", "The [old blind] [man] slept.", "valid", "valid", "valid"
    ),
}


def split_marked(marked: str) -> tuple[str, tuple[Span, ...]]:
    """Return a text without its brackets, and the spans that stood in them, empty ones too."""
    spans: list[Span] = []
    text = ""
    for outside, bracketed, inside in re.findall(r"([^\[]*)(\[([^\]]*)\])?", marked):
        text += outside + inside
        if bracketed:
            spans.append((len(text) - len(inside), len(text)))
    return text, tuple(spans)


def change_of(original: str, mutated: str) -> Change:
    (before, replaced), (after, replacing) = split_marked(original), split_marked(mutated)
    return Change(before, after, replaced, replacing)


def check(comparator: Comparator, change: Change, original: Parse, mutated: Parse) -> str:
    if not comparator.tags_conform(change, original, mutated):
        return "pos"
    return "valid" if comparator.trees_conform(change, original, mutated) else "dep"


def made_up(words: str, *, heads: Sequence[int], labels: str = "", tags: str = "") -> Parse:
    """The parse of given words with given heads; all labels or tags are alike by default."""
    tokens = words.split()
    doc = Doc(
        VOCABULARY,
        words=tokens,
        heads=list(heads),
        deps=labels.split() or ["dep"] * len(tokens),
        tags=tags.split() or ["X"] * len(tokens),
    )
    return Parse(doc)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("comparator", Comparator)
def test_real_sentences(comparator: Comparator, name: str, parser: Parser) -> None:
    case = CASES[name]
    change = change_of(case.original, case.mutated)
    original, mutated = parser.parse([change.original, change.mutated])
    assert check(comparator, change, original, mutated) == case._asdict()[comparator]


# Original and mutated words with what is replaced in brackets, and the tags that go with them.
TAGGED = [
    ("a [m] b", "a [x m] b", "A M B", "A X M B", True),
    ("a [m] b", "a [x m y] b", "A M B", "A X M Y B", True),
    ("a [m] b", "a [x y] b", "A M B", "A X Y B", False),
    ("a [m] b", "a [m] b", "A M B", "A X B", False),
    # The same sequences with the word more outside the place.
    ("a [m] b", "a x [m] b", "A M B", "A X M B", False),
    ("a [m] b", "a [x m] b", "A M B", "C X M B", False),
    ("a [m] b", "a [x m] b", "A M B", "A X M C", False),
    # A word outside must be there, whatever stands inside.
    ("a [m] b", "a [m b]", "A M B", "A M B", False),
    ("a [m] b", "[a m] b", "A M B", "A M B", False),
    # Shorter than what it replaces.
    ("a [l m n] b", "a [m] b", "A L M N B", "A M B", True),
    ("a [l m n] b", "a [n l] b", "A L M N B", "A N L B", False),
    # Each place is compared with its own.
    ("[m] a [n]", "[m n] a [n]", "M A N", "M N A N", True),
    ("[m] a [n]", "[n] a [m n]", "M A N", "N A M N", False),
    ("[m] a [n]", "[m] a b [n]", "M A N", "M A B N", False),
    ("[m] [n]", "[m x] [n]", "M N", "M X N", True),
    ("[m] [n]", "[m x] [y n]", "M N", "M X Y N", True),
    # What is put in has no counterpart; words around it have.
    ("a []b", "a [x ]b", "A B", "A X B", True),
    ("a []b", "a [x y ]b", "A B", "A X Y B", True),
    ("a []b", "a [x ]b", "A B", "C X B", False),
    ("a []b", "a []x b", "A B", "A X B", False),
    ("[m] []b", "[m] [x ]b", "M B", "M X B", True),
    ("[m] []b", "[m] [x ]b", "M B", "X M B", True),
    ("a []b []c", "a [x ]b [y ]c", "A B C", "A X B Y C", True),
    ("a []b []c", "a [x ]b [y ]c", "A B C", "A X C Y C", False),
    ("a b", "a b", "A B", "A B", True),
    ("a b", "a c", "A B", "A C", False),
    ("a b", "a b c", "A B", "A B C", False),
]


@pytest.mark.parametrize(("original", "mutated", "tags", "mutated_tags", "conform"), TAGGED)
def test_made_up_tags_and_labels(
    original: str, mutated: str, tags: str, mutated_tags: str, conform: bool
) -> None:
    change = change_of(original, mutated)
    texts = (change.original, change.mutated)
    tagged, labelled = (
        [
            made_up(text, heads=[0] * len(text.split()), **{column: values})
            for text, values in zip(texts, (tags, mutated_tags), strict=True)
        ]
        for column in ("tags", "labels")
    )
    assert check(Comparator.STRICT, change, *tagged) == ("valid" if conform else "pos")
    # Here all tags are alike, and fail only where the places do.
    assert (check(Comparator.STRICT, change, *labelled) == "valid") is conform


# Heads by position, a root's own; the last column tells whether the trees agree.
TREES = [
    ("a [m] b", "a [m] b", [1, 1, 1], [1, 1, 1], True),
    ("a [m] b", "a [m] b", [1, 1, 1], [2, 1, 1], False),
    # The root moves from the place to a word outside.
    ("a [m] b", "a [m] b", [1, 1, 1], [1, 2, 2], False),
    # The head of the place moves.
    ("a [m] b", "a [m] b", [0, 0, 0], [0, 2, 0], False),
    # Arcs inside a place are its own affair.
    ("a [m] b", "a [x m] b", [1, 1, 1], [2, 2, 2, 2], True),
    ("a [m] b", "a [x m] b", [1, 1, 1], [1, 1, 1, 2], True),
    ("a [m n] b", "a [m n] b", [1, 1, 1, 1], [2, 2, 2, 1], True),
    # A second head outside is seen, the same one again is not.
    ("a [m] b", "a [x m] b", [0, 0, 0], [0, 0, 0, 0], True),
    ("a [m] b", "a [x m] b", [0, 0, 0], [0, 0, 3, 0], False),
    # What is put in may hang anywhere, but nothing else may hang on it.
    ("a []b", "a [x ]b", [1, 1], [2, 2, 2], True),
    ("a []b", "a [x ]b", [1, 1], [2, 0, 2], True),
    ("a []b", "a [x ]b", [1, 1], [1, 2, 2], False),
    ("a []b", "a [x ]b", [1, 1], [1, 1, 1], False),
    ("a []b [m]", "a [x ]b [m]", [1, 1, 1], [2, 3, 2, 2], True),
    ("a []b [m]", "a [x ]b [m]", [1, 1, 1], [2, 2, 2, 1], False),
    # An arc between two places.
    ("[m] a [n]", "[m] a [x n]", [0, 0, 0], [0, 0, 3, 0], True),
    ("[m] a [n]", "[m] a [x n]", [0, 0, 0], [0, 0, 3, 1], False),
    # A word outside hangs on another of two places.
    ("[m] a [n]", "[m] a [n]", [0, 0, 0], [0, 2, 0], False),
    ("[m] [n] a", "[m] [n] a", [0, 0, 0], [0, 0, 1], True),
]


@pytest.mark.parametrize(("original", "mutated", "heads", "mutated_heads", "agree"), TREES)
def test_made_up_trees(
    original: str, mutated: str, heads: list[int], mutated_heads: list[int], agree: bool
) -> None:
    change = change_of(original, mutated)
    before = made_up(change.original, heads=heads)
    after = made_up(change.mutated, heads=mutated_heads)
    assert check(Comparator.STRICT, change, before, after) == "valid"
    assert check(Comparator.HEADS, change, before, after) == ("valid" if agree else "dep")


def test_tags_are_compared_before_labels() -> None:
    change = change_of("a [m] b", "a [m] b")
    before = made_up("a m b", heads=[0, 0, 0], tags="A M B", labels="A M B")
    after = made_up("a m b", heads=[0, 0, 0], tags="B M A", labels="B M A")
    assert {check(comparator, change, before, after) for comparator in Comparator} == {"pos"}


@pytest.mark.parametrize(
    ("spans", "inside"),
    [
        ((), [False, False, False]),
        (((0, 1),), [True, False, False]),
        (((1, 3),), [True, False, False]),
        (((3, 4),), [False, False, False]),
        (((3, 5),), [False, True, False]),
        (((2, 5),), [True, True, False]),
        (((0, 3), (7, 8)), [True, False, True]),
        (((0, 1), (1, 2), (9, 10)), [True, False, True]),
        (((0, 10),), [True, True, True]),
    ],
)
def test_a_token_is_inside_as_soon_as_it_overlaps_a_place(
    spans: tuple[Span, ...], inside: list[bool]
) -> None:
    # Tokens at 0-3, 4-6 and 7-10.
    parse = made_up("abc de fgh", heads=[0, 0, 0])
    runs = runs_of(parse, spans)
    assert [run.inside for run in runs for _ in run.tokens] == inside
    assert [position for run in runs for position in run.tokens] == [0, 1, 2]
    assert all(one.inside != other.inside for one, other in pairwise(runs))


# Random sentences: a token is a number and whether it is replaced.
TOKENS = st.lists(st.tuples(st.integers(0, 2), st.booleans()), min_size=1, max_size=8)


@st.composite
def conforming_or_not(draw: st.DrawFn) -> tuple[list[Token], list[Token]]:
    """Two lists of tokens, the second often the first with tokens inserted or struck out inside."""
    original = [Token(*token) for token in draw(TOKENS)]
    if draw(st.booleans()):
        return original, [Token(*token) for token in draw(TOKENS)]
    mutated: list[Token] = []
    for token in original:
        if not token.inside:
            mutated.append(token)
        else:
            values = draw(st.lists(st.integers(0, 2), max_size=2))
            kept = draw(st.sampled_from([[token], [token], []]))
            mutated += [*kept, *(Token(value, True) for value in values)]
    return original, mutated


def parse_and_spans(tokens: Sequence[Token]) -> tuple[Parse, list[Span]]:
    """A sentence of one-letter words with the given tokens' places."""
    parse = made_up(" ".join("x" for _ in tokens), heads=[0] * len(tokens))
    spans = [
        (2 * position, 2 * position + 1) for position, token in enumerate(tokens) if token.inside
    ]
    return parse, spans


def runs_by_hand(tokens: Sequence[Token]) -> list[tuple[bool, tuple[int, ...]]]:
    """Each run of tokens alike in being replaced, as a pattern and its positions."""
    runs: list[tuple[bool, tuple[int, ...]]] = []
    for position, token in enumerate(tokens):
        if runs and runs[-1][0] == token.inside:
            runs[-1] = (token.inside, (*runs[-1][1], position))
        else:
            runs.append((token.inside, (position,)))
    return runs


def aligned_by_hand(original: Sequence[Token], mutated: Sequence[Token]) -> bool:
    """Try every way of striking out tokens of the longer of two runs."""
    runs, mutated_runs = runs_by_hand(original), runs_by_hand(mutated)
    if len(runs) != len(mutated_runs):
        return False
    for (inside, positions), (mutated_inside, mutated_positions) in zip(
        runs, mutated_runs, strict=True
    ):
        before = tuple(original[position].value for position in positions)
        after = tuple(mutated[position].value for position in mutated_positions)
        shorter, longer = sorted((before, after), key=len)
        ways = set(combinations(longer, len(shorter))) if inside else {longer}
        if inside != mutated_inside or shorter not in ways:
            return False
    return True


@settings(max_examples=600, deadline=None, derandomize=True)
@given(pair=conforming_or_not())
def test_alignment_is_that_by_brute_force(pair: tuple[list[Token], list[Token]]) -> None:
    original, mutated = pair
    original_runs, mutated_runs = (runs_of(*parse_and_spans(tokens)) for tokens in pair)
    for tokens, runs in ((original, original_runs), (mutated, mutated_runs)):
        assert [(run.inside, tuple(run.tokens)) for run in runs] == runs_by_hand(tokens)
    answer = aligned_equal(
        [token.value for token in original],
        [token.value for token in mutated],
        original_runs=original_runs,
        mutated_runs=mutated_runs,
    )
    assert answer is aligned_by_hand(original, mutated)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(pair=conforming_or_not())
def test_alignment_is_the_same_either_way(pair: tuple[list[Token], list[Token]]) -> None:
    answers = set()
    for original, mutated in (pair, pair[::-1]):
        original_runs, mutated_runs = (
            runs_of(*parse_and_spans(tokens)) for tokens in (original, mutated)
        )
        answers.add(
            aligned_equal(
                [token.value for token in original],
                [token.value for token in mutated],
                original_runs=original_runs,
                mutated_runs=mutated_runs,
            )
        )
    assert len(answers) == 1


@settings(max_examples=600, deadline=None, derandomize=True)
@given(data=st.data(), tokens=TOKENS)
def test_arcs_are_those_by_brute_force(data: st.DataObject, tokens: list[tuple[int, bool]]) -> None:
    made = [Token(*token) for token in tokens]
    heads = data.draw(
        st.lists(st.integers(0, len(made) - 1), min_size=len(made), max_size=len(made))
    )
    nodes = [
        (position,) if not inside else positions
        for inside, positions in runs_by_hand(made)
        for position in (positions if not inside else positions[:1])
    ]
    expected = {
        (dependent, head)
        for dependent, head in product(range(len(nodes)), repeat=2)
        for position in nodes[dependent]
        if (heads[position] in nodes[head] and dependent != head)
        or (heads[position] == position and dependent == head)
    }
    assert arcs_of(heads, runs_of(*parse_and_spans(made))) == expected
