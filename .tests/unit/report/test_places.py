"""What mutants change, in the words and places that the page keeps."""

import pytest
from hinter.mutation import Mutant
from hinter.report.places import CONTEXT, changes_of, in_utf16, passages
from literal import word_pairs
from recipes import literal_mutant

MAN, OLD_MAN = "gender:man>woman", "age:old man>young man"


def mutant_of(text: str, *pair_ids: str) -> Mutant:
    return literal_mutant("o", text, word_pairs(pair_ids))


def test_changes_have_the_case_of_what_they_replace() -> None:
    mutant = mutant_of("A MAN, a Man.", MAN)
    assert changes_of(mutant, whole=mutant) == [[2, 5, "WOMAN", 0], [9, 12, "Woman", 0]]


def test_changes_have_the_number_of_their_pair_in_the_whole_mutant() -> None:
    text = "An old man and a man."
    whole, part = mutant_of(text, OLD_MAN, MAN), mutant_of(text, MAN)
    assert changes_of(whole, whole=whole) == [[3, 10, "young man", 0], [17, 20, "woman", 1]]
    # Alone, the pair of man changes the old man as well.
    assert changes_of(part, whole=whole) == [[7, 10, "woman", 1], [17, 20, "woman", 1]]


def test_a_long_text_is_kept_around_its_changes_only() -> None:
    text = "word " * 1000 + "man " + "word " * 1000 + "man"
    first, second = passages(text, changes_of(mutant_of(text, MAN), whole=mutant_of(text, MAN)))
    assert text[slice(*first)].split().count("man") == 1
    assert second[1] == len(text)
    for start, end in (first, second):
        assert end - start < 2 * CONTEXT + 20
        assert text[start:end] == text[start:end].strip()


@pytest.mark.parametrize("text", ["man", f"man {'x' * 2000} man", ""])
def test_passages_never_leave_the_text(text: str) -> None:
    spans = passages(text, changes_of(mutant_of(text, MAN), whole=mutant_of(text, MAN)))
    assert all(0 <= start < end <= len(text) for start, end in spans)


def test_positions_are_counted_as_browsers_do() -> None:
    text = "a😀b𝔘c"
    assert [in_utf16(text)(at) for at in range(6)] == [0, 1, 3, 4, 6, 7]
    assert in_utf16("aé漢")(2) == 2
    assert in_utf16("")(0) == 0
