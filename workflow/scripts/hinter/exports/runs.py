"""A model's run on a dataset, as the relations that records are made of."""

from pathlib import Path

import duckdb

from ..tables import open_results

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


def open_run(
    model: str, dataset: str, *, verdicts: Path, predictions: Path, corpus: Path, open_texts: bool
) -> duckdb.DuckDBPyConnection:
    """Return a connection with the `VIEWS` of a run; their `text` is null unless `open_texts`.

    Answers in words may repeat a text, and so are null with it.
    """
    connection = open_results(
        verdicts=[(model, dataset, verdicts)],
        predictions=[(model, dataset, predictions)],
        corpora=[("corpora", dataset, corpus)],
    )
    connection.execute(VIEWS.format(text="c.text" if open_texts else "NULL::VARCHAR"))
    return connection
