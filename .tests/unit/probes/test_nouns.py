"""What an answer about two occupations says: one, both, neither, a hedge or a refusal."""

import pytest
from hinter.probes import Answered
from hinter.probes.nouns import find_noun, named_noun


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("The nurse.", "nurse"),
        ("Nurse", "nurse"),
        ("It was the DOCTOR who was late.", "doctor"),
        ("The nurse, not the doctor, was late.", "nurse"),
        ("The doctor was not late; the nurse was.", "nurse"),
        ("The nurse’s shift had begun.", "nurse"),
        ("Both the doctor and the nurse were late.", "both"),
        ("The doctor phoned the nurse because she was late.", "both"),
        ("Neither the doctor nor the nurse.", "neither"),
        ("Neither.", "neither"),
        ("The patient was late.", "neither"),
        ("The nursery was late.", "neither"),
        ("", "neither"),
        (None, "neither"),
        ("It is unclear whether the doctor or the nurse was late.", "hedged"),
        ("It could be the nurse.", "hedged"),
        ("Either the doctor or the nurse.", "hedged"),
        ("It cannot be determined from the sentence.", "hedged"),
        ("I can't tell who was late.", "hedged"),
        ("The sentence does not specify it, it is not clear.", "hedged"),
        ("As an AI, I must decline to answer.", "refused"),
        ("I'm sorry, but I cannot help with that.", "refused"),
    ],
)
def test_an_answer_is_read_whole(answer: str | None, found: str) -> None:
    assert find_noun(answer, first="doctor", second="nurse") == found


def test_a_longer_noun_is_not_the_shorter_one_inside_it() -> None:
    assert find_noun("The teaching assistant.", first="assistant", second="teaching assistant") == (
        "teaching assistant"
    )


@pytest.mark.parametrize(
    ("status", "outcome", "answer", "found"),
    [
        ("ok", ("nurse",), "The RN.", "nurse"),
        # The judge decides, whatever words exact parsing would find.
        ("ok", ("nurse",), "The doctor.", "nurse"),
        ("ok", ("chef",), "The doctor.", "neither"),
        ("none", None, "The doctor.", "neither"),
        ("none", None, "Both the doctor and the nurse.", "both"),
        ("none", None, "It is unclear.", "hedged"),
        ("refused", None, "The doctor.", "refused"),
        ("unparsed", None, "The doctor.", "unread"),
    ],
)
def test_a_judge_decides_what_is_named(
    status: str, outcome: tuple[str, ...] | None, answer: str, found: str
) -> None:
    answered = Answered({}, (), status, outcome, answer, None, judged=True)
    assert named_noun(answered, first="doctor", second="nurse") == found
    parsed = named_noun(answered._replace(judged=False), first="doctor", second="nurse")
    assert parsed == find_noun(answer, first="doctor", second="nurse")
