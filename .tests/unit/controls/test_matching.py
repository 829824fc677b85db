"""Which neutral terms stand in for a sensitive one."""

from hinter.controls.matching import overlap, rank_neutral
from hinter.mutation import EditSpan, Role
from hypothesis import given
from hypothesis import strategies as st

MAN = (EditSpan(10, 13), EditSpan(50, 53))
EDIT_SPANS = st.lists(
    st.tuples(st.integers(0, 40), st.integers(1, 5)).map(lambda at: EditSpan(at[0], at[0] + at[1])),
    max_size=4,
)


def test_the_number_of_places_goes_first_then_the_word_class_then_the_distance() -> None:
    neutral = {
        "far": (EditSpan(90, 93), EditSpan(97, 99)),
        "near": (EditSpan(14, 18), EditSpan(60, 64)),
        "other": (EditSpan(5, 6), EditSpan(20, 21)),
        "once": (EditSpan(7, 9),),
        "inside": (EditSpan(11, 12), EditSpan(30, 31)),
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
    neutral = {name: (EditSpan(20, 22), EditSpan(60, 62)) for name in "cab"}
    ranked = rank_neutral(MAN, neutral, classes=set(), classes_of={key: set() for key in "cab"})
    assert [term for _, term in ranked] == ["a", "b", "c"]


def test_articles_are_no_places_of_their_own() -> None:
    with_article = (EditSpan(8, 9, Role.ARTICLE), *MAN)
    neutral = {"near": (EditSpan(14, 18), EditSpan(60, 64))}
    ranked = rank_neutral(with_article, neutral, classes={"x"}, classes_of={"near": {"x"}})
    assert ranked == [((0, False, 6), "near")]


@given(EDIT_SPANS, EDIT_SPANS)
def test_places_overlap_where_they_share_a_character(
    some: list[EditSpan], others: list[EditSpan]
) -> None:
    characters = [position for span in (*some, *others) for position in range(*span.span)]
    assert overlap(some, others) == (len(set(characters)) < len(characters))
