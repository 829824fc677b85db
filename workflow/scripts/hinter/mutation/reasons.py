"""The reasons for which occurrences and mentions are excluded, in words."""

from .describing import MENTION_RULES
from .occurrences import RULES, Note

NOTED: dict[str, str] = {
    Note.UNANNOTATED: "the sentence has more than `max_sentence_chars` characters, and is not "
    "parsed.",
    Note.ELSEWHERE: "a rule excludes another occurrence of the term (*French* in a text with "
    "*French fries*).",
    Note.AMBIGUOUS_CHAIN: "a pronoun may refer to several persons, or to an unknown one (*my "
    "friend met a doctor, and she slept*).",
    Note.OTHER_FORM: "the pronoun changes with another form of it (*his* with *he*).",
    Note.WITHOUT_PARTNER: "no word of the attribute can replace it (*soldier*).",
    Note.TOLD_TWICE: "two descriptors of the attribute are next to the noun (*an old young "
    "doctor*).",
    Note.SAME_DESCRIPTOR: "an earlier mention has the same descriptor (*a young nurse and a young "
    "doctor*).",
    Note.NOTHING_FITS: "no descriptor of the attribute fits the noun and the pronouns near it "
    "(gender and *woman*).",
}
"""The notes on occurrences and mentions that are excluded without a rule of the study."""
REASONS = {
    name: (rule.__doc__ or "").removeprefix("Return whether ")
    for name, rule in {**RULES, **MENTION_RULES}.items()
} | NOTED
"""The finding with which a rule excludes one, by the rule's name: a sentence and an explanation."""


def reason_in_short(rule: str) -> str:
    """Return the first sentence of a rule's reason, without a full stop and marks."""
    return REASONS[rule].partition("\n\n")[0].replace("*", "").replace("`", "").rstrip(".")
