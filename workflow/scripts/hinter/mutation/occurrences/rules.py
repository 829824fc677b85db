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
    bound_by_context,
    broken_word,
    compound,
    other_number,
    part_of_longer_term,
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
        coordinated,
        gender_told,
        anybody,
        pointing_back,
        other_number,
    )
}
UNANNOTATED = "unannotated"
"""What is noted of an occurrence in a sentence that no pipeline has parsed."""
ELSEWHERE = "elsewhere"
"""What is noted of an occurrence of a term that means something else elsewhere in the text."""
SAME_SENSE = frozenset(
    {"anybody", "bound_by_context", "gender_told", "kin_child", "named_person", "not_person"}
)
"""Rules that tell of what a term means in the whole text."""
SAME_COUNTRY = frozenset({"country_named", "language", "part_of_name", "quoted_title"})
"""Rules that tell that a text speaks of the country of a demonym."""
AMBIGUOUS_CHAIN = "ambiguous_chain"
OTHER_FORM = "other_form"


def _first_rule(occurrence: Occurrence, scene: Scene, *, rules: Sequence[str]) -> str | None:
    return next((name for name in rules if RULES[name](occurrence, scene)), None)


def rules_for(
    occurrences: Sequence[Occurrence], scene: Scene, *, rules: Sequence[str]
) -> list[str | None]:
    """Return for each occurrence of a term the rule that leaves it alone, None where none does.

    Where one of `SAME_SENSE` speaks of one, all are left alone; so are all of a demonym where one
    of `SAME_COUNTRY` does, and all of an occupation where one is part of a compound.
    """
    found = [
        _first_rule(occurrence, scene, rules=rules) if occurrence.tokens else UNANNOTATED
        for occurrence in occurrences
    ]
    first = occurrences[0]
    of_all = SAME_SENSE | (SAME_COUNTRY if first.attribute == "race" else set())
    if first.source in scene.lists.alike:
        of_all |= {"compound"}
    if of_all.isdisjoint(found):
        return found
    return [rule or ELSEWHERE for rule in found]
