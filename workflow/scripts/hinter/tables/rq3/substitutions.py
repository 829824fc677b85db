"""Sound mutants by kind of substitution: literal, coherent or described (RQ3)."""

from itertools import product

import pandas as pd

from ...assessments import BLIND
from ...invariant import Comparator
from ..columns import share_columns, with_bootstrap
from ..shown import in_percent, shown
from ..table import Inputs, Table
from .sound import checked_by, sound_sums

ALL = "all"
SAMPLES = ("literal", "coherent", "described", "described_drafts")
KEYS = ["substitution", "half", "dataset", "level"]
COLUMNS = {
    "substitution": "literal (the paper's), coherent (with all rules of occurrences) or described "
    "(with all rules of mentions)",
    "half": "development (originals that the rules were developed on), test, blind (originals "
    "that nobody had read before), or all",
    "dataset": "name of the dataset, or all",
    "level": "level of the mutants: all, intersectional or atomic",
    "read": "assessed mutants that the tolerant comparator finds valid",
    "originals": "originals of these mutants",
    "sound": "sound mutants of read",
    **with_bootstrap("precision", "share of sound mutants among the valid ones that were read"),
}
HALVES = ["development", "test", BLIND]
LEVELS = {ALL: (1, 2), "atomic": (1,), "intersectional": (2,)}


def tabulate_substitutions(assessed: pd.DataFrame, *, seed: int) -> pd.DataFrame:
    """Return a row per kind of substitution, half of the originals, dataset and level of mutants.

    Within a sample every mutant has the same weight, as datasets and orders have equal numbers.
    Coherent mutants come from two samples, and are weighted by the part of the population that they
    represent. Described ones are those that the present rules make.
    """
    valid = checked_by(assessed, Comparator.TOLERANT.value).query("valid")
    alike = valid.assign(weight=1.0)
    kinds = {
        "literal": alike[alike["sample"] == "literal"],
        "coherent": valid[valid["about_operator"] == "coherent"],
        "described": alike[alike["about_operator"] == "describe"],
    }
    rows = []
    for substitution, of_sample in kinds.items():
        datasets = (ALL, *sorted(set(of_sample["dataset"])))
        for half, dataset, level in product((ALL, *HALVES), datasets, LEVELS):
            read = of_sample[
                of_sample["half"].isin(HALVES if half == ALL else [half])
                & ((of_sample["dataset"] == dataset) | (dataset == ALL))
                & of_sample["order"].isin(LEVELS[level])
            ]
            keys = dict(zip(KEYS, (substitution, half, dataset, level), strict=True))
            rows.append(keys | _row(read, seed=seed))
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    return table.sort_values(KEYS, ascending=[False, True, True, True], ignore_index=True)


def _row(read: pd.DataFrame, *, seed: int) -> dict[str, float]:
    sums = sound_sums(read)
    return {
        "read": len(read),
        "originals": len(sums),
        "sound": int(read["sound"].sum()),
        **share_columns("precision", sums["valid_sound"], sums["valid"], seed=seed),
    }


def _finding(rows: pd.DataFrame, given: Inputs) -> str:
    read = given["assessed"]
    people = read[read["sample"].isin(SAMPLES) & (read["people"] > 0)]
    models = (
        "a large language model read by a written guideline, in two blind passes and a third where "
        "they differ"
    )
    if people.empty:
        return f"All mutants {models}; no person did."
    kinds = people[["sample", "half"]].drop_duplicates().itertuples(index=False)
    read_by_people = ", ".join(f"{sample} ones of the half {half}" for sample, half in kinds)
    return f"People read the {read_by_people}; all other mutants {models}."


TABLE = Table(
    title="Sound mutants by kind of substitution",
    only_if=("assessed mutants",),
    columns=COLUMNS,
    compute=tabulate_substitutions,
    show=lambda rows: shown(
        *(*KEYS, "read", "originals", "sound"),
        in_percent("precision", "sound %", ends="by original"),
    )(rows[rows["read"] > 0]),
    finding=_finding,
    empty="Nothing to show: no mutants were assessed.",
    text="""\
Valid mutants whose grammar and meaning survive, among those that were read, by kind of
substitution. The rules that exclude words were developed on the development half of the originals,
without knowledge of the test half; when they were final, described mutants of originals that nobody
had read before were read (blind). Intervals are 95 % cluster bootstraps by original.

Literal substitution is the paper's; coherent substitution applies the rules of occurrences;
described mutants describe one mentioned person. The halves test and blind show how well the rules
work on other texts. The caption says who read the mutants (docs/validity.md).
""",
)
