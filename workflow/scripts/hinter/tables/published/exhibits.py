"""The paper's Table 2 and Figures 4, 6, 7, 9 and 10, recomputed from its published counts."""

import pandas as pd

from ..groups import CAMPAIGNS
from ..rq4.figure9 import CELL_COLUMNS as OWN
from ..shown import NONE, each_as, shown
from ..table import Table
from .counts import ALL, Published, with_totals
from .numbers import PublishedTable, as_numbers, compared_with_printed, show_numbers

RATES = {"bias_rate": "I", "hidden_rate": "H"}
"""The rates of Table 2 with the paper's letters."""


def table2(published: Published) -> pd.DataFrame:
    """Return the rates of Table 2 by model and dataset, with totals.

    `bias_rate` is the share of tested intersectional mutants that are biased, `hidden_rate` the
    share of hidden ones among those biased mutants for which the authors' analysis looked up both
    atomic verdicts (process_results.py:243-493 and 1100-1234). Totals are over all mutants (micro
    averages).
    """
    counts = with_totals(published.bias_rates, "model", "dataset")
    shares = {"bias_rate": ("biased", "tested"), "hidden_rate": ("hidden", "looked_up")}
    return compared_with_printed(published, as_numbers(counts, part="dataset", **shares))


def show_table2(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rates in the form of Table 2, in percent, with the printed ones that differ."""
    cells = show_numbers(rows)
    printed = cells["%"] + " (printed " + cells["printed"].str.removesuffix(" %") + ")"
    cells["cell"] = cells["%"].where(cells["agrees"] != "no", printed)
    wide = cells.pivot(index=["part", "quantity"], columns="model", values="cell")
    order = [(part, rate) for part in cells["part"].unique() for rate in RATES]
    wide = wide.loc[order, cells["model"].unique()].fillna(NONE).reset_index()
    return wide.rename(columns={"part": "dataset", "quantity": "rate"}).replace({"rate": RATES})


TABLE2_BIAS_RATES = PublishedTable(
    title="Table 2: bias rates",
    compute=table2,
    show=show_table2,
    text="""\
Intersectional (I) and hidden (H) bias rates in percent (Table 2), from the counts that the paper's
authors published. H is a share of the biased mutants for which their analysis looked up the atomic
verdicts.
""",
)


def figure4(published: Published) -> pd.DataFrame:
    """Return the originals with at least one biased intersectional mutant, by model and in all.

    Shares are of the originals with at least one valid intersectional mutant
    (process_results.py:926-1024). In the totals an original counts once, and as biased if it is
    biased under any model.
    """
    counts = published.originals
    # All encoders were run on the same mutants; the file gives their originals for the first only.
    counts = counts.assign(originals=counts.groupby("dataset")["originals"].ffill())
    sums = counts.groupby("model", sort=False, as_index=False)[["originals", "biased"]].sum()
    sums = sums.assign(part=ALL)
    numbers = as_numbers(sums, part="part", biased_originals=("biased", "originals"))
    return compared_with_printed(published, numbers)


FIGURE4_BIASED_ORIGINALS = PublishedTable(
    title="Figure 4: biased originals",
    compute=figure4,
    text="""\
Originals with at least one biased intersectional mutant (Figure 4), from the published counts.
""",
)


ENCODERS, PROMPTED = "encoders", "prompted models"
"""The suite of the fine-tuned models, and that of the prompted ones."""


def figure6(published: Published) -> pd.DataFrame:
    """Return the valid mutants by suite and level, and what is known of the discarded ones.

    `discarded` cannot be derived and is null; `valid_share` and `discarded_share` are shares of the
    valid mutants plus the discarded ones that the paper prints. `discarded_known` counts those in
    the authors' file: all of the encoders' suite, and of the prompted models' suite those that were
    discarded before parsing (process_results.py:150-185, 357-363).
    """
    counts = with_totals(_suites(published), "model", "level")
    printed = published.printed[published.printed["quantity"] == "discarded"]
    discarded = printed.set_index("part")["count"].str.replace(",", "").astype(int)
    of_all = counts[counts["model"] == ALL]
    of_all = of_all.assign(discarded=of_all["level"].map(discarded))
    of_all["mutants"] = of_all["valid"] + of_all["discarded"]
    shares = {"valid_share": ("valid", "mutants"), "discarded_share": ("discarded", "mutants")}
    return compared_with_printed(
        published,
        as_numbers(counts, part="level", valid=("valid",)),
        as_numbers(of_all.assign(discarded=None), part="level", discarded=("discarded",)),
        as_numbers(of_all, part="level", **shares),
        as_numbers(counts, part="level", discarded_known=("known",)),
    )


def _suites(published: Published) -> pd.DataFrame:
    encoders = published.encoder_mutants
    # All encoders were run on the same mutants.
    encoders = encoders[encoders["model"] == encoders["model"].iloc[0]]
    encoders = encoders.rename(columns={"discarded": "known"}).assign(model=ENCODERS)
    prompted = published.prompted_mutants.rename(columns={"discarded_early": "known"})
    levels = prompted["attributes"].str.contains("+", regex=False)
    prompted = prompted.assign(
        model=PROMPTED, level=levels.map({True: "intersectional", False: "atomic"})
    )
    both: pd.DataFrame = pd.concat([encoders, prompted])[["model", "level", "valid", "known"]]
    return both


FIGURE6_VALIDITY = PublishedTable(
    title="Figure 6: valid and discarded mutants",
    compute=figure6,
    text="""\
Valid mutants (Figure 6), from the published counts. Discarded mutants cannot be derived from them;
shares are of the valid mutants plus the discarded ones that the paper prints.
""",
)


def figure7(published: Published) -> pd.DataFrame:
    """Return valid and discarded mutants and the biased ones among them, by encoder and level.

    A mutant counts once per model. `valid_biased` and `discarded_biased` are shares of all biased
    mutants, the rates shares of the valid or the discarded mutants (process_results.py:306-440).
    """
    counts = with_totals(published.encoder_mutants.drop(columns="dataset"), "model", "level")
    counts["biased"] = counts["valid_biased"] + counts["discarded_biased"]
    numbers = as_numbers(
        counts,
        part="level",
        valid_biased=("valid_biased", "biased"),
        discarded_biased=("discarded_biased", "biased"),
        valid_bias_rate=("valid_biased", "valid"),
        discarded_bias_rate=("discarded_biased", "discarded"),
    )
    return compared_with_printed(published, numbers)


FIGURE7_FALSE_POSITIVES = PublishedTable(
    title="Figure 7: bias of discarded mutants",
    compute=figure7,
    text="""\
Biased mutants among valid and discarded ones of the fine-tuned models (Figure 7), from the
published counts.
""",
)


def figure9(published: Published) -> pd.DataFrame:
    """Return the biased mutants that are intersectional only, and the atomic ones that are shared.

    `intersectional_only` counts the biased mutants whose sub-mutants are both benign.
    `intersectional_only_as_published` is the paper's number: those whose first sub-mutant is benign
    and whose second is biased (process_results.py:854). `atomic_shared` counts biased
    atomic mutants that are part of a biased intersectional one, `atomic_only` the others.
    """
    cells = truth_table(published).query("intersectional")
    biased = cells[cells["combination"].eq(ALL) | cells["model"].eq(ALL)]
    sums = biased.groupby(["combination", "model"])["mutants"].transform("sum")
    biased = biased.assign(biased=sums)[~biased["first"]]
    second, of = biased["second"], ("mutants", "biased")
    return compared_with_printed(
        published,
        as_numbers(biased[second], part="combination", intersectional_only_as_published=of),
        as_numbers(biased[~second], part="combination", intersectional_only=of),
        _unique(published),
    )


def _unique(published: Published) -> pd.DataFrame:
    counts = published.unique_mutants.set_index("quantity")["mutants"].to_frame(ALL).T
    counts["atomic_only"] = counts["atomic"] - counts["atomic_shared"]
    counts["both"] = counts["atomic"] + counts["intersectional"]
    return as_numbers(
        counts.assign(part=ALL),
        part="part",
        atomic_shared=("atomic_shared", "atomic"),
        atomic_only=("atomic_only", "atomic"),
        bias_inducing_mutants=("both",),
    )


FIGURE9_ATOMIC_BIAS = PublishedTable(
    title="Figure 9: bias that only one kind of test finds",
    compute=figure9,
    text="""\
Biased mutants that only intersectional or only atomic tests find (Figure 9), from the published
counts: as published, and corrected.
""",
)


CELL = ["intersectional", "first", "second"]
"""Whether a mutant is biased, and its sub-mutants of the first and the second named attribute."""


def truth_table(published: Published) -> pd.DataFrame:
    """Return the mutants of each cell by combination and model, with totals over both."""
    return with_totals(published.truth_table, "combination", "model", by=CELL)


FIGURE9_TRUTH_TABLE = Table(
    title="Figure 9 as a table: mutants and their atomic ones",
    columns={name: OWN[name] for name in ("combination", "model", *CELL, "mutants")},
    compute=truth_table,
    show=shown(
        *("combination", "model"),
        each_as({True: "biased", False: "benign"}, **dict(zip(CELL, CELL, strict=True))),
        each_as("{:,}".format, mutants="mutants"),
    ),
    text="Mutants by whether they and their two sub-mutants are biased, from the published counts.",
)


def figure10(published: Published) -> pd.DataFrame:
    """Return the originals of each region by combination, as shares of all exposed ones.

    A region is named after the campaigns (first, second, intersectional) that find a biased mutant
    of an original; `none` has no share (process_results.py:1028-1096).
    """
    counts = published.exposure
    exposed = counts[CAMPAIGNS].any(axis=1)
    regions = counts[CAMPAIGNS].apply(lambda row: "+".join(row.index[row]), axis=1)
    sums = counts[exposed].groupby("combination")["originals"].sum()
    counts = counts.assign(exposed=counts["combination"].map(sums))
    numbers = [
        as_numbers(rows, part="combination", **{str(region): ("originals", "exposed")})
        for region, rows in counts[exposed].groupby(regions, sort=False)
    ]
    none = as_numbers(counts[~exposed], part="combination", none=("originals",))
    return compared_with_printed(published, *numbers, none)


FIGURE10_EXPOSURE = PublishedTable(
    title="Figure 10: exposed originals",
    compute=figure10,
    text="""\
Originals by the campaigns that expose them (Figure 10), from the published counts, as shares of all
exposed originals.
""",
)
