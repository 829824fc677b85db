"""How neutral terms are substituted: as the study's own, by the rules that fit any word."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..dictionary import WordPair
from ..mutation import Annotating, Describing, Literal, Selective, substituting_by

RULES_OF_ANY_WORD = frozenset(
    {
        "broken_word",
        "compound",
        "defined_term",
        "part_of_longer_term",
    }
)
"""The other rules ask what a word says of a person."""


def neutral_substituting(
    mutation: Mapping[str, Any],
    *,
    pairs: Sequence[WordPair],
    annotator: Callable[[], Annotating],
) -> Literal | Selective | Describing:
    """Return how neutral `pairs` are substituted in a study with these settings of `mutation`."""
    rules = [rule for rule in mutation["occurrences"] if rule in RULES_OF_ANY_WORD]
    return substituting_by({**mutation, "occurrences": rules}, pairs=pairs, annotator=annotator)
