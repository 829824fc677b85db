"""Write a study's data as a dataset for publication: Parquet files by part, card and citation."""

import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from ..blocks import RowGroups
from ..cases import CASES_SCHEMA
from ..corpora import TEXTS_AT_ONCE
from ..dictionary import WordPair, as_rows
from ..mutants import COMPARATORS_SCHEMA
from ..mutation import Mutant
from ..tables import Results, open_results
from .card import Size, Studied, card_of
from .parts import CASES, PAIRS, SUITE, VERDICTS, Part

ROWS_AT_ONCE = 4096
# Maps become lists, as not all loaders support maps.
SCORES = "[{{'label': e.key, 'score': e.value}} for e in map_entries({rows}.scores)]"
ANSWERS = f"""p.outcome, {SCORES.format(rows="p")} AS scores, o.outcome AS original_outcome,
            {SCORES.format(rows="o")} AS original_scores"""
QUERIES = {
    SUITE.name: """
        SELECT dataset, original_id AS input_id, 'original' AS kind, original_id,
            0 AS "order", '' AS attributes, []::VARCHAR[] AS pair_ids, NULL AS operator,
            [] AS edits, NULL AS one_person, NULL AS valid, NULL AS sampled, labels, {text} AS text
        FROM corpora AS c SEMI JOIN suites USING (original_id)
        UNION ALL
        SELECT c.dataset, mutant_id, CASE WHEN control THEN 'control' ELSE 'mutant' END,
            original_id, "order", attributes, pair_ids, operator, edits, one_person, valid,
            sampled, NULL, {text}
        FROM suites JOIN corpora AS c USING (original_id)
        ORDER BY input_id
    """,
    VERDICTS.name: f"""
        SELECT v.*, {ANSWERS}
        FROM judged AS v JOIN predictions AS p ON p.input_id = v.mutant_id
        JOIN predictions AS o ON o.input_id = v.original_id
        ORDER BY v.mutant_id
    """,
    CASES.name: f"""
        SELECT v.*, {ANSWERS}, h.tolerant, h.strict, h.heads,
            e.edits AS sufficient_edits, e.times_biased, e.times_hidden
        FROM verdicts AS v JOIN predictions AS p ON p.input_id = v.mutant_id
        JOIN predictions AS o ON o.input_id = v.original_id
        LEFT JOIN comparators AS h USING (mutant_id) LEFT JOIN cases AS e USING (mutant_id)
        WHERE v.biased ORDER BY v.mutant_id
    """,
}
# Their columns are null if a study has not made them.
OPTIONAL = {"comparators": COMPARATORS_SCHEMA, "cases": CASES_SCHEMA}


def write_dataset(
    results: Mapping[str, Results],
    *,
    pairs: Mapping[str, WordPair],
    studied: Studied,
    template: str,
    citation_file: Path,
    folder: Path,
) -> None:
    """Write the parts, the card README.md and a copy of the citation into `folder`.

    `results` are those that are published, by name: suites, corpora, verdicts, predictions, and
    comparators and cases, which may be empty. The card is made from its Jinja `template`.
    """
    sizes = {
        PAIRS.name: _write(PAIRS, "pairs", [pa.Table.from_pylist(as_rows(pairs.values()))], folder)
    }
    by_dataset = {dataset: path for _, dataset, path in results["corpora"]}
    for _, dataset, path in results["suites"]:
        rows = _suite_rows(
            dataset,
            suite=path,
            corpus=by_dataset[dataset],
            open_texts=studied.sources[dataset]["redistribute"],
        )
        _add(sizes, SUITE, _write(SUITE, dataset, rows, folder))
    for run in results["verdicts"]:
        model, dataset, _ = run
        connection = _open_run(results, run)
        for part in (VERDICTS, CASES):
            tables = _tables(connection, QUERIES[part.name])
            named = (_named(table, model=model, dataset=dataset) for table in tables)
            _add(sizes, part, _write(part, f"{model}/{dataset}", named, folder))
    card = card_of(sizes, studied=studied, template=template)
    (folder / "README.md").write_text(card, encoding="utf-8")
    shutil.copyfile(citation_file, folder / "CITATION.cff")


def _open_run(
    results: Mapping[str, Results], verdicts: tuple[str, str, Path]
) -> duckdb.DuckDBPyConnection:
    """Return a connection with the files of the run that has these verdicts."""
    run: dict[str, Results] = {"verdicts": [verdicts]}
    for name in ("predictions", "cases"):
        run[name] = [part for part in results[name] if part[:2] == verdicts[:2]]
    run["comparators"] = [part for part in results["comparators"] if part[1] == verdicts[1]]
    connection = open_results(**{name: parts for name, parts in run.items() if parts})
    for name, schema in OPTIONAL.items():
        if not run[name]:
            connection.register(name, schema.empty_table())
    return connection


def _suite_rows(dataset: str, *, suite: Path, corpus: Path, open_texts: bool) -> Iterator[pa.Table]:
    """Yield the rows of a suite, with texts if these may be redistributed."""
    connection = open_results(
        suites=[("suites", dataset, suite)], corpora=[("corpora", dataset, corpus)]
    )
    text = "c.text" if open_texts else "NULL::VARCHAR"
    for table in _tables(connection, QUERIES[SUITE.name].format(text=text)):
        if open_texts:
            rows = table.to_pylist()
            texts = [Mutant.of_row(row, row["text"]).text for row in rows]
            number = table.schema.get_field_index("text")
            table = table.set_column(number, "text", pa.array(texts, pa.string()))
        yield table


def _tables(connection: duckdb.DuckDBPyConnection, query: str) -> Iterator[pa.Table]:
    for batch in connection.sql(query).to_arrow_reader(ROWS_AT_ONCE):
        yield pa.Table.from_batches([batch])


def _named(table: pa.Table, **names: str) -> pa.Table:
    """Return the rows with the names of their model and dataset."""
    for name, value in names.items():
        column = pa.array([value] * table.num_rows, pa.string())
        table = table.set_column(table.schema.get_field_index(name), name, column)
    return table


def _write(part: Part, name: str, tables: Iterable[pa.Table], folder: Path) -> Size:
    """Write the rows of a file in a part, and return its size."""
    path = folder / part.name / f"{name}.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = size = 0
    with RowGroups(path, schema=part.schema) as written:
        for table in tables:
            chosen = table.select(part.schema.names).cast(part.schema)
            written.write(chosen)
            rows += chosen.num_rows
            size += chosen.nbytes
    return Size(rows, size, path.stat().st_size)


def _add(sizes: dict[str, Size], part: Part, size: Size) -> None:
    sizes[part.name] = Size(*map(sum, zip(sizes.get(part.name, Size(0, 0, 0)), size, strict=True)))


def rebuilt_texts(export: Path, *, corpora: Path) -> Iterator[tuple[str, str, str]]:
    """Yield dataset, input_id and text of all recipes in the folder of an exported dataset.

    `corpora` is a folder with the corpora that a study prepares, `{dataset}.parquet`.
    """
    for path in sorted((export / "suite").glob("*.parquet")):
        corpus = pq.read_table(corpora / path.name, columns=["original_id", "text"])
        texts = dict(zip(*corpus.to_pydict().values(), strict=True))
        for batch in pq.ParquetFile(path).iter_batches(TEXTS_AT_ONCE):
            for row in batch.to_pylist():
                mutant = Mutant.of_row(row, texts[row["original_id"]])
                yield path.stem, row["input_id"], mutant.text
