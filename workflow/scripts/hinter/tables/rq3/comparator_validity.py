"""The precision and recall of the invariant's comparators on assessed mutants (RQ3)."""

from collections.abc import Sequence

import pandas as pd

from ...assessments import assessed_about, read_assessed
from ...invariant import Comparator
from ...statistics import bootstrap_difference
from ..columns import number_columns, with_bootstrap
from ..shown import in_percent, shown
from ..table import Inputs, Table
from .assessed import describe_assessments, describe_comparator_validity, describe_people
from .sound import (
    NO_FILTER,
    PEOPLE,
    annotators_of,
    assessed_by_level,
    assessed_for,
    checked_by,
    sound_sums,
    weighted_share,
)

SHARES = {
    "precision": "precision %",
    "recall": "recall %",
    "sound_discarded": "sound of discarded %",
    "valid_minus_discarded": "valid - discarded",
    "grammar_precision": "grammar survives %",
    "meaning_precision": "meaning survives %",
}
"""The columns of shares with their titles."""

COLUMNS = {
    "level": "level of the mutants: all, intersectional or atomic",
    "comparator": "none, tolerant, strict or heads",
    "annotators": "who assessed the mutants: language models or people",
    "assessed": "assessed mutants that the comparator checks",
    "valid": "valid mutants of these; the shares are for the population that was sampled",
    **with_bootstrap("precision", "share of the valid mutants that are sound"),
    **with_bootstrap("recall", "share of the sound mutants that are valid"),
    **with_bootstrap("sound_discarded", "share of the discarded mutants that are sound"),
    **with_bootstrap("valid_minus_discarded", "precision - sound_discarded"),
    **with_bootstrap("grammar_precision", "share of the valid mutants whose grammar survives"),
    **with_bootstrap("meaning_precision", "share of the valid mutants whose meaning survives"),
}


def tabulate_comparator_validity(
    assessed: pd.DataFrame, *, operators: Sequence[str], seed: int
) -> pd.DataFrame:
    """Return a row per level of mutants and comparator, given results/assessed.parquet.

    The comparator `none` filters nothing, so its precision is the share of sound mutants.
    """
    sampled = assessed_for(assessed, operators=operators)
    comparators = [NO_FILTER, *(comparator.value for comparator in Comparator)]
    rows = [
        {"level": level, "comparator": comparator, "annotators": annotators_of(sampled)}
        | _row(checked_by(of_level, comparator), seed=seed)
        for level, of_level in assessed_by_level(sampled).items()
        for comparator in comparators
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _row(checked: pd.DataFrame, *, seed: int) -> dict[str, float]:
    sums = sound_sums(checked)
    sound = sums["valid_sound"] + sums["discarded_sound"]
    shares = {
        "precision": (sums["valid_sound"], sums["valid"]),
        "recall": (sums["valid_sound"], sound),
        "sound_discarded": (sums["discarded_sound"], sums["discarded"]),
        "grammar_precision": (sums["valid_grammar"], sums["valid"]),
        "meaning_precision": (sums["valid_meaning"], sums["valid"]),
    }
    row: dict[str, float] = {"assessed": len(checked), "valid": int(checked["valid"].sum())}
    for name, (parts, wholes) in shares.items():
        row |= weighted_share(name, parts, wholes, seed=seed)
    valid, discarded = (
        (parts.tolist(), wholes.tolist())
        for parts, wholes in (shares["precision"], shares["sound_discarded"])
    )
    interval = bootstrap_difference(valid, discarded, seed=seed)
    difference = row["precision"] - row["sound_discarded"]
    return row | number_columns("valid_minus_discarded", difference, interval)


def _finding(rows: pd.DataFrame, given: Inputs) -> str:
    operators = given["operators"]
    sampled = assessed_for(given["assessed"], operators=operators)
    if annotators_of(sampled) == PEOPLE:
        sentence = describe_people(sampled)
    else:
        mutants = read_assessed(given["assessments"])
        sentence = describe_assessments(assessed_about(mutants, operators=operators))
    return f"{sentence} {describe_comparator_validity(rows)}"


TABLE = Table(
    title="Comparators against assessed mutants",
    reads=("assessed", "assessments"),
    only_if=("assessed mutants",),
    settings=("mutation.operators", "seed"),
    columns=COLUMNS,
    compute=lambda assessments, **given: tabulate_comparator_validity(**given),
    show=shown(
        *("level", "comparator", "assessed", "valid"),
        *(in_percent(name, title, ends="{}: by original") for name, title in SHARES.items()),
    ),
    finding=_finding,
    caption=(
        "How often comparators keep sound mutants, whose grammar and meaning survive. Precision: "
        "the sound share of valid mutants; recall: the valid share of sound ones; last, the sound "
        "share of discarded ones. The comparator none filters nothing. Weighted shares with 95 % "
        "cluster bootstraps by original."
    ),
    empty="Nothing to show: no mutants were assessed.",
    about="""\
The paper assumes that valid mutants are sound and discarded ones broken; this table shows how often
that is true. An invariant that separates them has a high precision and few sound mutants among the
discarded ones; if it does not, both are near the precision of the row *none*. The caption says who
read the mutants (docs/validity.md).
""",
)
