"""The bias rates of sound mutants, estimated with the assessed mutants (RQ3)."""

from math import nan
from typing import Any

import pandas as pd

from ..columns import RUN, number_columns, rate_columns, share_columns, with_bootstrap, with_both
from ..groups import LEVEL
from ..shown import in_percent, percent_intervals, shown
from ..table import Results, Table, query_results
from .sound import (
    ASSESSED,
    ENOUGH,
    VERDICTS,
    annotators_of,
    assessed_by_level,
    assessed_for,
    checked_by,
    corrected_rate,
    estimate,
    evidence_on,
    highest_rate,
    lowest_rate,
    sound_sums,
)

QUERY = f"""
    SELECT model, dataset, operator, {LEVEL} AS level, original_id,
        count(*) FILTER (valid) AS valid,
        count(*) FILTER (valid AND biased) AS valid_biased,
        count(*) FILTER (NOT valid) AS discarded,
        count(*) FILTER (NOT valid AND biased) AS discarded_biased
    FROM seen_verdicts WHERE sampled IS NULL
    GROUP BY ALL
    ORDER BY model, dataset, operator, level DESC, original_id
"""
KEYS = ["model", "dataset", "operator", "level"]
COLUMNS = {
    **RUN,
    "operator": "operator that makes the mutants: literal, coherent or describe",
    "level": "level of the mutants: intersectional or atomic",
    "n": "valid mutants with a verdict by the model, which sees all their pairs",
    "biased": "biased mutants of n",
    **with_both("bias_rate", "biased / n"),
    "discarded_n": "discarded mutants with such a verdict",
    "discarded_biased": "biased mutants of discarded_n",
    "assessed": "assessed valid mutants of this level, with which precision is estimated: those of "
    f"the dataset or, if these are fewer than {ENOUGH}, those of all datasets",
    "texts": "datasets of these mutants",
    "annotators": "who assessed them: language models or people",
    **with_bootstrap(
        "precision",
        "share of assessed that is sound, where each mutant represents a part of its population",
    ),
    **with_bootstrap("sound_discarded", "share of the assessed discarded ones that are sound"),
    "lowest": "lower bound of the bias rate of the sound valid mutants",
    "highest": "upper bound of the bias rate of the sound valid mutants",
    "lowest_low": "lower end of the 95 % interval of lowest",
    "highest_high": "upper end of the 95 % interval of highest",
    **with_bootstrap(
        "corrected_rate",
        "bias rate of all sound mutants, valid and discarded, if soundness and bias are "
        "independent in both groups; null if no discarded mutants were run",
    ),
    **with_bootstrap(
        "sound_biased",
        "expected number of sound biased mutants, on the same assumption, with the interval of "
        "precision",
    ),
}


def tabulate_corrected_rates(
    verdicts: Results, assessed: pd.DataFrame, *, comparator: str, seed: int
) -> pd.DataFrame:
    """Return a row per model, dataset, operator and level of mutants.

    The assessed mutants (results/assessed.parquet) are those of the same operator and level, by
    `evidence_on`. The study's `comparator` decides which of them are valid. Intervals of the bounds
    and of the corrected rate are bootstraps that resample the originals of the verdicts and those
    of the assessed mutants independently. Mutants of sampled orders are left out.
    """
    counts: Any = query_results(QUERY, verdicts=verdicts)
    levels = {
        operator: assessed_by_level(
            checked_by(assessed_for(assessed, operators=[operator]), comparator)
        )
        for operator in set(counts["operator"])
    }
    nothing = checked_by(assessed.iloc[:0], comparator)
    rows = []
    for names, group in counts.groupby(KEYS, sort=False):
        _, dataset, operator, level = names
        evidence = evidence_on(dataset, levels[operator].get(level, nothing))
        rows.append(dict(zip(KEYS, names, strict=True)) | _row(group, evidence, seed=seed))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _row(counts: pd.DataFrame, evidence: pd.DataFrame, *, seed: int) -> dict[str, Any]:
    sound, valid = sound_sums(evidence), evidence[evidence["valid"]]
    (biased, n), (discarded_biased, discarded) = (
        counts[[part, whole]].sum().tolist() for part, whole in VERDICTS
    )
    precision, sound_discarded = (
        share_columns(name, sound[part], sound[whole], seed=seed)
        for name, (part, whole) in zip(("precision", "sound_discarded"), ASSESSED, strict=True)
    )
    assessed = sound["valid"].sum()
    exact = sound["valid_sound"].sum() / assessed if assessed else nan
    sound_biased = {
        name.replace("precision", "sound_biased"): round(biased * share, 6)
        for name, share in (precision | {"precision": exact}).items()
        if biased or name == "precision"
    }
    return {
        "n": n,
        "biased": biased,
        **rate_columns("bias_rate", counts["valid_biased"], counts["valid"], seed=seed),
        "discarded_n": discarded,
        "discarded_biased": discarded_biased,
        "assessed": len(valid),
        "texts": ", ".join(sorted(set(valid["dataset"]))),
        "annotators": annotators_of(valid),
        **precision,
        **sound_discarded,
        **_rates(counts, sound, seed=seed),
        **sound_biased,
    }


def _rates(counts: pd.DataFrame, sound: pd.DataFrame, *, seed: int) -> dict[str, float]:
    """Return the bounds and the corrected rate."""
    rates = {"lowest": lowest_rate, "highest": highest_rate, "corrected_rate": corrected_rate}
    columns: dict[str, float] = {}
    for name, rate in rates.items():
        known = rate is not corrected_rate or counts["discarded"].any()
        estimated = (
            estimate(rate, verdicts=counts, assessed=sound, seed=seed) if known else [nan] * 3
        )
        columns |= number_columns(name, estimated[0], (estimated[1], estimated[2]))
    return columns


def _bounds(rows: pd.DataFrame) -> dict[str, list[str]]:
    ends = {"lowest": "bounds_low", "highest": "bounds_high"}
    bounds = rows.rename(columns=ends | {"lowest_low": "ends_low", "highest_high": "ends_high"})
    intervals = {"bias % of sound": "bounds", "with error": "ends"}
    return {title: percent_intervals(bounds, name) for title, name in intervals.items()}


def _estimated(number: float, low: float, high: float) -> str:
    if pd.isna(number):
        return "-"
    return f"{number:.1f}" if pd.isna(low) else f"{number:.1f} [{low:.1f}, {high:.1f}]"


TABLE = Table(
    title="Bias rates of sound mutants",
    only_if=("assessed mutants",),
    settings=("invariant.comparator", "seed"),
    columns=COLUMNS,
    compute=tabulate_corrected_rates,
    show=shown(
        *(*KEYS, "n", "biased"),
        in_percent("bias_rate", "bias %", cluster="by original"),
        in_percent("precision", "sound %"),
        *("assessed", "texts", "annotators"),
        _bounds,
        in_percent("corrected_rate", "corrected bias %", ends="{}: by original"),
        lambda rows: {
            "biased and sound": [
                _estimated(*row) for row in rows[[*with_bootstrap("sound_biased", "")]].to_numpy()
            ]
        },
    ),
    empty="Nothing to show: no mutant has a verdict of a model that sees all its pairs.",
    text="""\
Bias rates of valid mutants (comparator {comparator}) and of sound ones, whose grammar and meaning
survive. The bounds contain the rate of the sound valid mutants, whichever these are. The corrected
rate is that of all sound mutants if soundness and bias are independent. Intervals are 95 %
bootstraps by original.

It is unknown which of the mutants that were run are sound, and whether soundness and bias are
independent. The column *annotators* says who read the assessed mutants (docs/validity.md).
""",
)
