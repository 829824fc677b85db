"""What stands at a place of a mutant: a function of what stood there, its role, and the target."""

from .gendered import counterpart, pronoun
from .roles import Role


def wording(found: str, role: Role, target: str) -> str:
    """Return what replaces `found`, which has the given role, where a term becomes `target`.

    It takes the case of what it replaces. What needs no change is returned as it was found, and so
    is an article, which depends on what comes to stand behind it.
    """
    if role is Role.ARTICLE:
        return found
    if role is Role.DESCRIPTOR:
        return f"{target} "
    if role is Role.TERM:
        return match_case(found, target)
    if role is Role.NOUN:
        return match_case(found, counterpart(found, target=target))
    return match_case(found, pronoun(found, role=role, target=target))


def match_case(found: str, target: str) -> str:
    """Return `target` in the case pattern of `found`: UPPER, Title, or as it is declared.

    Capitals that the target is declared with (Nigerian) are never lost. A single capital letter
    counts as Title.
    """
    if found.isupper() and sum(map(str.isalpha, found)) > 1:
        return target.upper()
    if found[:1].isupper():
        return target[:1].upper() + target[1:]
    return target
