"""The erratum: numbers of the paper that are wrong or misleading."""

from functools import partial
from typing import Any

import pandas as pd
from jinja2 import StrictUndefined
from jinja2.sandbox import SandboxedEnvironment

from ..shown import shown, titled
from ..table import Table
from .counts import Published
from .exhibits import PROMPTED, figure4, figure6, figure7, figure9, figure10, table2
from .numbers import look_up, quote, share

COLUMNS = {
    "exhibit": "where in the paper",
    "what": "what the number measures",
    "published": "as published",
    "recomputed": "recomputed in the same way from the published counts",
    "corrected": "corrected",
    "why": "why they differ",
}
TABLES = (table2, figure4, figure6, figure7, figure9, figure10)


def tabulate_erratum(published: Published) -> pd.DataFrame:
    """Return the entries of data/published/erratum.csv with their numbers filled in.

    The entries are Jinja templates, which may use what `_values` returns. Those of RQ4 come first,
    as they change most.
    """
    jinja, values = SandboxedEnvironment(undefined=StrictUndefined), _values(published)
    jinja.filters["whole"] = "{:,}".format
    return published.erratum.map(
        lambda cell: jinja.from_string(" ".join(cell.split())).render(values)
    )


def _values(published: Published) -> dict[str, Any]:
    """Return the functions and values that the templates of the entries use."""
    numbers = look_up(pd.concat([table(published) for table in TABLES]))
    rates, exposure = published.bias_rates, published.exposure
    models = list(dict.fromkeys(published.truth_table["model"]))
    tests = published.prompted_tests
    tests = tests[tests["attributes"].str.contains("+", regex=False)]
    loaded = tests.pivot(index="attributes", columns="model", values="loaded")
    lacks = loaded["gpt-3.5"] - loaded["llama2"]
    return {
        **numbers,
        "printed": partial(quote, published.printed),
        "share": share,
        "models": models,
        "biased": int(rates.loc[rates["model"].isin(models), "biased"].sum()),
        "empty": rates[rates["looked_up"] == 0].to_dict("records"),
        "valid": numbers["count"]("valid", model=PROMPTED, part="intersectional"),
        "loaded": loaded.sum().to_dict(),
        "lacks": lacks[lacks > 0].to_dict(),
        "table1": published.table1.to_dict("records"),
        "exposed": int(exposure.loc[exposure["intersectional"], "originals"].sum()),
        **_atomic(figure10(published)),
    }


def _atomic(regions: pd.DataFrame) -> dict[str, str]:
    """Return the shares that only tests of one attribute expose: per region, and in all."""
    one = regions[regions["quantity"].isin(["first", "second"])]
    every = regions[regions["quantity"].isin(["first", "second", "first+second"])]
    sums = every.groupby("part", sort=False).agg({"count": "sum", "of": "first"})
    shares = 100 * one["count"] / one["of"]
    values = (f"{name}: {share(count, of)}" for name, count, of in sums.itertuples(name=None))
    return {
        "one_attribute": f"{shares.min():.2f} % to {shares.max():.2f} %",
        "atomic": "; ".join(values),
    }


TABLE = Table(
    title="Erratum",
    columns=COLUMNS,
    compute=tabulate_erratum,
    show=shown(
        lambda rows: {"#": range(1, len(rows) + 1)},
        titled(exhibit="where", what="what", published="published"),
        titled(recomputed="recomputed as published", corrected="corrected", why="why"),
    ),
    latex_columns="rp{15mm}p{22mm}p{22mm}p{24mm}p{24mm}p{60mm}",
    text="""\
Published numbers that are wrong or misleading: as published, recomputed in the same way from the
published counts, and corrected.
""",
)
