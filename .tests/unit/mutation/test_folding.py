"""Spellings that look alike are folded to one, and spans are those of the original."""

import pytest
from hinter.mutation import fold
from hypothesis import given, settings
from hypothesis import strategies as st

SIGNS = "a Z.\n \u00a0\u200b\u00ad\u0301\x1fé’\ufb01ſ👍\u200d"


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("an  old\t\u00a0man", "an old man"),
        ("an \u200b old man", "an old man"),
        ("old \r\n man", "old\nman"),
        ("wo\u200bm\u00adan\ufeff", "woman"),
        ("fiance\u0301", "fiancé"),
        ("\ufb01reman", "fireman"),
        ("man² ½ ſ", "man² ½ ſ"),
        ("rea\u00ad\nsons", "rea-\nsons"),
        ("", ""),
    ],
)
def test_a_text_is_folded(text: str, folded: str) -> None:
    assert fold(text).text == folded


@settings(max_examples=300, deadline=None, derandomize=True)
@given(text=st.text(alphabet=SIGNS, max_size=20))
def test_every_character_has_its_place_in_the_original(text: str) -> None:
    folded = fold(text)
    assert [*folded.starts] == sorted(folded.starts)
    spans = [folded.span(number, number + 1) for number in range(len(folded.text))]
    assert all(0 <= start < end <= len(text) for start, end in spans)
    for character, (start, _) in zip(folded.text, spans, strict=True):
        if character.isalpha() and character.isascii():
            assert text[start] in (character, "\ufb01")
