"""Whether the rules say in words what they leave alone."""

import re

import pytest
from hinter.mutation import NOTED, REASONS, reason_in_short


@pytest.mark.parametrize("rule", REASONS)
def test_a_rule_has_a_sentence_and_an_example(rule: str) -> None:
    short = reason_in_short(rule)
    assert re.fullmatch(r"(?:a|an|no|another|other|somebody|the|two|words) [^*`\n]+", short)
    assert rule == "unannotated" or re.search(r"\*[^*]+\*", REASONS[rule])


def test_what_is_noted_is_no_rule() -> None:
    assert "compound" in REASONS.keys() - NOTED.keys()
