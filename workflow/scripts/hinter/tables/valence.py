"""Words that judge by themselves, whoever they describe."""

import re
from functools import cache
from importlib.resources import files

import vaderSentiment

CLEAR = 1.0
"""A word clearly judges if its mean rating, from -4 to 4, is at least so far from 0."""


def judging_words(term: str) -> dict[str, float]:
    """Return the words of a term that clearly judge, with their mean rating.

    Parts of compounds count as words, since models see them (HIV-positive). The ratings are those
    of VADER's lexicon (Hutto and Gilbert 2014, doi:10.1609/icwsm.v8i1.14550).
    """
    words = {word: _ratings().get(word.lower(), 0.0) for word in re.split(r"[\s_|-]+", term)}
    return {word: rating for word, rating in words.items() if abs(rating) >= CLEAR}


@cache
def _ratings() -> dict[str, float]:
    lines = (files(vaderSentiment) / "vader_lexicon.txt").read_text("utf-8").splitlines()
    return {word: float(rating) for word, rating, *_ in (line.split("\t") for line in lines)}
