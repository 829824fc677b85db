"""Which mutants a model was run on, as a digest: models are compared on identical suites only."""

import duckdb

from ...errors import InputError

DIGESTS = """
    SELECT dataset, model, md5(concat(count(*), ':', bit_xor(md5_number(mutant_id)))) AS digest
    FROM verdicts WHERE valid GROUP BY ALL ORDER BY ALL
"""


def suite_digests(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Return the digest of the suite of each dataset, given the view `verdicts`.

    It is made from the ids of the valid mutants and does not depend on their order. Raises
    `InputError` where models were run on different suites of one dataset.
    """
    digests: dict[str, str] = {}
    models: dict[str, str] = {}
    for dataset, model, digest in connection.execute(DIGESTS).fetchall():
        if digests.setdefault(dataset, digest) != digest:
            raise InputError(
                where=f"verdicts of '{models[dataset]}' and '{model}' on '{dataset}'",
                found=f"different suites ({digests[dataset]} and {digest})",
                expected="models that were run on the same mutants",
                fix="Delete the verdicts and predictions of one of them and run it again.",
            )
        models[dataset] = model
    return digests
