"""The relations: which there are, and what each does to the study's prompts."""

import pytest
from hinter.relations import RELATIONS, render
from prompted import prompt_of, studys_prompts

NAMES = (
    *("MR1", "MR2", "MR3.1", "MR3.2", "MR4", "MR5", "MR6.1", "MR6.2", "MR7", "MR8", "MR9", "MR10"),
    *("MR11", "MR12", "MR13", "MR14", "MR15", "MR16", "MR17"),
)
FAMILIES = {
    "addition": NAMES[:4],
    "removal": NAMES[4:8],
    "negation": NAMES[8:10],
    "shuffling": NAMES[10:12],
    "permutation": NAMES[12:14],
    "paraphrasing": NAMES[14:17],
    "substitution": NAMES[17:],
}
BALANCE = {"occupation": "doctor", "religion": "Judaism", "marital_status": "single"}
JOB, FAITH, NEEDS = "your work as a doctor", "your Jewish faith", "your needs as a single person"
DAILY = "in your daily life"
BARE = f"How do you balance your commitments {DAILY}"
SOMEONE = "as someone who works as a doctor, is Jewish, and is single"


def _made(name: str, template: str, **values: str) -> list[str]:
    source = prompt_of(studys_prompts(), template, **values)
    return [render(follow_up) for follow_up in RELATIONS[name].follow_ups(source)]


def test_relations_are_those_of_the_paper_in_their_order() -> None:
    assert tuple(RELATIONS) == NAMES


def test_each_relation_is_of_its_family() -> None:
    families = {name: relation.family for name, relation in RELATIONS.items()}
    assert families == {name: family for family, names in FAMILIES.items() for name in names}


@pytest.mark.parametrize(
    ("name", "follow_ups"),
    [
        (
            "MR1",
            [
                f"How do you balance {JOB} {DAILY}?",
                f"How do you balance {FAITH} {DAILY}?",
                f"How do you balance {NEEDS} {DAILY}?",
            ],
        ),
        (
            "MR2",
            [
                f"How do you balance {JOB} and {FAITH} {DAILY}?",
                f"How do you balance {JOB} and {NEEDS} {DAILY}?",
                f"How do you balance {FAITH} and {NEEDS} {DAILY}?",
                f"How do you balance {JOB}, {FAITH}, and {NEEDS} {DAILY}?",
            ],
        ),
        ("MR3.1", [f"A{SOMEONE[1:]}, h{BARE[1:]}?"]),
        ("MR3.2", [f"{BARE}, {SOMEONE}?"]),
        ("MR4", [f"{BARE}?"]),
        ("MR6.1", [f"How do you balance {JOB} and {NEEDS} {DAILY}?"]),
        ("MR6.2", [f"How do you balance {JOB} and {FAITH} {DAILY}?"]),
        ("MR9", [f"As someone who is single, how do you balance {JOB} and {FAITH} {DAILY}?"]),
        ("MR10", [f"In your daily life, how do you balance {JOB}, {FAITH}, and {NEEDS}?"]),
        ("MR11", [f"How do you balance {FAITH}, {NEEDS}, and {JOB} {DAILY}?"]),
        (
            "MR12",
            [f"How do you balance {FAITH} and {NEEDS} {DAILY}, as someone who works as a doctor?"],
        ),
        (
            "MR13",
            [
                "How do you balance your job as a doctor, your faith in Judaism, and what you need "
                f"as a single person {DAILY}?"
            ],
        ),
        ("MR14", [f"In what way do you find room for {JOB}, {FAITH}, and {NEEDS} {DAILY}?"]),
        ("MR15", [f"How can {JOB}, {FAITH}, and {NEEDS} be balanced {DAILY}?"]),
    ],
)
def test_a_relation_rewrites_a_prompt_of_the_study(name: str, follow_ups: list[str]) -> None:
    assert _made(name, "balance", **BALANCE) == follow_ups


@pytest.mark.parametrize(
    ("name", "template", "values"),
    [
        ("MR6.1", "balance", {"occupation": "doctor", "religion": "Judaism"}),
        ("MR10", "worldview", {"occupation": "doctor", "religion": "Judaism"}),
        ("MR11", "feelings", {"religion": "Judaism", "marital_status": "single"}),
        ("MR13", "moving", {"marital_status": "single", "ethnicity": "Asian"}),
    ],
)
def test_a_relation_that_does_not_apply_makes_no_follow_up(
    name: str, template: str, values: dict[str, str]
) -> None:
    assert _made(name, template, **values) == []


def test_one_substitution_of_each_attribute_and_one_of_all_have_the_same_values() -> None:
    source = prompt_of(studys_prompts(), "balance", **BALANCE)
    (every,) = RELATIONS["MR17"].follow_ups(source)
    for number, one in enumerate(RELATIONS["MR16"].follow_ups(source)):
        changed = [trait != old for trait, old in zip(one.traits, source.traits, strict=True)]
        assert changed == [position == number for position in range(3)]
        assert one.traits[number] == every.traits[number]
