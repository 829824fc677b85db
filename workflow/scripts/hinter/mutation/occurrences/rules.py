"""The rules that leave occurrences alone, by name, in the order in which they are asked."""

from collections.abc import Callable, Sequence

from .kin import kin_child
from .names import capitals, defined_term, named_person, part_of_name, quoted_title
from .occurrence import Occurrence, Scene
from .origins import country_named, language
from .pairs import coordinated, gender_told, paired_pronouns
from .persons import anybody, not_person
from .terms import (
    address,
    attribute_told,
    bound_by_context,
    broken_word,
    compound,
    other_number,
    part_of_longer_term,
    plural_possessive,
    pointing_back,
)

Rule = Callable[[Occurrence, Scene], bool]

RULES: dict[str, Rule] = {
    rule.__name__: rule
    for rule in (
        part_of_longer_term,
        broken_word,
        capitals,
        part_of_name,
        quoted_title,
        defined_term,
        paired_pronouns,
        language,
        country_named,
        compound,
        not_person,
        address,
        named_person,
        kin_child,
        bound_by_context,
        attribute_told,
        coordinated,
        gender_told,
        anybody,
        pointing_back,
        other_number,
        plural_possessive,
    )
}
UNANNOTATED = "unannotated"
ELSEWHERE = "elsewhere"
OTHER_WORDS = frozenset({"broken_word", "part_of_longer_term"})
"""Rules that tell nothing of the other occurrences of a term, as what they find is another word."""
AMBIGUOUS_CHAIN = "ambiguous_chain"
OTHER_FORM = "other_form"


def _first_rule(occurrence: Occurrence, scene: Scene, *, rules: Sequence[str]) -> str | None:
    return next((name for name in rules if RULES[name](occurrence, scene)), None)


def rules_for(
    occurrences: Sequence[Occurrence], scene: Scene, *, rules: Sequence[str]
) -> list[str | None]:
    """Return for each occurrence of a term the rule that leaves it alone, None where none does.

    Where a rule leaves one alone, all are: a text that speaks of the same persons in two ways would
    contradict itself.
    """
    found = [
        _first_rule(occurrence, scene, rules=rules) if occurrence.tokens else UNANNOTATED
        for occurrence in occurrences
    ]
    if OTHER_WORDS.issuperset(filter(None, found)):
        return found
    return [rule or ELSEWHERE for rule in found]
