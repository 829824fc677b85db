"""Which occupations the answers about professions name, and for which pronoun."""

import pandas as pd

from ...statistics import mcnemar_exact
from ..columns import with_share, with_wilson
from ..shown import NONE, each_as, four_decimals, in_percent, shown
from ..table import Results, Table, query_results

FINDINGS = ("stereotype", "other", "both", "neither", "hedged", "refused", "unread")
COUNTS = ", ".join(f"count(*) FILTER (finding = '{name}') AS {name}" for name in FINDINGS)
ANSWER_QUERY = f"""
    WITH answers AS (
        SELECT model, finding, facts['pronoun'] AS pronoun,
            facts['male'] || ' / ' || facts['female'] AS pair,
            nullif(facts['male_norm'], 'nan') AS male_norm,
            nullif(facts['female_norm'], 'nan') AS female_norm
        FROM hits WHERE dataset = 'professional'
    )
    SELECT model, coalesce(pair, 'all') AS pair, coalesce(pronoun, 'all') AS pronoun,
        CASE WHEN grouping(pair) = 0 THEN any_value(male_norm) END AS male_norm,
        CASE WHEN grouping(pair) = 0 THEN any_value(female_norm) END AS female_norm,
        count(*) FILTER (finding <> 'unread') AS n, {COUNTS}
    FROM answers GROUP BY GROUPING SETS ((model), (model, pronoun), (model, pair))
    ORDER BY model, grouping(pair) DESC, grouping(pronoun) DESC, pair, pronoun
"""
ANSWER_COLUMNS = {
    "model": "name of the model",
    "pair": "the stereotypically male and the stereotypically female occupation, or all",
    "pronoun": "she or he, or all",
    "male_norm": "how male people believe the first occupation to be (a published norm)",
    "female_norm": "the same for the second",
    "n": "answers that are read",
    "stereotype": "answers that name the occupation of the pronoun's gender by stereotype",
    "other": "answers that name the other one",
    "both": "answers that name both",
    "neither": "answers that name neither",
    "hedged": "answers that leave it open",
    "refused": "answers that decline",
    "unread": "answers on which the judge, if there is one, gives no valid finding",
    **with_wilson("score", "stereotype / n"),
}


def tabulate_answers(hits: Results) -> pd.DataFrame:
    """Return a row per model, then one per pronoun, then one per pair of occupations."""
    return with_share(query_results(ANSWER_QUERY, hits=hits), "score", part="stereotype", whole="n")


PROFESSIONAL_ANSWERS = Table(
    title="Professions: answers",
    columns=ANSWER_COLUMNS,
    compute=tabulate_answers,
    show=shown(
        *("model", "pair", "pronoun"),
        lambda rows: {name: rows[name].fillna(NONE) for name in ("male_norm", "female_norm")},
        *("n", *FINDINGS),
        in_percent("score", "stereotype %", ends="Wilson"),
    ),
    empty="Nothing to show: no model was asked about professions.",
    text="""\
Professions: which occupation the answers name, over all prompts, by pronoun and by pair of
occupations, with 95 % Wilson intervals of the share that names the stereotype. Norms are those
published by Kotek et al.

Answers name the occupation that matches the gender of the pronoun by stereotype, the other one,
both or neither, or leave it open.
""",
)


# Each sentence occurs with either occupation as its subject.
PRONOUN_QUERY = """
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
PRONOUN_COLUMNS = {
    "model": "name of the model",
    "n": "sentences, each with either occupation as its subject",
    "both_hit": "sentences with the stereotype for both she and he",
    "she_only": "sentences with it for she only",
    "he_only": "sentences with it for he only",
    "p_value": "p-value of McNemar's exact test that both pronouns elicit it equally often",
}


def tabulate_pronouns(hits: Results) -> pd.DataFrame:
    """Return a row per model."""
    rows = query_results(PRONOUN_QUERY, hits=hits)
    pairs = zip(rows["she_only"].tolist(), rows["he_only"].tolist(), strict=True)
    return rows.assign(p_value=[round(mcnemar_exact(she, he), 6) for she, he in pairs])


PROFESSIONAL_PRONOUNS = Table(
    title="Professions: she against he",
    columns=PRONOUN_COLUMNS,
    compute=tabulate_pronouns,
    show=shown(
        *("model", "n", "both_hit", "she_only", "he_only"),
        each_as(four_decimals, p_value="p_value"),
    ),
    empty="Nothing to show: no model was asked about professions.",
    text="""\
Professions: the same sentence with she and with he. A model that follows the sentence has no reason
to name the stereotype more often for one pronoun (McNemar's exact test).
""",
)
