"""Figure 6 of the paper: valid and discarded mutants (RQ3)."""

import pandas as pd

from .counts import ALL, Published, with_totals
from .numbers import PublishedTable, as_numbers, compared_with_printed

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
    unknown = of_all.assign(discarded=None)
    shares = {"valid_share": ("valid", "mutants"), "discarded_share": ("discarded", "mutants")}
    return compared_with_printed(
        published,
        as_numbers(counts, part="level", valid=("valid",)),
        as_numbers(unknown, part="level", discarded=("discarded",)),
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


TABLE = PublishedTable(
    title="Figure 6: valid and discarded mutants",
    reads=("published",),
    compute=figure6,
    caption=(
        "Valid mutants (Figure 6), from the published counts. Discarded mutants cannot be "
        "derived from them; shares are of the valid mutants plus the discarded ones that the "
        "paper prints."
    ),
)
