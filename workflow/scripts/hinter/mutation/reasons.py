"""The reasons for which occurrences and mentions are excluded, in words."""

from ..yaml_files import data_of
from .describing import MENTION_RULES
from .occurrences import RULES

NOTED: dict[str, str] = data_of(__file__)
"""The notes on occurrences and mentions that are excluded without a rule of the study."""
REASONS = {
    name: (rule.__doc__ or "").removeprefix("Return whether ")
    for name, rule in {**RULES, **MENTION_RULES}.items()
} | NOTED
"""The finding with which a rule excludes one, by the rule's name: a sentence and an explanation."""


def reason_in_short(rule: str) -> str:
    """Return the first sentence of a rule's reason, without a full stop and marks."""
    return REASONS[rule].partition("\n\n")[0].replace("*", "").replace("`", "").rstrip(".")
