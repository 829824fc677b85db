"""Prompts as text: articles, lists and clauses."""

from dataclasses import replace

import pytest
from hinter.relations import render
from prompted import prompt_of, studys_prompts


@pytest.mark.parametrize(
    ("values", "beginning"),
    [
        ({"occupation": "artist"}, "As an artist, how"),
        ({"occupation": "teacher"}, "As a teacher, how"),
        ({"social_status": "upper-class", "occupation": "teacher"}, "As an upper-class teacher, "),
        ({"marital_status": "single", "ethnicity": "Asian"}, "As a single, Asian newcomer, how"),
        ({}, "As a newcomer, how"),
    ],
)
def test_an_article_agrees_with_what_follows(values: dict[str, str], beginning: str) -> None:
    assert render(prompt_of(studys_prompts(), "moving", **values)).startswith(beginning)


def test_what_opens_the_sentence_leaves_the_setting_to_its_end() -> None:
    prompt = prompt_of(studys_prompts(), "moving", ethnicity="Asian", occupation="artist")
    opened = prompt.changing(prompt.traits[1:], position=lambda _: "opening")
    expected = "As someone who works as an artist, how would you settle in a new city as an Asian "
    assert render(opened) == f"{expected}newcomer?"


def test_what_closes_a_sentence_without_a_setting_follows_its_last_word() -> None:
    prompt = prompt_of(studys_prompts(), "worldview", language="French", religion="Islam")
    closed = prompt.changing(prompt.traits, position=lambda _: "closing")
    assert render(closed) == (
        "How has your background influenced your worldview, as someone who is Muslim and speaks "
        "French?"
    )


def test_no_prompt_of_the_study_has_a_gap_or_a_double_space() -> None:
    attributes = studys_prompts().attributes
    for name, template in studys_prompts().templates.items():
        values = {each: next(iter(attributes[each].values)) for each in template.attributes}
        whole = prompt_of(studys_prompts(), name, **values)
        for prompt in (whole, replace(whole, rephrased=True), whole.without(*whole.traits)):
            text = render(prompt)
            assert not {"{", "}"} & set(text) and " ".join(text.split()) == text
            assert text.endswith("?") and text[0].isupper()
