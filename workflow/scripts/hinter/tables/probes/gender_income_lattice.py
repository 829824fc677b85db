"""Whether changes of race, relationship and sex, alone and combined, show hidden bias."""

import pandas as pd

from ..columns import with_share, with_wilson
from ..shown import in_percent, shown
from ..table import Results, Table, query_results

QUERY = """
    SELECT model, attributes, count(*) AS asked, count(biased) AS n,
        count(*) FILTER (biased) AS biased,
        count(*) FILTER (biased AND complete) AS complete, count(*) FILTER (hidden) AS hidden
    FROM hits WHERE dataset = 'gender_income' AND list_contains(kinds, 'lattice')
    GROUP BY model, attributes
    ORDER BY model, len(attributes) - len(replace(attributes, '+', '')), attributes
"""
COLUMNS = {
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
    # A single attribute has no parts, so its bias cannot be hidden.
    rows.loc[~rows["attributes"].str.contains("+", regex=False), "complete"] = 0
    return with_share(rows, "hidden_rate_complete", part="hidden", whole="complete")[list(COLUMNS)]


TABLE = Table(
    title="Race, relationship and sex in every combination",
    reads=("hits",),
    columns=COLUMNS,
    compute=tabulate_lattice,
    show=shown(
        *("model", "attributes", "asked", "n", "biased"),
        in_percent("bias_rate", "biased %", ends="Wilson"),
        "hidden",
        in_percent("hidden_rate_complete", "hidden %", ends="Wilson of hidden"),
    ),
    caption=(
        "Race, relationship and sex of a person, changed alone and in every combination: how "
        "often the answer about the income changes, and how often only the combination changes "
        "it (hidden), with 95 % Wilson intervals."
    ),
    empty="Nothing to show: no model was asked about gender and income.",
)
