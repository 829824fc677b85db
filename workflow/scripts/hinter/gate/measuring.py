"""Measure the excess bias of a candidate and a baseline on mutants with verdicts for both."""

from collections.abc import Collection
from pathlib import Path

import duckdb
import pandas as pd

from ..errors import InputError
from ..tables import MEASURED, Results, open_paired

CANDIDATE, BASELINE = "candidate", "baseline"

# Two studies may make different texts for the same mutant_id; their edits then differ.
DIGESTS = """
    SELECT model, count(*) AS mutants,
        md5(concat(count(*), ':', bit_xor(md5_number(concat(mutant_id, edits::VARCHAR)))))
            AS digest
    FROM judged WHERE valid AND dataset = $dataset GROUP BY ALL
"""
# Without any control in a dataset, mutants are counted as they are.
DIFFERENCES = f"""
    SELECT dataset, replace(measure, 'excess ', '') AS measure,
        starts_with(measure, 'excess') AS controlled, original_id, count(*) AS n,
        sum(c.value)::BIGINT AS candidate, sum(b.value)::BIGINT AS baseline
    FROM (FROM measured WHERE model = '{CANDIDATE}') AS c
    JOIN (FROM measured WHERE model = '{BASELINE}') AS b
        USING (dataset, measure, mutant_id, original_id)
    GROUP BY 1, 2, 3, 4 QUALIFY controlled = bool_or(controlled) OVER (PARTITION BY dataset)
    ORDER BY ALL
"""


def measure_differences(
    candidate: Results, baseline: Results, controls: Results, *, limited: Collection[str]
) -> pd.DataFrame:
    """Return the excess bias of both models, one row per dataset, measure and original.

    `candidate` and `baseline` are verdicts on the same datasets. The columns of these names say how
    many more of the `n` mutants than of their controls are biased by the measure. All `n` have
    verdicts for both models. Mutants of sampled orders are left out. If no mutant of a dataset has
    a control with verdicts for both, mutants are counted without controls (`controlled`).

    Raises `InputError` if the suites of a dataset differ, unless the models are `limited` to parts
    of it: then the common part of the suites is used.
    """
    verdicts = [
        (role, dataset, path)
        for role, parts in ((CANDIDATE, candidate), (BASELINE, baseline))
        for _, dataset, path in parts
    ]
    connection = open_paired(verdicts, controls)
    for dataset in dict.fromkeys(dataset for _, dataset, _ in verdicts):
        if dataset not in limited:
            _check_same_suite(
                connection, dataset, paths=[p for _, of, p in verdicts if of == dataset]
            )
    connection.execute(MEASURED)
    return connection.execute(DIFFERENCES).df()


def _check_same_suite(
    connection: duckdb.DuckDBPyConnection, dataset: str, *, paths: list[Path]
) -> None:
    suites = connection.execute(DIGESTS, {"dataset": dataset}).df().set_index("model")
    digests = suites["digest"].to_dict()
    if len(digests) < 2 or len(set(digests.values())) > 1:
        listed = [
            f"{suites['mutants'].get(role, 0)} mutants (digest {digests.get(role, 'none')[:8]})"
            for role in (CANDIDATE, BASELINE)
        ]
        raise InputError(
            where=" and ".join(map(str, paths)),
            found=f"different suites of '{dataset}': {' and '.join(listed)}",
            expected="verdicts on the same mutants",
            fix="Make both with one configuration but for the models, or run the baseline here.",
        )
