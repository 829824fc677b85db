"""Short texts of many kinds, and what becomes of each by one edit.

A line of `texts_and_mutants.txt` has what it is about, the operator, the text, the pair, and what
is right: the mutant, `left alone`, or `discarded`. Where something else comes out today, a
further column says why. Characters that cannot be seen are spelled as in Python.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from hinter.config import read_config
from hinter.corpora import Text
from hinter.dictionary import WordPair, pairs_of
from hinter.invariant import Annotator, Invariant, check_block
from hinter.mutants import list_orders
from hinter.mutation import Mutant, operating_by
from hinter.operators import OPERATORS
from hinter.paired_sheets import read_paired
from hinter.study import Study

ROOT = Path(__file__).resolve().parents[3]
ATTRIBUTES = ["age", "body", "gender", "race"]
LEFT_ALONE, DISCARDED = "left alone", "discarded"


class Row(NamedTuple):
    """A line of the table; `wrong` says why something else comes out, if it does."""

    kind: str
    operator: str
    text: str
    pair_id: str
    right: str
    wrong: str = ""


def _rows() -> Iterator[Row]:
    path = Path(__file__).with_name("texts_and_mutants.txt")
    for line in path.read_text(encoding="utf-8").splitlines():
        yield Row(*(_spelled(cell) for cell in line.split(" | ")))


def _spelled(cell: str) -> str:
    return re.sub(
        r"\\(?:[nrt]|x..|u....)", lambda found: found[0].encode().decode("unicode_escape"), cell
    )


ROWS = [*_rows()]
Outcomes = Mapping[tuple[str, str], Mapping[str, str]]


@pytest.fixture(scope="module")
def outcomes(parser_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Outcomes:
    """What becomes of each text, by operator and text, and by pair."""
    return {
        (operator, text): found
        for operator in dict.fromkeys(row.operator for row in ROWS)
        for text, found in _outcomes_of(
            operator, parser=parser_folder, store=tmp_path_factory.mktemp(operator)
        ).items()
    }


def _outcomes_of(operator: str, *, parser: Path, store: Path) -> dict[str, dict[str, str]]:
    study = _study(operator)
    invariant = study.config.invariant.model_dump()
    annotator = partial(Annotator.of_sheet, invariant, parser=parser, store=store / "annotations")
    made = operating_by(study.mutation(), pairs=_pairs(operator, study), annotator=annotator)
    own = {row.text for row in ROWS if row.operator == operator}
    texts = [Text(str(number), text) for number, text in enumerate(sorted(own))]
    checked = check_block(
        texts,
        operating=made[operator],
        orders=[1],
        invariant=Invariant.of_sheet(invariant, parser=parser, store=store / "checks"),
    )
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for row in list_orders(checked, orders=[1], index=made[operator].index).to_pylist():
        text = texts[int(row["original_id"])].text
        mutant = Mutant.of_row(row, text)
        found[text][mutant.pair_ids[0]] = mutant.text if row["valid"] else DISCARDED
    return {text: found[text] for text in own}


def _study(operator: str) -> Study:
    sheet = yaml.safe_load((ROOT / "config" / "config.yaml").read_text(encoding="utf-8"))
    changes = {"attributes": ATTRIBUTES, "mutation": {"operators": [operator]}}
    return Study(read_config(sheet | changes))


def _pairs(operator: str, study: Study) -> list[WordPair]:
    """The pairs of the study, of which few are of those that the table does not ask for."""
    paired = read_paired(
        [operator],
        sheets=study.curations(),
        persons=study.persons(),
        own_groups={},
        attributes=ATTRIBUTES,
    )
    asked = {row.pair_id for row in ROWS if row.operator == operator}
    targets = {pair_id.partition(">")[2] for pair_id in asked}
    kept: dict[tuple[str, str, str], WordPair] = {}
    for pair in pairs_of(paired):
        told = pair.target if pair.pair_id in asked or pair.target in targets else ""
        kept.setdefault((pair.attribute, pair.source, told), pair)
    if operator == "describe":
        return [pair for pair in kept.values() if pair.target in targets]
    return [*kept.values()]


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(row, marks=[pytest.mark.xfail(strict=True, reason=row.wrong)])
        if row.wrong
        else row
        for row in ROWS
    ],
    ids=lambda row: f"{row.kind}-{row.operator}-{row.text:.30}-{row.pair_id}".replace("\n", " "),
)
def test_a_text_is_left_alone_discarded_or_mutated_well(
    row: Row, outcomes: Outcomes, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert outcomes[row.operator, row.text].get(row.pair_id, LEFT_ALONE) == row.right


def test_every_operator_is_asked_of_many_texts_of_each_kind() -> None:
    assert {row.operator for row in ROWS} == {*OPERATORS}
    assert len({row.text for row in ROWS}) > 100
