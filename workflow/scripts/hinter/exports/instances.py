"""The lines of a record: one for each text and result of a run that it counts in."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from ..mutation import Mutant
from ..tables import open_results
from .measures import ACCURACY_OF_ORIGINALS, BIAS, HIDDEN, Measured, names_of

VIEWS = """
    CREATE VIEW answers AS
        SELECT p.input_id, p.status, p.outcome, p.answer, c.original_id, {text} AS text, c.labels,
            CASE p.status WHEN 'ok' THEN p.outcome WHEN 'none' THEN [] END AS found
        FROM predictions AS p JOIN corpora AS c ON c.original_id = p.input_id
        SEMI JOIN verdicts AS v ON v.original_id = p.input_id;
    CREATE VIEW originals AS
        SELECT *, []::VARCHAR[] AS pair_ids, [] AS edits,
            coalesce(list_sort(found) = list_sort(labels), false) AS is_right
        FROM answers
        WHERE (SELECT max(len(labels)) FROM answers) > 0;
    CREATE VIEW mutants AS
        SELECT v.*, p.outcome, p.answer, o.outcome AS expected, o.status AS expected_status, o.text
        FROM counted_verdicts AS v JOIN predictions AS p ON p.input_id = v.mutant_id
        JOIN answers AS o ON o.original_id = v.original_id;
"""
"""`originals`: those of mutants, where the dataset has labels, and whether the model finds these.
`mutants`: what rates of valid mutants are made of, with the original's outcome as `expected`."""

ROWS_AT_ONCE = 1024
ORIGINALS = "FROM originals ORDER BY input_id"
MUTANTS = 'FROM mutants WHERE "order" = {order} {which} ORDER BY mutant_id'
CLOSED = "The text is not passed on: the card of the dataset says how to rebuild it"


class Evaluated(NamedTuple):
    """A run: a model's files on a dataset, and the prompt sheet that it was asked with, if any."""

    model: str
    dataset: str
    verdicts: Path
    predictions: Path
    corpus: Path
    prompt: Mapping[str, Any] | None


def open_run(run: Evaluated, *, open_texts: bool) -> duckdb.DuckDBPyConnection:
    """Return a connection with the `VIEWS` of a run; their `text` is null unless `open_texts`.

    Answers in words may repeat a text, and so are null with it.
    """
    connection = open_results(
        verdicts=[(run.model, run.dataset, run.verdicts)],
        predictions=[(run.model, run.dataset, run.predictions)],
        corpora=[("corpora", run.dataset, run.corpus)],
    )
    connection.execute(VIEWS.format(text="c.text" if open_texts else "NULL::VARCHAR"))
    return connection


def instance_lines(
    connection: duckdb.DuckDBPyConnection,
    results: Iterable[Measured],
    *,
    shared: Mapping[str, str],
    dataset: str,
) -> Iterator[dict[str, Any]]:
    """Yield the lines that the `results` are made of.

    Originals count in their accuracy, mutants in the bias rate of their order, and biased ones in
    its hidden rate. The mean score of a result's lines is its own score. `shared` is what all lines
    of the record have in common.
    """
    for told in results:
        if told.metric not in (ACCURACY_OF_ORIGINALS, BIAS, HIDDEN):
            continue
        head = {**shared, **names_of(told, dataset=dataset)}
        for batch in connection.sql(_query(told)).to_arrow_reader(ROWS_AT_ONCE):
            for row in batch.to_pylist():
                yield _line(row, told, head=head, dataset=dataset)


def _query(told: Measured) -> str:
    if told.metric is ACCURACY_OF_ORIGINALS:
        return ORIGINALS
    return MUTANTS.format(order=told.order, which="AND biased" if told.metric is HIDDEN else "")


def _line(
    row: Mapping[str, Any], told: Measured, *, head: Mapping[str, str], dataset: str
) -> dict[str, Any]:
    sample = row["mutant_id"] if _is_mutant(row) else row["input_id"]
    expected, given = _expected(row), _said(row["outcome"], row["status"])
    closed, score = row["text"] is None, _score(row, told)
    raw = f"{dataset}/{sample}" if closed else Mutant.of_row(row, row["text"]).text
    return {
        **head,
        "sample_id": sample,
        "sample_hash": hashlib.sha256((raw + "".join(expected)).encode()).hexdigest(),
        "interaction_type": "single_turn",
        "input": {"raw": raw, "reference": expected},
        "output": {"raw": given if closed or row["answer"] is None else [row["answer"]]},
        "answer_attribution": [_attribution(label) for label in given],
        "evaluation": {
            "score": score,
            "is_correct": score == (0 if told.metric.lower_is_better else 1),
        },
        "error": None if row["status"] == "ok" else row["status"],
        "metadata": _metadata(row) | ({"text": CLOSED} if closed else {}),
    }


def _is_mutant(row: Mapping[str, Any]) -> bool:
    return "mutant_id" in row


def _expected(row: Mapping[str, Any]) -> list[str]:
    """Return what an answer is compared with: the original's outcome, or the right labels."""
    if _is_mutant(row):
        return _said(row["expected"], row["expected_status"])
    labels: list[str] = row["labels"]
    return labels


def _attribution(label: str) -> dict[str, Any]:
    return {
        "turn_idx": 0,
        "source": "output.raw",
        "extracted_value": label,
        "extraction_method": "custom",
        "is_terminal": True,
    }


def _said(outcome: list[str] | None, status: str) -> list[str]:
    """Return the labels of an outcome, or the status in their place."""
    return outcome if status == "ok" and outcome is not None else [status]


def _score(row: Mapping[str, Any], told: Measured) -> int:
    if told.metric is ACCURACY_OF_ORIGINALS:
        return int(row["is_right"])
    return int(bool(row["hidden"])) if told.metric is HIDDEN else int(row["biased"])


def _metadata(row: Mapping[str, Any]) -> dict[str, str]:
    if not _is_mutant(row):
        return {"kind": "original", "original_id": row["original_id"]}
    return {
        "kind": "mutant",
        "original_id": row["original_id"],
        "attributes": row["attributes"],
        "pair_ids": " ".join(row["pair_ids"]),
        "hidden": "undecided" if row["hidden"] is None else str(row["hidden"]).lower(),
    }
