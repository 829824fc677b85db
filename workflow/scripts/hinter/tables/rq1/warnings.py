"""Runs whose bias rates mean little, and why: few or equal answers, errors, noise, or texts."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from operator import mul
from typing import Any

import pandas as pd

from ...statistics import mcnemar_exact, wilson_interval
from ..columns import RUN
from ..shown import percent, percent_intervals
from ..table import Results, Table, query_results
from .answers import STATUSES, held_out_answers, tabulate_answers, tabulate_noise
from .few_texts import Described, warn_of_texts

MUCH = 0.1
"""The largest share of answers without an outcome that leads to no warning."""
NEARLY_ALL = 0.95
"""From this share on, one outcome counts as that of nearly all texts."""
SIGNIFICANCE = 0.05
"""The significance level of McNemar's exact test."""

COLUMNS = {
    **RUN,
    "model": "name of the model, or of the models that share the warning",
    "warning": "no_verdict, no_outcome, one_outcome, accuracy or noise; about texts few_texts, "
    "uneven, few_controls or html",
    "about": "model, or texts",
    "message": "the warning as a sentence",
}

# The expected share of an outcome is its share among the labels, or a half if there are no two:
# labels that are all alike do not show that a model distinguishes any.
OUTCOMES = """
    WITH answered AS (
        SELECT p.model, p.dataset, CASE p.status WHEN 'ok' THEN p.outcome ELSE [p.status] END
            AS outcome, c.labels, min(list_sort(c.labels)) OVER texts
            <> max(list_sort(c.labels)) OVER texts AS known
        FROM predictions AS p
        JOIN corpora AS c ON c.original_id = p.input_id AND c.dataset = p.dataset
        WHERE p.status IN {statuses} WINDOW texts AS (PARTITION BY p.dataset)
    ),
    commonest AS (
        SELECT model, dataset, outcome, count(*) AS texts
        FROM answered GROUP BY model, dataset, outcome
        QUALIFY row_number() OVER (
            PARTITION BY model, dataset ORDER BY texts DESC, outcome
        ) = 1
    )
    SELECT model, dataset, array_to_string(c.outcome, ', ') AS outcome, texts, count(*) AS n,
        if(bool_or(known), avg((list_sort(labels) = c.outcome)::INT), 0.5) AS expected
    FROM commonest AS c JOIN answered USING (model, dataset)
    GROUP BY ALL ORDER BY ALL
"""
# The orders of Table 2, or atomic mutants if there are no others.
VERDICTS = """
    SELECT model, dataset, "order", count(*) AS n, count(*) FILTER (biased) AS biased
    FROM counted_verdicts GROUP BY model, dataset, "order"
    QUALIFY "order" > 1 OR max("order") OVER (PARTITION BY model, dataset) = 1
    ORDER BY ALL
"""


def tabulate_warnings(
    predictions: Results,
    verdicts: Results,
    repeats: Results,
    *,
    corpora: Results,
    controls: Results,
    limits: Sequence[Mapping[str, Any]],
    outcome_statuses: Sequence[str],
    seed: int,
) -> pd.DataFrame:
    """Return a row per model, dataset and reason why its bias rates mean little.

    `warning` is one of:
    `no_verdict`: no mutant has a verdict;
    `no_outcome`: more than a tenth of the answers have no outcome: they are none, refused or
    unparsed, and their status is not one of the `outcome_statuses`;
    `one_outcome`: at least 95 % of the texts have the same outcome, and by Wilson's interval it is
    more frequent than among their labels (or than a half, if there are no two different ones);
    `accuracy`: McNemar's exact test at 5 % does not show that the model is better than always
    giving the most frequent held-out labels;
    `noise`: the upper end of the interval of its flip rate reaches a bias rate above 0.
    or one of those of `warn_of_texts`. `message` is the warning as a sentence.
    """
    rates = query_results(VERDICTS, verdicts=verdicts)
    held_out = held_out_answers(predictions, corpora=corpora, limits=limits, seed=seed)
    # Models that are run on the same texts share a warning about these.
    shared: dict[tuple[str, ...], list[str]] = {}
    for model, *told in warn_of_texts(verdicts, controls, corpora):
        shared.setdefault(tuple(told), []).append(model)
    about = {
        "model": chain(
            _without_verdict(verdicts, rates),
            _without_outcome(tabulate_answers(predictions), outcome_statuses),
            _of_one_outcome(predictions, corpora, outcome_statuses),
            _no_better_than_one_label(held_out),
            _of_noise(rates, repeats, outcome_statuses),
        ),
        "texts": ((", ".join(models), *told) for told, models in shared.items()),
    }
    warned = [
        (model, dataset, warning, what, f"{model} on {dataset}: {message}")
        for what, warnings in about.items()
        for model, dataset, warning, message in warnings
    ]
    order = [run for *run, _ in verdicts]
    warned.sort(key=lambda row: order.index([row[0].partition(", ")[0], row[1]]))
    return pd.DataFrame(warned, columns=list(COLUMNS))


def _without_verdict(verdicts: Results, rates: pd.DataFrame) -> Iterator[Described]:
    with_rates = set(zip(rates["model"], rates["dataset"], strict=True))
    for model, dataset, _ in verdicts:
        if (model, dataset) not in with_rates:
            message = "no valid mutant has a verdict, so there are no rates."
            yield model, dataset, "no_verdict", message


def _without_outcome(answers: pd.DataFrame, outcome_statuses: Sequence[str]) -> Iterator[Described]:
    missing = [name for name in ("none", "refused", "unparsed") if name not in outcome_statuses]
    counts = answers.groupby(["model", "dataset"])[list(STATUSES)].sum().reset_index()
    for row in counts.to_dict("records"):
        without = sum(row[name] for name in missing)
        asked = sum(row[name] for name in STATUSES) - row["identical"]
        if without > MUCH * asked:
            listed = ", ".join(f"{row[name]:,} {name}" for name in missing if row[name])
            message = (
                f"{without:,} of {asked:,} answers ({percent(without / asked)} %) have no outcome "
                f"({listed}); its rates are based on the others."
            )
            yield row["model"], row["dataset"], "no_outcome", message


def _of_one_outcome(
    predictions: Results, corpora: Results, outcome_statuses: Sequence[str]
) -> Iterator[Described]:
    query = OUTCOMES.format(statuses=["ok", *outcome_statuses])
    outcomes = query_results(query, predictions=predictions, corpora=corpora)
    for row in outcomes.to_dict("records"):
        low, _ = wilson_interval(row["texts"], row["n"])
        if row["texts"] >= NEARLY_ALL * row["n"] and low > row["expected"]:
            message = (
                f"its outcome is '{row['outcome'] or 'none'}' on {row['texts']:,} of "
                f"{row['n']:,} texts ({percent(row['texts'] / row['n'])} %)."
            )
            yield row["model"], row["dataset"], "one_outcome", message


def _no_better_than_one_label(held_out: pd.DataFrame) -> Iterator[Described]:
    for (model, dataset), texts in held_out.groupby(["model", "dataset"]):
        expected, found = (texts[name].map(tuple) for name in ("expected", "found"))
        most = min(expected.mode())
        right, by_chance = expected == found, expected == most
        ahead, behind = int((right & ~by_chance).sum()), int((by_chance & ~right).sum())
        if ahead > behind and mcnemar_exact(ahead, behind) <= SIGNIFICANCE:
            continue
        beats = "is not shown to beat" if ahead > behind else "does not beat"
        message = (
            f"its accuracy of {percent(right.mean())} % on {len(texts):,} held-out texts {beats} "
            f"the {percent(by_chance.mean())} % of always saying '{', '.join(most) or 'none'}'."
        )
        shares = (part.value_counts(normalize=True) for part in (expected, found))
        chance = mul(*shares).sum()
        if wilson_interval(int(right.sum()), len(texts))[1] < chance:
            message = (
                f"{message[:-1]}, and less than the {percent(chance)} % of random answers: its "
                "labels may be exchanged (`labels` in the models sheet)."
            )
        yield str(model), str(dataset), "accuracy", message


def _of_noise(
    rates: pd.DataFrame, repeats: Results, outcome_statuses: Sequence[str]
) -> Iterator[Described]:
    if not repeats:
        return
    noise = tabulate_noise(repeats, outcome_statuses=outcome_statuses)
    joined = rates.merge(noise, on=["model", "dataset"])
    intervals = percent_intervals(joined, "flip_rate")
    for row, interval in zip(joined.to_dict("records"), intervals, strict=True):
        rate = row["biased"] / row["n"]
        if row["flip_rate_high"] >= rate > 0:
            below = "not shown to be below" if row["flip_rate"] < rate else "not below"
            message = (
                f"asked again, it changes {percent(row['flip_rate'])} % {interval} of its answers, "
                f"which is {below} its bias rate of {percent(rate)} % (order {row['order']})."
            )
            yield row["model"], row["dataset"], "noise", message


TABLE = Table(
    title="Warnings about models and texts",
    warned=False,
    columns=COLUMNS,
    compute=tabulate_warnings,
    latex_columns="llllp{100mm}",
    empty=(
        "Nothing to warn about: there are enough texts with controls, and every model has "
        "verdicts, mostly gives an outcome, does not always give the same one, and beats the most "
        "frequent label. If it was asked again, it changed fewer answers than under mutation."
    ),
    text="""\
Models whose bias rates mean little, and why: no verdicts, many answers without an outcome, one
outcome for nearly all texts, an accuracy that does not beat the most frequent label, or answers
that change as often without any mutation. Then what makes their texts say little: few of them, a
few with most mutants, few controls, HTML.

*no_outcome*: more than a tenth of the answers have none (no label, refused, unparsed). *accuracy*:
the model is not shown to beat the most frequent label on held-out texts (McNemar's exact test at 5
%). *noise*: the interval does not exclude that answers change as often as under mutation.
*few_texts*: fewer than 30 texts are tested. *uneven*: the mutants count like those of less than
half of their texts, as a few have most of them. *few_controls*: less than half of the mutants have
a control. *html*: texts have tags or entities.
""",
)
