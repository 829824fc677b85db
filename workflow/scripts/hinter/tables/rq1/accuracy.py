"""The accuracy and macro F1 of each model on held-out texts."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

import pandas as pd
from sklearn.metrics import accuracy_score, f1_score
from sklearn.preprocessing import MultiLabelBinarizer

from ...limits import find_held_out
from ..columns import RUN, proportion_columns, with_wilson
from ..groups import row_per_group
from ..shown import each_as, in_percent, percent, shown, titled
from ..table import Results, Table, open_results

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
    return row_per_group(held_out, ["model", "dataset"], _scores, columns=COLUMNS)


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


TABLE = Table(
    title="Accuracy of the models",
    reads=("predictions", "corpora"),
    settings=("limits", "seed"),
    warned=True,
    columns=COLUMNS,
    compute=tabulate_accuracy,
    show=shown(
        "model",
        "dataset",
        titled(n="texts"),
        in_percent("accuracy", "accuracy %", ends="Wilson"),
        each_as(percent, micro_f1="micro F1 %", macro_f1="macro F1 %"),
    ),
    caption="Accuracy and macro F1 of each model on held-out texts, with 95 % Wilson intervals.",
    empty="Nothing to show: no held-out text has labels.",
    about="The texts were neither trained on nor mutated.",
)
