"""Which neutral terms stand in for a sensitive one."""

from hinter.controls.matching import count_places, likeness, overlap, rank_neutral
from hinter.mutation import Place, Role
from hypothesis import given
from hypothesis import strategies as st

MAN = (Place(10, 13), Place(50, 53))
PLACES = st.lists(
    st.tuples(st.integers(0, 40), st.integers(1, 5)).map(lambda at: Place(at[0], at[0] + at[1])),
    max_size=4,
)


def test_the_number_of_places_goes_first_then_the_word_class_then_the_distance() -> None:
    neutral = {
        "far": (Place(90, 93), Place(97, 99)),
        "near": (Place(14, 18), Place(60, 64)),
        "other": (Place(5, 6), Place(20, 21)),
        "once": (Place(7, 9),),
        "inside": (Place(11, 12), Place(30, 31)),
        "nowhere": (),
    }
    classes_of = {key: {"noun_singular"} for key in neutral} | {"other": {"adjective"}}
    ranked = rank_neutral(MAN, neutral, classes={"noun_singular"}, classes_of=classes_of)
    assert ranked == [
        ((0, False, 4), "near"),
        ((0, False, 80), "far"),
        ((0, True, 5), "other"),
        ((1, False, 3), "once"),
    ]


def test_terms_that_are_equally_alike_are_taken_by_name() -> None:
    neutral = {name: (Place(20, 22), Place(60, 62)) for name in "cab"}
    ranked = rank_neutral(MAN, neutral, classes=set(), classes_of={key: set() for key in "cab"})
    assert [term for _, term in ranked] == ["a", "b", "c"]


def test_articles_are_no_places_of_their_own() -> None:
    with_article = (Place(8, 9, Role.ARTICLE), *MAN)
    assert count_places(with_article) == count_places(MAN) == 2
    assert likeness(with_article, MAN, classes={"x"}, neutral_classes={"x"}) == (0, False, 2)


@given(PLACES, PLACES)
def test_places_overlap_where_they_share_a_character(
    some: list[Place], others: list[Place]
) -> None:
    characters = [position for place in (*some, *others) for position in range(*place.span)]
    assert overlap(some, others) == (len(set(characters)) < len(characters))
