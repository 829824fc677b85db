"""Which mutants models were run on, as digests, and what two of them have in common."""

from collections.abc import Mapping, Sequence
from typing import Any

import duckdb

from ...errors import InputError
from ...limits import find_part

DIGEST = "md5(concat(count(*), ':', bit_xor(md5_number(mutant_id))))"
"""The SQL for a digest of a set of mutants, which does not depend on their order."""

DIGESTS = f"""
    SELECT dataset, model, {DIGEST} AS digest
    FROM verdicts WHERE valid GROUP BY ALL ORDER BY ALL
"""


def suite_digests(
    connection: duckdb.DuckDBPyConnection, *, limits: Sequence[Mapping[str, Any]]
) -> dict[tuple[str, str], str]:
    """Return the digest of the valid mutants of each dataset and model, given the view `verdicts`.

    Raises `InputError` where models were run on different suites though the `limits` give them the
    same part of one.
    """
    digests: dict[tuple[str, str], str] = {}
    parts: dict[tuple[str, str], tuple[str, str]] = {}
    for dataset, model, digest in connection.execute(DIGESTS).fetchall():
        digests[dataset, model] = digest
        part = str(find_part(limits, model=model, dataset=dataset))
        other, expected = parts.setdefault((dataset, part), (model, digest))
        if expected != digest:
            raise InputError(
                where=f"verdicts of '{other}' and '{model}' on '{dataset}'",
                found=f"different suites ({expected} and {digest})",
                expected="models that were run on the same mutants",
                fix="Delete the verdicts and predictions of one of them and run it again.",
            )
    return digests
