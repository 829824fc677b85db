"""Differences of bias rate between models, paired on the mutants that both were run on."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import duckdb
import pandas as pd

from ...errors import InputError
from ...limits import find_part
from ...statistics import bootstrap_difference, mcnemar_exact, q_values, sign_flip_test
from ..columns import number_columns, with_bootstrap
from ..groups import LEVEL, name_totals
from ..shown import each_as, percent, percent_intervals, points, shown, titled
from ..table import Results, Table, open_results

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

    Raises `InputError` if models were run on different suites although the `limits` give them the
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


QUERY = f"""
    WITH compared AS NOT MATERIALIZED (
        SELECT mutant_id, original_id, model, {LEVEL} AS level, biased
        FROM full_verdicts WHERE dataset = $dataset AND valid AND sampled IS NULL
    ),
    paired AS ({{paired}})
    SELECT level, original_id, count(first = second) AS n,
        count(*) FILTER (first AND second) AS both_biased,
        count(*) FILTER (first AND NOT second) AS first_only,
        count(*) FILTER (second AND NOT first) AS second_only,
        count(*) - n AS left_out
    FROM paired GROUP BY CUBE (level), original_id
    ORDER BY level DESC NULLS FIRST, original_id
"""

# The verdicts of two models on one suite have the same order. A positional join, which is checked,
# saves a join of millions of ids.
SIDE_BY_SIDE = """
    SELECT level, original_id, first, second
    FROM (SELECT * RENAME (biased AS first) FROM compared WHERE model = $first)
    POSITIONAL JOIN
        (SELECT mutant_id AS other, biased AS second FROM compared WHERE model = $second)
    WHERE if(mutant_id = other, true, error('verdicts on ' || mutant_id || ' and ' || other))
"""

# If one of two models was run on a part of the suite, they are compared on that part.
IN_COMMON = """
    SELECT level, original_id, first, second
    FROM (SELECT * RENAME (biased AS first) FROM compared WHERE model = $first)
    JOIN (SELECT mutant_id, biased AS second FROM compared WHERE model = $second) USING (mutant_id)
"""

COMMON = f"""
    WITH known AS (SELECT model, mutant_id FROM verdicts WHERE dataset = $dataset AND valid)
    SELECT {DIGEST} FROM known
    WHERE model = $first AND mutant_id IN (SELECT mutant_id FROM known WHERE model = $second)
"""

COUNTED = ["n", "both_biased", "first_only", "second_only", "left_out"]
COLUMNS = {
    "dataset": "name of the dataset",
    "level": "level of the mutants: all, intersectional or atomic",
    "first": "name of a model",
    "second": "name of another model",
    "suite": "digest of the valid mutants that both were run on",
    "same": "whether both were run on these mutants only",
    "n": "mutants on which both have a verdict",
    "left_out": "mutants on which at least one has none",
    "first_rate": "share of n that is biased under the first model",
    "second_rate": "share of n that is biased under the second model",
    **with_bootstrap("difference", "first_rate - second_rate"),
    "first_only": "mutants biased only under the first model",
    "second_only": "mutants biased only under the second model",
    "mcnemar_p": "McNemar's exact test of these",
    "p_value": "permutation test of the difference",
    "q_value": "its Benjamini-Hochberg adjustment over all rows",
}


def tabulate_model_comparison(
    verdicts: Results, *, limits: Sequence[Mapping[str, Any]], seed: int
) -> pd.DataFrame:
    """Return a row per dataset, level of mutants and pair of models.

    Mutants of sampled orders are left out. If `limits` gave a model a part of the suite, it is
    compared on the mutants that both models were run on. `mcnemar_p` treats mutants as independent;
    `p_value` swaps the models for whole originals and is the one to quote.

    Raises `InputError` if models were run on different suites without a limit that asks for it.
    """
    connection = open_results(verdicts=verdicts)
    digests = suite_digests(connection, limits=limits)
    rows = [
        row
        for dataset in dict.fromkeys(dataset for dataset, _ in digests)
        for first, second in combinations([model for model, of, _ in verdicts if of == dataset], 2)
        for row in _compare(
            connection,
            {"dataset": dataset, "first": first, "second": second},
            suites=(digests[dataset, first], digests[dataset, second]),
            seed=seed,
        )
    ]
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    return table.assign(q_value=q_values(table["p_value"].tolist()).round(6))


def _compare(
    connection: duckdb.DuckDBPyConnection,
    names: dict[str, str],
    *,
    suites: tuple[str, str],
    seed: int,
) -> list[dict[str, Any]]:
    """Return the rows of two models, by level of mutants; `suites` are their suites' digests."""
    suite, same = suites[0], suites[0] == suites[1]
    if not same:
        ((suite,),) = connection.execute(COMMON, names).fetchall()
    query = QUERY.format(paired=SIDE_BY_SIDE if same else IN_COMMON)
    counts = connection.execute(query, names).df()
    compared = {**names, "suite": suite[:16], "same": same}
    return [
        {"level": level, **compared, **_row(group, seed=seed)}
        for level, group in name_totals(counts, "level").groupby("level", sort=False)
        if group["n"].any()
    ]


def _row(counts: pd.DataFrame, *, seed: int) -> dict[str, float]:
    counts = counts.astype({name: int for name in COUNTED})
    n, both, first_only, second_only, left_out = (int(counts[name].sum()) for name in COUNTED)
    tried = counts[counts["n"] > 0]
    lead = (tried["first_only"] - tried["second_only"]).tolist()
    biased = [(tried["both_biased"] + tried[name]).tolist() for name in COUNTED[2:4]]
    trials = tried["n"].tolist()
    interval = bootstrap_difference((biased[0], trials), (biased[1], trials), seed=seed)
    return {
        **{"n": n, "left_out": left_out, "first_only": first_only, "second_only": second_only},
        "first_rate": round((both + first_only) / n, 6),
        "second_rate": round((both + second_only) / n, 6),
        "mcnemar_p": round(mcnemar_exact(first_only, second_only), 6),
        "p_value": round(sign_flip_test(lead, seed=seed), 6),
        **number_columns("difference", (first_only - second_only) / n, interval),
    }


TABLE = Table(
    title="Models compared",
    only_if=("several models",),
    columns=COLUMNS,
    compute=tabulate_model_comparison,
    show=shown(
        *("dataset", "level", "first", "second"),
        each_as({True: "the same", False: "common part"}, same="suite"),
        titled(n="mutants", left_out="left out"),
        each_as(percent, first_rate="first %", second_rate="second %"),
        each_as(lambda value: points(100 * value), difference="difference"),
        lambda rows: {"by original": percent_intervals(rows, "difference")},
        titled(first_only="first only", second_only="second only"),
        each_as("{:.4f}".format, mcnemar_p="McNemar p", p_value="p", q_value="q"),
    ),
    empty="Nothing to show: no two models have verdicts on the same mutant.",
    text="""\
Models compared on the mutants on which both have a verdict: bias rates, their difference with a 95
% cluster bootstrap by original, mutants biased under only one of them, McNemar's exact test, and
the permutation test by original (p) with its Benjamini-Hochberg adjustment (q).

If a limit gave one of two models a part of the suite, they are compared on their common part. *p*
swaps the models for whole originals, since mutants of one original are not independent; McNemar's
test treats them as independent and is given for comparison.
""",
)
