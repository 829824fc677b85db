"""Inputs of mutants: what a model sees of their edits, and those that are written out."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from described import describing
from hinter.corpora import Text
from hinter.errors import InputError
from hinter.invariant import Annotator
from hinter.models import ParsedAnswer, Status, Window
from hinter.mutation import Mutant, compose
from hinter.predictions.inputs import suite_inputs
from hinter.responses import Block

ORIGINAL = Text("a", "Is Ada old?")


class Seeing:
    """A model that sees the first `length` characters of a text."""

    fingerprint = "f"

    def __init__(self, length: int) -> None:
        self._length = length

    def windows(self, texts: Sequence[str]) -> list[Window]:
        return [Window(min(self._length, len(text)), text[: self._length]) for text in texts]

    def responses(self, texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
        yield []

    def read(self, response: str) -> ParsedAnswer:
        return ParsedAnswer(Status.OK)


def _inputs(text: str, *, length: int) -> list[tuple[str, int, bool]]:
    row: dict[str, Any] = {"original_id": "a", "pair_ids": ["x:1>2", "y:1>2"], "text": text}
    row["mutant_id"] = "|".join(["a", *row["pair_ids"]])
    block = Block([ORIGINAL], {"a"}, iter([[row]]))
    parts = list(suite_inputs(Seeing(length), block))
    return [(item.text, item.visible_order, item.identical) for part in parts for item in part]


def test_a_text_that_is_written_out_shows_all_its_changes() -> None:
    assert _inputs("Is Bo new?", length=11) == [("Is Ada old?", 0, False), ("Is Bo new?", 2, False)]
    assert _inputs("Is Ada old?", length=11)[1] == ("Is Ada old?", 0, True)


@pytest.mark.parametrize(
    ("text", "length", "said"),
    [
        ("Is Ada older?", 12, r"prompt a\|x:1>2\|y:1>2: found 13 characters, of which .* sees 12"),
        ("Is Bo?", 10, "prompt a: found 11 characters, of which the model sees 10"),
    ],
)
def test_a_prompt_that_is_longer_than_the_window_is_refused(
    text: str, length: int, said: str
) -> None:
    with pytest.raises(InputError, match=said):
        _inputs(text, length=length)


def test_a_descriptor_beyond_the_window_is_not_seen(parser_folder: Path, tmp_path: Path) -> None:
    text = "The film was long. A doctor slept."
    how = describing(Annotator(parser_folder, store=tmp_path), attributes=["age", "body"])
    targets = {"age": "elderly", "body": "deaf"}
    chosen = [(one.term, targets[one.occurrence.attribute]) for one in how.rulings(text)]
    pair_ids = ("age:doctor>elderly", "body:doctor>deaf")
    mutant = Mutant("a", text, pair_ids, compose(text, chosen))
    assert mutant.text == "The film was long. An elderly deaf doctor slept."
    seen = {}
    for shown in ("The film was long.", " An", " elderly", " deaf", " doctor slept."):
        length = len("".join([*seen, shown]))
        block = Block([Text("a", text)], {"a"}, iter([[mutant.recipe()]]))
        [parts] = suite_inputs(Seeing(length), block)
        seen[shown] = parts[1].visible_order
        assert parts[1].identical == (seen[shown] == 0)
    assert [*seen.values()] == [0, 0, 1, 2, 2]
