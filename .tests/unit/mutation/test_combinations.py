"""Which source terms a text allows to be replaced together, and how pairs are addressed."""

import pytest
from hinter.mutation import (
    Combination,
    DictionaryIndex,
    EditSpan,
    Literal,
    Span,
    SpannedTerm,
    combinations_of,
)
from literal import word_pairs


def index_of(*pair_ids: str) -> DictionaryIndex:
    """An index of word pairs written `attribute:source>target`."""
    return DictionaryIndex(word_pairs(pair_ids))


def combinations_in(text: str, index: DictionaryIndex, *orders: int) -> list[Combination]:
    return list(combinations_of(text, orders=orders, substituting=Literal(index)))


def spans_of(term: SpannedTerm) -> tuple[Span, ...]:
    return tuple(span.span for span in term.edit_spans)


def sources_of(found: list[Combination]) -> list[str]:
    """Every combination as `attribute:source` of its terms, joined by plus signs."""
    return ["+".join(f"{term.attribute}:{term.source}" for term in one.terms) for one in found]


def test_all_choices_of_one_term_per_attribute() -> None:
    index = index_of("gender:man>boy", "gender:actor>maid", "race:British>Thai", "age:old>new")
    text = "The old British actor is a man."
    assert sources_of(combinations_in(text, index, 1, 2, 3)) == [
        "age:old",
        "gender:actor",
        "gender:man",
        "race:British",
        "age:old+gender:actor",
        "age:old+gender:man",
        "age:old+race:British",
        "gender:actor+race:British",
        "gender:man+race:British",
        "age:old+gender:actor+race:British",
        "age:old+gender:man+race:British",
    ]


@pytest.mark.parametrize("orders", [(1, 2), (2, 1)])
def test_lower_orders_come_first(orders: tuple[int, ...]) -> None:
    index = index_of("age:old>new", "gender:man>boy")
    found = combinations_in("An old man.", index, *orders)
    assert sources_of(found) == ["age:old", "gender:man", "age:old+gender:man"]


def test_only_the_orders_asked_for() -> None:
    index = index_of("age:old>new", "gender:man>boy", "race:British>Thai")
    found = combinations_in("An old British man.", index, 3)
    assert sources_of(found) == ["age:old+gender:man+race:British"]


def test_an_order_beyond_the_attributes_found_makes_no_mutant() -> None:
    index = index_of("age:old>new", "gender:man>boy", "race:British>Thai")
    assert combinations_in("An old man.", index, 3) == []
    assert combinations_in("An old British man.", index, 4) == []
    assert combinations_in("Nobody.", index, 1, 2) == []


def test_two_terms_of_one_attribute_are_never_replaced_together() -> None:
    index = index_of("gender:man>boy", "gender:actor>maid")
    assert combinations_in("The actor is a man.", index, 2) == []


def test_terms_hold_their_places() -> None:
    index = index_of("age:old>new", "gender:man>boy")
    [combination] = combinations_in("The man saw an old man.", index, 2)
    assert combination.terms == (
        SpannedTerm("age", "old", (EditSpan(15, 18),)),
        SpannedTerm("gender", "man", (EditSpan(4, 7), EditSpan(19, 22))),
    )
    assert combination.attributes == ("age", "gender")


def test_a_longer_term_takes_precedence() -> None:
    index = index_of("age:old man>boy", "gender:man>woman")
    [combination] = combinations_in("The old man saw a man.", index, 2)
    assert [spans_of(term) for term in combination.terms] == [((4, 11),), ((18, 21),)]


def test_a_longer_term_takes_precedence_in_any_attribute() -> None:
    index = index_of("age:man>woman", "gender:old man>boy")
    [combination] = combinations_in("The old man saw a man.", index, 2)
    assert [spans_of(term) for term in combination.terms] == [((18, 21),), ((4, 11),)]


def test_a_term_left_without_a_place_makes_no_mutant() -> None:
    index = index_of("age:old man>boy", "gender:man>woman", "race:British>Thai")
    assert sources_of(combinations_in("The old British saw the old man.", index, 2, 3)) == [
        "age:old man+race:British",
        "gender:man+race:British",
    ]


def test_atomic_mutants_ignore_the_longer_terms_of_others() -> None:
    index = index_of("age:old man>boy", "gender:man>woman")
    found = combinations_in("The old man.", index, 1)
    assert [spans_of(one.terms[0]) for one in found] == [((4, 11),), ((8, 11),)]


def test_the_first_attribute_wins_among_equal_lengths() -> None:
    index = index_of("gender:man who>boy who", "age:old man>boy")
    [combination] = combinations_in("An old man who is a man who", index, 2)
    assert [spans_of(term) for term in combination.terms] == [((3, 10),), ((20, 27),)]


def test_one_source_in_two_attributes_is_replaced_by_one_of_them() -> None:
    index = index_of("body:man>boy", "gender:man>woman", "race:British>Thai")
    found = combinations_in("A man, a man, a British.", index, 1, 2, 3)
    assert sources_of(found) == [
        "body:man",
        "gender:man",
        "race:British",
        "body:man+race:British",
        "gender:man+race:British",
    ]


def test_sources_that_differ_in_case_only_are_never_replaced_together() -> None:
    index = index_of("body:US>UK", "gender:us>them")
    assert sources_of(combinations_in("Us and US", index, 1, 2)) == ["body:US", "gender:us"]


def test_pairs_are_addressed_by_attribute_and_source() -> None:
    index = index_of("race:man>b", "gender:man>c", "gender:boy>d", "gender:man>a")
    by_source = {
        attribute: {source: positions.tolist() for source, positions in sources.items()}
        for attribute, sources in index.by_source.items()
    }
    assert by_source == {"gender": {"boy": [2], "man": [1, 3]}, "race": {"man": [0]}}
    assert list(by_source) == ["gender", "race"]
    assert index.targets_of(SpannedTerm("gender", "man", ())) == ["c", "a"]
