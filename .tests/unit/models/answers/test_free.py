"""Answers that are kept as they are: given, refused or empty."""

import pytest
from hinter.models import Status
from hinter.models.answers import FreeReader


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("It has made me curious about other people.", "ok"),
        ("  \n", "unparsed"),
        ("", "unparsed"),
        ("I'm sorry, but that is private.", "refused"),
        ("As an AI language model, I have no worldview.", "refused"),
        ("I cannot answer that.\n\nBut others can.", "refused"),
        ("My job comes first.\n\nI'm sorry if that is short.", "ok"),
        ("No, not at all.", "ok"),
    ],
)
def test_an_answer_is_given_refused_or_empty(answer: str, status: str) -> None:
    reading = FreeReader().read(answer)
    assert (reading.status, reading.answer) == (Status(status), answer)
    assert reading.outcome == (() if status == "ok" else None)
