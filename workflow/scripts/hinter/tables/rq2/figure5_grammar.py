"""Figure 5 of the paper: grammar scores of originals and their valid mutants (RQ2)."""

import pandas as pd

from ..groups import name_totals, row_per_group
from ..scores import COLUMNS, PAIRS, SHOWN_SCORES, SUMS, score_columns
from ..shown import shown
from ..table import Results, Table, query_results

# For `all` models, a mutant counts as biased if it is biased under any of them.
QUERY = f"""
    WITH pairs AS ({PAIRS}),
    scored_texts AS (
        SELECT model, dataset, mutant_id, biased FROM seen_verdicts WHERE valid
    ),
    outcomes AS (
        SELECT 'all' AS model, dataset, mutant_id, 'all' AS outcome FROM pairs
        UNION ALL
        SELECT coalesce(model, 'all'), dataset, mutant_id,
            CASE WHEN bool_or(biased) THEN 'biased' ELSE 'benign' END
        FROM scored_texts GROUP BY CUBE (model), dataset, mutant_id
    )
    SELECT model, dataset, level, outcome, cluster, {SUMS}
    FROM pairs JOIN outcomes USING (dataset, mutant_id)
    WHERE "check" = 'valid'
    GROUP BY CUBE (dataset), model, level, outcome, cluster
    ORDER BY model <> 'all', model, dataset NULLS FIRST, level,
        outcome <> 'all', outcome DESC, cluster
"""
KEYS = ["model", "dataset", "level", "outcome"]


def tabulate_grammar(
    grammar: Results, verdicts: Results, *, margin: float, seed: int
) -> pd.DataFrame:
    """Return a row per model, dataset, level of mutants and outcome, of valid mutants.

    The model `all` covers the whole sample: `all` outcomes, with or without a verdict; `biased`
    under any model; `benign` under all models that have a verdict. A verdict counts if the model
    sees all pairs. The other columns are those of `score_columns`; differences of up to `margin`
    matches per text count as none.
    """
    sums = name_totals(query_results(QUERY, grammar=grammar, verdicts=verdicts), "dataset")
    columns = [*KEYS, *COLUMNS, "margin", "equivalent"]
    return row_per_group(sums, KEYS, score_columns, columns=columns, seed=seed, margin=margin)


TABLE = Table(
    title="Figure 5 as a table: grammar of valid mutants",
    reads=("grammar", "verdicts"),
    settings=("grammar.margin", "seed"),
    only_if=("grammar",),
    columns={
        "model": "name of the model, or all: the sample as a whole",
        "dataset": "name of the dataset, or all",
        "level": "level of the mutants: intersectional or atomic",
        "outcome": "all, biased or benign",
        **COLUMNS,
        "margin": "largest difference in points that counts as none: that of `grammar.margin` "
        "more matches in each text",
        "equivalent": "whether two one-sided tests at 5 % show that the difference is within the "
        "margin; empty for fewer than ten originals",
    },
    compute=tabulate_grammar,
    show=shown(
        *KEYS,
        *SHOWN_SCORES,
        lambda rows: {
            "equivalent": rows["equivalent"].map({True: "yes", False: "no"}).fillna("-")
            + rows["margin"].map(" (±{:.2g})".format)
        },
    ),
    caption=(
        "Grammar scores of originals and of their valid mutants: means over the same pairs, "
        "weighted by the tokens of the original, and their difference, in points of 100, with a "
        "95 % cluster bootstrap by original. A difference is equivalent to none if two one-sided "
        "tests at 5 % show that it is within the margin, which is a number of new matches per "
        "text. A no only means that this was not shown; fewer than ten originals are not tested. "
        "The model all is the whole sample: biased under any model, benign under all. "
        "Mutants are left out if they or their original have no score."
    ),
    empty="Nothing to show: no valid mutant has a grammar score.",
    about="""\
A score is 100 points less one for each match of LanguageTool per hundred tokens. Right: the
difference between mutants and originals, with the margin (`grammar.margin`) as a band.

Matches are those of LanguageTool's US English rules in the categories {{
config["grammar"]["categories"]|join(", ") }}, checked one or a few sentences at a time. Rules that
look beyond a sentence are not applied: {{ config["grammar"]["left_out"]|join(", ") }}.
""",
)
