"""Figure 5 of the paper: grammar scores of originals and their valid mutants (RQ2)."""

import pandas as pd

from .groups import name_totals
from .scores import COLUMNS, PAIRS, SUMS, score_columns, show_scores
from .sources import Results, open_results

# Regardless of model, a mutant is biased that is so under any of them.
QUERY = f"""
    WITH pairs AS ({PAIRS}),
    told AS (
        SELECT model, dataset, mutant_id, biased FROM verdicts
        WHERE valid AND biased IS NOT NULL AND visible_order = "order"
    ),
    outcomes AS (
        SELECT 'all' AS model, dataset, mutant_id, 'all' AS outcome FROM pairs
        UNION ALL
        SELECT coalesce(model, 'all'), dataset, mutant_id,
            CASE WHEN bool_or(biased) THEN 'biased' ELSE 'benign' END
        FROM told GROUP BY CUBE (model), dataset, mutant_id
    )
    SELECT model, dataset, kind, outcome, cluster, {SUMS}
    FROM pairs JOIN outcomes USING (dataset, mutant_id)
    WHERE verdict = 'valid'
    GROUP BY CUBE (dataset), model, kind, outcome, cluster
    ORDER BY model <> 'all', model, dataset NULLS FIRST, kind,
        outcome <> 'all', outcome DESC, cluster
"""
KEYS = ["model", "dataset", "kind", "outcome"]


def tabulate_grammar(
    grammar: Results, verdicts: Results, *, margin: float, seed: int
) -> pd.DataFrame:
    """Return a row per model, dataset, kind of mutant and outcome, of valid mutants.

    Rows of model `all` stand for the sample regardless of model: `all` outcomes, with a verdict or
    without, `biased` under any model, `benign` under all that have a verdict. A verdict counts
    where the model sees all pairs. The other columns are those of `score_columns`; differences
    inside +-`margin` points of score count as none.
    """
    sums = open_results(grammar=grammar, verdicts=verdicts).execute(QUERY).df()
    rows = [
        dict(zip(KEYS, names, strict=True)) | score_columns(group, seed=seed, margin=margin)
        for names, group in name_totals(sums, "dataset").groupby(KEYS, sort=False)
    ]
    return pd.DataFrame(rows, columns=[*KEYS, *COLUMNS, "margin", "equivalent"])


def show_grammar(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows as they are read: scores with 95 % intervals by original."""
    answers = rows["equivalent"].map({True: "yes", False: "no"}).fillna("-")
    within = answers + rows["margin"].map(" (±{:g})".format)
    return pd.DataFrame(
        {key: rows[key] for key in KEYS} | show_scores(rows) | {"equivalent": within}
    )
