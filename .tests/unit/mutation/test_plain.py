"""Plain and folded texts: breaks within sentences, spellings that look alike, and their spans."""

import textwrap

import pytest
from hinter.invariant import split_sentences
from hinter.mutation import FILLER, fold, plain
from hypothesis import given, settings
from hypothesis import strategies as st

PIECES = (
    *(
        "man",
        "Old",
        "the",
        "a",
        " ",
        "  ",
        "\n",
        "\r\n",
        "\n\n",
        "-",
        "-\n",
        "\u00ad\n",
        ".",
        ":",
        ",",
    ),
    *("<b>", "</p>", "<br/>", "&amp;", "&nbsp;", "&#39;", "&x;", "[", "](a)", "\u200b", "e\u0301"),
    *("\u2028", "\x0c", "1.", "x" * 30, ">", "> ", "\n> "),
)
PARAGRAPH = (
    "The applicant, who was represented before the Court by Mr Smith, asked for the husband of the "
    "African American woman to be heard by the court of first instance of the city of London. It "
    "was refused by Ms. Lovelace, who held that people with disabilities had been heard before."
)


def sentences(text: str) -> list[str]:
    shown = plain(text)
    return [fold(shown[start:end]).line for start, end in split_sentences(shown)]


@pytest.mark.parametrize("width", [36, 50, 65, 72, 100])
@pytest.mark.parametrize("end", ["\n", "\r\n", "  \n", "\n> ", "\n    "])
def test_a_sentence_is_one_over_lines_of_one_width(width: int, end: str) -> None:
    lines = end.join(textwrap.wrap(PARAGRAPH, width))
    letter = f"Dear Sir{end}{end}{lines}{end}{end}Yours{end}Ada"
    assert sentences(letter) == ["Dear Sir", *sentences(PARAGRAPH), "Yours", "Ada"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The man\nwho left", ["The man who left"]),
        ("The man\r\nwho left", ["The man who left"]),
        ("The man \n  who left", ["The man who left"]),
        ("The man\n\nwho left", ["The man", "who left"]),
        ("The man\u2029who left", ["The man", "who left"]),
        ("The man\fwho left", ["The man", "who left"]),
        ("The man\n, who left", ["The man , who left"]),
        ("THE FACTS\n1. The man left", ["THE FACTS", "1.", "The man left"]),
        ("It held:\na) the man\nb) a woman", ["It held:", "a) the man", "b) a woman"]),
        ("The Man\nThe Woman", ["The Man", "The Woman"]),
        ("The fire-\nman left", ["The fireman left"]),
        ("An African-\nAmerican man", ["An African-American man"]),
        ("<p>The man</p><p>left<br>his <i>old</i> dog</p>", ["The man", "left his old dog"]),
        ("The man&#39;s caf&eacute; &amp;c", ["The man's café &c"]),
        ("See [the man](http://a.b) there", ["See the man there"]),
        ("> The man\n> who left", ["The man who left"]),
        (">> The man\r\n>>who left\r\n>> his dog", ["The man who left his dog"]),
        ("&gt; The man\n&gt; who left", ["The man who left"]),
        ("He wrote:\n> the man\n> left\nyes", ["He wrote:", "the man left", "yes"]),
        ("> > the man\n> did he", ["the man", "did he"]),
        ("> The man\n>\n> who left", ["The man", "who left"]),
        ("1 > 0\nand a man", ["1 > 0 and a man"]),
        ("1 < 2 and <the man> left &nothing;", ["1 < 2 and <the man> left &nothing;"]),
    ],
)
def test_lines_go_on_within_a_sentence(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@settings(max_examples=300, deadline=None, derandomize=True)
@given(text=st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_every_word_stays_where_it_is(text: str) -> None:
    shown = plain(text)
    assert len(shown) == len(text)
    assert plain(shown) == shown
    kept = [(one, other) for one, other in zip(shown, text, strict=True) if one != other]
    assert all(one in " \n\f\x1f-&'\u00a0" + FILLER for one, _ in kept)


@pytest.mark.parametrize(
    "piece", ["word ", " ", "\n", "a-\n", "<b>", "&amp;", "a\n", "<", "<a ", ">\n", "> > a\n"]
)
def test_long_texts_are_read_in_time(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    assert len(plain(text)) == len(text)


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
