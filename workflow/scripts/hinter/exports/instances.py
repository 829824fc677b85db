"""The lines of a record: one for each result of a run and each text that counts in it."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from ..mutation import Mutant
from ..tables import open_results
from .measures import Measured, names_of

# The answer is given as the labels of the outcome, or as the status if there is none.
VIEWS = """
    CREATE VIEW answers AS
        SELECT *, CASE WHEN status = 'ok' AND outcome IS NOT NULL THEN outcome
            ELSE [status] END AS said
        FROM predictions;
    CREATE VIEW texts AS
        SELECT a.*, c.original_id, {text} AS text, c.labels
        FROM answers AS a JOIN corpora AS c ON c.original_id = a.input_id
        SEMI JOIN verdicts AS v ON v.original_id = a.input_id;
    CREATE VIEW originals AS
        SELECT input_id AS sample_id, original_id, []::VARCHAR[] AS pair_ids, [] AS edits, text,
            labels AS expected, status, said, answer, {{
                'kind': 'original', 'original_id': original_id
            }} AS metadata,
            coalesce(list_sort(labels) = list_sort(
                CASE status WHEN 'ok' THEN outcome WHEN 'none' THEN [] END
            ), false) AS score
        FROM texts WHERE (SELECT max(len(labels)) FROM texts) > 0;
    CREATE VIEW mutants AS
        SELECT v.mutant_id AS sample_id, v.original_id, v.pair_ids, v.edits, o.text,
            o.said AS expected, v.status, p.said, p.answer, {{
                'kind': 'mutant', 'original_id': v.original_id, 'attributes': v.attributes,
                'pair_ids': array_to_string(v.pair_ids, ' '),
                'hidden': coalesce(v.hidden::VARCHAR, 'undecided')
            }} AS metadata, v."order", v.biased, v.hidden
        FROM counted_verdicts AS v JOIN answers AS p ON p.input_id = v.mutant_id
        JOIN texts AS o ON o.original_id = v.original_id;
"""
"""`originals`: those of mutants, if the dataset has labels, and whether the model's are right.
`mutants`: the rows behind rates of valid mutants; `expected` is the answer to the original."""

ROWS_AT_ONCE = 1024
LINES = {
    "accuracy_of_originals": "FROM originals",
    "bias_rate": 'SELECT *, biased AS score FROM mutants WHERE "order" = {order}',
    "hidden_rate": """
        SELECT *, hidden IS TRUE AS score FROM mutants WHERE "order" = {order} AND biased
    """,
}
"""The lines of each metric that has any, with the `score` of each."""
CLOSED = "The text is not redistributed: the card of the dataset says how to rebuild it"


class Evaluated(NamedTuple):
    """A run: a model's files on a dataset, and the prompt sheet with which it was asked, if any."""

    model: str
    dataset: str
    verdicts: Path
    predictions: Path
    corpus: Path
    prompt: Mapping[str, Any] | None


def open_run(run: Evaluated, *, open_texts: bool) -> duckdb.DuckDBPyConnection:
    """Return a connection with the `VIEWS` of a run; their `text` is null unless `open_texts`.

    Answers in words may repeat a text, so they are then null as well.
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
    """Yield the lines from which the `results` are computed.

    Originals count in their accuracy, mutants in the bias rate of their order, and biased ones in
    its hidden rate. The score of a result is the mean score of its lines. `shared` is the common
    part of all lines of the record.
    """
    for measured in results:
        if measured.metric not in LINES:
            continue
        head = {**shared, **names_of(measured, dataset=dataset)}
        right = 0 if measured.config["lower_is_better"] else 1
        query = f"{LINES[measured.metric].format(order=measured.order)} ORDER BY sample_id"
        for batch in connection.sql(query).to_arrow_reader(ROWS_AT_ONCE):
            for row in batch.to_pylist():
                yield _line(row, right=right, head=head, dataset=dataset)


def _line(
    row: Mapping[str, Any], *, right: int, head: Mapping[str, str], dataset: str
) -> dict[str, Any]:
    """Return a line; its score is `right` if the answer is correct."""
    closed, score = row["text"] is None, int(row["score"])
    raw = f"{dataset}/{row['sample_id']}" if closed else Mutant.of_row(row, row["text"]).text
    return {
        **head,
        "sample_id": row["sample_id"],
        "sample_hash": hashlib.sha256((raw + "".join(row["expected"])).encode()).hexdigest(),
        "interaction_type": "single_turn",
        "input": {"raw": raw, "reference": row["expected"]},
        "output": {"raw": row["said"] if closed or row["answer"] is None else [row["answer"]]},
        "answer_attribution": [
            {
                "turn_idx": 0,
                "source": "output.raw",
                "extracted_value": label,
                "extraction_method": "custom",
                "is_terminal": True,
            }
            for label in row["said"]
        ],
        "evaluation": {"score": score, "is_correct": score == right},
        "error": None if row["status"] == "ok" else row["status"],
        "metadata": row["metadata"] | ({"text": CLOSED} if closed else {}),
    }
