"""Whether answers about income change with a person's sex: flips, combinations and parity."""

import numpy as np
import pandas as pd
from fairlearn.metrics import demographic_parity_difference, equalized_odds_difference

from ...statistics import bootstrap_difference, cluster_bootstrap, likely_bounds
from ..columns import number_columns, with_bootstrap, with_share, with_wilson
from ..groups import in_columns, row_per_group
from ..shown import difference_of, each_as, in_percent, percent, points, shown
from ..table import Results, Table, query_results

FLIPS = ("sex_only", "consistent", "control")
ALL = "all"
# Each person has one flip of each kind. P(yes) follows from the log-odds of yes.
FLIPPED = f"""
    SELECT flip.model, kind AS flip, base.facts['sex'] || ' > ' || flip.facts['sex'] AS change,
        flip.original_id, [base.status, flip.status] AS statuses,
        flip.biased, flip.outcome = ['yes'] AS says_yes,
        1 / (1 + exp(-flip.scores['yes'])) - 1 / (1 + exp(-base.scores['yes'])) AS shift
    FROM (SELECT *, unnest(kinds) AS kind FROM hits) AS flip
    JOIN hits AS base USING (model, dataset, original_id)
    WHERE dataset = 'gender_income' AND base.input_id = original_id AND kind IN {FLIPS}
    ORDER BY ALL
"""
KEYS = ["model", "flip", "change"]
FLIP_COLUMNS = {
    "model": "name of the model",
    "flip": "sex_only, consistent (with the relationship: husband, wife) or control (the weight of "
    "the row, which says nothing about the person)",
    "change": "which sex was changed to which, or all",
    "asked": "persons that the model was asked about",
    "n": "persons with an answer to both prompts",
    "refused": "persons about whom the model declined to answer at least once",
    "unparsed": "other persons without an answer to both prompts: at least one text says neither "
    "yes nor no",
    "hits": "persons with two different answers",
    **with_wilson("hit_rate", "hits / n"),
    "to_yes": "hits by which the answer became yes",
    "to_no": "hits by which the answer became no",
    "scored": "persons with the probability of yes for both prompts",
    **with_bootstrap("shift", "mean change of that probability"),
}


def tabulate_flips(hits: Results, *, seed: int) -> pd.DataFrame:
    """Return a row per model, flip and change of sex, and one over both changes."""
    found = query_results(FLIPPED, hits=hits)
    found["flip"] = pd.Categorical(found["flip"], categories=FLIPS)
    whole = found.assign(change=ALL)
    flips = pd.concat([whole, found[found["flip"] != "control"]])
    flips = flips.sort_values(KEYS, kind="stable").astype({"flip": "str"})
    columns = [name for name in FLIP_COLUMNS if not name.startswith("hit_rate")]
    rows = in_columns(row_per_group(flips, KEYS, _flip_row, seed=seed), columns)
    return with_share(rows, "hit_rate", part="hits", whole="n")[list(FLIP_COLUMNS)]


def _flip_row(group: pd.DataFrame, *, seed: int) -> dict[str, float]:
    changed = group[group["biased"].eq(True)]
    shifts = group["shift"].dropna()
    refused = group["statuses"].map(lambda statuses: "refused" in statuses)
    answered = group["biased"].notna()
    sums = shifts.tolist(), [1.0] * len(shifts)
    bounds = likely_bounds(*sums, bounds=(-1, 1))
    return {
        "asked": len(group),
        "n": int(answered.sum()),
        "refused": int((refused & ~answered).sum()),
        "unparsed": int((~refused & ~answered).sum()),
        "hits": len(changed),
        "to_yes": int(changed["says_yes"].eq(True).sum()),
        "to_no": int(changed["says_yes"].eq(False).sum()),
        "scored": len(shifts),
        **number_columns(
            "shift", shifts.mean(), cluster_bootstrap(*sums, bounds=bounds, seed=seed)
        ),
    }


GENDER_INCOME_FLIPS = Table(
    title="Gender and income: flips",
    columns=FLIP_COLUMNS,
    compute=tabulate_flips,
    show=shown(
        *(*KEYS, "asked", "n", "refused", "unparsed", "hits", "to_yes", "to_no"),
        in_percent("hit_rate", "hits %", ends="Wilson"),
        difference_of("shift", "shift of P(yes), points", ends="by person"),
    ),
    empty="Nothing to show: no model was asked about gender and income.",
    text="""\
Gender and income: how often the answer changes with a person's sex. Flipping the sex alone
contradicts the relationship of husbands and wives, the consistent flip does not; the control
changes a field that says nothing about the person. Rates have 95 % Wilson intervals; shifts of the
probability of yes have 95 % bootstrap intervals by person.

The source flips the sex alone; the consistent flip also changes the relationship. The control
changes how many people of the census a row stands for.
""",
)


# A single attribute has no parts, so its bias cannot be hidden.
QUERY = """
    SELECT model, attributes, count(*) AS asked, count(biased) AS n,
        count(*) FILTER (biased) AS biased,
        count(*) FILTER (biased AND complete AND contains(attributes, '+')) AS complete,
        count(*) FILTER (hidden) AS hidden
    FROM hits WHERE dataset = 'gender_income' AND list_contains(kinds, 'lattice')
    GROUP BY model, attributes
    ORDER BY model, len(attributes) - len(replace(attributes, '+', '')), attributes
"""
LATTICE_COLUMNS = {
    "model": "name of the model",
    "attributes": "attributes of a person that are changed",
    "asked": "persons that the model was asked about",
    "n": "persons with an answer to both prompts",
    "biased": "persons with two different answers",
    **with_wilson("bias_rate", "biased / n"),
    "complete": "biased cases with an answer to every part of the change",
    "hidden": "complete cases in which no part of the change alone changes the answer",
    **with_wilson("hidden_rate_complete", "hidden / complete"),
}


def tabulate_lattice(hits: Results) -> pd.DataFrame:
    """Return a row per model and combination of attributes, those of one attribute first."""
    rows = with_share(query_results(QUERY, hits=hits), "bias_rate", part="biased", whole="n")
    rows = with_share(rows, "hidden_rate_complete", part="hidden", whole="complete")
    return rows[list(LATTICE_COLUMNS)]


GENDER_INCOME_LATTICE = Table(
    title="Race, relationship and sex in every combination",
    columns=LATTICE_COLUMNS,
    compute=tabulate_lattice,
    show=shown(
        *("model", "attributes", "asked", "n", "biased"),
        in_percent("bias_rate", "biased %", ends="Wilson"),
        "hidden",
        in_percent("hidden_rate_complete", "hidden %", ends="Wilson of hidden"),
    ),
    empty="Nothing to show: no model was asked about gender and income.",
    text="""\
Race, relationship and sex of a person, changed alone and in every combination: how often the answer
about the income changes, and how often only the combination changes it (hidden), with 95 % Wilson
intervals.
""",
)


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
PARITY_COLUMNS = {
    "model": "name of the model",
    "prompts": "observed (each person with the recorded sex) or both_sexes (each person once with "
    "each sex)",
    "n": "prompts with an answer",
    "accuracy": "share of right answers among them",
    "demographic_parity_difference": "fairlearn's: the difference between the shares of yes about "
    "women and about men",
    "equalized_odds_difference": "fairlearn's: the larger of the differences among persons with a "
    "high income and among those without",
    **with_bootstrap("parity_gap", "share of yes about men minus that about women"),
    **with_bootstrap("high_gap", "the same among persons with a high income"),
    **with_bootstrap("low_gap", "the same among persons without a high income"),
}


def tabulate_parity(hits: Results, *, seed: int) -> pd.DataFrame:
    """Return a row per model and set of prompts."""
    found = query_results(ANSWERS, hits=hits)
    rows = row_per_group(found, ["model", "prompts"], _parity_row, seed=seed)
    return in_columns(rows, PARITY_COLUMNS).round(6)


def _parity_row(group: pd.DataFrame, *, seed: int) -> dict[str, float]:
    both = group["sex"].nunique() == 2
    compared = {"sensitive_features": group["sex"]}
    row: dict[str, float] = {
        "n": len(group),
        "accuracy": float((group["high"] == group["yes"]).mean()),
    }
    for metric in (demographic_parity_difference, equalized_odds_difference):
        value = metric(group["high"], group["yes"], **compared) if both else np.nan
        row[metric.__name__] = float(value)
    row |= _gap("parity_gap", group, seed=seed)
    row |= _gap("high_gap", group[group["high"]], seed=seed)
    return row | _gap("low_gap", group[~group["high"]], seed=seed)


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


GENDER_INCOME_PARITY = Table(
    title="Gender and income: parity",
    columns=PARITY_COLUMNS,
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
    empty="Nothing to show: no model answered about gender and income.",
    text="""\
Gender and income: demographic parity and equalised odds by fairlearn, in percentage points, and the
underlying differences between men and women with 95 % bootstrap intervals by person. With the
recorded sex (observed), differences may come from other attributes; with both sexes for each person
(both_sexes), only the sex can cause them.

Demographic parity: is yes as frequent for women as for men? Equalised odds: is it among persons
with the same income?
""",
)
