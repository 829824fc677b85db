"""Controls of described persons: neutral descriptors at the same mention."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from described import describing, descriptions_of, project_sheets
from hinter.controls import ControlMaker, Match
from hinter.corpora import Text
from hinter.dictionary import CONTROL, build_pairs
from hinter.invariant import Annotator, CheckStore, Comparator, Invariant, Parser, check_block
from hinter.mutants import list_orders
from hinter.mutation import MENTION_RULES, Mutant, Role

pytestmark = pytest.mark.release

ATTRIBUTES = ("age", "body", "race")
# Those of the default study, whose texts are reviews as well.
REVIEW_RULES = [rule for rule in MENTION_RULES if rule not in ("timeless", "whole_group")]


@pytest.fixture(scope="module")
def matched(
    reviews: list[Text],
    parser: Parser,
    parser_folder: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[list[Mutant], dict[str, Match]]:
    """Return valid mutants of reviews, and their controls."""
    folder, comparator = tmp_path_factory.mktemp("made"), Comparator.TOLERANT
    invariant = Invariant(
        parser, comparator, CheckStore(folder / "checks", parser=parser, comparator=comparator)
    )
    annotator = Annotator(parser_folder, store=folder / "annotations")
    persons, sheets = project_sheets()
    own = describing(
        annotator, persons=persons, sheets=sheets, attributes=ATTRIBUTES, rules=REVIEW_RULES, most=1
    )
    checked = check_block(reviews, operating=own, orders=[1, 2], invariant=invariant)
    rows = list_orders(checked, orders=[1, 2], index=own.index).to_pylist()
    texts = {text.original_id: text.text for text in reviews}
    mutants = [Mutant.of_row(row, texts[row["original_id"]]) for row in rows if row["valid"]]
    every = descriptions_of([*ATTRIBUTES, CONTROL], persons=persons, sheets=sheets)
    maker = ControlMaker(
        substituting=describing(
            annotator,
            persons=persons,
            sheets=sheets,
            attributes=[CONTROL],
            rules=REVIEW_RULES,
            most=None,
        ),
        pairs={pair.pair_id: pair for pair in build_pairs(every)},
        invariant=invariant,
        classes={
            (one.attribute, entry.term): {entry.word_class}
            for one in every
            for entry in one.entries()
        },
        seed=7,
    )
    return mutants, maker.match(mutants)


def _noun(pair_id: str) -> str:
    return pair_id.partition(":")[2].partition(">")[0]


def test_nearly_every_mutant_has_a_control(matched: tuple[list[Mutant], dict[str, Match]]) -> None:
    mutants, found = matched
    assert len(mutants) > 30
    assert len(found) > 0.95 * len(mutants)


def test_a_control_describes_the_same_person_by_as_many_words(
    matched: tuple[list[Mutant], dict[str, Match]],
) -> None:
    mutants, found = matched
    originals = {mutant.mutant_id: mutant for mutant in mutants}
    for mutant_id, match in found.items():
        mutant, control = originals[mutant_id], match.parts[-1]
        assert control.pair_ids != mutant.pair_ids
        inserted = [edit for edit in mutant.edits if edit.role is Role.DESCRIPTOR]
        neutral = [edit for edit in control.edits if edit.attribute == CONTROL]
        assert [edit.role for edit in neutral][-1] is Role.DESCRIPTOR
        if len(inserted) == len(mutant.pair_ids):
            assert len({_noun(pair_id) for pair_id in (*control.pair_ids, *mutant.pair_ids)}) == 1
            assert len(control.text.split()) == len(mutant.text.split())


def test_parts_of_a_control_are_those_of_its_mutant_and_the_neutral_one(
    matched: tuple[list[Mutant], dict[str, Match]],
) -> None:
    mutants, found = matched
    originals = {mutant.mutant_id: mutant for mutant in mutants}
    for mutant_id, match in found.items():
        control, common = match.parts[-1], set(match.parts[-1].pair_ids)
        for part in match.parts:
            assert part == control.part(part.pair_ids)
        kept = sorted(common & set(originals[mutant_id].pair_ids))
        if kept:
            assert control.part(kept) == originals[mutant_id].part(kept)


def test_two_neutral_descriptors_describe_the_person_whom_two_sensitive_ones_describe(
    matched: tuple[list[Mutant], dict[str, Match]],
) -> None:
    _, found = matched
    of_two = [match for match in found.values() if len(match.mutant.pair_ids) == 2]
    neutral = [match for match in of_two if match.neutral_parts]
    assert len(neutral) > 0.9 * len(of_two) > 10
    for match in neutral:
        whole = match.neutral_parts[-1]
        assert len({_noun(pair_id) for pair_id in whole.pair_ids}) == 1
        descriptors = [edit.text for edit in whole.edits if edit.role is Role.DESCRIPTOR]
        assert len(set(descriptors)) == 2
        assert "".join(descriptors) in whole.text


def test_neutral_descriptors_are_drawn(matched: tuple[list[Mutant], dict[str, Match]]) -> None:
    _, found = matched
    sampled: Mapping[str, Sequence[str]] = {
        match.neutral.target: [match.neutral.target] for match in found.values()
    }
    assert len(sampled) > 8
