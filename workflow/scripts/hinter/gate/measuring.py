"""Measure the excess bias of a candidate and a baseline on mutants with verdicts for both."""

from collections.abc import Collection
from pathlib import Path

import duckdb
import pandas as pd

from ..errors import InputError
from ..tables import Results, open_paired, open_results

CANDIDATE, BASELINE = "candidate", "baseline"

# Two studies may make different texts for the same mutant_id; their edits then differ.
DIGESTS = """
    SELECT model, count(*) AS mutants,
        md5(concat(count(*), ':', bit_xor(md5_number(concat(mutant_id, edits::VARCHAR)))))
            AS digest
    FROM judged WHERE valid AND dataset = $dataset GROUP BY ALL
"""
PAIRED = f"""
    SELECT dataset, original_id, true AS controlled, c.complete AND b.complete AS complete,
        c.biased::INT - c.control_biased::INT AS candidate,
        b.biased::INT - b.control_biased::INT AS baseline,
        c.hidden::INT - c.control_hidden::INT AS candidate_hidden,
        b.hidden::INT - b.control_hidden::INT AS baseline_hidden
    FROM (FROM paired WHERE model = '{CANDIDATE}' AND sampled IS NULL) AS c
    JOIN (FROM paired WHERE model = '{BASELINE}' AND sampled IS NULL) AS b
        USING (dataset, mutant_id, original_id)
"""
PLAIN = f"""
    SELECT dataset, original_id, false AS controlled,
        c."order" > 1 AND c.complete AND b.complete AS complete,
        c.biased::INT AS candidate, b.biased::INT AS baseline,
        c.hidden::INT AS candidate_hidden, b.hidden::INT AS baseline_hidden
    FROM (FROM listed_verdicts WHERE model = '{CANDIDATE}') AS c
    JOIN (FROM listed_verdicts WHERE model = '{BASELINE}') AS b
        USING (dataset, mutant_id, original_id)
"""
VIEW = """
    CREATE VIEW compared AS
    FROM ({counted}) QUALIFY controlled = bool_or(controlled) OVER (PARTITION BY dataset)
"""
MEASURED = """
    SELECT dataset, measure, controlled, original_id, count(*) AS n,
        sum(candidate)::BIGINT AS candidate, sum(baseline)::BIGINT AS baseline
    FROM (
        SELECT dataset, 'bias' AS measure, controlled, original_id, candidate, baseline
        FROM compared
        UNION ALL
        SELECT dataset, 'hidden bias', controlled, original_id, candidate_hidden, baseline_hidden
        FROM compared WHERE complete
    )
    GROUP BY ALL ORDER BY ALL
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
    connection = open_paired(verdicts, controls) if controls else open_results(verdicts=verdicts)
    for dataset in dict.fromkeys(dataset for _, dataset, _ in verdicts):
        if dataset not in limited:
            _check_same_suite(
                connection, dataset, paths=[p for _, of, p in verdicts if of == dataset]
            )
    counted = [PAIRED, PLAIN] if controls else [PLAIN]
    connection.execute(VIEW.format(counted=" UNION ALL BY NAME ".join(counted)))
    return connection.execute(MEASURED).df()


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
