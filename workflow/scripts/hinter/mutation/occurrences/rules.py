"""The rules that exclude occurrences, by name, in the order in which they are applied."""

from collections.abc import Callable, Sequence

from .names import defined_term
from .occurrence import Occurrence, Scene
from .pairs import gender_told
from .terms import (
    address,
    broken_word,
    compound,
    country_named,
    language,
    other_number,
    part_of_longer_term,
)

Rule = Callable[[Occurrence, Scene], bool]

RULES: dict[str, Rule] = {
    rule.__name__: rule
    for rule in (
        part_of_longer_term,
        broken_word,
        defined_term,
        language,
        country_named,
        compound,
        address,
        gender_told,
        other_number,
    )
}
UNANNOTATED = "unannotated"
ELSEWHERE = "elsewhere"
OTHER_WORDS = frozenset({"broken_word", "part_of_longer_term"})
"""Rules that say nothing about other occurrences of a term, as they find another word."""
AMBIGUOUS_CHAIN = "ambiguous_chain"
OTHER_FORM = "other_form"


def rules_for(
    occurrences: Sequence[Occurrence], scene: Scene, *, rules: Sequence[str]
) -> list[str | None]:
    """Return for each occurrence of a term the rule that excludes it, or None.

    If a rule excludes one, all are excluded: a text that describes the same persons in two ways
    would contradict itself.
    """
    found = [
        next((name for name in rules if RULES[name](occurrence, scene)), None)
        if occurrence.tokens
        else UNANNOTATED
        for occurrence in occurrences
    ]
    if OTHER_WORDS.issuperset(filter(None, found)):
        return found
    return [rule or ELSEWHERE for rule in found]
