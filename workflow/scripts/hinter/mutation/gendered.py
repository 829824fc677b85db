"""English words that carry a person's gender: pronouns, titles, and nouns with a counterpart."""

from enum import StrEnum
from functools import cache

from .roles import Role


class Gender(StrEnum):
    """The gender of a word, as far as pronouns agree with it."""

    MASCULINE = "masculine"
    FEMININE = "feminine"


_PRONOUNS = {
    Gender.MASCULINE: {
        Role.SUBJECT: "he",
        Role.OBJECT: "him",
        Role.DETERMINER: "his",
        Role.POSSESSIVE: "his",
        Role.REFLEXIVE: "himself",
    },
    Gender.FEMININE: {
        Role.SUBJECT: "she",
        Role.OBJECT: "her",
        Role.DETERMINER: "her",
        Role.POSSESSIVE: "hers",
        Role.REFLEXIVE: "herself",
    },
}
PRONOUNS = ("he", "him", "his", "himself", "she", "her", "hers", "herself")
"""The pronouns of chains; the first of them that occurs in a chain leads it."""
_PAIRS = """
    abbot/abbess actor/actress anchorman/anchorwoman assemblyman/assemblywoman bachelor/bachelorette
    baron/baroness boy/girl boyfriend/girlfriend brother/sister brother-in-law/sister-in-law
    businessman/businesswoman cameraman/camerawoman caveman/cavewoman chairman/chairwoman
    clergyman/clergywoman comedian/comedienne congressman/congresswoman councilman/councilwoman
    cowboy/cowgirl dad/mom daddy/mommy emperor/empress ex-boyfriend/ex-girlfriend
    ex-husband/ex-wife executor/executrix father/mother father-in-law/mother-in-law fiance/fiancee
    fireman/firewoman gentleman/lady godson/goddaughter granddad/granny grandfather/grandmother
    grandpa/grandma grandson/granddaughter great-grandfather/great-grandmother groom/bride
    half-brother/half-sister headmaster/headmistress heir/heiress hero/heroine horseman/horsewoman
    househusband/housewife husband/wife king/queen lad/lass man/woman masseur/masseuse monk/nun
    nephew/niece nobleman/noblewoman papa/mama patriarch/matriarch policeman/policewoman
    priest/priestess prince/princess salesman/saleswoman schoolboy/schoolgirl
    schoolmaster/schoolmistress seducer/seductress serviceman/servicewoman son/daughter
    son-in-law/daughter-in-law sorcerer/sorceress spokesman/spokeswoman sportsman/sportswoman
    stepbrother/stepsister stepfather/stepmother stepson/stepdaughter stuntman/stuntwoman
    testator/testatrix uncle/aunt villain/villainess waiter/waitress widower/widow
"""
_COUNTERPARTS = dict(pair.split("/") for pair in _PAIRS.split())
_MASCULINE_OF = {feminine: masculine for masculine, feminine in _COUNTERPARTS.items()}
_GENDERS = (
    dict.fromkeys([*_COUNTERPARTS, "mr", "male", "bridegroom", "guy"], Gender.MASCULINE)
    | dict.fromkeys([*_COUNTERPARTS.values(), "mrs", "ms", "female", "mum"], Gender.FEMININE)
    | {form: gender for gender, forms in _PRONOUNS.items() for form in forms.values()}
)


@cache
def gender_of(phrase: str) -> Gender | None:
    """Return the gender of the first gendered word of a word or phrase in the singular."""
    words = phrase.lower().split()
    return next((_GENDERS[word] for word in words if word in _GENDERS), None)


def is_noun(word: str) -> bool:
    """Return whether a word is a gendered noun that has a counterpart."""
    lowered = word.lower()
    return lowered in _COUNTERPARTS or lowered in _MASCULINE_OF


def counterpart_of(noun: str) -> str:
    """Return the gendered noun (`is_noun`) of the other gender, in lower case."""
    lowered = noun.lower()
    return _COUNTERPARTS.get(lowered) or _MASCULINE_OF[lowered]


def counterpart(noun: str, *, target: str) -> str:
    """Return the gendered noun that fits `target`: itself, or that of the other gender."""
    return noun if gender_of(target) in (None, gender_of(noun)) else counterpart_of(noun)


def pronoun(found: str, *, role: Role, target: str) -> str:
    """Return the pronoun of a role that fits `target`; a neutral target keeps the one `found`."""
    gender = gender_of(target)
    return _PRONOUNS[gender][role] if gender else found
