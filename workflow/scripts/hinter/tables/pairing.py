"""Pairs of a mutant and its control, both with a verdict, and words that judge by themselves."""

import re
from collections.abc import Callable, Sequence
from functools import cache

import duckdb
import pandas as pd
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from ..statistics import Interval, cluster_bootstrap
from .columns import with_bootstrap
from .groups import LEVEL, p_values_by, row_per_group
from .shown import Columns, each_as, four_decimals, where_known, whole
from .table import Results, open_results

TESTED = ("excess_low", "excess_high", "p_value")

COUNTED = ["n", "changed", "control"]

LENGTHS = ("not_longer", "longer")
"""The prefixes of the columns of parts by length: the excess of the first cannot be due to it."""
LENGTH_PREFIXES = [f"{name}_" for name in LENGTHS]


def part_columns(name: str, has: str) -> dict[str, str]:
    """Return the columns of `excess_of_part` and a q-value; `has` describes the part's mutants."""
    return {
        f"{name}_n": f"pairs of a mutant and its control in which the mutant has {has}",
        **with_bootstrap(f"{name}_excess", "their excess"),
        f"{name}_p_value": "the same test as for the excess",
        f"{name}_q_value": "its Benjamini-Hochberg adjustment over all rows of a model",
    }


BY_LENGTH = {
    **part_columns("not_longer", "no more words than its control"),
    **part_columns("longer", "more words"),
}
"""The columns of `excess_by_length`, without those of all pairs."""

CLEAR = 1.0
"""A word clearly judges if its mean rating, from -4 to 4, is at least so far from 0."""

NEAR = 0.5
"""A benign mutant is near a flip if its margin is below this, in log-odds."""

# If the original was already near, the mutant did not bring it there.
ENTERS = f"""
    CASE WHEN NOT {{of}}.biased AND round(({{of}}.margin - {{of}}.shift)::DOUBLE, 2) >= {NEAR}
        THEN {{of}}.margin < {NEAR} END
"""
"""Whether a benign mutant is a near flip and its original was not; null if it cannot be one."""

# A pair counts as a whole: for hidden bias, if all sub-mutants of both have a verdict.
PAIRED = f"""
    CREATE VIEW {{view}} AS
    SELECT v.model, v.dataset, v.mutant_id, v.original_id, v."order", v.attributes, v.sampled,
        m.pair_id, m.longer,
        coalesce(list_has_any(v.pair_ids, (SELECT list(pair_id) FROM judging)), false) AS judging,
        v.biased, c.biased AS control_biased,
        v."order" > 1 AND v.complete AND c.complete AS complete,
        v.hidden, c.hidden AS control_hidden, v.worse, c.worse AS control_worse,
        v.better, c.better AS control_better,
        {ENTERS.format(of="v")} AS near, {ENTERS.format(of="c")} AS control_near
    FROM counted_verdicts AS v
    JOIN (
        SELECT dataset, mutant_id, {{control}} AS control_id, pair_id, {{words}} > 0 AS longer
        FROM controls
    ) AS m USING (dataset, mutant_id)
    JOIN control_verdicts AS c
        ON c.model = v.model AND c.dataset = v.dataset AND c.mutant_id = m.control_id
"""


NO_CONTROLS = """
    CREATE TABLE controls (
        dataset VARCHAR, mutant_id VARCHAR, control_id VARCHAR, pair_id VARCHAR, more_words INT,
        neutral_id VARCHAR, neutral_more_words INT
    )
"""

# The measure of a mutant is 0 or 1; for an excess, that of its control is subtracted.
MEASURED = f"""
    CREATE VIEW measured AS
    WITH by_mutant AS (
        SELECT v.dataset, v.model, v.mutant_id, v.original_id, {LEVEL} AS level,
            v.biased::INT AS "bias", v.biased::INT - p.control_biased::INT AS "excess bias",
            CASE WHEN v."order" > 1 AND v.complete THEN v.hidden::INT END AS "hidden bias",
            CASE WHEN p.complete THEN p.hidden::INT - p.control_hidden::INT END
                AS "excess hidden bias"
        FROM listed_verdicts AS v
        LEFT JOIN (
            SELECT model, dataset, mutant_id, control_biased, complete, hidden, control_hidden
            FROM paired
        ) AS p USING (model, dataset, mutant_id)
    )
    UNPIVOT by_mutant ON "bias", "excess bias", "hidden bias", "excess hidden bias"
    INTO NAME measure VALUE value
"""
"""The measures of each mutant of the view `paired` and of mutants without a control, as rows."""


def by_length(difference: Callable[[str, str], Columns]) -> Columns:
    """Return the formatted columns `BY_LENGTH`, if any mutant is longer."""
    columns: list[Columns] = []
    for name in LENGTHS:
        title = name.replace("_", " ")
        columns.append(each_as(whole, **{f"{name}_n": f"{title}: n"}))
        columns.append(difference(f"{name}_excess", f"{title}: excess"))
        columns.append(each_as(four_decimals, **{f"{name}_q_value": f"{title}: q"}))
    return where_known("longer_excess", *columns)


def open_paired(
    verdicts: Results, controls: Results, **others: Results
) -> duckdb.DuckDBPyConnection:
    """Return a connection with a view `paired`: counted mutants that have a control with a verdict.

    A study may have no `controls`. There is also a view of each of the `others`.

    `pair_id` is the pair that a neutral one stands in for. `longer` is true if the mutant has more
    words than its control, `judging` if one of its words judges by itself, `complete` if all
    sub-mutants of both have a verdict. In the view `paired_neutral`, neutral pairs stand in for all
    pairs of an intersectional mutant.
    """
    given = {"controls": controls} if controls else {}
    connection = open_results(verdicts=verdicts, **given, **others)
    if not controls:
        connection.execute(NO_CONTROLS)
    pairs = connection.execute("SELECT DISTINCT unnest(pair_ids) AS pair_id FROM verdicts").df()
    judging = pairs["pair_id"].map(lambda pair: any(judging_words(pair.partition(">")[2])))
    connection.register("judging", pairs[judging.astype(bool)])
    for view, control, words in (
        ("paired", "control_id", "more_words"),
        ("paired_neutral", "neutral_id", "neutral_more_words"),
    ):
        connection.execute(PAIRED.format(view=view, control=control, words=words))
    return connection


def excess_of_lines(
    sums: pd.DataFrame, keys: Sequence[str], *, seed: int, bounds: Interval = (-1, 1)
) -> pd.DataFrame:
    """Return the excess of each line over its controls, indexed by the `keys` that name it.

    `sums` has rows per line and original: `n` pairs of a mutant and its control, and how many of
    the mutants (`changed`) and of the controls (`control`) show what is measured. The columns are
    `n`, `originals`, `rate`, `control_rate`, their difference `excess` with its cluster bootstrap
    by original (`_low`, `_high`), the two-sided `p_value` of a test that swaps mutants and
    controls, original by original. The last three are nan for a single original. An excess lies
    inside `bounds`.
    """
    sums = sums.groupby([*keys, "original_id"], sort=False)[COUNTED].sum().reset_index()
    sums = sums.assign(difference=sums["changed"] - sums["control"])
    rows = row_per_group(sums, keys, _excess, bounds=bounds, seed=seed)
    rows = rows.assign(p_value=p_values_by(sums, keys, ("difference", "n"), seed=seed))
    rows = rows.reindex(columns=["n", "originals", "rate", "control_rate", "excess", *TESTED])
    return rows.astype(float).round(6).astype({"n": int, "originals": int})


def excess_by_length(
    sums: pd.DataFrame, keys: Sequence[str], *, seed: int, bounds: Interval = (-1, 1)
) -> pd.DataFrame:
    """Return `excess_of_lines` with the columns `BY_LENGTH`, without q-values.

    `sums` also say whether mutants are `longer` than their controls.
    """
    rows = excess_of_lines(sums, keys, seed=seed, bounds=bounds)
    for name in LENGTHS:
        part = sums[sums["longer"] == (name == "longer")]
        rows = rows.join(excess_of_part(part, keys, name=name, seed=seed, bounds=bounds))
    return rows


def excess_of_part(
    sums: pd.DataFrame, keys: Sequence[str], *, name: str, seed: int, bounds: Interval = (-1, 1)
) -> pd.DataFrame:
    """Return the `part_columns` of some pairs, without the q-value."""
    rows = excess_of_lines(sums, keys, seed=seed, bounds=bounds)[["n", "excess", *TESTED]]
    return rows.astype({"n": "Int64"}).add_prefix(f"{name}_")


def _excess(line: pd.DataFrame, *, bounds: Interval, seed: int) -> dict[str, float]:
    n = line["n"].sum()
    columns = {"rate": "changed", "control_rate": "control", "excess": "difference"}
    shares = {name: line[column].sum() / n for name, column in columns.items()}
    sums = line["difference"].tolist(), line["n"].tolist()
    ends = cluster_bootstrap(*sums, bounds=bounds, seed=seed)
    return {"n": n, "originals": len(line), **shares, **dict(zip(TESTED, ends, strict=False))}


def judging_words(term: str) -> dict[str, float]:
    """Return the words of a term that clearly judge, with their mean rating.

    Parts of compounds count as words, since models see them (HIV-positive). The ratings are those
    of VADER's lexicon (Hutto and Gilbert 2014, doi:10.1609/icwsm.v8i1.14550).
    """
    words = {word: _ratings().get(word.lower(), 0.0) for word in re.split(r"[\s_|-]+", term)}
    return {word: rating for word, rating in words.items() if abs(rating) >= CLEAR}


@cache
def _ratings() -> dict[str, float]:
    ratings: dict[str, float] = SentimentIntensityAnalyzer().lexicon
    return ratings
