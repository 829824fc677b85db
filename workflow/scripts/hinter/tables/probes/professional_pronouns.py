"""She against he: which pronoun elicits the stereotype in the same sentence."""

import pandas as pd

from ...statistics import mcnemar_exact
from ..shown import each_as, four_decimals, shown
from ..table import Results, Table, query_results

# Each sentence occurs with either occupation as its subject.
QUERY = """
    WITH paired AS (
        SELECT model, original_id, facts['subject'] AS subject,
            bool_or(hit) FILTER (facts['pronoun'] = 'she') AS she,
            bool_or(hit) FILTER (facts['pronoun'] = 'he') AS he
        FROM hits WHERE dataset = 'professional' GROUP BY ALL
    )
    SELECT model, count(*) AS n, count(*) FILTER (she AND he) AS both_hit,
        count(*) FILTER (she AND NOT he) AS she_only, count(*) FILTER (he AND NOT she) AS he_only
    FROM paired GROUP BY model ORDER BY model
"""
COLUMNS = {
    "model": "name of the model",
    "n": "sentences, each with either occupation as its subject",
    "both_hit": "sentences with the stereotype for both she and he",
    "she_only": "sentences with it for she only",
    "he_only": "sentences with it for he only",
    "p_value": "p-value of McNemar's exact test that both pronouns elicit it equally often",
}


def tabulate_pronouns(hits: Results) -> pd.DataFrame:
    """Return a row per model."""
    rows = query_results(QUERY, hits=hits)
    pairs = zip(rows["she_only"].tolist(), rows["he_only"].tolist(), strict=True)
    return rows.assign(p_value=[round(mcnemar_exact(she, he), 6) for she, he in pairs])


TABLE = Table(
    title="Professions: she against he",
    reads=("hits",),
    columns=COLUMNS,
    compute=tabulate_pronouns,
    show=shown(
        *("model", "n", "both_hit", "she_only", "he_only"),
        each_as(four_decimals, p_value="p_value"),
    ),
    caption=(
        "Professions: the same sentence with she and with he. A model that follows the sentence "
        "has no reason to name the stereotype more often for one pronoun (McNemar's exact test)."
    ),
    empty="Nothing to show: no model was asked about professions.",
)
