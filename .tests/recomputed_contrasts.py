"""Contrasts between groups, and tests by sign flips, computed again without the library."""

from itertools import product

import numpy as np
import pandas as pd

LINE = ["attribute", "group"]
ENUMERATED, FEWEST = 14, 10
"""Originals that differ, up to which all flips are looked at; mentions, below which a cell has no
line."""


def flips(sums: pd.Series) -> float:
    """Return the p-value of sign flips of sums by original, of all where few of them differ."""
    values = sums[sums != 0].to_numpy(dtype=float)
    if len(sums) < 2:
        return np.nan
    if len(values) <= ENUMERATED:
        signs = np.array(list(product((-1, 1), repeat=len(values))))
    else:
        signs = np.random.default_rng(0).choice((-1, 1), size=(20_000, len(values)))
    return float((np.abs(signs @ values) >= abs(values.sum()) - 1e-9).mean())


def by_original(frame: pd.DataFrame, keys: list[str], column: str) -> pd.Series:
    """Return the p-value of each line for a mean of 0."""
    sums = frame.dropna(subset=[column]).groupby([*keys, "original_id"])[column].sum()
    return sums.groupby(keys).agg(flips)


def named(frame: pd.DataFrame, pairs: pd.DataFrame) -> pd.DataFrame:
    """Return what contrasts compare: atomic mutants, and what two groups add to each."""
    atomic = (frame["order"] == 1) & (frame["counted"] | (frame["control"] & frame["seen"]))
    cell = (frame["order"] == 2) & frame["counted"] & frame["complete"]
    units, sources = frame[atomic | cell].copy(), ["attribute", "source_group", "source"]
    choices = pairs.groupby(sources)["target_group"].agg(frozenset).to_dict()
    places = dict(zip(pairs["pair_id"], pairs[sources].itertuples(index=False), strict=True))
    groups = dict(zip(pairs["pair_id"], pairs["target_group"], strict=True))
    units["attribute"] = units["attributes"]
    units["mention"] = [tuple(places[pair] for pair in each) for each in units["pair_ids"]]
    units["choice"] = [tuple(choices[position] for position in each) for each in units["mention"]]
    units["group"] = [" + ".join(groups[pair] for pair in each) for each in units["pair_ids"]]
    # Where labels are favourable, away from an outcome that is none of them is for the better.
    lost, sign = units["worse"].eq(True), np.where(units["favoured"].eq(False), -1, 1)
    biased = units["biased"].eq(True).where(units["worse"].isna(), lost)
    hidden = units["hidden"].eq(True) & (units["worse"].isna() | lost)
    units["changed"] = biased.where(units["order"] == 1, hidden).astype(float)
    shift = units["shift"].where(units["order"] == 1, units["interaction"]).astype(float)
    return units.assign(shift=sign * shift / 100)


def contrast(units: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return the mentions and the contrast of each line."""
    mention, choice = ["attribute", "original_id", "mention"], ["attribute", "choice"]
    values = units.dropna(subset=[column]).groupby([*mention, "choice", "group"])[column]
    means = values.mean().rename("value").reset_index()
    shared = means.groupby(mention)["group"].transform("size") > 1
    within = shared.groupby(means["attribute"]).transform("mean") >= 0.5
    places, choices = (means.groupby(keys).ngroup() for keys in (mention, choice))
    means["stratum"] = places.where(within, -1 - choices)
    whole, own = (means.groupby(keys)["value"] for keys in ("stratum", ["stratum", "group"]))
    others = whole.transform("size") - own.transform("size")
    rest = (whole.transform("sum") - own.transform("sum")) / others.where(others > 0)
    kept = (others > 0) & (within | (whole.transform("size") >= FEWEST))
    lines = means.assign(more=means["value"] - rest)[kept].groupby(LINE)
    return lines["more"].agg(["size", "mean"])


def contrasts(frame: pd.DataFrame, pairs: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of contrasts, without tests within strata."""
    keys, units = LINE, named(frame, pairs)
    lines, shifts, rates = units.groupby(keys), contrast(units, "shift"), contrast(units, "changed")
    found = lines.agg(
        originals=("original_id", "nunique"),
        scored=("shift", "count"),
        mean_shift=("shift", "mean"),
        bias_rate=("changed", "mean"),
        n=("order", "size"),
    )
    cells = found.index.get_level_values(0).str.contains("+", regex=False)
    found = found.assign(
        mentions=rates["size"],
        rate_contrast=rates["mean"],
        contrast=shifts["mean"],
        shift_p_value=by_original(units, keys, "shift"),
    ).fillna({"mentions": 0})
    few = shifts["size"].reindex(found.index) < FEWEST
    found["contrast"] = found["contrast"].mask(cells & few)
    return found[~cells | (found["mentions"] >= FEWEST)]
