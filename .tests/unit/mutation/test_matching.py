"""Where a term occurs, and which occurrences are left when terms share a text."""

import pytest
from hinter.mutation import Span, TermMatcher
from hinter.mutation.matching import resolve_overlaps
from hypothesis import given, settings
from hypothesis import strategies as st
from literal import occurrences

PIECES = (
    *("man", "MAN", "Old", "old man", "old", " ", "  ", "-", "--", "_", "'s", "’", ".", ",", "\n"),
    *("- ", "-\n", " -", "\u2011", "\u00ad\r\n", "\u2028", "\u00a0"),
    *(
        "a",
        "Z",
        "2",
        "²",
        "\u0301",
        "\u200d",
        "👍",
        "👍🏽",
        "İ",
        "ſ",
        "\u212a",
        "é",
        "ß",
        "中",
        '"',
    ),
)
TERMS = ("man", "old man", "old", "man old man", "s", "Man", "é", "k", "man's", "old-man", "man 2")


def marked(text: str, *, term: str) -> str:
    """`text` with every occurrence of `term` in square brackets."""
    for start, end in reversed(TermMatcher([term]).find(text).get(term, [])):
        text = f"{text[:start]}[{text[start:end]}]{text[end:]}"
    return text


def plain(expected: str) -> str:
    """The text without its square brackets."""
    return expected.replace("[", "").replace("]", "")


@pytest.mark.parametrize(
    "expected",
    [
        "[man]",
        "[man].",
        "“[man]”",
        "([man])",
        "[man]/[man]",
        "[man] [man]",
        "[man]\n[man]",
        "[man],[man]",
        "👍[man]👍🏽",
    ],
)
def test_a_word_stands_between_space_punctuation_and_symbols(expected: str) -> None:
    assert marked(plain(expected), term="man") == expected


@pytest.mark.parametrize(
    "text", ["woman", "mans", "manman", "éman", "mané", "2man", "man2", "man²"]
)
def test_a_word_is_bounded_by_letters_and_digits(text: str) -> None:
    assert marked(text, term="man") == text


@pytest.mark.parametrize("text", ["_man", "man_", "_man_", "the_man says"])
def test_an_underscore_belongs_to_the_word(text: str) -> None:
    assert marked(text, term="man") == text


@pytest.mark.parametrize("text", ["man\u0301", "e\u0301man", "man\u0301 ", "\ufe0fman"])
def test_a_combining_mark_belongs_to_the_word(text: str) -> None:
    assert marked(text, term="man") == text


@pytest.mark.parametrize("expected", ["[man]'s", "[man]’s", "the [man]'ll", "'[man]'", "O'[man]"])
def test_an_apostrophe_ends_a_word(expected: str) -> None:
    assert marked(plain(expected), term="man") == expected


@pytest.mark.parametrize(
    "text", ["man-made", "half-man", "half-man-made", "man-2", "é-man", "_-man"]
)
def test_a_hyphen_between_letters_joins_a_word(text: str) -> None:
    assert marked(text, term="man") == text


@pytest.mark.parametrize(
    "expected",
    [
        *("[man]--who", "who--[man]", "-[man]-", "a -[man]- B", "[man]–who", "who—[man]"),
        *("the [man] - who", "the [man] – who", "the [man] -who", "the [man]-- who", "who– [man]"),
        *("the [man] -\nwho", "a [man]--\nwho", "[man]-", "[man]-\n", "-\n[man]", "-a\n[man]"),
    ],
)
def test_a_dash_does_not(expected: str) -> None:
    assert marked(plain(expected), term="man") == expected


@pytest.mark.parametrize("hyphen", ["-", "\u00ad", "\u2010", "\u2011"])
@pytest.mark.parametrize("gap", ["", "\n", "\r\n", " \n\n   ", "\u2028", "\x0c"])
@pytest.mark.parametrize(
    "text",
    ["man{}datory", "wo{}man", "African{}man", "the mid{}man, who", "2{}man", "man{}American"],
)
def test_a_hyphen_joins_what_a_line_end_breaks(hyphen: str, gap: str, text: str) -> None:
    broken = text.format(hyphen + gap)
    assert marked(broken, term="man") == broken


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("man", "a man- datory rule"),
        ("men", "men- and women-only rooms"),
        ("sister", "her sister- in-law"),
        ("him", "finds him- or herself"),
    ],
)
def test_before_a_lower_case_letter_a_hyphen_joins_over_blanks(term: str, text: str) -> None:
    assert marked(text, term=term) == text


@pytest.mark.parametrize(
    "expected",
    [
        *("mid- and late, a [man]", "a self- employed [man]", "hu- [man]", "it was bad- [man]!"),
        *("a [man]- What a film", "a [man]- 7 of 10", "a [man]- (who"),
    ],
)
def test_over_blanks_nothing_else_tells_a_broken_word_from_a_dash(expected: str) -> None:
    assert marked(plain(expected), term="man") == expected


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("man", "[man] [Man] [MAN] [mAn]"),
        ("Nigerian", "[nigerian] [NIGERIAN] [Nigerian]"),
        ("éclair", "[ÉCLAIR] [Éclair]"),
        ("old man", "[Old Man] [OLD man]"),
        ("star", "ſtar [STAR]"),
    ],
)
def test_case_is_without_effect(term: str, expected: str) -> None:
    assert marked(plain(expected), term=term) == expected


@pytest.mark.parametrize(
    "expected", ["İ [man]", "İİİ: the [MAN] of İzmir, a [Man]", "İman [man] İ"]
)
def test_a_capital_that_grows_in_lower_case_shifts_nothing(expected: str) -> None:
    assert marked(plain(expected), term="man") == expected


def test_places_are_counted_in_characters() -> None:
    assert TermMatcher(["man"]).find("👩🏽‍🚀 é 中 man") == {"man": [(9, 12)]}


@pytest.mark.parametrize("text", ["old\nman", "old\x1fman", "old-man", "old, man", "oldman"])
def test_a_phrase_is_matched_as_it_is_written(text: str) -> None:
    assert marked(text, term="old man") == text


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        *(("old man", f"an [old{gap}man]") for gap in ("  ", "\t", "\u00a0", "\u202f", "\u2003 ")),
        ("old man", "an [o\u200bld \u200b man]"),
        ("woman", "a \ufeff[wo\u00adm\u200dan]\u200b."),
        ("fiancé", "her [fiance\u0301], his [FIANCÉ]"),
        ("fiance\u0301", "her [fiancé]"),
        ("fireman", "a [\ufb01reman]"),
        ("father-in-law", "a [father\u2010in\u2011law]"),
        ("man's", "a [man\u2019s]"),
    ],
)
def test_spellings_that_look_alike_are_one(term: str, expected: str) -> None:
    assert marked(plain(expected), term=term) == expected


@pytest.mark.parametrize("text", ["wo\u200bman", "wo\u00adman", "a man\u200cly man\u0303"])
def test_a_sign_of_no_width_parts_no_word(text: str) -> None:
    assert marked(text, term="man") == text


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("brother-in-law", "my [brother-in-law]'s"),
        ("brother", "my brother-in-law"),
        ("man's", "a [man's] world"),
        ("a.b", "acb [a.b]"),
        ("(x|y)*", "x y [(x|y)*]"),
    ],
)
def test_a_term_is_no_regular_expression(term: str, expected: str) -> None:
    assert marked(plain(expected), term=term) == expected


def test_different_terms_may_overlap() -> None:
    assert TermMatcher(["old man", "man", "man who", "old", "who"]).find("Old man who") == {
        "man": [(4, 7)],
        "man who": [(4, 11)],
        "old": [(0, 3)],
        "old man": [(0, 7)],
        "who": [(8, 11)],
    }


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("ha ha", [(0, 5)]),
        ("ha ha ha", [(0, 5)]),
        ("ha ha ha ha", [(0, 5), (6, 11)]),
        ("aha ha ha", [(4, 9)]),
    ],
)
def test_occurrences_of_one_term_do_not_overlap(text: str, spans: list[Span]) -> None:
    assert TermMatcher(["ha ha"]).find(text) == {"ha ha": spans}


def test_terms_that_differ_in_case_only_are_all_found() -> None:
    assert TermMatcher(["us", "US"]).find("Us") == {"US": [(0, 2)], "us": [(0, 2)]}


def test_no_terms_and_no_text_have_no_occurrence() -> None:
    assert TermMatcher([]).find("a man") == {}
    assert TermMatcher(["man"]).find("") == {}


@settings(max_examples=500, deadline=None, derandomize=True)
@given(text=st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_all_terms_at_once_are_found_as_by_scanning_for_each(text: str) -> None:
    scanned = {
        term: [(span.start, span.stop) for span in occurrences(term, text)] for term in TERMS
    }
    expected = {term: spans for term, spans in scanned.items() if spans}
    assert TermMatcher(TERMS).find(text) == expected


@pytest.mark.parametrize(
    ("text", "occurrences"),
    [
        ("man" * 33_333, 0),
        ("man " * 25_000, 25_000),
        ("old-" * 25_000, 0),
        (("man-" + " " * 99) * 10_000, 1),
        (" " * 1_000_000 + "man" + " " * 1_000_000, 1),
    ],
)
def test_long_texts_are_searched_whole(text: str, occurrences: int) -> None:
    assert len(TermMatcher(["man", "old"]).find(text).get("man", [])) == occurrences


def test_the_longest_term_goes_first() -> None:
    spans = {"man": [(4, 7), (12, 15)], "old man": [(0, 7)]}
    assert resolve_overlaps(spans) == {"man": ((12, 15),), "old man": ((0, 7),)}


def test_a_partial_overlap_counts() -> None:
    spans = {"old man": [(0, 7)], "man who": [(4, 11)]}
    assert resolve_overlaps(spans) == {"old man": ((0, 7),), "man who": ()}


def test_of_equal_lengths_the_first_given_goes_first() -> None:
    first, second = ("old man", [(0, 7)]), ("man who", [(4, 11)])
    assert resolve_overlaps(dict([second, first])) == {"man who": ((4, 11),), "old man": ()}


def test_a_term_that_lost_its_place_takes_none_from_others() -> None:
    spans = {"a": [(9, 10)], "a bc": [(6, 10)], "old man": [(0, 7)]}
    assert resolve_overlaps(spans) == {"a": ((9, 10),), "a bc": (), "old man": ((0, 7),)}


def test_neighbours_do_not_overlap() -> None:
    spans = {"man": [(0, 3)], "/": [(3, 4)], "boy": [(4, 7)]}
    assert resolve_overlaps(spans) == {"man": ((0, 3),), "/": ((3, 4),), "boy": ((4, 7),)}


def test_places_are_returned_in_the_order_of_the_terms_given() -> None:
    spans = {"a": [(0, 1)], "bcd": [(2, 5)], "ef": [(6, 8)]}
    assert list(resolve_overlaps(spans)) == ["a", "bcd", "ef"]
