"""Tables of models' rates, with the warnings about these models below."""

from collections.abc import Sequence

import pandas as pd

from .writing import NONE, TableFiles, write_table

NONE_NOTE = f"A dash ({NONE}) stands where there is no number, or too little to count for one."


def write_rates(
    data: pd.DataFrame,
    shown: pd.DataFrame,
    files: TableFiles,
    *,
    warnings: str,
    notes: Sequence[str] = (),
    **form: str,
) -> None:
    """Write a table of models' rates as `write_table` does, with warnings about these models.

    `warnings` is the CSV of `tabulate_warnings`. A note tells what a dash is, where there is one.
    """
    dashes = [NONE_NOTE] if shown.isin([NONE]).any(axis=None) else []
    warned = [f"Warning: {told}" for told in pd.read_csv(warnings)["told"]]
    write_table(data, shown, files, notes=[*notes, *dashes, *warned], **form)
