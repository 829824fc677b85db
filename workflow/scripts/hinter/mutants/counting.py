"""How many mutants there are, by attributes and reason: results/counts/{dataset}.parquet."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ..invariant import CheckedText, Reason
from .listing import REASON_NAMES

COUNTS_SCHEMA = pa.schema(
    [
        ("original_id", pa.string()),
        ("order", pa.int8()),
        ("attributes", pa.string()),
        ("reason", pa.string()),
        ("operator", pa.string()),
        ("mutants", pa.int64()),
    ]
)


def count_mutants(texts: Iterable[CheckedText], *, operator: str | None) -> pa.Table:
    """Return the number of an operator's mutants by text, order, attributes and reason.

    The reason is null for valid mutants.

    The numbers are exact for every checked order, whether or not its mutants are listed.
    """
    rows = [
        {
            "original_id": checked.text.original_id,
            "order": len(attributes),
            "attributes": "+".join(attributes),
            "reason": REASON_NAMES[reason].as_py(),
            "operator": operator,
            "mutants": count,
        }
        for checked in texts
        for attributes, counts in _by_attributes(checked).items()
        for reason, count in enumerate(counts.tolist())
        if count
    ]
    return pa.Table.from_pylist(rows, schema=COUNTS_SCHEMA)


def _by_attributes(checked: CheckedText) -> dict[tuple[str, ...], npt.NDArray[np.int64]]:
    totals: dict[tuple[str, ...], npt.NDArray[np.int64]] = {}
    for check in checked.checks:
        total = totals.setdefault(
            check.combination.attributes, np.zeros(len(Reason), dtype=np.int64)
        )
        total += check.counts()
    return totals
