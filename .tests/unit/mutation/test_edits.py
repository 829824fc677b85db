"""From terms and targets to edits and to text: places, case, articles, and all at once."""

import re
from itertools import permutations

import pytest
from hinter.dictionary import WordPair
from hinter.mutation import EditSpan, Role, Span, SpannedTerm, compose, render, span_terms
from hinter.mutation.edits import match_case
from hypothesis import given, settings
from hypothesis import strategies as st
from recipes import literal_mutant


def pair(attribute: str, source: str, target: str) -> WordPair:
    return WordPair(f"{attribute}:{source}>{target}", attribute, "one", "another", source, target)


def mutate(original: str, *pairs: WordPair) -> str:
    return literal_mutant("o", original, pairs).text


@pytest.mark.parametrize(
    ("found", "target", "expected"),
    [
        ("man", "woman", "woman"),
        ("Man", "woman", "Woman"),
        ("MAN", "woman", "WOMAN"),
        ("old man", "young woman", "young woman"),
        ("Old man", "young woman", "Young woman"),
        ("Old Man", "young woman", "Young woman"),
        ("OLD MAN", "young woman", "YOUNG WOMAN"),
        ("BROTHER-IN-LAW", "sister", "SISTER"),
        ("ÉCLAIR", "straße", "STRASSE"),
    ],
)
def test_a_replacement_takes_the_case_of_what_it_replaces(
    found: str, target: str, expected: str
) -> None:
    assert match_case(found, target) == expected


@pytest.mark.parametrize(
    ("found", "target", "expected"),
    [
        ("man", "Nigerian", "Nigerian"),
        ("Man", "Nigerian", "Nigerian"),
        ("MAN", "Nigerian", "NIGERIAN"),
        ("british", "African American", "African American"),
        ("man", "CEO", "CEO"),
        ("Man", "mixed-race Briton", "Mixed-race Briton"),
    ],
)
def test_capitals_that_a_term_is_declared_with_stay(found: str, target: str, expected: str) -> None:
    assert match_case(found, target) == expected


@pytest.mark.parametrize("found", ["A", "A2", "A-1", "É"])
def test_a_single_capital_letter_is_title_case(found: str) -> None:
    assert match_case(found, "woman") == "Woman"


@pytest.mark.parametrize(
    ("found", "expected"),
    [("mAN", "woman"), ("mAn", "woman"), ("old Man", "woman"), ("MaN", "Woman"), ("MAn", "Woman")],
)
def test_mixed_case_follows_its_first_letter(found: str, expected: str) -> None:
    assert match_case(found, "woman") == expected


def test_every_occurrence_is_replaced_in_its_own_case() -> None:
    mutant = mutate("A man, the MAN, Man's man; woman.", pair("gender", "man", "boy"))
    assert mutant == "A boy, the BOY, Boy's boy; woman."


def test_all_but_the_places_is_kept_to_the_character() -> None:
    original = "\tA  man\r\n\u2028İ e\u0301 👍🏽 man \x00 "
    assert (
        mutate(original, pair("gender", "man", "boy"))
        == "\tA  boy\r\n\u2028İ e\u0301 👍🏽 boy \x00 "
    )


def test_a_replacement_is_not_searched_for_other_sources() -> None:
    swap = (pair("gender", "man", "woman"), pair("race", "woman", "man"))
    assert mutate("The man met a woman.", *swap) == "The woman met a man."
    chain_of_pairs = (pair("gender", "man", "old woman"), pair("race", "woman", "girl"))
    assert mutate("The man met a woman.", *chain_of_pairs) == "The old woman met a girl."


def test_a_replacement_may_hold_its_own_source() -> None:
    grown = pair("body", "man", "man with a man")
    assert mutate("A man and a man.", grown) == "A man with a man and a man with a man."


def test_a_replacement_is_no_template() -> None:
    assert mutate("A man.", pair("body", "man", r"\1 \g<0> {0} %s")) == r"A \1 \g<0> {0} %s."


def test_words_that_touch_are_both_replaced() -> None:
    pairs = (pair("age", "old", "young"), pair("gender", "man", "boy"))
    assert mutate("old/man/old", *pairs) == "young/boy/young"


def test_the_longer_source_takes_the_place() -> None:
    pairs = (pair("age", "old man", "boy"), pair("gender", "man", "woman"))
    assert mutate("The old man saw a man.", *pairs) == "The boy saw a woman."
    assert mutate("The old man saw a man.", *pairs[::-1]) == "The boy saw a woman."


def test_each_pair_has_its_own_places() -> None:
    pairs = [pair("age", "old man", "boy"), pair("body", "tall", "short"), pair("x", "man", "cat")]
    assert span_terms("A man saw an old man, a MAN.", pairs) == [
        SpannedTerm("age", "old man", (EditSpan(13, 20),)),
        SpannedTerm("body", "tall", ()),
        SpannedTerm("x", "man", (EditSpan(2, 5), EditSpan(24, 27))),
    ]


def test_the_order_of_terms_is_without_effect() -> None:
    chosen = [(_placed((0, 1)), "the"), (_placed((2, 5)), "woman"), (_placed((5, 6)), "?!")]
    texts = {render("A man.", compose("A man.", order))[0] for order in permutations(chosen)}
    assert texts == {"The woman?!"}


def test_no_edit_changes_nothing() -> None:
    assert render("A man.", []) == ("A man.", {})


def test_spans_point_at_the_replacements() -> None:
    text = "A Man and an old!"
    chosen = [
        (_placed((13, 16)), "boys"),
        (_placed((2, 5)), "disabled person"),
        (_placed((16, 17)), ""),
    ]
    mutant, spans = render(text, compose(text, chosen))
    assert mutant == "A Disabled person and an boys"
    assert spans == {(2, 5): (2, 17), (13, 16): (25, 29), (16, 17): (29, 29)}


@pytest.mark.parametrize(
    ("text", "target", "expected"),
    [
        ("He is a man.", "old man", "He is an old man."),
        ("An  ugly man.", "tall man", "A  tall man."),
        ("AN UGLY MAN", "tall man", "A TALL MAN"),
        ("A man.", "MP", "An MP."),
        ("A MAN", "honest man", "AN HONEST MAN"),
        ("An ugly man.", "European", "A European."),
    ],
)
def test_an_article_agrees_with_what_comes_to_stand_behind_it(
    text: str, target: str, expected: str
) -> None:
    words = re.search(r"(an?)\s+((?:ugly )?man)", text, flags=re.IGNORECASE)
    assert words
    edit_spans = (EditSpan(*words.span(1), Role.ARTICLE), EditSpan(*words.span(2)))
    edits = compose(text, [(SpannedTerm("a", "s", edit_spans), target)])
    assert render(text, edits)[0] == expected
    assert [edit.role for edit in edits] == [Role.ARTICLE, Role.TERM]


def _placed(*spans: Span) -> SpannedTerm:
    return SpannedTerm("a", "s", tuple(EditSpan(*span) for span in spans))


@st.composite
def recipes(draw: st.DrawFn) -> tuple[str, dict[Span, str]]:
    """An original and targets at places that do not overlap."""
    original = draw(st.text(alphabet="aB é👍.\n", min_size=1, max_size=20))
    ends = draw(st.sets(st.integers(0, len(original)), min_size=2))
    spans: list[Span] = list(zip(sorted(ends), sorted(ends)[1:], strict=False))
    chosen = draw(st.sets(st.sampled_from(spans)))
    targets = st.text(alphabet="xY ß", min_size=1, max_size=6)
    return original, {span: draw(targets) for span in chosen}


@settings(max_examples=300, deadline=None, derandomize=True)
@given(recipe=recipes())
def test_undoing_a_mutant_at_its_spans_gives_the_original(
    recipe: tuple[str, dict[Span, str]],
) -> None:
    original, targets = recipe
    chosen = [(_placed(span), target) for span, target in targets.items()]
    mutant, spans = render(original, compose(original, chosen))
    assert list(spans) == sorted(targets)
    restored = mutant
    for (start, end), (new_start, new_end) in reversed(spans.items()):
        assert mutant[new_start:new_end] == match_case(original[start:end], targets[start, end])
        restored = restored[:new_start] + original[start:end] + restored[new_end:]
    assert restored == original
