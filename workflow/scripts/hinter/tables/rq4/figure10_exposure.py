"""Figure 10 of the paper: which campaigns of mutants expose an original (RQ4)."""

import pandas as pd

from ..columns import with_share, with_wilson
from ..groups import CAMPAIGNS, name_totals
from ..shown import in_percent, shown
from ..table import Results, Table, query_results

QUERY = """
    WITH campaigns AS (
        SELECT coalesce(model, 'all') AS model, dataset, original_id, "order", attributes,
            bool_or(biased) AS exposed
        FROM listed_verdicts WHERE "order" <= 2
        GROUP BY CUBE (model), dataset, original_id, "order", attributes
    ),
    combined AS (
        SELECT model, dataset, original_id, attributes AS combination, exposed AS intersectional,
            split_part(attributes, '+', 1) AS one, split_part(attributes, '+', 2) AS other
        FROM campaigns WHERE "order" = 2
    ),
    first AS (SELECT * RENAME (attributes AS one, exposed AS first) FROM campaigns),
    second AS (SELECT * RENAME (attributes AS other, exposed AS second) FROM campaigns)
    SELECT combination, model, first, second, intersectional, count(*) AS originals
    FROM combined
    JOIN first USING (model, dataset, original_id, one)
    JOIN second USING (model, dataset, original_id, other)
    GROUP BY CUBE (combination), model, first, second, intersectional
    ORDER BY combination NULLS FIRST, model <> 'all', model
"""
KEYS = ["combination", "model"]
COLUMNS = {
    "combination": "two attributes, joined by +, or all",
    "model": "name of the model, or all",
    "first": "whether atomic mutants of the first attribute expose the originals",
    "second": "whether atomic mutants of the second attribute expose them",
    "intersectional": "whether mutants of both attributes expose them",
    "originals": "originals in this region",
    "n": "originals that have mutants with a verdict in all three campaigns",
    "exposed": "originals that any campaign exposes",
    **with_wilson("share", "originals / exposed; null if no campaign exposes them"),
}


def tabulate_exposure(verdicts: Results) -> pd.DataFrame:
    """Return a row per combination of two attributes, model and region of Figure 10.

    A campaign exposes an original if at least one of its mutants is biased. The model `all` counts
    an original as exposed if any model is biased; the combination `all` counts it once per
    combination. Mutants of sampled orders are left out.
    """
    counts = name_totals(query_results(QUERY, verdicts=verdicts), "combination")
    parts = [
        _regions(group).assign(combination=str(combination), model=str(model))
        for (combination, model), group in counts.groupby(KEYS, sort=False)
    ]
    return pd.concat([pd.DataFrame(columns=list(COLUMNS)), *parts])[list(COLUMNS)].infer_objects()


def _regions(counts: pd.DataFrame) -> pd.DataFrame:
    """Return all eight regions; the last has the originals that no campaign exposes."""
    every = pd.MultiIndex.from_product([[True, False]] * len(CAMPAIGNS), names=CAMPAIGNS)
    regions = counts.set_index(CAMPAIGNS)[["originals"]].reindex(every, fill_value=0).reset_index()
    n, benign = regions["originals"].sum(), regions["originals"].iloc[-1]
    regions = regions.assign(n=n, exposed=n - benign)
    shares = with_share(regions.iloc[:-1], "share", part="originals", whole="exposed")
    return pd.concat([shares, regions.iloc[-1:]])


TABLE = Table(
    title="Figure 10 as a table: exposed originals",
    reads=("verdicts",),
    only_if=("order 2",),
    warned=True,
    columns=COLUMNS,
    compute=tabulate_exposure,
    show=shown(
        *KEYS,
        lambda rows: {
            name: rows[name].replace({True: "exposes", False: "-"}) for name in CAMPAIGNS
        },
        *("originals", "n", "exposed"),
        in_percent("share", "% of exposed", ends="Wilson"),
    ),
    caption=(
        "Originals by the campaigns that expose them, that is, find at least one biased mutant. "
        "Campaigns are atomic mutants of the first and of the second attribute, and mutants of "
        "both. Only originals with mutants in all three campaigns are counted; percentages are of "
        "those exposed by any campaign, with 95 % Wilson intervals."
    ),
    empty=(
        "Nothing to show: no original has verdicts on mutants of two attributes and of each alone."
    ),
    about="""\
A mutant counts as biased if it is biased under any model; the table also has each model separately.
In each line the dark dots show the campaigns (*both*: mutants of both attributes). The orange bar
shows originals that only intersectional testing exposes. A campaign with more mutants has more
chances: originals have many more mutants of two attributes than of one.
""",
)
