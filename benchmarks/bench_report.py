"""Size and speed of the report with 20,000 made-up cases, in headless Chromium: one JSON line.

`.venv/bin/python benchmarks/bench_report.py`. Two models on two datasets of texts of 1,300
characters, with their tables and the pictures drawn from them. The notice has been accepted, so all
of the page is shown at once, and the filters are used when all pictures are drawn. Of the filters,
the slowest of several counts, and of the first paints the slowest of three.
"""

import argparse
import json
import shutil
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import pyarrow.parquet as pq
from isa import machine
from made_up_study import DATASETS, MODELS, make_study
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "workflow" / "scripts"))

import write_report  # noqa: E402
from hinter.declarations import declared, import_table  # noqa: E402
from hinter.tables import TableFiles  # noqa: E402

PARTS = ROOT / "workflow" / "report" / "page"
PER_MODEL, PER_DATASET = ("verdicts", "predictions"), ("corpora", "suites", "controls")
TEXT = """
    concat('A body and a gender and a race. ', list_aggregate(list_transform(
        range(38), lambda i: md5(concat(original_id, i::VARCHAR))), 'string_agg', ' '))
"""
PLOTTED = """async () => {
    const waiting = [...document.querySelectorAll("[data-picture]")];
    for (const figure of waiting) {
        figure.scrollIntoView();
        while (!figure.querySelector("svg")) {
            await new Promise(done => setTimeout(done, 10));
        }
    }
    return waiting.length;
}"""
TABLES = ("excess", "groups_bias", "interactions", "figure9_truth_table", "figure10_exposure")
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
FILTER = """([name, value]) => {
    const control = document.getElementById("filters").elements[name];
    const started = performance.now();
    control.value = value;
    control.dispatchEvent(new Event("input", {bubbles: true}));
    document.getElementById("rows").getBoundingClientRect();
    return performance.now() - started;
}"""
FILTERS = [("model", "m"), ("model", ""), ("group", "body: g3"), ("term", "t7"), ("group", "")]
FILTERS += [("term", ""), ("text", "0a1"), ("text", "a body and"), ("text", "")]
FILTERS += [("sort", "largest shift"), ("sort", "by text")]


def main(*, rows: int) -> None:
    """Print the record."""
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("bench_report: found no chromium; expected the browser. Install chromium.")
    with TemporaryDirectory() as name:
        report = Path(name, "report.html")
        record: dict[str, Any] = {"rows": make_study(Path(name), rows=rows)}
        started = time.monotonic()
        _write(Path(name), report)
        record |= {
            "seconds": round(time.monotonic() - started, 1),
            "bytes": report.stat().st_size,
            **_looked_at(report, chromium),
            **machine(),
        }
    print(json.dumps(record))


def _write(folder: Path, report: Path) -> None:
    for dataset in DATASETS:
        corpus = folder / "corpora" / f"{dataset}.parquet"
        longer = duckdb.sql(f"FROM '{corpus}' SELECT * REPLACE ({TEXT} AS text)").to_arrow_table()
        pq.write_table(longer, corpus)
    files = {
        name: [str(folder / name / model / f"{dataset}.parquet") for model, dataset in RUNS]
        for name in PER_MODEL
    }
    files |= {
        name: [str(folder / name / f"{dataset}.parquet") for dataset in DATASETS]
        for name in (*PER_DATASET, "comparators")
    }
    tables = {
        table.name: _tabulate(table, folder, files)
        for table in declared("tables")
        if table.name in TABLES and not table.published
    }
    write_report.main(
        exhibits=[str(made.html) for made in tables.values()],
        tables={name: str(made.csv) for name, made in tables.items()},
        results={**files, **{name: [] for name in ("cases", *write_report.PROMPTED)}},
        pairs=str(folder / "pairs.csv"),
        inherited={},
        follow_ups=[],
        guideline=str(ROOT / "data" / "validity" / "guideline.md"),
        page={
            "template": str(PARTS / "page.html"),
            "style": str(PARTS / "page.css"),
            "script": str(PARTS / "page.js"),
            "drawing": str(PARTS / "pictures.js"),
            "licences": str(PARTS / "libraries" / "LICENCES.txt"),
        },
        libraries=str(PARTS / "libraries" / "libraries.sha256"),
        declared=[{"question": "RQ4", "title": name, "caption": ""} for name in tables],
        study={"models": dict.fromkeys(MODELS, ""), "datasets": dict.fromkeys(DATASETS, "")},
        comparator="tolerant",
        seed=1,
        shards=dict.fromkeys(MODELS, 1),
        prompts={},
        asked=[],
        judged=[],
        judge="",
        prices={},
        store=str(folder / "store"),
        benchmarks=str(folder / "benchmarks"),
        report=str(report),
    )


def _tabulate(table: Any, folder: Path, files: dict[str, list[str]]) -> TableFiles:
    warnings = folder / "warnings.csv"
    warnings.write_text("message\n", encoding="utf-8")
    forms = ("csv", "markdown", "latex", "html")
    made = TableFiles(*(folder / f"{table.name}.{form}" for form in forms))
    given = {**files, "repeats": [], "pairs": str(folder / "pairs.csv")}
    import_table(table.module, table.name).make(
        inputs={name: given[name] for name in table.reads} | {"warnings": str(warnings)},
        settings={name: {"seed": 1, "outcome_statuses": []}[name] for name in table.settings},
        files=made,
    )
    return made


def _looked_at(report: Path, chromium: str) -> dict[str, Any]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_context().new_page()
        page.goto(report.as_uri())
        page.get_by_role("button", name="Show them").click()
        painted = [_painted(page) for _ in range(3)]
        if page.evaluate(PLOTTED) != PICTURES:
            sys.exit(f"bench_report: found other pictures than the {PICTURES} of a study.")
        taken = {f"{name}={value}": page.evaluate(FILTER, [name, value]) for name, value in FILTERS}
        cases = page.locator("#count").inner_text()
        browser.close()
    slowest = max(taken, key=lambda each: taken[each])
    return {
        "cases": int(cases.split()[-2]),
        "first_paint_ms": round(max(painted)),
        "filter_ms": round(taken[slowest]),
        "slowest_filter": slowest,
    }


def _painted(page: Page) -> float:
    page.reload()
    milliseconds: float = page.evaluate(PAINTED)
    return milliseconds


PICTURES = 3
RUNS = [(model, dataset) for model in MODELS for dataset in DATASETS]

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=4_000_000, help="verdicts of the study")
    main(**vars(parser.parse_args()))
