"""Seconds and peak memory of a study's tables over 20 million made-up verdicts: one JSON line.

`.venv/bin/python benchmarks/bench_tables.py`. Two models on two datasets; each table that reads
verdicts, predictions or mutants is made in a process of its own, with the environment that
Snakemake gives it. `seconds` is the time inside the tables, without imports; the ratio is that of
a table, on average, to reading all verdicts once.
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

from isa import machine
from made_up_study import DATASETS, MODELS, make_study
from read_times import seconds_to_read

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workflow" / "scripts"))


def main(*, rows: int) -> None:
    """Print the record."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        # Of a child made by fork, the peak memory is at least its parent's.
        making = [sys.executable, __file__, "--rows", str(rows), "--folder", name]
        made = int(subprocess.run(making, stdout=subprocess.PIPE, check=True).stdout)
        tables = {table: _run(table, folder) for table in TABLES}
        reading = seconds_to_read(path for _, _, path in _files(folder, "verdicts"))
    seconds = sum(table["seconds"] for table in tables.values())
    record = {
        "rows": made,
        "seconds": round(seconds, 1),
        "seconds_reading": round(reading, 2),
        "ratio_to_reading": round(seconds / len(tables) / reading, 2),
        "peak_rss_mb": max(table["peak_rss_mb"] for table in tables.values()),
        **machine(),
        "tables": tables,
    }
    print(json.dumps(record))


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
    from hinter.dictionary import read_pairs
    from hinter.tables.rq1.table1_hidden_cases import tabulate_hidden_cases

    return tabulate_hidden_cases(
        _files(folder, "verdicts"),
        _files(folder, "predictions"),
        cases=[],
        corpora=_files(folder, "corpora", per_model=False),
        pairs={pair.pair_id: pair for pair in read_pairs(folder / "pairs.csv")},
        count=10,
        seed=1,
    )


def _bias_rates(folder: Path) -> Any:
    import pandas as pd
    from hinter.tables.rq1.table2_bias_rates import tabulate_bias_rates

    accuracy = pd.DataFrame(columns=["dataset", "model", "accuracy", "macro_f1"])
    counts = _files(folder, "counts", per_model=False)
    verdicts, predictions = (_files(folder, name) for name in ("verdicts", "predictions"))
    return tabulate_bias_rates(verdicts, counts, predictions=predictions, accuracy=accuracy, seed=1)


def _excess(folder: Path) -> Any:
    from hinter.tables.rq1.excess import tabulate_excess

    controls = _files(folder, "controls", per_model=False)
    primary = {"measure": "hidden bias", "order": 2}
    return tabulate_excess(_files(folder, "verdicts"), controls, primary=primary, seed=1)


def _accuracy(folder: Path) -> Any:
    from hinter.tables.rq1.answers import tabulate_accuracy

    corpora = _files(folder, "corpora", per_model=False)
    return tabulate_accuracy(_files(folder, "predictions"), corpora=corpora, limits=[], seed=1)


def _warnings(folder: Path) -> Any:
    from hinter.tables.rq1.warnings import tabulate_warnings

    corpora = _files(folder, "corpora", per_model=False)
    return tabulate_warnings(
        _files(folder, "predictions"),
        _files(folder, "verdicts"),
        [],
        corpora=corpora,
        controls=_files(folder, "controls", per_model=False),
        outcome_statuses=[],
        limits=[],
        seed=1,
    )


def _groups_bias(folder: Path) -> Any:
    from hinter.tables.rq4.groups_bias import tabulate_groups_bias

    return tabulate_groups_bias(
        _files(folder, "verdicts"),
        [],
        _files(folder, "controls", per_model=False),
        pairs=folder / "pairs.csv",
        outcome_statuses=[],
        seed=1,
    )


def _shifts(folder: Path) -> Any:
    from hinter.tables.rq4.shifts import tabulate_shifts

    verdicts, predictions = (_files(folder, kind) for kind in ("verdicts", "predictions"))
    return tabulate_shifts(verdicts, predictions, [], pairs=folder / "pairs.csv", seed=1)


def _corrected_rates(folder: Path) -> Any:
    import pandas as pd
    from hinter.tables.rq3.corrected_rates import tabulate_corrected_rates

    assessed = pd.read_parquet(folder / "assessed.parquet")
    verdicts = _files(folder, "verdicts")
    return tabulate_corrected_rates(verdicts, assessed, comparator="tolerant", seed=1)


def _comparators(folder: Path) -> Any:
    from hinter.tables.rq3.checks import tabulate_comparators

    comparators = _files(folder, "comparators", per_model=False)
    return tabulate_comparators(_files(folder, "verdicts"), comparators, seed=1)


def _of_files(table: str, *kinds: str, **settings: Any) -> Callable[[Path], Any]:
    """Return how the table is made that needs nothing but result files."""

    def make(folder: Path) -> Any:
        """Make the table."""
        from hinter.declarations import declared, import_table

        per_model = {"verdicts": True, "predictions": True}
        files = [_files(folder, kind, per_model=per_model.get(kind, False)) for kind in kinds]
        (made,) = (each for each in declared("tables") if f"{each.section}.{each.name}" == table)
        declaration = import_table(made.module, made.name)
        return declaration.compute(**dict(zip(kinds, files, strict=True)), **settings)

    return make


TABLES: dict[str, Callable[[Path], Any]] = {
    "mutants": _of_files("data.mutants", "counts", "suites"),
    "validity": _of_files("rq3.figure6_validity", "counts", seed=1),
    "accuracy": _accuracy,
    "answers": _of_files("rq1.answers", "predictions"),
    "warnings": _warnings,
    "bias_rates": _bias_rates,
    "excess": _excess,
    "biased_originals": _of_files("rq1.figure4_biased_originals", "verdicts"),
    "hidden_cases": _hidden_cases,
    "comparators": _comparators,
    "corrected_rates": _corrected_rates,
    "false_positives": _of_files("rq3.figure7_false_positives", "verdicts", seed=1),
    "truth_table": _of_files("rq4.figure9_truth_table", "verdicts", seed=1),
    "atomic_mutants": _of_files("rq4.figure9_atomic_mutants", "verdicts", seed=1),
    "exposure": _of_files("rq4.figure10_exposure", "verdicts"),
    "lattice": _of_files("rq4.lattice", "verdicts", seed=1),
    "model_comparison": _of_files("rq1.model_comparison", "verdicts", limits=[], seed=1),
    "groups_bias": _groups_bias,
    "shifts": _shifts,
    "interactions": _of_files("rq4.interactions", "verdicts", "predictions", seed=1),
}


def _make_one(table: str, folder: Path) -> None:
    from hinter.declarations import declared, import_table

    for made in declared("tables"):
        import_table(made.module, made.name)
    started = time.perf_counter()
    TABLES[table](folder)
    print(time.perf_counter() - started)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000_000, help="how many verdicts")
    parser.add_argument("--table", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.table:
        _make_one(arguments.table, arguments.folder)
    elif arguments.folder:
        print(make_study(arguments.folder, rows=arguments.rows))
    else:
        main(rows=arguments.rows)
