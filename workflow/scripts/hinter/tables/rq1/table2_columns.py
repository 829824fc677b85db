"""Further columns of Table 2: accuracy, noise, cases that held or are robust, and excess."""

import pandas as pd

from ..columns import with_bootstrap, with_wilson
from .excess import ONE_PAIR

SCORES = {
    "accuracy": "the model's held-out accuracy",
    "macro_f1": "its held-out macro F1",
    **with_wilson("noise_rate", "share of answers that it changes when asked again"),
}
HELD = {
    **with_wilson("held_rate", "share of examined biased mutants that are biased each time"),
    **with_wilson("hidden_held_rate", "share of examined hidden cases that are hidden each time"),
}
"""Columns of the cases that the model was asked about more than once."""

ROBUST = {
    "robust": "hidden cases whose outcomes are all at least twice the noise of neutral edits away "
    "from the threshold",
    "robust_of": "hidden cases for which this is known: with scores, at most two labels or "
    "several per text, and controls",
}
EXCESS = {
    **with_bootstrap("excess", "bias rate minus that of the controls (sensitive + neutral)"),
    "excess_q_value": "permutation test of it, with Benjamini-Hochberg's adjustment",
    **with_bootstrap(
        "hidden_excess", "share of hidden bias among all mutants minus that among their controls"
    ),
    "hidden_excess_q_value": "permutation test of this, with Benjamini-Hochberg's adjustment",
}
"""Columns of mutants that, like their control, have a verdict (hidden: on all sub-mutants)."""


def noise_columns(noise: pd.DataFrame | None) -> pd.DataFrame:
    """Return the columns of noise, given the noise floor, if it was measured."""
    columns = {f"flip_rate{end}": f"noise_rate{end}" for end in ("", "_low", "_high")}
    known = pd.DataFrame(columns=["dataset", "model", *columns]) if noise is None else noise
    return known[["dataset", "model", *columns]].rename(columns=columns)


def held_columns(examined: pd.DataFrame | None) -> pd.DataFrame:
    """Return the columns of cases that held, given the table of those examined, if any."""
    keys = ["dataset", "model", "order"]
    if examined is None:
        return pd.DataFrame(columns=[*keys, *HELD])
    biased, hidden = (examined[examined["kind"] == kind] for kind in ("biased", "hidden"))
    ends = [f"held_rate{end}" for end in ("", "_low", "_high")]
    return biased[[*keys, *ends]].merge(
        hidden[[*keys, *ends]].rename(columns={end: f"hidden_{end}" for end in ends}),
        on=keys,
        how="outer",
    )


def excess_columns(excess: pd.DataFrame | None) -> pd.DataFrame:
    """Return the columns of excess by dataset, model and order, given its table, if any."""
    keys = ["dataset", "model", "order"]
    if excess is None:
        return pd.DataFrame(columns=[*keys, *EXCESS])
    of_all = excess[(excess["attributes"] == "all") & (excess["compared_with"] == ONE_PAIR)]
    measured = []
    for measure, name in (("bias", "excess"), ("hidden bias", "hidden_excess")):
        columns = {f"excess{end}": f"{name}{end}" for end in ("", "_low", "_high")}
        columns["q_value"] = f"{name}_q_value"
        rows = of_all[of_all["measure"] == measure]
        measured.append(rows[[*keys, *columns]].rename(columns=columns))
    bias, hidden = measured
    return bias.merge(hidden, on=keys, how="left")


def robust_columns(cases: pd.DataFrame) -> pd.DataFrame:
    """Return the columns of robustly hidden mutants, given the hidden ones (`robust_cases`)."""
    known = cases[cases["counted"] & cases["robust"].notna()]
    robust = known.groupby(["dataset", "model", "order"])["robust"]
    counts = pd.DataFrame({"robust": robust.sum(), "robust_of": robust.count()})
    return counts.astype("Int64").reset_index()
