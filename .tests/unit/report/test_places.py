"""What mutants change, in the words and places that the page keeps."""

import pytest
from hinter.dictionary import WordPair
from hinter.mutation import place_part, render
from hinter.report.places import CONTEXT, changes_of, in_utf16, other_changes, passages

MAN = WordPair("gender:man>woman", "gender", "m", "f", "man", "woman")
OLD_MAN = WordPair("age:old_man>young_man", "age", "o", "y", "old man", "young man")


def test_changes_have_the_case_of_what_they_replace() -> None:
    assert changes_of("A MAN, a Man.", [MAN], None) == [[2, 5, "WOMAN", 0], [9, 12, "Woman", 0]]


def test_places_of_a_recipe_are_kept_with_the_number_of_their_pair() -> None:
    places = [
        {"start": 0, "end": 1, "pair": 0, "role": "article"},
        {"start": 2, "end": 5, "pair": 0, "role": "term"},
    ]
    pair = WordPair("race:British>Asian", "race", "b", "a", "big", "ugly")
    assert changes_of("A big house", [pair], places) == [[0, 1, "An", 0], [2, 5, "ugly", 0]]


def test_a_sub_mutant_that_changes_other_places_than_the_whole_has_its_own() -> None:
    text = "An old man and a man."
    pairs = [OLD_MAN, MAN]
    whole = changes_of(text, pairs, None)
    others = other_changes(text, pairs, None, whole=whole)
    # Alone, the pair of man changes the old man as well.
    assert others == {2: [[7, 10, "woman", 1], [17, 20, "woman", 1]]}
    (placed,) = place_part(text, pairs, None, part=[MAN])
    assert render(text, placed) == "An old woman and a woman."


def test_a_long_text_is_kept_around_its_changes_only() -> None:
    text = "word " * 1000 + "man " + "word " * 1000 + "man"
    first, second = passages(text, changes_of(text, [MAN], None))
    assert text[slice(*first)].split().count("man") == 1
    assert second[1] == len(text)
    for start, end in (first, second):
        assert end - start < 2 * CONTEXT + 20
        assert text[start:end] == text[start:end].strip()


@pytest.mark.parametrize("text", ["man", f"man {'x' * 2000} man", ""])
def test_passages_never_leave_the_text(text: str) -> None:
    spans = passages(text, changes_of(text, [MAN], None))
    assert all(0 <= start < end <= len(text) for start, end in spans)


def test_positions_are_counted_as_browsers_do() -> None:
    text = "a😀b𝔘c"
    assert [in_utf16(text)(at) for at in range(6)] == [0, 1, 3, 4, 6, 7]
    assert in_utf16("aé漢")(2) == 2
    assert in_utf16("")(0) == 0
