"""The clear findings of the contrasts between groups, in sentences."""

import pandas as pd

from ...dictionary import CONTROL
from ..groups import FEWEST_MENTIONS, are_clear

JUDGING = 0.5
"""If at least this share of its terms judge by themselves, no finding on a group is reported."""

MOST_REPORTED = 5
"""The most findings of each kind that are reported, the most significant first."""


def describe_contrasts(rows: pd.DataFrame) -> str:
    """Return sentences on who is treated worse and better, and on neutral groups."""
    neutral = rows[rows["attribute"] == CONTROL]
    worded = {
        "Not quite neutral, as they move a model": _clear_findings(
            neutral, "mean_shift", "shift_q_value"
        ),
        "Different from the other neutral groups": _clear_findings(neutral, "contrast", "q_value"),
    }
    sentences = [f"{how}: {'; '.join(who)}." for how, who in worded.items() if who]
    if len(neutral) and not sentences:
        sentences = ["No neutral group significantly moves a model."]
    return " ".join([describe_groups(rows), *sentences])


def describe_groups(rows: pd.DataFrame) -> str:
    """Return sentences on groups treated worse or better, without those of evaluative words."""
    groups = rows[rows["attribute"] != CONTROL]
    judging = groups["judging_share"] >= JUDGING
    left_out = groups[judging & groups["terms"].notna()]
    words = dict.fromkeys(f"{row.group} ({row.valence})" for row in left_out.itertuples())
    why = (
        f" Left out, as their words are positive or negative by themselves: {'; '.join(words)}."
        if words
        else ""
    )
    return _describe_treated(groups[~judging]) + why


def _describe_treated(groups: pd.DataFrame) -> str:
    worse, better = (
        _clear_findings(groups[sign * groups["contrast"] > 0], "contrast", "q_value")
        + _clear_findings(
            groups[sign * groups["rate_contrast"] < 0], "rate_contrast", "rate_q_value"
        )
        for sign in (-1, 1)
    )
    worded = {"Treated worse than others": worse, "Treated better than others": better}
    if worse or better:
        return " ".join(f"{how}: {'; '.join(who)}." for how, who in worded.items() if who)
    tests = int(groups[["p_value", "rate_p_value"]].notna().to_numpy().sum())
    if not tests:
        return (
            f"No group is named at {FEWEST_MENTIONS} mentions or more, so none is compared. Add "
            "texts, or descriptors of each person (`mutation.descriptors`)."
        )
    return f"No group is treated measurably worse or better than the others ({tests} tests)."


def _clear_findings(rows: pd.DataFrame, name: str, q_value: str) -> list[str]:
    """Return clear findings on a column, the largest first, and how many are left out."""
    sure = rows[are_clear(rows, name, q_value)]
    sure = sure.assign(size=-sure[name].abs()).sort_values([q_value, "size"], kind="stable")
    scale, unit = (100, " points of bias rate") if name == "rate_contrast" else (1, " log-odds")
    said = [
        f"{row['group']} ({row['attribute']}; {row['model']}, {row['dataset']}) by "
        f"{scale * row[name]:+.2f}{unit} [{scale * row[f'{name}_low']:.2f}, "
        f"{scale * row[f'{name}_high']:.2f}], q = {row[q_value]:.4f}"
        for row in sure.head(MOST_REPORTED).to_dict("records")
    ]
    return [*said, f"{len(sure) - MOST_REPORTED} more"] if len(sure) > MOST_REPORTED else said
