"""Controls of real reviews: harmless edits that stand in for sensitive ones, checked anew."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hinter.config import DictionarySheet, OccurrencesSheet, read_sheet
from hinter.controls import ControlMaker, PlacedMutant, neutral_substituting
from hinter.corpora import Text
from hinter.dictionary import (
    CONTROL,
    WordPair,
    build_pairs,
    check_curation,
)
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
from hinter.mutation import place_pairs, render, substituting_by

ROOT = Path(__file__).resolve().parents[3]
ATTRIBUTES = ("body", "gender", "race", CONTROL)
SETTINGS = {
    "literal": {"substitution": "literal", "occurrences": [], "lists": None},
    "coherent": {
        "substitution": "coherent",
        "occurrences": ["part_of_name", "compound", "not_person"],
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
        substitution: str,
        curated: tuple[list[WordPair], dict[tuple[str, str], set[str]]],
        invariant: Invariant,
        annotator: Annotator,
    ) -> None:
        pairs, classes = curated
        mutation = SETTINGS[substitution]
        sensitive = [pair for pair in pairs if pair.attribute != CONTROL]
        own = substituting_by(mutation, pairs=sensitive, annotator=lambda: annotator)
        checked = check_block(
            reviews, index=own.index, orders=[1, 2], invariant=invariant, substituting=own
        )
        rows = list_orders(checked, orders=[1, 2], index=own.index).to_pylist()
        by_id = {pair.pair_id: pair for pair in pairs}
        texts = {text.original_id: text for text in reviews}
        valid = [row for row in rows if row["valid"]]
        few = [row for row in valid if row["order"] == 2][::29][:60] + valid[::101][:60]
        self.mutants = [
            PlacedMutant.of_row(row, text=texts[row["original_id"]], pairs=by_id) for row in few
        ]
        self.rows = few
        self.invariant = invariant
        neutral = [pair for pair in pairs if pair.attribute == CONTROL]
        self.maker = ControlMaker(
            substituting=neutral_substituting(mutation, pairs=neutral, annotator=lambda: annotator),
            invariant=invariant,
            classes=classes,
            seed=7,
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
        substitution=request.param,
        curated=curated,
        invariant=Invariant(parser, comparator, store),
        annotator=Annotator(parser_folder, store=folder / "annotations"),
    )


def test_controls_differ_from_their_mutants_by_one_neutral_pair_and_keep_the_structure(
    made: Made,
) -> None:
    found = made.maker.match(made.mutants)
    assert len(found) > len(made.mutants) / 3
    assert {len(mutant.pairs) for mutant in made.mutants if mutant.mutant_id in found} == {1, 2}
    for mutant in made.mutants:
        match = found.get(mutant.mutant_id)
        if match is None:
            continue
        own, control = set(mutant.pairs), set(match.control.pairs)
        assert (own - control, control - own) == ({match.pair}, {match.neutral})
        assert match.neutral.attribute == CONTROL
        assert all(mutant.pairs[pair] == match.control.pairs[pair] for pair in own & control)
        parts = list(match.control.parts())
        assert len(parts) == 2 ** (len(own) - 1)
        recipes = [part.recipe() for part in parts]
        [reasons] = check_recipes(recipes, by=[made.invariant])
        assert set(reasons) == {Reason.VALID}


def test_rows_of_controls_render_as_their_recipes_say(made: Made) -> None:
    found = made.maker.match(made.mutants)
    for match in found.values():
        row, text = match.control.row(), match.control.text.text
        pairs = list(match.control.pairs)
        assert row["pair_ids"] == [pair.pair_id for pair in pairs]
        assert row["attributes"] == "+".join(sorted(row["attributes"].split("+")))
        placed = place_pairs(text, pairs, row["places"])
        expected = [[(place, pair.target) for place in match.control.pairs[pair]] for pair in pairs]
        assert [[tuple(one) for one in some] for some in placed] == expected
        assert render(text, [one for some in placed for one in some]) != text


def test_controls_do_not_depend_on_what_else_is_matched(made: Made) -> None:
    together = made.maker.match(made.mutants)
    alone = [made.maker.match([mutant]) for mutant in reversed(made.mutants)]
    assert {key: match for found in alone for key, match in found.items()} == together


@pytest.mark.parametrize("made", ["literal"], indirect=True)
def test_the_pair_that_is_replaced_is_drawn(made: Made) -> None:
    """Of two pairs, either is replaced in a good part of the mutants."""
    found = made.maker.match([mutant for mutant in made.mutants if len(mutant.pairs) == 2])
    first = [match.pair == next(iter(match.mutant.pairs)) for match in found.values()]
    assert 0.2 < sum(first) / len(first) < 0.8


def test_a_text_without_neutral_terms_has_no_controls(made: Made) -> None:
    bare = PlacedMutant(
        Text("o", "A man met her."), made.mutants[0].pairs, made.mutants[0].recorded, None
    )
    assert made.maker.match([bare]) == {}
