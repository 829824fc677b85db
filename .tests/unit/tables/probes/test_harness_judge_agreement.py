"""How often a judge and exact parsing agree, and where they do not."""

from pathlib import Path

import pytest
from hinter.statistics import wilson_interval
from hinter.tables.probes.harness import JUDGE_AGREEMENT as TABLE
from hinter.tables.probes.harness import JUDGE_COLUMNS as COLUMNS
from hinter.tables.probes.harness import tabulate_agreement
from hits import hit_file

# What exact parsing finds, and what the judge does.
FOUND = [
    *[("other", "other")] * 2,
    *[("neither", "neither"), ("neither", "other"), ("neither", "refused"), ("neither", "other")],
    # No judge has read it.
    (None, "neither"),
]


def test_a_judge_is_compared_with_each_finding_of_exact_parsing(tmp_path: Path) -> None:
    rows = [
        {"input_id": str(number), "parsed": parsed, "finding": finding}
        for number, (parsed, finding) in enumerate(FOUND)
    ]
    unjudged = hit_file(tmp_path / "q.parquet", [{"input_id": "1", "finding": "other"}])
    files = [("m", "p", hit_file(tmp_path / "p.parquet", rows)), ("m", "q", unjudged)]
    found = tabulate_agreement(files, judge={"model": "j", "prompt": "p.yaml"})
    assert list(found) == list(COLUMNS)
    kept = ["model", "judge", "probe", "parsed", "n", "agreed", "otherwise"]
    assert found[kept].to_numpy().tolist() == [
        ["m", "j", "p", "all", 6, 3, ""],
        ["m", "j", "p", "neither", 4, 1, "other 2, refused 1"],
        ["m", "j", "p", "other", 2, 2, ""],
    ]
    low, high = wilson_interval(1, 4)
    shares = found[["share", "share_low", "share_high"]].to_numpy()[1].tolist()
    assert shares == pytest.approx([0.25, low, high], abs=1e-6)
    assert TABLE.show(found)["agreed %"].tolist() == ["50.00", "25.00", "100.00"]
    assert TABLE.show(tabulate_agreement(files[1:], judge={"model": "j"})).empty
