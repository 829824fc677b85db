"""Bias by combination of attributes and by source and target group, tested within originals."""

from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from ...dictionary import UNDESCRIBED
from ...statistics import Stratum, permutation_test
from ..columns import with_bootstrap, with_both
from ..groups import SURE, adjust_by_model, rates_by, rows_of_runs
from ..rq1.answers import count_flips
from ..shown import difference_of, in_percent, p_and_q, percent, shown, where_known
from ..table import Results, Table
from .group_units import LINE_COLUMNS, NAMES, Strata, excess_over_controls, sum_by_original
from .group_units import UNIT_SUMS as SUMS


def excess_over_noise(sums: pd.DataFrame, flips: pd.DataFrame, *, seed: int) -> pd.DataFrame:
    """Return the noise rate of each line, and a one-sided test that mutants flip no more often.

    `sums` has `n` mutants, of which some are `biased`, by line and original; `flips` has `repeats`
    and `flips` by original. If mutations have no effect, answers on mutants of an original differ
    from its first answer as often as repeats do, so each of them is equally likely to be a flip.
    For one original this is Fisher's exact test, over originals that of Mantel and Haenszel (1959).
    """
    asked = sums.join(flips, on="original_id", how="inner")
    asked["answers"] = asked["n"] + asked["repeats"]
    asked["changed"] = asked["biased"] + asked["flips"]
    lines = asked.groupby(NAMES, sort=False)
    p_values = lines[["n", "biased", "answers", "changed"]].apply(_p_value, seed=seed)
    totals = lines[["flips", "repeats"]].sum()
    return pd.DataFrame(
        {
            "noise_rate": (totals["flips"] / totals["repeats"]).round(6),
            "noise_p_value": p_values.astype(float).round(6),
        },
        index=totals.index,
    )


def _p_value(asked: pd.DataFrame, *, seed: int) -> float:
    counts = asked[["n", "answers", "changed"]].astype(int).values.tolist()
    strata = [
        Stratum(np.repeat([1.0, 0.0], [changed, answers - changed]), n)
        for n, answers, changed in counts
    ]
    expected = (asked["n"] * asked["changed"] / asked["answers"]).sum()
    deviation = float(asked["biased"].sum() - expected)
    return permutation_test(strata, deviation, seed=seed, two_sided=False)


COLUMNS = {
    **LINE_COLUMNS,
    "biased": "biased mutants of n",
    **with_both("bias_rate", "biased / n"),
    "expected_rate": "bias rate if, within each original, the line's mutants were biased as often "
    "as the other mutants of the same order (combinations) or of the same combination (groups); "
    "the observed rate if there are no others",
    "p_value": "two-sided permutation test of the deviation within originals, exact if few "
    "permutations are possible",
    "q_value": "its Benjamini-Hochberg adjustment over all lines, levels and datasets of a model",
    "controls": "mutants that are compared with their control; for a group, those whose control "
    "replaces its pair",
    "control_rate": "bias rate of these controls",
    **with_bootstrap("excess", "bias rate of these mutants minus control_rate"),
    "excess_p_value": "permutation test that swaps mutants and controls, original by original",
    "excess_q_value": "its adjustment, like q_value",
    "noise_rate": "share of answers that change when the same originals are asked about again",
    "noise_p_value": "one-sided test that mutants change answers no more often than that",
    "noise_q_value": "its adjustment, like q_value",
}


def tabulate_groups_bias(
    verdicts: Results,
    repeats: Results,
    controls: Results,
    *,
    pairs: Path,
    outcome_statuses: Sequence[str],
    seed: int,
) -> pd.DataFrame:
    """Return a row per model, dataset, level of mutants and line.

    A line is `all` attributes, one combination of attributes, or the mutants with a pair of one
    attribute from a source to a target group. The permutation test treats single mutants of an
    original as exchangeable for combinations, and whole pairs with all their mutants for groups.
    If deviations vary more between originals than under this null, its deviations are widened
    accordingly. Originals whose outcome changes easily thus count neither for nor against a line.

    A model without a verdict on a dataset has no rows. Mutants of sampled orders are left out.
    """
    asked = {repeat[:2]: repeat for repeat in repeats}
    runs = []
    for part in verdicts:
        sums, strata = sum_by_original(part, pairs=pairs)
        if sums.empty:
            continue
        rows = _rates(sums, strata, seed=seed)
        if controls:
            excess = excess_over_controls(part, controls, pairs=str(pairs), seed=seed)
            rows = rows.join(excess, on=NAMES)
        if part[:2] in asked:
            flips = count_flips([asked[part[:2]]], outcome_statuses=outcome_statuses)
            rows = rows.join(excess_over_noise(sums, flips, seed=seed), on=NAMES)
        runs.append((part, rows))
    return adjust_by_model(rows_of_runs(runs, COLUMNS), "", "excess_", "noise_")


def describe_crossed(rows: pd.DataFrame) -> str:
    """Return a sentence on groups whose intersectional mutants change outcomes more often."""
    groups = rows[(rows["level"] == "intersectional") & (rows["target_group"] != "")]
    sure = groups[(groups["q_value"] <= SURE) & (groups["bias_rate"] > groups["expected_rate"])]
    said = [
        f"{_named(row)} ({row['attributes']}; {row['model']}, {row['dataset']}): "
        f"{percent(row['bias_rate'])} % of {row['n']} mutants, {percent(row['expected_rate'])} % "
        f"of others, q = {row['q_value']:.4f}"
        for row in sure.sort_values("q_value", kind="stable").to_dict("records")
    ]
    named = "; ".join(said)
    return f"Outcomes change more often if another attribute joins {named}." if said else ""


def _named(row: Mapping[Hashable, str]) -> str:
    source, target = row["source_group"], row["target_group"]
    return target if source == UNDESCRIBED else f"{source} to {target}"


def _rates(sums: pd.DataFrame, strata: Strata, *, seed: int) -> pd.DataFrame:
    """Return the rows of one model and dataset, without the columns of noise."""
    lines = sums.assign(squares=sums["deviation"] ** 2).groupby(NAMES, sort=False)
    totals = lines[[*SUMS, "squares"]].sum()
    spread = (totals["squares"] / totals["variance"]).clip(lower=1).fillna(1)
    p_values = [
        permutation_test(strata.get(line, []), deviation, spread=wider**0.5, seed=seed)
        for line, deviation, wider in zip(totals.index, totals["deviation"], spread, strict=True)
    ]
    expected = totals["expected"] / totals["n"]
    rows = rates_by(sums, NAMES, {"bias_rate": ("biased", "n")}, seed=seed).assign(
        expected_rate=expected.where(~np.isnan(p_values)).round(6), p_value=np.round(p_values, 6)
    )
    return rows.reset_index()


TABLE = Table(
    title="Bias by combination and group",
    columns=COLUMNS,
    compute=tabulate_groups_bias,
    finding=lambda rows, given: describe_crossed(rows),
    show=shown(
        *("model", "dataset", *NAMES, "n", "originals", "biased"),
        in_percent("bias_rate", "bias %", ends="Wilson", cluster="by original"),
        in_percent("expected_rate", "expected %"),
        p_and_q(),
        where_known(
            "control_rate",
            in_percent("control_rate", "controls %"),
            difference_of("excess", "excess"),
            p_and_q("excess {}", prefix="excess_"),
        ),
        where_known(
            "noise_rate", in_percent("noise_rate", "noise %"), p_and_q("noise {}", prefix="noise_")
        ),
    ),
    empty="Nothing to show: no valid mutant has a verdict of a model that sees all its pairs.",
    text="""\
Bias by combination of attributes and by source and target group, with Wilson's interval and a
cluster bootstrap by original; the rate expected from the other mutants of the same originals, and
the permutation test of a difference (p), adjusted by Benjamini-Hochberg (q). Excess is the bias
rate of mutants minus that of their controls, in which a neutral pair stands in for one of the
sensitive ones, in percentage points. If originals were asked about repeatedly, noise is the rate at
which answers change without any mutation, with a test of the excess over it.

*expected* compares mutants of the same original and order (for groups, of the same attributes), so
that originals whose outcome changes easily count neither for nor against a group. A group whose
difference is not significant may still differ. The *excess* of a group covers mutants whose control
replaces the group's own pair.
""",
)
