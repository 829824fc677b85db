"""How often flipping a person's sex changes the answer about the income, and in which direction."""

import pandas as pd

from ...statistics import cluster_bootstrap, likely_bounds
from ..columns import number_columns, with_bootstrap, with_share, with_wilson
from ..groups import row_per_group
from ..shown import difference_of, in_percent, shown
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
COLUMNS = {
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
    columns = [name for name in COLUMNS if not name.startswith("hit_rate")]
    rows = row_per_group(flips, KEYS, _row, columns=columns, seed=seed)
    return with_share(rows, "hit_rate", part="hits", whole="n")[list(COLUMNS)]


def _row(group: pd.DataFrame, *, seed: int) -> dict[str, float]:
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


TABLE = Table(
    title="Gender and income: flips",
    reads=("hits",),
    settings=("seed",),
    columns=COLUMNS,
    compute=tabulate_flips,
    show=shown(
        *(*KEYS, "asked", "n", "refused", "unparsed", "hits", "to_yes", "to_no"),
        in_percent("hit_rate", "hits %", ends="Wilson"),
        difference_of("shift", "shift of P(yes), points", ends="by person"),
    ),
    caption=(
        "Gender and income: how often the answer changes with a person's sex. Flipping the sex "
        "alone contradicts the relationship of husbands and wives, the consistent flip does not; "
        "the control changes a field that says nothing about the person. Rates have 95 % Wilson "
        "intervals; shifts of the probability of yes have 95 % bootstrap intervals by person."
    ),
    empty="Nothing to show: no model was asked about gender and income.",
    about="""\
The source flips the sex alone; the consistent flip also changes the relationship. The control
changes how many people of the census a row stands for.
""",
)
