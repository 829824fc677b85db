"""Controls of real reviews: harmless edits that stand in for sensitive ones, checked anew."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hinter.config import DictionarySheet, OccurrencesSheet, read_sheet
from hinter.controls import CONTROLS_SCHEMA, ControlMaker, of_neutral
from hinter.corpora import Text
from hinter.dictionary import CONTROL, WordPair, build_pairs, check_curation
from hinter.invariant import (
    Annotator,
    CheckStore,
    Comparator,
    Invariant,
    Parser,
    Reason,
    check_block,
)
from hinter.mutants import check_recipes, list_orders
from hinter.mutation import Mutant, OnePerson, operating_by, span_terms
from literal import word_pairs
from recipes import literal_mutant

ROOT = Path(__file__).resolve().parents[3]
ATTRIBUTES = ("body", "gender", "race", CONTROL)
SETTINGS = {
    "literal": {"operator": "literal", "occurrences": [], "lists": None, "words": None},
    "coherent": {
        "operator": "coherent",
        "occurrences": ["compound", "country_named", "gender_told"],
        "lists": read_sheet(ROOT / "config/occurrences.yaml", OccurrencesSheet).model_dump(),
    },
}


@pytest.fixture(scope="module")
def curated() -> tuple[list[WordPair], dict[tuple[str, str], set[str]]]:
    """Return the pairs of the study's dictionary, and the word classes of its terms."""
    paths = [ROOT / f"config/dictionary/{name}.yaml" for name in ATTRIBUTES]
    sheets = [
        check_curation(read_sheet(path, DictionarySheet).model_dump(), path=path) for path in paths
    ]
    classes: dict[tuple[str, str], set[str]] = {}
    for sheet in sheets:
        for entry in sheet.entries():
            classes.setdefault((sheet.attribute, entry.term), set()).add(entry.word_class)
    return build_pairs(sheets), classes


class Made:
    """The mutants of some reviews, a few of each, and what makes their controls."""

    def __init__(
        self,
        reviews: Sequence[Text],
        *,
        operator: str,
        curated: tuple[list[WordPair], dict[tuple[str, str], set[str]]],
        invariant: Invariant,
        annotator: Annotator,
    ) -> None:
        curated_pairs, classes = curated
        pairs = [replace(pair, operator=operator) for pair in curated_pairs]
        mutation = [SETTINGS[operator]]
        sensitive = [pair for pair in pairs if pair.attribute != CONTROL]
        own = operating_by(mutation, pairs=sensitive, annotator=lambda: annotator)[operator]
        checked = check_block(reviews, operating=own, orders=[1, 2], invariant=invariant)
        rows = list_orders(checked, orders=[1, 2], index=own.index).to_pylist()
        by_id = {pair.pair_id: pair for pair in pairs}
        texts = {text.original_id: text for text in reviews}
        valid = [row for row in rows if row["valid"]]
        few = [row for row in valid if row["order"] == 2][::29][:60] + valid[::101][:60]
        self.own = own
        self.mutants = [Mutant.of_row(row, texts[row["original_id"]].text) for row in few]
        self.pairs = by_id
        self.rows = few
        self.invariant = invariant
        neutral = [pair for pair in pairs if pair.attribute == CONTROL]
        made = operating_by(of_neutral(mutation), pairs=neutral, annotator=lambda: annotator)
        self.maker = ControlMaker(
            substituting=made[operator], pairs=by_id, invariant=invariant, classes=classes, seed=7
        )


@pytest.fixture(scope="module", params=list(SETTINGS))
def made(
    request: pytest.FixtureRequest,
    reviews: list[Text],
    curated: tuple[list[WordPair], dict[tuple[str, str], set[str]]],
    parser: Parser,
    parser_folder: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Made:
    folder, comparator = tmp_path_factory.mktemp("made"), Comparator.TOLERANT
    store = CheckStore(folder / "checks", parser=parser, comparator=comparator)
    return Made(
        reviews[:48],
        operator=request.param,
        curated=curated,
        invariant=Invariant(parser, comparator, store),
        annotator=Annotator(parser_folder, store=folder / "annotations"),
    )


def test_controls_differ_from_their_mutants_by_one_neutral_pair_and_keep_the_structure(
    made: Made,
) -> None:
    found = made.maker.match(made.mutants)
    assert len(found) > len(made.mutants) / 3
    assert {len(mutant.pair_ids) for mutant in made.mutants if mutant.mutant_id in found} == {1, 2}
    for mutant in made.mutants:
        match = found.get(mutant.mutant_id)
        if match is None:
            continue
        own, control = set(mutant.pair_ids), set(match.parts[-1].pair_ids)
        assert (own - control, control - own) == ({match.pair.pair_id}, {match.neutral.pair_id})
        assert match.neutral.attribute == CONTROL
        assert match.parts[0].pair_ids == (match.neutral.pair_id,)
        assert mutant.part(sorted(own & control)) == match.parts[-1].part(sorted(own & control))
        assert len(match.parts) == 2 ** (len(own) - 1)
        [reasons] = check_recipes(match.parts, by=[made.invariant])
        assert set(reasons) == {Reason.VALID}


def test_neutral_pairs_stand_in_for_all_pairs_of_most_mutants_of_two(made: Made) -> None:
    found = made.maker.match(made.mutants)
    of_two = {key: match for key, match in found.items() if len(match.mutant.pair_ids) == 2}
    neutral = {key: match for key, match in of_two.items() if match.neutral_parts}
    assert len(neutral) > len(of_two) / 3
    for match in neutral.values():
        first, second, whole = match.neutral_parts
        assert {first.pair_ids[0], second.pair_ids[0]} == set(whole.pair_ids)
        assert {made.pairs[pair_id].attribute for pair_id in whole.pair_ids} == {CONTROL}
        # It keeps the neutral pair of the other control, and its edits are told apart.
        assert match.neutral.pair_id in whole.pair_ids
        assert whole.attributes == ("control", "control_2")
        assert {edit.attribute for edit in whole.edits} == {*whole.attributes}
        row = match.row()
        assert row["neutral_id"] == whole.mutant_id
        assert row["neutral_more_words"] == _words(match.mutant) - _words(whole)
        [reasons] = check_recipes(match.neutral_parts, by=[made.invariant])
        assert set(reasons) == {Reason.VALID}
    atomic = [match for match in found.values() if len(match.mutant.pair_ids) == 1]
    assert atomic and not any(match.neutral_parts for match in atomic)


def _words(mutant: Mutant) -> int:
    return len(mutant.text.split())


def test_rows_have_the_columns_of_the_file(made: Made) -> None:
    found = made.maker.match(made.mutants).values()
    assert found
    assert all([*match.row()] == CONTROLS_SCHEMA.names for match in found)


def test_rows_tell_how_many_words_a_mutant_has_more_than_its_control(made: Made) -> None:
    found = made.maker.match(made.mutants).values()
    more = [_words(match.mutant) - _words(match.parts[-1]) for match in found]
    assert [match.row()["more_words"] for match in found] == more
    assert any(more)


def test_rows_of_controls_render_as_their_recipes_say(made: Made) -> None:
    found = made.maker.match(made.mutants)
    for match in found.values():
        control = match.parts[-1]
        row = control.recipe()
        assert row["attributes"] == "+".join(sorted(row["attributes"].split("+")))
        assert Mutant.of_row(row, control.original) == control
        assert control.text != control.original


@pytest.mark.parametrize("made", ["coherent"], indirect=True)
@pytest.mark.parametrize(
    ("pair_ids", "told"),
    [
        (["body:deaf>blind"], None),
        (["body:deaf>blind", "control:famous>known"], OnePerson.YES),
        (["body:deaf>blind", "control:film>book"], OnePerson.NO),
    ],
)
def test_a_control_says_whether_it_concerns_one_person(
    pair_ids: list[str], told: OnePerson | None, made: Made
) -> None:
    control = literal_mutant("o", "A famous deaf woman left the film.", word_pairs(pair_ids))
    assert made.maker.one_person(control) == told


@pytest.mark.parametrize("made", ["literal"], indirect=True)
def test_parts_of_literal_controls_are_literal_mutants(made: Made) -> None:
    """A shorter term gets back the places that a longer one has taken, where that is replaced."""
    original = "An old man met a man after a film."
    longer, shorter, neutral = word_pairs(
        ["body:old man>boy", "gender:man>girl", "control:film>book"]
    )
    made.pairs |= {pair.pair_id: pair for pair in (longer, shorter)}
    mutant = literal_mutant("o", original, [longer, shorter])
    assert mutant.text == "An boy met a girl after a film."
    terms = {pair: span_terms(original, [pair])[0] for pair in (shorter, neutral)}
    parts = made.maker._parts(mutant, terms, new=neutral)
    expected = [literal_mutant("o", original, some) for some in ([neutral], [neutral, shorter])]
    assert parts == expected
    assert parts[-1].text == "An old girl met a girl after a book."


def test_controls_do_not_depend_on_what_else_is_matched(made: Made) -> None:
    together = made.maker.match(made.mutants)
    alone = [made.maker.match([mutant]) for mutant in reversed(made.mutants)]
    assert {key: match for found in alone for key, match in found.items()} == together


@pytest.mark.parametrize("made", ["literal"], indirect=True)
def test_the_pair_that_is_replaced_is_drawn(made: Made) -> None:
    """Of two pairs, either is replaced in a good part of the mutants."""
    found = made.maker.match([mutant for mutant in made.mutants if len(mutant.pair_ids) == 2])
    first = [match.pair.pair_id == match.mutant.pair_ids[0] for match in found.values()]
    assert 0.2 < sum(first) / len(first) < 0.8


def test_a_text_without_neutral_terms_has_no_controls(made: Made) -> None:
    pair = next(pair for pair in made.pairs.values() if pair.source == "man")
    assert made.maker.match([literal_mutant("o", "A man met her.", [pair])]) == {}
