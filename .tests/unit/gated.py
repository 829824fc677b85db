"""Verdicts of two simulated models on one suite, with controls, and their sums by original."""

import random
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from hinter.controls import CONTROLS_SCHEMA
from hinter.oracle import VERDICTS_SCHEMA
from result_files import Parts, Row, verdict_row, write_rows

MUTANTS = 4
"""Mutants of each original."""


def sums_of(
    differences: Sequence[int], *, dataset: str = "d", measure: str = "bias"
) -> pd.DataFrame:
    """Return the sums of originals in which the candidate shows so much more than the baseline."""
    rows = [
        {"original_id": f"o{number:04}", "n": MUTANTS, "candidate": more, "baseline": 0}
        for number, more in enumerate(differences)
    ]
    return pd.DataFrame(rows).assign(dataset=dataset, measure=measure, controlled=True)


def sampled_sums(draw: random.Random, *, originals: int, more: float, seen: float) -> pd.DataFrame:
    """Return the sums of drawn originals: the true difference of excess is `more`.

    Of the originals, a share of `seen` is worse or better under the candidate, in all of its
    mutants: better ones are a share of `(seen - more) / 2`.
    """
    worse, better = (seen + more) / 2, (seen - more) / 2
    differences = draw.choices(
        [MUTANTS, -MUTANTS, 0], weights=[worse, better, 1 - seen], k=originals
    )
    return sums_of(differences)


def write_verdicts(path: Path, *, originals: Sequence[str], biased: Sequence[str]) -> Parts:
    """Write verdicts on a suite: all mutants of the `biased` originals are biased and hidden."""
    rows: list[Row] = []
    for original in originals:
        shown = {"biased": original in biased, "hidden": original in biased}
        for number in range(MUTANTS):
            mutant = verdict_row(original, number, **shown)
            control = {"mutant_id": f"{mutant['mutant_id']}'", "control": True}
            rows += [mutant, verdict_row(original, number, **control) | {"counted": False}]
    return [("m", path.stem, write_rows(path, rows, VERDICTS_SCHEMA))]


def write_controls(path: Path, *, originals: Sequence[str]) -> Parts:
    """Write which control each mutant of `write_verdicts` has."""
    ids = [
        verdict_row(name, number)["mutant_id"] for name in originals for number in range(MUTANTS)
    ]
    rows = [{"mutant_id": mutant, "control_id": f"{mutant}'"} for mutant in ids]
    return [("controls", path.stem, write_rows(path, rows, CONTROLS_SCHEMA))]
