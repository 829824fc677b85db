"""The ruling on each occurrence or mention: results/occurrences/{dataset}.parquet."""

from collections.abc import Iterable

import pyarrow as pa

from ..corpora import Text
from ..mutation import DictionaryIndex, Ruling

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
