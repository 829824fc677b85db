"""How the answers about income differ between women and men: parity and equalised odds."""

import numpy as np
import pandas as pd
from fairlearn.metrics import demographic_parity_difference, equalized_odds_difference

from ...statistics import bootstrap_difference
from ..columns import number_columns, with_bootstrap
from ..groups import row_per_group
from ..shown import difference_of, each_as, percent, points, shown
from ..table import Results, Table, query_results

# With both sexes, each person occurs twice, and only the words of the prompt differ.
ANSWERS = """
    SELECT model, prompts, original_id, facts['sex'] AS sex, labels = ['yes'] AS high,
        outcome = ['yes'] AS yes
    FROM hits, (VALUES ('observed'), ('both_sexes')) AS sets(prompts)
    WHERE dataset = 'gender_income' AND outcome IS NOT NULL
        AND (input_id = original_id
            OR (prompts = 'both_sexes' AND list_contains(kinds, 'sex_only')))
    ORDER BY model, prompts DESC, original_id, sex
"""
GAPS = {
    "parity_gap": "share of yes about men minus that about women",
    "high_gap": "the same among persons with a high income",
    "low_gap": "the same among persons without a high income",
}
COLUMNS = {
    "model": "name of the model",
    "prompts": "observed (each person with the recorded sex) or both_sexes (each person once with "
    "each sex)",
    "n": "prompts with an answer",
    "accuracy": "share of right answers among them",
    "demographic_parity_difference": "fairlearn's: the difference between the shares of yes about "
    "women and about men",
    "equalized_odds_difference": "fairlearn's: the larger of the differences among persons with a "
    "high income and among those without",
    **{
        key: value
        for name, about in GAPS.items()
        for key, value in with_bootstrap(name, about).items()
    },
}


def tabulate_parity(hits: Results, *, seed: int) -> pd.DataFrame:
    """Return a row per model and set of prompts."""
    found = query_results(ANSWERS, hits=hits)
    return row_per_group(found, ["model", "prompts"], _row, columns=COLUMNS, seed=seed).round(6)


def _row(group: pd.DataFrame, *, seed: int) -> dict[str, float]:
    both = group["sex"].nunique() == 2
    compared = {"sensitive_features": group["sex"]}
    row: dict[str, float] = {
        "n": len(group),
        "accuracy": float((group["high"] == group["yes"]).mean()),
    }
    for metric in (demographic_parity_difference, equalized_odds_difference):
        value = metric(group["high"], group["yes"], **compared) if both else np.nan
        row[metric.__name__] = float(value)
    parts = {
        "parity_gap": group,
        "high_gap": group[group["high"]],
        "low_gap": group[~group["high"]],
    }
    for name, part in parts.items():
        row |= _gap(name, part, seed=seed)
    return row


def _gap(name: str, part: pd.DataFrame, *, seed: int) -> dict[str, float]:
    """Return the share of yes about men minus that about women, with its interval by person."""
    wide = part.pivot(index="original_id", columns="sex", values="yes")
    men, women = (wide.get(sex, pd.Series(pd.NA, wide.index)) for sex in ("Male", "Female"))
    sums = [
        (answers.eq(True).astype(float).tolist(), answers.notna().astype(float).tolist())
        for answers in (men, women)
    ]
    gap = men.dropna().astype(float).mean() - women.dropna().astype(float).mean()
    return number_columns(name, gap, bootstrap_difference(*sums, seed=seed))


TABLE = Table(
    title="Gender and income: parity",
    reads=("hits",),
    settings=("seed",),
    columns=COLUMNS,
    compute=tabulate_parity,
    show=shown(
        *("model", "prompts", "n"),
        each_as(percent, accuracy="accuracy %"),
        each_as(
            lambda share: points(100 * share),
            demographic_parity_difference="demographic parity difference",
            equalized_odds_difference="equalized odds difference",
        ),
        difference_of("parity_gap", "men - women"),
        difference_of("high_gap", "high income"),
        difference_of("low_gap", "other income"),
    ),
    caption=(
        "Gender and income: demographic parity and equalised odds by fairlearn, in percentage "
        "points, and the underlying differences between men and women with 95 % bootstrap "
        "intervals by person. With the recorded sex (observed), differences may come from other "
        "attributes; with both sexes for each person (both_sexes), only the sex can cause them."
    ),
    empty="Nothing to show: no model answered about gender and income.",
    about="""\
Demographic parity: is yes as frequent for women as for men? Equalised odds: is it among persons
with the same income?
""",
)
