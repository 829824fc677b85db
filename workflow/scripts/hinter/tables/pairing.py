"""Mutants beside their controls, both with a verdict."""

from collections.abc import Sequence

import duckdb
import pandas as pd

from ..statistics import Interval, Numbers, cluster_bootstrap
from .lines import mean_p_values, spread_lines
from .table import Results, open_results

TESTED = ("excess_low", "excess_high", "p_value")

NEAR = 0.5
"""A benign mutant is near a flip if its margin is below this, in log-odds."""

# Of a mutant whose original was there before, it says nothing.
ENTERS = f"""
    CASE WHEN NOT {{of}}.biased AND round(({{of}}.margin - {{of}}.shift)::DOUBLE, 2) >= {NEAR}
        THEN {{of}}.margin < {NEAR} END
"""
"""Whether a benign mutant is a near flip whose original was not near; null where it cannot be."""

# Both of a pair count, or neither: for hidden bias, those whose sub-mutants all have a verdict.
PAIRED = f"""
    CREATE VIEW {{view}} AS
    SELECT v.model, v.dataset, v.mutant_id, v.original_id, v."order", v.attributes, v.drawn,
        m.pair_id, v.biased, c.biased AS control_biased,
        v."order" > 1 AND v.complete AND c.complete AS complete,
        v.hidden, c.hidden AS control_hidden, v.worse, c.worse AS control_worse,
        v.better, c.better AS control_better,
        {ENTERS.format(of="v")} AS near, {ENTERS.format(of="c")} AS control_near
    FROM counted_verdicts AS v
    JOIN (SELECT dataset, mutant_id, {{control}} AS control_id, pair_id FROM controls) AS m
        USING (dataset, mutant_id)
    JOIN control_verdicts AS c
        ON c.model = v.model AND c.dataset = v.dataset AND c.mutant_id = m.control_id
"""


def open_paired(verdicts: Results, controls: Results) -> duckdb.DuckDBPyConnection:
    """Return a connection with a view `paired`: counted mutants that have a control with a verdict.

    `pair_id` is the pair that a neutral one stands in for. `complete` tells whether all
    sub-mutants of both have a verdict. In the view `paired_neutral`, the controls are those in
    which neutral pairs stand in for all pairs of an intersectional mutant.
    """
    connection = open_results(verdicts=verdicts, controls=controls)
    connection.execute(PAIRED.format(view="paired", control="control_id"))
    connection.execute(PAIRED.format(view="paired_neutral", control="neutral_id"))
    return connection


def excess_of_lines(
    sums: pd.DataFrame, keys: Sequence[str], *, seed: int, bounds: Interval = (-1, 1)
) -> pd.DataFrame:
    """Return the excess of each line over its controls, indexed by the `keys` that name it.

    `sums` has a row per line and original: `n` pairs of a mutant and its control, and how many of
    the mutants (`changed`) and of the controls (`control`) show what is measured. The columns are
    `n`, `originals`, `rate`, `control_rate`, their difference `excess` with its cluster bootstrap
    by original (`_low`, `_high`), the two-sided `p_value` of a test that swaps mutants and
    controls, original by original. The last three are nan for a single original. An excess lies
    inside `bounds`.
    """
    sums = sums.assign(difference=sums["changed"] - sums["control"])
    lines = sums.groupby(list(keys), sort=False)
    totals = lines[["n", "changed", "control", "difference"]].sum()
    tested = [
        _tested(differences, counts, seed=seed, bounds=bounds)
        for differences, counts in spread_lines(sums, keys, ["difference", "n"])
    ]
    columns = {
        "n": totals["n"].astype(int),
        "originals": lines.size(),
        "rate": totals["changed"] / totals["n"],
        "control_rate": totals["control"] / totals["n"],
        "excess": totals["difference"] / totals["n"],
    }
    beside = pd.concat([pd.DataFrame(columns=list(TESTED)), *tested]).set_index(totals.index)
    return pd.DataFrame(columns).join(beside.astype(float)).round(6)


def _tested(differences: Numbers, counts: Numbers, *, seed: int, bounds: Interval) -> pd.DataFrame:
    ends = [
        cluster_bootstrap(*line, bounds=bounds, seed=seed)
        for line in zip(differences.T, counts.T, strict=True)
    ]
    lows, highs = zip(*ends, strict=True)
    p_values = mean_p_values(differences, counts, seed=seed)
    return pd.DataFrame(dict(zip(TESTED, (lows, highs, p_values), strict=True)))
