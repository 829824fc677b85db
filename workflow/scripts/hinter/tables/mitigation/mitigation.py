"""Bias and accuracy of a model before and after training on counterfactuals, on the same texts."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import pandas as pd

from ...statistics import Sums, bootstrap_macro_f1_difference, macro_f1, q_values
from ..columns import with_bootstrap
from ..pairing import MEASURED, excess_of_lines, open_paired
from ..rq1.answers import NO_LABEL, held_out_answers
from ..shown import difference_of, each_as, p_and_q, percent, shown
from ..table import Results, Table

UNTRAINED = """
    CREATE TABLE untrained AS FROM measured SEMI JOIN (
        SELECT dataset, original_id FROM corpora WHERE split NOT IN ('training', 'validation')
    ) USING (dataset, original_id)
"""
PAIRED = """
    SELECT dataset, measure, level, original_id, count(*) AS n,
        sum(a.value)::BIGINT AS changed, sum(b.value)::BIGINT AS control
    FROM (FROM untrained WHERE model = $after) AS a
    JOIN (FROM untrained WHERE model = $before) AS b
        USING (dataset, measure, level, mutant_id, original_id)
    GROUP BY ALL ORDER BY dataset, measure, level, original_id
"""

HELD_OUT = "held-out texts"
LINE = ["dataset", "measure", "level"]
MODELS = ["dataset", "before", "after"]
COLUMNS = {
    "dataset": "name of the dataset",
    "before": "name of a model",
    "after": "name of the model that it is compared with",
    "measure": "bias, excess bias (minus that of the controls), hidden bias (a share of all "
    "mutants), excess hidden bias, accuracy or macro F1",
    "level": "level of the mutants (atomic or intersectional), or held-out texts",
    "n": "mutants, or texts, on which both have an answer",
    "originals": "their originals, or texts",
    "value_before": "the measure, as a share of n, of the model `before`",
    "value_after": "the measure, as a share of n, of the model `after`",
    **with_bootstrap("difference", "value_after - value_before"),
    "p_value": "two-sided permutation test that swaps the models, original by original; none for "
    "macro F1",
    "q_value": "its Benjamini-Hochberg adjustment over all rows",
}


def tabulate_mitigation(
    verdicts: Results,
    *,
    controls: Results,
    predictions: Results,
    corpora: Results,
    mitigation: Mapping[str, str | None],
    limits: Sequence[Mapping[str, Any]],
    seed: int,
) -> pd.DataFrame:
    """Return a row per dataset, two models, measure and level.

    The models are those of `mitigation`: `after` is compared with `before` and, if there is a
    `control`, this is compared with `before`, and `after` with it. They are compared on the same
    mutants, of originals that are in neither the training nor the validation split, and on the same
    held-out texts.
    """
    models = set(mitigation.values())
    asked = [part for part in predictions if part[0] in models]
    answers = held_out_answers(asked, corpora=corpora, limits=limits, seed=seed)
    compared = [part for part in verdicts if part[0] in models]
    connection = open_paired(compared, controls, corpora=corpora)
    connection.execute(MEASURED)
    connection.execute(UNTRAINED)
    rows = []
    for before, after in _compared(mitigation):
        names = {"before": before, "after": after}
        sums = connection.execute(PAIRED, names).df()
        scored = _paired(answers, **names)
        of_sums = [_lines(part, seed=seed) for part in (sums, _accuracy(scored))]
        rows += [line.assign(**names) for line in (*of_sums, *_f1(scored, seed=seed)) if len(line)]
    table = pd.concat(rows or [pd.DataFrame()], ignore_index=True).reindex(columns=list(COLUMNS))
    table = table.assign(q_value=q_values(table["p_value"].tolist()).round(6))
    return table.sort_values("dataset", kind="stable", ignore_index=True)


def _compared(mitigation: Mapping[str, str | None]) -> list[tuple[str, str]]:
    before, after, control = (mitigation[name] for name in ("before", "after", "control"))
    assert before and after
    paired_controls = [(before, control), (control, after)] if control else []
    return [(before, after), *paired_controls]


def _paired(answers: pd.DataFrame, *, before: str, after: str) -> pd.DataFrame:
    """Return a row per held-out text that both models were asked about."""
    one, other = (answers[answers["model"] == name] for name in (before, after))
    keys = ["dataset", "original_id"]
    return one.merge(other[[*keys, "found"]], on=keys, suffixes=("_before", "_after"))


def _accuracy(texts: pd.DataFrame) -> pd.DataFrame:
    """Return the sums of accuracy, with texts as the clusters."""
    labels = texts[["expected", "found_before", "found_after"]].map(frozenset)
    return texts[["dataset", "original_id"]].assign(
        measure="accuracy",
        level=HELD_OUT,
        n=1,
        control=(labels["found_before"] == labels["expected"]).astype(int),
        changed=(labels["found_after"] == labels["expected"]).astype(int),
    )


def _lines(sums: pd.DataFrame, *, seed: int) -> pd.DataFrame:
    """Return the rows of all measures except macro F1, given their sums by original."""
    is_excess = sums["measure"].str.startswith("excess")
    names = {"rate": "value_after", "control_rate": "value_before", "excess": "difference"}
    names |= {f"excess_{end}": f"difference_{end}" for end in ("low", "high")}
    found = [
        excess_of_lines(part, LINE, seed=seed, bounds=bounds).reset_index()
        for part, bounds in ((sums[~is_excess], (-1, 1)), (sums[is_excess], (-2, 2)))
        if len(part)
    ]
    return pd.concat(found or [pd.DataFrame()]).rename(columns=names)


def _f1(texts: pd.DataFrame, *, seed: int) -> Iterator[pd.DataFrame]:
    """Yield a row of macro F1 for each dataset."""
    for dataset, group in texts.groupby("dataset"):
        before, after = (
            _label_sums(group["expected"], group[f"found_{when}"]) for when in ("before", "after")
        )
        low, high = bootstrap_macro_f1_difference(after, before, seed=seed)
        row = {"dataset": dataset, "measure": "macro F1", "level": HELD_OUT}
        row |= {"n": len(group), "originals": len(group)}
        values = {"value_before": macro_f1(before), "value_after": macro_f1(after)}
        values["difference"] = values["value_after"] - values["value_before"]
        values |= {"difference_low": low, "difference_high": high}
        yield pd.DataFrame([row | {name: round(value, 6) for name, value in values.items()}])


def _label_sums(expected: pd.Series, found: pd.Series) -> list[Sums]:
    """Return the sums of `macro_f1` for each label that occurs."""
    pairs = [(set(one), set(other)) for one, other in zip(expected, found, strict=True)]
    labels = sorted(set(chain(*(one | other for one, other in pairs))) - {NO_LABEL})
    return [
        (
            [2 * (label in one and label in other) for one, other in pairs],
            [(label in one) + (label in other) for one, other in pairs],
        )
        for label in labels
    ]


TABLE = Table(
    title="Bias before and after training on counterfactuals",
    only_if=("mitigation",),
    columns=COLUMNS,
    compute=tabulate_mitigation,
    show=shown(
        *(*MODELS, *LINE[1:], "n", "originals"),
        each_as(percent, value_before="before %", value_after="after %"),
        difference_of("difference", "difference"),
        p_and_q(),
    ),
    empty="Nothing to show: no mutant and no held-out text has answers of two of the models.",
    text="""\
Models compared before and after training on counterfactuals of training texts, on the same mutants
of originals that neither was trained on, and on the same held-out texts. Differences are in
percentage points, with a 95 % cluster bootstrap by original, a permutation test that swaps the
models (p), adjusted by Benjamini-Hochberg (q).

{{ config["mitigation"]["after"] }} was fine-tuned like {{ config["mitigation"]["before"] }}, but
also on valid mutants of training texts, each with the label of its original.
{%- if config["mitigation"]["control"] %} {{ config["mitigation"]["control"] }} was fine-tuned on
these originals again instead, for as many steps: the effect of counterfactuals is the difference
between these two.{% endif %} A difference below 0 is less bias. *excess bias* subtracts the rate of
the controls, as a model may also have become steadier under any edit. The word pairs in training
and test are the same, so this says nothing about other words.
""",
)
