"""An ablation from this study to the paper's authors' code, one switch at a time (RQ3)."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from ...database import open_database
from ..columns import rate_columns, with_both, with_wilson
from ..shown import NONE, each_as, in_percent, shown, whole
from ..table import Table

SWITCHED = {
    "ours": "nothing: this study",
    "pairs": "the authors' word pairs",
    "literal": "terms are replaced wherever they occur, and nothing else changes",
    "comparator": "the paper's comparison of tags and labels",
    "upos": "universal parts of speech instead of Penn tags",
    "capitals": "the first letter of a sentence is made a capital",
    "length": "sentences of more than 500 characters do not pass",
    "tail": "text after the last sentence end always passes",
    "hidden": "hidden bias is looked up by attributes, not by pairs",
    "together": "all of these",
}
COUNTS = """
    SELECT original_id,
        sum(mutants)::BIGINT AS mutants,
        coalesce(sum(mutants) FILTER (reason IS NULL), 0)::BIGINT AS valid,
        coalesce(sum(mutants) FILTER ("order" >= 2), 0)::BIGINT AS intersectional,
        coalesce(sum(mutants) FILTER ("order" >= 2 AND reason IS NULL), 0)::BIGINT
            AS intersectional_valid
    FROM read_parquet(?) GROUP BY original_id ORDER BY original_id
"""
VERDICTS = """
    SELECT original_id, count(*) AS n,
        count(*) FILTER (biased) AS biased,
        count(*) FILTER (hidden) AS hidden
    FROM read_parquet(?) WHERE counted AND "order" >= 2
    GROUP BY original_id ORDER BY original_id
"""
SHARES = {
    "valid_share": ("valid", "mutants"),
    "intersectional_share": ("intersectional_valid", "intersectional"),
}
RATES = {"bias_rate": ("biased", "n"), "hidden_rate": ("hidden", "biased")}
COLUMNS = {
    "dataset": "name of the dataset",
    "variant": "what is switched (docs/deviations.md)",
    "mutants": "mutants of the sampled texts",
    "valid": "valid mutants",
    **with_both("valid_share", "valid / mutants"),
    "intersectional": "intersectional mutants",
    "intersectional_valid": "valid mutants of intersectional",
    **with_both("intersectional_share", "intersectional_valid / intersectional"),
    "model": "name of the model; empty if none is run",
    "n": "valid intersectional mutants with a verdict by the model",
    "biased": "biased mutants of n",
    **with_both("bias_rate", "biased / n"),
    "hidden": "biased mutants whose bias is hidden",
    **with_wilson("hidden_rate", "hidden / biased"),
}


def tabulate_ablation(
    variant_counts: Sequence[Path], variant_verdicts: Sequence[Path], *, seed: int
) -> pd.DataFrame:
    """Return a row per dataset, variant and model, in the order of the variants.

    The files are named `.../{variant}/{dataset}.parquet` and
    `.../{variant}/{model}/{dataset}.parquet`.
    """
    rows = []
    for counts in variant_counts:
        variant, dataset = counts.parent.name, counts.stem
        shares = _tallied(COUNTS, counts, SHARES, seed=seed)
        runs = {
            path.parent.name: _tallied(VERDICTS, path, RATES, seed=seed)
            for path in variant_verdicts
            if (path.parent.parent.name, path.stem) == (variant, dataset)
        }
        rows += [
            {"dataset": dataset, "variant": variant, **shares, "model": model, **rates}
            for model, rates in (runs or {"": {}}).items()
        ]
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    numbers = dict.fromkeys(("n", "biased", "hidden"), "Int64")
    return table.astype(numbers).sort_values("dataset", kind="stable", ignore_index=True)


def _tallied(
    query: str, path: Path, rates: Mapping[str, tuple[str, str]], *, seed: int
) -> dict[str, float]:
    """Return the totals of the counts in a file, and the `rates` that follow."""
    counts = open_database().execute(query, [str(path)]).df().set_index("original_id")
    totals: dict[str, float] = counts.sum().astype(int).to_dict()
    for name, of in rates.items():
        totals |= rate_columns(name, *(counts[column] for column in of), seed=seed)
    return totals


TABLE = Table(
    title="The ablation: from this study to the authors' code",
    in_report=False,
    columns=COLUMNS,
    compute=tabulate_ablation,
    show=shown(
        *("dataset", "variant"),
        lambda rows: {"switched": rows["variant"].map(SWITCHED)},
        "mutants",
        in_percent("valid_share", "valid %", cluster="{} by original"),
        in_percent("intersectional_share", "of order 2 valid %", cluster="{} by original"),
        lambda rows: {"model": rows["model"].replace("", NONE)},
        each_as(whole, n="tested"),
        in_percent("bias_rate", "bias %", cluster="{} by original"),
        in_percent("hidden_rate", "hidden % of biased", ends="Wilson"),
    ),
    empty="Nothing to show: the sampled texts have no mutants.",
    text="""\
What separates this study from the paper's numbers: each variant sets one switch as in the authors'
code, and the last sets all of them. The share of valid mutants is that of all mutants of the
sampled texts, unchecked ones included. It has a 95 % cluster bootstrap by original, and so has the
bias rate of the valid intersectional mutants that were run. The hidden rate has a Wilson interval.
""",
)
