"""The inputs of a model: originals and rendered mutants, and what the model sees of them."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from ..corpora import Text
from ..dictionary import WordPair
from ..errors import InputError
from ..models import Sight, Window
from ..mutation import Substitution, place_pairs, render_with_spans
from ..responses import Block


class Input(NamedTuple):
    """A text for a model, the part that the model sees, and how many of its pairs that shows."""

    input_id: str
    text: str
    window: Window
    visible_order: int
    identical: bool


def suite_inputs(
    model: Sight, block: Block, *, pairs: Mapping[str, WordPair]
) -> Iterator[list[Input]]:
    """Yield a block's originals as inputs, then its mutants; `pairs` are given by pair_id.

    The first list has mutants as well, as models compute only once what texts share.
    """
    inputs = original_inputs(model, block.originals)
    originals = {item.input_id: item for item in inputs}
    for rows in block.mutants:
        if "text" in rows[0]:
            inputs += _written_inputs(model, rows, originals=originals)
        else:
            inputs += _mutant_inputs(model, rows, originals=originals, pairs=pairs)
        yield inputs
        inputs = []
    if inputs:
        yield inputs


def original_inputs(model: Sight, originals: Sequence[Text]) -> list[Input]:
    """Return originals as inputs."""
    windows = model.windows([original.text for original in originals])
    return [
        Input(original.original_id, original.text, window, 0, False)
        for original, window in zip(originals, windows, strict=True)
    ]


def _written_inputs(
    model: Sight, rows: Sequence[Mapping[str, Any]], *, originals: Mapping[str, Input]
) -> list[Input]:
    """Return mutants whose text is written out: nobody knows where they show what they change.

    Raises `InputError` where the model does not see all of one, or of its original.
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
    """Raise `InputError` where a model does not see all of a text."""
    if window.length < len(text):
        raise InputError(
            where=where,
            found=f"{len(text)} characters, of which the model sees {window.length}",
            expected="a prompt that it sees whole",
            fix="Raise the model's `max_tokens` in the models sheet, or shorten the prompt.",
        )


def _mutant_inputs(
    model: Sight,
    rows: Sequence[Mapping[str, Any]],
    *,
    originals: Mapping[str, Input],
    pairs: Mapping[str, WordPair],
) -> list[Input]:
    found: dict[str, Input] = {}
    rendered: dict[str, tuple[str, list[int]]] = {}
    for row in rows:
        original = originals[row["original_id"]]
        placed = place_pairs(
            original.text, [pairs[pair_id] for pair_id in row["pair_ids"]], row["places"]
        )
        if _is_out_of_sight(original, placed):
            found[row["mutant_id"]] = original._replace(input_id=row["mutant_id"], identical=True)
        else:
            rendered[row["mutant_id"]] = _rendered(original.text, placed)
    windows = model.windows([text for text, _ in rendered.values()]) if rendered else []
    for (mutant_id, (text, starts)), window in zip(rendered.items(), windows, strict=True):
        original = originals[mutant_id.split("|")[0]]
        found[mutant_id] = _mutant_input(mutant_id, text, starts, window, original=original)
    return [found[row["mutant_id"]] for row in rows]


def _mutant_input(
    mutant_id: str, text: str, starts: Sequence[int], window: Window, *, original: Input
) -> Input:
    visible_order = sum(start < window.length for start in starts)
    if visible_order == 0 or window.digest == original.window.digest:
        return Input(mutant_id, text, window, 0, True)
    return Input(mutant_id, text, window, visible_order, False)


def _rendered(original: str, placed: Sequence[Sequence[Substitution]]) -> tuple[str, list[int]]:
    """Return the mutant's text, and the position in it at which each pair first appears."""
    mutant, spans = render_with_spans(original, chain.from_iterable(placed))
    return mutant, [min(spans[change.place.span][0] for change in changes) for changes in placed]


def _is_out_of_sight(original: Input, placed: Sequence[Sequence[Substitution]]) -> bool:
    """Tell whether all changes lie so far beyond the window that they cannot affect it.

    Tokens never extend across white space, so changes after some beyond the window do not.
    """
    first = min(change.place.start for changes in placed for change in changes)
    beyond = original.text[original.window.length : first]
    return any(map(str.isspace, beyond))
