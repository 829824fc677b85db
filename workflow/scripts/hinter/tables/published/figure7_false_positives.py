"""Figure 7 of the paper: bias among valid and among discarded mutants (RQ3)."""

import pandas as pd

from .counts import Published, with_totals
from .numbers import PublishedTable, as_numbers, compared_with_printed


def figure7(published: Published) -> pd.DataFrame:
    """Return valid and discarded mutants and the biased ones among them, by encoder and level.

    A mutant counts once per model. `valid_biased` and `discarded_biased` are shares of all biased
    mutants, the rates shares of the valid or the discarded mutants (process_results.py:306-440).
    """
    counts = published.encoder_mutants.drop(columns="dataset")
    counts = with_totals(counts, "model", "level")
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


TABLE = PublishedTable(
    title="Figure 7: bias of discarded mutants",
    reads=("published",),
    compute=figure7,
    caption=(
        "Biased mutants among valid and discarded ones of the fine-tuned models (Figure 7), "
        "from the published counts."
    ),
)
