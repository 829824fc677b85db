"""Seconds and peak memory of a study's tables over 20 million made-up verdicts: one JSON line.

`.venv/bin/python benchmarks/bench_tables.py`. Two models on two datasets; each table that reads
verdicts, predictions or mutants is made in a process of its own, with the environment that
Snakemake gives it. `seconds` is the time inside the tables, without imports.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workflow" / "scripts"))

MODELS, DATASETS = ("m", "n"), ("d", "e")
ATTRIBUTES = ("body", "gender", "race")
TARGETS = 12
"""Pairs per attribute and original: 36 atomic mutants and 432 of two attributes."""

MUTANTS = f"""
    WITH pairs AS (
        SELECT attribute, target, concat(attribute, ':', attribute, '>t', target) AS pair_id
        FROM (SELECT unnest({list(ATTRIBUTES)}) AS attribute), range({TARGETS}) AS t(target)
    ),
    recipes AS (
        SELECT attribute AS attributes, [pair_id] AS pair_ids FROM pairs
        UNION ALL
        SELECT concat(a.attribute, '+', b.attribute), [a.pair_id, b.pair_id]
        FROM pairs AS a JOIN pairs AS b ON a.attribute < b.attribute
    ),
    originals AS (
        SELECT printf('%016x', o) AS original_id, hash(o) % 997 < 400 AS fragile
        FROM range({{originals}}) AS t(o)
    )
    SELECT concat(original_id, '|', array_to_string(pair_ids, '|')) AS mutant_id, original_id,
        len(pair_ids)::TINYINT AS "order", attributes, pair_ids,
        hash(mutant_id) % 10 < 9 AS valid, NULL::BOOLEAN AS drawn, fragile
    FROM originals, recipes ORDER BY original_id, "order", attributes, mutant_id
"""
VERDICTS = """
    WITH told AS (
        SELECT *, fragile AND hash('{model}', original_id, pair_ids[1]) % 100 < 6 AS first,
            "order" = 2 AND fragile AND hash('{model}', original_id, pair_ids[2]) % 100 < 6
                AS second,
            "order" = 2 AND fragile AND hash('{model}', mutant_id) % 100 < 20 AS changed
        FROM mutants
    )
    SELECT mutant_id, original_id, "order", attributes, pair_ids, valid, drawn, 'ok' AS status,
        "order" AS visible_order,
        CASE WHEN "order" = 1 THEN first ELSE changed END AS biased,
        hash(mutant_id) % 5 > 0 AS complete,
        CASE WHEN "order" = 2 THEN complete AND changed AND NOT first AND NOT second END AS hidden,
        list_concat(
            CASE WHEN first THEN pair_ids[:1] ELSE [] END,
            CASE WHEN second THEN pair_ids[2:] ELSE [] END,
            CASE WHEN changed AND NOT first AND NOT second
                THEN [array_to_string(pair_ids, '|')] ELSE [] END
        ) AS minimal_subsets
    FROM told
"""
PREDICTIONS = """
    SELECT mutant_id AS input_id, [CASE WHEN biased THEN 'n' ELSE 'p' END] AS outcome, status,
        NULL::VARCHAR AS answer, visible_order
    FROM read_parquet('{verdicts}')
    UNION ALL
    SELECT original_id, ['p'], 'ok', NULL, 0::TINYINT FROM corpus
"""
COMPARATORS = """
    SELECT mutant_id, if(valid, 'valid', 'pos') AS tolerant, if(hash(mutant_id) % 10 < 7, 'valid',
        'dep') AS strict, if(hash(mutant_id) % 10 < 6, 'valid', 'dep') AS heads
    FROM mutants
"""
COUNTS = """
    SELECT original_id, "order", attributes, if(valid, NULL, 'pos') AS reason, count(*) AS mutants
    FROM mutants GROUP BY ALL ORDER BY ALL
"""
JUDGED = """
    SELECT mutant_id, original_id, "order", 1.0 AS weight, hash(mutant_id) % 2 = 0 AS survives,
        survives AS grammar, survives AS meaning,
        if(valid, 'valid', 'pos') AS tolerant, tolerant AS strict, tolerant AS heads
    FROM mutants ORDER BY hash(mutant_id) LIMIT 300
"""
CORPUS = """
    SELECT DISTINCT original_id, if(hash(original_id) % 5 = 0, 'held_out', 'tested') AS split,
        'A body and a gender and a race.' AS text, ['p'] AS labels
    FROM mutants
"""
PAIRS = """
    SELECT DISTINCT unnest(pair_ids) AS pair_id, split_part(pair_id, ':', 1) AS attribute,
        attribute AS source_group, concat('g', split_part(pair_id, '>t', 2)::INT % 6)
            AS target_group, attribute AS source, split_part(pair_id, '>', 2) AS target
    FROM mutants ORDER BY pair_id
"""


def main(*, rows: int) -> None:
    """Print the record."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        # Of a child made by fork, the peak memory is at least its parent's.
        making = [sys.executable, __file__, "--rows", str(rows), "--folder", name]
        made = int(subprocess.run(making, stdout=subprocess.PIPE, check=True).stdout)
        tables = {table: _run(table, folder) for table in TABLES}
    record = {
        "rows": made,
        "seconds": round(sum(table["seconds"] for table in tables.values()), 1),
        "peak_rss_mb": max(table["peak_rss_mb"] for table in tables.values()),
        "cpus": os.cpu_count(),
        "tables": tables,
    }
    print(json.dumps(record))


def _make_study(folder: Path, *, rows: int) -> int:
    """Write the files of the study and return the number of verdicts."""
    made, originals = 0, rows // len(MODELS) // len(DATASETS) // 468
    for dataset in DATASETS:
        connection = duckdb.connect()
        connection.execute(f"CREATE TABLE mutants AS {MUTANTS.format(originals=originals)}")
        connection.execute(f"CREATE TABLE corpus AS {CORPUS}")
        queries = {"counts": COUNTS, "comparators": COMPARATORS, "suites": "FROM mutants"}
        files = {f"{kind}/{dataset}": query for kind, query in queries.items()}
        files |= {f"corpora/{dataset}": "FROM corpus"}
        for model in MODELS:
            verdicts = folder / "verdicts" / model / f"{dataset}.parquet"
            files[f"verdicts/{model}/{dataset}"] = VERDICTS.format(model=model)
            files[f"predictions/{model}/{dataset}"] = PREDICTIONS.format(verdicts=verdicts)
        for file, query in files.items():
            path = folder / f"{file}.parquet"
            path.parent.mkdir(parents=True, exist_ok=True)
            connection.execute(f"COPY ({query}) TO '{path}' (FORMAT parquet, COMPRESSION zstd)")
        connection.execute(f"COPY ({JUDGED}) TO '{folder / 'judged.parquet'}'")
        connection.execute(f"COPY ({PAIRS}) TO '{folder / 'pairs.csv'}'")
        made += len(MODELS) * connection.execute("SELECT count(*) FROM mutants").fetchall()[0][0]
    return made


def _run(table: str, folder: Path) -> dict[str, float]:
    """Make one table in a process of its own."""
    command = [sys.executable, __file__, "--table", table, "--folder", str(folder)]
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment)
    assert process.stdout
    seconds = float(process.stdout.read())
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return {"seconds": round(seconds, 2), "peak_rss_mb": round(usage.ru_maxrss / 1024)}


def _files(folder: Path, kind: str, *, per_model: bool = True) -> list[tuple[str, str, Path]]:
    models = MODELS if per_model else (".",)
    return [
        (model, dataset, folder / kind / model / f"{dataset}.parquet")
        for model in models
        for dataset in DATASETS
    ]


def _hidden_cases(folder: Path) -> Any:
    from hinter.corpora import Text
    from hinter.dictionary import read_pairs
    from hinter.tables import tabulate_hidden_cases

    text = "A body and a gender and a race."
    ids = duckdb.sql(f"SELECT original_id FROM '{folder}/corpora/*.parquet'").fetchall()
    return tabulate_hidden_cases(
        _files(folder, "verdicts"),
        _files(folder, "predictions"),
        texts={original_id: Text(original_id, text) for (original_id,) in ids},
        pairs={pair.pair_id: pair for pair in read_pairs(folder / "pairs.csv")},
        count=10,
        seed=1,
    )


def _bias_rates(folder: Path) -> Any:
    import pandas as pd
    from hinter.tables import tabulate_bias_rates

    accuracy = pd.DataFrame(columns=["dataset", "model", "accuracy", "macro_f1"])
    counts = _files(folder, "counts", per_model=False)
    return tabulate_bias_rates(_files(folder, "verdicts"), counts, accuracy=accuracy, seed=1)


def _accuracy(folder: Path) -> Any:
    from hinter.tables import tabulate_accuracy

    corpora = {dataset: path for _, dataset, path in _files(folder, "corpora", per_model=False)}
    return tabulate_accuracy(_files(folder, "predictions"), corpora=corpora)


def _groups_bias(folder: Path) -> Any:
    from hinter.tables import tabulate_groups_bias

    return tabulate_groups_bias(
        _files(folder, "verdicts"), [], pairs=folder / "pairs.csv", outcome_statuses=[], seed=1
    )


def _corrected_rates(folder: Path) -> Any:
    import pandas as pd
    from hinter.tables import tabulate_corrected_rates

    judged = pd.read_parquet(folder / "judged.parquet")
    verdicts = _files(folder, "verdicts")
    return tabulate_corrected_rates(verdicts, judged, comparator="tolerant", seed=1)


def _comparators(folder: Path) -> Any:
    from hinter.tables import tabulate_comparators

    comparators = _files(folder, "comparators", per_model=False)
    return tabulate_comparators(_files(folder, "verdicts"), comparators, seed=1)


def _of_files(name: str, *kinds: str, **settings: Any) -> Callable[[Path], Any]:
    """Return how the table is made that needs nothing but result files."""

    def make(folder: Path) -> Any:
        import hinter.tables

        per_model = {"verdicts": True, "predictions": True}
        files = [_files(folder, kind, per_model=per_model.get(kind, False)) for kind in kinds]
        return getattr(hinter.tables, f"tabulate_{name}")(*files, **settings)

    return make


TABLES: dict[str, Callable[[Path], Any]] = {
    "mutants": _of_files("mutants", "counts", "suites"),
    "validity": _of_files("validity", "counts"),
    "accuracy": _accuracy,
    "answers": _of_files("answers", "predictions"),
    "bias_rates": _bias_rates,
    "biased_originals": _of_files("biased_originals", "verdicts"),
    "hidden_cases": _hidden_cases,
    "comparators": _comparators,
    "corrected_rates": _corrected_rates,
    "false_positives": _of_files("false_positives", "verdicts", seed=1),
    "truth_table": _of_files("truth_table", "verdicts", seed=1),
    "atomic_mutants": _of_files("atomic_mutants", "verdicts", seed=1),
    "exposure": _of_files("exposure", "verdicts"),
    "lattice": _of_files("lattice", "verdicts", seed=1),
    "model_comparison": _of_files("model_comparison", "verdicts", seed=1),
    "groups_bias": _groups_bias,
}


def _make_one(table: str, folder: Path) -> None:
    import hinter.tables  # noqa: F401

    started = time.perf_counter()
    TABLES[table](folder)
    print(time.perf_counter() - started)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000_000, help="how many verdicts")
    parser.add_argument("--table", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.table:
        _make_one(given.table, given.folder)
    elif given.folder:
        print(_make_study(given.folder, rows=given.rows))
    else:
        main(rows=given.rows)
