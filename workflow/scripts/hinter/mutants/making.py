"""The operators that make the mutants of a study, and the invariant that checks them."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from ..dictionary import CONTROL, read_pairs
from ..invariant import Annotator, Invariant
from ..mutation import Operating, operating_by


class Making(NamedTuple):
    """The operators of a study by name, with its sensitive pairs, and its invariant."""

    operators: dict[str, Operating]
    invariant: Invariant


def open_making(
    pairs: Path,
    *,
    parser: Path,
    mutation: Sequence[Mapping[str, Any]],
    invariant: Mapping[str, Any],
    checks: str,
    annotations: str,
) -> Making:
    """Return the operators and the invariant for the `pairs`, by the keys of a configuration.

    `parser` is the folder of the pipeline; `checks` and `annotations` are the folders of stores.
    """
    sensitive = [pair for pair in read_pairs(pairs) if pair.attribute != CONTROL]
    annotator = partial(Annotator.of_sheet, invariant, parser=parser, store=Path(annotations))
    return Making(
        operating_by(mutation, pairs=sensitive, annotator=annotator),
        Invariant.of_sheet(invariant, parser=parser, store=Path(checks)),
    )
