"""The operators that make the mutants of a study, their rulings, and the invariant.

Rulings are in results/occurrences, with a file per dataset.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from ..corpora import Text
from ..dictionary import CONTROL, read_pairs
from ..invariant import Annotator, Invariant
from ..mutation import DictionaryIndex, Operating, Ruling, operating_by

OCCURRENCES_SCHEMA = pa.schema(
    [
        ("original_id", pa.string()),
        ("operator", pa.string()),
        ("attribute", pa.string()),
        ("source", pa.string()),
        ("start", pa.int32()),
        ("end", pa.int32()),
        ("rule", pa.string()),
        ("targets", pa.int32()),
    ]
)


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


def list_rulings(text: Text, rulings: Iterable[Ruling], *, index: DictionaryIndex) -> pa.Table:
    """Return a row per ruling on a text, from left to right."""
    rows = [
        {
            "original_id": text.original_id,
            "operator": index.operator,
            "attribute": attribute,
            "source": source,
            "start": span[0],
            "end": span[1],
            "rule": ruling.rule,
            "targets": 0 if ruling.rule else len(index.positions(ruling.term)),
        }
        for ruling in rulings
        for attribute, source, span, _ in [ruling.occurrence]
    ]
    rows.sort(key=lambda row: tuple(row[name] for name in ("start", "end", "attribute", "source")))
    return pa.Table.from_pylist(rows, schema=OCCURRENCES_SCHEMA)
