"""Operators: one module and one entry each is all that a further one needs."""

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml
from hinter.config import read_config
from hinter.dictionary import WordPair
from hinter.invariant import Annotator
from hinter.mutation import DictionaryIndex, Literal, combinations_of, compose, operating_by, render
from hinter.mutation.combinations import TermSpans
from hinter.operators import OPERATORS, TERMS, Operator
from hinter.paired_sheets import read_paired
from hinter.study import Study

ROOT = Path(__file__).resolve().parents[2]
TEXT = "The man said that the man is old."


class _First(Literal):
    """The first occurrence of a term alone is replaced."""

    def edit_spans(self, text: str) -> TermSpans:
        found = super().edit_spans(text)
        return {
            attribute: {source: edit_spans[:1] for source, edit_spans in terms.items()}
            for attribute, terms in found.items()
        }


def _substituting(
    mutation: Mapping[str, Any], *, pairs: Sequence[WordPair], annotator: Callable[[], Annotator]
) -> _First:
    return _First(DictionaryIndex(pairs))


@pytest.fixture
def first(monkeypatch: pytest.MonkeyPatch) -> None:
    """An operator of one module and one entry."""
    module = ModuleType("hinter.mutation.first")
    module.__dict__["substituting"] = _substituting
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(OPERATORS, "first", Operator("first", TERMS))


def _study(*operators: str) -> Study:
    sheet = yaml.safe_load((ROOT / "config" / "config.yaml").read_text(encoding="utf-8"))
    changes = {"attributes": ["gender"], "orders": [1], "primary": {"order": 1, "measure": "bias"}}
    mutation = {"operators": [*operators], "occurrences": []}
    return Study(read_config(sheet | changes | {"mutation": mutation}))


@pytest.mark.usefixtures("first")
def test_a_further_operator_is_one_module_and_one_entry(
    parser_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    study = _study("literal", "first")
    paired = read_paired(
        study.config.mutation.operators,
        sheets=study.curations(),
        persons=study.persons(),
        own_groups={},
        attributes=study.config.attributes,
    )
    assert paired["first"] == paired["literal"]
    pairs = [
        WordPair("", "gender", "male", "female", "man", "woman", operator) for operator in paired
    ]
    made = operating_by(
        study.mutation(), pairs=pairs, annotator=lambda: Annotator(parser_folder, store=tmp_path)
    )
    texts = {
        operator: [
            render(TEXT, compose(TEXT, [(term, "woman") for term in one.terms]))[0]
            for one in combinations_of(TEXT, orders=[1], substituting=operating)
        ]
        for operator, operating in made.items()
    }
    assert texts == {
        "literal": ["The woman said that the woman is old."],
        "first": ["The woman said that the man is old."],
    }
    assert "hinter/mutation/first.py" in study.operator_modules()


@pytest.mark.parametrize("operator", OPERATORS)
def test_the_module_of_an_operator_is_watched(
    operator: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    [module] = _study(operator).operator_modules()
    assert (ROOT / "workflow" / "scripts" / module).is_file()
