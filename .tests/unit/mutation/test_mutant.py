"""A mutant is its recipe: its text, its parts, and what is left when it is narrowed."""

import re
from itertools import combinations

import pytest
from hinter.lattice import parts_of
from hinter.mutation import EditSpan, Mutant, Role, SpannedTerm, compose

TEXT = "A tall man and an ugly man saw an old actor. A MAN is an actor."
# An article before each term, some of which ask for the other one.
TERMS = {
    "age:old>young": ["old"],
    "body:tall>obese": ["tall", "ugly"],
    "gender:man>heir": ["MAN"],
    "race:actor>Briton": ["actor."],
}
WRONG = re.compile(r"\ban (?![aeiou]|heir)|\ba (?=[aeiou]|heir)", flags=re.IGNORECASE)


def whole() -> Mutant:
    chosen = []
    for pair_id, words in TERMS.items():
        source, target = pair_id.partition(":")[2].split(">")
        edit_spans: list[EditSpan] = []
        for word in words:
            [start] = [found.start() for found in re.finditer(rf"\b{word}", TEXT)][-1:]
            article = re.search(r"an?(?= $)", TEXT[:start], flags=re.IGNORECASE)
            if article:
                edit_spans.append(EditSpan(*article.span(), Role.ARTICLE))
            edit_spans.append(EditSpan(start, start + len(word.rstrip("."))))
        chosen.append((SpannedTerm(pair_id.partition(":")[0], source, tuple(edit_spans)), target))
    return Mutant("o", TEXT, tuple(TERMS), compose(TEXT, chosen))


def test_a_mutant_says_what_it_is() -> None:
    mutant = whole()
    assert mutant.text == ("An obese man and an obese man saw a young actor. AN HEIR is a Briton.")
    assert mutant.mutant_id == "|".join(["o", *TERMS])
    assert mutant.attributes == ("age", "body", "gender", "race")
    assert {TEXT[slice(*old)]: mutant.text[slice(*new)] for old, new in mutant.spans.items()} == {
        "A": "AN",
        "an": "a",
        "tall": "obese",
        "ugly": "obese",
        "old": "young",
        "MAN": "HEIR",
        "actor": "Briton",
    }


def test_a_stranger_makes_the_text_of_the_edits_alone() -> None:
    recipe = whole().recipe()
    assert Mutant.of_row(recipe, TEXT) == whole()
    text = TEXT
    for edit in reversed(recipe["edits"]):
        text = text[: edit["start"]] + edit["text"] + text[edit["end"] :]
    assert text == whole().text


@pytest.mark.parametrize("part", parts_of(tuple(TERMS)))
def test_a_part_changes_its_own_words_and_their_articles(part: tuple[str, ...]) -> None:
    mutant = whole().part(part)
    assert mutant.pair_ids == part
    assert {edit.attribute for edit in mutant.edits} == set(mutant.attributes)
    assert not WRONG.search(mutant.text)


def test_narrowing_to_any_places_leaves_no_wrong_article() -> None:
    mutant = whole()
    for size in range(len(mutant.main_edits) + 1):
        for kept in combinations(mutant.main_edits, size):
            narrowed = mutant.narrowed(kept)
            assert narrowed.main_edits == kept
            assert not WRONG.search(narrowed.text), narrowed.text
    assert mutant.narrowed(mutant.main_edits) == mutant


def test_articles_alone_are_no_mutant() -> None:
    bare = whole().narrowed(())
    assert (bare.text, bare.pair_ids, bare.edits) == (TEXT, (), ())
