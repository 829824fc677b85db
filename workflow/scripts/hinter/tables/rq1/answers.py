"""The answers of models: their status, their accuracy on held-out texts, and their noise."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

import pandas as pd

from ...limits import find_held_out
from ..columns import RUN, proportion_columns, with_share, with_wilson
from ..groups import in_columns, row_per_group
from ..shown import each_as, in_percent, percent, shown, titled
from ..table import Results, Table, open_results, query_results

STATUSES = {
    "ok": "inputs with a label as outcome",
    "identical": "mutants that are not run, because the model sees no change",
    "none": "answers that no label applies",
    "refused": "answers that decline to choose",
    "unparsed": "answers that name no label, or several when one was asked for",
}
STATUS_COUNTS = f"""
    SELECT model, dataset, if(contains(input_id, '|'), 'mutants', 'originals') AS inputs,
        {", ".join(f"count(*) FILTER (status = '{name}') AS {name}" for name in STATUSES)},
        count(*) FILTER (
            status <> 'identical' AND visible_order < len(string_split(input_id, '|')) - 1
        ) AS partly_seen
    FROM predictions GROUP BY ALL ORDER BY ALL
"""


def tabulate_answers(predictions: Results) -> pd.DataFrame:
    """Return a row per model, dataset and kind of input (mutants or originals)."""
    rows = query_results(STATUS_COUNTS, predictions=predictions)
    run = rows[list(STATUSES)].sum(axis=1) - rows["identical"]
    return rows.assign(no_label=((run - rows["ok"]) / run).round(6))


ANSWERS = Table(
    title="Answers by status",
    columns={
        **RUN,
        "inputs": "mutants, or originals with held-out texts",
        **STATUSES,
        "partly_seen": "mutants of which some pairs are beyond the model's window, in no rate",
        "no_label": "share of answers without a label among the inputs that were run",
    },
    compute=tabulate_answers,
    show=shown(
        "model", "dataset", "inputs", *STATUSES, "partly_seen", in_percent("no_label", "no label %")
    ),
    empty="Nothing to show: no model was asked about anything.",
    text="""\
Answers by status: ok (an outcome), identical (not run, as the model sees no change), none (no label
applies), refused, unparsed. Originals include held-out texts.

A *refused* answer declines to choose; an *unparsed* one names no label, or several when one was
asked for. Only answers with an outcome count in bias rates, unless the configuration also counts
others (``outcome_statuses``).
""",
)


NO_LABEL = "(no answer)"
"""The label of an answer that was refused or not understood, which is never right."""

# In a labelled dataset, no label applies to a text without labels.
HELD_OUT = f"""
    SELECT p.model, p.dataset, c.original_id, c.labels AS expected,
        CASE p.status WHEN 'ok' THEN p.outcome WHEN 'none' THEN [] ELSE ['{NO_LABEL}'] END AS found
    FROM corpora AS c JOIN predictions AS p ON p.input_id = c.original_id AND p.dataset = c.dataset
    SEMI JOIN sampled AS d
        ON d.model = p.model AND d.dataset = p.dataset AND d.original_id = p.input_id
    WHERE c.dataset IN (SELECT dataset FROM corpora WHERE len(labels) > 0)
    ORDER BY p.model, p.dataset, c.original_id
"""

# Other held-out texts may be among the predictions, as originals with mutants.
SAMPLE_QUERY = """
    SELECT '{model}' AS model, '{dataset}' AS dataset, original_id
    FROM ({query})
"""

COLUMNS = {
    **RUN,
    "n": "labelled held-out texts",
    **with_wilson("accuracy", "share of n with exactly the right labels"),
    "micro_f1": "micro F1 over the labels that occur",
    "macro_f1": "macro F1 over the labels that occur",
}


def tabulate_accuracy(
    predictions: Results, *, corpora: Results, limits: Sequence[Mapping[str, Any]], seed: int
) -> pd.DataFrame:
    """Return a row per model and dataset with labelled held-out texts."""
    held_out = held_out_answers(predictions, corpora=corpora, limits=limits, seed=seed)
    return in_columns(row_per_group(held_out, ["model", "dataset"], _scores), COLUMNS)


def held_out_answers(
    predictions: Results, *, corpora: Results, limits: Sequence[Mapping[str, Any]], seed: int
) -> pd.DataFrame:
    """Return the `expected` and `found` labels of each model on each labelled held-out text.

    If `limits` give a model only some of these texts, its answers about others do not count.
    """
    connection = open_results(predictions=predictions, corpora=corpora)
    sampled = [
        SAMPLE_QUERY.format(
            model=model,
            dataset=dataset,
            query=find_held_out(limits, model=model, dataset=dataset, seed=seed).query(
                f"(FROM corpora WHERE dataset = '{dataset}')"
            ),
        )
        for model, dataset, _ in predictions
    ]
    connection.execute(f"CREATE TABLE sampled AS {' UNION ALL '.join(sampled)}")
    answers: pd.DataFrame = connection.execute(HELD_OUT).df()
    return answers


def _scores(group: pd.DataFrame) -> dict[str, float]:
    # Other packages use this one, and importing scikit-learn takes longer than most tables do.
    from sklearn.metrics import accuracy_score, f1_score
    from sklearn.preprocessing import MultiLabelBinarizer

    labels = sorted({*chain(*group["expected"], *group["found"])} - {NO_LABEL})
    # scikit-learn takes a single column for two exclusive classes.
    binarizer = MultiLabelBinarizer(classes=[*labels, NO_LABEL, ""]).fit([])
    expected, found = map(binarizer.transform, (group["expected"], group["found"]))
    right = int(accuracy_score(expected, found, normalize=False))
    scored = partial(f1_score, expected, found, labels=list(range(len(labels))), zero_division=0)
    return {
        "n": len(group),
        **proportion_columns("accuracy", right, len(group)),
        **{f"{name}_f1": round(scored(average=name), 6) for name in ("micro", "macro")},
    }


ACCURACY = Table(
    title="Accuracy of the models",
    columns=COLUMNS,
    compute=tabulate_accuracy,
    show=shown(
        "model",
        "dataset",
        titled(n="texts"),
        in_percent("accuracy", "accuracy %", ends="Wilson"),
        each_as(percent, micro_f1="micro F1 %", macro_f1="macro F1 %"),
    ),
    empty="Nothing to show: no held-out text has labels.",
    text="""\
Accuracy and macro F1 of each model on held-out texts, with 95 % Wilson intervals.

The texts were neither trained on nor mutated.
""",
)


# As for bias, answers are compared only if both have an outcome.
BY_ORIGINAL = """
    WITH first AS (FROM repeats WHERE repeat = 1 AND status IN {statuses}),
    flips AS (
        SELECT r.model, r.dataset, r.original_id,
            r.status <> f.status OR r.outcome IS DISTINCT FROM f.outcome AS flipped
        FROM repeats AS r JOIN first AS f USING (model, dataset, original_id)
        WHERE r.repeat > 1 AND r.status IN {statuses}
    )
    SELECT model, dataset, original_id, count(*) AS repeats, count(*) FILTER (flipped) AS flips
    FROM flips GROUP BY ALL ORDER BY ALL
"""
NOISE_COUNTS = f"""
    SELECT model, dataset, count(*) AS originals, sum(repeats)::BIGINT AS repeats,
        sum(flips)::BIGINT AS flips, count(*) FILTER (flips > 0) AS flipped_originals
    FROM ({BY_ORIGINAL}) GROUP BY ALL ORDER BY ALL
"""


def tabulate_noise(repeats: Results, *, outcome_statuses: Sequence[str]) -> pd.DataFrame:
    """Return a row per model and dataset.

    Answers with a label or with one of the `outcome_statuses` have an outcome.
    """
    query = NOISE_COUNTS.format(statuses=["ok", *outcome_statuses])
    counts = query_results(query, repeats=repeats)
    return with_share(counts, "flip_rate", part="flips", whole="repeats")


def count_flips(repeats: Results, *, outcome_statuses: Sequence[str]) -> pd.DataFrame:
    """Return the number of `repeats`, and of `flips` among them, by original_id."""
    query = BY_ORIGINAL.format(statuses=["ok", *outcome_statuses])
    return query_results(query, repeats=repeats).set_index("original_id")


NOISE_FLOOR = Table(
    title="Noise floor",
    only_if=("repeats",),
    columns={
        **RUN,
        "originals": "originals with more than one outcome",
        "repeats": "outcomes after the first",
        "flips": "outcomes that differ from the first",
        "flipped_originals": "originals with a flip",
        **with_wilson("flip_rate", "flips / repeats, the bias rate without any mutation"),
    },
    compute=tabulate_noise,
    show=shown(
        *("model", "dataset", "originals", "repeats", "flips", "flipped_originals"),
        in_percent("flip_rate", "flips %", ends="Wilson"),
    ),
    empty="Nothing to show: no original has two outcomes.",
    text="""\
Noise floor: answers to the same original that differ from its first answer, with 95 % Wilson
intervals. A bias rate is only meaningful if it exceeds this rate.

Only models behind endpoints are asked again, with nothing else changed.
""",
)
