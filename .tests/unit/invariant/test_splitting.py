"""Where sentences end."""

import pytest
from hinter.invariant import split_sentences
from hinter.invariant.splitting import ABBREVIATIONS, closes_sentence
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.lang.en import English

PIECES = (
    *(
        "Mr",
        "Dr",
        "Inc",
        "U",
        "man",
        "é",
        "J",
        "3",
        ".",
        "..",
        "!",
        "?",
        "…",
        '"',
        "'",
        "”",
        ")",
        "(",
    ),
    *(" ", "  ", "\t", "\n", "\r\n", "\u2028", "\x1f", "\x85", "\u00a0", "👍", "-", ",", "e.g."),
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=20).map("".join)


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


@pytest.mark.parametrize(
    "expected",
    [
        ["He ran.", "She ran!", "Who ran?", "Nobody ran…", "Well..."],
        ['He said "go."', "Then he left."],
        ["“No!”", "he said."],
        ["(See above.)", "Then he left."],
        ["'Why?'", "[So.]", "«Non!»", "End"],
        ["He ran.)", "x"],
    ],
)
def test_a_sentence_ends_at_a_stop_and_its_closing_quotes(expected: list[str]) -> None:
    assert sentences(" ".join(expected)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "I met Mr. Smith, Mrs. Smith and Dr. No at Acme Inc. in St. Louis.",
        "Sammy Davis Jr. sang vs. Prof. Brown.",
        "It means e.g. this, i.e. that.",
        "Ask (Dr. Smith).",
        'He said "Mr. Smith is here".',
        "“Mrs. Smith” left.",
        "He met Mr.” Smith",
    ],
)
def test_an_abbreviation_ends_no_sentence(text: str) -> None:
    assert sentences(text) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "She left the U.S. with J. R. R. Tolkien.",
        "It was W.C. Fields.",
        "Born in the U.S.S.R. in 1950.",
        "É. Zola wrote it.",
        'Ask "J. Smith".',
    ],
)
def test_initials_end_no_sentence(text: str) -> None:
    assert sentences(text) == [text]


@pytest.mark.parametrize(
    "expected",
    [
        ["She saw the house.", "Smith left."],
        ["Go to the Drs.", "Smith left."],
        ["It is 1950.", "Smith left."],
        ["I saw Mr.!", "Smith left."],
        ["It was 3.", "Smith left."],
    ],
)
def test_other_words_with_a_full_stop_do(expected: list[str]) -> None:
    assert sentences(" ".join(expected)) == expected


@pytest.mark.parametrize(
    "text", ["See www.imdb.com or 3.5 stars", "Smith.Jones left", "Wait!what?now", "Hm .but"]
)
def test_a_stop_inside_a_word_ends_no_sentence(text: str) -> None:
    assert sentences(text) == [text]


@pytest.mark.parametrize(
    "line_break",
    [
        "\n",
        "\r",
        "\r\n",
        "\n\n",
        " \n ",
        "\r\n\r\n",
        "\t\n",
        "\v",
        "\f",
        "\x85",
        "\u2028",
        "\u2029",
    ],
)
def test_a_line_break_ends_a_sentence(line_break: str) -> None:
    text = f"He met Mr.{line_break}Smith and{line_break}left.{line_break}"
    assert sentences(text) == ["He met Mr.", "Smith and", "left."]


@pytest.mark.parametrize("space", [" ", "  ", "\t", "\u00a0", "\u2003", "\u3000"])
def test_other_white_space_ends_no_sentence(space: str) -> None:
    text = f"He{space}left"
    assert sentences(f"{space}{text}{space}") == [text]


def test_the_last_sentence_needs_no_stop() -> None:
    assert sentences("He ran. She ran") == ["He ran.", "She ran"]


@pytest.mark.parametrize("text", ["", " ", "\n", " \r\n\t\u2028 "])
def test_a_text_without_words_has_no_sentence(text: str) -> None:
    assert split_sentences(text) == []


def test_spans_leave_out_the_white_space_around() -> None:
    assert split_sentences("  He ran.  She \n ran  ") == [(2, 9), (11, 14), (17, 20)]


@settings(max_examples=500, deadline=None, derandomize=True)
@given(text=TEXTS)
def test_sentences_hold_all_but_the_white_space_between_them(text: str) -> None:
    spans = split_sentences(text)
    ends = [0, *(end for _, end in spans)]
    starts = [*(start for start, _ in spans), len(text)]
    for end, start in zip(ends, starts, strict=True):
        assert end <= start
        assert not text[end:start].strip()
    for sentence in sentences(text):
        assert sentence
        assert sentence == sentence.strip()


@settings(max_examples=500, deadline=None, derandomize=True)
@given(text=TEXTS)
def test_a_sentence_alone_is_one_sentence(text: str) -> None:
    for sentence in sentences(text):
        assert sentences(sentence) == [sentence]


@settings(max_examples=500, deadline=None, derandomize=True)
@given(before=TEXTS, after=TEXTS)
def test_what_stands_on_other_lines_moves_no_sentence_end(before: str, after: str) -> None:
    assert sentences(f"{before}\n{after}") == sentences(before) + sentences(after)


@pytest.mark.parametrize(
    "piece", ["x", ".", "a.", '"', "(", "!", " ", "\n", "\r\n", "Mr. ", "…", "'.", "x."]
)
def test_the_sentences_of_a_long_text_hold_all_its_words(piece: str) -> None:
    text = f"One {piece * (100_000 // len(piece))} two"
    found = " ".join(text[start:end] for start, end in split_sentences(text))
    assert found.split() == text.split()


def test_the_abbreviations_are_those_of_spacys_tokenizer() -> None:
    words = {word for word in English.Defaults.tokenizer_exceptions if word.endswith(".")}
    assert words >= ABBREVIATIONS
    assert not [word for word in words if closes_sentence(word)]
