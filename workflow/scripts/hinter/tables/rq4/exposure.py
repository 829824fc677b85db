"""What mutants of several attributes expose that those of fewer do not (RQ4)."""

import pandas as pd

from ..columns import with_both, with_share, with_wilson
from ..groups import CAMPAIGNS, in_columns, name_totals, rates_by
from ..shown import in_percent, shown
from ..table import Results, Table, open_results, query_results

EXPOSURE_QUERY = """
    WITH campaigns AS (
        SELECT coalesce(model, 'all') AS model, dataset, original_id, "order", attributes,
            bool_or(biased) AS exposed
        FROM listed_verdicts WHERE "order" <= 2
        GROUP BY CUBE (model), dataset, original_id, "order", attributes
    )
    SELECT crossed.attributes AS combination, model, one.exposed AS first, other.exposed AS second,
        crossed.exposed AS intersectional, count(*) AS originals
    FROM campaigns AS crossed
    JOIN campaigns AS one USING (model, dataset, original_id)
    JOIN campaigns AS other USING (model, dataset, original_id)
    WHERE crossed."order" = 2 AND one.attributes = split_part(crossed.attributes, '+', 1)
        AND other.attributes = split_part(crossed.attributes, '+', 2)
    GROUP BY CUBE (combination), model, first, second, intersectional
    ORDER BY combination NULLS FIRST, model <> 'all', model
"""
EXPOSURE_KEYS = ["combination", "model"]
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
    counts = name_totals(query_results(EXPOSURE_QUERY, verdicts=verdicts), "combination")
    parts = [
        _regions(group).assign(combination=str(combination), model=str(model))
        for (combination, model), group in counts.groupby(EXPOSURE_KEYS, sort=False)
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


FIGURE10_EXPOSURE = Table(
    title="Figure 10 as a table: exposed originals",
    only_if=("order 2",),
    columns=COLUMNS,
    compute=tabulate_exposure,
    show=shown(
        *EXPOSURE_KEYS,
        lambda rows: {
            name: rows[name].replace({True: "exposes", False: "-"}) for name in CAMPAIGNS
        },
        *("originals", "n", "exposed"),
        in_percent("share", "% of exposed", ends="Wilson"),
    ),
    empty=(
        "Nothing to show: no original has verdicts on mutants of two attributes and of each alone."
    ),
    text="""\
Originals by the campaigns that expose them, that is, find at least one biased mutant. Campaigns are
atomic mutants of the first and of the second attribute, and mutants of both. Only originals with
mutants in all three campaigns are counted; percentages are of those exposed by any campaign, with
95 % Wilson intervals.

A mutant counts as biased if it is biased under any model; the table also has each model separately.
In each line the dark dots show the campaigns (*both*: mutants of both attributes). The orange bar
shows originals that only intersectional testing exposes. A campaign with more mutants has more
chances: originals have many more mutants of two attributes than of one.
""",
)


# A minimal subset that is smaller than the mutant is a biased sub-mutant.
LATTICE_QUERY = """
    SELECT "order", model, concat(dataset, '/', original_id) AS cluster, count(*) AS n,
        count(*) FILTER (complete) AS complete,
        count(*) FILTER (complete AND biased) AS biased,
        count(*) FILTER (complete AND hidden) AS hidden,
        count(*) FILTER (complete AND list_min(sizes) < "order") AS biased_below,
        count(*) FILTER (complete AND NOT biased AND len(sizes) > 0) AS masked, {sizes}
    FROM (
        SELECT *, list_transform(
            minimal_subsets, lambda subset: len(string_split(subset, '|'))
        ) AS sizes
        FROM counted_verdicts WHERE "order" >= 2
    )
    GROUP BY CUBE (model), "order", cluster
    ORDER BY "order", model NULLS FIRST, cluster
"""
SIZE = """
    coalesce(sum(len(list_filter(sizes, lambda size: size = {size}))) FILTER (complete), 0)::BIGINT
        AS minimal_{size}
"""
COUNTED = {
    "n": "mutants with a verdict",
    "complete": "mutants with a verdict on all sub-mutants; all other columns count only these",
    "biased": "biased mutants",
    "hidden": "biased mutants without a biased sub-mutant",
    "biased_below": "mutants with a biased sub-mutant",
    "masked": "benign mutants with a biased sub-mutant",
}
LATTICE_KEYS = ["order", "model"]
PARTS = {"hidden_rate_complete": ("hidden", "biased"), "masked_rate": ("masked", "biased_below")}
RATES = {
    **with_both("hidden_rate_complete", "hidden / biased"),
    **with_both("masked_rate", "masked / biased_below"),
}


def tabulate_lattice(verdicts: Results, *, seed: int) -> pd.DataFrame:
    """Return a row per order of 2 or more and model.

    The columns `minimal_k` count, over all mutants, the minimal biased subsets of k pairs: those
    that contain no smaller biased subset. The model `all` counts a mutant once per model.
    """
    connection = open_results(verdicts=verdicts)
    (top,) = connection.execute('SELECT greatest(2, max("order")) FROM verdicts').fetchall()[0]
    minimal = [f"minimal_{size}" for size in range(1, top + 1)]
    sizes = ", ".join(SIZE.format(size=size) for size in range(1, top + 1))
    counts = name_totals(connection.execute(LATTICE_QUERY.format(sizes=sizes)).df(), "model")
    rows = rates_by(counts, LATTICE_KEYS, PARTS, seed=seed)
    return in_columns(rows, [*LATTICE_KEYS, *COUNTED, *RATES, *minimal])


LATTICE = Table(
    title="Lattice: hidden and masked bias by order",
    only_if=("order 3",),
    columns={
        "order": "number of attributes that the mutants change",
        "model": "name of the model, or all",
        **COUNTED,
        **RATES,
        "minimal_k": "minimal biased subsets of k pairs, for each k up to the highest order",
    },
    compute=tabulate_lattice,
    show=shown(
        *(*LATTICE_KEYS, *COUNTED),
        lambda rows: {name: rows[name] for name in map(str, rows) if name.startswith("minimal_")},
        in_percent("hidden_rate_complete", "hidden %", cluster="{}: by original"),
        in_percent("masked_rate", "masked %", cluster="{}: by original"),
    ),
    empty=(
        "Nothing to show: no valid intersectional mutant has a verdict of a model that sees all "
        "its pairs."
    ),
    text="""\
Mutants by order: hidden bias, masked bias (a sub-mutant is biased, the mutant is not) and the
minimal biased subsets by their number of pairs, among mutants with a verdict on all their
sub-mutants. With a 95 % cluster bootstrap by original.

*hidden*: the mutant is biased, and no sub-mutant is. *minimal_k*: biased sets of k pairs that
contain no smaller biased set.
""",
)
