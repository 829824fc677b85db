"""Whether combining attributes adds anything to the shifts of the single ones."""

from pathlib import Path

import pandas as pd

from ..columns import RUN, with_bootstrap
from ..groups import STEP, adjust_by_model, means_by, p_values_by, rows_of_runs
from ..label_scores import with_predictions
from ..pairing import BY_LENGTH, LENGTH_PREFIXES, TESTED, by_length, excess_by_length
from ..shown import each_as, in_points, p_and_q, points, shown, titled
from ..table import Part, Results, Table
from .interaction_terms import open_terms

KEYS = ["order", "attributes", "one_person"]
DIVIDED = {
    "hidden": ("hidden", "mutants of n whose bias is hidden"),
    "hidden_interaction": (
        "hidden AND NOT predicted",
        "hidden cases whose outcome the additive part alone would not change",
    ),
    "hidden_accumulation": (
        "hidden AND predicted",
        "hidden cases whose outcome the additive part alone would change",
    ),
    "hidden_undivided": (
        "hidden AND predicted IS NULL",
        "hidden cases that are neither: not scored, or an outcome of more than two labels",
    ),
    "masked": ("masked", "benign mutants of n with a biased sub-mutant"),
    "masked_interaction": (
        "masked AND predicted",
        "masked mutants whose outcome the additive part alone would change",
    ),
    "masked_accumulation": (
        "masked AND NOT predicted",
        "masked mutants whose outcome the additive part alone would not change",
    ),
    "masked_undivided": ("masked AND predicted IS NULL", "masked mutants that are neither"),
}
"""The counts: the condition in SQL, and the meaning of the column."""

SUMMED = ("joint", "additive", "interaction")
NAMED = """"order", coalesce(attributes, 'all') AS attributes,
        if(grouping(one_person) = 1, 'all', coalesce(one_person, 'unknown')) AS one_person"""
LINES = """GROUP BY GROUPING SETS ((), (attributes), (one_person)), "order", original_id"""
SORTED = """
    ORDER BY "order", grouping(attributes) + grouping(one_person) DESC, grouping(attributes),
        attributes, one_person, original_id
"""
QUERY = f"""
    SELECT {NAMED}, original_id, count(*) AS n, count(interaction) AS scored,
        {", ".join(f"coalesce(sum({name}), 0)::BIGINT AS {name}" for name in SUMMED)},
        {", ".join(f"count(*) FILTER ({part}) AS {name}" for name, (part, _) in DIVIDED.items())}
    FROM terms {LINES} {SORTED}
"""
# In hundredths.
ABSOLUTE = f"""
    SELECT {NAMED}, original_id, longer, count(*) AS n,
        sum(abs(interaction))::BIGINT AS changed, sum(abs(of_control))::BIGINT AS control
    FROM terms
    JOIN (SELECT mutant_id, control_id, more_words > 0 AS longer FROM read_parquet('{{path}}'))
        USING (mutant_id)
    JOIN (SELECT mutant_id AS control_id, interaction AS of_control FROM control_terms)
        USING (control_id)
    WHERE interaction IS NOT NULL AND of_control IS NOT NULL {LINES}, longer {SORTED}
"""
SIZES = {
    "n": "controls",
    "rate": "mean_absolute",
    "control_rate": "control_mean_absolute",
    **{name: f"absolute_{name}" for name in ("excess", *TESTED)},
}
LARGEST = "SELECT coalesce(max(abs(interaction)), 0) FROM terms"

COLUMNS = {
    **RUN,
    "order": "number of attributes that the mutants change",
    "attributes": "all, or a combination of attributes",
    "one_person": "all, or whether all edits of a mutant concern one person: yes, no, unknown",
    "n": "mutants with a verdict on themselves and on all their sub-mutants",
    "originals": "originals of these mutants",
    "scored": "mutants of n that have a shift, as have all their sub-mutants",
    "mean_joint": "mean shift of scored, in log-odds",
    "mean_additive": "mean shift that their sub-mutants predict: their additive part",
    **with_bootstrap("mean_interaction", "mean_joint - mean_additive"),
    "p_value": "two-sided sign-flip test by original of a mean interaction of 0",
    "q_value": "its Benjamini-Hochberg adjustment over all rows of a model",
    "controls": "mutants of scored whose control also has an interaction",
    "mean_absolute": "mean absolute value of their interaction",
    "control_mean_absolute": "mean absolute value of the interaction of these controls",
    **with_bootstrap("absolute_excess", "mean_absolute - control_mean_absolute"),
    "absolute_p_value": "two-sided test that swaps mutants and controls, original by original",
    "absolute_q_value": "its adjustment, like q_value",
    **BY_LENGTH,
    **{name: meaning for name, (_, meaning) in DIVIDED.items()},
}


def tabulate_interactions(
    verdicts: Results, predictions: Results, controls: Results, *, seed: int
) -> pd.DataFrame:
    """Return a row per model, dataset, order of 2 or more, and line.

    A line is all mutants, those of a combination of attributes, or those that concern one person.
    The shift of a mutant is the sum of its additive part, which the shifts of its sub-mutants
    predict by inclusion-exclusion, and of its interaction. For two pairs, the additive part is the
    sum of both atomic shifts. Hidden bias is `interaction` if the original's margin plus the
    additive part is at least 0: the outcome changes only because the pairs are combined. It is
    `accumulation` if the sum is below 0: shifts that are too small by themselves add up. A masked
    mutant is `interaction` if the original's margin plus the additive part is below 0: it is benign
    only because the pairs are combined. It is `accumulation` if the sum is at least 0: shifts of
    its sub-mutants cancel each other out. Mutants are neither if they are not scored, or if their
    outcome is one of more than two labels, for which a margin of 0 is no threshold.
    """
    matched = {dataset: path for _, dataset, path in controls}
    runs = (
        (part, _rows(part, answers, matched.get(part[1]), seed=seed))
        for part, answers in with_predictions(verdicts, predictions)
    )
    return adjust_by_model(rows_of_runs(runs, COLUMNS), "", "absolute_", *LENGTH_PREFIXES)


def _rows(verdicts: Part, predictions: Part, controls: Path | None, *, seed: int) -> pd.DataFrame:
    connection = open_terms(verdicts, predictions)
    sums = connection.execute(QUERY).df()
    (largest,) = connection.execute(LARGEST).fetchall()[0]
    lines = sums.groupby(KEYS, sort=False)
    totals = lines.sum(numeric_only=True)
    columns = {f"mean_{name}": totals[name] / totals["scored"] / STEP for name in SUMMED[:2]}
    rows: pd.DataFrame = totals.assign(originals=lines.size(), **columns).round(6)
    if controls is not None:
        sizes = connection.execute(ABSOLUTE.format(path=controls)).df()
        rows = rows.join(_compared_with_controls(sizes, largest=max(largest, 1), seed=seed))
    of = "interaction", "scored"
    means = means_by(sums, KEYS, of, name="mean_interaction", largest=largest, seed=seed)
    return rows.join([means, p_values_by(sums, KEYS, of, seed=seed)]).reset_index()


def _compared_with_controls(sums: pd.DataFrame, *, largest: float, seed: int) -> pd.DataFrame:
    """Return the columns of the absolute values of interactions, indexed by the line."""
    rows = excess_by_length(sums, KEYS, seed=seed, bounds=(-largest, largest))
    sizes = rows.filter(regex="rate|excess")
    rows[sizes.columns] = (sizes / STEP).round(6)
    named = rows.rename(columns=SIZES).drop(columns="originals")
    return named.astype({"controls": "Int64"})


TABLE = Table(
    title="Interactions of attributes",
    only_if=("order 2",),
    columns=COLUMNS,
    compute=tabulate_interactions,
    show=shown(
        *("model", "dataset", *KEYS, "n", "scored"),
        each_as(points, mean_joint="joint", mean_additive="additive"),
        in_points("mean_interaction", "interaction", ends="by original"),
        p_and_q(),
        each_as(points, mean_absolute="size", control_mean_absolute="size: controls"),
        in_points("absolute_excess", "size: excess", ends="{}: by original"),
        p_and_q("size: {}", prefix="absolute_"),
        by_length(lambda name, title: in_points(name, f"size: {title}", ends="{}: by original")),
        titled(**{name: name.replace("_", ": ") for name in DIVIDED}),
    ),
    empty=(
        "Nothing to show: no valid intersectional mutant has a verdict on itself and on all its "
        "sub-mutants."
    ),
    text="""\
Whether combining attributes adds anything. The mean shift of mutants (joint), in log-odds, is the
sum of the shift that their sub-mutants predict (additive: for two pairs, the sum of both atomic
shifts; for more, by inclusion-exclusion) and of an interaction, with a 95 % cluster bootstrap and a
sign-flip test by original (p), adjusted by Benjamini-Hochberg over all rows of a model (q).
Interactions that cancel each other out on average still have a size (absolute value): it is
compared with that of controls, which keep all pairs but one (excess), with a cluster bootstrap and
a test by original. Lines group mutants by their attributes, and by whether they concern one person;
size is also given for mutants with more words than their control (longer) and for the others.
Hidden bias is an interaction if the additive part alone would not change the outcome (the
original's margin plus the additive part is 0 or more), and an accumulation if it would (the sum is
below 0). Masked mutants are an interaction if the additive part alone would change the outcome, and
an accumulation, of shifts that cancel each other out, if it would not. Mutants without all scores
are neither, and so are those with an outcome of more than two labels, which is not decided at a
margin of 0. A shift is negative if a mutant moves the model away from the original's outcome, and
positive if it makes the model more certain of it.

In an accumulation of hidden bias, shifts that are too small by themselves add up. Masked mutants
are benign, with a biased sub-mutant. If only mutants with more words than their control have an
excess (*longer*), it may be due to their length alone. Only mutants of *one person* say something
about the intersection of a person's attributes. Scores are rounded down to steps of 0.01, and below
-5 to steps of 0.1, so a term of a few steps may be rounding.
""",
)
