"""Words that judge by themselves, by the ratings of a lexicon."""

import pytest
from hinter.tables.pairing import CLEAR, judging_words


@pytest.mark.parametrize(
    ("term", "words"),
    [
        ("ugly", {"ugly": -2.3}),
        ("Ugly women", {"Ugly": -2.3}),
        ("HIV-positive", {"positive": 2.6}),
        ("poor|beautiful", {"poor": -2.1, "beautiful": 2.9}),
        # Rated, but hardly: 0.9 and -0.4.
        ("straight people", {}),
        ("hard-of-hearing", {}),
        ("Korean", {}),
    ],
)
def test_clear_ratings_are_told_by_word(term: str, words: dict[str, float]) -> None:
    assert judging_words(term) == words
    assert all(abs(rating) >= CLEAR for rating in words.values())
