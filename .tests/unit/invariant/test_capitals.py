"""Capitals of sentences before they are parsed: what they become, and that no place moves."""

import pytest
from hinter.invariant import Capitals
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("sentence", "first", "first_only"),
    [
        ("the British man", "The British man", "The british man"),
        ('"the US man"', '"The US man"', '"the us man"'),
        ("1950s men", "1950S men", "1950s men"),
        ("...", "...", "..."),
        ("\N{LATIN SMALL LETTER SHARP S}A", "\N{LATIN SMALL LETTER SHARP S}A", "\u00dfa"),
        ("a\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}", "A\u0130", "A\u0130"),
    ],
)
def test_capitals_become_what_the_setting_says(sentence: str, first: str, first_only: str) -> None:
    assert Capitals.KEPT.apply(sentence) == sentence
    assert Capitals.FIRST.apply(sentence) == first
    assert Capitals.FIRST_ONLY.apply(sentence) == first_only


@given(st.text(), st.sampled_from(Capitals))
def test_no_sentence_grows_or_shrinks(sentence: str, capitals: Capitals) -> None:
    assert len(capitals.apply(sentence)) == len(sentence)


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_first_only_is_what_python_does(sentence: str) -> None:
    assert Capitals.FIRST_ONLY.apply(sentence) == sentence.capitalize()
