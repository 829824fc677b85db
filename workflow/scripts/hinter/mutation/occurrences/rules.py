"""The rules that leave occurrences alone, by name, in the order in which they are asked."""

from collections.abc import Callable

from .kin import kin_child
from .names import capitals, defined_term, named_person, part_of_name, quoted_title
from .occurrence import Occurrence, Scene
from .origins import country_named, language
from .pairs import coordinated, paired_pronouns
from .terms import (
    address,
    bound_by_context,
    broken_word,
    compound,
    not_person,
    part_of_longer_term,
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
    )
}
UNANNOTATED = "unannotated"
"""What is noted of an occurrence in a sentence that no pipeline has parsed."""
AMBIGUOUS_CHAIN = "ambiguous_chain"
OTHER_FORM = "other_form"


def rule_for(occurrence: Occurrence, scene: Scene, *, rules: tuple[str, ...]) -> str | None:
    """Return the first rule that leaves an occurrence alone, None where none does."""
    return next((name for name in rules if RULES[name](occurrence, scene)), None)
