"""Run a whole study of many mutants by tiny encoders: one JSON line of what each stage takes.

`.venv/bin/python benchmarks/bench_load.py`; README.md tells how many mutants other numbers of
`--texts` make. They are the registry's whole movie reviews, or several of them `--joined` to one
text, prepared as for the default study. The encoders have the papers' architectures, random weights
and a vocabulary of these reviews; each is fine-tuned in the run. Every mutant is run by each,
discarded ones and controls too.
"""

import argparse
import csv
import json
import shutil
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import pyarrow as pa
import yaml
from corpus import ROOT, SEED, parser_folder, read_reviews
from isa import machine
from watching import add_up, run_watched

sys.path.insert(0, str(ROOT / "data" / "rehearsal"))
from tiny_models import write_encoder

ENCODERS = ("bert", "distilbert-rater", "roberta")
WINDOW = 256
POSITIONS = WINDOW + 2
TEXTS_OF_VOCABULARY = 500
ENCODER = {
    "kind": "encoder",
    "max_tokens": WINDOW,
    "threads": 1,
    "shards": 2,
    "fine_tuning": {"epochs": 1, "learning_rate": 1.0e-3},
}
ROWS = """
    SELECT
        (SELECT count(*) FROM '{results}/mutants/*.parquet') AS mutants,
        (SELECT count(*) FROM '{results}/mutants/*.parquet' WHERE valid) AS valid_mutants,
        (SELECT count(*) FROM '{results}/suites/*.parquet' WHERE NOT control) AS tested_mutants,
        (SELECT count(*) FROM '{results}/suites/*.parquet' WHERE control) AS controls,
        (SELECT count(*) FROM '{results}/verdicts/*/*.parquet') AS verdicts
"""


def main(*, texts: int, joined: int, cores: int, folder: Path | None) -> None:
    """Run the study and print the record."""
    with _study_folder(folder) as place:
        write_sheets(place, texts=texts, joined=joined)
        snakemake = [sys.executable, "-m", "snakemake", "--cores", str(cores)]
        where = ["--snakefile", str(ROOT / "Snakefile"), "--directory", str(place)]
        started = time.perf_counter()
        jobs = run_watched([*snakemake, *where, "--configfile", "load.yaml"], folder=place)
        stages = add_up(jobs)
        record = {
            "texts": texts,
            "joined": joined,
            "cores": cores,
            "study_seconds": round(time.perf_counter() - started, 1),
            "cpu_seconds": round(sum(stage.cpu_seconds for stage in stages.values()), 1),
            "peak_rss_mb": max(stage.peak_rss_mb for stage in stages.values()),
            **_rows(place / "results"),
            "stages": {rule: stage._asdict() for rule, stage in stages.items()},
            "disk_mb": disk_megabytes(place, parts=("results", "store")),
            **machine(),
        }
    print(json.dumps(record))


@contextmanager
def _study_folder(folder: Path | None) -> Iterator[Path]:
    """Yield an empty folder for the study, which is left where it was asked for."""
    if folder is None:
        with TemporaryDirectory() as name:
            yield Path(name)
    else:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        yield folder.resolve()


def write_sheets(folder: Path, *, texts: int, joined: int = 1) -> None:
    """Write texts, encoders and the sheets of a study that tests so many texts.

    Each text is made of as many `joined` reviews, and has the label of the first.
    """
    reviews = read_reviews()
    seen = reviews["text"].slice(0, TEXTS_OF_VOCABULARY).to_pylist()
    for name in ENCODERS:
        write_encoder(folder / "models" / name, name, seen, positions=POSITIONS)
    models = {
        f"tiny-{name}": {"about": f"{name}, tiny", "folder": f"models/{name}", **ENCODER}
        for name in ENCODERS
    }
    dataset = _read(ROOT / "config" / "datasets.yaml")["imdb"] | {"max_chars": None}
    dataset["splits"] |= {"tested": texts}
    if joined > 1:
        dataset = _joined(dataset, reviews, folder / "joined.csv", count=joined)
    study = {
        "seed": SEED,
        "datasets": ["reviews"],
        "models": list(models),
        "datasets_sheet": "datasets.yaml",
        "models_sheet": "models.yaml",
        "mutation": {"operators": ["literal"], "occurrences": []},
        "suite": {"originals": None, "pairs_per_attribute": None, "discarded": True},
        "resources": str(parser_folder().parent),
    }
    for name, sheet in {"datasets": {"reviews": dataset}, "models": models, "load": study}.items():
        (folder / f"{name}.yaml").write_text(yaml.safe_dump(sheet), encoding="utf-8")


def _joined(
    dataset: Mapping[str, Any], reviews: pa.Table, path: Path, *, count: int
) -> dict[str, Any]:
    """Write texts of `count` reviews each, and return the entry of the dataset that has them."""
    starts = range(0, reviews.num_rows - count + 1, count)
    texts, labels = reviews["text"].to_pylist(), reviews["labels"].to_pylist()
    rows = [("\n".join(texts[start : start + count]), labels[start][0]) for start in starts]
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("text", "label"), *rows])
    kept = {name: dataset[name] for name in ("about", "text", "label", "prompt", "max_chars")}
    splits = dataset["splits"] | dict.fromkeys(("held_out", "training"), len(rows) // 4)
    names = sorted({label for _, label in rows})
    return {**kept, "file": path.name, "label_names": names, "splits": splits}


def _read(path: Path) -> dict[str, Any]:
    sheet: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return sheet


def _rows(results: Path) -> Mapping[str, int]:
    counted = duckdb.sql(ROWS.format(results=results))
    return dict(zip(counted.columns, counted.fetchall()[0], strict=True))


def disk_megabytes(folder: Path, *, parts: tuple[str, ...]) -> dict[str, float]:
    """Return the megabytes on the disk of each part of `parts`, in whole blocks of the disk."""
    return {
        inner.relative_to(folder).as_posix(): round(_blocks(inner) * 512 / 1e6, 1)
        for part in parts
        for inner in sorted((folder / part).iterdir())
    }


def _blocks(path: Path) -> int:
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_blocks for file in files if file.is_file())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=130, help="tested texts")
    parser.add_argument("--joined", type=int, default=1, help="reviews in each text")
    parser.add_argument("--cores", type=int, default=2, help="cores for the study")
    parser.add_argument("--folder", type=Path, help="where to leave the study, emptied before")
    main(**vars(parser.parse_args()))
