"""The harness: hits among the answers that can be one, by probe and model."""

from pathlib import Path

import pytest
from hinter.config import ProbeSheet
from hinter.statistics import wilson_interval
from hinter.tables.probes.harness import COLUMNS, tabulate_harness
from hinter.tables.probes.harness import HARNESS as TABLE
from hits import hit_file

SHEETS = {
    name: ProbeSheet(
        about="a", scenario=f"Of {name}", detector="D", printed_prompts=n, differs="all of it",
        file="a.csv", labels=["x"],
    )
    for name, n in (("p", 60), ("q", None))
}  # fmt: skip


def test_hits_are_shares_of_the_answers_that_can_be_one(tmp_path: Path) -> None:
    files = []
    for probe, hits in {"p": [True, True, False, None], "q": [None]}.items():
        rows = [{"input_id": str(number), "hit": hit} for number, hit in enumerate(hits)]
        rows[0]["parsed"] = "none" if probe == "p" else None
        files.append(("m", probe, hit_file(tmp_path / f"{probe}.parquet", rows)))
    rows = tabulate_harness(files, probe_sheets=SHEETS)
    assert list(rows) == list(COLUMNS)
    first, second = rows.to_dict("records")
    assert (first["harness"], first["scenario"], first["probe"]) == ("Fairness", "Of p", "p")
    assert (first["answers"], first["n"], first["hits"]) == (4, 3, 2)
    assert (first["judged"], second["judged"]) == (1, 0)
    low, high = wilson_interval(2, 3)
    assert (first["score"], first["score_low"], first["score_high"]) == pytest.approx(
        (2 / 3, low, high), abs=1e-6
    )
    assert (second["answers"], second["n"]) == (1, 0)
    shown = TABLE.show(rows)
    assert shown["prompts in the source"].tolist() == ["60", "-"]
    assert shown["hits %"].tolist() == ["66.67", "-"]
