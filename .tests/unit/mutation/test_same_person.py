"""Whether edits concern one person: sentences of every kind, and what operators say of texts."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hinter.config import OccurrencesSheet, read_sheet
from hinter.invariant import Annotator
from hinter.mutation import (
    DictionaryIndex,
    EditSpan,
    Lists,
    Literal,
    OnePerson,
    Persons,
    Role,
    Selective,
    combinations_of,
)
from literal import word_pairs

ROOT = Path(__file__).resolve().parents[3]
CASES = ROOT.parent / "shared" / "data" / "ecthr" / "ecthr_facts.parquet"
PAIRS = ["body:deaf>blind", "gender:he>she", "gender:woman>man", "race:American>Kenyan"]


@pytest.fixture(scope="module")
def lists() -> Lists:
    sheet = read_sheet(ROOT / "config" / "occurrences.yaml", OccurrencesSheet)
    return Lists(**sheet.model_dump())


@pytest.fixture(scope="module")
def annotator(parser_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Annotator:
    return Annotator(parser_folder, store=tmp_path_factory.mktemp("annotations"))


@pytest.fixture(scope="module")
def persons(annotator: Annotator, lists: Lists) -> Persons:
    return Persons(annotator, lists)


def edit_spans_of(text: str, words: Sequence[str]) -> list[EditSpan]:
    """The places of words; a word with a star stands at all of its occurrences."""
    edit_spans = []
    for word in words:
        bare = word.removesuffix("*")
        starts = [at for at in range(len(text)) if text.startswith(bare, at)]
        assert starts, word
        chosen = starts if word.endswith("*") else starts[:1]
        edit_spans += [EditSpan(start, start + len(bare)) for start in chosen]
    return edit_spans


SURE = {
    "an adjective and its noun": ("I met a blind woman.", ["blind", "woman"]),
    "two adjectives": ("A deaf American woman sang.", ["deaf", "American"]),
    "two adjectives that are joined": ("A deaf and fat woman sang.", ["deaf", "fat"]),
    "a noun before a noun": ("The woman doctor was deaf.", ["woman", "deaf"]),
    "a predicate": ("She is an American.", ["She", "American"]),
    "a predicate of a predicate": ("She seemed to be deaf.", ["She", "deaf"]),
    "an apposition": ("The doctor, an American, left the room.", ["doctor", "American"]),
    "a relative clause": ("A woman who is deaf came in.", ["woman", "deaf"]),
    "a pronoun and its noun": ("A deaf doctor left. He was tired.", ["deaf", "He"]),
    "what is said of a pronoun": ("A woman left. She was deaf.", ["woman", "deaf"]),
    "a plural": ("Deaf women marched.", ["Deaf", "women"]),
    "the pronouns of one noun": ("A deaf man sat. He ate, and he left.", ["deaf", "He", "he "]),
}
SEVERAL = {
    "two nouns": ("A blind man met a woman.", ["blind", "woman"]),
    "somebody of theirs": ("Her husband was deaf.", ["Her", "deaf"]),
    "a thing": ("An American film showed a deaf girl.", ["American", "deaf"]),
    "one and several": ("He saw the deaf women.", ["He", "deaf"]),
    "two genders": ("She met a deaf man. The man left.", ["She", "deaf"]),
    "one more place elsewhere": ("An American woman saw an American film.", ["American*", "woman"]),
    "the noun of a pronoun, and another": (
        "The doctor left. He met a deaf singer.",
        ["He", "deaf"],
    ),
}
OPEN = {
    "one noun twice": ("A man sat there. Some deaf man left.", ["man", "deaf"]),
    "one of two": ("The doctor met a lawyer. He was deaf.", ["doctor", "He"]),
    "no person at all": ("It was a gay American film.", ["gay", "American"]),
    "somebody with a name": ("Carl Smith left. He saw a deaf man.", ["He", "deaf"]),
}


@pytest.mark.parametrize(
    ("text", "words", "told"),
    [
        pytest.param(*case, told, id=f"{told.value}: {name}")
        for told, cases in (
            (OnePerson.YES, SURE),
            (OnePerson.NO, SEVERAL),
            (OnePerson.UNKNOWN, OPEN),
        )
        for name, case in cases.items()
    ],
)
def test_edits_concern_one_person_or_several(
    text: str, words: list[str], told: OnePerson, persons: Persons
) -> None:
    edit_spans = edit_spans_of(text, words)
    assert persons.one_person(text, edit_spans) == told
    assert persons.one_person(text, reversed(edit_spans)) == told


def test_articles_are_nobody(persons: Persons) -> None:
    text = "An old woman met a man."
    old, woman, article = edit_spans_of(text, ["old", "woman", "a man"])
    edits = [old, woman, EditSpan(article.start, article.start + 1, Role.ARTICLE)]
    assert persons.one_person(text, edits) == OnePerson.YES


def test_a_sentence_that_is_not_parsed_tells_nothing(
    parser_folder: Path, lists: Lists, tmp_path: Path
) -> None:
    brief = Annotator(parser_folder, store=tmp_path, max_sentence_chars=30)
    long = "She met a deaf man, and then she went home. "
    text = f"{long}A blind woman saw a lad."
    persons = Persons(brief, lists)
    for words, told in (
        (["blind", "woman"], OnePerson.YES),
        (["deaf", "woman"], OnePerson.UNKNOWN),
        (["deaf", "woman", "lad"], OnePerson.NO),
    ):
        assert persons.one_person(text, edit_spans_of(text, words)) == told


TEXTS = {
    "A deaf woman sang.": OnePerson.YES,
    "A deaf man met a woman.": OnePerson.NO,
    "An American is deaf. He met a woman who is not deaf.": OnePerson.NO,
}


@pytest.mark.parametrize("text", TEXTS)
def test_each_operator_says_it_of_a_combination_and_of_no_single_term(
    text: str, persons: Persons
) -> None:
    index = DictionaryIndex(word_pairs(PAIRS))
    for operator in (
        Literal(index, persons),
        Selective(index, DictionaryIndex([]), persons, (), coherent=True),
    ):
        told = {
            tuple(term.source for term in one.terms): one.one_person
            for one in combinations_of(text, orders=[1, 2], substituting=operator)
        }
        assert told["deaf", "woman"] == TEXTS[text]
        assert all((value is None) == (len(key) == 1) for key, value in told.items())


def test_nobody_is_told_apart_without_a_pipeline() -> None:
    found = combinations_of(
        "A deaf woman sang.", orders=[2], substituting=Literal(DictionaryIndex(word_pairs(PAIRS)))
    )
    assert [one.one_person for one in found] == [OnePerson.UNKNOWN]


@pytest.mark.skipif(not CASES.is_file(), reason="../shared/data/ecthr is absent")
@pytest.mark.release
def test_few_literal_combinations_of_court_cases_concern_one_person(persons: Persons) -> None:
    """What is said does not depend on the order of the edits, and more edits never make a yes."""
    texts = [text[:3000] for text in pq.read_table(CASES)["facts"].to_pylist()[:40]]
    pairs = ["body:person>blind person", "gender:he>she", "gender:his>her", "race:Turkish>Greek"]
    operator = Literal(DictionaryIndex(word_pairs(pairs)), persons)
    operator.prepare(texts)
    told = []
    for text in texts:
        for one in combinations_of(text, orders=[2], substituting=operator):
            told.append(one.one_person)
            edit_spans = [span for term in one.terms for span in term.edit_spans]
            assert persons.one_person(text, sorted(edit_spans)) == one.one_person
            if one.one_person is OnePerson.YES:
                assert all(persons.one_person(text, [span]) == OnePerson.YES for span in edit_spans)
            if persons.one_person(text, one.terms[0].edit_spans) is OnePerson.NO:
                assert one.one_person is OnePerson.NO
    assert len(told) > 20 and told.count(OnePerson.NO) > told.count(OnePerson.YES)
