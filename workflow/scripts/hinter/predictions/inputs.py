"""The inputs of a model: originals and rendered mutants, as truncated for the model."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..corpora import Text
from ..errors import InputError
from ..models import Truncation, Window
from ..mutation import Mutant, Role
from ..responses import Block


class Input(NamedTuple):
    """A text for a model, the part that the model sees, and how many of its pairs are in this."""

    input_id: str
    text: str
    window: Window
    visible_order: int
    identical: bool


def suite_inputs(model: Truncation, block: Block) -> Iterator[list[Input]]:
    """Yield a block's originals as inputs, then its mutants.

    The first list also has mutants, as models compute common parts of texts only once per list.
    """
    inputs = original_inputs(model, block.originals)
    originals = {item.input_id: item for item in inputs}
    for rows in block.mutants:
        if "text" in rows[0]:
            inputs += _written_inputs(model, rows, originals=originals)
        else:
            inputs += _mutant_inputs(model, rows, originals=originals)
        yield inputs
        inputs = []
    if inputs:
        yield inputs


def original_inputs(model: Truncation, originals: Sequence[Text]) -> list[Input]:
    """Return originals as inputs."""
    windows = model.windows([original.text for original in originals])
    return [
        Input(original.original_id, original.text, window, 0, False)
        for original, window in zip(originals, windows, strict=True)
    ]


def _written_inputs(
    model: Truncation, rows: Sequence[Mapping[str, Any]], *, originals: Mapping[str, Input]
) -> list[Input]:
    """Return mutants whose text is in the suite, without the positions of their changes.

    Raises `InputError` if the model does not see all of one, or of its original.
    """
    windows = model.windows([row["text"] for row in rows])
    inputs = []
    for row, window in zip(rows, windows, strict=True):
        original = originals[row["original_id"]]
        identical = window.digest == original.window.digest
        order = 0 if identical else len(row["pair_ids"])
        inputs.append(Input(row["mutant_id"], row["text"], window, order, identical))
        for item in (original, inputs[-1]):
            check_whole(item.text, item.window, where=f"prompt {item.input_id}")
    return inputs


def check_whole(text: str, window: Window, *, where: str) -> None:
    """Raise `InputError` if a model does not see all of a text."""
    if window.length < len(text):
        raise InputError(
            where=where,
            found=f"{len(text)} characters, of which the model sees {window.length}",
            expected="a prompt that it sees as a whole",
            fix="Raise the model's `max_tokens` in the models sheet, or shorten the prompt.",
        )


def _mutant_inputs(
    model: Truncation, rows: Sequence[Mapping[str, Any]], *, originals: Mapping[str, Input]
) -> list[Input]:
    found: list[Input] = []
    asked: list[Mutant] = []
    for row in rows:
        original = originals[row["original_id"]]
        mutant = Mutant.of_row(row, original.text)
        found.append(original._replace(input_id=mutant.mutant_id, identical=True))
        # Tokens never extend across white space: edits behind some beyond the window are not seen.
        beyond = original.text[original.window.length : mutant.edits[0].start]
        if not any(map(str.isspace, beyond)):
            asked.append(mutant)
    windows = model.windows([mutant.text for mutant in asked]) if asked else []
    seen = {
        mutant.mutant_id: _mutant_input(mutant, window, original=originals[mutant.original_id])
        for mutant, window in zip(asked, windows, strict=True)
    }
    return [seen.get(item.input_id, item) for item in found]


def _mutant_input(mutant: Mutant, window: Window, *, original: Input) -> Input:
    visible = {
        edit.attribute
        for edit, start in zip(mutant.edits, mutant.starts, strict=True)
        if start < window.length and edit.role is not Role.ARTICLE
    }
    identical = not visible or window.digest == original.window.digest
    order = 0 if identical else len(visible)
    return Input(mutant.mutant_id, mutant.text, window, order, identical)
